"""The second stage: every sign of a turn weighed per option, and the clauses mixed by which of them is the point."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from routing.providers.local_clauses import CLAUSE_WIDTH, FIRST, LAST, Clauses, Floats

# Ridge on the weights of the features, of the heads, of the signs; chosen by cross-validation on the examples.
_L2_FEATURES, _L2_HEADS, _L2_SIGNS = 1e-3, 1e-3, 2e-3
_HEADS, _FLOOR, _STEPS, _STEPS_NEAR = 2, 1e-4, 120, 30
# Turns from which the ridge is as above; fewer can carry less.
_ENOUGH = 10_000


@dataclass(frozen=True, kw_only=True)
class Blend:
    """A conditional logit (McFadden 1974): `features` are weights shared by all options. Each head attends to the clauses
    by their signs (`attention`: signs, heads) and adds the log of the mixed shares, times its entry of `heads`.
    """

    features: Floats
    heads: Floats
    attention: Floats

    def scores(self, features: Floats, clauses: Clauses) -> Floats:
        """Return an unnormalised log-probability per option. `features`: (options, features)."""
        return _Batch(features[None], [clauses]).scores(self)[0]


class _Batch:
    """Turns side by side, their clauses in one flat array."""

    def __init__(self, features: Floats, clauses: Sequence[Clauses]) -> None:
        counts = [len(each.signs) for each in clauses]
        self.features = features
        self.signs = np.concatenate([each.signs for each in clauses])
        self.shares = np.concatenate([each.shares for each in clauses])
        self.starts = np.cumsum([0, *counts[:-1]])
        self.turns = np.repeat(np.arange(len(counts)), counts)

    def attention(self, weights: Floats) -> Floats:
        """Return how much of each head's attention a clause gets, shape (clauses, heads)."""
        logits = self.signs @ weights
        raised = np.exp(logits - np.maximum.reduceat(logits, self.starts, axis=0)[self.turns])
        return raised / self.sums(raised)[self.turns]

    def sums(self, values: Floats) -> Floats:
        return np.add.reduceat(values, self.starts, axis=0)

    def mixed(self, attention: Floats) -> Floats:
        """Return each head's mixture of the clauses' shares, shape (turns, options, heads)."""
        heads = range(attention.shape[1])
        return np.stack([self.sums(attention[:, [head]] * self.shares) for head in heads], axis=2) + _FLOOR

    def scores(self, blend: Blend) -> Floats:
        return self.features @ blend.features + np.log(self.mixed(self.attention(blend.attention))) @ blend.heads


def scores_of(blend: Blend, features: Floats, clauses: Sequence[Clauses]) -> Floats:
    """Return the scores of many turns, shape (turns, options)."""
    return _Batch(features, clauses).scores(blend)


def fit_blend(
    features: Floats,
    clauses: Sequence[Clauses],
    targets: NDArray[np.int64],
    weights: Floats,
    *,
    expected: Floats,
    near: Blend | None = None,
) -> Blend:
    """Fit by maximum likelihood. `features`: (turns, options, features); `weights`: one a turn.

    `expected` are the features' weights that few turns are drawn to: a new shop's examples may show little. `near` is a
    fit on almost the same turns: from there few steps are left.
    """
    from scipy.optimize import minimize

    spread = features.reshape(-1, features.shape[2]).std(axis=0) + 1e-6
    batch = _Batch(features / spread, clauses)
    weights = weights / weights.sum()
    sizes = (features.shape[2], _HEADS, CLAUSE_WIDTH * _HEADS)
    ridge = np.repeat((_L2_FEATURES, _L2_HEADS, _L2_SIGNS), sizes) * max(1.0, _ENOUGH / len(targets))
    start = Blend(features=expected * spread, heads=np.full(_HEADS, 0.5), attention=np.zeros((CLAUSE_WIDTH, _HEADS)))
    start.attention[[FIRST, LAST], [0, 1]] = 1.0

    centre = _packed(start)
    begin, steps = centre, _STEPS
    if near is not None:
        begin, steps = _packed(replace(near, features=near.features * spread)), _STEPS_NEAR

    def loss(flat: Floats) -> tuple[float, Floats]:
        value, slope = _loss(batch, _unpacked(flat, sizes), targets, weights)
        away = flat - centre
        return value + float(ridge @ away**2), slope + 2 * ridge * away

    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": steps}).x
    best = _unpacked(found, sizes)
    return Blend(features=best.features / spread, heads=best.heads, attention=best.attention)


def _packed(blend: Blend) -> Floats:
    return np.concatenate([blend.features, blend.heads, blend.attention.ravel()])


def _unpacked(flat: Floats, sizes: tuple[int, int, int]) -> Blend:
    features, heads, attention = np.split(flat, np.cumsum(sizes)[:-1])
    return Blend(features=features, heads=heads, attention=attention.reshape(CLAUSE_WIDTH, _HEADS))


def _loss(batch: _Batch, blend: Blend, targets: NDArray[np.int64], weights: Floats) -> tuple[float, Floats]:
    """Return the weighted mean of -log p(target), and its slope by every weight in their packed order."""
    attention = batch.attention(blend.attention)
    mixed = batch.mixed(attention)
    logs = np.log(mixed)
    scores = batch.features @ blend.features + logs @ blend.heads
    scores -= scores.max(axis=1, keepdims=True)
    raised = np.exp(scores)
    totals = raised.sum(axis=1, keepdims=True)
    turns = np.arange(len(targets))
    value = float(weights @ (np.log(totals[:, 0]) - scores[turns, targets]))
    errors = raised / totals
    errors[turns, targets] -= 1
    errors *= weights[:, None]
    by_feature = np.tensordot(errors, batch.features, axes=([0, 1], [0, 1]))
    by_head = np.tensordot(errors, logs, axes=([0, 1], [0, 1]))
    by_clause = np.zeros_like(attention)
    for head, strength in enumerate(blend.heads):
        pull = ((errors * strength / mixed[:, :, head])[batch.turns] * batch.shares).sum(axis=1)
        common = batch.sums(attention[:, head] * pull)
        by_clause[:, head] = attention[:, head] * (pull - common[batch.turns])
    return value, np.concatenate([by_feature, by_head, (batch.signs.T @ by_clause).ravel()])
