"""Which order is meant: a number, a product, a choice among those offered, the one under discussion, the only one that fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.offline.scene import Scene
from routing.answers import read_answer
from routing.sentences.tools import PT
from routing.values import compact, flat

OFFERED_AT_MOST = 4
_NAMED = re.compile(
    r"\b(?:pedido|order|compra|n[º°])\W{0,3}(?:n[º°o.]{0,2}\s*)?#?\s*(\d{3,10})\b(?!-?\d)|#(\d{3,10})\b"
)
_BARE = re.compile(r"(?<![\d.,/$-])\b(\d{5})\b(?![-.,/]?\d)")
_ASKED_ONE = re.compile(r"\b(?:e o pedido|is it order) (\d{3,10})\b")
_ORDINALS = (
    r"\b(?:o |a )?primeir[oa]\b|\bthe first\b",
    r"\b(?:o |a )?segund[oa]\b(?! via)|\bthe second\b",
    r"\b(?:o |a )?terceir[oa]\b|\bthe third\b",
)
_LAST = re.compile(r"\b(?:ultim[oa]|mais recente|last one|latest)\b")
# Another order, not another product of the same kind ("quero trocar por outra").
_OTHER = re.compile(
    r"\b(?:[oa]|d[oa]|n[oa]|aquel[ea]|the) (?:outr[oa]|other)\b(?! (?:endereco|tamanho|cor|numero|pessoa|coisa|modelo|size|colou?r|address))"
    r"|\boutr[oa] (?:pedido|compra|encomenda|produto)\b|\b(?:an)?other (?:order|one)\b|^\W*(?:nao\W+|no\W+)?(?:e |era )?outr[oa]\W*$"
)
_NOT_FOUND = re.compile(r"nao encontrei esse pedido|did not find that order")
# "10 405" and "10.405" where a number is all there is, or where "pedido" stands before it.
_SPACED = (
    re.compile(r"^(?:\W|\b(?:e|eh|o|a|do|da|no|pedido|order|numero|it|is|the|n)\b)*(\d{2})[ .](\d{3})\W*$"),
    re.compile(r"\b(?:pedido|order)\W{0,3}(\d{2})[ .](\d{3})\b(?![.,-]?\d)"),
)
_THIS = re.compile(r"\b(?:esse|essa|este|esta|nesse|nessa|desse|dessa|mesm[oa]|dele|dela|this|that|it)\b")
# Nouns that make a listing worth reading: what shops of every kind sell.
_PRODUCT = re.compile(
    r"\b(?:tenis|sapat\w+|bota|sandalia|chinelo|fones?|headphone\w*|earbuds?|caixa de som|jaqueta|jacket|casaco|blusa|camis\w+|calca\w*|vestido|dress|saia"
    r"|bermuda|cinto|relogio|watch|mochila|backpack|bolsa|mala|lumin\w+|lamp|abajur|garrafa|cafeteira|moedor|liquidificador|blender"
    r"|panela\w*|facas?|tapete|poltrona|cadeira|chair|mesa|sofa|cama|colch\w+|cortina|ventilador|geladeira|fogao|micro-?ondas|batedeira|celular"
    r"|phone|notebook|laptop|monitor|teclado|mouse|tablet|tv|televis\w+|bicicleta|bike|brinquedo|livros?|kit|pinceis|caderno|perfume|shoes?|sneakers)\b"
)
# An order named and nothing else: by its number, or by a product of a kind that shops sell.
_LEAD = r"^(?:\W|\b(?:e|eh|and|era|foi|o|a|do|da|no|na|de|meu|minha|my|pedido|order|numero|number|it|s|is|the|n)\b)*"
ORDER_ALONE = (rf"{_LEAD}#?(?:\d{{4,}}|\d{{2}}[ .]\d{{3}})\W*$", rf"{_LEAD}{_PRODUCT.pattern}(?:\W+\w+){{0,2}}\W*$")
_CODES = {
    text: key.removeprefix("order_") for key, text in PT.items() if key.startswith("order_") and "_because" not in key
}
_DULL_WORDS = "de da do das dos com sem para por cm kit jogo peca pecas par novo nova mesa"
_DULL = frozenset(_DULL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Listed:
    """An order as a listing or the briefing shows it; `status` is the shop's code, or "" where it is not known."""

    id: str
    status: str
    products: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """`order` is decided; else `options` are to be offered, or `listing` must be read first, or nothing is known."""

    order: Listed | None = None
    options: tuple[Listed, ...] = ()
    listing: bool = False


def pick_order(scene: Scene, window: Sequence[str], candidates: Sequence[str]) -> Pick:
    """Decide which order is meant. `window` are the customer's words that count, newest first."""
    known, other, wrong = _known(scene), _points_elsewhere(scene), not_found(scene)
    for place, text in enumerate(window):
        number = order_in(text)
        # What was meant before "o outro", or was not found, is no longer it.
        if number and (place == 0 or not (other or number in wrong)):
            return Pick(_listed(known, number))
    if chosen := _chosen(scene):
        return Pick(_listed(known, chosen))
    if (asked := _ASKED_ONE.search(flat(scene.before))) and read_answer(scene.text) == "yes":
        return Pick(_listed(known, asked.group(1)))
    current = current_order(scene)
    for text in window[:1] if other else window:
        matched = _by_product(flat(text), known)
        if len(matched) == 1:
            return Pick(matched[0])
        if matched:
            return _narrowed(matched, candidates)
        if _PRODUCT.search(flat(text)) and _can_list(scene):
            return Pick(listing=True)
    if current and not other and _plausible(current, known, candidates, scene):
        return Pick(_listed(known, current))
    if _can_list(scene):
        return Pick(listing=True)
    rest = [order for order in _listing(scene) if not (other and order.id == current)]
    if rest:
        return _narrowed(rest, candidates)
    return Pick(_listed(known, current)) if current and not other else Pick()


