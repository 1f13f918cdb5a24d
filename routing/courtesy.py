"""Courtesy alone: a greeting, thanks, a goodbye or an acknowledgement, and nothing that asks for an answer."""

import re
from functools import cache
from typing import Literal

from routing.pattern import Pattern
from routing.text import normalise, visible

Courtesy = Literal["greeting", "thanks", "goodbye", "acknowledgement"]

# Patterns over normalised text (no accents, no punctuation, no case). The longest one that fits is taken each time.
_PHRASES: dict[Courtesy, tuple[str, ...]] = {
    "goodbye": (
        r"(?:tchau|xau|tchauzinho)(?: tchau)?", "ate (?:mais|logo|breve|amanha|a proxima|mais tarde|depois)", "adeus", "flw", "falou", "fui",
        r"(?:um )?(?:abraco|abracos|abs|bjs?|bjos?|beijos?|beijinhos?)", r"fi(?:ca|que) com deus", "boa semana", "otima semana",
        r"(?:que )?(?:tenha|tenham|desejo)(?: voce)? (?:um |uma )?(?:otim[oa]|bo[am]|bom|excelente|lind[oa]) (?:dia|tarde|noite|semana|fim de semana|fds|final de semana)",
        r"(?:um )?(?:bom|otimo) (?:fim de semana|fds|final de semana|domingo|sabado|feriado|trabalho|descanso)",
        r"(?:(?:era|e|foi) )?(?:so|somente|apenas) isso(?: mesmo)?", r"por (?:hoje|enquanto|agora) (?:e|era) (?:so|so isso|isso)",
        r"nao preciso de mais nada", "mais nada", "nada mais", "encerrar(?: aqui)?", "pode encerrar",
        "bye(?: bye)?", "goodbye", r"see (?:you|ya)(?: later| soon)?", "take care", r"have a (?:nice|good|great|lovely) (?:day|one|evening|weekend|night)",
        "good night", r"that(?: i)?s (?:all|it)", r"that will be all", "cya", "nothing else",
    ),
    "thanks": (
        r"(?:muit(?:o|issimo|issima) )?(?:obrigad(?:[oa]s?|inh[oa]|ao|issim[oa])|brigad(?:[oa]|inh[oa]|ao)|brigadu|obg|obgd|obgda|obgdo|grat[oa])",
        r"pel[ao]s? (?:ajuda|atencao|retorno|paciencia|informacao|informacoes|info|atendimento|resposta|gentileza|rapidez)", r"por (?:tudo|isso|me ajudar|me atender|responder)",
        r"(?:muito )?agradecid[oa]", r"agradeco(?: (?:a|pela) (?:ajuda|atencao))?", r"valeu+(?: mesmo| demais)?", "vlw", "vlws", "tmj", "tamo junto",
        r"deus (?:te|lhe|os) (?:abencoe|pague)", r"(?:voce|vc) e (?:um |uma )?(?:anjo|amor|querid[oa]|show|otim[oa]|demais)", r"(?:me )?ajudou (?:muito|demais|bastante)",
        r"(?:thank you|thanks|thank u|thx|ty|tks|cheers)(?: (?:so much|very much|a lot|a bunch|a million|again))?", r"for (?:all )?(?:the|your) help", "for everything", "many thanks",
        r"(?:i )?(?:really )?appreciate it", r"you (?:have been|were|ve been) (?:so |very |really )?helpful",
    ),
    "greeting": (
        "oi", "oie", "oi oi", "oii", "oiie", r"oinh[oa]", "ola", "opa", "eae", "e ae", "e ai", "eai", "iae", "iai", "alo", "salve", "fala(?: ai| ae)?", "hey", "ei",
        r"b(?:om)? dia+", "boa tarde", "boa noite", "bdia", "prazer", "buenas",
        r"(?:e )?(?:ta |esta )?(?:tudo|td) (?:bem|bom|certo|joia|tranquilo|beleza|otimo|blz)(?: (?:com|por) (?:voce|vc|voces|vcs|ai))?(?: ai| contigo)?", "tdb", "tudo em ordem",
        r"como (?:vai|vao|esta|estao|tem passado)(?: (?:voce|vc|voces|vcs|as coisas|tudo))?", r"como (?:voce|vc|voces|vcs) (?:esta|ta|vai|vao|estao|tao)",
        r"(?:tem |ha )?alguem (?:ai|aqui|aki|online|on)", "tem alguem",
        "hi", "hello", "hiya", "howdy", "good (?:morning|afternoon|evening)", r"whats up", "sup", r"how are (?:you|u)(?: doing)?(?: today)?", r"how(?: i)?s it going",
        r"(?:is )?any(?:one|body) (?:there|here)", "greetings",
    ),
    "acknowledgement": (
        "ok", "okay", "okey", "oks", "okok", "certo", "certinho", "ta", "tah", r"(?:ta|esta|tudo) (?:bom|bem|certo|ok|otimo|joia|certinho)", "blz", "beleza", "belezinha",
        "entendi", "entendid[oa]", "ta entendido", "compreendi", "compreendo", r"ah (?:sim|ta|entendi|ok|legal|bom|certo|ta bom)", "saquei", "joia", "perfeito", r"show(?: de bola)?",
        "otimo", "maravilha", "legal", "massa", "bacana", "combinado", "fechado", "sei", "hum", "hm", "hmm", "humm", "aham", "uhum", "tranquilo", "de boa", "suave", "top", "excelente",
        r"que (?:bom|otimo|legal|alivio)", "bom saber", "ciente", "anotado", "sem problemas?", r"(?:fico )?no aguardo", r"(?:vou )?(?:aguardar|esperar)", "aguardo", "aguardando",
        "rs", "rsrs", "rsrsrs", "k", "kk", r"(?:ha){2,}h?", r"(?:he){2,}", "lol",
        "got it", "i see", "understood", "alright", "all right", "great", "perfect", "cool", "nice", "sounds good", "good to know", "sure thing", "noted", "makes sense",
        "fine", "no problem", "awesome",
    ),
}  # fmt: skip
# Words that dress a courtesy and change nothing in it.
_FILLER_WORDS = """
e ai ae entao mesmo demais muito viu hein ne gente pessoal galera amigo amiga querido querida moco moca senhor senhora sr sra
linda lindo meu minha bem anjo flor equipe time a o todos todas voce voces vc vcs por enquanto ate com deus tambem tb tbm
igualmente de novo novamente mais uma vez eu ja boa agora pra para
you guys there all team again and so then well much everyone sir madam mate for now too oh ah the my friend
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_RANK: tuple[Courtesy, ...] = ("goodbye", "thanks", "greeting", "acknowledgement")
_MAX_WORDS = 24
# "e aí?" or "só isso?" is a question; "tudo bem?" and "alô?" are greetings.
_ASKING_GREETINGS = frozenset({"e ai", "eai", "iai", "ta", "fala"})

_THUMBS = Pattern("[\U0001f44d\U0001f44c\u2705]")
_HEARTS = Pattern(
    "[\u2764\u2665\U0001f64f\U0001f970\U0001f618\U0001f60d\U0001f917\U0001f499-\U0001f49c\U0001f90d\U0001f5a4\U0001f495\U0001f496]"
)
_WAVE = Pattern("\U0001f44b")


def read_courtesy(text: str) -> Courtesy | None:
    """Return the kind of a message that is courtesy and nothing else: goodbye before thanks before greeting."""
    rest = normalise(text)
    if not rest:
        return _emoji_alone(text)
    if rest.count(" ") >= _MAX_WORDS:
        return None
    found = _kinds(rest)
    kind: Courtesy | None = next((kind for kind in _RANK if found is not None and kind in found), None)
    if "?" in text and (kind != "greeting" or rest in _ASKING_GREETINGS):
        return None
    return kind


def _kinds(rest: str) -> set[Courtesy] | None:
    """Return the kinds that cover the whole text, or None if a word is left that is no courtesy."""
    found: set[Courtesy] = set()
    while rest:
        length, kind = _longest(rest)
        word = rest.partition(" ")[0]
        if kind is not None:
            found.add(kind)
        elif word in _FILLERS:
            length = len(word)
        else:
            return None
        rest = rest[length:].lstrip()
    return found


def _longest(rest: str) -> tuple[int, Courtesy | None]:
    """Return the length and kind of the longest courtesy that the text begins with."""
    best: tuple[int, Courtesy | None] = (0, None)
    for kind, pattern in _patterns():
        match = pattern.match(rest)
        if match is not None and match.end() > best[0]:
            best = (match.end(), kind)
    return best


@cache
def _patterns() -> tuple[tuple[Courtesy, re.Pattern[str]], ...]:
    # Compiled at the first message, not at import.
    return tuple((kind, re.compile(rf"(?:{phrase})(?= |$)")) for kind in _RANK for phrase in _PHRASES[kind])


def _emoji_alone(text: str) -> Courtesy | None:
    shown = visible(text)
    if _HEARTS.search(shown):
        return "thanks"
    if _WAVE.search(shown):
        return "greeting"
    return "acknowledgement" if _THUMBS.search(shown) else None
