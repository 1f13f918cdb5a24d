"""Events folded into a turn, and the JSON that terminals print of it."""

from datetime import UTC, datetime
from functools import reduce

from graph.events import Decided, Done, Event, Failed, Queued, Reply, Status, Token
from ops.reading import PackageRow, TurnRow
from ops.turn_view import TurnView, after, turn_json, view_of_row
from ops.words import names
from tests.ops.turns import CONFIDENT, FACTS, HANDOFF, NAMES, REPLY, transferred


def folded(events: list[Event]) -> TurnView:
    return reduce(after, events, TurnView(thread_id="t", message="me cobraram duas vezes"))


def test_a_turn_is_complete_after_its_events() -> None:
    view = folded(transferred())
    assert (view.status, view.agent, view.said, view.text) == ("replied", "billing", REPLY, REPLY)
    assert [tool.name for tool in view.tools] == ["lookup_order", "open_billing_ticket"]
    assert view.confirmation is not None
    assert view.working is None


def test_the_text_grows_token_by_token_and_the_reply_replaces_it() -> None:
    events = transferred()
    assert folded(events[:7]).text == REPLY[:10]
    assert folded(events[:8]).text == REPLY
    assert folded(events[:8]).reply is None


def test_who_speaks_is_the_one_it_was_handed_to() -> None:
    elsewhere = CONFIDENT.model_copy(update={"target": "support"})
    assert folded([Decided(decision=elsewhere)]).agent == "support"
    assert folded([Decided(decision=elsewhere), HANDOFF, Token(text="Vi")]).agent == "billing"


def test_the_json_has_exactly_the_promised_keys() -> None:
    printed = turn_json(folded(transferred()))
    assert list(printed) == [
        "thread_id", "turn", "status", "message", "agent", "reason", "probabilities", "confidence", "threshold", "provider",
        "tools", "handoffs", "reply", "latency_ms", "cost_usd",
    ]  # fmt: skip
    assert printed["turn"] == 2
    assert printed["reason"] == "confident"
    assert printed["threshold"] == 0.75
    assert printed["tools"][0] == {"name": "lookup_order", "args": {"order": "10405"}, "outcome": "ok", "by": "model"}
    assert printed["handoffs"] == [
        {"from": "support", "to": "billing", "reason": "confident", "facts": FACTS, "package_tokens": 212}
    ]


def test_an_act_that_was_done_before_is_one_of_the_four_outcomes() -> None:
    assert turn_json(folded(transferred()))["tools"][1]["outcome"] == "ok"


def test_a_failed_turn_says_its_apology_once() -> None:
    apology = "Desculpe. Protocolo ER-1."
    failed = Failed(code="failure", text=apology, protocol="ER-1")
    reply = Reply(text=apology, agent=None, message_id="m", turn_id="t")
    view = folded([failed, reply, Done(turn_id="t", turn=1, status="failed", latency_ms=1.0)])
    assert (view.status, view.said, view.agent) == ("failed", apology, None)


def test_a_message_that_never_got_its_turn_failed() -> None:
    view = folded([Queued(thread_id="t", message_id="m"), Failed(code="busy", text="Tente de novo.")])
    assert view.queued
    assert (turn_json(view)["status"], turn_json(view)["turn"], turn_json(view)["reply"]) == (
        "failed",
        None,
        "Tente de novo.",
    )


def test_what_is_being_done_is_forgotten_when_the_text_arrives() -> None:
    working = folded([Status(doing="working", agent="billing")])
    assert working.working is not None
    assert after(working, Token(text="Vi")).working is None


def test_a_stored_turn_reads_as_its_events_did() -> None:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    row = TurnRow(
        id="t-1", number=2, status="replied", decision=CONFIDENT.model_dump(mode="json"),
        tools=({"name": "lookup_order", "args": {"order": "10405"}, "outcome": "ok", "by": "model", "agent": "billing", "because": None},),
        handoffs=(), checks=(), reply=REPLY, discarded_reply=None, latency_ms=1432.0, cost_usd=0.0, error_protocol=None, started_at=at,
    )  # fmt: skip
    package = PackageRow(
        id="pk", turn_id="t-1", from_agent="support", to_agent="billing", reason="confident", tokens=212, at=at,
        body={**HANDOFF.package, "facts": [{**fact, "id": "f", "turn": 1} for fact in FACTS]},
    )  # fmt: skip
    elsewhere = package.model_copy(update={"turn_id": "t-0"})
    view = view_of_row(row, [elsewhere, package], thread_id="t", name=names(NAMES))
    assert view.decision == CONFIDENT
    assert [h.facts for h in view.handoffs] == [FACTS]
    assert view.handoffs[0].to_label == "Financeiro"
    assert [(t.name, t.args, t.outcome) for t in view.tools] == [("lookup_order", {"order": "10405"}, "ok")]
    assert view.status == "replied"


def test_a_stored_turn_that_runs_has_no_ending() -> None:
    row = TurnRow(
        id="t", number=1, status="running", decision=None, tools=(), handoffs=(), checks=(), reply=None, discarded_reply=None,
        latency_ms=None, cost_usd=0.0, error_protocol=None, started_at=datetime(2026, 11, 30, tzinfo=UTC),
    )  # fmt: skip
    assert view_of_row(row, [], thread_id="t", name=names(NAMES)).status is None
