import pytest

from evals.paired import Paired, paired


@pytest.mark.parametrize(
    ("first_only", "second_only", "p"),
    # Exact binomial of McNemar's test, computed with R's binom.test.
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (2, 10, 0.03857422), (1, 9, 0.02148438), (8, 8, 1.0)],
)
def test_the_exact_p(first_only: int, second_only: int, p: float) -> None:
    assert Paired(100, first_only, second_only).p_value == pytest.approx(p, abs=1e-7)


def test_two_turns_of_76_are_not_evidence() -> None:
    found = paired([True] * 75 + [False], [True] * 73 + [False] * 3)
    assert (found.n, found.first_only, found.second_only, found.is_noise) == (76, 2, 0, True)
    assert "not evidence" in found.sentence("a", "b")


def test_a_difference_beyond_the_noise_names_the_better_one() -> None:
    found = paired([True] * 40 + [False] * 10, [False] * 12 + [True] * 28 + [False] * 10)
    assert not found.is_noise
    assert found.sentence("a", "b").startswith("a is better")
    assert paired([False] * 12, [True] * 12).sentence("a", "b").startswith("b is better")


def test_the_same_cases_are_said_to_be_the_same_and_runs_must_be_as_long() -> None:
    assert "same cases" in paired([True, False], [True, False]).sentence("a", "b")
    with pytest.raises(ValueError, match=r"shorter|argument"):
        paired([True], [])
