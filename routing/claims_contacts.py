"""What a swindler writes: a request for a secret or a payment; links, addresses, numbers and payment codes that nobody gave."""

import re
from collections.abc import Iterator
from functools import cache

from routing.claims_sentence import Sentence
from routing.pattern import Pattern

_GIVE = (
    r"(?:me\s+)?(?:mand[ae]\w*|envi[ae]\w*|inform[ae]\w*|pass[ae]r?|diga|diz|fala|fale|digit[ae]\w*|confirm[ae]\w*|compartilh[ae]\w*|fornec[ae]\w*|escrev[ae]\w*|respond[ae]\w*"
    r"|precis[oa]\w*|precisamos|necessito|qual(?: (?:e|era|foi))?|quais sao|dizer|preciso que|solicito|solicitamos|coloqu?e|insir[ae]|passe"
    r"|send|tell|give|share|confirm|provide|type|enter|reply|what(?:'s| is| are)|i need|we need|i'll need|we'll need|text|read me|submit)"
)
_SECRET = (
    r"(?:senhas?\b|password|passcode|\bpin\b|cvv|cvc|codigo de seguranca|codigo do (?:seu )?cartao|codigo (?:do|no) verso|(?:tres|3) (?:digitos|numeros)(?! finais| da nota)"
    r"|numero (?:completo |inteiro |todo )?do (?:seu )?cartao|cartao completo|(?:dados|informacoes) (?:completas? |completos )?do (?:seu )?cartao|validade do cartao"
    r"|\btoken\b|codigo (?:que )?(?:\w+ ){0,6}(?:sms|whatsapp|celular|mensagem|telefone)|codigo de (?:verificacao|autenticacao|acesso|confirmacao)|(?:foto|imagem|print) (?:da |do |de )?(?:\w+ ){0,5}(?:do |de )?(?:seu )?cartao|chave de seguranca|assinatura eletronica"
    r"|security code|card (?:code|number|details)|full card|three digits|(?:3|three|4|four)[- ]digit (?:code|number)|one[- ]time (?:code|password)|verification code|\botp\b|2fa|authentication code|code from (?:the|your) (?:text|sms|message|phone)|code (?:we|i|that|you) (?:\w+ ){0,3}(?:texted|sent|received|got)|sms code|banking? (?:login|password|credentials))"
)
_LAST = Pattern(
    r"\b(?:ultimos|quatro|4|finais|last|four)\b[^.;!?]{0,20}?\b(?:digitos|numeros|digits)|\bdigitos finais\b"
)
_PAY_FIRST = Pattern(
    r"\b(?:faca|faz|fazer|mande|envie|transfira|deposite|pague|realize|make|send|transfer|pay|wire)\s+(?:um|uma|a|o|o valor de|an?|the|us|me)?\s*(?:\w+\s+){0,2}(?:pix|transferencia|deposito|taxa|ted|wire transfer|deposit|fee|processing fee)\b"
    r"(?=[^.;!?]{0,60}\b(?:para|pra|pro|to|liberar|release|unlock|process)\b)"
)
_URL = Pattern(
    r"(?i)\b(?:h(?:tt|xx)ps?://|www\.)[^\s<>()\"']{3,200}"
    r"|(?<![\w@.])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|br|io|co|me|ly|app|site|online|xyz|link|info|shop|store|click|top|ru|example|dev|ai|gg|to|cc|biz|live)\b(?:/[^\s<>()\"']{0,200})?(?!\w)"
)
_EMAIL = Pattern(r"(?i)(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,10}\b")
_PHONE = Pattern(
    r"(?<![\d.,/-])(?:\+\d{1,3}[\s.-]?)?(?:0[38]00[\s.-]?\d{2,3}[\s.-]?\d{3,4}(?!\d)|\(?\d{2,3}\)?[\s.-]?\d{4,5}[\s.-]\d{4}|\+\d{1,3}[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?![\d/-])"
)
# What pays: a Pix code to copy, the digits of a boleto.
_PAYABLE = Pattern(r"\b000201[\w.@*+/-]{20,500}|\b\d{5}\.?\d{5}\s?\d{5}\.?\d{6}\s?\d{5}\.?\d{6}\s?\d\s?\d{14}\b")
_DENIED = Pattern(
    r"\b(?:nao|nunca|jamais|nem|never|not|neither|ninguem|nobody|sem|desconfie|cuidado|esqueci|esqueceu|trocar|troque|alterar|redefinir|mudar|mude|reset|forgot|change)\b|n't\b"
)

_OTHER_CODE = Pattern(r"rastre|transportadora|postagem|barras|boleto|tracking|carrier")
_NUMBER = Pattern(r"cartao|card|numeros?|digit")
# A password goes into the shop's own sign-in page or into the bank's app, never into the chat.
_ELSEWHERE = Pattern(
    r"\b(?:na tela de|no site|no aplicativo|no app|ao entrar|para entrar|sign[- ]in page|in the app|when you sign in|se alguem|if anyone|if someone)\b"
)
_NOBODY = Pattern(r"\b(?:ninguem|nobody|no one|anyone)\b")


@cache
def secrets() -> re.Pattern[str]:
    """Return the forms that ask for a secret, on flat text."""
    return re.compile(rf"\b{_GIVE}\b[^.;!?]{{0,60}}?(?P<secret>{_SECRET})")


def asks_for_secret(sentence: Sentence) -> bool:
    """Tell whether a sentence asks for a password, a card's code or number, a one-time code, or a payment in advance."""
    plain = sentence.plain
    if not _NOBODY.search(plain) and not _ELSEWHERE.search(plain):
        for found in secrets().finditer(plain):
            clause = plain[sentence.clause_at(found.start())[0] : found.end()]
            if _OTHER_CODE.search(plain) and found.group("secret").startswith(("codigo que", "code ")):
                continue
            last_digits = _LAST.search(plain) and _NUMBER.search(found.group("secret"))
            if not _DENIED.search(clause) and not last_digits:
                return True
    pay = _PAY_FIRST.search(plain)
    return pay is not None and not _DENIED.search(plain[: pay.start()])


def contacts(sentence: Sentence) -> Iterator[str]:
    """Yield the links, mail addresses, phone numbers and payment codes of a sentence."""
    payable = [found.group() for found in _PAYABLE.finditer(sentence.text)]
    yield from payable
    if payable:
        return  # their parts look like links and phone numbers
    mails = [found.group() for found in _EMAIL.finditer(sentence.text)]
    yield from mails
    for found in _URL.finditer(sentence.text):
        link = found.group().rstrip(".,;:!?")
        if not any(link in mail for mail in mails):
            yield link
    yield from (found.group().strip() for found in _PHONE.finditer(sentence.text))
