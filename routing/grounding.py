"""Whether a tool's arguments stand on what somebody said or read, and not on what the model supposes."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

from routing.facts import Fact
from routing.model import Frozen
from routing.values import cents, compact, flat, tokens, unspelled

_ORDINALS: tuple[tuple[str, int], ...] = (
    ("primeir", 0), ("first", 0), ("segund", 1), ("second", 1), ("terceir", 2), ("third", 2), ("quart", 3), ("fourth", 3),
    ("ultim", -1), ("last", -1),
)  # fmt: skip
_ABBREVIATED = {
    "r": "rua", "av": "avenida", "ave": "avenue", "al": "alameda", "pca": "praca", "tv": "travessa", "rod": "rodovia",
    "est": "estrada", "apto": "apartamento", "ap": "apartamento", "apt": "apartamento", "bl": "bloco", "n": "numero",
    "no": "numero", "nro": "numero", "num": "numero", "st": "street", "rd": "road", "jd": "jardim", "vl": "vila",
    "sp": "saopaulo", "rj": "riodejaneiro", "mg": "minasgerais", "pr": "parana", "rs": "riograndedosul",
    "sc": "santacatarina", "ba": "bahia", "pe": "pernambuco", "ce": "ceara", "df": "distritofederal", "es": "espiritosanto",
    "go": "goias", "dr": "doutor", "sta": "santa", "sto": "santo", "pq": "parque",
}  # fmt: skip
_SPELLED = {
    word: str(number)
    for number, words in enumerate(
        ("zero", "um uma one", "dois duas two", "tres three", "quatro four", "cinco five", "seis six", "sete seven",
         "oito eight", "nove nine", "dez ten", "onze eleven", "doze twelve")
    )
    for word in words.split()
}  # fmt: skip
_LINKING = re.compile(
    r"a|o|as|os|e|de|da|do|das|dos|em|na|no|com|para|pra|que|the|of|in|on|at|to|and|is|it|numero|number|cep"
)
_CENT_ARGUMENT = re.compile(r"(?:amount|valor|price|total)(?:_cents|_centavos)?$")


class Candidate(Frozen):
    """One entry of a listing that a tool gave: an id, and the words by which a customer may mean it."""

    id: str
    labels: tuple[str, ...] = ()


class Grounded(Frozen):
    """Every argument stands on something."""


class NotGrounded(Frozen):
    """The first argument that stands on nothing."""

    argument: str
    value: str
    because: Literal["unknown_identifier", "only_listed", "not_in_words"]


def check_grounding(
    args: Mapping[str, JsonValue],
    *,
    identifiers: Sequence[str],
    from_customer: Sequence[str],
    facts: Sequence[Fact],
    words: Sequence[str],
    listings: Sequence[Sequence[Candidate | str]] = (),
    reading: bool = False,
) -> Grounded | NotGrounded:
    """Check a call's arguments.

    `identifiers` must be facts that somebody gave; one that only a listing gave must be named by the customer or be the
    only candidate, unless the tool only reads. `from_customer` texts must be in the customer's `words` of this leg.
    """
    listed = [[item if isinstance(item, Candidate) else Candidate(id=item) for item in listing] for listing in listings]
    for name in identifiers:
        for value in _values(args.get(name)):
            because = _identifier(name, value, facts=facts, words=words, listings=listed, reading=reading)
            if because is not None:
                return NotGrounded(argument=name, value=value, because=because)
    typed = [(name, value) for name in from_customer for value in _values(args.get(name))]
    said = _said(words) if typed else set[str]()
    for name, value in typed:
        if not _spoken(value, said):
            return NotGrounded(argument=name, value=value, because="not_in_words")
    return Grounded()


def _values(argument: JsonValue) -> list[str]:
    """Return an argument's values as texts; what was left out needs no ground."""
    if argument is None or isinstance(argument, bool):
        return []
    if isinstance(argument, list):
        return [value for item in argument for value in _values(item)]
    if isinstance(argument, dict):
        return [value for item in argument.values() for value in _values(item)]
    text = str(argument).strip()
    return [text] if text else []


