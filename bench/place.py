"""Where a measurement happens: a PostgreSQL of the bench's own, a database per measurement, and the configuration.

The one module of bench/ that speaks SQL, with bench/million.py: it makes databases and weighs them, which no product code does.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from settings import ROOT
from storage.embedded import EmbeddedPostgres

DATA = ROOT / "bench" / ".data"
# What a benchmark's customer does and a person never would; everything else is as configured.
_UNLIMITED = {
    "messages_per_minute": 10_000_000,
    "visitor_messages_per_minute": 10_000_000,
    "requests_per_minute": 10_000_000,
}


@contextmanager
def server() -> Iterator[str]:
    """The connection string of a server on which databases can be made: DATABASE_URL_BENCH, else an embedded one.

    The embedded one has its default settings, durability included, and more connections.
    """
    if given := os.environ.get("DATABASE_URL_BENCH"):
        yield given
        return
    root = Path(tempfile.mkdtemp(prefix="bb-"))  # short: the path of a socket has 107 bytes
    embedded = EmbeddedPostgres(root, settings={"max_connections": "200"}, stop_on_exit=False)
    try:
        yield embedded.start().conninfo
    finally:
        embedded.stop(force=True)
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    name = f"bench_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(sql.SQL("create database {} template template0").format(sql.Identifier(name)))
    try:
        yield make_conninfo(server, dbname=name)
    finally:
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


def environment(
    url: str, *, config: Mapping[str, Any] | None = None, name: str = "config", **more: str
) -> dict[str, str]:
    """Return the environment of a Bastão on this database: the shop's configuration without limits on how fast one writes.

    `config` replaces parts of the configuration; it is written under `name`.
    """
    DATA.mkdir(parents=True, exist_ok=True)
    whole: dict[str, Any] = json.loads((ROOT / "config.json").read_text("utf-8"))
    whole["limits"] |= _UNLIMITED
    whole["channels"] = {channel: {"quiet_s": 0} for channel in whole["channels"]}
    whole["logs"] = {"level": "ERROR", "format": "json"}
    path = DATA / f"{name}.json"
    own = path.with_name(f"{path.name}.{uuid4().hex}")
    own.write_text(json.dumps(whole | dict(config or {}), ensure_ascii=False, indent=1), "utf-8")
    own.replace(path)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("BASTAO_", "DATABASE_URL"))}
    given = {"DATABASE_URL": url, "BASTAO_CONFIG": str(path), "BASTAO_DATA_DIR": str(data_dir())}
    return {**kept, **given, **more}


def data_dir() -> Path:
    """Where the trained decision model is kept between runs."""
    return Path(os.environ.get("BASTAO_BENCH_DATA_DIR") or DATA)


def weigh(url: str) -> dict[str, int]:
    """Return rows, bytes of the live rows as stored (compressed), and bytes on disk with indexes, over all tables but the shop's."""
    with psycopg.connect(url, autocommit=True) as conn:
        names = conn.execute(
            "select tablename from pg_tables where schemaname = 'public' and tablename not like '%migrations%'"
            " and tablename <> 'alembic_version'"
        ).fetchall()
        rows = size = disk = 0
        for (name,) in names:
            table = sql.Identifier(name)
            found = conn.execute(
                sql.SQL(
                    "select count(*), coalesce(sum(pg_column_size(t.*)), 0), pg_total_relation_size({}) from {} t"
                ).format(sql.Literal(name), table)
            ).fetchone()
            assert found is not None
            rows, size, disk = rows + found[0], size + int(found[1]), disk + found[2]
    return {"rows": rows, "bytes": size, "disk": disk}


def written(url: str) -> int:
    """Return how many bytes of write-ahead log the server has written so far: what replication and backups carry."""
    with psycopg.connect(url, autocommit=True) as conn:
        found = conn.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
    assert found is not None
    return int(found[0])


def server_version(url: str) -> str:
    with psycopg.connect(url) as conn:
        return f"{conn.info.server_version // 10000}.{conn.info.server_version % 10000}"
