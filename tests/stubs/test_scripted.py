"""Scripted stand-ins: each visit once, in order, by words; a script that does not fit says so."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import ValidationError

from agents.models.offline import OfflineChatModels
from agents.roster import Roster, load_roster
from routing.decision import Answer, Exchange, Question
from routing.question import build_question
from settings import ROOT
from stubs.scripted import LABEL, Script, ScriptedModels, ScriptedRouter, ScriptedSpecialist, ScriptError, Visit
from tests.scripted import ScriptedDecider

TOOLS = [{"type": "function", "function": {"name": "lookup_order", "description": "x", "parameters": {}}}]
LOOK = {"tool": "lookup_order", "args": {"order": "10405"}}
DECLINE = {"tool": "not_mine", "args": {"reason": "exchange", "detail": "x"}}


def specialist(*visits: dict[str, object]) -> ScriptedSpecialist:
    return ScriptedSpecialist(agent="support", visits=tuple(Visit.model_validate(v) for v in visits))


async def ask(model: ScriptedSpecialist, text: str, *steps: AIMessage) -> AIMessage:
    """Ask with the bound tools; `steps` are what the model did since, each with its answer."""
    done = [m for step in steps for m in (step, ToolMessage("{}", tool_call_id=step.tool_calls[0]["id"] or ""))]
    return await model.ainvoke([SystemMessage("s"), HumanMessage(text), *done], tools=TOOLS)


async def test_a_visit_makes_its_calls_one_after_the_other_and_then_speaks() -> None:
    model = specialist({"calls": [LOOK], "say": "Está a caminho."})
    called = await ask(model, "cadê?")
    assert [(c["name"], c["args"]) for c in called.tool_calls] == [("lookup_order", {"order": "10405"})]
    assert (await ask(model, "cadê?", called)).text == "Está a caminho."


async def test_a_visit_is_used_once_unless_it_is_every_time() -> None:
    model = specialist({"say": "um"}, {"say": "dois"})
    assert [(await ask(model, "oi")).text for _ in range(2)] == ["um", "dois"]
    with pytest.raises(ScriptError, match="nothing \\(left\\) for 'oi'"):
        await ask(model, "oi")
    always = specialist({"say": "um", "every_time": True})
    assert [(await ask(always, "oi")).text for _ in range(3)] == ["um"] * 3


async def test_words_choose_the_visit() -> None:
    model = specialist({"when": "troca", "say": "troca"}, {"say": "outra coisa"})
    assert (await ask(model, "cadê?")).text == "outra coisa"
    assert (await ask(model, "quero a TROCA")).text == "troca"


async def test_copies_share_the_script() -> None:
    model = specialist({"say": "um"}, {"say": "dois"})
    tagged = model.model_copy(update={"tags": ["nostream"]})
    assert (await ask(model, "oi")).text == "um"
    assert (await ask(tagged, "oi")).text == "dois"


async def test_a_repair_gets_no_words() -> None:
    """The check asks without tools for better words: a script has none, and must not use up a visit."""
    model = specialist({"say": "um"})
    assert (await model.ainvoke([HumanMessage("escreva de novo")])).text == ""
    assert (await ask(model, "oi")).text == "um"


@pytest.mark.parametrize("visit", [{}, {"calls": [LOOK]}, {"when": "oi"}])
def test_a_visit_that_does_not_end_is_refused(visit: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="a visit ends with"):
        Visit.model_validate(visit)
    assert Visit.model_validate({**visit, "calls": [LOOK, DECLINE]})


@pytest.fixture(scope="module")
def roster() -> Roster:
    return load_roster(("agents/returns.py", "agents/support.py", "agents/billing.py"), base=ROOT, fallback=ROOT)


def test_whoever_is_not_in_the_script_is_the_real_one_and_the_label_tells(roster: Roster) -> None:
    base = OfflineChatModels()
    models = ScriptedModels(Script.model_validate({"specialists": {"support": [{"say": "oi"}]}}), base)
    kinds = {spec.id: models.for_agent(spec)._llm_type for spec in roster.specs}
    assert kinds == {"returns": "bastao-offline", "support": "bastao-scripted", "billing": "bastao-offline"}
    assert (models.label, models.simulated) == (LABEL, True)
    assert ScriptedModels(Script(), base).label == base.label


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ({"specialists": {"suport": [{"say": "x"}]}}, "no specialist 'suport'; there are: returns, support, billing"),
        ({"router": [{"to": "suport"}]}, "cannot send to 'suport'"),
    ],
)
def test_names_that_nobody_has_are_refused(roster: Roster, script: dict[str, object], message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        Script.model_validate(script).check(roster.ids, (*roster.ids, "out_of_scope"))


async def test_the_router_goes_by_its_rules_and_leaves_the_rest_to_the_real_one(roster: Roster) -> None:
    question: Question = build_question([(spec.id, spec.role) for spec in roster.specs])
    rules = Script.model_validate({"router": [{"when": "cobranca", "to": "billing"}]}).router
    router = ScriptedRouter(rules, ScriptedDecider(lambda message, exchange: "returns"))

    async def top(message: str) -> tuple[str, Answer]:
        answer = await router.decide(message, Exchange(), question, thread_id="t")
        assert sum(answer.probabilities.values()) == pytest.approx(1.0)
        return max(answer.probabilities, key=answer.probabilities.__getitem__), answer

    chosen, answer = await top("e a COBRANÇA?")
    assert (chosen, answer.provider) == ("billing", LABEL)
    chosen, answer = await top("quero trocar")
    assert (chosen, answer.provider) == ("returns", "scripted")
