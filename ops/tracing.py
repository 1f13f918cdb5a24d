"""Where spans go: nowhere, to a collector by OTLP/HTTP, to the terminal, or to a file. The SDK is an extra (requirements-otel.txt).

What OpenTelemetry's own variables say (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER …) holds here too.
"""

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict

from graph.tracing import SCOPE, Counts, Tracing, hashed
from ops.logs import secrets_of
from routing.masking import Masker

Exporter = Literal["none", "otlp", "console", "file"]
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CONTENT_IN_SPANS = ("SPAN_ONLY", "SPAN_AND_EVENT")


class TraceSettings(BaseModel):
    """`exporter`: OTEL_TRACES_EXPORTER in the environment wins. `file`: where "file" writes, one OTLP JSON document a line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exporter: Exporter = "none"
    file: str = "traces.jsonl"


class TracingUnavailable(ValueError):
    """Traces are asked for and cannot be had. The message says what to install or to write."""


def open_tracing(
    settings: TraceSettings, environ: Mapping[str, str], *, secret: bytes, release: str | None = None
) -> Tracing:
    """Return what traces this process, which is nothing unless configured. Raises `TracingUnavailable`."""
    exporter = _chosen(settings, environ)
    if exporter == "none" or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return Tracing()
    for name, value in environ.items():  # the SDK reads the process's environment, and `.env` is not in it
        if name.startswith("OTEL_"):
            os.environ.setdefault(name, value)
    try:
        return _opened(settings, exporter, environ, secret=secret, release=release)
    except ImportError as error:
        raise TracingUnavailable(
            f"{exporter!r} needs OpenTelemetry's SDK: pip install -r requirements-otel.txt ({error})"
        ) from error
    except OSError as error:
        raise TracingUnavailable(f"{settings.file!r} cannot be written ({error.strerror})") from error


def _chosen(settings: TraceSettings, environ: Mapping[str, str]) -> Exporter:
    given = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() or settings.exporter
    if given not in get_args(Exporter):
        raise TracingUnavailable(f"OTEL_TRACES_EXPORTER: {given!r} is none of {', '.join(get_args(Exporter))}")
    return cast(Exporter, given)


def _opened(
    settings: TraceSettings, exporter: Exporter, environ: Mapping[str, str], *, secret: bytes, release: str | None
) -> Tracing:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from ops.discreet_spans import DiscreetExporter

    content = environ.get(CONTENT, "").strip().upper() in _CONTENT_IN_SPANS
    named = {} if environ.get("OTEL_SERVICE_NAME") else {"service.name": SCOPE}
    resource = Resource.create({**named, **({"service.version": release} if release else {})})
    spans = TracerProvider(resource=resource, shutdown_on_exit=False)
    discreet = DiscreetExporter(
        _exporter(exporter, settings),
        content=content,
        mask=Masker(secrets_of(environ)),
        hashed=partial(hashed, secret=secret),
    )
    spans.add_span_processor(BatchSpanProcessor(discreet))
    meters = _meters(exporter, environ, resource)
    stop_instrumenting = _instrument(spans, meters)

    def close() -> None:
        stop_instrumenting()
        spans.shutdown()
        meters.shutdown()

    return Tracing(
        tracer=spans.get_tracer(SCOPE), counts=Counts.of(meters.get_meter(SCOPE)), content=content, close=close
    )


def _exporter(exporter: Exporter, settings: TraceSettings) -> Any:
    match exporter:
        case "otlp":
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            return OTLPSpanExporter()
        case "file":
            from opentelemetry.exporter.otlp.json.file import FileSpanExporter

            return FileSpanExporter(settings.file)
        case _:
            from opentelemetry.sdk.trace.export import ConsoleSpanExporter

            return ConsoleSpanExporter()


def _meters(exporter: Exporter, environ: Mapping[str, str], resource: Any) -> Any:
    """Counts go where the spans go by OTLP; a file or a terminal gets spans alone."""
    from opentelemetry.sdk.metrics import MeterProvider

    wanted = environ.get("OTEL_METRICS_EXPORTER", "").strip().lower() or ("otlp" if exporter == "otlp" else "none")
    if wanted != "otlp":
        return MeterProvider(resource=resource, shutdown_on_exit=False)
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    return MeterProvider(metric_readers=[reader], resource=resource, shutdown_on_exit=False)


def _instrument(spans: Any, meters: Any) -> Any:
    """Let OpenTelemetry's own LangChain instrumentation add the model calls. It wraps classes: once per process."""
    from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor

    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=spans, meter_provider=meters)
    return instrumentor.uninstrument
