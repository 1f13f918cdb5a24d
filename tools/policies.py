"""Reading the shop's policies, word for word."""

from routing.text import fold
from tools.contract import Args, Outcome, Tool, ToolContext
from tools.refusing import answering, refuse, refused

# Words that mean the same policy; a shop names its topics as it likes.
_FAMILIES: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "reembolso reembolsos estorno estornos dinheiro refund refunds",
        "devolucao devolucoes devolver arrependimento return returns regret",
        "troca trocas trocar exchange exchanges",
        "defeito defeitos garantia defect defects warranty",
        "cancelamento cancelamentos cancelar cancellation cancellations cancel",
        "entrega entregas envio frete delivery shipping",
        "atraso atrasos atrasado delay delays late",
        "problema problemas errado danificado faltando problem problems damaged missing",
        "endereco enderecos address",
        "boleto boletos",
        "pix",
        "cartao parcela parcelas parcelamento card instalments",
        "pagamento pagamentos payment payments",
        "cobranca cobrancas cobrado charge charges",
        "duplicada duplicado duplicidade dobro duplicate duplicated",
        "desconto descontos cupom cupons discount discounts coupon",
        "nota fiscal nf invoice invoices",
    )
)


class ConsultPolicy(Args):
    topic: str


@answering
async def consult_policy(args: ConsultPolicy, ctx: ToolContext) -> Outcome:
    """Read the shop's policy on a topic (refund times, returns, exchanges, defects, cancellation, delivery, boleto …).

    Answer questions about deadlines and rules only from what it says, never from general knowledge. An unknown topic is
    refused with the topics that exist.
    """
    topics = await ctx.shop.topics()
    topic = find_topic(args.topic, topics)
    text = await ctx.shop.policy(topic, language=ctx.language) if topic else None
    if topic is None or text is None:
        return refused(refuse("no_policy", ctx, topics=", ".join(topics)))
    return Outcome(status="ok", data={"topic": topic, "text": text})


def find_topic(asked: str, topics: tuple[str, ...]) -> str | None:
    """Find the topic that was meant: by name, by a word in common, by a word that means the same; None if unclear."""
    wanted = _words(asked)
    for topic in topics:
        if _words(topic) == wanted:
            return topic
    scores = {topic: _score(topic, wanted) for topic in topics}
    best = max(scores.values(), default=(0, 0, 0))
    tied = [topic for topic, score in scores.items() if score == best]
    return tied[0] if best[0] > 0 and len(tied) == 1 else None


def _score(topic: str, wanted: frozenset[str]) -> tuple[int, int, int]:
    """Rate a topic: words that mean the same, words that are the same, and then the plainer name first."""
    return len(_widened(topic) & wanted), len(_words(topic) & wanted), -len(_words(topic))


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).replace("_", " ").replace("-", " ").split())


def _widened(topic: str) -> frozenset[str]:
    words = _words(topic)
    return words.union(*(family for family in _FAMILIES if family & words))


TOOLS = (Tool(name="consult_policy", kind="READ", args=ConsultPolicy, run=consult_policy, while_waiting=True),)
