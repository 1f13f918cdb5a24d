"""What every specialist understands: reviews, contacts, protocols, requests on record, and the answers to what is offered."""

from agents.offline import offers
from agents.offline.orders import ORDER_ALONE
from agents.offline.policy import Call, Intent, OfflinePolicy, Text
from agents.offline.unversed import unversed
from agents.spec import AgentSpec

REVIEW = Intent(
    name="review",
    when=(
        r"(?:quero|peco|pede|peca\w*|pedir|solicit\w+|pode|preciso de) .{0,20}(?:analise|revis)\w*",
        r"\b(?:contestar|contestacao|dispute)\b",
    ),
    calls=(Call(tool="open_review", args={"about": "$review", "order": "$order?"}),),
    reply="done",
)
# What somebody else is said to have promised, up to the contact that it was about: a report, not a request of the customer's.
_PROMISED = (
    r"\b(?:fic(?:ou|aram) (?:de|combinad[oa]|acertad[oa])|tinham? (?:ficado|dito|prometido|combinado)|promet(?:eu|eram|ido)|combin(?:ou|aram)|garanti(?:u|ram)"
    r"|(?:diss(?:e|eram)|fal(?:ou|aram)|avis(?:ou|aram)) que|(?<!eu )(?:ia|iam|iria|iriam)|era (?:pra|para)|deveriam?"
    r"|(?:atendente|vendedor|gerente|supervisor|tecnic|funcionari|rapaz|moc[ao]|transportadora|entregador)\w* (?:\w+ ){0,2}(?:vai|vao))\b"
    r"|\b(?:(?<!i )said|promised|agreed|supposed to|told me|(?:he|she|they|it|you|someone|somebody|agent|rep|guy|lady) ?(?:would|will|was|were|'?d|'ll))\b"
)
# From where a clause begins: what was promised in the one before it asks for nothing in this one.
_ASKS = rf"(?:^|[.,;:!?\n]|\b(?:mas|entao|por isso|but|so)\b)(?:(?!{_PROMISED})[^.,;:!?\n])*?"
CALLBACK = Intent(
    name="callback",
    when=(
        rf"{_ASKS}\b(?:me lig(?:a|ue|uem|ar)|me retorn(?:a|am|e|em|ar)|retornem|entr(?:a|e|em|ar) em contato|ligar (?:pra|para) mim|aguardo (?:um )?retorno)\b",
        rf"{_ASKS}\b(?:call me|get back to me|contact me)\b",
    ),
    unless=(r"nao (?:me )?(?:lig|retorn)", r"ninguem"),
    calls=(Call(tool="promise_callback", args={"about": "$callback", "due": "$due?"}),),
    reply="done",
)
PROTOCOL = Intent(
    name="protocol",
    when=(
        r"\b(?:qual|cade|numero|manda\w*|me (?:passa|da|diz|diga)|perdi|what|which|give me|lost)\b.{0,30}\bprotocol\w*",
        r"^\W*(?:e |and )?(?:o |the )?(?:numero d[eo] |number of the )?protocol\w*(?: number)?\W*$",
    ),
    calls=(Call(tool="list_requests", when="no_receipt"),),
    reply="protocol",
)
REQUESTS = Intent(
    name="requests",
    when=(
        r"\b(?:meu|minha|meus|minhas|d[oa]) (?:chamad|protocol|solicitac|ticket)\w*",
        r"\b(?:andamento|status) d[aeo] (?:minha |meu )?(?:chamad|troca|devoluc|solicitac|cancelament|protocol|ticket)\w*",
        r"\b[a-z]{2}-[a-z0-9]{6}\b.{0,30}\b(?:andou|anda|andamento|status|situacao|como esta|resolv\w+|saiu|demora\w*)\b",
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
    when=ORDER_ALONE,
    needs=("order",),
    calls=(Call(tool="lookup_order", args={"order": "$order"}),),
    reply="number",
    weak=True,
)
REPLIES = {
    "done": Text(pt="$done", en="$done"),
    "requests": Text(pt="$requests", en="$requests"),
    "orders": Text(pt="$orders", en="$orders"),
    "where": Text(pt="$where", en="$where"),
    "protocol": Text(pt="$protocol", en="$protocol"),
    "number": Text(pt="$standing O que você precisa sobre ele?", en="$standing What do you need to know about it?"),
}
HELP = Text(
    pt="Posso ver isso com você. Me conte em uma frase o que aconteceu, e com qual pedido ou produto?",
    en="I can look at it with you. Could you tell me in a sentence what happened, and with which order or product?",
)


def policy_of(spec: AgentSpec) -> OfflinePolicy:
    """Return a specialist's whole policy: its own first, then what every specialist understands."""
    own = spec.offline or unversed(spec)
    everyday = (REVIEW, CALLBACK, PROTOCOL, REQUESTS, ORDERS, NUMBER, *offers.OFFERED)
    known = tuple(intent for intent in everyday if _able(intent, spec))
    # What is understood of anything at all comes last.
    return OfflinePolicy(
        intents=(*known, *own.intents) if spec.offline is None else (*own.intents, *known),
        follow_ups=(*own.follow_ups, *offers.FOLLOW_UPS),
        replies={**REPLIES, **offers.REPLIES, **own.replies},
        help=own.help or HELP,
    )


def _able(intent: Intent, spec: AgentSpec) -> bool:
    return all(call.tool in spec.tools for call in intent.calls)
