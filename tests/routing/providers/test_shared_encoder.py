from collections.abc import Sequence

import numpy as np

from routing.providers.local_encoder import Vectors
from routing.providers.shared_encoder import SharedEncoder, shared_encoder


class Counting:
    """An encoder whose vectors hold the text's length, and which keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(tuple(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32).reshape(-1, 2)

    def exists(self, word: str) -> bool:
        return word == "casa"


def test_a_text_is_embedded_once_and_the_order_is_the_callers() -> None:
    inner = Counting()
    encoder = SharedEncoder(inner)
    encoder.embed(["a", "bb"])

    assert encoder.embed(["ccc", "bb", "ccc", "a"])[:, 0].tolist() == [3, 2, 3, 1]
    assert inner.asked == [("a", "bb"), ("ccc",)]


def test_a_batch_passes_by() -> None:
    inner = Counting()
    encoder = SharedEncoder(inner)
    batch = [str(number) for number in range(500)]

    assert len(encoder.embed(batch)) == 500
    encoder.embed(batch[:1])
    assert inner.asked == [tuple(batch), ("0",)]


def test_the_oldest_are_forgotten() -> None:
    inner = Counting()
    encoder = SharedEncoder(inner)
    for number in range(300):
        encoder.embed([str(number)])
    encoder.embed(["299"])
    encoder.embed(["0"])

    assert inner.asked[-2:] == [("299",), ("0",)]


def test_no_text_and_a_word() -> None:
    encoder = SharedEncoder(Counting())

    assert len(encoder.embed([])) == 0
    assert (encoder.exists("casa"), encoder.exists("xyz")) == (True, False)


def test_a_process_has_one() -> None:
    assert shared_encoder() is shared_encoder()
