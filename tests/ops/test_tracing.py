"""Where spans go: what a file and a collector get, what never leaves, and that the extra may be absent."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from graph.tracing import hashed
from ops.discreet_spans import DiscreetExporter
from ops.trace_tree import TraceSpan, documents_of, spans_of, tree, turns_of, walk
from ops.tracing import CONTENT, TraceSettings, TracingUnavailable, open_tracing
from settings import ROOT
from tests.graph.conftest import Make
from tests.graph.conftest import make_desk as make_desk
from tests.graph.test_tracing import ANSWER, HOP

SECRET = b"a secret of the tests"
SAID = "o pedido 10405 da Ana do CPF 529.982.247-25 não chegou"


async def traced_to(file: Path, make_desk: Make, *, thread_id: str) -> list[TraceSpan]:
    """Hold a turn with a hand-off, its spans going to a file, and return what the file has."""
    tracing = open_tracing(TraceSettings(exporter="file", file=str(file)), {}, secret=SECRET, release="r1")
    try:
        desk = await make_desk(HOP, lambda message, exchange: "support", tracing=tracing)
        desk.thread_id = thread_id
        await desk.say(SAID)
    finally:
        tracing.close()
    (spans,) = turns_of(spans_of(documents_of(file)))
    return spans


async def test_a_file_holds_the_tree_with_the_model_calls_and_nobodys_words(make_desk: Make, tmp_path: Path) -> None:
    spans = await traced_to(tmp_path / "traces.jsonl", make_desk, thread_id="+5511988887777")
    assert [branch + span.name for span, branch in walk(spans)] == [
        "turn",
        "├─ read",
        "├─ classify",
        "│  └─ decide",
        "├─ hand_off",
        "├─ invoke_agent support",
        "│  ├─ chat support",
        "│  ├─ execute_tool lookup_order",
        "│  └─ execute_tool not_mine",
        "├─ transfer",
        "├─ hand_off",
        "├─ invoke_agent billing",
        "│  └─ chat billing",
        "├─ transfer",
        "├─ reply",
        "└─ commit",
    ]
    named = {s.attributes["gen_ai.conversation.id"] for s in spans if "gen_ai.conversation.id" in s.attributes}
    assert named == {hashed("+5511988887777", secret=SECRET)}
    chats = [s for s in spans if s.name.startswith("chat ")]
    assert all(s.attributes["gen_ai.usage.input_tokens"] > 0 for s in chats)
    written = (tmp_path / "traces.jsonl").read_text("utf-8")
    for word in ("529.982.247-25", "10405", "Ana", "não chegou", "cobranças", "cobrado", "98888"):
        assert word not in written
    assert "r1" in written


async def test_words_that_are_switched_on_are_masked(
    make_desk: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONTENT, "SPAN_ONLY")  # LangChain's instrumentation reads the process's own
    tracing = open_tracing(
        TraceSettings(exporter="file", file=str(tmp_path / "t.jsonl")), {CONTENT: "SPAN_ONLY"}, secret=SECRET
    )
    try:
        desk = await make_desk(HOP, lambda message, exchange: "support", tracing=tracing)
        await desk.say(SAID)
    finally:
        tracing.close()
    spans = spans_of(documents_of(tmp_path / "t.jsonl"))
    told = {s.name: s.attributes for s in spans}
    assert "o pedido 10405 da Ana" in told["turn"]["gen_ai.input.messages"]
    assert ANSWER in told["turn"]["gen_ai.output.messages"]
    assert "10405" in told["chat billing"]["gen_ai.input.messages"]
    assert "529.982.247-25" not in (tmp_path / "t.jsonl").read_text("utf-8")


def test_what_another_library_puts_into_a_span_stays_here() -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(
        SimpleSpanProcessor(DiscreetExporter(kept, content=False, mask=lambda text: text, hashed=lambda text: "h"))
    )
    heard = {"gen_ai.input.messages": "Ana", "url.query": "Ana", "input.value": "Ana"}
    with suppress(ValueError), provider.get_tracer("another").start_as_current_span("chat x") as span:
        span.set_attributes({**heard, "gen_ai.request.model": "x"})
        raise ValueError("Ana")
    (left,) = kept.get_finished_spans()
    assert dict(left.attributes or {}) == {"gen_ai.request.model": "x"}
    assert [(e.name, dict(e.attributes or {})) for e in left.events] == [("exception", {})]
    assert (left.status.is_ok, left.status.description) == (False, None)


class Collector:
    """What a collector was sent, by path."""

    def __init__(self) -> None:
        self.got: dict[str, list[bytes]] = {}


@contextmanager
def collecting() -> Iterator[tuple[str, Collector]]:
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            kept.got.setdefault(self.path, []).append(body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", kept
    finally:
        server.shutdown()
        server.server_close()


async def test_a_collector_gets_spans_and_counts_by_otlp(make_desk: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as (address, collector):
        environ = {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_SERVICE_NAME": "loja"}
        for name, value in environ.items():
            monkeypatch.setenv(name, value)  # so that what the SDK is given is taken back afterwards
        tracing = open_tracing(TraceSettings(), environ, secret=SECRET)
        desk = await make_desk(HOP, lambda message, exchange: "support", tracing=tracing)
        await desk.say("meu pedido 10405 não chegou?")
        tracing.close()
    spans = [ExportTraceServiceRequest.FromString(body) for body in collector.got["/v1/traces"]]
    names = [s.name for r in spans for rs in r.resource_spans for ss in rs.scope_spans for s in ss.spans]
    assert {"turn", "hand_off", "chat billing"} <= set(names)
    about = {a.key: a.value.string_value for a in spans[0].resource_spans[0].resource.attributes}
    assert about["service.name"] == "loja"
    counts = [ExportMetricsServiceRequest.FromString(body) for body in collector.got["/v1/metrics"]]
    counted = {m.name for r in counts for rm in r.resource_metrics for sm in rm.scope_metrics for m in sm.metrics}
    assert {"bastao.turn.duration", "bastao.handoffs", "gen_ai.client.token.usage"} <= counted


def test_traces_without_the_extra_are_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(TracingUnavailable, match=r"requirements-otel\.txt"):
        open_tracing(TraceSettings(exporter="console"), {}, secret=SECRET)
    assert open_tracing(TraceSettings(), {}, secret=SECRET).content is False


def test_an_exporter_that_is_none_is_named() -> None:
    with pytest.raises(TracingUnavailable, match="zipkin"):
        open_tracing(TraceSettings(), {"OTEL_TRACES_EXPORTER": "zipkin"}, secret=SECRET)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(TracingUnavailable, match="cannot be written"):
        open_tracing(TraceSettings(exporter="file", file=str(tmp_path / "no" / "t.jsonl")), {}, secret=SECRET)


@pytest.mark.slow
def test_everything_starts_without_the_extra() -> None:
    absent = "('opentelemetry.sdk', 'opentelemetry.exporter', 'opentelemetry.instrumentation')"
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({absent}))\n"
        "import api, settings, graph.build, scripts.trace\n"
        "from ops.tracing import TraceSettings, open_tracing\n"
        "with open_tracing(TraceSettings(), {}, secret=b'x').span('turn') as span:\n"
        "    print(span.is_recording())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("False\n", 0), done.stderr


def test_a_tree_says_how_long_where_and_what() -> None:
    def span(id: str, parent: str | None, name: str, begins: int, ends: int, **more: Any) -> TraceSpan:
        return TraceSpan(
            trace_id="t",
            id=id,
            parent=parent,
            name=name,
            begins=begins * 10**6,
            ends=ends * 10**6,
            failed=False,
            **more,
        )

    spans = [
        span("a", None, "turn", 0, 28, attributes={"bastao.turn.status": "replied"}),
        span("b", "a", "read", 0, 7),
        span("c", "a", "invoke_agent billing", 14, 28, attributes={"gen_ai.usage.input_tokens": 10}),
    ]
    assert tree(spans) == [
        "turn                         28.0 ms  ████████████████████████████  replied",
        "├─ read                       7.0 ms  ███████·····················",
        "└─ invoke_agent billing      14.0 ms  ··············██████████████  10 in (0 cached), 0 out",
    ]
