"""Conversations that nobody here wrote, read where they lie; only figures carry over."""

from typing import Any

import pytest

from evals.datasets import read_cases
from evals.integrity import TOKENS_AT_MOST, run
from evals.integrity_cases import IntegrityCase
from tests.evals.cases import SHARED

pytestmark = pytest.mark.skipif(
    not SHARED, reason="the outside sets (../shared/data/integrity) are not on this machine"
)

# From the first run: all words but one of 941 after padding.
WORDS_UNPADDED, WORDS_PADDED = 0.97, 0.98


@pytest.mark.parametrize(
    ("pad", "words"), [(0, WORDS_UNPADDED), pytest.param(200, WORDS_PADDED, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_what_customers_gave_is_kept(path: Any, pad: int, words: float) -> None:
    result = run(read_cases(IntegrityCase, [path]), pad=pad)
    figures: Any = result.metrics
    assert figures["identifiers"]["hits"] == figures["identifiers"]["n"] > 0
    assert figures["cards"]["hits"] == figures["cards"]["n"]
    assert figures["words"]["value"] >= words
    assert figures["identifiers_exact"]["value"] >= 0.99
    assert figures["broken"] == 0
    assert figures["package_tokens"]["max"] <= TOKENS_AT_MOST
