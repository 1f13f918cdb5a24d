"""Entregas e cadastro: where it is, where it goes, and who the customer is to us."""

from agents.offline.policy import Call, FollowUp, Intent, OfflinePolicy, Text
from agents.spec import AgentSpec
from routing.shop import OrderStatus

_LOOKUP = Call(tool="lookup_order", args={"order": "$order"})
_LATE_TICKET = Call(tool="open_delivery_ticket", args={"order": "$order", "kind": "delayed"}, when="late", lead="where")
_CHANGE = Call(tool="update_address", args={"order": "$order", "address": "$address"})
_UNSHIPPED: tuple[OrderStatus, ...] = ("awaiting_payment", "paid", "preparing")
_UNDELIVERED: tuple[OrderStatus, ...] = (*_UNSHIPPED, "in_transit", "delayed")


def _ticket(name: str, *when: str) -> Intent:
    """A complaint about what arrived: the ticket of that kind."""
    return Intent(
        name=name,
        when=when,
        unless=(r"\b(?:troc(?:ar|a)|devolver|cobr\w+)\b",),
        needs=("order",),
        candidates=("delivered",),
        calls=(_LOOKUP, Call(tool="open_delivery_ticket", args={"order": "$order", "kind": name})),
        reply="done",
        if_cancelled="cancelled",
    )


