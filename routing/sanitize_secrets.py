"""Security codes and passwords in a customer's words: found by how people name them, in figures and in words."""

import re

from routing.pattern import Pattern

CVV_TEXT = "[CVV removido]"
PASSWORD_TEXT = "[senha removida]"
_CUT_MARK = "[\u2026"

_UNITS = r"zero|h?um|uma|dois|duas|tr[êe]s|quatro|cinco|seis|meia|sete|oito|nove|oh|one|two|three|four|five|six|seven|eight|nine"
_TENS = (
    r"dez|onze|doze|treze|quatorze|catorze|quinze|dezesseis|dezessete|dezoito|dezenove|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa"
    r"|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety"
)
_HUNDREDS = r"cento|duzentos|trezentos|quatrocentos|quinhentos|seiscentos|setecentos|oitocentos|novecentos|hundred"
_BETWEEN = r"(?:[\s,.;/_*\-\u2013]{1,4}(?:(?:e|and)\s{1,3})?)"
_SPOKEN = rf"(?:{_HUNDREDS}|{_TENS}|{_UNITS}|\d)(?:{_BETWEEN}(?:{_HUNDREDS}|{_TENS}|{_UNITS}|\d)){{1,7}}(?!\w)"
_SPOKEN_WORD = Pattern(r"\d|[^\W\d_]+")
_HUNDRED = Pattern(rf"(?i)\b(?:{_HUNDREDS})\b")
_FIGURES = r"\d(?:[\s.,/_*\-]{1,3}\d|\d){2,3}(?!\d)"

_SEPARATED = r"[\s:=\u00e9e#*\-\u2013>]*"
_CVV_NAME = (
    r"(?:c[óo]d(?:igo|\.)?\s*(?:de\s*)?(?:seguran[çc]a|seg\b|verifica[çc][ãa]o|verificador)\.?(?:\s*do\s*(?:meu\s*)?cart[ãa]o)?"
    r"|cvv2?|cvc2?|cvn|csc|cid do cart[ãa]o|security\s*code|card\s*verification\s*(?:code|value)"
    r"|(?:os\s*)?(?:3|tr[êe]s|4|quatro)\s*(?:n[úu]meros|d[íi]gitos)\s*(?:de\s*)?(?:a?tr[áa]s|do verso)(?:\s*do\s*(?:meu\s*)?cart[ãa]o)?"
    r"|(?:the\s*)?(?:3|three|4|four)\s*(?:digits|numbers)\s*(?:on|at)\s*the\s*back)"
)
_IS = r"(?:do|da|dele|dela|is|are|s[ãa]o|[ée]|[ée]\s+o|eh|era|seria|fica|meu|my|the|cart[ãa]o|atr[áa]s|verso|n[úu]mero|number|card)"
_CVV_LEAD = rf"(?<!\w)({_CVV_NAME}(?:\s*\([^)\n]{{1,20}}\))?(?:[\s,]+{_IS}\b)*{_SEPARATED})"
_CVV = Pattern(rf"(?i){_CVV_LEAD}({_FIGURES})")
_CVV_SPOKEN = Pattern(rf"(?i){_CVV_LEAD}({_SPOKEN})")
_LINK = r"\s*[,-]?\s*(?:(?:esse|este|isso|that)\s+)?(?:[ée]|eh|is|s[ãa]o|are)\s+(?:os?\s+|meu\s+|the\s+|my\s+)*"
_CVV_AFTER = Pattern(rf"(?i)(?<![\d\w-])(\d{{3,4}})({_LINK}{_CVV_NAME})(?!\w)")
_CVV_SPOKEN_AFTER = Pattern(rf"(?i)(?<!\w)({_SPOKEN})({_LINK}{_CVV_NAME})(?!\w)")

