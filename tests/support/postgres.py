"""A real Postgres server for the tests, started once and shared by all their processes.

The server of `shared_server` belongs to whoever uses it: a file names the processes that do, the
first starts it, the last stops it. What a killed test run left behind is taken over by the next.
"""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

__all__ = ["Server", "Unavailable", "private_server", "shared_server"]

_HOME = Path(tempfile.gettempdir()) / f"handrail-postgres-{os.getuid()}"
_OPTIONS = "-c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=150 -c log_statement=none"
_LOCALES = [
    ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"],
    ["--locale=C.UTF-8"],
    ["--no-locale"],
]
"""The first that the server knows: one whose order of words is not the order of code points."""
_names = count(1)


class Unavailable(Exception):
    """There is no Postgres here, and none could be installed."""


def _binaries() -> Path:
    """The folder with initdb and pg_ctl."""
    found = _installed()
    if found is None and os.environ.get("CI") == "true" and os.getuid() == 0:
        install = ["apt-get", "install", "-y", "--no-install-recommends", "postgresql"]
        for command in (["apt-get", "update", "-q"], install):
            subprocess.run(command, check=False, capture_output=True)
        found = _installed()
    if found is None:
        raise Unavailable(
            "no Postgres server is installed (apt-get install --no-install-recommends postgresql), "
            "so the stores are not tested on one"
        )
    return found


def _installed() -> Path | None:
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: float(at.parent.name)
    )
    named = shutil.which("pg_ctl")
    candidates = [*reversed(folders), *([Path(named).resolve().parent] if named else [])]
    return next((one for one in candidates if (one / "initdb").exists()), None)


def _run(*command: str) -> None:
    """Run as the server's user: it refuses to be root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    done = subprocess.run(
        [*prefix, *command], check=False, cwd="/", stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise Unavailable(f"{Path(command[0]).name} failed: {done.stdout[-500:]}")


@dataclass(frozen=True)
class Server:
    """A cluster in a folder of its own, on a port of its own."""

    folder: Path
    port: int

    @classmethod
    def made(cls, folder: Path) -> "Server":
        """A new cluster, not started yet."""
        binaries = _binaries()
        folder.mkdir(parents=True)
        folder.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        base = [str(binaries / "initdb"), "-D", str(folder / "data"), "-U", "postgres"]
        for locale in _LOCALES:
            try:
                _run(*base, "-A", "trust", "-E", "UTF8", "--no-sync", *locale)
                break
            except Unavailable:
                shutil.rmtree(folder / "data", ignore_errors=True)
                if locale is _LOCALES[-1]:
                    raise
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return cls(folder, probe.getsockname()[1])

    def start(self) -> None:
        """Start it; returns once it answers."""
        options = f"{_OPTIONS} -p {self.port} -c unix_socket_directories={self.folder}"
        self._control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """Stop it; open connections are cut."""
        self._control("-m", "immediate", "stop")

    def _control(self, *words: str) -> None:
        command = [str(_binaries() / "pg_ctl"), "-D", str(self.folder / "data"), "-w", "-s"]
        _run(*command, *words)

    @property
    def runs(self) -> bool:
        """Whether something answers on its port."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def url(self, database: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_place(self) -> str:
        """The URL of an empty schema: as good as a database of its own, and much cheaper."""
        import psycopg

        name = f"t{os.getpid()}_{next(_names)}_{time.monotonic_ns()}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url()}?options=-csearch_path%3D{name}"


@contextmanager
def private_server() -> Iterator[Server]:
    """A server of one's own, to stop and start."""
    folder = Path(tempfile.mkdtemp(prefix="handrail-postgres-own-"))
    folder.chmod(0o755)
    server = Server.made(folder / "cluster")
    try:
        server.start()
        yield server
    finally:
        if server.runs:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shared_server() -> Iterator[Server]:
    """The server that all processes of all test runs share while one of them needs it."""
    with _state() as state:
        server = _joined(state)
        state["users"] = [*_alive(state), os.getpid()]
        state["folder"], state["port"] = str(server.folder), server.port
    try:
        yield server
    finally:
        with _state() as state:
            users = _alive(state)
            if os.getpid() in users:
                users.remove(os.getpid())
            state["users"] = users
            if not users:
                server.stop()
                shutil.rmtree(server.folder, ignore_errors=True)
                state.clear()


def _joined(state: dict[str, object]) -> Server:
    """The server that runs, or a new one in its place."""
    if "folder" in state:
        left = Server(Path(str(state["folder"])), int(str(state["port"])))
        if left.runs and (left.folder / "data" / "postmaster.pid").exists():
            return left
        shutil.rmtree(left.folder, ignore_errors=True)
    server = Server.made(_HOME / f"cluster-{time.monotonic_ns()}")
    server.start()
    return server


@contextmanager
def _state() -> Iterator[dict[str, object]]:
    """What is known of the shared server, while nobody else reads or changes it."""
    _HOME.mkdir(mode=0o755, exist_ok=True)
    with (_HOME / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = _HOME / "state.json"
        state = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        yield state
        kept.write_text(json.dumps(state), encoding="utf-8")


def _alive(state: dict[str, object]) -> list[int]:
    users = state.get("users")
    return [pid for pid in users if _runs(pid)] if isinstance(users, list) else []


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
