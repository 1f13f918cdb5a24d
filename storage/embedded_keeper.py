"""The one connection that each program holds for as long as it uses the embedded server.

Keepers count the programs: the kernel closes that of a program which is killed, so the count cannot go wrong.
"""

import sys
import time
from pathlib import Path
from typing import Any, LiteralString, Self

import psycopg
from psycopg import sql

from storage.embedded_account import EmbeddedPostgresError
from storage.embedded_folder import SOCKET_PORT, ServerFolder
from storage.embedded_postmaster import is_postmaster, read_pid_file

OWNER = "postgres"  # the superuser, for keepers only: they find a place among the reserved connections
ROLE = "bastao"  # what the application connects as: it owns its database, and can neither run programs nor read files

_PRESENT = "bastao-keeper"
_LEAVING = "bastao-leaving"
_POLL_SECONDS = 0.05
_CONNECT_SECONDS = 5


class Keeper:
    """An open connection as the superuser, and the address it was reached at."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]], *, host: str, port: str) -> None:
        self._connection = connection
        self.host = host
        self.port = port

    @classmethod
    def connect(cls, folder: ServerFolder, *, host: str, port: str) -> Self:
        """Log in with the folder's password.

        Raises:
            psycopg.OperationalError: nobody listens there, or does not let us in (yet).
        """
        connection = psycopg.connect(
            host=host,
            port=port,
            user=OWNER,
            password=folder.password(),
            dbname="postgres",  # not the application's, which could then be neither dropped nor copied
            connect_timeout=_CONNECT_SECONDS,
            application_name=_PRESENT,
            options="-c idle_session_timeout=0",
            autocommit=True,
        )
        return cls(connection, host=host, port=port)

    def answers(self) -> bool:
        try:
            return self._value("select 1") == 1
        except psycopg.Error:
            return False

    def close(self) -> None:
        self._connection.close()

    def leave(self) -> bool:
        """Close; tell whether another program's keeper is left. Only under the folder's lock.

        The name changes first because the server may need a moment to see the connection end. A program that leaves right
        after us would count us in that moment, and leave the server running for nobody.
        """
        try:
            self._value("select set_config('application_name', %s, false)", _LEAVING)
            return (
                self._value("select 1 from pg_stat_activity where application_name = %s limit 1", _PRESENT) is not None
            )
        except psycopg.Error:
            return False
        finally:
            self.close()

    def serves(self, folder: ServerFolder) -> bool:
        """Tell whether this is the folder's server: a copy of the folder accepts the same password."""
        if Path(self.host).parent == folder.home:
            return (
                True  # whatever its path is called over there: the folder may have been renamed, or mounted elsewhere
            )
        try:
            return Path(str(self._value("show data_directory"))).samefile(folder.pgdata)
        except OSError:
            return False

    def ensure_database(self, name: str, *, password: str) -> None:
        """Create the application's role and its database when they are missing. Only under the folder's lock.

        Raises:
            psycopg.Error: the server failed.
        """
        names = {"database": sql.Identifier(name), "role": sql.Identifier(ROLE), "password": sql.Literal(password)}
        if self._value("select 1 from pg_roles where rolname = %s", ROLE) is None:
            self._connection.execute(sql.SQL("create role {role} login createdb password {password}").format(**names))
        owner = self._value("select pg_get_userbyid(datdba) from pg_database where datname = %s", name)
        if owner is None:
            self._connection.execute(sql.SQL("create database {database} owner {role}").format(**names))
        elif owner != ROLE:
            self._connection.execute(sql.SQL("alter database {database} owner to {role}").format(**names))

    def _value(self, query: LiteralString, *parameters: object) -> object:
        """Return the first column of the first row, None when there is no row."""
        row = self._connection.execute(query, parameters).fetchone()
        return None if row is None else row[0]


def attach(folder: ServerFolder, *, wait: float) -> Keeper | None:
    """Join the server of this folder if one runs, waiting up to `wait` seconds while it starts or recovers.

    Raises:
        EmbeddedPostgresError: it runs and does not let us in.
    """
    deadline = time.monotonic() + wait
    while (found := read_pid_file(folder.pgdata)) is not None:
        refusal = "it has no socket yet"
        for host, port in _addresses(folder, port=found.port):
            try:
                keeper = Keeper.connect(folder, host=host, port=port)
            except psycopg.OperationalError as error:
                refusal = str(error).strip()
                continue
            if keeper.serves(folder):
                return keeper
            keeper.close()
        if not is_postmaster(found.pid, pgdata=folder.pgdata):
            return None
        if "password authentication failed" in refusal or time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                f"the server of {folder.pgdata} (process {found.pid}) runs but lets nobody in: {refusal}. Stop it with"
                f" `make db-stop` and try again (its log: {folder.log_file}), or set DATABASE_URL"
            )
        time.sleep(_POLL_SECONDS)
    return None


def _addresses(folder: ServerFolder, *, port: str) -> list[tuple[str, str]]:
    if sys.platform == "win32":
        return [("127.0.0.1", port)] if port else []
    return [(str(place), SOCKET_PORT) for place in folder.socket_folders()]
