"""Talk to the shop in the terminal, or exchange one message per line as JSON."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import TimeoutError as FuturesTimeout
from typing import Any, BinaryIO, TextIO
from uuid import uuid4

from rich.console import Console

from graph.conversation import Bastao
from graph.events import Event, Failed
from ops.logs import TERMINAL, configure_logs
from ops.loop_thread import LoopThread, Opened
from ops.problems import BadId, NotYours, TooMany
from ops.reading import demo_customers, history
from ops.turn_view import TurnView, after, turn_json
from ops.words import names
from routing.shop import Customer
from routing.text import blank
from scripts.argument_types import one_name
from scripts.ending import NO_DATABASE, unusable
from scripts.terminal import Terminal
from settings import ConfigurationError, load_environment, load_settings, open_bastao

EXAMPLES = """\
examples:
  python -m scripts.chat                                  talk as customer c1
  python -m scripts.chat --customer c2 --thread t-42      as another one, in a conversation that goes on later
  python -m scripts.chat --provider msd1+fallback         with another decision provider
  printf 'cadê o pedido 10405?\\n' | python -m scripts.chat --json
                                                          one message per line in, one JSON object per turn out

in a conversation: /nova starts a new one, /sair leaves (so does Ctrl-D), Ctrl-C stops.
"""
INTERRUPTED = 130
CHANNEL = "terminal"
PATIENCE_S = 3.0
GREETING = "Escreva a mensagem. /nova começa outra conversa, /sair encerra."


class Talk:
    """A terminal's side of a conversation: sends, waits for the turn's end, hands every event on."""

    def __init__(self, loop: LoopThread, bastao: Bastao, customer: Customer, new_id: Callable[[], str]) -> None:
        self.loop = loop
        self.bastao = bastao
        self.customer = customer
        self.new_id = new_id

    def turn(self, thread_id: str, text: str, draw: Callable[[Event, TurnView], None]) -> TurnView:
        """Send one message and return its turn. Ctrl-C asks the turn to stop and raises KeyboardInterrupt.

        Raises:
            NotYours, DatabaseUnavailable: as the door does.
        """

        async def send() -> TurnView:
            view = TurnView(thread_id=thread_id, message=text)
            events = self.bastao.conversation.send(
                thread_id, [text], message_id=self.new_id(), customer=self.customer, channel=CHANNEL
            )
            try:
                async for event in events:
                    view = after(view, event)
                    draw(event, view)
            except TooMany as refused:
                view = after(view, Failed(code="too_many_messages", text=refused.text))
            return view

        try:
            return self.loop.run(send())
        except KeyboardInterrupt:
            self.loop.run(self.bastao.conversation.stop(thread_id), timeout_s=5)
            raise


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.chat",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--thread", metavar="ID", help="conversation to start or to go on with (default: a new one)")
    parser.add_argument("--customer", default="c1", metavar="ID", help="demo customer to speak as (default: c1)")
    parser.add_argument(
        "--provider", type=one_name, metavar="NAME", help="decision provider, for example local, msd1, jev+fallback"
    )
    parser.add_argument("--config", metavar="FILE", help="another config.json (BASTAO_CONFIG)")
    parser.add_argument("--data-dir", metavar="DIR", help="where the embedded database lies (BASTAO_DATA_DIR)")
    parser.add_argument("--json", action="store_true", help="read a message per line, print a JSON object per turn")
    return parser.parse_args(argv)


def environment(given: argparse.Namespace, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with what the command line says instead."""
    chosen = {"BASTAO_CONFIG": given.config, "BASTAO_DATA_DIR": given.data_dir}
    return {**environ, **{key: value for key, value in chosen.items() if value}}


def customer_named(bastao: Bastao, loop: LoopThread, customer_id: str) -> Customer:
    """Find a customer of the shop, as if the session had proved it. Raises LookupError that names the demo's."""
    found = loop.run(bastao.services.shop.customer(customer_id))
    if found is None:
        known = [str(c.id) for c in loop.run(demo_customers(bastao.services))]
        raise LookupError(f"no customer {customer_id!r}; the demo's are: {', '.join(known) or 'none'}")
    return found.model_copy(update={"level": "session"})


def json_lines(source: BinaryIO) -> Iterator[str]:
    """Yield the messages of a byte stream, one a line; broken UTF-8 is replaced, lines without anything to see are skipped."""
    for raw in source:
        text = raw.decode("utf-8", errors="replace").strip("\r\n")
        if not blank(text):
            yield text


