"""Numbers with a form of their own: e-mail, card, CPF, CNPJ, phone, CEP, tracking code, order number."""

import re

from routing.extraction_scan import Scan
from routing.extraction_words import COMMON

_EMAIL = re.compile(r"(?<![a-z0-9._%+\-])[a-z0-9][a-z0-9._%+\-]{0,63}@[a-z0-9\-]{1,63}(?:\.[a-z0-9\-]{1,63}){1,4}")
_CARD = re.compile(r"(?<![\w.])\d(?:[ .-]?\d){12,18}(?![\w])")
_CARD_END = re.compile(
    r"\b(?:cartao|card|terminad[oa]|ending|ends?|final)\b[^\d\n]{0,16}?(?:final|terminad[oa] em|ending in|ends? (?:in|with)|em)\s*:?\s*(\d{4})(?!\w)"
)
_CPF = re.compile(r"(?<![\w.])\d{3}\.?\d{3}\.?\d{3}[-/. ]?\d{2}(?!\w)")
_CNPJ = re.compile(r"(?<![\w.])[a-z0-9]{2}\.?[a-z0-9]{3}\.?[a-z0-9]{3}/?[a-z0-9]{4}-?\d{2}(?!\w)")
_PHONE = re.compile(r"(?<![\w.])\+?(?:\d{1,3}[ .-]?)?(?:\(\d{2,3}\)|\d{2,3})[ .-]?\d{3,5}[ .-]?\d{4}(?!\w)")
_CEP = re.compile(r"(?<![\w.])\d{5}-\d{3}(?!\w)")
_CEP_NAMED = re.compile(r"\b(?:cep|zip(?: ?code)?|postal code)\b[^\d\n]{0,20}?(\d{5}(?:-?\d{3,4})?)(?!\w)")
_CEP_BARE = re.compile(r"(?<![\w.])(\d{5}(?:-?\d{3,4})?)(?!\w)")
_POSTAL = re.compile(r"(?<!\w)[a-z]{2} ?\d{3} ?\d{3} ?\d{3} ?[a-z]{2}(?!\w)")
_TRACKING = re.compile(
    r"\b(?:rastreio|rastreamento|rastrear|tracking(?: number| code)?|codigo de envio)\b[^\w\n]{0,3}(?:(?:e|eh|is|do|da|codigo|number|n[o.]?)[: ]+){0,3}([a-z0-9-]{6,30})(?!\w)"
)
_NUMBER = r"#?(?:[a-z]{1,4}-?)?\d{4,12}"
_ORDER = re.compile(
    rf"\b(?:pedidos?|orders?|compras?|encomendas?)\b(?:[ :,#.-]|n[o.]\b|numeros?\b|numbers?\b|ids?\b|is\b|e\b|eh\b|foi\b|de\b|o\b|do\b){{1,8}}({_NUMBER})(?![\w@])"
)
_ORDER_NEXT = re.compile(
    rf"\s*(?:,|;|/|\be\b|\bou\b|\band\b|\bor\b|\bcom\b){{1,2}}\s*(?:o |the |pedido |order ){{0,2}}({_NUMBER})(?![\w@,.]\d|\w)"
)
_HASHED = re.compile(r"(?<!\w)#([a-z]{0,4}-?\d{4,12})(?!\w)")
_BARE = re.compile(r"(?<![\w.,/#$-])(\d{4,12})(?![\w/]|[.,-]\d|\s*(?:reais|real|dias|horas|dollars|usd|brl|days|%))")
_PHONE_WORD = re.compile(
    r"(?:telefone|celular|whats\w*|zap|fone|tel|phone|cell|mobile|numero de contato)\W*(?:\w+\W+){0,2}$"
)
_SECRET = re.compile(
    r"\b(?:(?:senhas?|passwords?|passcode|pwd|cvv2?|cvc|codigo de seguranca|security code)\b|pin(?=\W+(?:is|e|eh|number|\d)))"
    r"[^\w\n]{0,4}(?:(?:do|da|de|cartao|card|is|e|eh|number|my|minha|id|for|of|the)\b[^\w\n]{0,3}){0,4}(\S{1,40}(?:\s\S{0,4}\d\S{0,8}){0,4})"
)


def hide_secrets(scan: Scan) -> None:
    """Keep passwords and security codes out of every fact."""
    for match in _SECRET.finditer(scan.flat):
        gap = scan.flat[match.start() : match.start(1)]
        first = match.group(1).split()[0].strip(".,;:!?")
        if first not in COMMON and not any(mark in gap for mark in ",;.!?"):
            scan.hide(*match.span(1))


