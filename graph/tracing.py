"""Spans and counts of a turn, over OpenTelemetry's API: it does nothing until an SDK is configured (ops/tracing.py).

Names and attributes follow OpenTelemetry's GenAI conventions where they have one, `bastao.*` where not. Nothing that anybody
wrote is among them unless `content` says so; every other value is an id, a number, or a code from a closed list.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry import metrics, trace
from opentelemetry.metrics import Meter
from opentelemetry.trace import Span, StatusCode, Tracer

from storage.records.turns import Turn

SCOPE = "bastao"
INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
CONVERSATION = "gen_ai.conversation.id"
UNTRACED = {"otel_trace": False}
"""Metadata of a graph's run: OpenTelemetry's LangChain instrumentation adds model calls alone, steps have our own spans."""

Json = dict[str, Any]


def hashed(value: str, *, secret: bytes) -> str:
    """Return what stands for an id of ours outside: a shop may use phone numbers as ids of conversations."""
    return hmac.new(secret, value.encode(), hashlib.sha256).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Counts:
    """What is counted beside the spans. No label has values without bounds."""

    duration: metrics.Histogram
    decisions: metrics.Counter
    handoffs: metrics.Counter
    tools: metrics.Counter
    cost: metrics.Counter

    @classmethod
    def of(cls, meter: Meter) -> "Counts":
        return cls(
            duration=meter.create_histogram("bastao.turn.duration", "s", "From a turn's beginning to its ending."),
            decisions=meter.create_counter("bastao.decisions", "{decision}", "Decisions about who speaks."),
            handoffs=meter.create_counter("bastao.handoffs", "{handoff}", "Passings of the baton between specialists."),
            tools=meter.create_counter("bastao.tool.calls", "{call}", "Tool calls of specialists, by outcome."),
            cost=meter.create_counter("bastao.cost", "USD", "What turns cost: decisions and chat calls."),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracing:
    """Where a process's spans and counts go. The default follows the process's provider, which is none unless set.

    `content`: whether the customer's and our words may be in a span. `close` sends what is left and gives up the exporters.
    """

    tracer: Tracer = field(default_factory=lambda: trace.get_tracer(SCOPE))
    counts: Counts = field(default_factory=lambda: Counts.of(metrics.get_meter(SCOPE)))
    content: bool = False
    close: Callable[[], None] = lambda: None

    @contextmanager
    def span(self, name: str) -> Iterator[Span]:
        """Open a span in the current one. An exception makes it an error by its type alone: its text may quote somebody."""
        opened = self.tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False)
        with opened as span:
            try:
                yield span
            except Exception as error:
                fail(span, type(error).__name__)
                raise

    @contextmanager
    def turn(self, turn: Turn, *, conversation: str, words: Iterable[str]) -> Iterator[Span]:
        """Open the span of a turn. Until an ending is told it is `lost`: another owner has taken it over."""
        with self.span("turn") as span:
            tell(
                span,
                {
                    "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": SCOPE, CONVERSATION: conversation,
                    "bastao.turn.id": turn.id, "bastao.turn.number": turn.number, "bastao.turn.attempts": turn.attempts,
                    "bastao.turn.status": "lost",
                },
            )  # fmt: skip
            self.said(INPUT, "user", words)
            yield span

    @contextmanager
    def tool(self, name: str, *, agent: str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
        """Open the span of a tool call; give what takes its answer, as the model reads it."""
        with self.span(f"execute_tool {name}") as span:
            tell(
                span,
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": name,
                    "gen_ai.tool.type": "function",
                    "gen_ai.agent.name": agent,
                },
            )

            def answered(answer: Mapping[str, Any]) -> None:
                outcome = answer["status"]
                tell(span, {"bastao.tool.outcome": outcome, "bastao.tool.because": answer.get("code")})
                self.counts.tools.add(1, {"tool": name, "agent": agent, "outcome": outcome})
                if outcome == "failed":
                    fail(span, "tool_failed")

            yield answered

    def decided(self, decision: Json) -> None:
        """Count a decision. A rule's has no provider."""
        self.counts.decisions.add(
            1,
            {"target": decision["target"], "reason": decision["reason"], "provider": decision["provider"] or "rule"},
        )

    def handed_off(self, record: Json) -> None:
        self.counts.handoffs.add(
            1, {"from": record["from"] or "nobody", "to": record["to"], "reason": record["reason"]}
        )

    def ended(self, status: str, *, seconds: float, cost_usd: float) -> None:
        """Tell the current turn's ending."""
        span = trace.get_current_span()
        tell(span, {"bastao.turn.status": status, "bastao.cost_usd": cost_usd})
        if status == "failed":
            fail(span, None)
        self.counts.duration.record(seconds, {"status": status})
        self.counts.cost.add(cost_usd)

    def failed(self, kind: str) -> None:
        """Mark the current turn as failed by what broke, also where a receipt still let it reply."""
        fail(trace.get_current_span(), kind)

    def said(self, key: str, role: str, texts: Iterable[str]) -> None:
        """Put words into the current span, where that was switched on."""
        if self.content:
            parts = [{"role": role, "parts": [{"type": "text", "content": text}]} for text in texts]
            trace.get_current_span().set_attribute(key, json.dumps(parts, ensure_ascii=False))


def tell(span: Span, attributes: Mapping[str, Any]) -> None:
    """Set what is known of a span; None is not."""
    span.set_attributes({key: value for key, value in attributes.items() if value is not None})


def fail(span: Span, kind: str | None) -> None:
    span.set_status(StatusCode.ERROR)
    tell(span, {"error.type": kind})
