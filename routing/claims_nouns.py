"""The nouns that make an ordinary verb an announcement: what is refunded, cancelled, opened, changed, sent again."""

from collections.abc import Mapping

from routing.claims_lexicon import Group
from routing.claims_sentence import Sentence, Token
from routing.claims_words import listed

REFUND = listed(
    "reembolso reembolsos estorno estornos ressarcimento restituicao indenizacao compensacao reversao extorno rembolso reenbolso"
    " refund refunds reimbursement chargeback reversal"
)
CANCEL = listed("cancelamento anulacao cancellation cancelation")
APPROVAL = listed("aprovacao autorizacao liberacao aval approval authorization authorisation")
REQUESTS = listed(
    "devolucao devolucoes troca trocas chamado solicitacao reclamacao coleta retirada analise ticket reenvio etiqueta"
    " ocorrencia requerimento return exchange request complaint pickup review claim case label escalation replacement"
)
MONEY = REFUND | listed(
    "dinheiro valor valores quantia grana credito pix cobranca montante taxa tarifa parcela duplicidade frete pagamento payment money credit amount"
    " funds charge cash fee"
)
BENEFITS = listed("desconto cupom voucher vale brinde cashback bonus pontos discount coupon gift points")
ORDERS = listed("pedido compra encomenda assinatura plano renovacao order purchase subscription membership plan")
RECORDS = listed(
    "endereco cadastro telefone email mail tamanho cep entrega envio address phone account record profile size"
)
ACTS = REFUND | CANCEL | APPROVAL | REQUESTS
DOING = ACTS | MONEY | BENEFITS | ORDERS | RECORDS | {"protocolo"}
GROUPS: Mapping[Group, frozenset[str]] = {
    "act": ACTS | {"credito", "credit", "pix", "transferencia", "deposito", "deposit"},
    "money": MONEY,
    "account": MONEY | {"conta", "cartao", "card", "account"},
    "decide": ACTS | BENEFITS | {"credito", "credit", "excecao", "exception", "caso"},
    "stop": ORDERS
    | CANCEL
    | {"conta", "account", "envio", "shipment", "cobranca", "charge", "taxa", "fee", "parcela", "duplicidade"},
    "record": RECORDS | ACTS | BENEFITS | {"pedido", "order", "assinatura", "credito", "produto"},
    "ship": listed("substituto reposicao replacement"),
}
# What we ask for or make, where we say that we do.
MADE = listed(
    "tentativa via nota alteracao mudanca correcao ajuste abertura registro agendamento reagendamento retirada"
    " invoice attempt change correction update rescheduling"
)
PAYMENTS = listed("pagamento pago cartao compra payment card")
# Of anybody's: "cancelamos pedidos" states a habit.
PLURALS = listed(
    "pedidos compras devolucoes trocas reembolsos estornos cancelamentos solicitacoes chamados orders returns refunds"
)
# A subject of their own: what is said of these is read from the order, not done by us.
OTHERS = listed(
    "pagamento pacote produto entrega objeto boleto nota encomenda caixa transportadora correios parcel package"
    " payment item box invoice carrier delivery"
)


def is_noun(sentence: Sentence, index: int, nouns: frozenset[str]) -> bool:
    """Tell whether a token is one of these nouns; the credit of a credit card is none."""
    word = sentence.tokens[index].word
    if word not in nouns:
        return False
    around = sentence.tokens[max(0, index - 2) : index + 2]
    return not (word in ("credito", "credit") and any(t.word in ("cartao", "card") for t in around))


def noun_near(sentence: Sentence, index: int, nouns: frozenset[str], *, left: int = 12, right: int = 6) -> bool:
    """Tell whether one of these nouns stands around a token."""
    first, last = max(0, index - left), min(len(sentence.tokens), index + right + 1)
    return any(is_noun(sentence, i, nouns) for i in range(first, last) if i != index)


def own_nouns(tokens: tuple[Token, ...]) -> frozenset[str]:
    return frozenset(t.word for t in tokens if t.word in DOING or t.word in OTHERS)
