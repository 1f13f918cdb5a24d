"""Money, payment, state of the delivery, reasons, addresses and products, as a customer puts them."""

import re

from routing.extraction_scan import Scan
from routing.values import cents, flat, spelled

_AMOUNT = r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?"
_BRL = re.compile(rf"r\$\s?({_AMOUNT})(?!\w)|(?<![\w.,$])({_AMOUNT})\s?(?:reais|real|conto|pila|brl)\b")
_USD = re.compile(rf"(?<!r)(?:us)?\$\s?({_AMOUNT})(?!\w)|(?<![\w.,$])({_AMOUNT})\s?(?:dollars?|bucks|usd)\b")
_DECIMAL = re.compile(r"(?<![\w.,/$-])(\d{1,6}[.,]\d{2})(?![\w/]|[.,-]\d|%)")
_BARE = re.compile(r"(?<![\w.,/$-])(\d{1,7})(?![\w/%]|[.,-]\d)")

_METHODS = (
    r"(pix|boleto|cartao(?: de (?:credito|debito))?|credito|debito|(?:credit |debit )?card|bank slip|paypal|gift card)"
)
_PAID = re.compile(
    r"\b(?:pag(?:uei|o|amos|amento|ou|ando)|compr(?:ei|amos|a)|cobrad[oa]|cobraram|fiz|usei|used|paid|pay|payment|bought|charged|purchased)\b"
    rf"[^.!?\n]{{0,40}}?\b(?:no|na|com|via|por|pelo|pela|em|de|foi|e|o|by|with|using|on|via|is|was|my)\s+(?:o |um |meu |my |a |the |visa |master\w* ){{0,2}}{_METHODS}\b"
)
_WAS = re.compile(
    rf"\b(?:foi|era|e|was|it's)\s+(?:no|na|com|via|por|pelo|em|by|with|on)\s+(?:o |a |meu |my ){{0,2}}{_METHODS}\b"
)
_METHOD = re.compile(rf"\b{_METHODS}\b")
_NOT = re.compile(r"\b(?:nao|nem|nunca|not|n't|never|sem)\b[^,.;!?]{0,20}$")

_STATUS = re.compile(
    r"\b(?:(?:ainda )?n(?:ao|unca) (?:chegou|recebi|veio|foi entregue)|(?:never|hasn't|has not|hasnt|didn't|did not|didnt) (?:arrived?|come)"
    r"|(?:haven't|have not|havent|didn't|did not|never) (?:received?|got(?:ten)?)"
    r"|(?:esta|ta|veio) (?:muito )?atrasad[oa]|is (?:late|delayed)|(?:ja )?(?:chegou|recebi|foi entregue)|has arrived|was delivered"
    r"|(?:foi )?cancelad[oa]|cancelei|was cancelled|canceled|(?:ja )?devolvi|returned it)\b"
)
_REASON = re.compile(
    r"\b(?:porque|pois|por causa d[eoa]|motivo(?: e|:)?|because|since it|due to|the reason is)\s+([^.!?\n,;]{3,120})"
    r"|\b((?:nao (?:serviu|gostei|coube|funciona|liga)|veio (?:com|errad[oa]|quebrad[oa]|rasgad[oa]|faltando|trocad[oa]|diferente)"
    r"|ficou (?:pequen|grand|apertad|larg|curt)\w*|com defeito|me arrependi|desisti|chegou (?:quebrad|rasgad|errad|com defeito)\w*"
    r"|doesn't (?:fit|work)|does not (?:fit|work)|too (?:small|big|large|tight)|(?:was|is|arrived|came) (?:broken|damaged|defective|wrong)"
    r"|wrong (?:size|item|color|colour)|changed my mind|no longer need\w*)[^.!?\n,;]{0,80})"
)
_ROAD = r"(?:street|st|avenue|ave|road|rd|lane|drive|boulevard|blvd|court|way|building)"
_STREET = re.compile(
    r"\b(?:rua|r\.|av\.|av|avenida|travessa|alameda|praca|rodovia|estrada|largo|quadra)\s+[^\n!?;]{3,120}"
    rf"|(?:\bno\.?\s+)?(?<![\w.])\d{{1,6}}[a-z]?\s+(?:(?!(?:and|is|was|my|i|with|please|order|for)\b)[\w.'-]+\s+){{1,8}}?{_ROAD}\b[^\n!?;]{{0,80}}"
    rf"|(?<![\w.])\d{{1,4}}(?:st|nd|rd|th)\s+{_ROAD}\b[^\n!?;]{{0,80}}"
)
_NO = re.compile(r"^no\.?\s+(?=\d)", re.IGNORECASE)
_STREET_END = re.compile(
    r"\.\s|\b(?:e (?:o|meu|a) (?:pedido|telefone|email|cpf)|por favor|obrigad[oa]|please|thanks|with|because|instead|but)\b"
)
_NUMBER_IS = re.compile(
    r"\b(?:(?:o )?numero (?:da (?:casa|rua) )?(?:certo |correto )?(?:e|eh|é|:)|the (?:house |street )?number is)\s+(\d{1,6}[a-z]?)(?![\w-])"
)


