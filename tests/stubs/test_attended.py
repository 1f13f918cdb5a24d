"""What happens while a model writes: once, after its tools and before its words."""

from langchain_core.messages import AIMessage, HumanMessage

from agents.spec import AgentSpec
from stubs.attended import AttendedModels, Meanwhile
from tests.scripted import ScriptedModels, call

SPEC = AgentSpec(id="support", display_name="Entregas", display_name_en="Delivery", role="x")


async def test_it_happens_once_and_only_before_words() -> None:
    happened: list[str] = []
    meanwhile = Meanwhile()
    models = AttendedModels(
        ScriptedModels({"support": [call("lookup_order", order="1"), "Achei.", "De novo."]}), meanwhile
    )
    model = models.for_agent(SPEC)

    async def work() -> None:
        happened.append("agora")

    async def ask() -> AIMessage:
        return await model.ainvoke([HumanMessage("cadê?")])

    meanwhile.plan(work)
    assert (await ask()).tool_calls
    assert (happened, meanwhile.planned) == ([], True)
    assert (await ask()).text == "Achei."
    assert (happened, meanwhile.planned) == (["agora"], False)
    assert (await ask()).text == "De novo."
    assert happened == ["agora"]


async def test_the_models_keep_their_name() -> None:
    base = ScriptedModels({})
    models = AttendedModels(base, Meanwhile())
    assert (models.name, models.label, models.simulated) == (base.name, base.label, base.simulated)
