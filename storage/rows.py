"""Rows as frozen values: what every module under storage/records shares."""

from collections.abc import Mapping
from typing import Any, LiteralString, TypeVar, cast

from psycopg import AsyncConnection
from psycopg.rows import DictRow, class_row
from pydantic import BaseModel

from routing.model import Frozen

Connection = AsyncConnection[DictRow]
Params = Mapping[str, Any]
Json = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)


class Record(Frozen):
    """A row. Its fields are the columns that are read: a column that a later migration adds does not disturb it."""


def columns(model: type[BaseModel], table: str = "") -> LiteralString:
    """List a model's fields as columns. Never `*`: a prepared statement fails when the table behind it grows a column."""
    prefix = f"{table}." if table else ""
    return cast(LiteralString, ", ".join(prefix + name for name in model.model_fields))


async def one(conn: Connection, model: type[Model], query: LiteralString, params: Params) -> Model | None:
    """Return the first row as a value, None when there is none."""
    async with conn.cursor(row_factory=class_row(model)) as cursor:
        await cursor.execute(query, params)
        return await cursor.fetchone()


async def must(conn: Connection, model: type[Model], query: LiteralString, params: Params) -> Model:
    """Return the only row as a value. Raises LookupError when there is none."""
    found = await one(conn, model, query, params)
    if found is None:
        raise LookupError(f"no {model.__name__} for {sorted(params)}")
    return found


async def many(conn: Connection, model: type[Model], query: LiteralString, params: Params) -> list[Model]:
    """Return all rows as values."""
    async with conn.cursor(row_factory=class_row(model)) as cursor:
        await cursor.execute(query, params)
        return await cursor.fetchall()


async def changed(conn: Connection, query: LiteralString, params: Params) -> int:
    """Run a statement and return how many rows it touched."""
    return (await conn.execute(query, params)).rowcount
