"""Spans of a turn: what the tree is, what it says, and that nobody's words are in it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from graph.tracing import SCOPE, Counts, Tracing
from tests.graph.conftest import Desk, Make, of, reply_of
from tests.scripted import call, calls, nobody

WORDS = "meu pedido 10405 não chegou, e me cobraram duas vezes"
ANSWER = "Vejo duas cobranças do pedido 10405."


class Seen:
    """The spans and counts of one test, kept in memory."""

    def __init__(self, *, content: bool = False) -> None:
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        counts = Counts.of(MeterProvider(metric_readers=[self.reader]).get_meter(SCOPE))
        self.tracing = Tracing(tracer=provider.get_tracer(SCOPE), counts=counts, content=content)

    @property
    def spans(self) -> Sequence[ReadableSpan]:
        return self.exporter.get_finished_spans()

    def tree(self) -> list[str]:
        """One line a span, in order of their beginnings, indented under its parent."""
        lines: list[str] = []

        def under(parent: int | None, depth: int) -> None:
            found = [s for s in self.spans if (s.parent.span_id if s.parent else None) == parent]
            for span in sorted(found, key=lambda s: s.start_time or 0):
                lines.append("  " * depth + span.name)
                under(span.context.span_id if span.context else None, depth + 1)

        under(None, 0)
        return lines

    def of(self, name: str) -> dict[str, Any]:
        (span,) = [s for s in self.spans if s.name == name]
        return dict(span.attributes or {})

    def counted(self, name: str) -> dict[tuple[Any, ...], Any]:
        data = self.reader.get_metrics_data()
        assert data is not None
        points = [
            point
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]
        return {tuple((p.attributes or {}).values()): getattr(p, "value", getattr(p, "count", None)) for p in points}


@pytest.fixture
def seen() -> Seen:
    return Seen()


HOP = {
    "support": [
        calls(
            ("lookup_order", {"order": "10405"}),
            ("not_mine", {"reason": "duplicate_charge", "detail": "cobrado duas vezes"}),
        )
    ],
    "billing": [ANSWER],
}


async def test_a_turn_with_a_hand_off_is_this_tree(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk(HOP, lambda message, exchange: "support", tracing=seen.tracing)
    assert reply_of(await desk.say("meu pedido 10405 não chegou?")) == ANSWER
    assert seen.tree() == [
        "turn",
        "  read",
        "  classify",
        "    decide",
        "  hand_off",
        "  invoke_agent support",
        "    execute_tool lookup_order",
        "    execute_tool not_mine",
        "  transfer",
        "  hand_off",
        "  invoke_agent billing",
        "  transfer",
        "  reply",
        "  commit",
    ]


async def test_the_spans_say_who_why_and_how_much(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk(HOP, lambda message, exchange: "support", tracing=seen.tracing)
    done = of(await desk.say("meu pedido 10405 não chegou?"), "done")[0]
    turn, classify, decide = seen.of("turn"), seen.of("classify"), seen.of("decide")
    assert (turn["bastao.turn.id"], turn["bastao.turn.status"], turn["bastao.turn.number"]) == (
        done.turn_id,
        "replied",
        1,
    )
    assert (classify["bastao.decision.target"], classify["bastao.decision.reason"]) == ("support", "confident")
    assert (decide["bastao.decision.provider"], decide["bastao.decision.confidence"]) == ("scripted", 0.96)
    support, billing = seen.of("invoke_agent support"), seen.of("invoke_agent billing")
    assert (support["bastao.declined"], billing["bastao.declined"]) == (True, False)
    assert (support["gen_ai.agent.name"], support["gen_ai.operation.name"]) == ("support", "invoke_agent")
    stored = await turns_tokens(desk)
    for key, name in (("input", "input_tokens"), ("output", "output_tokens"), ("cached", "cache_read.input_tokens")):
        assert support[f"gen_ai.usage.{name}"] + billing[f"gen_ai.usage.{name}"] == stored[key]
    tool = seen.of("execute_tool not_mine")
    assert (tool["gen_ai.agent.name"], tool["bastao.tool.outcome"]) == ("support", "ok")
    first, second = (dict(s.attributes or {}) for s in seen.spans if s.name == "hand_off")
    assert "bastao.handoff.from" not in first
    assert [second[f"bastao.handoff.{key}"] for key in ("from", "to", "reason")] == [
        "support",
        "billing",
        "duplicate_charge",
    ]
    assert second["bastao.handoff.facts"] != 0


async def test_no_word_and_no_raw_id_is_in_a_span_unless_switched_on(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk(HOP, lambda message, exchange: "support", tracing=seen.tracing)
    desk.thread_id = "+55 11 98888-7777"  # a shop may name its conversations so
    await desk.say(WORDS)
    told = json.dumps([[s.name, dict(s.attributes or {}), s.status.description] for s in seen.spans])
    assert all(s.events == () for s in seen.spans)
    for word in ("10405", "cobraram", "cobranças", "cobrado", "98888", "Ana"):
        assert word not in told

    open_ = Seen(content=True)
    desk = await make_desk(HOP, lambda message, exchange: "support", tracing=open_.tracing)
    await desk.say(WORDS)
    turn = open_.of("turn")
    assert json.loads(turn["gen_ai.input.messages"])[0]["parts"] == [{"type": "text", "content": WORDS}]
    assert json.loads(turn["gen_ai.output.messages"])[0]["parts"] == [{"type": "text", "content": ANSWER}]


async def test_what_fails_is_an_error_by_its_kind_alone(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk({}, lambda message, exchange: RuntimeError(message), tracing=seen.tracing)
    events = await desk.say(WORDS)
    assert of(events, "done")[0].status == "failed"
    failed = {s.name: s for s in seen.spans if s.status.status_code is StatusCode.ERROR}
    assert set(failed) == {"turn", "classify", "decide"}
    assert [dict(s.attributes or {})["error.type"] for s in failed.values()] == ["RuntimeError"] * 3
    assert all(s.status.description is None and s.events == () for s in failed.values())
    assert seen.of("turn")["bastao.turn.status"] == "failed"


async def test_a_provider_that_is_down_is_an_error_of_its_own_span(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk({"support": ["Oi."], "returns": ["Oi."]}, nobody, tracing=seen.tracing)
    assert of(await desk.say("não chegou nada aqui"), "done")[0].status == "replied"
    assert [s.name for s in seen.spans if s.status.status_code is StatusCode.ERROR] == ["decide"]


async def test_a_tool_that_a_model_invents_has_no_name(make_desk: Make, seen: Seen) -> None:
    script = {"support": [call("Ana mora na rua tal", order="1"), "Não consegui ver."]}
    desk = await make_desk(script, lambda message, exchange: "support", tracing=seen.tracing)
    await desk.say("meu pedido não chegou?")
    assert seen.of("execute_tool unknown")["bastao.tool.outcome"] == "refused"


async def test_turns_decisions_hand_offs_and_tools_are_counted(make_desk: Make, seen: Seen) -> None:
    desk = await make_desk(HOP, lambda message, exchange: "support", tracing=seen.tracing)
    await desk.say("meu pedido 10405 não chegou?")
    assert seen.counted("bastao.turn.duration") == {("replied",): 1}
    assert seen.counted("bastao.decisions") == {("support", "confident", "scripted"): 1}
    assert seen.counted("bastao.handoffs") == {
        ("nobody", "support", "confident"): 1,
        ("support", "billing", "duplicate_charge"): 1,
    }
    assert seen.counted("bastao.tool.calls") == {
        ("lookup_order", "support", "ok"): 1,
        ("not_mine", "support", "ok"): 1,
    }


async def turns_tokens(desk: Desk) -> dict[str, int]:
    """Return the tokens that the turn's row has."""
    async with desk.services.database.connection() as conn:
        row = await (await conn.execute("select tokens from turns where thread_id = %s", (desk.thread_id,))).fetchone()
    assert row is not None
    return row["tokens"]
