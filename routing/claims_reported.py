"""When a sentence repeats what the customer said: "você disse que …", and not "como você disse, …", which agrees with it."""

import re
from collections.abc import Sequence

from routing.pattern import Pattern
from routing.values import flat

_SAID = r"(?:disse|contou|mencionou|informou|relatou|comentou|falou|escreveu|explicou|acha|acredita|afirma|afirmou|alega|alegou|diz|sustenta)"
_REPORTED_THAT = Pattern(
    rf"\b(?:voce|vc|o senhor|a senhora|alguem|quem)\s+(?:\w+\s+){{0,2}}{_SAID}\s+(?:\w+\s+){{0,3}}que\b"
    r"|\b(?:entendi|vi|percebi)\b[^,.;]{0,30}\bvoce\b|\b(?:te|lhe) (?:disseram|falaram|informaram|prometeram)\b"
    r"|\bpor (?:avisar|contar|me dizer|informar) que\b|\b(?:sinto|lamento) (?:muito )?(?:que|por)\b"
    r"|\b(?:dizendo|avisando|informando|disse|informou|falou) que\b|\b(?:fala|falava|dizia) (?:em|de|que)\b"
    r"|\b(?<!as )you (?:said|mentioned|told|wrote|reported|were told|say|claim|claimed|believe|think)\b|\bfor letting (?:me|us) know\b|\b(?:glad|sorry) (?:to hear )?(?:that|about)\b"
    r"|\b(?:someone|who|they|anyone) (?:told|promised) you\b"
)
_REPORTED_SOURCE = Pattern(
    r"\b(?:segundo|pelo que|de acordo com o que)\s+(?:voce|vc|a sua mensagem|o senhor|a senhora|seu relato)\b|\bna sua mensagem\b|\bentendi:\s*voce\b"
    r"|\bfrom what you\b|\bas i understand\b|\baccording to (?:you|your message)\b"
)
# Joy at what reached the customer; what we do is announced, however glad.
_GLAD = Pattern(r"\b(?:que bom que|fico feliz que|glad that|happy that|great that)\b[^,;:]{0,40}$")
_OURS = Pattern(
    r"aprovad|autorizad|liberad|estornad|reembolsad|cancelad|devolvid|approved|refunded|cancell?ed|authori[sz]ed|feito"
)
_CUT = Pattern(r"[,;:—]|\b(?:mas|porem|but|e sim)\b")
_CUT_LATER = Pattern(r"[;—]|\b(?:mas|porem|but)\b")
# Words for the same act: what a customer called "devolver o dinheiro" may be repeated as a refund.
_STEMS = {
    "approve": r"aprov|autoriz|liber|approv|authori", "refund": r"reembols|estorn|devol|dinheiro|refund|money|credit",
    "cancel": r"cancel|anul",
}  # fmt: skip


def reported(before: str, words: str, heard: Sequence[str] | None) -> bool:
    """Tell whether `words` repeat what the customer said, as the flat text before them tells.

    `heard` are the customer's words, where they are known: what nobody said is not repeated.
    """
    if _GLAD.search(before) and not _OURS.search(words):
        return True
    scope = _after_last(_REPORTED_THAT, before)
    if scope is None or _CUT.search(scope):
        scope = _after_last(_REPORTED_SOURCE, before)
        if scope is None or scope.count(",") > 1 or _CUT_LATER.search(scope):
            return False
    if heard is None:
        return True
    stems = [stem for stem in _STEMS.values() if re.search(stem, words)]
    return not stems or any(re.search(stem, flat(text)) for stem in stems for text in heard)


def _after_last(frame: Pattern, before: str) -> str | None:
    ends = [found.end() for found in frame.finditer(before)]
    return before[ends[-1] :] if ends else None
