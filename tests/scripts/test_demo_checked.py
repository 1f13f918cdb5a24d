"""The demo fails where it should: an expectation that does not hold, an ending that was not meant, a script that does not fit."""

import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from graph.conversation import Bastao
from ops.words import names
from scripts.demo import main, play
from scripts.demo_play import Tally
from scripts.scenario import Scenario, ScenarioError
from scripts.terminal import Terminal
from settings import load_settings, open_bastao

# Scripts on all sides: nothing here waits for a decision model.
SAYS = {"router": [{"to": "support"}], "specialists": {"support": [{"say": "Está tudo certo.", "every_time": True}]}}
LINE = {"say": "como vai isso?", "look": "x"}


def scenario(*turns: dict[str, Any], **more: Any) -> Scenario:
    return Scenario.model_validate(
        {"id": "x", "title": "t", "customer": "c1", "shows": "s", "stand_ins": SAYS, "turns": list(turns), **more}
    )


@pytest.fixture
async def bastao(database_url: str, data_dir: Path) -> AsyncIterator[Bastao]:
    environ = {"DATABASE_URL": database_url, "BASTAO_DATA_DIR": str(data_dir)}
    # A remote provider where nobody listens: nothing is loaded, and whatever no script decides is undecided.
    nowhere = {"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": "http://127.0.0.1:9/v1"}
    async with open_bastao(load_settings(environ), {**environ, **nowhere}, provider="msd1") as opened:
        yield opened


async def played(bastao: Bastao, *scenarios: Scenario, outage: bool = False) -> tuple[Tally, str]:
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=200, highlight=False), names({}), [])
    tally = await play(bastao, scenarios, terminal, claim_timeout=timedelta(minutes=30), outage=outage)
    return tally, out.getvalue()


async def test_what_holds_is_ticked_and_what_does_not_is_crossed_with_what_was_found(bastao: Bastao) -> None:
    expect = [
        {"that": "responde", "reply": {"has": ["tudo certo"]}},
        {"that": "promete", "promise": {"status": "open"}, "reply": {"has": ["sexta"]}},
    ]
    tally, printed = await played(bastao, scenario({**LINE, "expect": expect}))
    assert tally == Tally(turns=1, held=1, failed=1)
    assert not tally.good
    assert "✓ responde" in printed
    assert "✗ promete" in printed
    assert "promise: nenhuma assim; há []" in printed
    assert "reply: falta 'sexta'" in printed


async def test_an_ending_that_was_not_meant_counts(bastao: Bastao) -> None:
    tally, printed = await played(bastao, scenario({**LINE, "ends": "held"}))
    assert (tally.ended_badly, tally.good) == (1, False)
    assert "terminou mal: replied" in printed


async def test_a_script_that_has_nothing_left_ends_the_turn_badly(bastao: Bastao) -> None:
    once = {**SAYS, "specialists": {"support": [{"say": "Está tudo certo."}]}}
    tally, printed = await played(bastao, scenario(LINE, LINE, stand_ins=once))
    assert (tally.turns, tally.ended_badly) == (2, 1)
    assert "terminou mal: failed" in printed


async def test_an_action_that_is_not_possible_fails(bastao: Bastao) -> None:
    tally, printed = await played(bastao, scenario(LINE, {"operator": "marta", "does": "approve", "item": "approval"}))
    assert tally.failed == 1
    assert "✗ marta: approve" in printed


async def test_what_never_happened_meanwhile_fails(bastao: Bastao) -> None:
    """A greeting is answered without a model: nobody writes, so nothing can happen meanwhile."""
    meanwhile = [{"operator": "marta", "does": "reply", "text": "Oi, sou a Marta."}]
    tally, printed = await played(bastao, scenario({**LINE, "say": "bom dia!", "meanwhile": meanwhile}))
    assert tally.failed == 1
    assert "nenhum modelo escreveu" in printed


async def test_operators_speak_before_after_and_while_the_bot_writes(bastao: Bastao) -> None:
    marta = {"operator": "marta", "does": "reply", "text": "Oi, sou a Marta."}
    sees = [{"that": "vê", "operator_sees": {"discarded_has": "tudo certo"}, "answers": {"operator": 1, "agent": 0}}]
    tally, printed = await played(
        bastao,
        scenario({**LINE, "ends": "held", "meanwhile": [marta], "expect": sees}, {**marta, "does": "hand_back"}, LINE),
    )
    assert tally == Tally(turns=2, held=1)
    assert printed.index("[enquanto o bot escreve] › responde: Oi, sou a Marta.") < printed.index("descartada")
    assert "marta vê na fila a resposta descartada: “Está tudo certo.”" in printed
    assert "Atendimento › Voltei a te atender por aqui" in printed
    assert "roteiro (simulado)" in printed


