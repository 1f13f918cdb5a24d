"""How much a provider's probabilities can be believed."""

import math
from collections.abc import Sequence

_FLOOR = 1e-6
BINS = 10


def log_loss(right: Sequence[float]) -> float | None:
    """Return the mean negative logarithm of the probabilities that the right options got; None of none."""
    return -sum(math.log(max(p, _FLOOR)) for p in right) / len(right) if right else None


def calibration_error(judged: Sequence[tuple[float, bool]], *, bins: int = BINS) -> float | None:
    """Return the expected calibration error over (confidence, right) pairs; None of none.

    Equal-width bins, weighted by their counts (Naeini et al., AAAI 2015).
    """
    if not judged:
        return None
    error = 0.0
    for low in range(bins):
        inside = [(p, right) for p, right in judged if min(int(p * bins), bins - 1) == low]
        if inside:
            error += abs(sum(p for p, _ in inside) - sum(right for _, right in inside))
    return error / len(judged)
