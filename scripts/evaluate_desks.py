"""Who is scored: the providers that a flag names, simulated ones behind stubs, and the baselines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol, runtime_checkable

from evals.baselines import BASELINES, baseline_decider
from evals.results_run import Sort
from evals.router import Desk
from evals.router_memo import remembering
from ops.deciding import Gates, calibrations_of, gates_of, providers_behind
from routing.addressing import Member
from routing.decision import Thresholds
from settings import (
    ConfigurationError,
    Settings,
    decider_of,
    providers_of,
    reader_of,
    roster_of,
    sensitive_of,
)
from stubs.faults import Fault
from stubs.outages import LOCAL, REMOTE
from stubs.serve import serving
from stubs.specialists import offline_app

SIMULATED = "simulated-"
KEY = "simulated"
_PATIENT_S = 30.0


@runtime_checkable
class Trained(Protocol):
    """A provider that is loaded or trained before it can answer."""

    def warm_up(self) -> str: ...


class Connection(Protocol):
    async def aclose(self) -> None: ...


@runtime_checkable
class Connected(Protocol):
    """A provider that keeps connections open."""

    @property
    def http(self) -> Connection: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provider that is scored, and what tables call it."""

    flag: str
    name: str
    sort: Sort
    desk: Desk


@contextmanager
def candidates(settings: Settings, environ: Mapping[str, str], flags: Sequence[str]) -> Iterator[list[Candidate]]:
    """Compose a desk for each flag; simulated providers are served on this machine while the block runs.

    `simulated-msd1` is the remote provider's own client against a stub: what it decides is the embedded model's opinion,
    with the jitter or rounding that the real one was seen to have. Raises `ConfigurationError`.
    """
    wanted = [flag.removeprefix(SIMULATED) for flag in flags if flag.startswith(SIMULATED)]
    if unknown := [flag for flag in wanted if flag not in REMOTE]:
        raise ConfigurationError(f"{SIMULATED}{unknown[0]}: what can be simulated is {', '.join(REMOTE)}")
    reader = _ready_reader(settings, environ)
    if not wanted:
        yield [_candidate(settings, environ, flag, reader) for flag in flags]
        return
    with _stubs(settings, environ) as url:
        beyond = {**environ, "OPENROUTER_BASE_URL": url, "OPENROUTER_API_KEY": KEY}
        patient = settings.decision.model_copy(update={"deadline_s": _PATIENT_S})
        simulated = settings.model_copy(update={"decision": patient})
        yield [
            _simulated(simulated, beyond, flag, reader)
            if flag.startswith(SIMULATED)
            else _candidate(settings, environ, flag, reader)
            for flag in flags
        ]


@contextmanager
def _stubs(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    roster = roster_of(settings)
    local = decider_of(settings, roster, environ, provider=LOCAL)
    _warm_up(local)
    remote = providers_of(settings, roster, {}).remote
    habits = {remote.msd1_model: Fault(kind="drift"), remote.jev_model: Fault(kind="rounded")}
    with serving(offline_app(roster, remembering(local, clock=monotonic), faults=habits)) as url:
        yield url


def _simulated(settings: Settings, environ: Mapping[str, str], flag: str, reader: Any) -> Candidate:
    plain = flag.removeprefix(SIMULATED)
    decider = decider_of(settings, roster_of(settings), environ, provider=plain)
    return Candidate(flag, f"{plain} (simulated)", "simulated", _desk(settings, decider, _gates(settings), reader))


def _candidate(settings: Settings, environ: Mapping[str, str], flag: str, reader: Any) -> Candidate:
    if flag in BASELINES:
        return Candidate(flag, f"{flag} (baseline)", "baseline", _baseline_desk(settings, environ, flag, reader))
    decider = decider_of(settings, roster_of(settings), environ, provider=flag)
    remote = any(provider.remote for provider in providers_behind(decider))
    desk = _desk(settings, decider, _gates(settings), reader)
    return Candidate(flag, flag, "remote" if remote else "embedded", desk)


def _baseline_desk(settings: Settings, environ: Mapping[str, str], flag: str, reader: Any) -> Desk:
    """A baseline is held against the embedded model's gate: one gate for all that is compared with it."""
    try:
        decider = baseline_decider(flag, providers_of(settings, roster_of(settings), environ), clock=monotonic)
    except ValueError as error:
        raise ConfigurationError(f"{flag}: {error}") from error
    gate = _gates(settings)(LOCAL)
    return _desk(settings, decider, lambda provider: gate, reader)


def desk_of(settings: Settings, environ: Mapping[str, str], *, provider: str | None = None) -> Desk:
    """Compose who decides, by which numbers. Raises `ConfigurationError`."""
    decider = decider_of(settings, roster_of(settings), environ, provider=provider)
    return _desk(settings, decider, _gates(settings), _ready_reader(settings, environ))


def _desk(settings: Settings, decider: Any, thresholds: Callable[[str], Thresholds], reader: Any) -> Desk:
    roster = roster_of(settings)
    _warm_up(decider)
    return Desk(
        decider=decider, roles=tuple((spec.id, spec.role) for spec in roster.specs), clock=monotonic,
        members=tuple(
            Member(spec.id, names=(spec.display_name, spec.display_name_en), aliases=spec.aliases) for spec in roster.specs
        ),
        thresholds=thresholds, sensitive=sensitive_of(settings), reader=reader,
    )  # fmt: skip


def _gates(settings: Settings) -> Gates:
    return gates_of(settings.decision, calibrations_of(settings.decision, settings.base))


def _ready_reader(settings: Settings, environ: Mapping[str, str]) -> Any:
    """Return what reads by examples, ready; None where that is switched off."""
    reader = reader_of(settings, environ)
    if reader is not None:
        reader.warm_up()
    return reader


async def hang_up(desk: Desk) -> None:
    """Close the connections of this event loop that a desk's providers opened."""
    for behind in providers_behind(desk.decider):
        if isinstance(behind, Connected):
            await behind.http.aclose()


def _warm_up(decider: Any) -> None:
    for behind in providers_behind(decider):
        if isinstance(behind, Trained):
            behind.warm_up()
