from datetime import timedelta
from typing import Any

from routing.facts import Fact
from storage.database import Database
from storage.records import facts
from storage.rows import Connection
from tests.storage.values import NOW, THREAD, conversation


def fact(number: int, key: str, value: str, entity: str | None = None, **changes: Any) -> Fact:
    """Make a fact that is known since `number` minutes."""
    values: dict[str, Any] = {"source": "customer", "status": "reported", "turn": number, "max_age_s": None}
    at = NOW + timedelta(minutes=number)
    return Fact(id=f"f-{number}", key=key, value=value, entity=entity, at=at, **(values | changes))


async def stored(conn: Connection, *found: Fact, **options: Any) -> None:
    await conversation(conn)
    await facts.save(conn, THREAD, "c1", found, **options)


def values(found: list[Fact]) -> list[str]:
    return [each.value for each in found]


async def test_facts_come_back_as_they_were_and_are_stored_once(db: Database) -> None:
    known = fact(1, "order_status", "em trânsito", "order:10405", source="tool:lookup_order", max_age_s=600)
    async with db.connection() as conn:
        await stored(conn, known)
        await facts.save(conn, THREAD, "c1", [known, fact(2, "order", "10405", "order:10405")])
        await facts.save(conn, THREAD, "c1", [])
        assert await facts.all_of(conn, THREAD) == [known, fact(2, "order", "10405", "order:10405")]


async def test_the_subject_is_its_entities_and_the_customer_newest_first(db: Database) -> None:
    async with db.connection() as conn:
        await stored(
            conn,
            fact(1, "order", "10405", "order:10405"),
            fact(2, "order", "10418", "order:10418"),
            fact(3, "email", "ana@example.com"),
            fact(4, "order_status", "em trânsito", "order:10405"),
        )
        about = await facts.subject(conn, THREAD, entities=["order:10405"])
        assert values(about) == ["em trânsito", "ana@example.com", "10405"]
        assert values(await facts.subject(conn, THREAD, entities=["order:10405"], limit=1)) == ["em trânsito"]
        assert values(await facts.subject(conn, THREAD, entities=[])) == ["ana@example.com"]


async def test_the_same_value_of_a_source_is_there_once_and_sources_that_disagree_are_all_there(db: Database) -> None:
    async with db.connection() as conn:
        await stored(
            conn,
            fact(1, "payment_method", "cartão", "order:10405"),
            fact(2, "payment_method", "pix", "order:10405", source="tool:lookup_order"),
            fact(3, "payment_method", "cartão", "order:10405"),
        )
        about = await facts.subject(conn, THREAD, entities=["order:10405"])
    assert [(each.id, each.value) for each in about] == [("f-3", "cartão"), ("f-2", "pix")]


async def test_a_replaced_value_leaves_the_subject_and_stays_in_the_store(db: Database) -> None:
    async with db.connection() as conn:
        await stored(conn, fact(1, "number", "245", "order:10431"), fact(2, "number", "254", "order:10431"))
        assert await facts.replace(conn, THREAD, ["f-1", "f-9"], by="f-2") == 1
        assert await facts.replace(conn, THREAD, ["f-1"], by="f-2") == 0
        assert values(await facts.subject(conn, THREAD, entities=["order:10431"])) == ["254"]
        assert [(each.value, each.status) for each in await facts.recall(conn, THREAD, key="number")] == [
            ("254", "reported"),
            ("245", "replaced"),
        ]


async def test_the_index_counts_what_recall_lists(db: Database) -> None:
    async with db.connection() as conn:
        await stored(
            conn,
            *(fact(n, "order", str(10400 + n % 25), f"order:{10400 + n % 25}") for n in range(1, 51)),
            fact(60, "email", "ana@example.com"),
        )
        assert await facts.index(conn, THREAD) == {"email": 1, "order": 25}
        recalled = await facts.recall(conn, THREAD, key="order")
        assert values(recalled) == [str(10400 + n % 25) for n in range(50, 30, -1)]
        assert len(await facts.recall(conn, THREAD, key="order", limit=100)) == 25
        assert values(await facts.recall(conn, THREAD, key="order", entity="order:10407")) == ["10407"]
        assert await facts.recall(conn, THREAD, key="phone") == []


async def test_another_conversation_sees_only_what_belongs_to_the_customer(db: Database) -> None:
    async with db.connection() as conn:
        await stored(conn, fact(1, "open_request", "CB-1"), scope="customer")
        await facts.save(conn, THREAD, "c1", [fact(2, "mood", "upset")])
        await conversation(conn, "t-2")
        await facts.save(conn, "t-2", "c1", [fact(1, "order", "10405")])
        assert values(await facts.subject(conn, "t-2", entities=[], customer_id="c1")) == ["CB-1", "10405"]
        assert values(await facts.subject(conn, "t-2", entities=[])) == ["10405"]
        assert values(await facts.subject(conn, "t-2", entities=[], customer_id="c2")) == ["10405"]
