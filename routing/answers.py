"""Bare answers: a yes, a no, "yes, but", and identifiers that stand alone, in Portuguese and English."""

import re
from functools import cache
from typing import Literal

from routing.pattern import Pattern
from routing.text import fold, normalise, words

YesNo = Literal["yes", "no", "amended"]
Identifier = Literal["order", "tracking", "email", "cep", "document", "phone", "number"]

# Longest first within a list does not matter: the longest phrase that fits is taken.
_FIRM_YES = (
    "s", "ss", "sim", "sim sim", "siim", "simm", "sin", "isso", "isso mesmo", "isso ai", "exato", "exatamente", "claro", "claro que sim", "com certeza", "certeza", "logico", "obvio", "sem duvida",
    "pode", "podem", "pode sim", "pode ser", "pode ser sim", "pode ir", "manda ver", "manda bala", "vai fundo", "bora", "pode mandar ver", "confirmo", "confirmado", "confirmada", "confirma", "correto", "correta",
    "ta certo", "esta certo", "esta correto", "ta correto", "ta certinho", "quero sim", "aceito", "concordo", "de acordo", "estou de acordo", "to de acordo", "autorizo", "autorizado", "positivo", "afirmativo", "faz isso", "faca isso", "e isso", "e isso mesmo",
    "isso e", "e sim", "esse mesmo", "essa mesmo", "essa mesma", "por favor sim", "sim por favor", "demorou", "fechou", "partiu", "dale", "ja e", "siga em frente", "segue em frente", "com toda certeza", "acho otimo",
    "yes", "yes please", "yep", "yeah", "yup", "ya", "sure", "of course", "go ahead", "go for it", "please do", "do it", "correct", "thats right", "thats correct", "confirm", "confirmed", "i confirm", "approved", "definitely",
    "absolutely", "i agree", "agreed", "lets do it", "you can", "you may", "y",
)  # fmt: skip
# A yes only if nothing else follows that is not covered: "vai", "quero" also begin sentences of their own.
_SHORT_YES = (
    "quero",
    "vai",
    "e",
    "eh",
    "por favor",
    "pfv",
    "please",
    "right",
    "agora",
    "i do",
    "i want it",
    "queria",
    "gostaria",
    "desejo",
)
_WEAK_YES = (
    "ok", "okay", "okey", "oks", "certo", "certinho", "ta", "ta bom", "esta bom", "tudo bem", "tudo certo", "ta ok", "blz", "beleza", "aham", "uhum", "joia", "perfeito", "otimo", "show", "combinado", "fechado", "legal", "tranquilo",
    "sem problema", "sem problemas", "de boa", "por mim", "por mim ok", "tudo bem por mim", "thumbup", "alright", "all right", "fine", "sounds good", "great", "cool", "perfect", "opa", "ah ta", "ah sim",
)  # fmt: skip
_GO = (
    "abrir|abre|abra|abri|fazer|faz|faca|seguir|segue|siga|prosseguir|prossegue|prossiga|continuar|continua|continue|mandar|manda|mande|registrar|registra|registre|confirmar|confirme|executar|executa|proceder|proceda|ir"
    "|solicitar|solicita|providenciar|providencia|resolver|resolve|finalizar|finaliza|criar|cria|gerar|gera|dar|andamento|continuidade|entrada|frente|adiante|proceed|open|submit|continue|create|file"
)  # fmt: skip
_NOT_ALONE = frozenset(("ir", "dar", "andamento", "continuidade", "entrada", "frente", "adiante"))
_COVERED_WORDS = """
por favor pfv pf pls please pra para mim ja agora ai ae logo entao viu ne eh obrigado obrigada obg brigada brigado valeu vlw thanks thank you
isso esse essa este esta isto mesmo mesma o a os as do da dos das de no na pro em ao um uma meu minha seu sua eu te me vc voce voces moca moco senhor senhora
tudo certo certinho bom dia boa tarde noite oi ola rs rsrs k kk kkk haha gente amigo amiga querida querido sim pode quero gostaria e ele ela lo la que
chamado ticket protocolo solicitacao atendimento processo com certeza thumbup it that the this for me my yes to ahead do now nisso aqui pedido
"""
_COVERED = frozenset(_COVERED_WORDS.split())
_ADVERSATIVE = r"\b(?:mas|porem|so que|so se|contudo|entretanto|exceto|menos|na verdade|em vez|ao inves|antes|primeiro|desde que|se (?:nao|for|der|puder)|caso|but|except|instead|only|first|however|as long as|unless|if|though)\b"
_ADDITIVE = r"^(?:e|alias|aproveitando|aproveita|tambem|ah|outra coisa|outra duvida|alem disso|mais uma coisa|e tambem|agora|and|also|by the way|btw|another thing|one more thing)\b"

