"""The decision layer, composed: one chain or two arms, with the budget, the calibrations and the alarms that belong to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from ops.alarms import Alarm, said
from ops.spend import SpendLedger
from routing.decision import Thresholds
from routing.model import Frozen
from routing.ports import Decider
from routing.providers.ab import AbDecider, Arm
from routing.providers.base import DecisionProvider
from routing.providers.breaker import Breakers
from routing.providers.calibration import CalibrationFile, load
from routing.providers.chain import ChainDecider
from routing.providers.registry import ProviderSettings, build_providers

AB = "ab"


class ArmSettings(Frozen):
    """One arm of an A/B: a chain of providers, and its share of the conversations."""

    provider: str
    weight: float = Field(default=1.0, ge=0)


class AbSettings(Frozen):
    """An experiment: a conversation keeps its arm; another `salt` draws anew."""

    arms: tuple[ArmSettings, ...] = ()
    salt: str = ""


class DecisionSettings(Frozen):
    """Who decides, how long it may take, and from which probability on.

    `calibrations` are files of `scripts.calibrate`, relative to the configuration; `remote` overrides models, paths and
    prices of the remote providers (see `routing.providers.remote_builders.RemoteSettings`).
    """

    provider: str = "local"
    deadline_s: float = Field(default=2.5, gt=0, le=30)
    thresholds: Thresholds = Thresholds()
    per_provider: dict[str, Thresholds] = Field(default_factory=dict[str, Thresholds])
    calibrations: tuple[Path, ...] = ()
    ab: AbSettings = AbSettings()
    remote: dict[str, Any] = Field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Gates:
    """The thresholds of each provider. What was calibrated for another build or question gets the conservative default."""

    default: Thresholds
    configured: Mapping[str, Thresholds]
    measured: Mapping[str, Thresholds] = field(default_factory=dict[str, Thresholds])

    def __call__(self, provider: str, calibrated: bool = True) -> Thresholds:
        if provider in self.configured:
            return self.configured[provider]
        return self.measured.get(provider, self.default) if calibrated else self.default


def calibrations_of(settings: DecisionSettings, base: Path) -> dict[str, CalibrationFile]:
    """Load the calibration files by provider. Raises ValueError naming a file that cannot be used."""
    found: dict[str, CalibrationFile] = {}
    for path in settings.calibrations:
        try:
            calibration = load(base / path)
        except (OSError, ValueError) as error:
            raise ValueError(f"calibrations: {path}: {error}") from error
        found[calibration.provider] = calibration
    return found


def gates_of(settings: DecisionSettings, calibrations: Mapping[str, CalibrationFile]) -> Gates:
    measured = {name: c.thresholds for name, c in calibrations.items() if c.thresholds is not None}
    return Gates(settings.thresholds, settings.per_provider, measured)


def build_decider(
    flag: str, settings: DecisionSettings, providers: ProviderSettings, *, calibrations: Mapping[str, CalibrationFile],
    clock: Callable[[], float], ledger: SpendLedger | None, on_alarm: Callable[[Alarm], None] = said,
) -> ChainDecider | AbDecider:  # fmt: skip
    """Build the decider of a flag.

    Raises ValueError for a flag that nobody knows, or for "ab" without arms.
    """
    breakers = Breakers(clock=clock)

    def alarm(provider: str, kind: str, why: str) -> None:
        on_alarm(Alarm(kind="decision_provider", subject=provider, detail=f"{kind}: {why}"))

    def chain(chain_flag: str) -> ChainDecider:
        built = [_calibrated(p, calibrations) for p in build_providers(chain_flag, providers)]
        return ChainDecider(
            built, deadline_s=settings.deadline_s, clock=clock, breakers=breakers, budget=ledger, on_alarm=alarm
        )

    if flag != AB:
        return chain(flag)
    if not settings.ab.arms:
        raise ValueError('ab needs arms: "ab": {"arms": [{"provider": "msd1+fallback"}, {"provider": "jev+fallback"}]}')
    arms = [Arm(arm.provider, arm.weight, chain(arm.provider)) for arm in settings.ab.arms]
    return AbDecider(arms, salt=settings.ab.salt)


def providers_behind(decider: Decider) -> tuple[DecisionProvider, ...]:
    """Return every provider that a decider may ask, in order; none for a decider that is not of this module."""
    if isinstance(decider, AbDecider):
        return tuple(p for arm in decider.arms for p in providers_behind(arm.decider))
    return decider.providers if isinstance(decider, ChainDecider) else ()


def resting(decider: Decider) -> tuple[str, ...]:
    """Say which of the providers that may be asked are left alone right now, and for how long."""
    if isinstance(decider, AbDecider):
        return tuple(dict.fromkeys(said for arm in decider.arms for said in resting(arm.decider)))
    if not isinstance(decider, ChainDecider):
        return ()
    return tuple(f"{flag}: {because or 'failed'}, again in {left:.0f} s" for flag, because, left in decider.resting())


def _calibrated(provider: DecisionProvider, calibrations: Mapping[str, CalibrationFile]) -> DecisionProvider:
    calibration = calibrations.get(provider.flag)
    return provider if calibration is None else provider.model_copy(update={"calibration": calibration})
