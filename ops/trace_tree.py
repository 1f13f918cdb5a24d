"""A trace as a person reads it: the spans of a file that the collector's own format fills (OTLP JSON), as a tree of lines."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_WIDTH = 28


class NotATrace(ValueError):
    """What was read is not OTLP JSON; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpan:
    """One span; times in nanoseconds since the epoch."""

    trace_id: str
    id: str
    parent: str | None
    name: str
    begins: int
    ends: int
    failed: bool
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def ms(self) -> float:
        return (self.ends - self.begins) / 1e6


def documents_of(path: Path) -> list[Json]:
    """Return the documents of a file, one a line or one for all of it. Raises `NotATrace` for what is none."""
    try:
        found = _parsed(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotATrace(f"it is not JSON ({error})") from error
    if not all(isinstance(document, dict) for document in found):
        raise NotATrace("a document must be a JSON object")
    return found


def _parsed(text: str) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError:
        return [json.loads(text)]


def spans_of(documents: Sequence[Json]) -> list[TraceSpan]:
    """Return all spans, in order of their beginnings. Raises `NotATrace` for one that lacks what every span has."""
    try:
        found = [_span(raw) for document in documents for raw in _raw_spans(document)]
    except KeyError as error:
        raise NotATrace(f"a span lacks {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise NotATrace("a span does not have the form that OTLP JSON gives it") from error
    return sorted(found, key=lambda span: (span.begins, -span.ends))


def turns_of(spans: Sequence[TraceSpan]) -> list[list[TraceSpan]]:
    """Return the spans of each trace that holds a turn, in order."""
    traces: dict[str, list[TraceSpan]] = {}
    for span in spans:
        traces.setdefault(span.trace_id, []).append(span)
    return [trace for trace in traces.values() if any(span.name == "turn" for span in trace)]


def only(documents: Sequence[Json], trace_id: str) -> Json:
    """Return one trace as one document in the same format."""
    resources: list[Json] = []
    for document in documents:
        for resource in document.get("resourceSpans", []):
            scopes = [
                {**scope, "spans": kept}
                for scope in resource.get("scopeSpans", [])
                if (kept := [s for s in scope.get("spans", []) if str(s["traceId"]) == trace_id])
            ]
            if scopes:
                resources.append({**resource, "scopeSpans": scopes})
    return {"resourceSpans": resources}


def walk(spans: Sequence[TraceSpan]) -> Iterator[tuple[TraceSpan, str]]:
    """Yield the spans of one trace as a tree, each with the branch that is drawn before its name."""
    known = {span.id for span in spans}

    def under(parent: str | None, stem: str) -> Iterator[tuple[TraceSpan, str]]:
        children = [s for s in spans if (s.parent if s.parent in known else None) == parent]
        for span in children:
            last = span is children[-1]
            branch = "" if parent is None else "└─ " if last else "├─ "
            yield span, stem + branch
            yield from under(span.id, stem + ("" if parent is None else "   " if last else "│  "))

    yield from under(None, "")


def tree(spans: Sequence[TraceSpan]) -> list[str]:
    """Draw one trace: name, milliseconds, where in the turn, and what the span says."""
    rows = [(branch + span.name, span) for span, branch in walk(spans)]
    wide = max((len(name) for name, _ in rows), default=0)
    first, last = min(s.begins for s in spans), max(s.ends for s in spans)
    return [
        f"{name:<{wide}}  {span.ms:>8.1f} ms  {_bar(span, first, last)}  {said(span)}".rstrip() for name, span in rows
    ]


def said(span: TraceSpan) -> str:
    """Say in a line what a span's attributes say, by what the span is."""
    known = span.attributes
    words: list[str] = ["FAILED " + str(known.get("error.type", ""))] if span.failed else []
    if "bastao.turn.status" in known:
        words.append(str(known["bastao.turn.status"]))
    if "bastao.handoff.to" in known:
        words.append(f"{known.get('bastao.handoff.from', '(nobody)')} → {known['bastao.handoff.to']}")
        words.append(str(known.get("bastao.handoff.reason", "?")))
        facts, tokens = (known.get(f"bastao.handoff.{what}", "?") for what in ("facts", "package_tokens"))
        words.append(f"{facts} facts, {tokens} tokens")
    for key in ("bastao.decision.target", "bastao.decision.reason", "bastao.decision.provider"):
        if key in known:
            words.append(str(known[key]))
    if isinstance(known.get("bastao.decision.confidence"), int | float):
        words.append(f"p {known['bastao.decision.confidence']:.2f}")
    if "bastao.tool.outcome" in known:
        words.append(" ".join(str(known[k]) for k in ("bastao.tool.outcome", "bastao.tool.because") if k in known))
    if "gen_ai.usage.input_tokens" in known:
        cached = known.get("gen_ai.usage.cache_read.input_tokens", 0)
        words.append(
            f"{known['gen_ai.usage.input_tokens']} in ({cached} cached), {known.get('gen_ai.usage.output_tokens', 0)} out"
        )
    if known.get("bastao.declined"):
        words.append("not mine")
    return " · ".join(words)


def _bar(span: TraceSpan, first: int, last: int) -> str:
    scale = _WIDTH / max(last - first, 1)
    begins = min(int((span.begins - first) * scale), _WIDTH - 1)
    length = max(1, round((span.ends - span.begins) * scale))
    return f"{'·' * begins}{'█' * min(length, _WIDTH - begins)}".ljust(_WIDTH, "·")


def _raw_spans(document: Json) -> Iterator[Json]:
    for resource in document.get("resourceSpans", []):
        for scope in resource.get("scopeSpans", []):
            yield from scope.get("spans", [])


def _span(raw: Json) -> TraceSpan:
    return TraceSpan(
        trace_id=str(raw["traceId"]), id=str(raw["spanId"]), parent=raw.get("parentSpanId") or None, name=str(raw["name"]),
        begins=int(raw["startTimeUnixNano"]), ends=int(raw["endTimeUnixNano"]), failed=raw.get("status", {}).get("code") in (2, "STATUS_CODE_ERROR"),
        attributes={a["key"]: _value(a["value"]) for a in raw.get("attributes", [])},
    )  # fmt: skip


def _value(raw: Json) -> Any:
    """Read a typed value; whole numbers are written as strings."""
    if "intValue" in raw:
        return int(raw["intValue"])
    if "arrayValue" in raw:
        return [_value(inner) for inner in raw["arrayValue"].get("values", [])]
    return next(iter(raw.values()), None)
