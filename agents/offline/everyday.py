"""What every specialist understands: disputes, contacts, requests on record; and a policy for those who bring none."""

from agents.offline.policy import Call, FollowUp, Intent, OfflinePolicy, Text
from agents.spec import AgentSpec

_DISPUTES = (
    r"extrato|fatura|comprovante|discord|nao concordo|nao aceito|nao e verdade|(?:ta|esta|tao|estao) errad|^\s*mas\b|tenho certeza|nao foi isso"
    r"|statement|disagree|not true|wrong|^\s*but\b"
)
_OFFERS_REVIEW = r"analise de uma pessoa|peca essa analise|peco a analise|pode analisar o caso|review it|ask for that review|review the case"
_REFUSALS = rf"{_OFFERS_REVIEW}|uma unica cobranca|prazo de \d+ dias|ainda nao|nao consta|antes do envio|dentro do prazo|single charge|days"

REVIEW = Intent(
    name="review",
    when=(r"(?:quero|peco|pode|preciso de) .{0,20}(?:analise|revis)\w*", r"\b(?:contestar|contestacao|dispute)\b"),
    calls=(Call(tool="open_review", args={"about": "$review", "order": "$order?"}),),
    reply="done",
)
CALLBACK = Intent(
    name="callback",
    when=(
        r"\b(?:me lig(?:a|ue|uem|ar)|me retorn\w+|retornem|entr(?:a|e|em|ar) em contato|ligar (?:pra|para) mim|aguardo (?:um )?retorno)\b",
        r"\b(?:call me|get back to me|contact me)\b",
    ),
    unless=(r"nao (?:me )?(?:lig|retorn)", r"ninguem"),
    calls=(Call(tool="promise_callback", args={"about": "$callback", "due": "$due?"}),),
    reply="done",
)
REQUESTS = Intent(
    name="requests",
    when=(
        r"\b(?:meu|minha|meus|minhas|d[oa]) (?:chamad|protocol|solicitac|ticket)\w*",
        r"\b(?:andamento|status) d[aeo] (?:minha |meu )?(?:chamad|troca|devoluc|solicitac|cancelament|protocol|ticket)\w*",
        r"\bmy (?:ticket|request|return)s?\b",
    ),
    unless=(r"\babr(?:e|a|ir)\b", r"\bopen a\b"),
    calls=(Call(tool="list_requests"),),
    reply="requests",
)
ORDERS = Intent(
    name="orders",
    when=(r"\b(?:quais|lista|mostra|ver|todos) .{0,15}\bpedidos\b", r"\bmy orders\b"),
    calls=(Call(tool="list_orders"),),
    reply="orders",
)
NUMBER = Intent(
    name="number",
    when=(r"^\W*(?:e |and )?(?:[oae]|do|da|the)? ?(?:meu |my )?(?:pedido|order)? ?(?:n[º°o.]* ?)?#?\d{4,}\W*$",),
    needs=("order",),
    calls=(Call(tool="lookup_order", args={"order": "$order"}),),
    reply="number",
    weak=True,
)
FOLLOW_UPS = (
    FollowUp(asked=_OFFERS_REVIEW, intent="review"),
    FollowUp(asked=_REFUSALS, said=_DISPUTES, intent="review"),
    FollowUp(asked=r"retorno de uma pessoa|have a person get back", intent="callback"),
)
REPLIES = {
    "done": Text(pt="$done", en="$done"),
    "requests": Text(pt="$requests", en="$requests"),
    "orders": Text(pt="$orders", en="$orders"),
    "where": Text(pt="$where", en="$where"),
    "number": Text(pt="$where O que você precisa sobre ele?", en="$where What do you need to know about it?"),
}
HELP = Text(
    pt="Posso ver isso com você. Me conte em uma frase o que aconteceu, e com qual pedido ou produto?",
    en="I can look at it with you. Could you tell me in a sentence what happened, and with which order or product?",
)
# The whole conversation of a specialist that has no policy of its own: read the order, say what it shows, ask.
_DEFAULT = OfflinePolicy(
    intents=(
        Intent(
            name="order",
            when=(r"\bpedido\b|\border\b|\b\d{5}\b",),
            needs=("order",),
            calls=(Call(tool="lookup_order", args={"order": "$order"}),),
            reply="order",
            weak=True,
        ),
    ),
    replies={
        "order": Text(pt="$where O que você precisa sobre ele?", en="$where What do you need to know about it?"),
    },
)  # fmt: skip


def policy_of(spec: AgentSpec) -> OfflinePolicy:
    """Return a specialist's whole policy: its own first, then what every specialist understands."""
    own = spec.offline or _DEFAULT
    return OfflinePolicy(
        intents=(*own.intents, *(i for i in (REVIEW, CALLBACK, REQUESTS, ORDERS, NUMBER) if _able(i, spec))),
        follow_ups=(*own.follow_ups, *FOLLOW_UPS),
        replies={**REPLIES, **own.replies},
        help=own.help or HELP,
    )


def _able(intent: Intent, spec: AgentSpec) -> bool:
    return all(call.tool in spec.tools for call in intent.calls)
