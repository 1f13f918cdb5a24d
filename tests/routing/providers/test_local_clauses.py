"""Which clause of a message is its point: the signs, the mixture over clauses, and how both are learned."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from routing.providers import local_blend
from routing.providers.local_blend import Blend, fit_blend, scores_of
from routing.providers.local_clauses import CLAUSE_WIDTH, FIRST, LAST, Clauses, clauses_of
from routing.providers.local_features import expected_weights, option_features
from routing.providers.local_turn import turn_of

OPTIONS = ("billing", "returns", "out_of_scope")


def clauses(*tops: int, marked: int | None = None) -> Clauses:
    """Clauses that speak clearly for these options; `marked` is the one that carries a sign of its own."""
    signs = np.zeros((len(tops), CLAUSE_WIDTH))
    signs[0, FIRST] = signs[-1, LAST] = 1.0
    if marked is not None:
        signs[marked, 30] = 1.0
    shares = np.full((len(tops), len(OPTIONS)), 0.05)
    shares[np.arange(len(tops)), list(tops)] = 0.9
    return Clauses(signs=signs, shares=shares)


def test_a_message_is_described_clause_by_clause() -> None:
    turn = turn_of("O boleto já foi pago. Mas cadê o meu pedido?")
    logs = np.log(np.array([[0.4, 0.4, 0.2], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1]]))
    found = clauses_of(OPTIONS, turn, logs=logs)
    assert found.signs.shape == (2, CLAUSE_WIDTH)
    assert found.signs[:, FIRST].tolist() == [1.0, 0.0]
    assert found.signs[:, LAST].tolist() == [0.0, 1.0]
    assert found.shares == pytest.approx(np.exp(logs[1:]))


def test_in_context_the_clauses_come_after_the_exchange() -> None:
    turn = turn_of(
        "O pedido chegou ontem. Mas ficou largo demais.",
        current="billing",
        last_customer="cadê",
        last_agent="Chega hoje.",
    )
    logs = np.log(np.full((len(turn.texts), 3), 1 / 3))
    logs[-1] = np.log([0.1, 0.8, 0.1])
    assert clauses_of(OPTIONS, turn, logs=logs).shares[-1] == pytest.approx([0.1, 0.8, 0.1])


def test_one_clause_is_the_message_itself() -> None:
    logs = np.log(np.array([[0.7, 0.2, 0.1]]))
    found = clauses_of(OPTIONS, turn_of("segunda via do boleto"), logs=logs)
    assert found.shares == pytest.approx(np.array([[0.7, 0.2, 0.1]]))


def test_it_learns_which_clause_counts() -> None:
    """The marked clause decides, wherever it stands: neither place nor number of the clauses tells."""
    random = np.random.default_rng(1)
    turns: list[Clauses] = []
    targets: list[int] = []
    for _ in range(300):
        tops = random.permutation(3)[: random.integers(2, 4)]
        marked = int(random.integers(len(tops)))
        turns.append(clauses(*tops.tolist(), marked=marked))
        targets.append(int(tops[marked]))
    features = np.zeros((300, 3, 2))
    blend = fit_blend(features, turns, np.array(targets), np.ones(300), expected=np.zeros(2))
    new = [clauses(0, 1, marked=1), clauses(0, 1, marked=0), clauses(2, 0, 1, marked=0)]
    assert scores_of(blend, np.zeros((3, 3, 2)), new).argmax(axis=1).tolist() == [1, 0, 2]


def test_one_turn_scores_as_among_many() -> None:
    random = np.random.default_rng(2)
    blend = Blend(
        features=random.normal(size=4), heads=random.normal(size=2), attention=random.normal(size=(CLAUSE_WIDTH, 2))
    )
    features = random.normal(size=(3, 3, 4))
    turns = [clauses(0), clauses(0, 1, 2, marked=1), clauses(2, 1)]
    together = scores_of(blend, features, turns)
    alone = [blend.scores(own, turn) for own, turn in zip(features, turns, strict=True)]
    assert together == pytest.approx(np.stack(alone))


def test_the_slope_is_that_of_the_loss() -> None:
    random = np.random.default_rng(3)
    turns = [clauses(0, 1, marked=0), clauses(1), clauses(2, 1, 0, marked=2)]
    batch = local_blend._Batch(random.normal(size=(3, 3, 4)), turns)
    sizes = (4, 2, 2 * CLAUSE_WIDTH)
    targets, weights = np.array([0, 1, 0]), np.array([0.5, 0.3, 0.2])
    flat = random.normal(size=sum(sizes)) * 0.3

    def loss(at: np.ndarray) -> float:
        return local_blend._loss(batch, local_blend._unpacked(at, sizes), targets, weights)[0]

    slope = local_blend._loss(batch, local_blend._unpacked(flat, sizes), targets, weights)[1]
    assert slope == pytest.approx(approx_fprime(flat, loss, 1e-6), abs=1e-4)


def test_few_turns_are_drawn_to_what_is_expected() -> None:
    expected = np.array([0.5, 0.0, 0.5])
    features = np.random.default_rng(7).normal(size=(4, 3, 3))
    blend = fit_blend(features, [clauses(0)] * 4, np.array([0, 1, 2, 0]), np.ones(4), expected=expected)
    assert blend.features == pytest.approx(expected, abs=0.3)


def test_the_expected_weights_are_those_of_the_features_they_name() -> None:
    turn = turn_of("isso", current="returns", last_customer="quero devolver", last_agent="Qual pedido?")
    logs = np.log(np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.1, 0.7, 0.2]]))
    rows = option_features(OPTIONS, turn, logs=logs, inside=None, stays=2.0)
    named = rows[:, np.flatnonzero(expected_weights(rows.shape[1]))]
    joined = logs[3] - logs[0]
    here = np.array([0.0, 1.0, 0.0])
    assert named == pytest.approx(np.stack([logs[0], joined, here, 2.0 * here], axis=1))
