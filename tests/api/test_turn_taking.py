"""Who speaks now, over a socket: names, rooms, refusals, and one respondent whatever happens."""

from typing import Any, get_args

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.turn_taking import RULES
from routing.decision import RESPONDERS, Answer, Exchange, Hop, Question, Reason
from routing.ports import NoProvider
from tests.api.conftest import Served
from tests.api.serving import Client, operator, problem, token
from tests.scripted import ScriptedDecider, nobody

EVERYBODY = ["returns", "support", "billing"]
OFFICES = [*EVERYBODY, "clarification", "out_of_scope", "courtesy", "person"]


def ask(base: str, message: str, agents: list[Any] | None = None, **more: Any) -> httpx.Response:
    body = {"agents": EVERYBODY if agents is None else agents, "message": message, **more}
    return httpx.post(f"{base}/turn-taking/decide", json=body, timeout=60)


def decided(base: str, message: str, agents: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    got = ask(base, message, agents, **more)
    assert got.status_code == 200, got.text
    found = got.json()
    assert found["rule"].startswith(f"{found['reason']}: ")
    return found


@pytest.mark.parametrize(
    ("message", "agent"),
    [
        ("@Trocas", "returns"),
        ("@trocas meu tênis não serviu", "returns"),
        ("trocas, quero devolver o fone", "returns"),
        ("TROCAS: quero devolver", "returns"),
        ("Financeiro: cadê meu estorno?", "billing"),
        ("financeiro, me cobraram duas vezes", "billing"),
        ("fala com o financeiro", "billing"),
        ("quero falar com o financeiro por favor", "billing"),
        ("Olá, Entregas: onde está?", "support"),
    ],
)
def test_a_name_that_is_called_decides_without_numbers(demo: str, message: str, agent: str) -> None:
    found = decided(demo, message)
    assert (found["agent"], found["reason"]) == (agent, "addressed_by_name")
    assert not {"probabilities", "confidence", "threshold", "provider"} & set(found)


@pytest.mark.parametrize(
    "message",
    [
        "o financeiro já respondeu isso ontem",
        "não quero falar com o financeiro",
        "mandei para financeiro@loja.com.br e nada",
        "> Financeiro: seu estorno saiu\nisso não apareceu pra mim",
        "comprei o livro Trocas e não chegou",
    ],
)
def test_a_name_that_is_only_mentioned_does_not(demo: str, message: str) -> None:
    found = decided(demo, message, current_agent="support")
    assert found["reason"] != "addressed_by_name"


def test_two_names_the_first_answers(demo: str) -> None:
    found = decided(demo, "Trocas, quero devolver o tênis. E fala com o financeiro sobre o estorno")
    assert (found["agent"], found["reason"]) == ("returns", "addressed_by_name")


def test_a_name_of_somebody_who_is_not_in_the_room_is_not_called(demo: str) -> None:
    found = decided(demo, "Financeiro: cadê meu estorno?", ["returns", "support"])
    assert found["agent"] in ("returns", "support")
    assert found["reason"] != "addressed_by_name"


def test_the_provider_decides_over_the_room_and_says_how_sure_it_is(demo: str) -> None:
    found = decided(demo, "fui cobrada duas vezes no pix do pedido 10405", [*EVERYBODY, "out_of_scope"])
    assert (found["agent"], found["reason"], found["provider"]) == ("billing", "confident", "local")
    assert set(found["probabilities"]) == {*EVERYBODY, "out_of_scope"}
    assert sum(found["probabilities"].values()) == pytest.approx(1)
    assert found["confidence"] == found["probabilities"]["billing"] >= found["threshold"] > 0


def test_probabilities_are_restricted_to_the_room_before_the_policy(serve: Served) -> None:
    given_ = {"billing": 0.60, "returns": 0.30, "support": 0.05, "needs_question": 0.05}
    client = serve({}, ScriptedDecider(lambda message, exchange: given_))
    found = decided(client.base, "aquilo do pedido", ["support", "returns"])
    assert (found["agent"], found["reason"]) == ("returns", "confident")
    assert found["probabilities"] == pytest.approx({"support": 1 / 7, "returns": 6 / 7})
    assert found["confidence"] == pytest.approx(6 / 7)
    asks_back = decided(client.base, "aquilo do pedido", [*EVERYBODY, "clarification"])
    assert (asks_back["agent"], asks_back["reason"]) == ("clarification", "low_confidence")
    assert asks_back["options"] == ["billing", "returns"]
    assert asks_back["probabilities"]["needs_question"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("current", "agents", "agent"),
    [
        (None, ["support", "returns", "billing"], "support"),
        (None, ["out_of_scope", "billing", "support"], "billing"),
        ("returns", ["billing", "support"], "billing"),
    ],
)
def test_a_room_that_cannot_ask_back_still_has_one_respondent(
    serve: Served, current: str | None, agents: list[str], agent: str
) -> None:
    even = dict.fromkeys(EVERYBODY, 1 / 3)
    client = serve({}, ScriptedDecider(lambda message, exchange: even))
    found = decided(client.base, "aquilo lá", agents, current_agent=current)
    assert (found["agent"], found["reason"]) == (agent, "fallback_undecided")


def test_continuity_is_a_preference_of_the_current_agent(serve: Served) -> None:
    client = serve({}, ScriptedDecider(lambda message, exchange: {"support": 0.4, "billing": 0.4, "returns": 0.2}))
    found = decided(client.base, "e aquilo lá, como fica?", current_agent="billing")
    assert (found["agent"], found["reason"]) == ("billing", "continuity")
    assert client.base  # the exchange carried who speaks


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("quero morrer", "sensitive"),
        ("vou no Procon", "sensitive"),
        ("quero falar com gente", "asked_for_human"),
        ("humano pfv", "asked_for_human"),
    ],
)
@pytest.mark.parametrize("agents", [["billing"], EVERYBODY, ["courtesy", "out_of_scope"]])
def test_sensitive_and_asked_for_human_give_a_person_listed_or_not(
    demo: str, message: str, reason: str, agents: list[str]
) -> None:
    found = decided(demo, message, agents)
    assert (found["agent"], found["reason"]) == ("person", reason)