def _identifier(
    name: str,
    value: str,
    *,
    facts: Sequence[Fact],
    words: Sequence[str],
    listings: list[list[Candidate]],
    reading: bool,
) -> Literal["unknown_identifier", "only_listed"] | None:
    if _CENT_ARGUMENT.search(name):
        return None if _amount_known(name, value, facts, words) else "unknown_identifier"
    wanted = compact(value)
    if _named(wanted, facts, words):
        return None
    holding = [listing for listing in listings if any(compact(item.id) == wanted for item in listing)]
    if holding:
        meant = reading or any(len(listing) == 1 or _meant(wanted, listing, words) for listing in holding)
        return None if meant else "only_listed"
    read = any(compact(unspelled(fact.value)) == wanted or _entity_is(fact, wanted) for fact in facts)
    return None if read else "unknown_identifier"


def _named(wanted: str, facts: Sequence[Fact], words: Sequence[str]) -> bool:
    """Tell whether the session or the customer gave it, as a fact or in so many characters."""
    if any(fact.source in ("customer", "session") and compact(unspelled(fact.value)) == wanted for fact in facts):
        return True
    return bool(wanted) and any(wanted in tokens(text) for text in words)


def _entity_is(fact: Fact, wanted: str) -> bool:
    return fact.entity is not None and not fact.source.startswith("customer") and (
        compact(fact.entity.partition(":")[2]) == wanted or compact(fact.entity.rpartition("/")[2]) == wanted
    )  # fmt: skip


def _meant(wanted: str, listing: Sequence[Candidate], words: Sequence[str]) -> bool:
    """Tell whether the customer's words single this candidate out: by a label of its alone, or by its place."""
    spoken = [f" {' '.join(tokens(text))} " for text in words]
    fitting = [
        item for item in listing
        if any(label and f" {' '.join(tokens(label))} " in text for label in item.labels for text in spoken)
    ]  # fmt: skip
    if len({compact(item.id) for item in fitting}) == 1:
        return compact(fitting[0].id) == wanted
    last = tokens(flat(words[-1])) if words else []
    for stem, place in _ORDINALS:
        if place < len(listing) and any(word in (f"{stem}o", f"{stem}a", stem) for word in last):
            return compact(listing[place].id) == wanted
    return False


def _amount_known(name: str, value: str, facts: Sequence[Fact], words: Sequence[str]) -> bool:
    wanted = int(value) if name.endswith(("_cents", "_centavos")) and value.isdigit() else cents(value)
    if wanted is None:
        return False
    given = {cents(unspelled(fact.value)) for fact in facts if any(char.isdigit() for char in fact.value)}
    spoken = {cents(number) for text in words for number in re.findall(r"\d[\d.,]*", text)}
    return wanted in given or wanted in spoken


def _said(words: Sequence[str]) -> set[str]:
    return {form for text in words for token in re.split(r"[^\w]+", flat(text)) if token for form in _forms(token)} | {
        token for text in words for token in tokens(text)
    }


def _forms(token: str) -> tuple[str, ...]:
    """Return a word with what it abbreviates or spells out."""
    number = str(int(token)) if token.isdecimal() and len(token) < 12 else token
    return tuple({token, number, _ABBREVIATED.get(token, token), _SPELLED.get(token, token)})


def _spoken(value: str, said: set[str]) -> bool:
    """Tell whether every word of a text that carries meaning is in the customer's words."""
    if compact(value) in said:
        return True
    carrying = [word for word in re.split(r"[^\w]+", flat(value)) if word and not _LINKING.fullmatch(word)]
    full = "".join(carrying)
    if any(long == full for long in _ABBREVIATED.values()):
        return any(form in said for form, long in _ABBREVIATED.items() if long == full) or all(
            w in said for w in carrying
        )
    return bool(carrying) and all(any(form in said for form in _forms(word)) for word in carrying)
