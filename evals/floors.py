"""What a suite must reach: floors and ceilings from the configuration, and those that a command adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from evals.results import figure, misses

CALIBRATION = "calibration_error"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Figures by their dotted paths: `at_least` are floors, `at_most` ceilings."""

    at_least: Mapping[str, float] = field(default_factory=dict[str, float])
    at_most: Mapping[str, float] = field(default_factory=dict[str, float])

    def changed(self, *, at_least: Mapping[str, float], at_most: Mapping[str, float]) -> "Bounds":
        """Return these with others in their place, figure by figure."""
        return Bounds({**self.at_least, **at_least}, {**self.at_most, **at_most})

    def missed(self, metrics: Mapping[str, JsonValue]) -> list[str]:
        """Return a sentence for each figure that is not reached. Raises KeyError for a figure that the suite does not have."""
        return misses(metrics, floors=self.at_least, ceilings=self.at_most)

    def believable(self, metrics: Mapping[str, JsonValue]) -> bool | None:
        """Tell whether a provider's probabilities pass the calibration report; None without a ceiling or observations."""
        ceiling = self.at_most.get(CALIBRATION)
        found = figure(metrics, CALIBRATION)
        return None if ceiling is None or found is None else found <= ceiling

    def as_json(self) -> dict[str, dict[str, float]]:
        return {"at_least": dict(self.at_least), "at_most": dict(self.at_most)}
