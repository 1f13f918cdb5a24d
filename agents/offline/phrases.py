"""The offline model's own sentences, by key, in both languages. `$name` stands for a value."""

from collections.abc import Mapping
from string import Template
from types import MappingProxyType

from agents.offline.policy import Text
from routing.model import Language

PHRASES: Mapping[str, Text] = MappingProxyType(
    {
        "hello": Text(pt="Oi!", en="Hi!"),
        "hello_name": Text(pt="Oi, $name!", en="Hi, $name!"),
        "sorry": Text(pt="Sinto muito pelo transtorno.", en="I am sorry about this."),
        "confirm": Text(pt="Confirma $summary?", en="Do you confirm: $summary?"),
        "protocol": Text(pt="Está registrado, protocolo $protocol.", en="It is on record, protocol $protocol."),
        "protocol_is": Text(pt="O protocolo é $protocol.", en="The protocol is $protocol."),
        "repeated": Text(pt="Isso já está aberto, protocolo $protocol.", en="That is already open, protocol $protocol."),
        "unknown": Text(
            pt="Ainda não dá para saber se isso foi registrado. Uma pessoa da equipe precisa conferir.",
            en="It is not known yet whether this was recorded. A person of our team needs to check.",
        ),
        "failed": Text(
            pt="O sistema não respondeu agora, e nada foi alterado. Pode tentar de novo em alguns minutos?",
            en="The system did not answer just now, and nothing was changed. Could you try again in a few minutes?",
        ),
        "which_order": Text(pt="É sobre qual pedido: $options?", en="Which order is it: $options?"),
        "order_unknown": Text(
            pt="De qual pedido você está falando? Me diga o número ou o produto, por favor.",
            en="Which order do you mean? Please tell me its number or the product.",
        ),
        "option": Text(pt="o $order ($products)", en="$order ($products)"),
        "option_bare": Text(pt="o $order", en="$order"),
        "or": Text(pt=" ou ", en=" or "),
        "is_it_order": Text(
            pt="Só para eu não errar: é o pedido $order ($products)? Me confirme o número, por favor.",
            en="So that I make no mistake: is it order $order ($products)? Please confirm its number.",
        ),
        "type_number": Text(
            pt="Para eu seguir com segurança, escreva o número do pedido aqui: $order.",
            en="To be on the safe side, please type the order number here: $order.",
        ),
        "which_item": Text(pt="O pedido $order tem estes itens: $items. Qual deles é?", en="Order $order has: $items. Which one is it?"),
        "ask_reason": Text(
            pt="O que aconteceu com $item (pedido $order)? Me conte o motivo: defeito, tamanho, cor ou se você desistiu.",
            en="What happened with $item (order $order)? Tell me the reason: a defect, size, colour, or a change of mind.",
        ),
        "ask_reason_again": Text(
            pt="Preciso do motivo em uma frase: o que houve com $item (pedido $order)? Pode ser defeito, tamanho, cor ou desistência.",
            en="I need the reason in a sentence: what happened with $item (order $order)? A defect, the size, the colour, or a change of mind?",
        ),
        "difference": Text(
            pt="Você falou em $said, mas no pedido $order o pagamento consta por $recorded.",
            en="You mentioned $said, but order $order is on record as paid by $recorded.",
        ),
        "address_again": Text(
            pt="Me passe o endereço completo, por favor: rua, número, cidade e CEP.",
            en="Please give me the whole address: street, number, city and CEP.",
        ),
        "prove": Text(
            pt="Antes de falar de um pedido, preciso saber que ele é seu: me diga o número dele e dois destes dados da compra: e-mail, CPF, CEP ou telefone.",
            en="Before we talk about an order I need to know that it is yours: tell me its number and two of these: e-mail, CPF, CEP or phone.",
        ),
        "reading_only": Text(
            pt="Como uma pessoa da equipe já foi chamada, até lá eu só consigo consultar. O que você quer que eu veja?",
            en="As a person of our team was already called, until then I can only look things up. What shall I check?",
        ),
        "rejected_before": Text(pt="Você já disse que não quer isso. O que prefere fazer?", en="You said no to that before. What would you rather do?"),
        "not_here": Text(pt="Isso eu não consigo fazer por aqui. Posso ajudar com outra coisa do seu pedido?",
                         en="I cannot do that here. Can I help with something else about your order?"),
        "help": Text(pt="Não entendi bem. Pode me contar o que aconteceu, e com qual pedido?",
                     en="I did not quite get that. Could you tell me what happened, and with which order?"),
        "help_again": Text(
            pt="Ainda não consegui entender. Me diga em poucas palavras o que você precisa; se preferir, é só pedir uma pessoa.",
            en="I still do not understand. Tell me in a few words what you need; or just ask for a person.",
        ),
        "fine": Text(pt="Certo. Se precisar de mais alguma coisa, é só dizer.", en="All right. If you need anything else, just say so."),
        "what_next": Text(
            pt="Certo. Me diga em poucas palavras o que você quer que eu faça.",
            en="All right. Tell me in a few words what you would like me to do.",
        ),
        "again": Text(pt="Desculpe, ainda não peguei essa parte. $question", en="Sorry, I still need this. $question"),
        "person_instead": Text(
            pt="Não estou conseguindo avançar por aqui. Quer que eu peça o retorno de uma pessoa da equipe?",
            en="I am not getting any further here. Shall I have a person get back to you?",
        ),
        "noted_address": Text(pt="Entendi o endereço novo.", en="I have the new address."),
        # The state of a delivery
        "standing_delivered": Text(
            pt="O pedido $order ($products) consta como entregue em $on.",
            en="Order $order ($products) is on record as delivered on $on.",
        ),
        "cancelled": Text(pt="O pedido $order ($products) está cancelado.", en="Order $order ($products) is cancelled."),
        "state_order": Text(pt="O pedido $order ($products) está $status.", en="Order $order ($products) is $status."),
        "state_delivered": Text(
            pt="O pedido $order ($products) consta como entregue em $on. Se você não recebeu, me diga.",
            en="Order $order ($products) is on record as delivered on $on. If you did not receive it, tell me.",
        ),
        "state_late": Text(
            pt="O pedido $order ($products) está atrasado: a previsão era $estimate.",
            en="Order $order ($products) is late: it was due on $estimate.",
        ),
        "carrier": Text(pt="Ele está com $carrier, código de rastreio $tracking.", en="It is with $carrier, tracking code $tracking."),
        "last_event": Text(pt="Último registro: $event.", en='Last event recorded by the carrier: "$event".'),
        "estimate": Text(pt="A previsão de entrega é $estimate.", en="It is expected on $estimate."),
        "not_shipped": Text(pt="Ele ainda não saiu para entrega.", en="It has not been shipped yet."),
        "address": Text(
            pt="No pedido $order o endereço de entrega está assim: $address.", en="The delivery address of order $order is: $address."
        ),
        # Money
        "charges_none": Text(pt="No pedido $order não consta nenhuma cobrança.", en="Order $order has no charge on record."),
        "charges_one": Text(pt="No pedido $order consta uma única cobrança: $charges.", en="Order $order has a single charge on record: $charges."),
        "charges_many": Text(pt="No pedido $order constam $n cobranças: $charges.", en="Order $order has $n charges on record: $charges."),
        "charge": Text(pt="$amount por $method em $on ($status)", en="$amount by $method on $on ($status)"),
        "charge_parts": Text(pt="$amount por $method, em $n vezes, em $on ($status)", en="$amount by $method, in $n instalments, on $on ($status)"),
        "policy": Text(pt="Pela nossa política: $text", en="Our policy: $text"),
        "paid_by": Text(pt="O pedido $order foi pago por $method.", en="Order $order was paid by $method."),
        "refund_pending": Text(
            pt="O reembolso de $amount do pedido $order está em andamento, por $method.",
            en="The refund of $amount for order $order is in progress, by $method.",
        ),
        "refund_done": Text(
            pt="O reembolso de $amount do pedido $order já consta como feito, por $method.",
            en="The refund of $amount for order $order is on record as done, by $method.",
        ),
        "refund_none": Text(
            pt="No pedido $order (pagamento por $method) não consta reembolso em andamento.",
            en="Order $order (paid by $method) has no refund in progress.",
        ),
        "document": Text(pt="Aqui está ($kind do pedido $order): $number. $content", en="Here it is ($kind of order $order): $number. $content"),
        "document_due": Text(pt="O vencimento é $due, no valor de $amount.", en="It is due on $due, for $amount."),
        # Windows and requests
        "windows": Text(
            pt="No pedido $order ($products) os prazos são: desistência até $regret, troca até $exchange, defeito até $defect.",
            en="For order $order ($products): change of mind until $regret, exchange until $exchange, defect until $defect.",
        ),
        "windows_not_yet": Text(
            pt="O pedido $order ($products) ainda não consta como entregue. Os prazos começam a contar na entrega: 7 dias para desistir, 30 para trocar, 90 para defeito.",
            en="Order $order ($products) is not on record as delivered yet. The times start at delivery: 7 days to change your mind, 30 to exchange, 90 for a defect.",
        ),
        "requests_none": Text(pt="Não encontrei nenhuma solicitação sua em registro.", en="I found no request of yours on record."),
        "request": Text(pt="$kind do pedido $order: $status, protocolo $protocol", en="$kind of order $order: $status, protocol $protocol"),
        "requests": Text(pt="Estas são as suas solicitações: $list.", en="These are your requests: $list."),
        "orders": Text(pt="Estes são os seus pedidos: $list.", en="These are your orders: $list."),
        "order_line": Text(pt="$order ($products), $status", en="$order ($products), $status"),
        "orders_none": Text(pt="Não encontrei nenhum pedido na sua conta.", en="I found no order in your account."),
        "about_review": Text(pt="O cliente contesta: \"$text\"", en="The customer disputes: \"$text\""),
        "about_callback": Text(pt="O cliente pede retorno: \"$text\"", en="The customer asks for a contact: \"$text\""),
    }
)  # fmt: skip


def phrase(key: str, language: Language, **values: object) -> str:
    """Return a sentence with its values. Raises KeyError for an unknown key or a missing value."""
    return Template(PHRASES[key].of(language)).substitute(values)