_PASSWORD_NAME = r"(?:senhas?|password|passwd|pwd|passcode|passphrase|contrase[ñn]a|palavra-passe)"
_OWNED = (
    r"d[oae]s?|of|for|to|antiga|nova|atual|old|new|current|minha|meu|site|app|aplicativo|conta|cadastro|login|acesso|email|e-mail|gmail"
    r"|hotmail|outlook|loja|cart[ãa]o|banco|wifi|wi-fi|gov|instagram|facebook|portal|perfil|usu[áa]rio|account|website|store|a|o|the|my|your"
    r"|tempor[áa]ria|provis[óo]ria|que|eu|i|uso|usei|cadastrei|coloquei|criei|use|used|set"
)
_OWNER = rf"(?:\s+(?:{_OWNED}))" + r"{0,6}"
# Quoted, a secret may hold spaces; spoken or spaced out, it is all its figures; bare, it ends at the first space.
_SECRET = (
    r"(\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|\u201c[^\u201d\n]{1,80}\u201d|\[senha removida\]"
    rf"|(?:{_UNITS})(?:{_BETWEEN}(?:{_UNITS})){{2,15}}(?!\w)|\d(?:[ .\-]{{1,3}}\d|\d){{2,24}}(?!\w)|\S{{1,200}})"
)
_TOLD = r"\s*(?:(?::|=|->|=>|\u2192)\s*|\s(?:[ée]|eh|era|is|was|ser[áa])\s*:?\s+)"
_PASSWORD = Pattern(rf"(?i)(?<!\w)({_PASSWORD_NAME}{_OWNER}{_TOLD}){_SECRET}")
_PASSWORD_BARE = Pattern(rf"(?i)(?<!\w)({_PASSWORD_NAME}{_OWNER}\s+)((?=\S*\d)\S{{4,80}})")
_PASSWORD_AFTER_LOGIN = Pattern(
    rf"(?i)(?<!\w)((?:login|usu[áa]rio|user(?:name)?)\s*[:=]\s*\S{{1,80}}[\s,;/|e]{{1,5}}{_PASSWORD_NAME}\s+){_SECRET}"
)
_NEW_PASSWORD = Pattern(
    rf"(?i)(\[senha removida\][^\n]{{0,20}}?(?<!\w)(?:a\s+nova|agora|the\s+new\s+one)\s+(?:[ée]|eh|is)\s+){_SECRET}"
)
_PIN = Pattern(
    r"(?i)(?<!\w)((?:meu\s+|my\s+|o\s+)?pin(?:\s+(?:code|do|da|de|cart[ãa]o|meu|card|banco|app|celular))*\s*(?::|=|\s(?:[ée]|eh|is)\s*:?)\s*)(\d(?:[ .\-]?\d){3,7})(?!\w)"
)
# "minha senha é muito fraca" tells nothing.
_NO_SECRET_WORDS = """
muito muita inválida invalida incorreta errada errado fraca forte curta longa difícil dificil fácil facil a o as os um uma de da do que a mesma mesmo mesma antiga nova secreta obrigatória obrigatoria necessária
necessaria recusada rejeitada aceita pedida solicitada segura insegura igual diferente pra para por só so não nao quando onde como qual invalid wrong incorrect weak strong too not the a required needed very same
expirada expirou bloqueada case sensitive válida valida qual? essa esta isso sempre rejected expired blocked
minha meu nossa nosso minhas meus data alfanumérica alfanumerica numérica numerica pessoal temporária temporaria provisória provisoria roubada vazada hackeada perdida trocada alterada enviada exigida inexistente
desconhecida complicada simples grande pequena confidencial individual intransferível intransferivel sigilosa aquela aquele tão tao mais menos ainda quase sua seu usada feita gerada criada digitada redefinida resetada
my your our changed reset stolen leaked lost forgotten temporary unknown personal private also still always really so
"""
_NO_SECRET = frozenset(_NO_SECRET_WORDS.split())


def without_passwords(text: str) -> str:
    """Replace every password that is told by "[senha removida]"; talk about passwords stays."""

    def hide(match: re.Match[str]) -> str:
        secret = match.group(2)
        bare = secret.lower().strip(".,!?;:")
        if bare in _NO_SECRET or not bare or secret.startswith((_CUT_MARK, CVV_TEXT)):
            return match.group()
        return match.group(1) + PASSWORD_TEXT + _marks(secret)

    def hide_bare(match: re.Match[str]) -> str:
        # "errei a senha 3 vezes" has no digit-bearing word of four characters; "senha 1234" has.
        return match.group() if match.group(2).startswith("[") else match.group(1) + PASSWORD_TEXT

    for pattern in (_PASSWORD, _PASSWORD_AFTER_LOGIN):
        text = pattern.sub(hide, text)
    text = _PASSWORD_BARE.sub(hide_bare, text)
    text = _PIN.sub(lambda match: match.group(1) + PASSWORD_TEXT + _marks(match.group(2)), text)
    return _NEW_PASSWORD.sub(hide, text)


def without_cvv(text: str) -> str:
    """Replace every security code by "[CVV removido]", also one that is written out ("um dois três")."""

    def hide_spoken(match: re.Match[str]) -> str:
        if not _is_code(match.group(2)):
            return match.group()
        return match.group(1) + CVV_TEXT + _marks(match.group(2))

    def hide_spoken_after(match: re.Match[str]) -> str:
        return CVV_TEXT + _marks(match.group(1)) + match.group(2) if _is_code(match.group(1)) else match.group()

    text = _CVV.sub(lambda match: match.group(1) + CVV_TEXT + _marks(match.group(2)), text)
    text = _CVV_AFTER.sub(lambda match: CVV_TEXT + match.group(2), text)
    return _CVV_SPOKEN_AFTER.sub(hide_spoken_after, _CVV_SPOKEN.sub(hide_spoken, text))


def _is_code(spoken: str) -> bool:
    """Tell three or four figures ("um dois três", "cento e vinte") from fewer words that only count something."""
    words = [word for word in _SPOKEN_WORD.compiled.findall(spoken) if word.lower() not in ("e", "and")]
    return len(words) >= 3 or _HUNDRED.search(spoken) is not None


def _marks(taken: str) -> str:
    """Return the part marks in what is taken out: the parts of a message stay as many as they were."""
    return "\x1e" * taken.count("\x1e")
