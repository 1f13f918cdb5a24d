"""Whom the customer calls by name: "@Trocas", "Financeiro: …", "fala com o financeiro"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from routing.pattern import Pattern
from routing.text import fold, normalise


@dataclass(frozen=True, slots=True)
class Member:
    """One specialist of the roster: its id and what customers may call it (display names in both languages, aliases)."""

    id: str
    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A specialist that was addressed, and the words that were meant for it."""

    target: str
    text: str


_CONTEXT = 120
_MAX_PLACES = 12
_QUOTED = Pattern(r"(?m)^[ \t]*>.*$|\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d|\u00ab[^\u00bb\n]{1,200}\u00bb")
_ADDRESS = Pattern(r"[^\s@]{1,64}@[^\s@.]{1,64}(?:\.[^\s@.]{1,64}){1,6}|\bhttps?://\S+|\bwww\.\S+")
_FIELD = Pattern(r"(?m)^[ \t]*([\w ]{2,30}):[ \t]*\S")
_GREETING = (
    r"(?:(?:oi+|ola|opa|ei|hey|hi|hello|alo|bom dia|boa tarde|boa noite|good (?:morning|afternoon|evening)|por favor|please|pessoal|moc[oa]|entao|ok|gente|obrigad[oa]|valeu|sim|nao|e|eae|e ai)[\s,!.:-]+)*"
    r"(?:(?:pessoal|time|equipe|galera|setor|area|departamento|turma|team) (?:d[eoa]s? )?|the )?(?:o |a )?"
)
_SECTOR = r"(?:(?:alguem |uma pessoa |o pessoal |pessoal |a galera |um especialista |o especialista )(?:d[eoa]s? )?)?(?:(?:o |a )?(?:setor|area|departamento|time|equipe|parte|turma|especialista|chat|team)s? (?:d[eoa]s? )?)?"
_ARTICLE = r"(?:(?:o|a|os|as|d[eoa]s?|the|your) )?"
_WANT = r"(?:quero|queria|preciso|precisava|gostaria de|posso|pode|poderia|podia|da pra|da para|tem como|prefiro|deixa eu|deixa|bora|vamos|vou|favor|me deixa|como (?:eu )?(?:faco|consigo|posso)|want to|need to|would like to|d like to|can i|could i|let me|may i)"
_REQUESTS = (
    rf"(?:\b{_WANT}(?: (?:pra|para|de|eu|agora|por favor|muito|e|so|mesmo|to))* |^|[.,;!?:\n]\s*|\b(?:por favor|e|entao|oi|ola) )(?:falar|conversar|fala|fale|conversa|tratar|resolver(?: isso)?|falo|speak|talk|chat)(?: (?:direto|agora|la|ai|logo|directly))* (?:com|to|with) (?:o |a |os |as |the |your )?{_SECTOR}",
    rf"\b(?:me |nos |isso |isto )?(?:passa|passe|passar|transfere|transfira|transferir|transfer|encaminha|encaminhe|encaminhar|direciona|manda|mande|mandar|joga|pass|forward|send|put|connect|coloca|bota|liga|ligar)(?: (?:me|isso|isto|por favor|pfv|ai|la|logo|a conversa|o chat|this|it|through|over))* (?:pr[oa]s?|para|pra|ao?s?|com|to|with) {_ARTICLE}{_SECTOR}",
    rf"\b(?:chama|chame|chamar|aciona|call|get)(?: (?:ai|la|por favor|pfv|pra mim|me))* {_ARTICLE}{_SECTOR}",
    rf"\b(?:pergunta|pergunte|perguntar|confirma|confirme|ve|veja|verifica|consulta|ask|check)(?: (?:ai|la|isso|por favor|this))* (?:pr[oa]s?|para|pra|ao?|com|with) {_ARTICLE}{_SECTOR}",
    rf"\bask {_ARTICLE}",
    # "isso é com o financeiro", and not the joining word of "falei com trocas e com o suporte".
    r"(?:^\s*(?:e|eh)|\b(?:eh|isso e|isso eh|essa e|esse e|essa pergunta e|minha duvida e|a duvida e|this is|its)) (?:pr[oa]s? |para (?:o |a )?|com (?:o |a )?|for (?:the )?)(?:setor d[eo] )?",
)  # fmt: skip
# Before a request, within its clause: it is not wanted, or it is told and not asked.
_NOT_ASKED = Pattern(
    r"\b(?:nao (?:quero|queria|preciso|precisa|vou|adianta|gostaria|me|pode|e|eh|era|tinha)|nem|nunca|sem|dont|do not|didnt|not|ja|ontem|fui|tentei|consegui|depois de|apos|antes de|ao|mandaram|mandou|pediram|pediu|disseram|disse|falou|quando|last week|yesterday)\b"
)
_TOLD_AFTER = Pattern(r"^ ?(?:ontem|semana passada|anteontem|mes passado|hoje cedo|mais cedo|ja\b|yesterday|last)")
_JOINED = Pattern(r"\b(?:e|and|ou)\s+(?:(?:com|pra|pro|para|to) )?(?:o |a )?$")
# "Trocas, o livro que comprei": the name of a thing.
_THING = r"livros?|jogos?|games?|produtos?|filmes?|cds?|discos?|dvds?|camisas?|camisetas?|revistas?|planners?|cadernos?|agendas?|kits?|quadros?|cursos?|apps?|aplicativos?|tabuleiro|serie|mangas?|hqs?|books?|movies?|albums?|album|modelo|marca|colecao|linha|boneco"
_THING_AFTER = Pattern(
    rf"^\s*[,:(-]*\s*(?:(?:o|a|os|as|um|uma|esse|essa|este|esta|aquele|aquela|meu|minha|the|a|this|my|e|eh|is|nome d[oe])\s+){{1,3}}(?:nome d[oea]s? )?(?:guia|manual|romance|{_THING})\b"
)
# "o financeiro, que me atendeu ontem" is spoken of; "Entrega: Rua das Flores, 35" is a filled field.
_NO_CALL_AFTER = Pattern(
    r"\s*,\s*(?:que (?:me|nao|ja|disse|ia|ficou|prometeu|atende|e|eh)|onde|ontem|segundo|who|which)\b|\s*:\s*(?:r(?:ua)?\b|av(?:enida)?\b|travessa|alameda|estrada|praca|\d|pix\b|cartao\b|boleto\b|(?:sim|nao|ok)\s*$)"
)
_TAIL_END = Pattern(r"\s*[!?.\u2026]*\s*(?:$|\n)")


