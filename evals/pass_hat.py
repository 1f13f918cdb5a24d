"""How often all of k trials of a case succeed."""

from collections.abc import Sequence
from math import comb


def pass_hat_k(trials: Sequence[tuple[int, int]], k: int) -> float | None:
    """Estimate the chance that k independent trials of a case all succeed, averaged over cases.

    `trials` holds (successes, trials) by case; a case with fewer than k trials does not count, None without any. The estimate is
    C(c, k) / C(n, k), unbiased (Yao, Shinn, Razavi and Narasimhan: tau-bench, arXiv:2406.12045, section 3.3). Raises
    ValueError for a count that cannot be.
    """
    if k < 1 or any(not 0 <= c <= n for c, n in trials):
        raise ValueError(f"pass^{k} of {list(trials)}")
    shares = [comb(c, k) / comb(n, k) for c, n in trials if n >= k]
    return sum(shares) / len(shares) if shares else None
