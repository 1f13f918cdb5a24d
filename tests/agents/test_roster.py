from pathlib import Path

import pytest

from agents.roster import RosterError, load_roster
from routing.reasons import ReasonOverride
from tests.agents.conversing import ROOT, ROSTER_PATHS, Talk, the_roster

SPEC = """
from agents.spec import AgentSpec

SPEC = AgentSpec(
    id="{id}",
    display_name="Fidelidade",
    display_name_en="Loyalty",
    role="Pontos, assinatura do clube, vantagens e fidelidade.",
    tools={tools},
    reasons={reasons},
)
"""


def _write(base: Path, id: str = "retention", *, tools: str = "('lookup_order', 'list_orders', 'not_mine')",
           reasons: str = "{'loyalty': 'pontos e assinatura do clube de fidelidade'}", prompt: str | None = "# $display_name\n$role\n$common") -> str:  # fmt: skip
    folder = base / "shop_agents"
    (folder / "prompts").mkdir(parents=True, exist_ok=True)
    (folder / f"{id}.py").write_text(SPEC.format(id=id, tools=tools, reasons=reasons))
    if prompt is not None:
        (folder / "prompts" / f"{id}.md").write_text(prompt)
    return f"shop_agents/{id}.py"


def test_the_three_specialists() -> None:
    roster = the_roster()
    assert roster.ids == ("returns", "support", "billing")
    assert {spec.posture for spec in roster.specs} == {"executes"}
    assert [spec.display_name for spec in roster.specs] == ["Devoluções e trocas", "Entregas e cadastro", "Financeiro"]
    assert all(roster.examples(target).is_file() for target in (*roster.ids, "out_of_scope", "needs_question"))
    with pytest.raises(KeyError):
        roster.by_id("nobody")


def test_reasons_say_who_takes_them_and_configuration_overrides() -> None:
    roster = the_roster()
    table = roster.reasons()
    assert table.entries["duplicate_charge"].agent == "billing"
    assert {entry.agent for entry in table.entries.values()} == set(roster.ids)
    assert not [reason for reason, _ in table.for_agent("billing") if table.entries[reason].agent == "billing"]
    moved = roster.reasons({"invoice": ReasonOverride(agent="support")})
    assert moved.entries["invoice"].agent == "support"
    assert moved.entries["invoice"].sentence == table.entries["invoice"].sentence


def test_a_fourth_specialist_is_files_and_one_line(tmp_path: Path) -> None:
    roster = the_roster(_write(tmp_path), base=tmp_path)
    assert roster.ids[-1] == "retention"
    spec = roster.by_id("retention")
    assert spec.posture == "guides"
    assert "Fidelidade" in roster.prompt("retention")
    assert "assunto" in roster.prompt("retention").lower()
    assert roster.reasons().entries["loyalty"].agent == "retention"
    assert roster.examples("retention") == tmp_path / "shop_agents" / "examples" / "retention.jsonl"


async def test_a_fourth_specialist_converses_under_the_offline_model(tmp_path: Path) -> None:
    roster = the_roster(_write(tmp_path), base=tmp_path)
    talk = Talk(roster=roster)
    await talk.say("quero saber dos meus pontos do clube de fidelidade", "support")
    assert talk.handoffs == [("support", "retention", "loyalty")]
    reply = await talk.say("é do pedido 10405")
    assert ("lookup_order", {"order": "10405"}, "ok") in talk.calls
    assert "Tênis Corrida Azul" in reply
    await talk.say("e me cobraram duas vezes nesse cartão")
    assert talk.agent == "billing"


def test_the_configurations_folder_comes_before_the_code(tmp_path: Path) -> None:
    (tmp_path / "agents" / "prompts").mkdir(parents=True)
    (tmp_path / "agents" / "returns.py").write_text(SPEC.format(id="returns", tools="()", reasons="{}"))
    (tmp_path / "agents" / "prompts" / "returns.md").write_text("$display_name $role $common")
    roster = load_roster(ROSTER_PATHS, base=tmp_path, fallback=ROOT)
    assert roster.by_id("returns").display_name == "Fidelidade"
    assert roster.by_id("billing").display_name == "Financeiro"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "out_of_scope"}, "cannot be an id"),
        ({"id": "two words"}, "cannot be an id"),
        ({"tools": "('teleport',)"}, "unknown tool 'teleport'; known: lookup_order"),
        ({"reasons": "{'charge': 'x'}"}, "reason 'charge' is taken by"),
        ({"prompt": None}, "no such prompt"),
        ({"prompt": "$display_name $role $common $mood"}, "unknown variable mood; known: common, display_name, role"),
        ({"prompt": "$display_name $role"}, "does not use common"),
        ({"prompt": "$display_name $role $common R$ 10"}, r"written \$\$"),
        ({"tools": "5"}, "tools"),
    ],
)
def test_what_cannot_work_is_named_at_start(tmp_path: Path, change: dict[str, str], message: str) -> None:
    path = _write(tmp_path, **change)
    with pytest.raises(RosterError, match=message) as caught:
        the_roster(path, base=tmp_path)
    assert "shop_agents" in str(caught.value)


def test_files_that_are_no_specs(tmp_path: Path) -> None:
    for name, text, message in (
        ("a.py", "x = 1", "must define SPEC"),
        ("b.py", "import nowhere_at_all", "nowhere_at_all"),
        ("c.py", "SPEC = (", "c.py"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(RosterError, match=message):
            load_roster([name], base=tmp_path, fallback=ROOT)
    with pytest.raises(RosterError, match="no such spec file"):
        load_roster(["agents/nobody.py"], base=tmp_path, fallback=ROOT)
    with pytest.raises(RosterError, match="empty"):
        load_roster([], base=tmp_path, fallback=ROOT)
    with pytest.raises(RosterError, match="id 'billing' is taken by"):
        load_roster([*ROSTER_PATHS, "agents/billing.py"], base=tmp_path, fallback=ROOT)


@pytest.mark.parametrize(
    "tools",
    [
        "('lookup_order', 'list_orders', 'consult_policy', 'promise_callback', 'not_mine')",
        "('lookup_order', 'not_mine')",
        "('not_mine',)",
    ],
)
async def test_a_specialist_without_a_policy_answers_no_other_subject(tmp_path: Path, tools: str) -> None:
    talk = Talk(roster=the_roster(_write(tmp_path, tools=tools), base=tmp_path))
    reply = await talk.say("sumiram os pontos da minha última compra, pedido 10405", "retention")
    assert talk.agent == "retention"
    assert "RT123456789BR" not in reply
    assert "trânsito" not in reply
    assert "não consigo resolver sozinho" in reply
    assert "uma pessoa da equipe" in reply
    if "promise_callback" in tools:
        assert "RE-0001" in await talk.say("sim")
        assert "sumiram os pontos" in next(iter(talk.desk.items.values()))[0]


async def test_a_specialist_without_a_policy_reads_its_own_topic(tmp_path: Path) -> None:
    talk = Talk(
        roster=the_roster(_write(tmp_path, tools="('consult_policy', 'promise_callback', 'not_mine')"), base=tmp_path)
    )
    talk.shop.policies["fidelidade"] = "Os pontos valem por 12 meses."
    assert "Os pontos valem por 12 meses." in await talk.say("até quando valem meus pontos do clube?", "retention")


async def test_a_specialist_without_a_policy_asks_what_is_needed(tmp_path: Path) -> None:
    talk = Talk(roster=the_roster(_write(tmp_path), base=tmp_path))
    assert (await talk.say("oi", "retention")).endswith("O que aconteceu?")
