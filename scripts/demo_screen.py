"""What the demo prints beside the turns: why a conversation passed on, what it carried, what people do, what was checked."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from graph.conversation import Bastao
from graph.events import HandedOff
from graph.people import ActionKind
from ops.maintenance import Round
from ops.people import Discarded
from ops.queue_words import action_words, promise_words, suspicion_words
from ops.reading import HistoryLine
from ops.turn_view import TurnView
from ops.words import Name, handoff_reason, names
from routing.facts import Commitment, Hypothesis
from scripts.scenario import Operate, Scenario
from scripts.terminal import Terminal
from stubs.scripted import LABEL

Carried = TypeVar("Carried", Hypothesis, Commitment)
_WEEKDAYS = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
_DOES: dict[ActionKind, str] = {
    "claim": "assume a conversa",
    "reply": "responde",
    "note": "anota no item",
    "hand_back": "devolve a conversa ao bot",
    "resolve": "encerra o item",
    "approve": "aprova a ação",
    "reject": "recusa a ação",
    "happened": "confirma que a loja registrou a ação",
    "did_not_happen": "confirma que a loja não registrou a ação",
}


class Screen:
    """A terminal that also knows the roster's names and why specialists pass on."""

    def __init__(self, terminal: Terminal, bastao: Bastao) -> None:
        services = bastao.services
        self.terminal = terminal
        self.name: Name = names({spec.id: spec.display_name for spec in services.roster.specs})
        self._explained = {r: words for spec in services.roster.specs for r, words in spec.reasons.items()}
        self._zone: ZoneInfo = services.zone

    def opening(self, scenario: Scenario, starts: datetime | None) -> None:
        """Print the title, and whoever follows a script in this scenario."""
        self.terminal.line(f"\n━━ {scenario.id}. {scenario.title} ━━", "bold cyan")
        self.terminal.line(scenario.shows, "italic")
        if scenario.scripted:
            who = [self.name(agent) for agent in scenario.stand_ins.specialists]
            router = ["quem decide a rota"] if scenario.stand_ins.router else []
            self.terminal.line(
                f"{LABEL} no lugar de: {', '.join([*router, *who])} (o modelo offline não faria isto por si). "
                "Regras, ferramentas e registros são os de verdade.",
                "yellow",
            )
        if starts is not None:
            self.terminal.line(f"relógio da cena: {self.when(starts)}", "yellow")

    def carried(self, handoff: HandedOff, *, decided: str | None) -> None:
        """Print why a conversation passed on, where the decision does not say it, and what the package holds beside facts."""
        if handoff.from_agent is None:
            return
        if handoff.reason != decided:
            self.terminal.line(f"    por quê: {handoff_reason(handoff, self.name, self._explained)}", "dim")
        for hypothesis in _read(Hypothesis, handoff.package.get("hypotheses")):
            self.terminal.line(f"    suspeita, não fato: {suspicion_words(hypothesis, self.name)}", "dim")
        for promise in _read(Commitment, handoff.package.get("commitments")):
            text, by = promise_words(promise, when=self.when)
            self.terminal.line(f"    promessa: {text} ({by})", "dim")

    def operator(self, step: Operate, *, meanwhile: bool) -> None:
        says = f": {step.text}" if step.text else ""
        aside = " [enquanto o bot escreve]" if meanwhile else ""
        self.terminal.line(f"\n{step.operator} (pessoa){aside} › {_DOES[step.does]}{says}", "bold magenta")

    def told(self, lines: Iterable[HistoryLine]) -> None:
        """Print what the customer was told because of an operator's action."""
        for line in lines:
            if line.role in ("agent", "system"):
                self.terminal.line(f"Atendimento › {line.text}")

    def overtaken(self, operator: str, shown: Iterable[Discarded]) -> None:
        """Print what the queue shows an operator of a reply that was not sent."""
        for reply in shown:
            self.terminal.line(f"  {operator} vê na fila a resposta descartada: “{reply.text}”", "yellow")
            for effect in reply.effects:
                did, state = action_words(effect)
                self.terminal.line(f"  {operator} vê o que o turno fez: {did} ({state})", "yellow")

    def moved(self, now: datetime, done: Round | None) -> None:
        told = done.model_dump(exclude_defaults=True) if done is not None else {}
        what = ", ".join(f"{_ROUND[key]}: {count}" for key, count in told.items() if key in _ROUND)
        self.terminal.line(f"\n⏱ {self.when(now)}{f' · {what}' if what else ''}", "bold magenta")

    def filled(self, views: Sequence[TurnView]) -> None:
        """Sum up many turns in a line."""
        who = Counter(self.name(view.agent or "?") for view in views)
        passed = sum(1 for view in views for handoff in view.handoffs if handoff.from_agent is not None)
        said = ", ".join(f"{name} {count}" for name, count in who.most_common())
        self.terminal.line(f"\n… {len(views)} turnos de conversa ({said}), {passed} passagens …", "bold")

    def look(self, text: str) -> None:
        if text:
            self.terminal.line(f"  ▸ {text}", "blue")

    def held(self, that: str) -> None:
        self.terminal.line(f"  ✓ {that}", "green")

    def failed(self, that: str, problems: Sequence[str]) -> None:
        self.terminal.line(f"  ✗ {that}", "bold red")
        for problem in problems:
            self.terminal.line(f"      {problem}", "red")

    def excused(self, that: str, problems: Sequence[str]) -> None:
        self.terminal.line(f"  – aqui não se confere: {that}", "yellow")
        for problem in problems:
            self.terminal.line(f"      {problem}", "dim")

    def when(self, at: datetime) -> str:
        """Write a moment: "quinta 03/12/2026 09:00"."""
        local = at.astimezone(self._zone)
        return f"{_WEEKDAYS[local.weekday()]} {local:%d/%m/%Y %H:%M}"


_ROUND = {"follow_ups": "promessas postas na fila", "released_claims": "itens devolvidos à fila"}


def _read(model: type[Carried], rows: object) -> list[Carried]:
    return [model.model_validate(row) for row in rows] if isinstance(rows, list) else []
