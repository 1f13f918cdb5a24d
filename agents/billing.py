"""Financeiro: what was charged, what is asked for, what comes back, and the papers about it."""

from agents.offline.policy import Call, FollowUp, Intent, OfflinePolicy, Text
from agents.spec import AgentSpec

_OPEN_TICKET = r"\babr\w+ (?:um |o )?chamado\b|\bopen a ticket\b"
_LOOKUP = Call(tool="lookup_order", args={"order": "$order"})


def _ticket(kind: str, lead: str | None = None, **args: str) -> Call:
    return Call(tool="open_billing_ticket", args={"order": "$order", "kind": kind, **args}, lead=lead)


def _policy(topic: str) -> Call:
    return Call(tool="consult_policy", args={"topic": topic})


_OFFLINE = OfflinePolicy(
    intents=(
        Intent(
            name="unrecognised",
            when=(r"\bnao reconhec\w+\b|\bnao fui eu\b|\bnao (?:fiz|comprei)\b|\bclonad\w+\b|\bnao autorizei\b", r"\b(?:don't|do not) recogni[sz]e\b"),
            needs=("order",),
            calls=(_LOOKUP,),
            reply="unrecognised",
        ),
        Intent(
            name="duplicate",
            when=(
                r"\b(?:cobr\w+|pag(?:uei|o)|pass(?:aram|ou)|debit\w+|lanc\w+|descont\w+)\b.{0,50}\b(?:duas vezes|2 vezes|2x|de novo|novamente|em dobro|dobrad\w*|2 compras? igua\w+|duplicad\w*|repetid\w*|outra vez)\b",
                r"\b(?:duas|2) (?:cobranc\w+|vezes (?:no|na|o|a)|debitos?|pix)\b",
                r"\baparec\w+ (?:duas|2)\b|\b(?:shows?|there are) two\b",
                r"\b(?:duplicad\w*|duplicidade|em dobro|cobranca repetida)\b",
                r"\b(?:charged|billed|paid)\b.{0,30}\b(?:twice|two times|again|double)\b|\b(?:double|duplicate) charge\b",
            ),
            needs=("order",),
            calls=(_LOOKUP, _ticket("duplicate_charge", lead="charges", claimed_amount="$amount?")),
            reply="charges_done",
        ),
        Intent(
            name="wrong_amount",
            when=(
                r"\bvalor\b.{0,30}\b(?:errad|diferente|maior|a mais|nao bate|incorret)\w*",
                r"\bcobr\w+\b.{0,20}\b(?:a mais|mais caro|frete|diferente|errado)\b",
                r"\b(?:wrong|different) amount\b|\bovercharged\b",
            ),
            needs=("order",),
            calls=(_LOOKUP, _ticket("wrong_amount", claimed_amount="$amount?")),
            reply="done",
        ),
        Intent(
            name="refund_time",
            when=(
                r"\b(?:quanto tempo|quantos dias|quando|que dia|prazo|demora)\b.{0,40}\b(?:volta|cai|caem|recebo|receber|reembols\w+|estorn\w+|dinheiro|devolv\w+|credit\w+)",
                r"\b(?:volta|cai|devolvem|reembols\w+|estorn\w+|dinheiro)\b.{0,30}\b(?:quanto tempo|quantos dias|quando|como|que dia|prazo)\b",
                r"\b(?:how long|when)\b.{0,40}\b(?:refund|money|back)\b",
            ),
            needs=("order",),
            calls=(_LOOKUP, _policy("reembolso")),
            reply="refund_time",
        ),
        Intent(
            name="refund",
            when=(
                r"\b(?:reembols\w+|estorn\w+|dinheiro de volta|meu dinheiro|devolveram o dinheiro)\b",
                r"\b(?:cade|kd|e|devolv\w+|volta\w*)\b.{0,15}\b(?:dinheiro|grana)\b",
                r"\b(?:refund\w*|money back)\b",
            ),
            unless=(r"\b(?:nao|not|instead of|em vez d[ae]) (?:an? |a |e )*(?:troca|exchange)\b", _OPEN_TICKET, r"\b(?:nota fiscal|nf-?e?|invoice)\b"),
            needs=("order",),
            candidates=("returned", "cancelled"),
            calls=(_LOOKUP, _policy("reembolso")),
            reply="refund",
        ),
        Intent(
            name="refund_ticket",
            when=(
                r"\bchamado\b.{0,20}\b(?:reembols|estorn)\w+",
                rf"\b(?:reembols|estorn|dinheiro|refund)\w*\b.{{0,80}}(?:{_OPEN_TICKET})",
            ),
            needs=("order",),
            candidates=("returned", "cancelled"),
            calls=(_ticket("refund_status"),),
            reply="done",
        ),
        Intent(
            name="change_payment",
            when=(
                r"\b(?:mud|troc|alter)\w*\b.{0,20}\b(?:forma de pagamento|pagamento)\b",
                r"\btrocar\b.{0,15}\b(?:boleto|pix|cartao)\b.{0,10}\b(?:por|para|pra)\b",
            ),
            calls=(_policy("pagamento"),),
            reply="policy",
        ),
        Intent(
            name="discount",
            when=(r"\b(?:cupo[mn]\w*|descontos?|cashback|coupon|discount)\b",),
                        calls=(_policy("desconto"),),
            reply="policy",
        ),
        Intent(
            name="invoice",
            when=(r"\b(?:nota fiscal|notas fiscais|nf-?e?|danfe|xml|invoice)\b", r"\ba nota d[oae]\b"),
            needs=("order",),
            calls=(_LOOKUP, Call(tool="get_document", args={"order": "$order", "kind": "invoice"})),
            reply="document",
            if_cancelled="no_invoice",
        ),
        Intent(name="paper_ticket", when=(), needs=("order",), calls=(_ticket("invoice"),), reply="done"),
        Intent(
            name="boleto_ticket",
            when=(r"\bboleto\b.{0,30}\b(?:nao (?:abre|funciona|le|passa)|invalido|com erro)\b",),
            needs=("order",),
            candidates=("awaiting_payment",),
            calls=(_ticket("boleto"),),
            reply="done",
        ),
        Intent(
            name="boleto",
            when=(r"\bboletos?\b|\b(?:segunda|2a|2ª) via\b",),
            unless=(r"\b(?:pag(?:uei|o|amos)|compr(?:ei|a)|fiz|foi)\b.{0,15}\b(?:no|com|por|via|de|o)? ?boleto\b",),
            needs=("order",),
            candidates=("awaiting_payment",),
            calls=(Call(tool="get_document", args={"order": "$order", "kind": "boleto"}),),
            reply="document",
        ),
        Intent(
            name="pix_code",
            when=(r"\b(?:codigo|copia e cola|qr ?code|chave)\b.{0,15}\bpix\b|\bpix\b.{0,20}\b(?:codigo|copia|expir\w+|venceu|de novo)\b|\bcopia e cola\b", r"\bpix code\b"),
            unless=(r"\bcobr\w+",),
            needs=("order",),
            candidates=("awaiting_payment",),
            calls=(Call(tool="get_document", args={"order": "$order", "kind": "pix_code"}),),
            reply="document",
        ),
        Intent(
            name="instalments",
            when=(r"\b(?:parcel\w+|juros|instal?ments?)\b",),
            needs=("order",),
            calls=(_LOOKUP,),
            reply="charges",
        ),
        Intent(
            name="charges",
            when=(
                r"\b(?:cobr\w+|fatura|debit\w+|descontaram)\b",
                r"\b(?:quanto|como) (?:eu )?(?:pag\w+|foi)\b|\bforma de pagamento\b",
                r"\b(?:pagamento|pix|cartao|boleto)\b.{0,30}\b(?:confirm\w+|aprov\w+|recus\w+|compens\w+|caiu|paguei|nao pago)\b",
                r"\bpag(?:uei|o|amos|ar|amento)\b|\b(?:cartao|limite|compra negada|analise)\b",
                r"\b(?:charge[ds]?|payment|paid)\b",
            ),
            needs=("order",),
            calls=(_LOOKUP,),
            reply="charges",
            weak=True,
        ),
    ),
    follow_ups=(
        FollowUp(asked=r"chamado para o financeiro|ticket for the finance team", intent="paper_ticket"),
        FollowUp(asked=r"emitirem a segunda via|another one issued", intent="boleto_ticket"),
        FollowUp(asked=r"abrir um chamado para acompanhar|open a ticket to follow", intent="refund_ticket"),
    ),
    replies={
        "unrecognised": Text(
            pt="$charges Se essa cobrança não é sua, posso pedir a análise de uma pessoa da equipe. Quer que eu peça?",
            en="$charges If this charge is not yours, I can ask a person of our team to review it. Shall I?",
        ),
        "refund_time": Text(pt="$paid_by $policy", en="$paid_by $policy"),
        "no_invoice": Text(
            pt="$cancelled Não há nota fiscal para emitir de um pedido cancelado. Quer que eu veja o pagamento dele?",
            en="$cancelled There is no invoice to issue for a cancelled order. Shall I check its payment?",
        ),
        "refund": Text(pt="$refund $policy", en="$refund $policy"),
        "policy": Text(pt="$policy", en="$policy"),
        "document": Text(pt="$document", en="$document"),
        "charges": Text(pt="$charges", en="$charges"),
        "charges_done": Text(pt="$charges $done", en="$charges $done"),
    },
    help=Text(
        pt="Posso ajudar com cobrança, reembolso, boleto, Pix e nota fiscal. De qual pedido é, e o que você precisa?",
        en="I can help with charges, refunds, boleto, Pix and invoices. Which order is it, and what do you need?",
    ),
)  # fmt: skip

