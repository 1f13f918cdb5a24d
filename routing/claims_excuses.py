"""When a sentence that sounds like an announcement is none: denied, asked, conditional, offered, reported, general."""

import re

_BREAK = re.compile(r"[,;:—–()]|\s(?:mas|porem|so que|but|however)\s")
NEGATION = re.compile(
    r"(?:\b(?:nao|nem|nunca|jamais|not|never|cannot|sem)|n't)(?:\s+[\w']+){0,2}\s*$|\b(?:nenhum\w*|nada|nothing|no one)\b[^,;]{0,40}$|\bno (?:refund|return|order|charge|exchange|ticket)s?\b[^,;]{0,30}$"
)
_UNSURE = re.compile(
    r"\bnao (?:tenho como|consigo|posso|da para|sei|ha como|encontrei|vejo|consta)\b|\b(?:can't|cannot|can not|don't|do not|unable to) (?:confirm|see|find|know|say|promise)\b"
)
_NO = re.compile(r"\bno\s+$")
_ENGLISH = re.compile(r"\b(?:has|have|was|were|is|are|been)\b")
_NEGATED_INSIDE = re.compile(r"\b(?:nao|nunca|not|never|nenhum\w*|nada|nothing)\b|n't\b")
CONDITION = re.compile(
    r"(?<!-)\b(?:se(?!\s+(?:encontra|preocup|trata|deve|refere|tornou))|(?<!seu )(?<!o )(?<!esse )(?<!este )(?<!meu )(?<!cada )(?<!um )caso|desde que|contanto que|somente se|a menos que|if|unless|should|provided|in case)\b"
)
_TIMING = re.compile(
    r"\b(?:quando|assim que|depois|apos|enquanto|logo que|ao ser|once|when|after|as soon as|until|ate que|ao \w+[aei]r)\b"
)
OFFER = re.compile(
    r"\b(?:(?:se|caso|quando)\s+(?:voce\s+)?(?:quiser|preferir|queira|prefira|achar melhor|fizer sentido|desejar|concordar|confirmar)|if you (?:like|want|prefer|wish|agree|confirm)|so \w+ depois que voce)\b|\bcom a sua confirmacao|\bwith your confirmation|^\W*(?:please\s+|por favor\W+)?(?:responda|basta|confirme|me diga|answer|reply|say|confirm|just (?:answer|reply|say|confirm))\b[^.;!?]{0,40}\b(?:e|and|que)\s"
)
_ASKING = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:quer|posso|podemos|deseja|gostaria|prefere|confirma|would you|do you|did you|shall|should i|can i|may i|have you|has (?:the|your)|was|were|is (?:the|your|this)|are)\b"
)
REPORTED = re.compile(
    r"\b(?:voce|vc)\s+(?:ja\s+)?(?:disse|contou|mencionou|informou|relatou|comentou|falou|escreveu)|\b(?:segundo|pelo que|conforme)\s+(?:voce|a sua mensagem)|\bentendi que voce|\bna sua mensagem|\byou (?:said|mentioned|told|wrote|reported)|\bfrom what you\b|\bas i understand\b|\bpor (?:avisar|contar|me dizer) que|\bfor letting me know\b|\b(?:i|eu) (?:understand|entendo) (?:that|que|the)\b"
)
_GENERAL = re.compile(
    r"\b(?:em geral|geralmente|normalmente|costuma\w*|via de regra|por lei|pela lei|a politica|pela politica|as vezes|usually|normally|typically|generally|by law|our policy|depend[es]\w*)\b|\b(?:um|uma|qualquer|cada)\s+(?:reembolso|pedido|devolucao|troca|estorno|compra)\b(?!\s+(?:foi|foram|ja|esta))|\b(?:an?|any|each|every)\s+(?:refund|order|return|exchange)\b(?!\s+(?:has|have|was|were))|^\W*(?:reembolsos|devolucoes|trocas|cancelamentos|pedidos|compras|produtos|estornos|quem|refunds|returns|orders|exchanges|products|defective)\b"
)


def clause_of(plain: str, position: int) -> tuple[int, int]:
    """Return where the clause around a position begins and ends."""
    start, end = 0, len(plain)
    for match in _BREAK.finditer(plain):
        if match.end() <= position:
            start = match.end()
        elif match.start() >= position:
            end = match.start()
            break
    return start, end


def excused(plain: str, start: int, end: int, *, tense: str) -> bool:
    """Tell whether a form announces nothing: it is denied, asked, conditional, offered, reported, or a general rule."""
    clause_start, clause_end = clause_of(plain, start)
    lead, inside = plain[clause_start:start], plain[start:end]
    denied = NEGATION.search(lead) or _UNSURE.search(lead) or (_NO.search(lead) and _ENGLISH.search(inside))
    if denied or _NEGATED_INSIDE.search(inside) or REPORTED.search(plain[:start]):
        return True
    if plain.rstrip().endswith("?") and (clause_end >= len(plain.rstrip()) or _ASKING.match(plain)):
        return True
    if CONDITION.search(lead) or _TIMING.search(lead) or _GENERAL.search(plain[: start + 1]) or _GENERAL.match(plain):
        return True
    conditional = CONDITION.search(plain) or _TIMING.search(plain) or OFFER.search(plain)
    return tense != "past" and bool(conditional)
