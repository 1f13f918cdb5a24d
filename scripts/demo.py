"""Play the demo's scenarios, print them as a person wants to read them, and check what is then on record."""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from rich.console import Console

from graph.conversation import Bastao
from ops.baton import is_unused
from ops.logs import TERMINAL, configure_logs
from ops.reading import demo_customers
from ops.words import names
from scripts.argument_types import one_name
from scripts.demo_clock import ClosedDay
from scripts.demo_place import place
from scripts.demo_play import Player, Tally
from scripts.demo_screen import Screen
from scripts.demo_stage import staged
from scripts.ending import NO_DATABASE, unusable
from scripts.scenario import FOLDER, Scenario, ScenarioError, chosen, load_scenarios
from scripts.simulated import KEY, simulated_providers
from scripts.terminal import Terminal
from settings import ConfigurationError, Settings, load_environment, load_settings, open_bastao
from stubs.scripted import ScriptError

EXAMPLES = """\
examples:
  python -m scripts.demo                      all of them, in a demo shop made for the occasion
  python -m scripts.demo --list               what there is
  python -m scripts.demo --only 1,4,c         these
  python -m scripts.demo --provider msd1+fallback --simulate-outage msd1,jev --outage-kind 429
  python -m scripts.demo --out evidence       and one JSON file per turn: probabilities, tools, package, time, cost
  python -m scripts.demo --scenarios mine     those of your own folder, written like scripts/scenarios/*.json

Without --data-dir, BASTAO_DATA_DIR and DATABASE_URL the demo uses a new database, which is gone afterwards: actions of an
earlier run ("already open") would change what is said. A scenario with a clock of its own is played in a new database
only: moving the clock would touch everybody's promises and claims.
"""


async def play(
    bastao: Bastao, scenarios: Sequence[Scenario], terminal: Terminal, *, claim_timeout: timedelta, out: Path | None = None,
    outage: bool = False,
) -> Tally:  # fmt: skip
    """Play scenarios one after the other, and return what came of them. Raises ScenarioError for one that cannot be.

    `out` is the folder of the evidence, `outage` says that providers are down on purpose.
    """
    customers = {str(c.id): c for c in await demo_customers(bastao.services)}
    unused = await is_unused(bastao.database)
    if not unused:
        terminal.line(
            "esta base já tem conversas: o que já foi feito muda o que se diz, e nem tudo se confere", "yellow"
        )
    screen, run, whole = Screen(terminal, bastao), uuid4().hex[:8], Tally()
    for scenario in scenarios:
        if scenario.starts is not None and not unused:
            terminal.line(
                f"\n━━ {scenario.id}. {scenario.title} ━━ pulada: só se move o relógio numa base nova", "yellow"
            )
            continue
        if scenario.customer not in customers:
            known = ", ".join(customers)
            raise ScenarioError(f"scenario {scenario.id}: no customer {scenario.customer!r}; the demo's are: {known}")
        try:
            async with staged(bastao, scenario, claim_timeout=claim_timeout) as stage:
                screen.opening(scenario, stage.clock.now() if stage.clock else None)
                player = Player(
                    scenario=scenario, stage=stage, screen=screen, customer=customers[scenario.customer], run=run,
                    out=out, outage=outage, used=not unused,
                )  # fmt: skip
                whole.add(await player.play())
        except (ScriptError, ClosedDay) as error:
            raise ScenarioError(f"scenario {scenario.id}: {error}") from error
    return whole


async def demo(
    given: argparse.Namespace, scenarios: Sequence[Scenario], environ: Mapping[str, str], console: Console
) -> bool:
    """Open Bastão, play, sum up; return whether every turn ended well and every expectation held."""
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
        whole = await play(
            bastao, scenarios, terminal, claim_timeout=timedelta(minutes=settings.people.claim_timeout_minutes),
            out=given.out, outage=bool(given.simulate_outage),
        )  # fmt: skip
    _sum_up(whole, terminal)
    return whole.good


def _sum_up(whole: Tally, terminal: Terminal) -> None:
    bad = f" {whole.ended_badly} não." if whole.ended_badly else ""
    terminal.line(f"\n{whole.turns} turnos, {whole.turns - whole.ended_badly} terminaram bem.{bad}", "bold")
    checks = f"{whole.held + whole.failed} conferências nos registros: {whole.held} ✓, {whole.failed} ✗."
    terminal.line(checks, "bold red" if whole.failed else "bold")
    if whole.excused:
        why = "nesta base já usada, ou com quem decide fora do ar, não provam nada"
        terminal.line(f"{whole.excused} não se conferem: {why}.", "yellow")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.demo",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--list", action="store_true", help="name the scenarios and end")
    parser.add_argument(
        "--only",
        "--scenario",
        type=_names,
        action="extend",
        default=[],
        metavar="ID[,ID]",
        help="only these (repeatable)",
    )
    parser.add_argument(
        "--scenarios", type=Path, default=FOLDER, metavar="DIR", help="play the files of another folder"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the full trace, one JSON file per turn")
    parser.add_argument("--provider", type=one_name, metavar="NAME", help="decision provider")
    parser.add_argument(
        "--simulate-outage",
        type=_names,
        default=(),
        metavar="NAME[,NAME]",
        help="these providers are down: msd1, jev, llm, local",
    )
    parser.add_argument("--outage-kind", default="503", metavar="KIND", help="503, 429, timeout, reset or garbage")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="play in this database instead of a new one")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Play. Exit 0 only when every turn ended properly and every expectation held, 1 otherwise, 2 for what cannot be
    played, a wrong configuration or no database, 130 at Ctrl-C.
    """
    given = arguments(argv)
    configure_logs(TERMINAL, load_environment() if environ is None else environ)
    try:
        wanted = chosen(load_scenarios(given.scenarios), given.only)
        if given.list:
            _list(wanted)
            return 0
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
        with place(given.data_dir, load_environment() if environ is None else environ) as where:
            return 0 if asyncio.run(demo(given, wanted, where, Console(highlight=False))) else 1
    except KeyboardInterrupt:
        return 130
    except (ConfigurationError, ScenarioError, *NO_DATABASE) as error:
        return unusable("demo", error)
    except OSError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1


def _list(scenarios: Sequence[Scenario]) -> None:
    for scenario in scenarios:
        script = " (com roteiro)" if scenario.scripted else ""
        print(f"{scenario.id:>3}  {scenario.title}{script}")


if __name__ == "__main__":
    sys.exit(main())
