"""``ctx``: what a handler gets beside its arguments. Source: seed 002; the table of ``ctx``.

A context belongs to one user and one app. `Ctx.for_call` makes the one of a single call, so that
nothing of a call is ever shared with another.
"""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any, Protocol

from handrail.contract.call import Context
from handrail.sdk.cache import Cache
from handrail.sdk.documents import Documents
from handrail.sdk.http import Http, HttpPool
from handrail.sdk.memory import MemoryData
from handrail.sdk.skeleton import Read, Sections
from handrail.sdk.tasks import TaskId, Tasks, Work
from handrail.sdk.user import User

__all__ = ["Ctx", "Data", "Home", "Progress", "Time"]

Clock = Callable[[], float]
Progress = Callable[[int, str], None]


class Data(Protocol):
    """Where documents and caches are kept."""

    def documents(self, app_id: str, user_id: str) -> Documents:
        """The documents of one user of one app."""
        ...

    def cache(self, app_id: str, user_id: str) -> Cache:
        """The cache of one user of one app."""
        ...


class Home(Protocol):
    """What an extension lends to the contexts of its handlers."""

    @property
    def app_id(self) -> str:
        """Id of the app."""
        ...

    @property
    def data(self) -> Data:
        """Where its documents are kept."""
        ...

    @property
    def pool(self) -> HttpPool:
        """Its connections to other servers."""
        ...

    @property
    def tasks(self) -> Tasks:
        """Its background work."""
        ...

    @property
    def config_defaults(self) -> Mapping[str, Any]:  # Any: what an author wrote
        """Settings, where the host says nothing."""
        ...


class Time:
    """``ctx.time``: the clock, which tests can set.

    Args:
        clock: Seconds since the epoch.
    """

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock

    def now(self) -> datetime:
        """Date and time in UTC, aware of it."""
        return datetime.fromtimestamp(self._clock(), UTC)

    def today(self) -> date:
        """The date in UTC."""
        return self.now().date()

    def timestamp(self) -> float:
        """Seconds since the epoch."""
        return self._clock()

    def iso(self) -> str:
        """Date and time in UTC as RFC 3339 has it, to the second."""
        return self.now().isoformat(timespec="seconds").replace("+00:00", "Z")


