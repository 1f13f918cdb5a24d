"""Fixtures of the evaluations that play whole turns."""

import pytest

from tests.evals.playing_ground import Open, opener
from tests.graph.conftest import Make, make_desk

__all__ = ["make_desk", "open_bastao_on"]


@pytest.fixture
def open_bastao_on(make_desk: Make) -> Open:
    return opener(make_desk)
