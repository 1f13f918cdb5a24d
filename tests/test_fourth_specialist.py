"""A fourth specialist by files and one roster line: routed to, and handed over to by reason, with no other edit."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from graph.conversation import Bastao
from graph.events import Event
from routing.shop import Customer
from settings import ROOT, load_settings, open_bastao
from tests.graph.conftest import of, reply_of

pytestmark = pytest.mark.slow

SPEC = '''
"""Keeps customers who want to leave the loyalty club."""

from agents.spec import AgentSpec
from tools.registry import EVERYBODYS

SPEC = AgentSpec(
    id="retention",
    display_name="Clube de vantagens",
    display_name_en="Loyalty club",
    role="Wants to leave, pause or change the loyalty club; points, benefits and renewal of the club.",
    aliases=("clube", "fidelidade"),
    posture="guides",
    tools=("lookup_order", "list_orders", "consult_policy", *EVERYBODYS),
    reasons={"loyalty_club": "The customer wants to leave or change the loyalty club, or asks about its points."},
)
'''
PROMPT = "# $display_name\n\n$role\n\n$common\n"
EXAMPLES = [
    "quero sair do clube de vantagens", "cancela minha assinatura do clube", "quantos pontos eu tenho no clube?",
    "meus pontos do clube expiraram", "como pauso o clube de vantagens?", "não quero renovar o clube esse ano",
    "o clube de vantagens não me deu o benefício", "quero mudar de plano no clube", "sumiram os pontos da minha última compra",
    "como uso os pontos do programa de fidelidade?", "me tira desse programa de fidelidade", "o clube renovou sozinho",
    "quais as vantagens do clube?", "meu nível no clube caiu por quê?", "pontos do clube valem até quando?",
    "quero desistir do clube", "o programa de pontos não pontuou", "assinei o clube sem querer", "clube de fidelidade, quero sair",
    "cadê meus pontos do clube?",
]  # fmt: skip


@pytest.fixture
async def bastao(tmp_path: Path, database_url: str, data_dir: Path) -> AsyncIterator[Bastao]:
    (tmp_path / "agents" / "prompts").mkdir(parents=True)
    (tmp_path / "agents" / "examples").mkdir()
    (tmp_path / "agents" / "retention.py").write_text(SPEC, "utf-8")
    (tmp_path / "agents" / "prompts" / "retention.md").write_text(PROMPT, "utf-8")
    lines = [json.dumps({"text": text, "register": "informal"}) for text in EXAMPLES]
    (tmp_path / "agents" / "examples" / "retention.jsonl").write_text("\n".join(lines), "utf-8")
    # Another shop's folder comes first: a tenth of our examples there is learned in a tenth of the time.
    for path in (ROOT / "agents" / "examples").glob("*.jsonl"):
        few = path.read_text("utf-8").splitlines()[::10]
        (tmp_path / "agents" / "examples" / path.name).write_text("\n".join(few), "utf-8")
    config = json.loads((ROOT / "config.json").read_text("utf-8"))
    config["roster"].append("agents/retention.py")
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    environ = {
        "DATABASE_URL": database_url,
        "BASTAO_DATA_DIR": str(data_dir),
        "BASTAO_CONFIG": str(tmp_path / "config.json"),
    }
    async with open_bastao(load_settings(environ), environ) as opened:
        yield opened


async def say(bastao: Bastao, thread_id: str, text: str) -> list[Event]:
    stream = bastao.conversation.send(
        thread_id,
        [text],
        message_id=f"m-{uuid4().hex}",
        customer=Customer(id="c1", name="Ana", level="session"),
        channel="tests",
    )
    return [event async for event in stream]


async def test_it_is_routed_to_and_handed_over_to_by_reason(bastao: Bastao) -> None:
    events = await say(bastao, "th-1", "quero sair do clube de vantagens de vocês")
    assert of(events, "decision")[0].decision.target == "retention"
    assert of(events, "reply")[0].agent == "retention"
    assert reply_of(events)
    resolved = bastao.services.reasons.entries["loyalty_club"]
    assert resolved.agent == "retention"
    assert "loyalty_club" in {reason for reason, _ in bastao.services.reasons.for_agent("billing")}


async def test_another_specialist_hands_over_to_it_by_reason(bastao: Bastao) -> None:
    events = await say(bastao, "th-3", "@Financeiro quero sair do clube de fidelidade")
    assert [(h.from_agent, h.to_agent, h.reason) for h in of(events, "handoff")][1:] == [
        ("billing", "retention", "loyalty_club")
    ]
    assert of(events, "reply")[0].agent == "retention"


async def test_the_others_still_answer(bastao: Bastao) -> None:
    events = await say(bastao, "th-2", "oi, meu tênis do pedido 10405 ainda não chegou, cadê?")
    assert of(events, "reply")[0].agent == "support"