def is_given(order: str, scene: Scene) -> bool:
    """Tell whether the customer named the order, or a reading of it is before us; a mere listing does not count."""
    if any(order in text for text in (scene.text, *scene.said)):
        return True
    return any(
        fact.entity == f"order:{order}" and fact.source != "tool:list_orders"
        for fact in (scene.briefing.facts if scene.briefing else ())
    )


def order_in(text: str) -> str | None:
    """Return the order number that a text names."""
    plain = flat(text)
    if named := _NAMED.search(plain):
        return named.group(1) or named.group(2)
    if bare := _BARE.search(plain):
        return bare.group(1)
    spaced = next((found for line in plain.splitlines() for p in _SPACED if (found := p.search(line))), None)
    return "".join(spaced.groups()) if spaced else None


def names_only(text: str) -> bool:
    """Tell whether a text names an order, by number or product, and says nothing more."""
    return any(re.search(pattern, flat(text)) for pattern in ORDER_ALONE)


def not_found(scene: Scene) -> frozenset[str]:
    """Return the numbers of which we said that no such order was found."""
    wrong: set[str] = set()
    for (side, asked), (answering, told) in pairwise(scene.earlier):
        if side == "customer" and answering == "shop" and _NOT_FOUND.search(flat(told)):
            wrong |= {number for number in (*_BARE.findall(flat(asked)), order_in(asked)) if number}
    return frozenset(wrong)


def current_order(scene: Scene) -> str | None:
    """Return the order under discussion: the last one that anybody named, else the briefing's newest."""
    wrong = not_found(scene)
    for _, text in reversed(scene.earlier):
        named = {number for number in (*_BARE.findall(flat(text)), order_in(text)) if number} - wrong
        if len(named) == 1:
            return named.pop()
    facts = [fact for fact in scene.briefing.facts if fact.key == "order"] if scene.briefing else []
    own = [fact for fact in facts if fact.source != "tool:list_orders" and fact.value not in wrong]
    return max(own, key=lambda fact: fact.at).value if own else None


def _can_list(scene: Scene) -> bool:
    return "list_orders" in scene.tools and scene.step("list_orders") is None


def _listing(scene: Scene) -> list[Listed]:
    found = scene.data("list_orders").get("orders", [])
    return [Listed(str(o["order"]), str(o["status"]), tuple(str(p) for p in o.get("products", []))) for o in found]


def _known(scene: Scene) -> dict[str, Listed]:
    """Collect what is known of orders: the briefing's facts, then this turn's readings."""
    products: dict[str, list[str]] = {}
    status: dict[str, str] = {}
    for fact in scene.briefing.facts if scene.briefing else ():
        order = (fact.entity or "").partition(":")[2].partition("/")[0]
        if fact.key == "item":
            products.setdefault(order, []).append(fact.value)
        elif fact.key == "order_status" and fact.source.startswith("tool:"):
            status[order] = _CODES.get(fact.value, "")
    known = {order: Listed(order, status.get(order, ""), tuple(names)) for order, names in products.items()}
    known |= {order.id: order for order in _listing(scene)}
    if view := scene.data("lookup_order"):
        names = tuple(str(item["name"]) for item in view.get("items", []))
        known[str(view["order"])] = Listed(str(view["order"]), str(view["status"]), names)
    return known


def _listed(known: dict[str, Listed], order: str) -> Listed:
    return known.get(order, Listed(order, "", ()))


def _chosen(scene: Scene) -> str | None:
    """Read "o segundo" as one of the orders that our last message offered."""
    offered = list(dict.fromkeys(_BARE.findall(flat(scene.before))))
    if len(offered) < 2:
        return None
    for position, pattern in enumerate(_ORDINALS):
        if position < len(offered) and re.search(pattern, scene.flat):
            return offered[position]
    return offered[-1] if _LAST.search(scene.flat) else None


def _by_product(plain: str, known: dict[str, Listed]) -> list[Listed]:
    """Return the orders whose products the words name best."""
    said = {_singular(word) for word in re.findall(r"[^\W\d_]+", plain)}
    scores = {order.id: len(said & _nouns(order)) for order in known.values()}
    best = max(scores.values(), default=0)
    return [known[order] for order, score in scores.items() if score == best] if best else []


def _nouns(order: Listed) -> set[str]:
    words = (compact(word) for name in order.products for word in name.split())
    return {_singular(word) for word in words if len(word) > 2 and not word[0].isdigit()} - _DULL


def _singular(word: str) -> str:
    return word if word in ("tenis", "mais") else word.removesuffix("s")


def _plausible(order: str, known: dict[str, Listed], candidates: Sequence[str], scene: Scene) -> bool:
    """Doubt the order under discussion where its state does not fit and the customer does not point at it."""
    status = _listed(known, order).status
    if not candidates or not status or status in candidates or _THIS.search(scene.flat):
        return True
    # A product that the customer has just named stays the subject, whatever its state.
    return any([o.id for o in _by_product(flat(text), known)] == [order] for text in scene.said[:2])


def _points_elsewhere(scene: Scene) -> bool:
    """Tell whether the customer means another order than the one under discussion."""
    denied = bool(_ASKED_ONE.search(flat(scene.before))) and read_answer(scene.text) == "no"
    return denied or bool(_OTHER.search(scene.flat))


def _narrowed(orders: Sequence[Listed], candidates: Sequence[str]) -> Pick:
    fitting = [order for order in orders if order.status in candidates] or list(orders)
    return Pick(fitting[0]) if len(fitting) == 1 else Pick(options=tuple(fitting[:OFFERED_AT_MOST]))
