"""What the encoder is given: text made safe, short, spelt out and free of numbers that mean nothing to it."""

import re
from functools import lru_cache

from routing.providers.local_lexicon import stand_in
from routing.text import fold, visible

MESSAGE_CHARS = 1600
CONTEXT_CHARS = 240
PARTS = 8
_RAW_CHARS = 8000

# Internet abbreviations and what they stand for, matched without accents and case. Only unambiguous ones: "q" and "n"
# never mean anything else between customer and shop.
_ABBREVIATIONS = {
    "vc": "você", "vcs": "vocês", "vce": "você", "oce": "você",
    "q": "que", "qq": "qualquer", "oq": "o que", "oqe": "o que", "n": "não", "nn": "não", "naum": "não", "num": "não",
    "pq": "porque", "pke": "porque", "pfv": "por favor", "pf": "por favor", "pfvr": "por favor", "plmdds": "pelo amor de deus",
    "pls": "por favor", "plz": "por favor", "ta": "está", "tah": "está", "to": "estou", "tô": "estou", "tava": "estava",
    "tao": "estão", "tbm": "também", "tb": "também", "tmb": "também", "nf": "nota fiscal", "nfe": "nota fiscal",
    "kd": "cadê", "kde": "cadê", "cade": "cadê", "qnd": "quando", "qdo": "quando", "qnt": "quanto", "qto": "quanto",
    "qnto": "quanto", "qr": "quer", "qro": "quero", "kero": "quero", "msm": "mesmo", "mto": "muito", "mt": "muito",
    "mta": "muita", "mtu": "muito", "hj": "hoje", "amh": "amanhã", "agr": "agora", "dps": "depois", "cmg": "comigo",
    "ctg": "contigo", "blz": "beleza", "vlw": "valeu", "obg": "obrigado", "obgd": "obrigado", "brigado": "obrigado",
    "brigada": "obrigada", "fzr": "fazer", "fz": "faz", "gnt": "gente", "td": "tudo", "tds": "todos", "nda": "nada",
    "p": "para", "pra": "para", "pro": "para o", "pros": "para os", "pras": "para as", "dnv": "de novo",
    "dnovo": "de novo", "ngm": "ninguém", "alg": "alguém", "sla": "sei lá", "sdds": "saudades", "flw": "falou",
    "bjs": "beijos", "att": "atenciosamente", "eh": "é", "neh": "né", "ne": "né", "aki": "aqui",
    "aq": "aqui", "axo": "acho", "xegou": "chegou", "xega": "chega", "cel": "celular", "tel": "telefone",
    "ped": "pedido", "pdd": "pedido", "cod": "código", "rastreo": "rastreio", "devolve": "devolver",
    "bo": "problema", "zap": "whatsapp", "wpp": "whatsapp", "insta": "instagram", "vdd": "verdade",
    "u": "o", "i": "e", "cum": "com", "otro": "outro", "otra": "outra", "muie": "mulher", "imeio": "e-mail", "imail": "e-mail",
    "ap": "apartamento", "ape": "apartamento", "facul": "faculdade", "pgto": "pagamento", "pagto": "pagamento", "pgt": "pagamento",
    "pgmto": "pagamento", "vlr": "valor", "fds": "fim de semana", "ctz": "certeza", "pobrema": "problema", "memo": "mesmo", "nois": "nós",
    "smp": "sempre", "sqn": "só que não", "slk": "caramba", "pprt": "sério", "fdp": "", "krl": "caramba", "crl": "caramba",
}  # fmt: skip
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
_LAUGHTER = re.compile(r"(?<!\w)(?:k{2,}|(?:ha|he|rs|hua|ua){2,}h?|rs|kk\w{0,3}|aff+e?)(?!\w)", re.IGNORECASE)
_EMAIL = re.compile(r"\S{1,64}@\S{1,64}\.\w{2,}")
_LINK = re.compile(r"(?:https?://|www\.)\S{1,400}", re.IGNORECASE)
_MONEY = re.compile(
    r"R\$\s?\d[\d.,]{0,15}|(?<![\w.])\d[\d.]{0,12}(?:,\d{2})?\s?(?:reais|conto|contos|pila|pau)(?!\w)", re.IGNORECASE
)
_CODE = re.compile(r"(?<!\w)(?=[A-Za-z-]*\d)(?=[\d-]*[A-Za-z])[A-Za-z0-9-]{6,40}(?!\w)")
_LONG_NUMBER = re.compile(r"(?<!\w)[#nN]?[º°]?\s?\d[\d./-]{3,60}\d(?!\w)")
_REPEATED_MARK = re.compile(r"([!?.,…])\1+|([^\w\s])\2{2,}")
_TOKEN = re.compile(r"[^\W_]+")
_ENGLISH = re.compile(
    r"\b(?:the|my|is|are|you|it|i|of|and|for|was|have|please|with|this|that|what|how|when|can|want|need)\b",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_FEWEST = 3
_QUOTED = re.compile(r"[\"“”«»][^\"“”«»]{8,400}[\"“”«»]")
_CLAUSE = re.compile(r"(?<=[.!?;,])\s+")
_BESIDE = re.compile(
    r"^\W*(?:(?:oi|ola|gente|moca?|mas|e|olha|entao)\W+)*(?:(?:nao|n) (?:e|eh) (?:sobre|o|a|por|do|da|por causa|questao)\b|"
    r"(?:nao|n) quero (?:saber|falar|trocar|cancelar|devolver|reembolso|reclamar)|(?:nao|n) se trata|(?:nao|n) estou falando|nada (?:a ver|de)|esquece (?:o|a)\b|"
    r"it'?s not (?:about|the)|this is not about|not about|i don'?t want to (?:know|cancel|return|exchange|talk))|"
    r"(?:esta|ta|estao|tao|foi|ja|chegou|veio) (?:\w+ )?(?:tudo )?(?:certo|certinho|ok|resolvid[oa]|direitinho|perfeit[oa]|otim[oa]|em ordem)\W*$|"
    r"^\W*tudo certo\b"
)
_OPENER = re.compile(
    r"^\W*(?:(?:oi+|oie|ola|opa|salve|eae|e ai|eai|fala|bom dia|boa tarde|boa noite|tudo (?:bem|bom|certo)|td bem|blz|beleza|gente|galera|pessoal|mano|cara|vey|moca|moco|amig[oa]|"
    r"meu (?:filho|bem|querido|amigo)|minha (?:filha|querida|amiga)|querid[oa]|senhor(?:es|a)?|prezad[oa]s?|por favor|por gentileza|socorro|help|me (?:ajuda|ajudem)|"
    r"preciso de (?:uma )?ajuda|(?:pode|podem) me ajudar|obrigad[oa]|valeu|ai|ae|entao|olha|viu|com|de|a|"
    r"hi|hello|hey|there|good (?:morning|afternoon|evening)|please|thanks|thank you)\b\W*)+$"
)
_BREAK = re.compile(
    r"(?<=[.!?…;:])\s+|\s*[,;]\s+|\s+(?=(?:mas|porém|aproveitando|também|ademais|além disso|outra coisa|but|also|by the way)\b)|"
    r"\s+(?:e|i|and)\s+(?=\w+\s+\w)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def folded(text: str) -> str:
    """Return a text or a word folded. A turn's texts are asked for many times, and words come again."""
    return fold(text)


@lru_cache(maxsize=4096)
def spelt_out(text: str, limit: int = MESSAGE_CHARS) -> str:
    """Return text for the encoder: NFKC, one line, at most `limit` characters; abbreviations are written out, goods and
    identifiers replaced by one word each.
    """
    if len(text) > _RAW_CHARS:
        text = f"{text[: _RAW_CHARS // 2]}\n{text[-_RAW_CHARS // 2 :]}"
    clean = visible(text)
    if clean.isupper():
        clean = clean.lower()
    clean = _LINK.sub(" link ", clean)
    clean = _EMAIL.sub(" e-mail ", clean)
    clean = _MONEY.sub(" R$ 100 ", clean)
    clean = _LONG_NUMBER.sub(" 12345 ", clean)
    clean = _CODE.sub(" 12345 ", clean)
    clean = _LAUGHTER.sub(" ", clean)
    clean = _STRETCHED.sub(r"\1", clean)
    clean = _REPEATED_MARK.sub(lambda match: match.group(1) or match.group(2), clean)
    if len(_ENGLISH.findall(clean)) < 2:
        clean = _TOKEN.sub(_expanded, clean)
    clean = _TOKEN.sub(lambda match: stand_in(match.group()) or match.group(), clean)
    clean = _SPACES.sub(" ", clean).strip()
    if len(clean) > limit:
        clean = f"{clean[: limit // 2]} {clean[-limit // 2 :]}"
    return clean


def point(text: str) -> str:
    """Return what a message is about: without quoted words, greetings, and clauses that only say what is not the matter.

    Where nothing else is left, the text as it is.
    """
    plain = _QUOTED.sub(" ", text)
    if len(plain.split()) < _FEWEST:
        plain = text
    clauses = _CLAUSE.split(plain)
    kept = [clause for clause in clauses if not (_BESIDE.search(folded(clause)) or _OPENER.match(folded(clause)))]
    left = _SPACES.sub(" ", " ".join(kept)).strip()
    return left if len(left.split()) >= _FEWEST else _SPACES.sub(" ", plain).strip()


def parts(text: str) -> list[str]:
    """Split a message that is spelt out into sentences and co-ordinated clauses, at most PARTS; one part is []."""
    found: list[str] = []
    for piece in _BREAK.split(text):
        if found and (len(piece.split()) < 2 or len(found[-1].split()) < 2):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece)
    if len(found) > PARTS:
        found = [*found[: PARTS // 2], *found[-(PARTS - PARTS // 2) :]]
    return found if len(found) > 1 else []


def _expanded(match: re.Match[str]) -> str:
    token = match.group()
    if len(token) > 7:
        return token
    return _ABBREVIATIONS.get(folded(token), token)