def find_documents(scan: Scan) -> None:
    """Find what its own form or check digit gives away, the surest first."""
    for match in _EMAIL.finditer(scan.flat):
        scan.add(*match.span(), "email", match.group())
    _cards(scan)
    _postal_codes(scan)
    _people_and_companies(scan)
    _phones(scan)
    _places(scan)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _cards(scan: Scan) -> None:
    from stdnum import luhn

    for match in _CARD.finditer(scan.flat):
        digits = _digits(match.group())
        if scan.free(*match.span()) and luhn.is_valid(digits) and not _is_document(digits) and len(set(digits)) > 1:
            scan.add(*match.span(), "card", digits[-4:])
            scan.hide(*match.span())
    for match in _CARD_END.finditer(scan.flat):
        if scan.free(*match.span(1)):
            scan.add(*match.span(1), "card", match.group(1))


def _is_document(digits: str) -> bool:
    from stdnum.br import cnpj

    return len(digits) == 14 and cnpj.is_valid(digits)


def _people_and_companies(scan: Scan) -> None:
    from stdnum.br import cnpj, cpf

    for match in _CPF.finditer(scan.flat):
        digits = _digits(match.group())
        wants_phone = scan.asked == "phone" or _PHONE_WORD.search(scan.before(match.start(), 40))
        if scan.free(*match.span()) and not (wants_phone and digits == match.group()) and cpf.is_valid(digits):
            scan.add(*match.span(), "cpf", cpf.format(digits))
    for match in _CNPJ.finditer(scan.flat):
        number = re.sub(r"[./-]", "", match.group()).upper()
        if scan.free(*match.span()) and any(char.isdigit() for char in number[:12]) and cnpj.is_valid(number):
            scan.add(*match.span(), "cnpj", cnpj.format(number))


def _phones(scan: Scan) -> None:
    for match in _PHONE.finditer(scan.flat):
        raw = match.group()
        digits = _digits(raw)
        dressed = raw != digits
        wanted = scan.asked == "phone" or bool(_PHONE_WORD.search(scan.before(match.start(), 40)))
        if not scan.free(*match.span()) or not 10 <= len(digits) <= 13 or not (dressed or wanted or len(digits) == 11):
            continue
        number = _dialled(raw, scan.country)
        if number is not None:
            scan.add(*match.span(), "phone", number)


def _dialled(raw: str, country: str) -> str | None:
    import phonenumbers

    regions = (None,) if raw.startswith("+") else (country, "US" if country == "BR" else "BR")
    for region in regions:
        try:
            number = phonenumbers.parse(raw, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return None


def _places(scan: Scan) -> None:
    for match in _CEP.finditer(scan.flat):
        if scan.free(*match.span()):
            scan.add(*match.span(), "cep", match.group())
    named = [_CEP_NAMED] + ([_CEP_BARE] if scan.asked == "cep" else [])
    for pattern in named:
        for match in pattern.finditer(scan.flat):
            if scan.free(*match.span(1)):
                digits = _digits(match.group(1))
                value = f"{digits[:5]}-{digits[5:]}" if len(digits) in (8, 9) else digits
                scan.add(*match.span(1), "cep", value)


def _postal_codes(scan: Scan) -> None:
    for match in _POSTAL.finditer(scan.flat):
        if scan.free(*match.span()):
            scan.add(*match.span(), "tracking", match.group().replace(" ", "").upper())
    for match in _TRACKING.finditer(scan.flat):
        if scan.free(*match.span(1)) and any(char.isdigit() for char in match.group(1)):
            scan.add(*match.span(1), "tracking", match.group(1).upper())


def find_orders(scan: Scan) -> None:
    """Find order numbers: named, hashed, chained ("10405 e 10420"), asked for, or of five to seven bare digits."""
    reached = 0
    for match in _ORDER.finditer(scan.flat):
        _order(scan, match)
        if match.end() <= reached:
            continue
        reached = match.end()
        while following := _ORDER_NEXT.match(scan.flat, reached):
            _order(scan, following)
            reached = following.end()
    for match in _HASHED.finditer(scan.flat):
        _order(scan, match)
    if scan.asked not in (None, "order"):
        return
    for match in _BARE.finditer(scan.flat):
        if scan.asked == "order" or (5 <= len(match.group(1)) <= 7 and not scan.inside(*match.span(1), "address")):
            _order(scan, match)
    if scan.asked == "order":
        for match in re.finditer(rf"(?<!\w)({_NUMBER})(?![\w/]|[.,]\d)", scan.flat):
            _order(scan, match)


def _order(scan: Scan, match: re.Match[str]) -> None:
    if scan.free(*match.span(1)):
        scan.add(*match.span(1), "order", match.group(1).lstrip("#").upper())
