"""Devoluções e trocas: giving back, exchanging, cancelling."""

from agents.offline.policy import Call, FollowUp, Intent, OfflinePolicy, Text
from agents.spec import AgentSpec

_LOOKUP = Call(tool="lookup_order", args={"order": "$order"})
_NOT_EXCHANGE = r"\b(?:nao|not|em vez d[ae]|ao inves d[ae]|instead of) (?:an? |the |a |e |uma )*(?:troc\w+|exchange)\b"
_NOT_RETURN = r"\b(?:nao|not|em vez d[ae]|ao inves d[ae]|instead of) (?:an? |the |a |e |uma )*(?:devol\w+|reembols\w+|return|refund)\b"
# Who takes back what they began with wants what comes after: "troca… não, melhor devolver".
_RETHOUGHT = r"\W.{0,12}\b(?:nao|melhor|prefiro|alias|na verdade|no|wait|rather|actually)\b.{0,25}\b"
_TO_RETURN = rf"\b(?:troc\w+|exchange){_RETHOUGHT}(?:devol\w+|reembols\w+|return|refund)\b"
_TO_EXCHANGE = rf"\b(?:devol\w+|return){_RETHOUGHT}(?:troc\w+|exchange|swap)\b"
_ASKED_ONLY = (
    r"\b(?:nao quero|sem) (?:trocar|devolver|cancelar)\b",
    r"\b(?:forma de pagamento|endereco|senha|e-?mail|telefone|cadastro)\b",
)

# When money comes back is the finance team's to say, also where the return is named that it comes from.
_WHEN_MONEY = (
    r"\bquando\b.{0,40}\b(?:dinheiro|estorno|reembolso)\b",
    r"\b(?:dinheiro|estorno|reembolso)\b.{0,60}\b(?:cai|caiu|volta|voltou|creditad\w+)\b",
    r"\bwhen\b.{0,40}\b(?:money|refund)\b",
)