def test_ordinary_words_that_look_sensitive_are_ordinary(demo: str) -> None:
    assert decided(demo, "tô morrendo de raiva, cadê meu pedido 10405?")["agent"] == "support"


def test_the_only_agent_answers_without_a_model(demo: str) -> None:
    assert decided(demo, "e aí, como fica isso?", ["billing"])["reason"] == "only_agent"


def test_courtesy_is_answered_as_courtesy_where_the_room_lists_it(demo: str) -> None:
    assert decided(demo, "bom dia", OFFICES)["agent"] == "courtesy"
    assert decided(demo, "bom dia", EVERYBODY)["reason"] == "fallback_undecided"


@pytest.mark.parametrize("question", ["Qual é o número do pedido?", {"text": "Qual é o número?", "by": "billing"}])
def test_a_bare_answer_belongs_to_who_asked(demo: str, question: Any) -> None:
    found = decided(demo, "10405", current_agent="billing", pending_question=question)
    assert (found["agent"], found["reason"]) == ("billing", "pending_question")


def test_an_option_of_a_clarification_routes(demo: str) -> None:
    options = [{"id": "returns", "label": "troca ou devolução"}, {"id": "billing", "label": "pagamento"}]
    asked = {"text": "É sobre troca ou devolução, ou pagamento?", "by": "clarification", "options": options}
    found = decided(demo, "o segundo", pending_question=asked)
    assert (found["agent"], found["reason"]) == ("billing", "chose_option")


@pytest.mark.parametrize(
    ("agents", "why"),
    [
        ([], "at least one"),
        (["billing", "billing"], "twice: billing"),
        (["billing", "sales"], "unknown agent: sales"),
        (["needs_question"], "unknown agent: needs_question"),
        ([{"id": "sales", "role": "Sells things before the purchase."}], "reads roles"),
        ([{"id": "billing", "role": "Charges."}], "an id of ours"),
    ],
)
def test_no_room_is_refused_with_the_ids_that_there_are(demo: str, agents: list[Any], why: str) -> None:
    refused = problem(ask(demo, "oi", agents), 422, "not_a_room")
    assert why in refused["detail"]
    assert refused["known"] == [*EVERYBODY, *RESPONDERS]


def test_strangers_need_a_provider_that_reads_roles_and_the_refusal_says_so(demo: str) -> None:
    refused = problem(ask(demo, "oi", ["vendas"]), 422, "not_a_room")
    assert "read roles" in refused["detail"] or "reads roles" in refused["detail"]
    assert "(local) cannot" in refused["detail"]


def test_an_unknown_current_agent_is_refused(demo: str) -> None:
    assert "sales" in problem(ask(demo, "oi", current_agent="sales"), 422, "not_a_room")["detail"]


def test_a_provider_that_reads_roles_takes_strangers(serve: Served) -> None:
    decider = Questions(ScriptedDecider(lambda message, exchange: "sales"))
    client = serve({}, decider)
    sales = {"id": "sales", "role": "Stock and prices, before the purchase.", "names": ["Vendas"]}
    found = decided(client.base, "tem o tênis no 38?", ["billing", sales], current_agent="sales")
    assert (found["agent"], found["reason"]) == ("sales", "confident")
    assert decider.questions[0].ids == ("billing", "sales", "out_of_scope", "needs_question")
    assert decided(client.base, "Vendas, tem no 38?", ["billing", sales])["reason"] == "addressed_by_name"


