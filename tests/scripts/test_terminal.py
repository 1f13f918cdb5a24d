"""What a terminal shows of a turn."""

import io
from functools import reduce

import pytest
from rich.console import Console

from graph.events import Done, Event, Failed, PersonCalled, Reply
from ops.turn_view import TurnView, after
from ops.words import names
from scripts.terminal import Terminal, bar_line
from tests.ops.turns import CONFIDENT, NAMES, REPLY, transferred


def printed(events: list[Event], *, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=colour, width=200, highlight=False, color_system="standard" if colour else None
    )
    terminal = Terminal(console, names(NAMES), list(NAMES))
    view = TurnView(thread_id="t")
    for event in events:
        view = after(view, event)
        terminal.event(event, view)
    terminal.ended(view)
    return out.getvalue()


def test_a_turn_reads_as_a_conversation() -> None:
    text = printed(transferred())
    assert f"Financeiro › {REPLY}\n" in text
    assert "↪ Entregas e cadastro → Financeiro · levando pedido 10405" in text
    assert "aguarda o sim do cliente: abrir um chamado do pedido 10405" in text
    assert "Consultou o pedido 10405 · Chamado de cobrança · pedido 10405 (já estava feito)" in text
    assert "1,4 s · sem custo · modelo offline (simulado)" in text


def test_a_reply_without_tokens_is_printed_too() -> None:
    events = [event for event in transferred() if event.type != "token"]
    assert f"Financeiro › {REPLY}\n" in printed(events)


def test_an_apology_is_printed_once() -> None:
    failed = Failed(code="failure", text="Desculpe. Protocolo ER-1.", protocol="ER-1")
    reply = Reply(text=failed.text, agent=None, message_id="m", turn_id="t")
    text = printed([failed, reply, Done(turn_id="t", turn=1, status="failed", latency_ms=1.0)])
    assert text.count("Desculpe") == 1
    assert "falhou" in text


def test_a_failure_without_a_reply_is_still_told() -> None:
    assert "Tente de novo" in printed([Failed(code="busy", text="Tente de novo.")])


def test_a_person_is_announced() -> None:
    assert "Protocolo BA-1" in printed([PersonCalled(status="waiting", reason="asked_for_human", protocol="BA-1")])


@pytest.mark.parametrize("evil", ["\x1b[2J\x1b[31m", "\x9b31m", "\u202e"])
def test_a_reply_cannot_steer_the_terminal(evil: str) -> None:
    assert evil not in printed(transferred(reply=f"oi {evil} e mais texto"))


def test_a_reply_is_not_markup() -> None:
    reply = "veja [bold red]isto[/bold red] e [link=http://x]aqui[/link]"
    assert reply in printed(transferred(reply=reply))


def test_names_are_coloured() -> None:
    assert "\x1b[" in printed(transferred(), colour=True)


def test_the_bar_shows_the_likeliest_first() -> None:
    line = bar_line(CONFIDENT, names(NAMES))
    assert line.startswith("Financeiro █████████░ 91%  Entregas e cadastro")
    assert reduce(lambda count, char: count + (char in "█░"), line, 0) == 50