_OFFLINE = OfflinePolicy(
    intents=(
        Intent(
            name="windows",
            when=(
                r"\bate quando\b",
                r"\bprazo\b.{0,20}\b(?:troc\w+|devol\w+|arrepend\w+|garantia|defeito|desist\w+)",
                r"\bquantos dias\b.{0,30}\b(?:troc|devol|desist)\w+",
                r"\bainda (?:da|posso|consigo)\b.{0,20}\b(?:troc|devol)\w+",
                r"\b(?:how long|until when|deadline)\b.{0,30}\b(?:return|exchange)\w*",
            ),
            needs=("order",),
            candidates=("delivered",),
            calls=(_LOOKUP,),
            reply="windows",
            if_cancelled="cancelled",
        ),
        Intent(
            name="requests",
            when=(
                r"\b(?:status|andamento|situacao) d[ae]s? (?:minhas? )?(?:troca|devoluc|cancelament)\w*",
                r"\b(?:minha|a) (?:troca|devolucao) (?:foi|ja foi|esta|ta|saiu|chegou)\b",
                r"\bcomo (?:esta|ta|vai|anda|ficou)\b.{0,12}\b(?:troca|devolucao|cancelamento)\b",
                r"\b(?:troca|devolucao|cancelamento)\b.{0,40}\b(?:foi|esta|ta) (?:mesmo )?(?:abert|aprovad|registrad|conclui)\w+",
                r"\b(?:ja receberam|etiqueta|(?:codigo|autorizacao) de postagem|coleta|recolher)\b",
                r"\b(?:status of my|my) (?:return|exchange)\b",
            ),
            calls=(Call(tool="list_requests"),),
            reply="requests",
        ),
        Intent(
            name="cancel",
            when=(r"\bcancel(?:ar|a|e|em|o|amento|ling)?\b",),
            unless=(r"\bnao (?:quero )?cancel", r"\b(?:foi|esta|ta|consta) cancelad", *_ASKED_ONLY[1:]),
            needs=("order",),
            candidates=("awaiting_payment", "paid", "preparing"),
            calls=(_LOOKUP, Call(tool="cancel_order", args={"order": "$order"})),
            reply="done",
        ),
        Intent(
            name="exchange",
            when=(r"\b(?:troc(?:ar|a|o|am|aria|as|ando|ue|uem|assem)|substitu\w+|reposicao|exchange|swap|replace\w*)\b",
                r"\b(?:quero|queria|manda\w*|mandem) (?:um |uma )?(?:outr[oa]|nov[oa])\b",
                r"\b(?:pegar|pedir|querer|manda\w*) (?:o |a |um |uma )(?:pp|p|m|g|gg|xg|maior|menor|\d{2})\b",
                r"\b(?:want|send me|need) (?:a |an )?(?:new one|another|larger|smaller|bigger)\b",),
            unless=(*_ASKED_ONLY, _NOT_EXCHANGE, _TO_RETURN),
            needs=("order",),
            candidates=("delivered",),
            calls=(
                _LOOKUP,
                Call(
                    tool="open_return_request",
                    args={"order": "$order", "item": "$item", "kind": "exchange", "reason": "$reason"},
                ),
            ),
            reply="done",
            if_cancelled="cancelled",
        ),
        Intent(
            name="return",
            when=(
                r"\bdevol(?:ver|vo|va|veria|ucao|ucoes)\b|\b(?:mandar|enviar) (?:\w+ )?de volta\b",
                r"\b(?:me arrependi|arrependi|arrependimento|desisti|desistir|nao quero (?:mais|ficar)|desfazer a compra|restitui\w*)\b",
                r"\b(?:return|send (?:it )?back|give (?:it )?back|changed my mind)\b",
                r"\b(?:refund|money back|reembolso|dinheiro)\b.{0,20}" + _NOT_EXCHANGE,
                _NOT_EXCHANGE + r".{0,20}\b(?:refund|money|reembolso|dinheiro)\b",
            ),
            unless=(_ASKED_ONLY[1], _NOT_RETURN, _TO_EXCHANGE, *_WHEN_MONEY),
            needs=("order",),
            candidates=("delivered",),
            calls=(
                _LOOKUP,
                Call(
                    tool="open_return_request",
                    args={"order": "$order", "item": "$item", "kind": "return", "reason": "$reason"},
                ),
            ),
            reply="done",
            if_cancelled="cancelled",
        ),
        Intent(
            name="problem",
            when=(
                r"\b(?:defeito\w*|quebr\w+|rasg\w+|estrag\w+|pifou|queim\w+|descol\w+|furad\w+|furo|trinc\w+|manch\w+|arreb\w+|desbot\w+|vazando|estourou|garantia|parou de \w+|nao (?:liga|funciona|carrega|serviu|coube|gostei)\w*)",
                r"\b(?:veio|chegou|esta|ta) com (?:um |algum )?problema\b|\bproblem with\b",
                r"\b(?:tamanho|numero|cor|modelo) errad[oa]\b|\b(?:veio|chegou|mandaram|recebi) (?:o |a |um |uma )?(?:tamanho|numero|cor|modelo)\b",
                r"\bwrong (?:size|colou?r|item)\b",
                r"\b(?:ficou|veio|chegou|e|esta|ta|muito) (?:\w+ )?(?:pequen|grande|apertad|larg|curt|diferente|errad)\w*",
                r"\b(?:stopped working|defective|broken|faulty|does(?:n't| not) (?:work|fit)|too (?:small|big|tight|large)|shattered|cracked|missing \w+)\b",
            ),
            needs=("order",),
            candidates=("delivered",),
            calls=(_LOOKUP,),
            reply="exchange_or_return",
            if_cancelled="cancelled",
            weak=True,
        ),
        Intent(name="choose", when=(), reply="choose"),
        Intent(name="defect_how", when=(), reply="defect_how"),
    ),
    follow_ups=(
        FollowUp(asked=r"(?:troca ou uma devolucao|trocar ou devolver)[^?]*\?|devolucao ou a troca|an exchange or a return|exchange it or return it|a return or an exchange", intent="choose"),
        FollowUp(asked=r"da para pedir o cancelamento|it can be cancelled before shipping", intent="cancel"),
        FollowUp(asked=r"ainda da para trocar|can still be exchanged", intent="exchange"),
        FollowUp(asked=r"tem algum defeito, me conte|if it has a defect, tell me", intent="defect_how"),
    ),
    replies={
        "choose": Text(pt="Qual dos dois: trocar por outro ou devolver?", en="Which of the two: an exchange, or a return?"),
        "defect_how": Text(pt="Qual é o defeito? Me conte o que acontece com o produto.", en="What is the defect? Tell me what happens with the product."),
        "number": Text(pt="$standing Você quer trocar, devolver ou cancelar?", en="$standing Would you like to exchange, return or cancel it?"),
        "windows": Text(pt="$windows Quer que eu abra uma troca ou uma devolução?", en="$windows Shall I open an exchange or a return?"),
        "requests": Text(pt="$requests", en="$requests"),
        "exchange_or_return": Text(
            pt="Entendi. $windows Você prefere trocar ou devolver o produto?",
            en="I see. $windows Would you rather exchange it or return it?",
        ),
    },
    help=Text(
        pt="Posso ajudar com troca, devolução ou cancelamento. Qual produto é, e o que aconteceu com ele?",
        en="I can help with an exchange, a return or a cancellation. Which product is it, and what happened to it?",
    ),
)  # fmt: skip

SPEC = AgentSpec(
    id="returns",
    display_name="Devoluções e trocas",
    display_name_en="Returns and exchanges",
    role="Quer devolver, trocar ou cancelar: defeito, não serviu, arrependimento; andamento, etiqueta, coleta e prazo de uma devolução ou troca.",
    topic="troca, devolução ou cancelamento",
    topic_en="a return, an exchange or a cancellation",
    aliases=(
        "trocas",
        "troca",
        "devoluções",
        "devolução",
        "devoluções e trocas",
        "cancelamento",
        "cancelamentos",
        "returns",
        "exchanges",
    ),
    posture="executes",
    tools=(
        "lookup_order",
        "list_orders",
        "list_requests",
        "consult_policy",
        "open_return_request",
        "cancel_order",
        "verify_identity",
        "open_review",
        "promise_callback",
        "note_hypothesis",
        "not_mine",
        "recall",
    ),
    reasons={
        "exchange": "quer trocar um produto por outro tamanho, cor ou modelo (exchange)",
        "return": "quer devolver um produto: arrependimento, desistiu da compra, etiqueta ou coleta da devolução (return, send back)",
        "cancel": "quer cancelar um pedido, cancelamento antes do envio (cancel)",
        "defect": "o produto veio com defeito, quebrado, parou de funcionar ou não serviu (defective, broken, stopped working)",
    },
    offline=_OFFLINE,
)
