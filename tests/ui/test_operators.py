"""The operators' page over the real backend: from the queue to a reply, and back to the bot."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from graph.people import PersonAction
from graph.settling import unknown_key
from ops.people import queue_view
from ops.reading import HistoryLine, history
from routing.shop import Customer
from settings import ConfigurationError
from storage.database import Database
from storage.records import queue, turns
from tests.ui.test_chat import keys, page
from ui import chat
from ui.bridge import Backend
from ui.sign_in import logins_of, may_enter

ANA = Customer(id="c1", name="Ana", tier="silver", level="session")


@pytest.fixture
def backend(in_process: dict[str, str]) -> Iterator[Backend]:
    """The page's own backend, on this test's database."""
    chat.backend.clear()
    opened = chat.backend()
    yield opened
    chat.backend.clear()
    opened.close()


class Talk:
    """A customer's conversation beside the page."""

    def __init__(self, backend: Backend) -> None:
        self.backend, self.thread_id = backend, f"th-{uuid4().hex}"

    def say(self, text: str) -> None:
        async def send() -> None:
            stream = self.backend.bastao.conversation.send(
                self.thread_id, [text], message_id=uuid4().hex, customer=ANA, channel="tests"
            )
            async for _ in stream:
                pass

        self.backend.loop.run(send(), 60)

    def lines(self) -> tuple[HistoryLine, ...]:
        return self.backend.read(history(self.backend.bastao.database, self.thread_id, customer=None))

    def person(self, action: PersonAction, operator: str) -> None:
        async def act() -> None:
            async for _ in self.backend.bastao.conversation.person(self.thread_id, action, operator=operator):
                pass

        self.backend.loop.run(act(), 60)

    def item(self) -> str:
        now = datetime.now(UTC)
        view = self.backend.read(queue_view(self.backend.bastao.database, operator="tests", now=now))
        return next(e.id for e in view.entries if e.thread_id == self.thread_id)


@pytest.fixture
def talk(backend: Backend) -> Talk:
    return Talk(backend)


def draw() -> None:
    from ui import operators

    operators.page()


@pytest.fixture
def opened(backend: Backend) -> Callable[..., AppTest]:
    def open_page(**address: str) -> AppTest:
        at = AppTest.from_function(draw, default_timeout=60)
        for key, value in address.items():
            at.query_params[key] = value
        return at.run()

    return open_page


pytestmark = pytest.mark.slow


def test_an_empty_queue_says_so(opened: Callable[..., AppTest]) -> None:
    assert "Ninguém na fila" in page(opened())


def test_the_package_is_laid_out_in_four_blocks_with_conflicts_apart(
    opened: Callable[..., AppTest], talk: Talk
) -> None:
    talk.say("quero saber do estorno do pedido 10405, paguei no cartão e cobraram duas vezes")
    talk.say("quero falar com um atendente")
    text = page(opened())
    for title in ("Fatos", "Suspeitas (não confirmadas)", "Promessas", "Ações executadas"):
        assert f"<h3>{title}</h3>" in text
    assert "Informações que não batem" in text
    conflict = text[text.index("Informações que não batem") :].partition("</div>")[0]
    assert "cliente" in conflict
    assert "sistema" in conflict
    assert "pediu uma pessoa" in text
    assert "paguei no cartão" in text


def test_claimed_answered_and_given_back(opened: Callable[..., AppTest], talk: Talk) -> None:
    talk.say("quero falar com um atendente")
    item = talk.item()
    at = opened()
    at.button(key=f"claim-{item}").click().run()
    assert "com você" in page(at)
    assert [line.role for line in talk.lines()][-1] == "system"
    at.text_area(key=f"texto-{item}").set_value("Oi, Ana! <b>Já</b> vejo isso.")
    next(b for b in at.button if b.label == "Enviar resposta").click().run()
    assert talk.lines()[-1].text == "Oi, Ana! <b>Já</b> vejo isso."
    assert "&lt;b&gt;Já&lt;/b&gt;" in page(at)
    at.text_input(key=f"nota-{item}").set_value("ligar às 15h")
    next(b for b in at.button if b.label == "Anotar").click().run()
    assert "ligar às 15h" in page(at)
    at.button(key=f"hand_back-{item}").click().run()
    assert "Ninguém na fila" in page(at)
    talk.say("cadê o pedido 10405?")
    assert talk.lines()[-1].role == "agent"


def test_what_a_colleague_has_is_shown_and_not_offered(opened: Callable[..., AppTest], talk: Talk) -> None:
    talk.say("quero falar com um atendente")
    talk.person(PersonAction(kind="claim"), "caio")
    at = opened()
    assert "caio está com este item" in page(at)
    assert not [k for k in keys(at) if k.startswith(("claim-", "resolve-", "hand_back-"))]
    assert not at.text_area


