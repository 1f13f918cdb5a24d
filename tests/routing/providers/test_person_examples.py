import json
from pathlib import Path

import pytest

from routing.providers.local_examples import BadExamples
from routing.providers.person_examples import Labelled, load_labelled
from routing.sensing import ASKED
from routing.sensitive import DEFAULT_TOPICS
from routing.text import normalise

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "agents/examples_person"
LEAST, LEAST_ALIKE = 70, 45
# What is learned at the first start must be embedded first: more costs seconds there.
MOST = 1500


def write(folder: Path, name: str, *rows: object) -> Path:
    folder.mkdir(exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_line_is_a_sentence_and_its_sign(tmp_path: Path) -> None:
    write(tmp_path, "fraud", {"text": "clonaram tudo", "sign": "fraud"}, "", {"text": "boleto vencido", "sign": None})

    assert load_labelled([tmp_path]) == (Labelled("clonaram tudo", "fraud"), Labelled("boleto vencido", None))


def test_folders_add_up_and_one_that_is_missing_holds_nothing(tmp_path: Path) -> None:
    ours = write(tmp_path / "a", "fraud", {"text": "clonaram tudo", "sign": "fraud"}, {"text": "oi", "sign": None})
    theirs = write(tmp_path / "b", "minor", {"text": "tenho doze", "sign": "minor"})

    assert [e.sign for e in load_labelled([ours, theirs, tmp_path / "none"])] == ["fraud", None, "minor"]


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ("{", "fraud.jsonl:2"),
        ({"text": "sem rótulo"}, "fraud.jsonl:2"),
        ({"text": "outro", "sign": "minor"}, "'fraud'"),
        ({"text": " ", "sign": None}, "fraud.jsonl:2"),
        ({"text": 3, "sign": None}, "fraud.jsonl:2"),
        ([], "fraud.jsonl:2"),
    ],
)
def test_a_line_that_teaches_nothing_is_named(tmp_path: Path, row: object, where: str) -> None:
    write(tmp_path, "fraud", {"text": "clonaram tudo", "sign": "fraud"}, row)

    with pytest.raises(BadExamples, match=where):
        load_labelled([tmp_path])


@pytest.mark.parametrize("sign", ["fraud", None])
def test_one_side_alone_teaches_nothing(tmp_path: Path, sign: str | None) -> None:
    write(tmp_path, "fraud", {"text": "clonaram tudo", "sign": sign})

    with pytest.raises(BadExamples, match="look-alikes"):
        load_labelled([tmp_path])


@pytest.mark.parametrize("sign", [ASKED, *(topic.id for topic in DEFAULT_TOPICS)])
def test_every_sign_has_examples_and_look_alikes_of_its_own(sign: str) -> None:
    rows = [json.loads(line) for line in (OURS / f"{sign}.jsonl").read_text("utf-8").splitlines()]

    assert sum(row["sign"] == sign for row in rows) >= LEAST
    assert sum(row["sign"] is None for row in rows) >= LEAST_ALIKE


def test_no_example_repeats_or_is_one_that_a_test_scores() -> None:
    taught = [normalise(example.text) for example in load_labelled([OURS])]
    data = ROOT / "tests/routing/data"
    scored = {
        normalise(json.loads(line)["text"])
        for name in ("sensitive", "sensitive_unseen", "people", "people_unseen")
        for line in (data / f"{name}.jsonl").read_text("utf-8").splitlines()
    }

    assert len(set(taught)) == len(taught) <= MOST
    assert scored.isdisjoint(taught)
