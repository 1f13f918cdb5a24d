"""The quadratic layer: what it can tell apart, and that its two forms agree."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from routing.providers.local_quadratic import PairLearner, inputs_at, inputs_of, learn_basis


def pairs(count: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Inputs whose option is whether two features agree: no linear layer can tell."""
    random = np.random.default_rng(4)
    inputs = random.choice([-1.0, 1.0], size=(count, 6)).astype(np.float32)
    return inputs, (inputs[:, 0] * inputs[:, 1] > 0).astype(np.int64)


def test_it_learns_what_only_pairs_tell() -> None:
    inputs, targets = pairs()
    seen = np.arange(60)
    logits = PairLearner(inputs, targets, options=2).held_out(seen, inputs[60:])
    assert logits.argmax(axis=1).tolist() == targets[60:].tolist()


def test_the_layer_scores_like_the_fit_on_all() -> None:
    random = np.random.default_rng(5)
    vectors = random.normal(size=(40, 8)).astype(np.float32)
    terms = csr_matrix(random.random((40, 12)).astype(np.float32) * (random.random((40, 12)) < 0.5))
    targets = np.arange(40) % 3
    basis = learn_basis(terms)
    inputs = inputs_of(basis, vectors, terms)
    learner = PairLearner(inputs, targets, options=3)
    rows = [(row.indices.astype(np.int64), row.data.astype(np.float32)) for row in terms]
    at_run_time = inputs_at(basis, vectors, rows)
    assert at_run_time == pytest.approx(inputs, abs=1e-3)
    assert learner.layer().scores(at_run_time) == pytest.approx(learner.held_out(np.arange(40), inputs), abs=1e-3)


def grouped(count: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs whose option is the sign of a feature in one group, and the opposite in the other."""
    random = np.random.default_rng(7)
    inputs = random.choice([-1.0, 1.0], size=(count, 4)).astype(np.float32)
    groups = random.integers(0, 2, size=count)
    return inputs, ((inputs[:, 0] > 0) == (groups == 0)).astype(np.int64), groups


def test_the_same_words_mean_another_thing_in_another_group() -> None:
    inputs, targets, groups = grouped()
    learner = PairLearner(inputs, targets, options=2, groups=groups)
    logits = learner.held_out(np.arange(90), inputs[90:], groups[90:])
    assert logits.argmax(axis=1).tolist() == targets[90:].tolist()
    blind = PairLearner(inputs, targets, options=2).held_out(np.arange(90), inputs[90:])
    assert np.mean(blind.argmax(axis=1) == targets[90:]) < 0.8


def test_the_layer_of_a_group_scores_like_the_fit_for_that_group() -> None:
    inputs, targets, groups = grouped()
    learner = PairLearner(inputs, targets, options=2, groups=groups)
    for group, layer in zip((0, 1), learner.layers([0, 1]), strict=True):
        everywhere = np.full(len(inputs), group)
        held_out = learner.held_out(np.arange(len(inputs)), inputs, everywhere)
        assert layer.scores(inputs) == pytest.approx(held_out, abs=1e-3)


def test_a_text_that_counts_more_is_followed() -> None:
    inputs = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    targets, everything = np.array([0, 1, 1, 0]), np.arange(4)
    even = PairLearner(inputs, targets, options=2).held_out(everything, inputs)
    assert even[:, 0] == pytest.approx(even[:, 1], abs=1e-4)
    weights = np.array([1.0, 0.1, 1.0, 0.1], dtype=np.float32)
    weighed = PairLearner(inputs, targets, options=2, weights=weights).held_out(everything, inputs)
    assert weighed.argmax(axis=1).tolist() == [0, 0, 1, 1]


def test_an_option_that_was_not_seen_is_the_least_likely() -> None:
    inputs, targets = pairs()
    logits = PairLearner(inputs, targets, options=3).held_out(np.arange(60), inputs[60:])
    assert 2 not in logits.argmax(axis=1)


def test_rare_terms_do_not_count_among_many_texts() -> None:
    random = np.random.default_rng(6)
    dense = (random.random((2000, 5)) < 0.4).astype(np.float32)
    dense[:, 4] = 0.0
    dense[0, 4] = 1.0
    basis = learn_basis(csr_matrix(dense))
    assert not basis[4].any()
    assert basis[:4].any(axis=1).all()
