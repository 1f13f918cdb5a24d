"""The ledger in words, and its comparison with the account that the stub keeps of us, through the command itself."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx
import pytest
from pydantic import SecretStr

from ops.spend import SpendLedger
from ops.spend_report import AccountUnavailable, Reconciled, account_usage, lines, render, render_tokens
from routing.budget import BudgetLimits
from routing.providers.breaker import Breakers
from routing.providers.chain import ChainDecider
from scripts.spend import main
from storage.database import Database
from storage.records import conversations
from storage.records.scraped import TokenSum
from tests.routing.providers.clients import client, remote_settings
from tests.stubs.fixtures import KEY, control, put, stub
from tests.stubs.simulated import MESSAGE_TEXT, NOTHING_BEFORE, QUESTION

__all__ = ["control", "put", "stub"]

NOW = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)
TODAY = NOW.date()


def ledger(db: Database) -> SpendLedger:
    return SpendLedger(
        db, limits=BudgetLimits(), now=lambda: NOW, zone=ZoneInfo("America/Sao_Paulo"), new_id=lambda: uuid4().hex
    )


async def test_by_provider_and_specialist_the_dearest_first(db: Database) -> None:
    async with db.connection() as conn:
        await conversations.ensure(conn, "t1", customer_id="c1", channel="web", brand="aurora", now=NOW)
    spender = ledger(db)
    for agent, cost in (("billing", "0.02"), ("billing", "0.01"), ("support", "0.20")):
        async with spender.paid("openrouter", model="m", most_usd=Decimal(1), thread_id="t1", agent=agent) as charge:
            charge.cost_usd = Decimal(cost)
    reservation = await spender.reserve("msd1", model="m", max_cost_usd=0.001, thread_id="t1")
    assert reservation is not None
    text = render(await lines(db, since=TODAY), since=TODAY)
    assert [line.split() for line in text.splitlines()] == [
        ["provider", "specialist", "transfers", "calls", "US$"],
        ["openrouter", "support", "0", "1", "0.200000"],
        ["openrouter", "billing", "0", "2", "0.030000"],
        ["msd1", "(decision)", "0", "1", "0.001000"],
        ["total", "4", "0.231000"],
    ]
    assert render([], since=TODAY) == "Nothing was spent since 2026-11-30."


@pytest.mark.parametrize(
    ("read", "cached", "said"),
    [
        (12_000, 9_000, "Chat models read 12,000 tokens, 75% of them cached, and wrote 7."),
        (0, 0, "Chat models read 0 tokens, 0% of them cached, and wrote 7."),
    ],
)
def test_what_came_from_the_cache_is_said(read: int, cached: int, said: str) -> None:
    assert render_tokens(TokenSum(input=read, cached=cached, output=7)) == said


@pytest.mark.parametrize(
    ("account", "booked", "agrees"),
    [
        ("1", "1", True),
        ("1", "1.009", True),
        ("1", "1.02", False),
        ("0", "0", True),
        ("0", "0.0000009", True),
        ("0", "0.01", False),
    ],
)
def test_when_both_sides_agree(account: str, booked: str, agrees: bool) -> None:
    assert Reconciled(account_usd=Decimal(account), ledger_usd=Decimal(booked)).agrees is agrees


ANSWERS: list[Callable[[httpx.Request], httpx.Response]] = [
    lambda _: httpx.Response(401, json={"error": {"message": KEY}}),
    lambda _: httpx.Response(200, text="<html>"),
    lambda _: httpx.Response(200, json={"data": {}}),
    lambda _: httpx.Response(200, json={"data": {"usage": "much"}}),
    lambda _: httpx.Response(200, json=[]),
]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_an_account_that_says_nothing(answer: Callable[[httpx.Request], httpx.Response]) -> None:
    with pytest.raises(AccountUnavailable) as raised:
        await account_usage(base_url="http://x", key=SecretStr(KEY), transport=httpx.MockTransport(answer))
    assert KEY not in str(raised.value)


def test_the_command_reconciles_what_was_spent_in_between(
    database_url: str, stub: str, control: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"DATABASE_URL": database_url, "OPENROUTER_API_KEY": KEY, "OPENROUTER_BASE_URL": stub}
    command = ["--since", "2026-11-30", "--reconcile", str(tmp_path / "before.json")]

    async def decide(booked: bool) -> None:
        database = await Database.open(environ=environ)
        chain = ChainDecider(
            [client("msd1", remote_settings(stub))], deadline_s=10, clock=lambda: 0.0,
            breakers=Breakers(clock=lambda: 0.0), budget=ledger(database) if booked else None,
        )  # fmt: skip
        await chain.decide(MESSAGE_TEXT, NOTHING_BEFORE, QUESTION, thread_id="t1")
        await database.close()

    assert main(command, environ=environ, now=NOW) == 0
    assert "Nothing was spent" in capsys.readouterr().out
    asyncio.run(decide(booked=True))
    assert main(command, environ=environ, now=NOW) == 0
    assert "they agree." in capsys.readouterr().out
    asyncio.run(decide(booked=False))
    assert main(command, environ=environ, now=NOW) == 1
    assert "they differ by -" in capsys.readouterr().out


def test_the_command_without_a_key(database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"DATABASE_URL": database_url}
    assert main(["--reconcile", str(tmp_path / "x.json")], environ=environ, now=NOW) == 2
    assert "OPENROUTER_API_KEY is not set" in capsys.readouterr().err


def test_a_day_is_read_as_one() -> None:
    with pytest.raises(SystemExit):
        main(["--since", "ontem"], environ={}, now=NOW)
    assert date(2026, 11, 30) == TODAY
