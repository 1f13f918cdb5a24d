"""What a refusal offers, and what its answers mean: a yes takes the offer or is asked about, words of disagreement dispute."""

from agents.offline.policy import Call, FollowUp, Intent, Text

_LOOKUP = Call(tool="lookup_order", args={"order": "$order"})
_DISPUTES = (
    r"\bextratos?\b|\bna (?:minha )?fatura\b|comprovante|discord|nao concordo|nao aceito|nao e verdade|\bisso (?:aqui )?(?:nao esta|ta|esta|e) (?:certo|errad)"
    r"|^\W*(?:nao\W+)?(?:ta|esta|tao|estao|ficou) errad\w+\W*$|^\W*mas\b|tenho certeza|nao foi isso"
    r"|\bmy statement\b|disagree|not true|\b(?:that|this|it)(?: is|'?s) (?:wrong|not right)|^\W*but\b|i am sure|i'm sure"
)
_OFFERS_REVIEW = r"quer que eu peca (?:essa |a )?analise|analise de uma pessoa da equipe\. quer que eu peca|shall i ask for that review|to review it\. shall i"
_IF_OTHERWISE = r"se no seu extrato aparecer|se o valor nao aparece|if your statement shows|if you do not see the money"
_REFUSALS = rf"{_OFFERS_REVIEW}|{_IF_OTHERWISE}|uma unica cobranca|prazo de \d+ dias|ainda nao|nao consta|antes do envio|dentro do prazo|single charge|\d+ days|ja esta aberta?|already|terminou em|ended on"

OFFERED = (
    Intent(name="payment_state", when=(), needs=("order",), calls=(_LOOKUP,), reply="charges"),
    Intent(name="refund_state", when=(), needs=("order",), calls=(_LOOKUP,), reply="refund_state"),
    Intent(name="order_state", when=(), needs=("order",), calls=(_LOOKUP,), reply="where"),
    Intent(
        name="refund_rules",
        when=(),
        needs=("order",),
        calls=(_LOOKUP, Call(tool="consult_policy", args={"topic": "reembolso"})),
        reply="refund_rules",
    ),
    Intent(name="what_differs", when=(), reply="what_differs"),
    Intent(name="which_correction", when=(), reply="which_correction"),
)
FOLLOW_UPS = (
    FollowUp(asked=_OFFERS_REVIEW, intent="review"),
    FollowUp(asked=_OFFERS_REVIEW, said=r"^\W*(?:sim|claro|pode|quero|isso)\b.{0,20}\banalis\w+|^\W*(?:pode pedir|pede|peca)\b", intent="review"),
    FollowUp(asked=r"posso ver o andamento|i can check how it is going", intent="requests"),
    FollowUp(asked=r"posso ver a situacao do pagamento|quer que eu veja o pagamento|i can check its payment|shall i check its payment", intent="payment_state"),
    FollowUp(asked=r"posso ver a situacao do reembolso|i can check its refund", intent="refund_state"),
    FollowUp(asked=r"posso ver o prazo dele na nossa politica|i can check its time in our policy", intent="refund_rules"),
    FollowUp(asked=r"vamos ver de novo a situacao|let us look at its status again", intent="order_state"),
    FollowUp(asked=_IF_OTHERWISE, intent="what_differs"),
    FollowUp(asked=r"se for outro pedido|se for outra coisa|if it is another order|if it is something else", intent="which_correction"),
    FollowUp(
        asked=r"o que aparece de diferente|what does it show",
        said=r"extrato|aparec|duas|cobr|fatura|mostra|debit|valor|\d|two|twice|shows|charge",
        intent="review",
    ),
    FollowUp(
        asked=r"se o valor nao aparece|if you do not see",
        said=r"nao (?:aparec\w*|caiu|recebi|entrou|vejo)|(?:don'?t|do not|can'?t) see|not there",
        intent="review",
    ),
    FollowUp(asked=_REFUSALS, said=_DISPUTES, intent="review"),
    FollowUp(asked=r"retorno de uma pessoa|have a person get back", intent="callback"),
)  # fmt: skip
REPLIES = {
    "charges": Text(pt="$charges", en="$charges"),
    "refund_state": Text(pt="$refund", en="$refund"),
    "refund_rules": Text(pt="$paid_by $policy", en="$paid_by $policy"),
    "what_differs": Text(
        pt="O que aparece de diferente para você? Me conte, que com isso eu peço a análise de uma pessoa da equipe.",
        en="What does it show on your side? Tell me, and with that I ask a person of our team to review it.",
    ),
    "which_correction": Text(
        pt="Qual é, então? Me diga o número do pedido ou o produto, e o que você precisa.",
        en="Which one is it, then? Tell me the order's number or product, and what you need.",
    ),
    "cancelled": Text(
        pt="$cancelled Quer que eu veja o pagamento dele? Se for outro pedido, me diga qual.",
        en="$cancelled Shall I check its payment? If you mean another order, tell me which.",
    ),
}