def addressed(text: str, roster: Sequence[Member]) -> tuple[Mention, ...]:
    """Return the specialists that the message speaks to, in its order, each once.

    The words of a mention are what stands between its name and the next one, or the whole message if nothing does.
    """
    shown = _ADDRESS.sub(_blank, _QUOTED.sub(_blank, fold(text)))
    if _is_form(shown):
        return ()
    everyone = "|".join(_names(member) for member in roster)
    found = sorted(
        {hit for member in roster for hit in _hits(shown, member, everyone)}, key=lambda hit: (hit[0], -hit[1])
    )
    mentions: list[tuple[int, int, str]] = []
    for start, end, target in found:
        inside = any(start < other_end and end > other for other, other_end, _ in mentions)
        if not inside and target not in (known for _, _, known in mentions):
            mentions.append((start, end, target))
    return tuple(
        Mention(
            target=target,
            text=_words_between(shown, text, end, mentions[place + 1][0] if place + 1 < len(mentions) else None),
        )
        for place, (_, end, target) in enumerate(mentions)
    )


def _hits(shown: str, member: Member, everyone: str) -> list[tuple[int, int, str]]:
    """Find every place where the member is spoken to, as (start, end, id)."""
    hits: list[tuple[int, int, str]] = []
    places = re.finditer(rf"(?<![\w@.-])@?(?:{_names(member)})(?![\w@]|-\w)", shown)
    for match in islice(places, _MAX_PLACES):
        before, after = _near(shown, match.start()), shown[match.end() : match.end() + _CONTEXT]
        if match.group().startswith("@") or _is_vocative(before, after) or _is_request(before, after, everyone):
            hits.append((match.start(), match.end(), member.id))
    return hits


def _near(shown: str, start: int) -> str:
    """Return what stands before a name, as far as it matters; a cut beginning is no beginning of a sentence."""
    return shown[:start] if start <= _CONTEXT else "\ufffc " + shown[start - _CONTEXT : start]


def _names(member: Member) -> str:
    spoken = {normalise(name) for name in (member.id, *member.names, *member.aliases)} - {""}
    longest_first = sorted(spoken, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", r"[\s_]+") for name in longest_first)


def _is_vocative(before: str, after: str) -> bool:
    if _THING_AFTER.match(after) or _NO_CALL_AFTER.match(after):
        return False
    sentence = re.split(r"[.!?\n\u2026]", before)[-1] if not before.rstrip().endswith(("!", "?")) else ""
    opens = re.fullmatch(rf"\s*{_GREETING}", sentence) is not None
    if opens and re.match(r"\s*[,:!]|\s+[\u2013\u2014-]\s|\s*\n|\s*$", after):
        return True
    # "Trocas e Financeiro, …": what follows is checked by the second name's own comma.
    if opens and re.match(r"\s+(?:e|and|&)\s+(?:o\s+|a\s+)?[\w ]{3,30}[,:]", after):
        return True
    if re.search(r"^\s*[\w ]{3,30}\s+(?:e|and|&)\s+(?:o\s+|a\s+)?$", sentence) and re.match(r"\s*[,:]", after):
        return True
    return re.search(r",\s*(?:o |pessoal d[eoa]s? |setor d[eoa] )?$", before) is not None and _closes(before, after)


def _closes(before: str, after: str) -> bool:
    # "cadê meu dinheiro, financeiro?" ends with the name; "comprei tênis, meia, trocas" is a list.
    return _TAIL_END.fullmatch(after) is not None and before.count(",") == 1


def _is_request(before: str, after: str, everyone: str) -> bool:
    clause = re.split(r"[.,;!?\n\u2026]|\bmas\b|\bbut\b", before)[-1]
    if _NOT_ASKED.search(clause) or _TOLD_AFTER.match(after):
        return False
    if any(re.search(rf"{pattern}$", clause) for pattern in _REQUESTS):
        return True
    # "fala com trocas e com o financeiro": the second name shares the request of the first.
    head = _JOINED.sub("", clause)
    return head != clause and any(re.search(rf"{pattern}(?:{everyone})\s*$", head) for pattern in _REQUESTS)


def _is_form(shown: str) -> bool:
    """Tell whether the message is a filled form ("Nome: …", "Entrega: …"): its labels are no names."""
    return _FIELD.count(shown) >= 3


def _words_between(shown: str, text: str, start: int, end: int | None) -> str:
    # Folding may change lengths (ligatures, stripped characters): then the folded words are what is left to show.
    source = text if len(shown) == len(text) else shown
    piece = source[start:end].strip(" \t\n,:;.!?-\u2013\u2014@&")
    piece = re.sub(r"\s+(?:e|and)(?:\s+(?:com|pra|para|o|a))*$", "", piece)
    return piece if sum(len(word) > 3 for word in piece.split()) >= 2 else text.strip()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
