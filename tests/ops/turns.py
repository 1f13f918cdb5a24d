"""Real events of a turn with a transfer, for whatever draws or prints them."""

from graph.events import Confirmation, Decided, Done, Event, HandedOff, Reply, Status, Token, ToolUsed
from routing.decision import Decision

PROBABILITIES = {"returns": 0.01, "support": 0.05, "billing": 0.91, "out_of_scope": 0.01, "needs_question": 0.02}
FACTS = [
    {"key": "order", "entity": "order:10405", "value": "10405", "source": "customer"},
    {"key": "order_status", "entity": "order:10405", "value": "em trânsito", "source": "tool:lookup_order"},
    {"key": "charges_count", "entity": "order:10405", "value": "2", "source": "tool:lookup_order"},
    {"key": "mention", "entity": None, "value": "tênis", "source": "customer"},
]
CONFIDENT = Decision(
    target="billing", reason="confident", probabilities=PROBABILITIES, confidence=0.91, margin=0.86, threshold=0.75,
    provider="local", model="encoder", calibrated=True, latency_ms=14.0,
)  # fmt: skip
HANDOFF = HandedOff(
    from_agent="support", to_agent="billing", to_label="Financeiro", reason="confident", facts=FACTS,
    package={"schema_version": 1, "facts": FACTS, "detail": None}, package_tokens=212,
)  # fmt: skip
REPLY = "Vi duas cobranças de R$ 349,00. Posso abrir um chamado?"
NAMES = {"returns": "Devoluções e trocas", "support": "Entregas e cadastro", "billing": "Financeiro"}


def transferred(reply: str = REPLY) -> list[Event]:
    """A turn: decided, handed over, looked up, proposed, answered."""
    return [
        Status(seq=1, doing="deciding"),
        Decided(seq=2, decision=CONFIDENT),
        HANDOFF.model_copy(update={"seq": 3}),
        ToolUsed(seq=4, name="lookup_order", args={"order": "10405"}, outcome="ok", agent="billing"),
        ToolUsed(seq=5, name="open_billing_ticket", args={"order": "10405"}, outcome="repeated", agent="billing"),
        Confirmation(
            seq=6, proposal_id="pr-1", summary="abrir um chamado do pedido 10405", expires_at="2026-12-01T12:00Z"
        ),
        Token(seq=7, text=reply[:10]),
        Token(seq=8, text=reply[10:]),
        Reply(seq=9, text=reply, agent="billing", label="Financeiro", message_id="m-9", turn_id="t-1"),
        Done(
            seq=10,
            turn_id="t-1",
            turn=2,
            status="replied",
            latency_ms=1432.0,
            cost_usd=0.0,
            model="modelo offline",
            simulated=True,
        ),
    ]
