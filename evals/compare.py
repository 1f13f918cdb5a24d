"""Two or more providers on a shop's own log: where they agree, what they cost, and where the bot should be asking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from evals.logs import Logged
from evals.paired import paired
from evals.results import Share, quantile
from evals.router import Desk, Row, play
from evals.router_cases import RouterCase, Said
from routing.decision import CLARIFICATION
from routing.text import fold


@dataclass(frozen=True, slots=True)
class Unsure:
    """A message on which a provider is below its threshold. `says`: provider → its target and top probability."""

    line: int
    message: str
    says: Mapping[str, tuple[str, float | None]]
    disagree: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """`rows`: provider → its decisions, in the log's order."""

    lines: Sequence[Logged]
    rows: Mapping[str, Sequence[Row]]

    def concordance(self) -> Share:
        """Return how often all providers choose the same target."""
        targets = list(zip(*([r.decision.target for r in rows] for rows in self.rows.values()), strict=True))
        return Share(sum(len(set(each)) == 1 for each in targets), len(targets))

    def figures(self) -> dict[str, JsonValue]:
        known = [place for place, line in enumerate(self.lines) if line.expected]
        return {
            "n": len(self.lines),
            "concordance": self.concordance().as_json(),
            "providers": {name: _figures(rows, known) for name, rows in self.rows.items()},
        }

    def sentences(self) -> list[str]:
        """Say which provider is better, pair by pair, where the log knows what was right."""
        known = [place for place, line in enumerate(self.lines) if line.expected]
        names = list(self.rows)
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        return [_judged(self.rows[a], self.rows[b], known).sentence(a, b) for a, b in pairs] if known else []

    def unsure(self, *, most: int) -> list[Unsure]:
        """Return the messages where a provider is below its threshold: disagreements first, then the least sure.

        The same words are listed once: the first line that has them stands for all.
        """
        found: dict[str, tuple[float, Unsure]] = {}
        for place, line in enumerate(self.lines):
            decisions = {name: rows[place].decision for name, rows in self.rows.items()}
            asked = [
                d
                for d in decisions.values()
                if d.target == CLARIFICATION or d.reason in ("continuity", "low_confidence")
            ]
            if not asked or (key := fold(line.message)) in found:
                continue
            sure = min((d.confidence for d in decisions.values() if d.confidence is not None), default=0.0)
            says = {name: (d.target, d.confidence) for name, d in decisions.items()}
            disagree = len({target for target, _ in says.values()}) > 1
            found[key] = (sure - disagree, Unsure(line.line, line.message, says, disagree))
        ordered = sorted(found.values(), key=lambda each: (each[0], each[1].line))
        return [each for _, each in ordered[:most]]


async def compare(lines: Sequence[Logged], desks: Mapping[str, Desk]) -> Comparison:
    """Decide every message with every provider, one after the other: latencies are those of a customer alone."""
    cases = [_case(line) for line in lines]
    return Comparison(lines, {name: await play(cases, desk) for name, desk in desks.items()})


def _case(line: Logged) -> RouterCase:
    """Put a logged message as a case; what no log says (its kind) is left at the plainest."""
    said: list[Said] = []
    if line.previous:
        said.append(Said(role="customer", text=line.previous))
    if line.reply:
        said.append(Said(role="agent", agent=line.current, text=line.reply))
    return RouterCase(
        id=line.thread or f"line-{line.line}", kind="follow_up" if said else "opening", history=tuple(said),
        current_agent=line.current, message=line.message, expected=line.expected or CLARIFICATION,
    )  # fmt: skip


def _figures(rows: Sequence[Row], known: Sequence[int]) -> dict[str, JsonValue]:
    sure = [row.decision.confidence for row in rows if row.decision.confidence is not None]
    latencies = [row.latency_ms for row in rows]
    found: dict[str, JsonValue] = {
        "clarification": Share(sum(row.decision.target == CLARIFICATION for row in rows), len(rows)).as_json(),
        "mean_confidence": round(sum(sure) / len(sure), 4) if sure else None,
        "latency_ms": {"p50": quantile(latencies, 0.5), "p95": quantile(latencies, 0.95)},
        "cost_usd": sum(row.decision.cost_usd or 0.0 for row in rows),
    }
    if known:
        found["accuracy"] = Share(sum(rows[place].right for place in known), len(known)).as_json()
    return found


def _judged(first: Sequence[Row], second: Sequence[Row], known: Sequence[int]):
    return paired([first[place].right for place in known], [second[place].right for place in known])