_NO = (
    r"nao nao|nop|nope|nah|negativo|nunca|jamais|nem pensar|de jeito nenhum|de (?:forma|maneira) (?:alguma|nenhuma)|nada disso|nem a pau|thumbdown|nao mesmo|nao senhora?|que nao"
    r"|(?:isso|melhor|prefiro|acho que|agora|ainda|hoje|claro que|ah|entao|quero|precisa|preciso|pode|ta|obrigad[oa]|ja falei que|ja disse que|eu disse que|por enquanto|pensando bem|sim senhora? ja falei que) nao"
    r"|(?:melhor )?(?:deixa|deixe)(?: (?:pra la|para la|quieto|assim|disso|isso|ai|como esta|como ta|para depois|pra depois|estar|isso pra la))?|esquec[ea](?: isso)?|desist[ioe]|mudei de ideia|pera|perai|pera ai|espera(?: ai| um pouco| um pouquinho)?|espere|calma(?: ai)?"
    r"|para|pare|para tudo|para com isso|opa calma|(?:so )?um (?:momento|minuto|instante|minutinho|momentinho)|nao (?:pode|quero|precisa|preciso|faz|faca|faz isso|faca isso|mexe|mexe nisso|confirmo|autorizo|aceito|concordo|e isso|era isso|e isso nao|manda|abre|abra|vai|esta certo|ta certo|esta correto|ta correto|e esse|e essa|por favor|agora|ainda)"
    r"(?: (?:mais|isso|nada|nao|obg|ainda|agora|obrigad[oa]|mesmo|que (?:abra|faca|cancele|troque|mude)))*"
    r"|no (?:thanks|thank you|way|need|dont|please dont|not (?:now|yet))|not (?:now|yet|really|that)|never ?mind|nvm|forget it|wait(?: a (?:minute|second|moment|sec))?|hold on|stop(?: it)?|please dont|dont(?: do (?:it|that|this))?|do not(?: do (?:it|that))?|i (?:changed my mind|dont want (?:that|it|to))|cancel that|absolutely not|of course not"
    # The bare word last: alternatives are tried in order.
    r"|n|nn|nao|naum|no|nem|nops"
)
_HARMLESS_NOT = Pattern(
    r"\b(?:nao (?:tem|ha|vejo|vai ter) (?:nenhum )?problema|nao tenho duvidas?|por ?que nao|pq nao|why not|nao me importo|nao ligo|not a problem|no problem|i dont mind|nao precisa confirmar)\b"
)
_CLAUSE = Pattern(r"[.,;:!?\n\u2026]+|\s[-\u2013\u2014]\s")
_QUOTED_LINE = Pattern(r"(?m)^\s*>.*$")
_MAX_WORDS = 25
_DRESS = r"(?:(?:ai|ah|oi|olha|entao|moc[oa]|gente|por favor|pfv|hum|opa|well|oh|um|eu|por enquanto|(?:muito )?obrigad[oa]|obg|valeu|thanks) )*"


def read_answer(text: str, *, about: str = "", weak_counts: bool = True) -> YesNo | None:
    """Read a message as the answer to "shall I?": yes, no, a yes with a condition ("amended"), or None for anything else.

    `about` is the proposed action in words: a yes may restate them ("sim, pode cancelar o 10431") and name nothing else.
    `weak_counts` is False where our last message also explained something: then "ok" and 👍 may mean just "understood".
    """
    shown = re.sub("[\U0001f44d\U0001f44c\u2705]", " thumbup ", _QUOTED_LINE.sub("", text))
    shown = re.sub("[\U0001f44e\u274c]", " thumbdown ", shown)
    clauses = [clause for part in _CLAUSE.split(fold(shown)) if (clause := normalise(part))]
    if not clauses:
        return None
    rest, kind = _after_yes(" ".join(clauses), about)
    while kind == "firm" and (more := _after_yes(rest, about))[1] == "firm":  # "isso, manda ver"
        rest = more[0]
    if _says_no(clauses, about, after_yes=kind is not None):
        return "no"
    if kind is None:
        return None
    return _weigh(rest, kind, about=about, weak_counts=weak_counts, asks="?" in text)


def is_bare_answer(text: str) -> bool:
    """Tell whether the message is a yes or a no and nothing more: "não, quero trocar" says something of its own."""
    answer = read_answer(text)
    if answer != "no":
        return answer == "yes"
    if "?" in text:
        return False
    rest = normalise(re.sub("[\U0001f44e\u274c]", " thumbdown ", text))
    while rest:
        match = _no_pattern().match(rest)
        word = rest.split(" ", 1)[0]
        if match is None and word not in _COVERED:
            return False
        rest = rest[match.end() if match else len(word) :].strip()
    return True


def bare_identifier(text: str) -> Identifier | None:
    """Return the kind of a message that is an identifier and nothing else, with words like "meu CEP é" around it."""
    shown = _LEAD.sub("", fold(text).strip()).strip(" .!;,")
    for kind, pattern in _IDENTIFIERS:
        if pattern.fullmatch(shown):
            return kind
    return None


def covered_by(token: str, spoken: frozenset[str]) -> bool:
    """Tell whether a word restates one of `spoken`: equal, or the same stem ("cancela" for "cancelamento")."""
    if token in spoken:
        return True
    if not token.isalpha() or len(token) < 4:
        return False
    return any(_same_stem(token, word) for word in spoken if word.isalpha() and len(word) >= 4)


