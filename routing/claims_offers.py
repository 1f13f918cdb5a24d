"""Benefits that a reply hands out: coupons, codes, discounts, credit, gifts."""

import re
from collections.abc import Iterator
from functools import cache

from routing.claims_sentence import Sentence
from routing.claims_words import listed
from routing.pattern import Pattern

_BENEFIT = (
    r"(?:desconto|descontinho|descontao|cupom|cupons|voucher|vale(?:-| )?(?:compras?|presente|troca)?(?= de| no| na|,|\.|!|$)|brinde|cashback|bonus|pontos (?:extras?|de fidelidade|no)|frete gratis|frete gratuito"
    r"|credito (?:na|de|para|em|como|extra|bonus)|mimo|cortesia|abatimento|isencao|presente"
    r"|(?:frete|envio|entrega) (?:da (?:sua )?proxima|do proximo)|(?:frete|envio|postagem)[^.,;!?]{0,30}por nossa conta|discount|coupon|promo(?:tion(?:al)?)? code|gift ?card|free shipping|(?:store )?credit (?:to|on|for|of|as)|\$\d+ credit|bonus points|freebie)"
)
_GIVEN = (
    r"(?:ganh\w+|^\W*inclui|leva|levou|recebeu|tem direito a|voce (?:ja |agora )?tem|e seu|esta disponivel|disponivel|ja esta ativ\w|aplicad\w|liberad\w|creditad\w|adicionad\w|concedid\w|aqui esta|segue"
    r"|(?:vou|vamos|posso|podemos|consigo|conseguimos|quero|gostaria de)\s+(?:te\s+|lhe\s+)?(?:dar|oferecer|conceder|liberar|aplicar|gerar|enviar|mandar|fazer|creditar|adicionar|incluir)"
    r"|(?:te|lhe)\s+(?:dou|ofereco|damos|mando|libero|concedo)|dei|demos|liberei|apliquei|gerei|criei|coloquei|adicionei|ofereco|oferecemos|concedo|mandei|enviei|separei|consegui"
    r"|you(?:'ve| have)?\s+(?:get|got|earned|receive|won|been given)|here(?:'s| is)|(?:i|we)(?:'ve|'ll|\s+have|\s+will|\s+can|\s+could|'d like to)?\s+(?:just\s+)?(?:add(?:ed)?|give|gave|given|appl(?:y|ied)|offer(?:ed)?|issue[d]?|grant(?:ed)?|include[d]?|throw(?:n)? in))"
)
_BENEFIT_WORDS = (
    "desconto", "cupom", "voucher", "vale", "brinde", "cashback", "bonus", "pontos", "frete gratis", "por nossa conta", "presente",
    "credito", "discount", "coupon", "promo", "gift", "free shipping", "credit",
)  # fmt: skip
_CODE = Pattern(
    r"(?i:\b(?:cupom|c[oó]digo(?: promocional)?|voucher|promo(?:tion(?:al)?)? code|coupon(?: code)?|discount code|code)\b)[^.;!?\n]{0,30}?[\s\"“'«(]((?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,20})\b"
)
_NO_CODE = listed("PIX CEP CPF CNPJ SMS CVV CVC PIN OTP RMA PDF XML QR BR SAC FAQ TOKEN")


@cache
def gifts() -> re.Pattern[str]:
    """Return the forms that hand out a benefit, on flat text."""
    return re.compile(
        rf"\b{_GIVEN}\b[^.;!?]{{0,50}}?{_BENEFIT}|\b{_BENEFIT}[^.;!?]{{0,40}}?\b{_GIVEN}\b|\bseu cupom\b|\b(?:frete|envio|postagem)\b[^.,;!?]{{0,40}}\bpor nossa conta\b|\b(?:presente|cortesia)\b[^.,;!?]{{0,20}}\b(?:noss[oa]|da casa|da loja)\b|\bships? (?:for )?free\b|\bfree of charge\b|\bon (?:us|the house)\b"
    )


def benefits_in(words: str) -> list[str]:
    """Return the benefits that flat words name."""
    return [benefit for benefit in _BENEFIT_WORDS if benefit in words]


def coupon_codes(sentence: Sentence) -> Iterator[str]:
    """Yield what a sentence gives as the code of a coupon."""
    shouted = sentence.text.upper() == sentence.text
    for found in _CODE.finditer(sentence.text):
        code = found.group(1)
        if code not in _NO_CODE and not (shouted and code.isalpha()):
            yield code
