"""When a sentence that sounds like an announcement is none: denied, asked, conditional, offered, reported, general."""

import re
from collections.abc import Sequence
from typing import Literal

from routing.claims_reported import reported
from routing.claims_sentence import Sentence
from routing.pattern import Pattern

Tense = Literal["past", "now", "future"]

_NEGATION = Pattern(
    r"(?:\b(?:nao|n|nem|nunca|jamais|not|never|cannot|sem|nor|without)\b|n't\b)(?:\s+[\w']+){0,2}\s*$"
    r"|\b(?:nenhum\w*|nada|ninguem|nothing|nobody|no one|none)\b[^,;]{0,40}$"
    r"|\bno (?:\w+ )?(?:record|sign|trace|evidence|proof)\b[^;]{0,60}$|\b(?:nenhum|sem) (?:registro|sinal|indicio)\b[^;]{0,60}$"
    r"|\bno (?:\w+ )?(?:refund|return|order|charge|exchange|ticket|cancellation|approval|credit)s?\b[^,;]{0,30}$"
)
_UNSURE = Pattern(
    r"\bnao\s+(?:tenho como|consigo|posso|podemos|da para|sei|ha|ha como|encontrei|vejo|consta|e verdade|quer dizer|significa|fui eu"
    r"|da pra|acho|parece|tem como|garanto|prometo|achei|existe)\b"
    r"|(?:\b(?:ca|do|does|did|was|is|could|wo)n't|\b(?:cannot|can not|do not|does not|unable to|not able to))\s+"
    r"(?:\w+\s+){0,2}(?:confirm|see|find|know|say|tell|promise|mean|guarantee|think)\b"
)
_REFLEXIVE = Pattern(r"\bse\s*$")
_ENGLISH = Pattern(r"\b(?:has|have|was|were|is|are|been|will)\b")
_NEGATED_INSIDE = Pattern(r"\b(?:nao|n|nunca|not|never|nenhum\w*|nada|nothing)\b|n't\b")
CONDITION = Pattern(
    r"(?<!-)\b(?:se(?!\s+(?:encontra|resolve|acha|preocup|trata|deve|refere|tornou))|(?<!seu )(?<!o )(?<!esse )(?<!este )(?<!meu )(?<!cada )(?<!um )caso(?! (?:foi|esta|ja|consta))"
    r"|desde que|contanto que|somente se|a menos que|a nao ser que|mesmo que|ainda que|confirmando|havendo|tendo|dependendo|if|unless|whether|provided|in case|depending)\b"
    r"|^\W*should\b"
)
_TIMING = Pattern(
    r"\b(?:quando|assim que|depois (?:que|d[eoa]s?)|apos|enquanto|logo que|ao (?:ser|\w+ar|\w+er|\w+ir)|uma vez|once|when|after|as soon as|until|till|ate que|antes de|before)\b"
    r"(?!\s+(?:o |a |do |da |de |the )?(?:almoco|reuniao|expediente|amanha|hoje|meio|lunch|meeting|tomorrow|today))"
)
# What makes even a finished form conditional: a conjunction in its own clause.
_TIMING_HERE = Pattern(
    r"\b(?:quando|assim que|depois que|logo que|enquanto|ate que|uma vez|once|when|as soon as|until|unless)\b|\bso (?:depois|apos)\b|\bafter (?:being|it)\b|\bbefore i\b|\bantes de (?:eu )?\w+[aei]r\b"
)
# The customer's wish, or the sight of it, is no news.
_WISH = Pattern(
    r"\b(?:querer|quer|queria|deseja\w*|esperando|aguardando|esperar|susto|chato|frustra\w*|want\w*|waiting|hoping|would like|wish)\b"
)
_INVERTED = Pattern(r"^\W*(?:had|should|were) (?:it|the|your|they|we|you)\b")
_LOOKED_INTO = Pattern(
    r"\b(?:entend\w+|saber|verific\w+|confer\w+|confir\w+|ver|explic\w+|chec\w+|olh\w+|descobrir|perguntar|understand|know|check|find out|see|explain|ask|tell)\s+"
    r"(?:\w+\s+){0,2}(?:se|por que|porque|quando|como|quem|qual|why|if|whether|when|how|who)\b"
)
_UNTRUE = Pattern(
    r"\b(?:dizer|dissesse|afirmar|saying|said|say)\b[^.;!?]{0,80}\b(?:mentira|errado|inventando|a lie|wrong|making it up)\b|\b(?:mentira|errado|inventando|a lie|wrong|making it up)\b[^.;!?]{0,30}\b(?:dizer|dissesse|afirmar|say|said|saying)\b"
)
_HEDGE = Pattern(
    r"\b(?:espero que|tomara que|torco para|i hope|hopefully|talvez|quem sabe|pode ser que|e possivel que|parece que|acho que|perhaps|maybe|possibly|it (?:may|might|could) be|it is possible that|it seems)\b"
)
_ONLY = Pattern(r"\b(?:so|somente|apenas|only)\b")
_ONLY_WITH = Pattern(r"\b(?:com|se|quando|depois|apos|antes|ate|with|if|after|before|once|when)\b")
_BY_CUSTOMER = Pattern(r"\W*(?:\w+\s+)?(?:por voce|by you|pelo cliente)\b")
_ONLY_WHO = Pattern(r"^\W*(?:(?:so|somente|apenas)\s+(?:o|a|os|as|quem)|only\s+(?:the|a|an|whoever))\b")
OFFER = Pattern(
    r"\b(?:(?:se|caso|quando)\s+(?:voce\s+)?(?:quiser|preferir|queira|prefira|achar melhor|fizer sentido|desejar|concordar|confirmar|autorizar|aceitar|topar)"
    r"|if (?:you|that|it) (?:like|want|prefer|wish|agree|confirm|say|works|is ok)|so \w+ depois que voce)\b|\bcom (?:a )?sua (?:confirmacao|autorizacao)"
    r"|\bwith your (?:confirmation|permission|ok)|\bsay the word\b"
    r"|^\W*(?:please\s+|por favor\W+)?(?:responda|basta|confirme|me (?:diga|fala|conte|conta|mande|manda|passe|passa|informe|envie)|diga|conte|e so|answer|reply|say|confirm|tell me|give me|just (?:answer|reply|say|confirm|tell))\b[^.;!?]{0,60}\b(?:e|and|que)\s"
)
_ASKING = Pattern(
    r"^\W*(?:\w+\W+){0,3}?(?:quer|queria|posso|podemos|deseja|gostaria|prefere|confirma|quem|qual|quando|would you|do you|shall|should i|can i|may i|have you)\b"
    r"|^\W*(?:(?:so|and|but|ok|okay|then|well|[a-z]+,)\W+){0,2}(?:did|has|have|was|were|is|are|who|which|what|when|does)\b"
)
_RHETORICAL = Pattern(
    r"\b(?:sabia|viu|notou|reparou|percebeu|lembra|(?:ja )?(?:te |lhe )?(?:contei|falei|disse|avisei)) que\b|\bdid you (?:know|notice|see)\b|\bhave you (?:heard|seen) that\b"
)
_TAG = Pattern(
    r"[,;:—–(\s]\s*(?:viu|ta|tah|ok|okay|beleza|blz|tudo bem|sabia|entendeu|combinado|ta (?:bom|certo)|fechado|legal|hein|alright|all right|you know|cool|see|sim|certo|correto|ne|right|correct|yes|e isso)\s*\?+\W*$"
)
_SEEKING = Pattern(r"\b(?:certo|correto|ne|right|correct|e isso)\s*\?+\W*$")
_GENERAL = Pattern(
    r"\b(?:em geral|geralmente|normalmente|costuma\w*|via de regra|por lei|pela lei|a politica|pela (?:nossa )?politica|as vezes|usually|normally|typically|generally|by law|our policy|depend[es]\w*)\b"
    r"|\b(?:um|uma|qualquer|cada|todo|toda|outro|outra)\s+(?:reembolso|pedido|devolucao|troca|estorno|compra|cancelamento|boleto|caso)\b(?!\s+(?:foi|foram|ja|esta))"
    r"|\b(?:an?|any|each|every)\s+(?:\w+\s+)?(?:refund|order|return|exchange|cancellation|case|boleto|purchase|payment)\b(?!\s+(?:has|have|was|were|is being|is now|is on))"
)
_GENERAL_OPENING = Pattern(
    r"^\W*(?:em geral|geralmente|normalmente|via de regra|por lei|pela lei|as vezes|usually|normally|typically|generally|by law)\b"
)
_PLURAL = Pattern(
    r"^\W*(?:alguns|algumas|muitos|muitas|nem tod\w+|some|most|many|not (?:all|every)|reembolsos|devolucoes|trocas|cancelamentos|pedidos|compras|produtos|estornos|cupons|descontos|quem|refunds|returns|orders|exchanges|products|purchases|defective|approved (?:refunds|returns|requests)|(?:card|pix|boleto) (?:refunds|purchases|orders))\b"
)
_NEW_SUBJECT = Pattern(r"\b(?:and|it|ele|ela|entao|then)\b")
_ABSOLUTE = Pattern(r"^\W*com (?:o|a|os|as)\s+\w+\s*$")  # "com a devolução aberta, você posta o produto"
_YOURS = Pattern(r"\b(?:seu|sua|seus|suas|teu|tua|your|yours)\b")


