"""A customer who left something in every table, and how to look for them in all of it."""

import json
import re
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, LiteralString, cast

from psycopg import sql

from graph.parts import Part
from ops.announcements import announce
from ops.privacy import Privacy
from routing.shop import Customer
from storage.database import Database
from storage.records import conversations, spend, webhooks
from storage.records.holdings import tables
from storage.records.spend import Limits
from tests.graph.acting import SetClock, items, person
from tests.graph.conftest import C1, Desk, Make, tools_of
from tests.scripted import call, calls

ADDRESS = {
    "order": "10431", "street": "Rua das Acácias", "number": "77", "city": "São Paulo", "cep": "01310-100",
    "district": "Jardim Botânico",
}  # fmt: skip
# What must be nowhere: each in the spelling that it was given in, and as digits alone.
VALUES = (
    "Ana Souza", "Souza", "ana.souza@example.com", "529.982.247-25", "52998224725", "(11) 96123-4501", "11961234501",
    "Rua das Acácias", "Acácias", "Jardim Botânico", "01310-100", "01310100", "Zulmira",
)  # fmt: skip
INTRODUCTION = (
    "oi, sou a Ana Souza, cpf 529.982.247-25, e-mail ana.souza@example.com, telefone (11) 96123-4501, a vizinha Zulmira viu:"
    " cadê o pedido 10405? e me cobraram duas vezes"
)


def privacy_of(desk: Desk) -> Privacy:
    services = desk.services
    return Privacy(
        database=services.database,
        shop=services.shop,
        secret=services.secret,
        clock=services.clock,
        new_id=services.new_id,
    )


async def lived(make_desk: Make, clock: SetClock, *, customer: Customer = C1) -> Desk:
    """Return a Bastão in which the customer wrote, was handed over, changed an address, was refused, failed and was promised."""
    desk = await make_desk(
        {
            "support": [
                calls(("not_mine", {"reason": "duplicate_charge", "detail": "cobrada duas vezes, Ana Souza"})),
                call("update_address", **ADDRESS),
                "Posso trocar para Rua das Acácias, 77?",
                "Pronto, Ana Souza.",
                call("lookup_order", order="10420"),
                "Esse pedido não encontrei.",
                RuntimeError("broken at Rua das Acácias for 529.982.247-25"),
            ],
            "billing": [
                call("lookup_order", order="10405"),
                call("open_billing_ticket", order="10405", kind="duplicate_charge"),
                "Vi as duas cobranças, Ana Souza.",
            ],
        },
        lambda message, exchange: "support",
        clock=clock,
    )
    await desk.say(INTRODUCTION, customer=customer)
    address = "troca o endereço do 10431 para Rua das Acácias, 77, Jardim Botânico, São Paulo, cep 01310-100"
    await desk.say("não, deixa o chamado", customer=customer)
    assert ("update_address", "proposed") in tools_of(await desk.say(address, customer=customer))
    assert ("update_address", "ok") in tools_of(await desk.say("sim, pode trocar", customer=customer))
    await desk.say("e o pedido 10420?", customer=customer)
    await with_photo(desk, customer)
    await desk.say("quero falar com um atendente, me liga no (11) 96123-4501", customer=customer)
    await with_people(desk, clock)
    await with_money(desk, clock, customer)
    return desk


async def with_photo(desk: Desk, customer: Customer) -> None:
    parts = [Part(type="image", ref="upload/ana-souza.jpg", name="Ana Souza.jpg"), Part(text="veio assim, o 10405")]
    sending = desk.conversation.send(desk.thread_id, parts, message_id="m-photo", customer=customer, channel="tests")
    assert [event.type async for event in sending][-1] == "done"