def find_money(scan: Scan) -> None:
    """Find amounts with a currency or two decimals, and a bare number where an amount was asked for."""
    for pattern, currency in ((_BRL, "R$"), (_USD, "$")):
        for match in pattern.finditer(scan.flat):
            _amount(scan, *match.span(), currency)
    home = "R$" if scan.country == "BR" else "$"
    for match in _DECIMAL.finditer(scan.flat):
        _amount(scan, *match.span(), home)
    if scan.asked == "amount":
        for match in _BARE.finditer(scan.flat):
            _amount(scan, *match.span(), home)


def _amount(scan: Scan, start: int, end: int, currency: str) -> None:
    value = cents(re.sub(r"[^\d.,]", "", scan.text[start:end]))
    if value is None or not scan.free(start, end):
        return
    whole, decimals = divmod(value, 100)
    written = f"{whole:,}.{decimals:02d}" if currency == "$" else f"{whole:,}".replace(",", ".") + f",{decimals:02d}"
    normal = f"{currency}{' ' if currency == 'R$' else ''}{written}"
    scan.add(start, end, "amount", spelled(normal, scan.text[start:end]))


def find_payment(scan: Scan) -> None:
    """Find how the customer says that it was paid; wishes and questions about a method are not that."""
    patterns = (_METHOD,) if scan.asked == "payment_method" else (_PAID, _WAS)
    for pattern in patterns:
        for match in pattern.finditer(scan.flat):
            span = match.span(1)
            if scan.free(*span) and not _NOT.search(scan.flat[max(0, span[0] - 40) : span[0]]):
                scan.add(*span, "payment_method", scan.text[span[0] : span[1]])


def find_status(scan: Scan) -> None:
    """Find what the customer reports about the delivery; a question reports nothing."""
    for match in _STATUS.finditer(scan.flat):
        asks = scan.flat.find("?", match.end(), match.end() + 60)
        ends = re.search(r"[.!\n]", scan.flat[match.end() : match.end() + 60])
        if asks >= 0 and (ends is None or match.end() + ends.start() > asks):
            continue
        scan.add(*match.span(), "order_status", scan.text[match.start() : match.end()], take=False)


def find_reasons(scan: Scan) -> None:
    for match in _REASON.finditer(scan.flat):
        span = match.span(1) if match.group(1) else match.span(2)
        scan.add(*span, "reason", scan.text[span[0] : span[1]].rstrip(" ,"), take=False)


def find_addresses(scan: Scan) -> None:
    """Find street addresses whole, and a number given on its own as a correction of one."""
    for match in _NUMBER_IS.finditer(scan.flat):
        if scan.free(*match.span(1)):
            scan.add(*match.span(1), "address_number", scan.text[slice(*match.span(1))])
    for match in _STREET.finditer(scan.flat):
        end = _STREET_END.search(scan.flat, match.start() + 6, match.end())
        start, stop = match.start(), end.start() if end else match.end()
        value = scan.text[start:stop].rstrip(" ,.-")
        if re.search(r"\d", value) and scan.free(start, min(stop, start + 4)):
            # "no 56 Oak Road" may say number or refuse: the normal form is without it.
            scan.add(start, stop, "address", spelled(_NO.sub("", value), value), take=False)


def find_products(scan: Scan) -> None:
    """Find the given product names in the text, the longest first."""
    for product in sorted({name for name in scan.products if len(name) > 2}, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(flat(product))}(?:s|es)?(?!\w)", scan.flat):
            if scan.free(*match.span()):
                scan.add(*match.span(), "product", product)
                break