def excused(
    sentence: Sentence, start: int, end: int, *, tense: Tense, own: bool = False, heard: Sequence[str] | None = None
) -> bool:
    """Tell whether a form announces nothing: it is denied, asked, conditional, offered, reported, or a general rule.

    `heard` are the customer's own words, where they are known: "you said that" excuses only what they did say.
    """
    plain = sentence.plain
    clause_start, clause_end = sentence.clause_at(start)
    lead, inside = plain[clause_start:start], plain[start:end]
    if inside.startswith(("encontra", "acha")):
        lead = _REFLEXIVE.sub("", lead)  # "o pedido se encontra cancelado": no condition
    if denied(lead) or _no_such(lead, inside) or _NEGATED_INSIDE.search(inside) or _unreal(plain, lead):
        return True
    if (
        reported(plain[:start], inside, heard)
        or asked(plain, lead, clause_end, own=own)
        or general(plain, lead, inside)
    ):
        return True
    if _BY_CUSTOMER.match(plain[end:]):
        return True
    return tense != "past" and _depends(plain, lead, plain[clause_start:clause_end])


def _unreal(plain: str, lead: str) -> bool:
    """Tell whether even a finished form is only supposed: doubted, looked into, or the condition itself."""
    supposed = _HEDGE.search(lead) or CONDITION.search(lead) or _TIMING_HERE.search(lead) or _LOOKED_INTO.search(lead)
    return bool(supposed or _INVERTED.match(plain) or _UNTRUE.search(plain))