def test_a_roster_room_is_asked_the_rosters_whole_question(serve: Served) -> None:
    decider = Questions(ScriptedDecider(lambda message, exchange: "billing"))
    decided(serve({}, decider).base, "e o estorno, cadê?", ["billing", "support"], current_agent="support")
    assert decider.questions[0].ids == (*EVERYBODY, "out_of_scope", "needs_question")


@pytest.mark.parametrize(("current", "agent"), [(None, "support"), ("billing", "billing")])
def test_an_outage_is_answered_by_the_fallback_with_its_hops(serve: Served, current: str | None, agent: str) -> None:
    down = NoProvider((Hop(provider="msd1", outcome="error", why="retryable: 503"),))
    client = serve({}, ScriptedDecider(lambda message, exchange: down))
    found = decided(client.base, "e o meu caso, como fica?", ["support", "billing"], current_agent=current)
    assert (found["agent"], found["reason"]) == (agent, "fallback_unavailable")
    assert found["hops"][0]["provider"] == "msd1"


def test_nothing_is_stored(serve: Served, database: Any) -> None:
    client = serve({}, ScriptedDecider(lambda message, exchange: "billing"))
    decided(client.base, "e o estorno, cadê?")
    for table in ("conversations", "messages", "turns", "facts"):
        assert database.execute(f"select count(*) from {table}").fetchone() == (0,)


def test_in_production_a_decision_needs_a_token(serve: Served) -> None:
    client = serve({}, ScriptedDecider(lambda message, exchange: "billing"), mode="production")
    body = {"agents": EVERYBODY, "message": "e o estorno, cadê?"}
    problem(httpx.post(f"{client.base}/turn-taking/decide", json=body), 401, "unauthenticated")
    for headers in (token(), operator()):
        got = httpx.post(f"{client.base}/turn-taking/decide", json=body, headers=headers)
        assert got.json()["agent"] == "billing"


@pytest.mark.parametrize("message", ["", "a" * 20_000, "nul \0 e surrogate \ud800", "🙂" * 500])
def test_any_text_gets_a_respondent(demo: str, message: str) -> None:
    import json

    body = json.dumps({"agents": OFFICES, "message": message})  # escapes what UTF-8 cannot hold
    got = httpx.post(
        f"{demo}/turn-taking/decide", content=body, headers={"Content-Type": "application/json"}, timeout=60
    )
    assert got.status_code == 200, got.text
    assert got.json()["agent"] in OFFICES


def test_every_reason_has_its_words() -> None:
    assert set(RULES) == set(get_args(Reason))


class Questions:
    """A decider that notes the questions it is asked."""

    def __init__(self, inner: ScriptedDecider) -> None:
        self.inner, self.questions = inner, list[Question]()

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        self.questions.append(question)
        return await self.inner.decide(message, exchange, question, thread_id=thread_id)


class Whatever:
    """A decider that answers what the test put there last, however wrong."""

    def __init__(self) -> None:
        self.next: dict[str, float] | None = None

    async def decide(self, message: str, exchange: Exchange, question: Question, *, thread_id: str) -> Answer:
        if self.next is None:
            raise NoProvider()
        return Answer(probabilities=self.next, provider="x", model="x", calibrated=False, latency_ms=0)


_PROBABILITIES = st.none() | st.dictionaries(
    st.sampled_from([*EVERYBODY, "out_of_scope", "needs_question", "made_up"]),
    st.floats(-1, 2) | st.just(float("nan")),
    max_size=6,
)
_MESSAGES = st.sampled_from(
    ["oi", "10405", "sim", "aquilo lá", "Financeiro, oi", "quero falar com gente", "", "?", "cobrança em dobro"]
)


@pytest.fixture
def anything(serve: Served) -> tuple[Client, Whatever]:
    decider = Whatever()
    return serve({}, decider), decider


@given(
    room=st.lists(st.sampled_from(OFFICES), min_size=1, unique=True), message=_MESSAGES, answer=_PROBABILITIES,
    current=st.none() | st.sampled_from(EVERYBODY), question=st.none() | st.just("Qual é o número do pedido?"),
)  # fmt: skip
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_exactly_one_respondent_for_any_room_and_any_answer(
    anything: tuple[Client, Whatever], room: list[str], message: str, answer: Any, current: Any, question: Any
) -> None:
    client, decider = anything
    decider.next = answer
    found = decided(client.base, message, room, current_agent=current, pending_question=question)
    assert found["agent"] in {*room, "person"}
    if found["agent"] == "person" and "person" not in room:
        assert found["reason"] in ("sensitive", "asked_for_human")


def test_a_layer_that_is_down_is_a_rule_of_its_own(serve: Served) -> None:
    client = serve({}, ScriptedDecider(nobody))
    assert decided(client.base, "aquilo lá do outro dia", OFFICES)["reason"] == "fallback_unavailable"