@pytest.mark.parametrize(("kind", "state"), [("happened", "done"), ("did_not_happen", "refused")])
def test_an_act_in_doubt_is_settled_by_whoever_looked_it_up(
    opened: Callable[..., AppTest], talk: Talk, kind: str, state: str
) -> None:
    talk.say("oi")
    item = talk.backend.read(doubt(talk.backend.bastao.database, talk.thread_id))
    at = opened()
    assert "não se sabe se a ação foi feita" in page(at)
    assert not [k for k in keys(at) if k.startswith("resolve-")], "closing it must say what happened"
    at.button(key=f"{kind}-{item}").click().run()
    assert "Ninguém na fila" in page(at)
    assert talk.backend.read(states(talk.backend.bastao.database)) == [state]


async def doubt(database: Database, thread_id: str) -> str:
    async with database.transaction() as conn:
        [turn] = await turns.trail(conn, thread_id)
        await conn.execute(
            "insert into effects (id, key, thread_id, turn_id, tool, args, state, fence, claimed_at)"
            " values ('e-1', 'k', %s, %s, 'open_billing_ticket', '{}', 'unknown', 1, now())",
            (thread_id, turn.id),
        )
        item = await queue.enqueue(
            conn, key=unknown_key("e-1"), item_id="q-doubt", thread_id=thread_id, kind="conversation", reason="effect_unknown",
            now=datetime.now(UTC),
        )  # fmt: skip
    return item.id


async def states(database: Database) -> list[str]:
    async with database.connection() as conn:
        return [row["state"] for row in await (await conn.execute("select state from effects")).fetchall()]


def test_a_click_that_comes_too_late_is_explained(opened: Callable[..., AppTest], talk: Talk) -> None:
    talk.say("quero falar com um atendente")
    item = talk.item()
    at = opened()
    talk.person(PersonAction(kind="claim"), "caio")
    at.button(key=f"claim-{item}").click().run()
    assert "Outra pessoa está com este item." in page(at)


def test_hostile_words_stay_words(opened: Callable[..., AppTest], talk: Talk) -> None:
    talk.say("quero falar com um atendente <img src=http://evil.example/x onerror=alert(1)>")
    text = page(opened())
    assert "<img" not in text
    assert "&lt;img" in text


def draw_item() -> None:
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from tests.ui.test_operators import full_item
    from ui import item_blocks

    look = item_blocks.Look(name=str, now=datetime(2026, 12, 1, tzinfo=UTC), zone=ZoneInfo("America/Sao_Paulo"))
    for part in (item_blocks.head, item_blocks.blocks, item_blocks.beside, item_blocks.discarded, item_blocks.dialogue):
        part(full_item(), look)
    item_blocks.conflicts(full_item())


def full_item() -> Any:
    from ops.people import Discarded, Effect, ItemNote, ItemView, QueueEntry
    from routing.facts import Commitment, Conflict, Hypothesis

    evil, at = "<img src=x onerror=alert(1)>", datetime(2026, 11, 30, 14, tzinfo=UTC)
    effect = Effect(tool=evil, state="unknown", protocol=evil, args={"order": evil}, at=at)
    return ItemView(
        entry=QueueEntry(
            id="q", protocol=evil, thread_id="t", kind="conversation", reason=evil, about=evil + "!", status="waiting", operator=evil,
            priority=140, waited_s=70, created_at=at, due=at, overdue=True, notes=(ItemNote(at=at, author=evil, text=evil),),
        ),
        customer_id=evil, held_by=None, facts=(), suspicions=(Hypothesis(key="subscription", value=evil, confidence=0.6, author=evil, at=at),),
        promises=(Commitment(id="c", text=evil, by=evil, at=at, due=at, status="overdue", origin="person"),), actions=(effect,),
        conflicts=(Conflict(key="payment_method", values=(("customer", evil), ("tool:lookup_order", "pix"))),), open_question=evil,
        open_topics=(evil,), summary=evil, path=(evil, "billing"), decision=None, in_doubt=True, lines=(),
        discarded=(Discarded(turn=3, text=evil, at=at, effects=(effect,)),),
    )  # fmt: skip


def test_every_part_of_an_item_is_drawn_as_text() -> None:
    at = AppTest.from_function(draw_item).run()
    text = page(at)
    assert "<img" not in text
    assert text.count("&lt;img") >= 15
    assert 'class="vencida"' in text
    assert "60% de certeza" in text
    assert "o cliente não viu" in text
    assert "Mas isto foi feito" in text
    assert "pix (sistema)" in text


def test_logins_are_read_and_checked() -> None:
    logins = logins_of({"BASTAO_OPERATOR_LOGIN": "bia:a long password, caio:another long one"})
    assert may_enter(logins, "bia", "a long password")
    assert not may_enter(logins, "bia", "another long one")
    assert not may_enter(logins, "nobody", "-")
    with pytest.raises(ConfigurationError) as caught:
        logins_of({"BASTAO_OPERATOR_LOGIN": "bia:short-secret"[:12]})
    assert "short" not in str(caught.value)
