"""The played state has the graph's bounds, and its store answers as the facts table does."""

from typing import Any

from langchain_core.messages import AIMessage

from evals.padding import neutral
from evals.playing import KEPT_ORDERS, lines_of, play
from graph.limits import Limits
from graph.nodes import read
from routing.package import Turn
from storage.database import Database
from storage.records import facts
from tests.evals.cases import case, own
from tests.graph.conftest import Make, make_desk
from tests.storage.values import THREAD, conversation

__all__ = ["make_desk"]


def test_the_bounds_are_the_graphs() -> None:
    assert KEPT_ORDERS == read.KEPT_ORDERS
    busy = case(*(f"C: pedido {10_000 + n}, código K{n}X, R$ {n},10, dia {n % 28 + 1:02d}/03/2026" for n in range(60)))
    held = play(busy)
    assert len(held.dialogue) == Limits().dialogue_lines
    assert len(held.facts) == Limits().subject_facts
    assert held.entities == ["order:10059", "order:10058"]
    assert held.summary is not None


def test_this_turns_words_are_not_yet_dialogue_and_its_facts_not_yet_stored() -> None:
    held = play(case("C: pedido 10405", "A: Certo.", "C: e o 10420"))
    assert [turn.text for turn in held.dialogue] == ["pedido 10405", "Certo."]
    assert [turn.text for turn in held.inbox] == ["e o 10420"]
    assert held.store.index() == {"order": 1}
    assert [fact.value for fact in held.facts if fact.key == "order"] == ["10405", "10420"]


def test_the_answer_to_a_question_is_read_as_one() -> None:
    asked = play(case("A: Qual foi o valor cobrado?", "C: 250"))
    assert [fact.key for fact in asked.facts] == ["amount"]
    assert [fact.key for fact in play(case("A: Entendi.", "C: 250")).facts] == ["identifier"]


def test_an_earlier_order_comes_back_when_it_is_named_again() -> None:
    turns = [f"C: pedido {10_000 + n}, paguei R$ {n + 1},10" for n in range(5)]
    held = play(case(*turns, "C: voltando ao pedido 10000"))
    assert ("amount", "R$ 1,10") in [(fact.key, fact.value) for fact in held.facts]


def test_what_the_door_takes_out_is_nowhere() -> None:
    held = play(case("C: minha senha é girassol88", "A: Certo."))
    assert "girassol88" not in str(held)


def test_padding_fills_up_to_the_number_of_turns_and_is_neutral() -> None:
    padded = lines_of(case("C: pedido 10405"), pad=200)
    assert len(padded) == 200
    assert len(lines_of(case("C: oi", "A: oi"), pad=1)) == 2
    for language in ("pt", "en"):
        said = [line for line in neutral(48, language) if line.role == "customer"]
        assert len({line.text for line in said}) == 24
        assert not any(char.isdigit() for line in said for char in line.text)


def test_the_language_is_the_customers() -> None:
    assert play(case("C: my order has not arrived yet, can you check", lang=None)).language == "en"
    assert play(case("C: meu pedido ainda não chegou, pode ver pra mim", lang=None)).language == "pt"


def test_people_speak_in_their_own_role() -> None:
    held = play(case("C: oi", "P: Aqui é a Bia. Qual o pedido?"))
    assert held.dialogue[-1] == Turn(role="person", text="Aqui é a Bia. Qual o pedido?", at=held.at)
    assert held.question is None


async def test_the_store_answers_as_the_facts_table_does(db: Database) -> None:
    """Also for corrections and for more values than one recall shows."""
    many = case(*(f"C: pedido {10_000 + n}, R$ {n},10" for n in range(30)), "A: Certo.")
    for each in (many, *own("corrections", "carried")):
        held = play(each)
        async with db.connection() as conn, conn.transaction(force_rollback=True):
            await conversation(conn)
            await facts.save(conn, THREAD, "c1", list(held.store.rows.values()))
            assert await facts.index(conn, THREAD) == held.store.index()
            entities = held.entities[:2]
            stored = await facts.subject(conn, THREAD, entities=entities, limit=7)
            assert stored == held.store.subject(entities, limit=7)
            for key in held.store.index():
                for entity in (None, *entities):
                    recalled = await facts.recall(conn, THREAD, key=key, entity=entity)
                    shown = held.store.recall(key, entity)
                    assert recalled[: len(shown)] == shown
                    assert shown or not recalled


async def test_the_state_is_the_graphs(make_desk: Make) -> None:
    """The same conversation through the graph, its database and its checkpoint: same dialogue, summary, facts, subject."""
    said = [
        "oi, meu nome é Célia Andrade", "é sobre o pedido 10405, paguei R$ 89,90 no pix", "10420",
        "digitei errado, o pedido é 10418", "comprei em 03/10/2026 pelo site", "não chegou nada até agora",
        "meu e-mail é celia@exemplo.com.br e moro em Campinas", "o pedido 10431 também atrasou",
        "voltando ao 10405, o rastreio é AA123456785BR",
    ]  # fmt: skip
    answered = ["Olá, Célia.", "E qual é o número do outro pedido?", *["Entendi, sigo por aqui."] * 7]
    desk = await make_desk({"support": [AIMessage(text) for text in answered]}, lambda message, exchange: "support")
    for text in said:
        await desk.say(text)
    lines = [line for pair in zip(said, answered, strict=True) for line in (f"C: {pair[0]}", f"A: {pair[1]}")]
    held = play(case(*lines[:-1]))
    state: Any = (await desk.conversation.graph.aget_state({"configurable": {"thread_id": desk.thread_id}})).values
    assert [line["text"] for line in state["dialogue"]] == [turn.text for turn in held.spoken]
    assert state["summary"] == held.summary
    assert state["entities"] == held.entities
    ours = [(fact.key, fact.entity or "", fact.value, fact.source) for fact in held.facts]
    theirs = [(fact["key"], fact["entity"] or "", fact["value"], fact["source"]) for fact in state["facts"]]
    assert sorted(theirs) == sorted(ours)