async def with_people(desk: Desk, clock: SetClock) -> None:
    await announce(desk.services)
    async with desk.services.database.connection() as conn:
        for delivery in await webhooks.take_due(conn, now=clock.now(), hold_until=clock.now()):
            await webhooks.delivered(conn, delivery.id, now=clock.now())
    await person(desk, "claim")
    await person(desk, "note", "Ana Souza mora na Rua das Acácias, 77")
    await person(desk, "reply", "Ana, te ligo no (11) 96123-4501 até quarta sobre a entrega na Rua das Acácias, 77.")
    clock.pass_(minutes=1)
    await person(desk, "resolve")
    assert {item.status for item in await items(desk)} == {"resolved"}


async def with_money(desk: Desk, clock: SetClock, customer: Customer) -> None:
    async with desk.services.database.transaction() as conn:
        await spend.reserve(
            conn, spend_id="sp-1", at=clock.now(), day=clock.now().date(), provider="llm", amount_usd=Decimal("0.01"),
            limits=Limits(), thread_id=desk.thread_id, customer_id=customer.id, turn_id="t-x",
        )  # fmt: skip
        await spend.settle(conn, "sp-1", cost_usd=Decimal("0.01"), now=clock.now())


async def other_thread(desk: Desk, thread_id: str, customer_id: str, *, text: str, now: datetime) -> None:
    """Store somebody else's conversation with one answered message."""
    async with desk.services.database.transaction() as conn:
        await conversations.ensure(conn, thread_id, customer_id=customer_id, channel="web", brand="demo", now=now)
        await conn.execute(
            "insert into messages (thread_id, seq, message_id, role, author, text, at, channel, brand, given_back)"
            " values (%s, 1, 'm-1', 'customer', %s, %s, %s, 'web', 'demo', true)",
            (thread_id, customer_id, text, now),
        )
        await conn.execute(
            "insert into facts (id, thread_id, customer_id, key, value, source, status, at, turn)"
            " values ('f-1', %s, %s, 'name', %s, 'customer', 'reported', %s, 1)",
            (thread_id, customer_id, text, now),
        )


async def everything(database: Database, *, but: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return every value of every text, JSON, array and byte column of every table, found in the catalogue, as text."""
    found: dict[str, list[str]] = {}
    async with database.connection() as conn:
        columns = await (
            await conn.execute(
                "select table_schema as s, table_name as t, column_name as c, data_type as d from information_schema.columns"
                " where table_schema not in ('pg_catalog', 'information_schema', 'shop') and data_type in"
                " ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'character', 'name', 'USER-DEFINED')"
            )
        ).fetchall()
        for column in columns:
            if column["t"] in but:
                continue
            query = sql.SQL("select {c} as v from {s}.{t}").format(
                c=sql.Identifier(column["c"]), s=sql.Identifier(column["s"]), t=sql.Identifier(column["t"])
            )
            rows = await (await conn.execute(query)).fetchall()
            found[f"{column['t']}.{column['c']}"] = [_text(row["v"]) for row in rows if row["v"] is not None]
    return found


def _text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def traces(found: dict[str, list[str]], values: Iterable[str]) -> list[tuple[str, str]]:
    """Return (column, value) wherever one of the values is left, its spelling aside."""
    return [
        (column, value)
        for column, texts in found.items()
        for text in texts
        for value in values
        if value.casefold() in text.casefold()
        or (value.isdigit() and len(value) > 7 and value in re.sub(r"(?<=\d)[\W_]{1,3}(?=\d)", "", text))
    ]


def names(found: dict[str, list[str]], identifier: str) -> list[str]:
    """Return the columns that hold an id, alone or as a string of JSON."""
    return [
        column
        for column, texts in found.items()
        if any(text == identifier or f'"{identifier}"' in text or text.endswith(f" {identifier}") for text in texts)
    ]


async def counted(database: Database) -> dict[str, int]:
    """Return how many rows each table has."""
    async with database.connection() as conn:
        return {
            name: (await conn.execute(cast(LiteralString, f"select 1 from {name}"))).rowcount
            for name in await tables(conn)
        }
