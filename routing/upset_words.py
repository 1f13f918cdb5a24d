"""Whether a customer sounds upset: who waits for a person and is angry is seen first. A hint for an order, never a route."""

from routing.pattern import Pattern
from routing.text import normalise, visible

_ANGRY = Pattern(
    r"\b(?:absurdo|palhacada|descaso|falta de respeito|desrespeito|vergonha|vergonhos[oa]|ridicul[oa]|pessim[oa]|horrivel|inaceitavel|lamentavel|decepcionad[oa]"
    r"|indignad[oa]|revoltad[oa]|furios[oa]|irritad[oa]|put[oa] da vida|estou put[oa]|com raiva|que raiva|cansei|cansad[oa] de esperar|nao aguento mais|de saco cheio"
    r"|incompetentes?|imprestave(?:l|is)|nao prestam?|nao presta|ninguem resolve|um lixo|palhaca|nunca mais compro|pior (?:loja|atendimento|empresa)|enrolando|enrolacao|enganad[oa]|reclame ?aqui|procon"
    r"|(?:terceira|quarta|quinta|decima) vez|ha (?:dias|semanas|meses) (?:esperando|tentando)"
    r"|angry|furious|ridiculous|unacceptable|outrageous|disgusting|terrible service|worst|fed up|sick of|never buying)\b"
)
_SHOUTED = 12


def sounds_upset(text: str) -> bool:
    """Tell whether a message sounds upset: by its words, or because most of it is shouted."""
    if _ANGRY.search(normalise(text)):
        return True
    letters = [char for char in visible(text) if char.isalpha()]
    return len(letters) >= _SHOUTED and sum(char.isupper() for char in letters) > 0.8 * len(letters)