class Ctx:
    """What a handler gets beside its arguments.

    A context made without an extension keeps what it stores in memory of its own; see `within`.

    Args:
        user: Whose turn it is.
        data: Where documents are kept; None is memory of its own.
        config: Settings of the host.
        clock: Seconds since the epoch.
        on_progress: Told what `progress` is told, with a number from 0 to 100.

    Attributes:
        user: Whose turn it is.
        app_id: Id of the app; empty before an extension took the context.
        config: Settings: those of the host over the defaults of the extension.
        time: The clock.
        http: Calls to other servers.
        skeleton: Sections of the skeleton; for skeleton tools only.
        prior_step_results: In a chain: name of an earlier step -> its data.
        idempotency_key: The same over all re-runs of one call; empty outside a call.
        tool: Name of the function that runs; empty outside a call.
        task_id: Id of the background task that runs; None in the foreground.
    """

    def __init__(
        self,
        user: User,
        *,
        data: Data | None = None,
        config: Mapping[str, Any] | None = None,  # Any: settings of the host
        clock: Clock = time.time,
        on_progress: Progress | None = None,
    ) -> None:
        self.user = user
        self.app_id = ""
        self.time = Time(clock)
        self.skeleton = Sections()
        self.prior_step_results: Mapping[str, Any] = MappingProxyType({})  # Any: JSON values
        self.idempotency_key = ""
        self.tool = ""
        self.task_id: str | None = None
        self._own = MemoryData(clock) if data is None else None
        self._data: Data = self._own or data or MemoryData(clock)
        self._stated = dict(config or {})
        self._on_progress = on_progress
        self._tasks = Tasks()
        self._pool = HttpPool()
        self._configure({})

    @property
    def id(self) -> str:
        """Id of the user: a context stands for its user wherever a turn asks for one."""
        return self.user.id

    @property
    def store(self) -> Documents:
        """Documents of this user of this app."""
        return self._data.documents(self.app_id, self.user.id)

    @property
    def cache(self) -> Cache:
        """Values of this user of this app that may be lost at any time."""
        return self._data.cache(self.app_id, self.user.id)

    @property
    def log(self) -> "logging.LoggerAdapter[logging.Logger]":
        """A logger below ``handrail.app``, whose records carry app, user and tool."""
        fields = {"app_id": self.app_id, "user_id": self.user.id, "tool_name": self.tool}
        name = f"handrail.app.{self.app_id}" if self.app_id else "handrail.app"
        return logging.LoggerAdapter(logging.getLogger(name), fields)

    async def progress(self, percent: float, message: str = "") -> None:
        """Tell how far the work is.

        Args:
            percent: 0 to 100; what is outside is read as the nearest.
            message: For the user.
        """
        told = min(max(int(percent), 0), 100)
        if self.task_id is not None:
            self._tasks.report(self.task_id, told, message)
        if self._on_progress is not None:
            self._on_progress(told, message)

    def background_task(self, coro: Work, long_running: bool = False, name: str = "") -> TaskId:
        """Let a coroutine go on after the answer; it must return an `ActionResult`.

        It is a live coroutine of this process: where the process ends before it, nobody knows
        what became of it. ``background=True`` is for work that must survive.

        Args:
            coro: The work.
            long_running: 1,800 s instead of 180 s.
            name: Shown to the user; the function's by default.

        Returns:
            The id of its task, which may be awaited too.
        """
        function = name or self.tool or getattr(coro, "__name__", "") or "task"
        return self._tasks.start(
            coro, user_id=self.user.id, function=function, long_running=long_running
        )

    def within(self, home: Home) -> "Ctx":
        """The context for the handlers of an extension.

        A context made without an extension (in a test) is taken by the first one that it meets.
        If something was stored in it before, it stays where it is, and that is what the handlers
        see; else they see the documents of the extension, and so does the context from then on.
        """
        if self.app_id == home.app_id and self._data is home.data:
            return self
        if not self.app_id:
            untouched = self._own is not None and self._own.documents("", self.user.id).is_empty
            if self._own is not None and not untouched:
                self._own.move("", home.app_id, self.user.id)
            else:
                self._data, self._own = home.data, None
            self.app_id = home.app_id
        made = self._copied()
        made.app_id = home.app_id
        made._data = home.data if self._own is None else self._own
        made._tasks, made._pool = home.tasks, home.pool
        made._configure(home.config_defaults)
        return made

    def for_call(self, context: Context) -> "Ctx":
        """The context of one call."""
        made = self._copied()
        made.tool = context.tool
        made.idempotency_key = context.idempotency_key
        return made

    def for_step(self, results: Mapping[str, Any]) -> "Ctx":  # Any: JSON values
        """The context of a step of a chain.

        Args:
            results: Name of an earlier step -> its data.
        """
        made = self._copied()
        made.prior_step_results = MappingProxyType(dict(results))
        return made

    def for_task(self, task_id: str) -> "Ctx":
        """The context of background work."""
        made = self._copied()
        made.task_id = task_id
        return made

    def for_skeleton(self, read: Read) -> "Ctx":
        """The context of a skeleton tool.

        Args:
            read: Gives a section.
        """
        made = self._copied()
        made.skeleton = Sections(read)
        return made

    def _configure(self, defaults: Mapping[str, Any]) -> None:  # Any: settings
        settings = {**defaults, **self._stated}
        self.config: Mapping[str, Any] = MappingProxyType(settings)  # Any: settings
        self.http = Http(self._pool, self.config.get("http_allow", ()))

    def _copied(self) -> "Ctx":
        """As `copy.copy`, for a fraction of what that costs: every call makes one."""
        made = object.__new__(Ctx)
        made.__dict__.update(self.__dict__)
        return made
