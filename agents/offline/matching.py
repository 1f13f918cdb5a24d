"""What is wanted: one of the specialist's own intents, an answer to its last question, or somebody else's subject."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.offline.orders import order_in
from agents.offline.policy import Intent, OfflinePolicy
from agents.offline.scene import Scene
from agents.offline.spelling import plain
from routing.answers import bare_identifier, read_answer
from routing.values import flat


@dataclass(frozen=True, slots=True)
class Own:
    """A specialist's own subjects: the reasons that it takes, and the words of its role and of their sentences."""

    reasons: tuple[str, ...] = ()
    words: str = ""


LOOK_BACK = 4
_REASON_LINE = re.compile(r"^- ([\w.-]+): (.+)$", re.MULTILINE)
_SHORT = 8
_ASKED_FOR = re.compile(
    r"sobre qual pedido|preciso do motivo|ainda nao peguei essa parte|me passe (?:rua|o endereco|o cep)|confira o cep|escreva o numero|me diga qual deles"
    r"|i still need this|i need the reason|tell me street|the whole address|give me the cep|check the cep|tell me which one"
    r"|escreva o numero do pedido|type the order number|e o pedido \d|is it order \d|de qual pedido|qual deles e|me conte o motivo|prefere trocar ou devolver"
    r"|which order|which one is it|tell me the reason|rather exchange"
)
# Words that every subject of a shop shares, and words that mean nothing alone.
_COMMON_WORDS = (
    "pedido pedidos produto produtos compra compras cliente loja como quando onde porque para pelo pela com uma uns umas dos das"
    " nos nas que qual quais entre outro outra outros outras seus suas sobre fora foi ser esta este essa esse isso the and for with order"
    " from what when where how numero novo nova tudo muito mais menos hoje ontem dias dia ainda sim nao por sem ate quero queria quer querem saber"
    " gostaria preciso quanto custa fazer feito tenho tem estao sao ele ela minha meu meus minhas voces voce fica ficar dados valor alguem"
)
_COMMON = frozenset(_COMMON_WORDS.split())
# How the briefing writes that no colleague had the conversation before.
_NOBODY = "-"


def own_intent(text: str, policy: OfflinePolicy, used: Iterable[str] = ()) -> Intent | None:
    """Return the first intent that a text fits; `used` are the tools that this conversation used or proposed."""
    words, tools = plain(text), set(used)
    for intent in policy.intents:
        if intent.after and not tools & set(intent.after):
            continue
        if any(re.search(p, words) for p in intent.when) and not any(re.search(p, words) for p in intent.unless):
            return intent
    return None


def follow_up(scene: Scene, policy: OfflinePolicy) -> Intent | None:
    """Return what the customer's words mean as an answer to our last message."""
    before = flat(scene.before)
    for item in policy.follow_ups:
        if not re.search(item.asked, before):
            continue
        fits = (
            re.search(item.said, plain(scene.text))
            if item.said
            else read_answer(scene.text, weak_counts=False) == "yes"
        )
        if fits:
            return next((intent for intent in policy.intents if intent.name == item.intent), None)
    return None


def continued(scene: Scene, policy: OfflinePolicy, used: Iterable[str]) -> tuple[Intent, tuple[str, ...]] | None:
    """Return the intent that this message goes on with, and the customer's words since then, newest first."""
    if not (
        "?" in scene.before or asked_for_a_piece(scene.before) or is_bare(scene.text) or scene.step("verify_identity")
    ):
        return None
    window = [scene.text]
    for place, text in list(enumerate(t for _, t in scene.earlier))[::-1]:
        if scene.earlier[place][0] == "shop" or len(window) > LOOK_BACK:
            continue
        window.append(text)
        intent = own_intent(text, policy, used) if bare_identifier(text) is None else None
        # A weak one that answered a question of ours ("com defeito") belongs to what was going on before it.
        answered = place > 0 and asked_for_a_piece(scene.earlier[place - 1][1])
        if intent and not (intent.weak and answered):
            return intent, tuple(window)
    return None


def asked_for_a_piece(question: str) -> bool:
    """Tell whether a message of ours asked for a missing piece: what follows is the piece, not a subject of its own."""
    return bool(_ASKED_FOR.search(flat(question)))


def is_bare(text: str) -> bool:
    """Tell whether a message is an answer rather than a subject of its own."""
    if bare_identifier(text) is not None:
        return True
    return len(text.split()) <= _SHORT and ("?" not in text or order_in(text) is not None)


def foreign_reason(scene: Scene, own: Own, *, at_least: int = 1) -> str | None:
    """Return the other specialists' reason that the words fit best, if they fit it clearly better than one's own subjects.

    One shared word is enough, unless a colleague has just passed the message on: then it takes two. The name counts again.
    """
    said = _stems(scene.text)
    scores = {
        reason: len(said & _stems(sentence)) + len(said & _stems(reason.replace("_", " ")))
        for reason, sentence in _REASON_LINE.findall(scene.tools.get("not_mine", ""))
        if reason not in own.reasons
    }
    best = max(scores.values(), default=0)
    passed_on = scene.briefing is not None and scene.briefing.notes.get("from", _NOBODY) != _NOBODY
    needed = max(at_least, 2 if passed_on else 1)
    if best < needed or best <= len(said & _stems(own.words)):
        return None
    return next(reason for reason, score in scores.items() if score == best)


def tools_used(scene: Scene) -> tuple[str, ...]:
    """Return the tools whose effect or proposal the briefing shows."""
    if scene.briefing is None:
        return ()
    waiting = (scene.briefing.pending.action,) if scene.briefing.pending else ()
    return (*(action.name for action in scene.briefing.actions), *waiting)


def _stems(text: str) -> set[str]:
    words: Sequence[str] = re.findall(r"[^\W\d_]{3,}", plain(text))
    return {_stem(word) for word in words if word not in _COMMON}


def _stem(word: str) -> str:
    """Cut a word to what its forms share: "cobrança", "cobrado" and "cobraram" are one."""
    cut = re.sub(r"[aeiou]+$", "", word[:5])
    return cut if len(cut) > 2 else word