def _weigh(rest: str, kind: str, *, about: str, weak_counts: bool, asks: bool) -> YesNo | None:
    spoken = frozenset(words(about))
    rest = _HARMLESS_NOT.sub(" ", rest)
    tokens = rest.split()
    left = [token for token in tokens if not (token in _COVERED or token in _go_words() or covered_by(token, spoken))]
    if re.search(_ADVERSATIVE, rest):
        return "amended"
    if asks or len(tokens) > _MAX_WORDS:
        return None
    if not left:
        firm_later = any(token in {"sim", "pode", "yes", "confirmo"} or token in _go_words() for token in tokens)
        return "yes" if kind != "weak" or weak_counts or firm_later else None
    if re.match(_ADDITIVE, rest) or kind != "firm":
        return None
    return "amended"


def _says_no(clauses: list[str], about: str, *, after_yes: bool) -> bool:
    spoken = frozenset(words(about))
    bare = _no_pattern()
    for position, clause in enumerate(clauses):
        match = bare.match(clause)
        if match is None:
            continue
        left = [
            token for token in clause[match.end() :].split() if token not in _COVERED and not covered_by(token, spoken)
        ]
        if not left and (
            match["core"] not in {"n", "nao", "no", "nn", "nem"}
            or position == 0
            or after_yes
            or clause != match["core"]
        ):
            return True
        # "não espera": a hold right after the no, without the comma.
        if bare.match(" ".join(left)) and len(left) <= 3:
            return True
    joined = _HARMLESS_NOT.sub(" ", " ".join(clauses))
    if after_yes and re.search(r"\b(?:que|isso|pode|quero) nao$", joined):
        return True
    calls_off = re.match(r"(?:pode )?cancela(?:r)?(?: (?:isso|tudo|entao|ai|essa?))*$", joined)
    return calls_off is not None and not covered_by("cancelar", spoken)


def _after_yes(joined: str, about: str) -> tuple[str, str | None]:
    """Return what follows the longest yes that the text begins with, and that yes's kind (firm, short or weak)."""
    joined = re.sub(rf"^{_DRESS}", "", joined)
    best: tuple[int, str | None] = (0, None)
    for kind, phrases in (("firm", _FIRM_YES), ("short", _SHORT_YES), ("weak", _WEAK_YES)):
        for phrase in phrases:
            if (joined == phrase or joined.startswith(phrase + " ")) and len(phrase) > best[0]:
                best = (len(phrase), kind)
    first = joined.split(" ", 1)[0] if joined else ""
    proposed = frozenset(words(about)[:1])
    if best[1] is None and (first in _go_words() - _NOT_ALONE or covered_by(first, proposed)):
        best = (len(first), "short")
    if best[1] == "firm" and joined.startswith("pode ser que"):
        return joined, None
    return joined[best[0] :].strip(), best[1]


def _same_stem(token: str, word: str) -> bool:
    size = min(5, len(token), len(word))
    return token[:size] == word[:size]


@cache
def _go_words() -> frozenset[str]:
    return frozenset(_GO.split("|"))


@cache
def _no_pattern() -> Pattern:
    return Pattern(rf"{_DRESS}(?P<core>{_NO})(?= |$)")


_LEAD = Pattern(
    r"^(?:(?:e-?mail|oi|ola|sim|ok|entao|segue|aqui esta|ta aqui|e|eh|o|a|os|as|do|da|meu|minha|seu|numero|num|no|n|nr|nº|n°|cod|codigo|de|rastreio|rastreamento|pedido|pedidos|cep|cpf|cnpj|telefone|celular|esse|este|aqui"
    r"|it'?s|is|its|order|orders|number|the|my|tracking|code|zip|phone|for|hi|yes)\b[\s:.,#-]*)+|^#\s*"
)
_IDENTIFIERS: tuple[tuple[Identifier, Pattern], ...] = (
    ("email", Pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("cep", Pattern(r"\d{5}-\d{3}|\d{2}\.\d{3}-\d{3}")),
    ("document", Pattern(r"\d{3}\.\d{3}\.\d{3}-?\d{2}|\d{9}-\d{2}|\d{2}\.\d{3}\.\d{3}/\d{4}-?\d{2}|\d{14}")),
    ("phone", Pattern(r"(?:\+?55[\s-]?)?\(?\d{2}\)?[\s-]?9?\s?\d{4}[\s-]?\d{4}")),
    ("tracking", Pattern(r"[a-z]{2}\s?\d{9}\s?[a-z]{2}|(?=[a-z0-9-]*[a-z])(?=(?:[a-z-]*\d){4})[a-z0-9-]{8,30}")),
    ("order", Pattern(r"#?\s?\d{3,12}(?:\s*(?:,|e|and|/)\s*#?\d{3,12}){0,4}")),
    ("number", Pattern(r"\d{1,2}")),
)