SPEC = AgentSpec(
    id="billing",
    display_name="Financeiro",
    display_name_en="Billing",
    role="Cobranças, cobrança em dobro ou não reconhecida, formas de pagamento, boleto, Pix, cartão, parcelas, descontos, nota fiscal, dinheiro do reembolso e sua data.",
    topic="cobrança, pagamento ou reembolso",
    topic_en="a charge, a payment or a refund",
    aliases=("financeiro", "cobrança", "cobranças", "pagamento", "pagamentos", "billing", "finance"),
    posture="executes",
    tools=(
        "lookup_order",
        "list_orders",
        "list_requests",
        "consult_policy",
        "open_billing_ticket",
        "get_document",
        "verify_identity",
        "open_review",
        "promise_callback",
        "note_hypothesis",
        "not_mine",
        "recall",
    ),
    reasons={
        "charge": "uma cobrança: o que foi cobrado, fatura, cartão, parcelas, desconto ou cupom (charge, charged)",
        "duplicate_charge": "foi cobrado duas vezes, de novo ou em dobro; cobrança repetida (charged twice)",
        "refund_money": "dinheiro do reembolso ou estorno: quanto, quando e como volta ou cai (refund, money back)",
        "invoice": "nota fiscal, NF (invoice)",
        "payment": "pagar: boleto, segunda via, código Pix, forma de pagamento, pagamento recusado ou não confirmado (payment)",
    },
    offline=_OFFLINE,
)