def _depends(plain: str, lead: str, clause: str) -> bool:
    """Tell whether what is still to come hangs on something, or is what the customer wishes."""
    if _WISH.search(lead) or CONDITION.search(plain) or _TIMING.search(plain) or OFFER.search(plain):
        return True
    return bool(_ONLY.search(lead) and (_ONLY_WITH.search(clause) or _ONLY_WHO.match(clause)))


def denied(lead: str) -> bool:
    """Tell whether the words of a clause before a form turn it round."""
    return bool(_NEGATION.search(lead) or _UNSURE.search(lead))


def _no_such(lead: str, inside: str) -> bool:
    """Tell an English "no refund is in progress"; Portuguese "no" is only "in the"."""
    return bool(re.search(r"\bno\s+$", lead) and _ENGLISH.search(inside))


def asked(plain: str, lead: str, clause_end: int, *, own: bool) -> bool:
    """Tell whether a clause is a question; a tag ("viu?", "ok?") makes none of an announcement."""
    bare = plain.rstrip()
    if not bare.endswith("?") or _RHETORICAL.search(lead):
        return False
    tag = _TAG.search(bare)
    if tag and not (_SEEKING.search(bare) and not own):
        return bool(_ASKING.match(plain))
    last = tag.start() if tag else len(bare)
    return clause_end >= last - 1 or clause_end >= len(bare) or bool(_ASKING.match(plain))


def general(plain: str, lead: str, inside: str) -> bool:
    """Tell whether a clause states a rule and not this customer's case."""
    if _YOURS.search(lead):
        return False
    if _GENERAL_OPENING.match(plain) and not _YOURS.search(plain):
        return True
    if found := _GENERAL.search(f"{lead}{inside}"):
        return not _NEW_SUBJECT.search(f"{lead}{inside}"[found.end() :])
    return bool(_PLURAL.match(plain) or (_ABSOLUTE.match(lead) and not re.search(r"\bja\b", lead)))
