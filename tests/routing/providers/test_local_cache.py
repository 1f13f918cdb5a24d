from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from routing.providers.local_blend import Blend
from routing.providers.local_cache import load_or_train
from routing.providers.local_clauses import CLAUSE_WIDTH
from routing.providers.local_encoder import Encoder, SentenceEncoder
from routing.providers.local_examples import Example
from routing.providers.local_model import Linear, LocalModel, from_file, to_bytes
from routing.providers.local_ngrams import learn_vocabulary
from routing.providers.local_quadratic import Quadratic
from routing.providers.local_spelling import Speller

EXAMPLES = (Example(text="oi", label="a"), Example(text="tchau", label="b"))


def model() -> LocalModel:
    vocabulary = learn_vocabulary(["quero devolver", "quero trocar"])
    layer = Linear(
        vector=np.ones((512, 2), dtype=np.float32),
        terms=np.ones((len(vocabulary.index), 2), dtype=np.float32),
        bias=np.array([0.5, -0.5], dtype=np.float32),
    )
    quadratic = Quadratic(
        directions=np.ones((2, 3, 4), dtype=np.float32),
        strengths=np.ones((2, 3), dtype=np.float32),
        slopes=np.ones((4, 2), dtype=np.float32),
        bias=np.zeros(2, dtype=np.float32),
    )
    return LocalModel(
        options=("a", "b"), speller=Speller(("quero", "devolução")), vocabulary=vocabulary, opening=layer, stay=layer,
        basis=np.ones((len(vocabulary.index), 3), dtype=np.float16), pairs=quadratic,
        within={"b": replace(quadratic, bias=np.ones(2, dtype=np.float32))},
        blend=Blend(features=np.array([1.0, 2.0]), heads=np.array([0.5]), attention=np.ones((CLAUSE_WIDTH, 1))), temperature=1.25,
    )  # fmt: skip


class Training:
    """Counts how often it was asked to train."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, examples: Sequence[Example], encoder: Encoder) -> LocalModel:
        self.times += 1
        return model()


def built(cache: Path | None, train: Training, examples: tuple[Example, ...] = EXAMPLES) -> str:
    return load_or_train(examples, encoder=SentenceEncoder(), cache_dir=cache, train=train).build


def test_a_model_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(to_bytes(model()))
    back, given = from_file(path), model()
    assert (back.options, back.speller.words, back.vocabulary.index) == (
        given.options,
        given.speller.words,
        given.vocabulary.index,
    )
    assert back.temperature == given.temperature
    assert np.array_equal(back.opening.terms, given.opening.terms)
    assert np.array_equal(back.blend.attention, given.blend.attention)
    assert np.array_equal(back.basis, given.basis)
    assert back.basis.dtype == np.float16
    assert np.array_equal(back.pairs.directions, given.pairs.directions)
    assert {current: layer.bias.tolist() for current, layer in back.within.items()} == {"b": [1.0, 1.0]}


def test_it_trains_once_and_then_reads(tmp_path: Path) -> None:
    train = Training()
    assert built(tmp_path, train) == built(tmp_path, train)
    assert train.times == 1


def test_other_examples_are_another_model(tmp_path: Path) -> None:
    train = Training()
    more = (*EXAMPLES, Example(text="oi de novo", label="a"))
    assert built(tmp_path, train) != built(tmp_path, train, more)
    assert train.times == 2


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 half an archive"])
def test_a_broken_file_is_trained_over(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    train = Training()
    (tmp_path / f"{built(tmp_path, train)}.npz").write_bytes(content)
    built(tmp_path, train)
    built(tmp_path, train)
    assert train.times == 2
    assert "trained again" in caplog.text


def test_a_pickle_is_not_opened(tmp_path: Path) -> None:
    train = Training()
    np.savez(tmp_path / f"{built(tmp_path, train)}.npz", options=np.array([{"a": 1}], dtype=object), allow_pickle=True)  # type: ignore[arg-type]
    built(tmp_path, train)
    assert train.times == 2


def test_without_a_folder_nothing_is_kept() -> None:
    train = Training()
    built(None, train)
    built(None, train)
    assert train.times == 2


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert built(blocked / "cache", Training()).startswith("local-")
    assert "not cached" in caplog.text


def test_processes_that_start_together_train_once(tmp_path: Path) -> None:
    """While one trains, the others wait at its lock, and then read what it left."""
    train, waiting = Training(), []

    @contextmanager
    def alone(path: Path) -> Generator[None]:
        waiting.append(path)
        if len(waiting) == 1:  # somebody else had the lock first, and trained
            built(tmp_path, train)
        yield

    load_or_train(EXAMPLES, encoder=SentenceEncoder(), cache_dir=tmp_path, train=train, alone=alone)
    assert train.times == 1
    assert waiting == [tmp_path / f"{built(tmp_path, train)}.lock"]


def test_a_lock_that_cannot_be_had_costs_only_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    train = Training()

    @contextmanager
    def alone(path: Path) -> Generator[None]:
        raise TimeoutError(str(path))
        yield

    for _ in range(2):
        load_or_train(EXAMPLES, encoder=SentenceEncoder(), cache_dir=tmp_path, train=train, alone=alone)
    assert train.times == 1
    assert "without a lock" in caplog.text