async def test_a_clock_is_moved_only_where_nobody_has_written(bastao: Bastao) -> None:
    moved = scenario(
        LINE, {"clock": "thursday opening"}, {**LINE, "expect": [{"that": "x", "turns": 2}]}, starts="monday opening"
    )
    tally, printed = await played(bastao, moved)
    assert tally == Tally(turns=2, held=1)
    assert printed.index("relógio da cena: segunda") < printed.index("⏱ quinta")
    tally, printed = await played(bastao, moved)
    assert tally == Tally()
    assert "pulada" in printed
    assert "esta base já tem conversas" in printed


async def test_many_messages_are_summed_up_and_each_counts(bastao: Bastao) -> None:
    fill = {"fill": ["e agora, como vai?", "e isso aí, como vai?"], "turns": 3, "look": "x"}
    tally, printed = await played(bastao, scenario({**fill, "expect": [{"that": "três", "turns": 3}]}))
    assert tally == Tally(turns=3, held=1)
    assert "… 3 turnos de conversa" in printed


async def test_without_anybody_to_decide_what_does_not_hold_fails(bastao: Bastao) -> None:
    expect = [{"that": "decide", "decision": {"to": "support"}}]
    lost = scenario({**LINE, "expect": expect}, stand_ins={})
    tally, _ = await played(bastao, lost)
    assert (tally.failed, tally.excused, tally.good) == (1, 0, False)


async def test_an_outage_that_was_asked_for_excuses_what_nobody_decided_and_no_more(bastao: Bastao) -> None:
    expect = [{"that": "decide", "decision": {"to": "support"}}, {"that": "responde", "ending": "replied"}]
    lost = scenario({**LINE, "expect": expect}, stand_ins={})
    tally, printed = await played(bastao, lost, outage=True)
    assert (tally.held, tally.failed, tally.excused, tally.good) == (1, 0, 1, True)
    assert "– aqui não se confere: decide" in printed
    assert "✗" not in printed


async def test_an_outage_excuses_nothing_that_was_decided(bastao: Bastao) -> None:
    tally, _ = await played(bastao, scenario({**LINE, "expect": [{"that": "x", "turns": 2}]}), outage=True)
    assert (tally.failed, tally.excused) == (1, 0)


async def test_in_a_used_database_what_does_not_hold_is_told_and_not_counted(bastao: Bastao) -> None:
    expect = [{"that": "x", "turns": 2}, {"that": "y", "turns": 1}]
    checked = scenario({**LINE, "expect": expect})
    tally, _ = await played(bastao, checked)
    assert (tally.held, tally.failed, tally.good) == (1, 1, False)
    tally, printed = await played(bastao, checked)
    assert (tally.held, tally.failed, tally.excused, tally.good) == (1, 0, 1, True)
    assert "esta base já tem conversas" in printed


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"stand_ins": {"specialists": {"suport": [{"say": "x"}]}}},
            "scenario x: no specialist 'suport'; there are: returns",
        ),
        ({"customer": "c9"}, "scenario x: no customer 'c9'; the demo's are: c1, c2, c3"),
    ],
)
async def test_names_that_nobody_has_are_refused(bastao: Bastao, more: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        await played(bastao, scenario(LINE, **more))


@pytest.mark.parametrize(("has", "code", "mark"), [("tudo certo", 0, "✓"), ("sexta", 1, "✗")])
def test_the_command_exits_with_one_for_a_violated_expectation(
    surface_environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], has: str, code: int, mark: str
) -> None:
    line = {**LINE, "expect": [{"that": "diz", "reply": {"has": [has]}}]}
    body = scenario(line).model_dump(mode="json", by_alias=True, exclude_unset=True)
    (tmp_path / "x.json").write_text(json.dumps(body), "utf-8")
    where = {**surface_environ, "OPENROUTER_API_KEY": "k"}  # a script decides: the provider is never asked
    assert main(["--scenarios", str(tmp_path), "--provider", "msd1"], where) == code
    assert f"{mark} diz" in capsys.readouterr().out
