"""A customer log as shops have it: odd columns, quotes, emoji, Latin-1, empty rows; read, masked, compared, and what was skipped is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.datasets import BadCases
from evals.logs import Columns, read_log
from scripts.compare import main

MAPPED = Columns(message="Mensagem do cliente", expected="Setor certo", current="Setor", reply="Última resposta")
ROWS = (
    ("Quero trocar o tênis, não serviu", "returns"),
    ("cadê meu pedido 10431? 😡😡", "support"),
    ('o "rastreio" diz; entregue, e não chegou', "support"),
    ("fui cobrada duas vezes no cartão", "billing"),
    ("meu cpf é 529.982.247-25 e o e-mail ana.exemplo@correio.test, cadê o boleto?", "billing"),
    ("deu problema naquilo lá", "clarification"),
    ("a novela de ontem atrasou", "support"),
)
EMPTY = sum(n % 50 == 49 for n in range(500))
TORN = sum(n % 75 == 74 and n % 50 != 49 for n in range(500))


def csv_of(count: int) -> str:
    """A table of `count` rows; every 50th is empty and every 75th has a field too many."""
    lines = ["Data;Mensagem do cliente;Setor certo;Setor;Última resposta"]
    for number in range(count):
        text, expected = ROWS[number % len(ROWS)]
        if number % 50 == 49:
            lines.append(";;;;")
        elif number % 75 == 74:
            lines.append(f"01/11;{number};returns;;;a mais;")
        else:
            quoted = text.replace('"', '""')
            lines.append(f'01/11/2026;"{quoted}";{expected};;')
    return "\r\n".join(lines) + "\r\n"


def test_every_row_is_taken_or_said_to_be_skipped(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(csv_of(500).encode("utf-8-sig"))
    log = read_log(path, MAPPED)
    assert (len(log.skipped["no message"]), len(log.skipped["more fields than the head has"])) == (EMPTY, TORN)
    assert len(log.lines) == 500 - EMPTY - TORN
    assert log.encoding == "utf-8"
    assert log.lines[1].message == "cadê meu pedido 10431? 😡😡"
    assert log.lines[2].message == 'o "rastreio" diz; entregue, e não chegou'


def test_documents_are_masked_on_reading(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(csv_of(5), "utf-8")
    said = read_log(path, MAPPED).lines[4].message
    assert "529" not in said
    assert "correio" not in said
    assert "cadê o boleto?" in said


def test_latin_1_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_bytes("mensagem\tx\nNão recebi a devolução\t1\n".encode("latin-1"))
    log = read_log(path, Columns(message="mensagem"))
    assert (log.lines[0].message, log.encoding) == ("Não recebi a devolução", "cp1252")


def test_json_lines_that_are_none_are_skipped_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"message": "oi, e a troca?"}\n\n{"message": \n[1]\n{"message": 7}\n{"message": "  "}\n', "utf-8")
    log = read_log(path, Columns())
    assert [line.line for line in log.lines] == [1]
    assert log.skipped == {"not JSON": [3], "not a JSON object": [4], "the message is no text": [5], "no message": [6]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("texto;setor\noi;x\n", "no column 'message'; there are: texto, setor"),
        ("", "no column"),
        ("message\n\n", "no message"),
    ],
)
def test_what_cannot_be_compared_says_why(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadCases, match=why):
        read_log(path, Columns())


@pytest.fixture(scope="module")
def compared(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("compare")
    (folder / "log.csv").write_bytes(csv_of(500).encode("utf-8"))
    columns = [f"--column={field}={name}" for field, name in
               (("message", MAPPED.message), ("expected", MAPPED.expected), ("current", MAPPED.current), ("reply", MAPPED.reply))]  # fmt: skip
    code = main(
        [
            "--log",
            str(folder / "log.csv"),
            "--providers",
            "local, local+fallback",
            *columns,
            "--json",
            str(folder / "out.json"),
        ],
        environ={"BASTAO_DATA_DIR": str(data_dir)},
    )
    return code, json.loads((folder / "out.json").read_text("utf-8"))


@pytest.mark.slow
def test_the_figures_of_a_log_are_right(compared: tuple[int, dict[str, Any]]) -> None:
    code, found = compared
    n = 500 - EMPTY - TORN
    wrong = sum(k % len(ROWS) == 6 and k % 50 != 49 and k % 75 != 74 for k in range(500))
    assert code == 0
    assert found["n"] == n
    assert (found["concordance"]["value"], found["concordance"]["n"]) == (1.0, n)
    right = found["providers"]["local"]["accuracy"]
    assert (right["hits"], right["n"]) == (n - wrong, n)
    assert found["providers"]["local"]["cost_usd"] == 0
    assert found["sentences"] == [f"local and local+fallback are right on the same cases of {n}."]
    assert [each["message"] for each in found["unsure"]] == ["deu problema naquilo lá"]


def test_a_wrong_flag_and_a_missing_file_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--log", str(tmp_path / "none.csv"), "--providers", "local"], environ={}) == 2
    path = tmp_path / "log.csv"
    path.write_text("message\noi, cadê meu pedido?\n", "utf-8")
    assert main(["--log", str(path), "--providers", "magic"], environ={}) == 2
    said = capsys.readouterr().err
    assert "none.csv" in said
    assert "magic" in said
    with pytest.raises(SystemExit):
        main(["--log", str(path), "--providers", "local", "--column", "mesage=x"], environ={})


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--unsure", "-3"], "--unsure: must be 0 or more, not -3"),
        (["--providers", ""], "--providers: '' names nothing"),
    ],
)
def test_arguments_that_mean_nothing_are_usage_errors(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--log", "x.csv", "--providers", "local", *argv], environ={})
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
