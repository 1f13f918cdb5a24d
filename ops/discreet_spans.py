"""What a span may carry out of the process, whoever made it: a list of what is known to hold no words.

Needs OpenTelemetry's SDK (requirements-otel.txt): import it only where that is there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status

from graph.tracing import CONVERSATION, SCOPE

_OURS = "bastao."
_KNOWN = frozenset(
    (
        CONVERSATION, "error.type", "gen_ai.agent.name", "gen_ai.operation.name", "gen_ai.output.type", "gen_ai.provider.name",
        "gen_ai.request.max_tokens", "gen_ai.request.model", "gen_ai.request.temperature", "gen_ai.request.top_p",
        "gen_ai.response.finish_reasons", "gen_ai.response.id", "gen_ai.response.model", "gen_ai.tool.call.id", "gen_ai.tool.name",
        "gen_ai.tool.type", "gen_ai.workflow.name", "http.request.method", "http.response.status_code", "http.route",
        "server.address", "server.port",
    )
)  # fmt: skip
_KNOWN_FAMILIES = ("gen_ai.usage.", _OURS)


class DiscreetExporter(SpanExporter):
    """Passes spans on: without `content` only what is on the list, with it everything, masked.

    `hashed` stands in for ids of conversations in spans that others make: LangChain's instrumentation takes ours as it is.
    """

    def __init__(
        self, inner: SpanExporter, *, content: bool, mask: Callable[[str], str], hashed: Callable[[str], str]
    ) -> None:
        self._inner, self._content, self._mask, self._hashed = inner, content, mask, hashed

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._inner.export([self._discreet(span) for span in spans])

    def shutdown(self) -> None:
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._inner.force_flush(timeout_millis)

    def _discreet(self, span: ReadableSpan) -> ReadableSpan:
        scope = span.instrumentation_scope
        attributes = self._attributes(span.attributes or {})
        if CONVERSATION in attributes and (scope is None or scope.name != SCOPE):
            attributes[CONVERSATION] = self._hashed(str((span.attributes or {})[CONVERSATION]))
        return ReadableSpan(
            name=span.name,
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=attributes,
            events=[Event(e.name, self._attributes(e.attributes or {}), e.timestamp) for e in span.events],
            kind=span.kind,
            status=Status(span.status.status_code),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=scope,
        )

    def _attributes(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if self._content:
            return {key: self._mask(value) if isinstance(value, str) else value for key, value in given.items()}
        return {key: value for key, value in given.items() if key in _KNOWN or key.startswith(_KNOWN_FAMILIES)}