_OFFLINE = OfflinePolicy(
    intents=(
        Intent(
            name="correct_address",
            when=(
                r"\b(?:errei|me enganei|me confundi|digitei errado|corrigindo|na verdade|quis dizer|numero (?:certo|correto|e))\b",
                r"\b(?:i meant|my mistake|typo|the number is)\b",
            ),
            unless=(r"\b(?:cobr|reembols|troc(?:ar|a) (?:o|a) (?!endereco|numero))",),
            after=("update_address",),
            needs=("order",),
            candidates=_UNSHIPPED,
            calls=(_CHANGE,),
            reply="done",
        ),
        Intent(
            name="check_address",
            when=(
                r"\bendereco\b.{0,40}\b(?:certo|certinho|correto|ficou|ficar|salv\w+|gravad\w+|registrad\w+|atualizad\w+)\b",
                r"\b(?:qual|confere|conferir|confirma|ver|saber)\b.{0,25}\bendereco\b",
                r"\baddress\b.{0,30}\b(?:right|correct|saved|updated)\b|\bwhich address\b|\bwhat(?:'s| is) the (?:delivery )?address\b",
            ),
            unless=(
                r"\b(?:mud|troc|alter|corrig|atualiz)(?:ar|a|e|em|ir|o)\b",
                r"\b(?:errad|incorret)\w*\b",
                r"\brua\b.*\d",
            ),
            needs=("order",),
            candidates=_UNSHIPPED,
            calls=(_LOOKUP,),
            reply="address",
        ),
        Intent(
            name="change_address",
            when=(
                r"\b(?:mud|troc|alter|corrig|atualiz|arrum|consert)\w*\b.{0,40}\b(?:endereco|numero d[ae] (?:casa|rua|entrega)|numero d[oa] endereco|cep|rua)\b",
                r"\b(?:mud|alter)\w*\b.{0,10}\bentrega\b",
                r"\bendereco\b.{0,40}\b(?:errad|incorret|novo|outro|e o|deve ser|tem que ser|saiu)\w*",
                r"\b(?:numero|cep|rua|complemento)\b.{0,40}\b(?:errad|incorret|cert|corret)\w*",
                r"\bmudei (?:de|para|pra)\b|\bme mudei\b|\btem que (?:ir|chegar) (?:pra|para|n[ao]) (?:rua|avenida|av)\b|\bmudanca de (?:residencia|endereco)\b|\bnovo endereco\b",
                r"\b(?:entreg|mand|envi)\w+\b.{0,20}\b(?:outro endereco|meu trabalho|na casa d)",
                r"\b(?:change|update|fix|correct|wrong)\b.{0,30}\b(?:address|house number|zip)\b|\baddress\b.{0,20}\bwrong\b",
            ),
            unless=(r"\be-?mail\b|\btelefone\b|\bsenha\b",),
            needs=("order",),
            candidates=_UNSHIPPED,
            calls=(_CHANGE,),
            reply="done",
        ),
        _ticket(
            "not_received",
            r"\b(?:consta|diz|fala|aparece|marcad\w+|status|rastre\w+)\b.{0,30}\bentreg\w+.{0,50}\b(?:nao (?:recebi|chegou|veio|esta)|ninguem recebeu)\b",
            r"\bnao recebi\b.{0,50}\b(?:consta|diz|aparece)\b.{0,20}\bentregue\b",
            r"\bmarked as delivered\b|\bsays (?:it was )?delivered\b",
        ),
        _ticket("damaged", r"\b(?:chegou|veio|caixa)\b.{0,25}\b(?:quebrad|amassad|danificad|rasgad|violad|trincad|rachad|arranhad|estilhac)\w*", r"\barrived (?:\w+ )?(?:damaged|broken|cracked|shattered)\b"),
        _ticket("missing_item", r"\b(?:falt(?:ou|ando|a)|incomplet\w+|(?:veio|chegou) (?:so|sem)|metade do pedido|(?:um|uma) (?:\w+ )?a menos)\b", r"\bmissing (?:item|part|piece)s?\b"),
        _ticket(
            "wrong_item",
            r"\b(?:produto|item|modelo|cor|tamanho) errad[oa]\b|\b(?:veio|mandaram|enviaram|entregaram) (?:o |a |um |uma )?(?:\w+ )?(?:errad|trocad)[oa]\b",
            r"\bwrong (?:item|product|size|colou?r)\b",
        ),
        Intent(
            name="registration",
            when=(
                r"\b(?:cadastro|senha|login|logar|minha conta|meu nome|(?:entro|entrar|acesso|acessar) (?:na|no|a) (?:conta|site|app))\b",
                r"\b(?:mud|troc|alter|atualiz|corrig)\w*\b.{0,25}\b(?:e-?mail|telefone|celular|nome)\b",
                r"\b(?:password|my account|my (?:e-?mail|phone))\b",
            ),
            unless=(r"\bme (?:lig|retorn)(?:a|ue|uem|em|e|ar)\b|\bentr(?:e|em|ar) em contato\b|\bcall me\b",),
            reply="registration",
        ),
        Intent(
            name="schedule",
            when=(r"\b(?:agendar|reagendar|tentativas?|porteiro|portaria|vizinh\w+|que horas|horario|outro dia|remarcar|retirar|assinar|receber por mim|quem vai receber|nao (?:estava|vou estar|estiver))\b", r"\b(?:reschedule|delivery attempt)\b"),
            unless=(r"\bcade\b|\bonde\b",),
            calls=(Call(tool="consult_policy", args={"topic": "entrega"}),),
            reply="schedule",
        ),
        Intent(
            name="track",
            when=(
                r"\b(?:cade|kd|onde (?:esta|ta|anda|foi parar)|rastre\w+|transportadora|previsao|localiz\w+)\b",
                r"\b(?:nao|nunca|nem) (?:\w+ )?(?:chegou|veio|recebi|foi entregue|saiu|saiu para entrega)\b",
                r"\b(?:quando|que dia|ate quando|vai) (?:\w+ )?(?:chega|chegar|chegam|entregam|entregue)\b|\bchega hoje\b|\b(?:extraviad|sumiu|despachad)\w*",
                r"\b(?:atras\w+|demor\w+|parad[oa]|passou do prazo|fora do prazo|status do (?:meu )?pedido|chegou\?)",
                r"\b(?:where(?:'s| is)|track\w*|has(?:n't| not) arrived|not arrived|late|delayed|when will|any news (?:about|on|of)|supposed to (?:be here|arrive|have arrived))\b",
            ),
            unless=(r"\b(?:reembolso|estorno|dinheiro|nota fiscal|boleto|refund|money|invoice)\b",),
            needs=("order",),
            candidates=_UNDELIVERED,
            calls=(_LOOKUP, _LATE_TICKET),
            reply="where",
        ),
        Intent(
            name="state",
            when=(r"\b(?:meu pedido|o pedido|entrega|encomenda|pacote|my order|my package|parcel|delivery)\b", r"^\W*(?:pedido )?#?\d{5}\W*$"),
            needs=("order",),
            candidates=_UNDELIVERED,
            calls=(_LOOKUP, _LATE_TICKET),
            reply="where",
            weak=True,
        ),
        Intent(name="received_or_not", when=(), reply="received_or_not"),
    ),
    follow_ups=(
        FollowUp(asked=r"se voce nao recebeu, me diga|if you did not receive it", intent="received_or_not"),
        FollowUp(asked=r"ou ele nao chegou ate voce|or did it not reach you", said=r"^\W*(?:nao|no|nope)\W*$|nao (?:recebi|chegou|veio)|did ?n[o']t|not received|^\W*the second", intent="not_received"),
        FollowUp(asked=r"se voce nao recebeu, me diga|if you did not receive it", said=r"nao (?:recebi|chegou|veio)|did ?n[o']t|not received", intent="not_received"),
    ),
    replies={
        "received_or_not": Text(
            pt="Só para eu entender: você recebeu o pedido, ou ele não chegou até você?",
            en="Just so that I understand: did you receive it, or did it not reach you?",
        ),
        "address": Text(pt="$address", en="$address"),
        "registration": Text(
            pt="Por aqui eu não consigo mudar dados do cadastro nem a senha. Posso pedir o retorno de uma pessoa da equipe: quer?",
            en="I cannot change account data or passwords here. I can have a person get back to you: would you like that?",
        ),
        "schedule": Text(pt="$policy", en="$policy"),
    },
    help=Text(
        pt="Posso ajudar com rastreio, entrega e endereço. É sobre algum pedido seu? O que aconteceu?",
        en="I can help with tracking, delivery and addresses. Is it about one of your orders? What happened?",
    ),
)  # fmt: skip

SPEC = AgentSpec(
    id="support",
    display_name="Entregas e cadastro",
    display_name_en="Delivery and account",
    role="Onde está o pedido, rastreio, atraso, não recebido, transportadora, agendamento da entrega, endereço de entrega e dados do cadastro.",
    topic="a entrega ou o cadastro",
    topic_en="the delivery or your details",
    aliases=("entregas", "entrega", "entregas e cadastro", "cadastro", "rastreio", "suporte", "support", "delivery"),
    posture="executes",
    tools=(
        "lookup_order",
        "list_orders",
        "list_requests",
        "consult_policy",
        "update_address",
        "open_delivery_ticket",
        "verify_identity",
        "open_review",
        "promise_callback",
        "note_hypothesis",
        "not_mine",
        "recall",
    ),
    reasons={
        "tracking": "onde está o pedido, cadê, rastreio, transportadora, não chegou, não recebeu, quando chega (tracking, where is it)",
        "delay": "entrega atrasada, atraso, parada ou fora do prazo (delay, late)",
        "address": "endereço de entrega: corrigir, mudar ou conferir rua, número da casa, CEP (address)",
        "registration": "dados do cadastro: e-mail, telefone, senha, login, conta (account, password)",
    },
    offline=_OFFLINE,
)
