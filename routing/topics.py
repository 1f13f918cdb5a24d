"""A second subject in one message: the message in clauses, and the clauses that belong to somebody else."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from routing.courtesy import plain_courtesy
from routing.decision import Thresholds
from routing.pattern import Pattern
from routing.pending import OpenTopic
from routing.text import fold, normalise, visible

MAX_CLAUSES = 6
_MIN_WORDS = 2

_SENTENCE = Pattern(r"(?<=[.!?\u2026])[\"'\u201d)]*\s+|[;\n]+|(?<=[a-z\u00e0-\u00ff)])\s[-\u2013\u2014]\s")
_ABBREVIATION = Pattern(
    r"(?i)\b(?:sr|sra|dr|dra|av|r|n|no|num|tel|ref|obs|ex|etc|pq|ap|apto|bl|qd|lt|prof|mr|mrs|ms|st|vs|p\.? ?ex)\.$"
)
# After a comma or a joining word, these open a request of its own: what follows can stand alone.
_OPENS = (
    r"(?:cade|onde|quando|como|quanto|quantos|qual|quais|por ?que|pq|o que|sera que|quem|que dia|que horas"
    r"|(?:eu )?(?:tambem |tb |tbm |ainda |agora |aproveitando |ja )*(?:quero|queria|preciso|precisava|gostaria|necessito|solicito|desejo)\b"
    r"|(?:voces |vcs |voce |vc )?(?:podem?|poderiam?|conseguem?|da pra|da para|daria pra|tem como|teria como)\b"
    r"|(?:me )(?:manda|mandem|mande|envia|envie|enviem|passa|passe|diz|digam|fala|ajuda|informa|informe|explica|cobraram|cobrou|cobrando|devolve|devolvam|estornem|estorna)\b"
    r"|(?:tambem |ainda |ja )*(?:fui|fomos|estou sendo|to sendo|foi|veio) cobrad[oa]s?|cobraram|(?:tambem |ainda )*nao (?:recebi|chegou|caiu|veio) (?:o|a|os|as|meu|minha|meus|minhas|ess[ea]|nem)\b"
    r"|(?:(?:d?o|d?a)s? )?(?:outr[oa]|segund[oa]) (?:pedido|compra|coisa|duvida|assunto|problema|questao|produto)"
    r"|(?:o|a|os|as|meu|minha|meus|minhas|esse|essa) (?:\w+ ){0,4}(?:(?:ainda )?nao (?:chegou|caiu|veio|funciona|serviu|abre|foi)|veio (?:errad|quebrad|com|sem|em|duas)\w*|esta errad[oa]|ta errad[oa]|venceu|sumiu)"
    r"|e (?:o|a|os|as|meu|minha) (?:\w+ ){0,3}(?:cai|volta|chega|sai|fica)\b|(?:o|a) (?:meu |minha )?(?:reembolso|estorno|nota fiscal|boleto|rastreio|rastreamento|troca|devolucao|entrega)\b(?! (?:e|ou) )"
    r"|where|when|how|what|why|which|who|can you|could you|can i|could i|i (?:also )?(?:want|need|would like|was charged|havent|have not|d like)|id (?:also )?like|please|is there|do you|my (?:\w+ ){0,3}(?:is|are|was|were|hasnt|has not|never)\b|the (?:\w+ ){0,3}(?:hasnt|has not|never|isnt|is not)\b)"
)
_MARKERS = r"(?:alias|aproveitando|por falar nisso|outra coisa|outra duvida|mais uma coisa|mais uma duvida|alem disso|ah|by the way|btw|another thing|one more thing|also|e tambem|e outra)"
_JOIN = Pattern(
    rf"(?:\s*,\s*|\s+)(?:(?:e|mas|and|but|so que|porem|alem de que|ah)\s+)(?={_OPENS})|\s*,\s*(?={_OPENS}|{_MARKERS}\b)|\s+(?={_MARKERS}\b[ ,:])"
)
# "quero saber quando chega": the question belongs to the verb before it.
_GOVERNS = Pattern(
    r"\b(?:saber|sei|entender|entendi|dizer|diga|diz|ver|vejo|informar|confirmar|perguntar|explicar|know|tell me|see|understand|wondering|e|se|que|de|pra|para|com|to|that)$"
)
# "paguei no cartão" tells, "paguei duas vezes" complains.
_TELLS = Pattern(
    r"(?:(?:oi|ola|e|entao|bom|ai|dai|eu|ja|nos|semana passada|ontem|hoje|mes passado|dia \d+|no dia \d+|tambem|and|so|then) )*(?:comprei|paguei|pago|fiz|pedi|parcelei|recebi|usei|abri|moro|trabalho|sou|era|estava|foi|fui (?!cobrad)|escolhi|passei|coloquei|mandei|enviei|postei|liguei|falei|vi|achei|queria ter|tenho|minha|i (?:bought|paid|ordered|live|am|used|got|chose|sent|called))\b"
)
_COMPLAINS = Pattern(
    r"\b(?:duas vezes|2 vezes|2x|em dobro|dobrado|a mais|errad[oa]s?|nao|nunca|cade|quero|preciso|venceu|sumiu|quebrad\w+|defeito|rasgad\w+|atrasad\w+|ainda|twice|wrong|not|never|hasnt|havent|didnt|want|need|missing|broken)\b"
)


def split_clauses(message: str) -> tuple[str, ...]:
    """Split a message into sentences and co-ordinated clauses that can stand alone, at most six; () if it is blank.

    "tênis e meia" and "caiu e quebrou" stay whole: a clause starts only where a request or a question does. What is
    courtesy or a single word goes with its neighbour; what is beyond the sixth goes with the sixth.
    """
    shown = visible(message).strip()
    if not shown:
        return ()
    pieces = [clause for sentence in _sentences(shown) for clause in _clauses(sentence)]
    merged = _merge_small(pieces)
    if len(merged) > MAX_CLAUSES:
        merged = [*merged[: MAX_CLAUSES - 1], " ".join(merged[MAX_CLAUSES - 1 :])]
    return tuple(merged)


def second_topics(
    clauses: Sequence[tuple[str, Mapping[str, float]]],
    *,
    first: str,
    specialists: Sequence[str],
    thresholds: Thresholds,
    at: datetime,
) -> tuple[OpenTopic, ...]:
    """Return the subjects that belong to specialists other than `first`, in the message's order, one per specialist.

    A clause counts if its top is another specialist at p ≥ tau_switch with the margin. What only tells the story of the
    first ("paguei no cartão em 3x") is no subject of its own.
    """
    found: dict[str, list[str]] = {}
    for text, probabilities in clauses:
        target = _clear_winner(probabilities, thresholds)
        if target is not None and target in specialists and target != first and not _only_tells(text):
            found.setdefault(target, []).append(text)
    return tuple(OpenTopic(text=" ".join(texts), target=target, at=at) for target, texts in found.items())


def _only_tells(clause: str) -> bool:
    said = normalise(clause)
    return "?" not in clause and _TELLS.match(said) is not None and _COMPLAINS.search(said) is None


def _clear_winner(probabilities: Mapping[str, float], thresholds: Thresholds) -> str | None:
    ranked = sorted(probabilities, key=lambda option: -probabilities[option])
    if not ranked:
        return None
    top = ranked[0]
    margin = probabilities[top] - max((probabilities[option] for option in ranked[1:]), default=0.0)
    enough = probabilities[top] >= thresholds.to_switch(top) and margin >= thresholds.margin_min
    return top if enough else None


def _sentences(text: str) -> list[str]:
    sentences: list[str] = []
    for piece in _SENTENCE.split(text):
        piece = piece.strip()
        if sentences and _ABBREVIATION.search(sentences[-1]):
            sentences[-1] = f"{sentences[-1]} {piece}"
        elif piece:
            sentences.append(piece)
    return sentences


def _clauses(sentence: str) -> list[str]:
    """Cut a sentence where a joining word is followed by a request, if what stands before it can stand alone."""
    folded = fold(sentence)
    if len(folded) != len(sentence):
        # Folding changed a length (a ligature, a sharp s): the folded words are as good for a decision.
        sentence = folded
    cuts: list[str] = []
    start = 0
    for match in _JOIN.finditer(folded):
        before = normalise(folded[start : match.start()])
        if len(before.split()) < _MIN_WORDS or _GOVERNS.search(before) or plain_courtesy(before):
            continue
        cuts.append(sentence[start : match.start()].strip(" ,"))
        start = match.end()
    cuts.append(sentence[start:].strip(" ,"))
    return [cut for cut in cuts if cut]


def _merge_small(pieces: list[str]) -> list[str]:
    """Join a single word or a courtesy to the clause after it, or to the one before where it is the last."""
    merged: list[str] = []
    waiting = ""
    for piece in pieces:
        whole = f"{waiting} {piece}".strip()
        small = len(normalise(piece).split()) < _MIN_WORDS or plain_courtesy(piece) is not None
        if small:
            waiting = whole
            continue
        merged.append(whole)
        waiting = ""
    if waiting and merged:
        merged[-1] = f"{merged[-1]} {waiting}"
    elif waiting:
        merged.append(waiting)
    return merged
