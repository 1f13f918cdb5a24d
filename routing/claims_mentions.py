"""When "seu reembolso" is spoken of with no word of doubt, denial, condition or waiting anywhere around it."""

from routing.claims_endings import harmless
from routing.claims_sentence import Sentence
from routing.claims_words import ARTICLES_AND_OWN, listed
from routing.pattern import Pattern

_YOURS = listed("seu sua teu tua your ur")
_LINKS = listed(
    "for of about to with on from by and or in into de do da no na ao em com sobre por pelo pela para pra pro e ou sem entre"
)
_IS = listed(
    "e sao foi foram esta estao ta fica ficou sera consta aparece segue continua is are was were s re be been being"
)
# Words that may make what is said of it no announcement.
_SOFT = listed(
    "? n't nao n nem nunca nada ninguem sem jamais not t no never nobody nothing none without neither cannot se caso quando assim depois apos antes"
    " enquanto ate uma um if when once after before until unless while whether can could may might must should would talvez perhaps maybe geral"
    " normalmente geralmente usually normally typically pendente pending sobre quanto assunto motivo politica regra prazo about reason policy"
    " rule disse contou falou mencionou said told mentioned so apenas somente only cada todo qualquer a an each every any para pra to tenta try"
    " tried failed falhou espero hope for por de qual que problema issue question which how como"
)
_SOFT_STEM = Pattern(
    r"pod(?:e|ia)|poss|consig|precis|dev(?:e|em|ia|eria)$|quer|gostaria|prefer|need|want|costuma|analis|review|aguard|depend|wait|conferenc|falta"
    r"|seria|recus|declin|refus|nenhum|entend|imagin|sei$|explic|ver(?:ific|$)|vejo|olh|consult|acompanh|check|look|see$|find|explain"
)


def given_away(sentence: Sentence, index: int) -> bool:
    """Tell of a verb with "seu reembolso" for its object, and no word of doubt, denial, condition or waiting around it."""
    first = index - 1
    while first >= 0 and sentence.tokens[first].word in ARTICLES_AND_OWN:
        first -= 1
    if first < 1 or sentence.tokens[first].clause != sentence.tokens[index].clause:
        return False  # its subject is told by its verb, and what begins a sentence is an imperative
    verb = sentence.tokens[first].word
    if verb in _LINKS or verb in _IS or harmless(verb):
        return False
    before = [token.word for token in sentence.tokens[max(0, index - 2) : index]]
    if not set(before[-1:]) & _YOURS and not (before and before[0] in _YOURS and before[-1] not in ARTICLES_AND_OWN):
        return False
    return not any(token.word in _SOFT or _SOFT_STEM.match(token.word) for token in sentence.tokens)