def talk_json(talk: Talk, thread_id: str, source: BinaryIO, out: TextIO) -> None:
    """Answer a message per line with a JSON object per line, until the input ends."""
    for text in json_lines(source):
        view = talk.turn(thread_id, text, lambda event, view: None)
        out.write(json.dumps(turn_json(view), ensure_ascii=False) + "\n")
        out.flush()


def talk_in_words(talk: Talk, thread_id: str, console: Console) -> None:
    """Converse until /sair or the end of the input."""
    services = talk.bastao.services
    display = {spec.id: spec.display_name for spec in services.roster.specs}
    terminal = Terminal(console, names(display), list(display))
    _greet(talk, terminal, thread_id)
    while True:
        try:
            text = console.input("\n[bold]você ›[/bold] " if console.is_terminal else "")
        except EOFError:
            return
        match text.strip():
            case said if blank(said):
                continue
            case "/sair":
                return
            case "/nova":
                thread_id = f"term-{talk.new_id()}"
                terminal.line(f"Nova conversa {thread_id}.", "dim")
            case _:
                if not console.is_terminal:
                    terminal.customer(text)
                terminal.ended(talk.turn(thread_id, text, terminal.event))


def _greet(talk: Talk, terminal: Terminal, thread_id: str) -> None:
    services = talk.bastao.services
    marks = ["loja de demonstração"] if talk.bastao.mode == "demo" else []
    if services.models.simulated:
        marks.append(f"{services.models.label} (simulado)")
    terminal.line(services.shop_name + (f" · {' · '.join(marks)}" if marks else ""), "bold")
    terminal.line(f"Cliente {talk.customer.name or talk.customer.id} · conversa {thread_id}", "dim")
    terminal.line(GREETING, "dim")
    for line in talk.loop.run(history(services.database, thread_id, customer=talk.customer))[-6:]:
        who = {"customer": "você", "operator": line.author or "pessoa"}.get(line.role)
        label = who or (
            services.roster.by_id(line.agent).display_name if line.agent in services.roster.ids else "Atendimento"
        )
        terminal.line(f"{label} › {line.text}", "dim")


def private_stdout() -> TextIO:
    """Keep standard output for ourselves: whatever else writes there, a library included, lands on standard error."""
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return ours


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run the conversation. Exit 0 at the end of the input, 1 when it cannot go on, 2 for a wrong configuration or no database, 130 at Ctrl-C."""
    given = arguments(argv)
    configure_logs(TERMINAL, load_environment() if environ is None else environ)
    loop, held = LoopThread(), list[Opened[Any]]()
    try:
        code = _converse(given, environ, loop, held)
    except KeyboardInterrupt:
        code = INTERRUPTED
    return code if _closed(held[0] if held else None, loop) else INTERRUPTED


def _converse(
    given: argparse.Namespace, environ: Mapping[str, str] | None, loop: LoopThread, held: list[Opened[Any]]
) -> int:
    """Open and talk; what was opened is put into `held`, for the caller to leave."""
    out: TextIO | None = None
    try:
        where = environment(given, load_environment() if environ is None else environ)
        if given.json:
            out = private_stdout()
        opened = Opened(loop, open_bastao(load_settings(where), where, provider=given.provider))
        held.append(opened)
        _wait_until_ready(opened.value, loop)
        talk = Talk(loop, opened.value, customer_named(opened.value, loop, given.customer), lambda: uuid4().hex)
        thread_id = given.thread or f"term-{uuid4().hex}"
        if out is not None:
            talk_json(talk, thread_id, sys.stdin.buffer, out)
        else:
            for stream in (sys.stdin, sys.stdout):
                stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # text streams have it
            talk_in_words(talk, thread_id, Console(highlight=False))
        return 0
    except (ConfigurationError, *NO_DATABASE) as error:
        return unusable("chat", error)
    except (NotYours, BadId, LookupError) as error:
        unusable("chat", error)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), (out or sys.stdout).fileno())  # the interpreter flushes once more
        return 1


def _closed(opened: Opened[Any] | None, loop: LoopThread) -> bool:
    """Leave what was opened; False when Ctrl-C came in the middle of it (the rest is left all the same)."""
    try:
        if opened is not None:
            opened.close()
        loop.close()
    except KeyboardInterrupt:
        if opened is not None:
            opened.close()
        loop.close()
        return False
    return True


def _wait_until_ready(bastao: Bastao, loop: LoopThread) -> None:
    ready = loop.submit(bastao.ready())
    try:
        ready.result(PATIENCE_S)
    except FuturesTimeout:
        print("chat: preparing the decision model; this takes half a minute, once …", file=sys.stderr)
        ready.result()


if __name__ == "__main__":
    sys.exit(main())
