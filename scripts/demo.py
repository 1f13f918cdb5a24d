"""Play the demo's scenarios and print them as a person wants to read them."""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich.console import Console

from graph.conversation import Bastao
from graph.events import Event
from ops.embedded_server import data_folder
from ops.problems import DatabaseUnavailable
from ops.reading import demo_customers
from ops.turn_view import TurnView, after, turn_json
from ops.words import names
from routing.shop import Customer
from scripts.scenario import Scenario, load_scenarios
from scripts.simulated import KEY, simulated_providers
from scripts.terminal import Terminal
from settings import ConfigurationError, Settings, load_environment, load_settings, open_bastao

CHANNEL = "demo"
ENDED_WELL = ("replied", "nothing_due")
EXAMPLES = """\
examples:
  python -m scripts.demo                      all of them, in a demo shop made for the occasion
  python -m scripts.demo --scenario 1 --scenario 4
  python -m scripts.demo --provider msd1+fallback --simulate-outage msd1,jev --outage-kind 429
  python -m scripts.demo --out evidence       and one JSON file per turn: probabilities, tools, package, time, cost

Without --data-dir, BASTAO_DATA_DIR and DATABASE_URL the demo uses a new database, which is gone afterwards: actions of an
earlier run ("already open") would change what is said.
"""


async def play(
    bastao: Bastao, scenarios: Iterable[Scenario], terminal: Terminal, *, out: Path | None, run: str
) -> tuple[int, int]:
    """Play scenarios one after the other; return how many turns there were, and how many ended badly."""
    customers = {str(c.id): c for c in await demo_customers(bastao.services)}
    turns, bad = 0, 0
    for scenario in scenarios:
        terminal.line(f"\n━━ {scenario.id}. {scenario.title} ━━", "bold cyan")
        terminal.line(scenario.shows, "italic")
        thread_id = f"demo-{scenario.id}-{run}"
        for number, line in enumerate(scenario.turns, start=1):
            terminal.customer(line.say, who=customers[scenario.customer].name or scenario.customer)
            view, events = await _turn(bastao, customers[scenario.customer], thread_id, number, line.say, terminal)
            terminal.line(f"  ▸ {line.look}", "blue")
            turns += 1
            if view.status not in ENDED_WELL:
                bad += 1
                terminal.line(f"  este turno terminou mal: {view.status or 'sem fim'}", "bold red")
            if out is not None:
                path = out / f"scenario-{scenario.id}-turn-{number}.json"
                path.write_text(
                    json.dumps(record(view, events, line.look), ensure_ascii=False, indent=2) + "\n", "utf-8"
                )
    return turns, bad


async def _turn(
    bastao: Bastao, customer: Customer, thread_id: str, number: int, text: str, terminal: Terminal
) -> tuple[TurnView, list[Event]]:
    view, events = TurnView(thread_id=thread_id, message=text), list[Event]()
    sent = bastao.conversation.send(
        thread_id, [text], message_id=f"{thread_id}-{number}", customer=customer, channel=CHANNEL
    )
    async for event in sent:
        events.append(event)
        view = after(view, event)
        terminal.event(event, view)
    terminal.ended(view)
    return view, events


def record(view: TurnView, events: Sequence[Event], look: str) -> dict[str, Any]:
    """Return the evidence of a turn: what `scripts.chat --json` gives, the whole decision, each package, every event."""
    return {
        **turn_json(view),
        "look": look,
        "decision": view.decision.model_dump(mode="json") if view.decision else None,
        "packages": [handoff.package for handoff in view.handoffs],
        "events": [event.model_dump(mode="json") for event in events if event.type != "token"],
    }


@contextmanager
def place(given: Path | None, environ: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Give the environment a database: the named one, else a new one for this run."""
    if given is not None:
        yield {**environ, "BASTAO_DATA_DIR": str(given)}
    elif environ.get("BASTAO_DATA_DIR") or environ.get("DATABASE_URL"):
        yield dict(environ)
    else:
        with tempfile.TemporaryDirectory(prefix="bastao-demo-", ignore_cleanup_errors=True) as folder:
            _share_models(data_folder(environ) / "models", Path(folder) / "models")
            yield {**environ, "BASTAO_DATA_DIR": folder}


def _share_models(known: Path, here: Path) -> None:
    """Let a new place use the decision model that is already fitted: it knows no conversation."""
    try:
        known.mkdir(parents=True, exist_ok=True)
        here.symlink_to(known, target_is_directory=True)
    except OSError:
        return  # then it is fitted once more


async def demo(
    given: argparse.Namespace, scenarios: Sequence[Scenario], environ: Mapping[str, str], console: Console
) -> bool:
    """Open Bastão, play, sum up; return whether every turn ended well."""
    settings = load_settings(environ)
    flag = given.provider or settings.decision.provider
    with simulated_providers(settings, environ, flag=flag, down=given.simulate_outage, kind=given.outage_kind) as (
        where,
        used,
    ):
        if where.get("OPENROUTER_API_KEY") == KEY:
            down = (
                f", fora do ar: {', '.join(given.simulate_outage)} ({given.outage_kind})"
                if given.simulate_outage
                else ""
            )
            console.print(f"provedores de decisão remotos: simulados nesta máquina{down}", style="yellow")
        return await _played(given, scenarios, settings, where, console, provider=used)


async def _played(
    given: argparse.Namespace,
    scenarios: Sequence[Scenario],
    settings: Settings,
    environ: Mapping[str, str],
    console: Console,
    *,
    provider: str,
) -> bool:
    async with open_bastao(settings, environ, provider=provider) as bastao:
        await bastao.ready()
        display = {spec.id: spec.display_name for spec in bastao.services.roster.specs}
        terminal = Terminal(console, names(display), list(display))
        model = bastao.services.models
        chat = f"{model.label} (simulado)" if model.simulated else model.label
        terminal.line(f"{bastao.services.shop_name} · loja de demonstração · {chat}", "bold")
        turns, bad = await play(bastao, scenarios, terminal, out=given.out, run=uuid4().hex[:8])
    terminal.line(f"\n{turns} turnos, {turns - bad} terminaram bem." + (f" {bad} não." if bad else ""), "bold")
    return bad == 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Play. Exit 0 only when every turn ended properly, 1 otherwise, 2 for a wrong configuration, 130 at Ctrl-C."""
    known = load_scenarios()
    parser = argparse.ArgumentParser(
        prog="python -m scripts.demo",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--scenario",
        type=int,
        action="append",
        choices=[s.id for s in known],
        metavar="N",
        help="only this one (repeatable)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the full trace, one JSON file per turn")
    parser.add_argument("--provider", metavar="NAME", help="decision provider")
    parser.add_argument(
        "--simulate-outage",
        type=_names,
        default=(),
        metavar="NAME[,NAME]",
        help="these providers are down: msd1, jev, llm, local",
    )
    parser.add_argument("--outage-kind", default="503", metavar="KIND", help="503, 429, timeout, reset or garbage")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="play in this database instead of a new one")
    given = parser.parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    wanted = [s for s in known if not given.scenario or s.id in given.scenario]
    try:
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
        with place(given.data_dir, load_environment() if environ is None else environ) as where:
            return 0 if asyncio.run(demo(given, wanted, where, Console(highlight=False))) else 1
    except KeyboardInterrupt:
        return 130
    except ConfigurationError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except (DatabaseUnavailable, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
