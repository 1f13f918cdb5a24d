"""How a turn looks in a terminal: coloured names, the reply as it streams, and one dim line of what was behind it."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from graph.events import Confirmation, Discarded, Event, HandedOff, PersonCalled, Reply, Token, ToolUsed
from ops.turn_view import TurnView
from ops.words import (
    Name,
    carried_words,
    dollars,
    outcome_words,
    percent,
    person_words,
    printable,
    provider_words,
    reason_words,
    seconds,
    status_words,
    tool_words,
)
from routing.decision import Decision

_COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "bright_red")
_BLOCKS = 10


class Terminal:
    """Prints events as they come. Nothing that a customer, a model or a tool wrote is read as markup or control codes."""

    def __init__(self, console: Console, name: Name, roster: Sequence[str], *, details: bool = True) -> None:
        self._console = console
        self._name = name
        self._roster = list(roster)
        self._details = details
        self._speaking = False

    def line(self, text: str, style: str = "") -> None:
        self._console.print(Text(printable(text), style=style), soft_wrap=True)

    def customer(self, text: str, who: str = "você") -> None:
        """Print what the customer says."""
        self._console.print(Text.assemble((f"\n{who} › ", "bold"), printable(text)), soft_wrap=True)

    def event(self, event: Event, view: TurnView) -> None:
        """Print one event; `view` already holds it."""
        match event:
            case HandedOff() if event.from_agent is not None:
                carried = carried_words(event.facts)
                passed = f"  ↪ {self._name(event.from_agent)} → {event.to_label}"
                self.line(f"{passed} · levando {carried}" if carried else passed, "bold")
            case Token():
                self._speak(view)
                self._console.print(Text(printable(event.text)), end="", soft_wrap=True)
            case Reply():
                if not self._speaking:
                    self._speak(view)
                    self._console.print(Text(printable(event.text)), end="", soft_wrap=True)
                self._console.print()
                self._speaking = False
            case Confirmation():
                self.line(f"  aguarda o sim do cliente: {event.summary}", "yellow")
            case PersonCalled():
                self.line(f"  {person_words(event)}", "yellow")
            case Discarded():
                self.line("  Uma pessoa respondeu antes: a resposta do bot foi descartada.", "yellow")
            case _:
                pass

    def ended(self, view: TurnView) -> None:
        """Print what is left to say once the turn is over: an apology that no reply carried, and what was behind it."""
        if view.error is not None and view.reply is None:
            self.line(view.error.text, "red")
        if self._details:
            self.behind(view)

    def behind(self, view: TurnView) -> None:
        """Print what was behind the reply: reason, probabilities, tools, time and cost."""
        if view.decision is not None:
            self.line(f"  {reason_words(view.decision, self._name)}", "dim")
            if hops := provider_words(view.decision):
                self.line(f"  {hops}", "yellow")
            if bars := bar_line(view.decision, self._name):
                self.line(f"  {bars}", "dim")
        if view.tools:
            self.line("  " + " · ".join(_call(tool) for tool in view.tools), "dim")
        if view.done is not None:
            model = f"{view.done.model} (simulado)" if view.done.simulated else view.done.model
            parts = [seconds(view.done.latency_ms), dollars(view.done.cost_usd), model]
            if view.done.status != "replied":
                parts.insert(0, status_words(view.done.status))
            self.line("  " + " · ".join(part for part in parts if part), "dim")

    def _speak(self, view: TurnView) -> None:
        if self._speaking:
            return
        self._speaking = True
        agent = view.agent or ""
        label = self._name(agent) if agent in self._roster else "Atendimento"
        self._console.print(Text(f"{printable(label)} › ", style=f"bold {self._colour(agent)}"), end="")

    def _colour(self, agent: str) -> str:
        return _COLOURS[self._roster.index(agent) % len(_COLOURS)] if agent in self._roster else "white"


def bar_line(decision: Decision, name: Name) -> str:
    """Draw the probabilities in one line, the likeliest first: "Financeiro ████████▏93% · …"."""
    shares = sorted((decision.probabilities or {}).items(), key=lambda pair: -pair[1])
    return "  ".join(f"{name(option)} {_bar(share)} {percent(share)}" for option, share in shares if share >= 0.005)


def _call(tool: ToolUsed) -> str:
    return tool_words(tool) if tool.outcome == "ok" else f"{tool_words(tool)} ({outcome_words(tool)})"


def _bar(share: float) -> str:
    filled = round(max(0.0, min(1.0, share)) * _BLOCKS)
    return "█" * filled + "░" * (_BLOCKS - filled)
