"""Trace a conversation into a file and draw its last turn: who decided, who worked, what was called, where the time went."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import uuid4

from ops.logs import TERMINAL, configure_logs
from ops.reading import demo_customers
from ops.trace_picture import picture
from ops.trace_tree import NotATrace, documents_of, only, spans_of, tree, turns_of
from ops.tracing import TraceSettings
from scripts.demo_place import place
from scripts.ending import NO_DATABASE, unusable
from settings import ConfigurationError, load_environment, load_settings, open_bastao

BEGIN, END = "<!-- trace:begin -->", "<!-- trace:end -->"
MESSAGES = (
    "oi, meu pedido 10402 já saiu?",
    "e onde está o pedido 10405? por que me cobraram ele duas vezes no pix?",
)
EXAMPLES = """\
examples:
  python -m scripts.trace                                two messages; the second is handed over within its turn
  python -m scripts.trace "cadê meu pedido 10405?"       your own messages, one conversation
  python -m scripts.trace --out turn.json                keep the turn's trace (OTLP JSON: a collector and Jaeger's page read it)
  python -m scripts.trace --read traces.jsonl            draw what `traces.exporter: file` wrote
  python -m scripts.trace --docs docs                    rewrite docs/traces.md, .json and .svg

Needs requirements-otel.txt. No word of a message is in a trace unless OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT
says so. Without BASTAO_DATA_DIR and DATABASE_URL the conversation is held in a new database, which is gone afterwards.
"""


async def traced(messages: Sequence[str], environ: Mapping[str, str], file: Path) -> None:
    """Hold a conversation as a demo customer, its spans going to `file`."""
    settings = load_settings(environ).model_copy(update={"traces": TraceSettings(exporter="file", file=str(file))})
    where = {name: value for name, value in environ.items() if name != "OTEL_TRACES_EXPORTER"}
    async with open_bastao(settings, where) as bastao:
        await bastao.ready()
        customer, *_ = await demo_customers(bastao.services)
        thread_id = f"trace-{uuid4().hex}"
        for text in messages:
            message_id = f"m-{uuid4().hex}"
            async for _ in bastao.conversation.send(
                thread_id, [text], message_id=message_id, customer=customer, channel="demo"
            ):
                pass


def with_tree(text: str, lines: Sequence[str]) -> str:
    """Return the text with the tree between its two markers. Raises ValueError when it does not have both, in order."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"needs a line {BEGIN} and, below it, a line {END}")
    return "\n".join((f"{before}{BEGIN}", "```text", *lines, "```", f"{END}{after}"))


def shown(given: argparse.Namespace, file: Path) -> None:
    """Draw the last turn of a file; keep it where that was asked for.

    Raises `NotATrace` for a file that is none, ValueError for one without a turn.
    """
    try:
        documents = documents_of(file)
        turns = turns_of(spans_of(documents))
    except NotATrace as error:
        raise NotATrace(f"{file}: {error}") from error
    if not turns:
        raise ValueError(f"{file}: no turn in it")
    last = turns[-1]
    kept = json.dumps(only(documents, last[0].trace_id), ensure_ascii=False, indent=1) + "\n"
    lines = tree(last)
    print("\n".join(lines))
    if given.out is not None:
        given.out.write_text(kept, "utf-8")
    if given.docs is not None:
        page: Path = given.docs / "traces.md"
        page.write_text(with_tree(page.read_text("utf-8"), lines), "utf-8")
        page.with_suffix(".json").write_text(kept, "utf-8")
        page.with_suffix(".svg").write_text(picture(last), "utf-8")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.trace",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("messages", nargs="*", default=list(MESSAGES), metavar="MESSAGE", help="what the customer says")
    parser.add_argument("--read", type=Path, metavar="FILE", help="draw the last turn of this file instead")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the trace of the turn that is drawn")
    parser.add_argument("--docs", type=Path, metavar="DIR", help="rewrite the documentation's page, file and picture")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Exit 0, 1 when there is no turn to draw, 2 for a file that is no trace, a wrong configuration or no database."""
    given = arguments(argv)
    environ = load_environment() if environ is None else environ
    configure_logs(TERMINAL, environ)
    try:
        if given.read is not None:
            shown(given, given.read)
            return 0
        with tempfile.TemporaryDirectory() as folder, place(None, environ) as where:
            file = Path(folder) / "traces.jsonl"
            asyncio.run(traced(given.messages, where, file))
            shown(given, file)
    except (ConfigurationError, NotATrace, *NO_DATABASE) as error:
        return unusable("trace", error)
    except (OSError, ValueError) as error:
        print(f"trace: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
