"""Every member of ``ctx``."""

import asyncio
import logging
from datetime import UTC, date, datetime
from typing import Any

import pytest

from handrail import Context, Extension
from handrail.chat import ActionResult
from handrail.sdk.ctx import Ctx
from handrail.sdk.memory import MemoryData
from handrail.sdk.user import User
from handrail.testing import make_ctx
from stores import Hands


def home(**keywords: Any) -> Extension:
    """An extension."""
    return Extension("notes", **keywords)


def test_user_is_whose_turn_it_is() -> None:
    """And the context stands for it."""
    ctx = make_ctx("u1", role="admin", scopes=["notes:*"])
    assert (ctx.user.imperal_id, ctx.user.id, ctx.id) == ("u1", "u1", "u1")
    assert (ctx.user.role, ctx.user.has_scope("notes:read")) == ("admin", True)


async def test_store_and_cache_are_there_without_an_extension() -> None:
    """For handlers called directly; two contexts share nothing."""
    ctx, other = make_ctx(), make_ctx()
    await ctx.store.create("notes", {"a": 1})
    await ctx.cache.set("k", 1)
    assert (await ctx.store.count("notes"), await ctx.cache.get("k")) == (1, 1)
    assert (await other.store.count("notes"), await other.cache.get("k")) == (0, None)


def test_time_is_the_clock_in_utc() -> None:
    """Date, moment, seconds, text."""
    ctx = Ctx(User(id="u"), clock=Hands(86_400.0))
    assert ctx.time.now() == datetime(1970, 1, 2, tzinfo=UTC)
    assert (ctx.time.today(), ctx.time.timestamp()) == (date(1970, 1, 2), 86_400.0)
    assert ctx.time.iso() == "1970-01-02T00:00:00Z"


def test_config_of_the_host_goes_over_the_defaults() -> None:
    """And cannot be changed."""
    ctx = make_ctx(config={"a": 1}).within(home(config_defaults={"a": 2, "b": 3}))
    assert dict(ctx.config) == {"a": 1, "b": 3}
    with pytest.raises(TypeError):
        ctx.config["a"] = 3  # type: ignore[index]  # the point


def test_log_says_who_and_where(caplog: pytest.LogCaptureFixture) -> None:
    """A logger below handrail.app, whose records carry app, user and tool."""
    ctx = make_ctx("u1").within(home()).for_call(Context("look", "c1", None, 1, "key"))
    with caplog.at_level(logging.INFO, logger="handrail.app"):
        ctx.log.info("found %s", 3)
    (record,) = caplog.records
    assert (record.name, record.getMessage()) == ("handrail.app.notes", "found 3")
    fields = record.__dict__
    assert (fields["app_id"], fields["user_id"], fields["tool_name"]) == ("notes", "u1", "look")


async def test_progress_is_told_to_whoever_listens() -> None:
    """Within 0 and 100; nobody need listen."""
    heard: list[tuple[int, str]] = []
    ctx = Ctx(User(id="u"), on_progress=lambda percent, message: heard.append((percent, message)))
    await ctx.progress(50, "half")
    await ctx.progress(400)
    await make_ctx().progress(10, "nobody")
    assert heard == [(50, "half"), (100, "")]


async def test_background_task_runs_in_the_process() -> None:
    """Its id may be awaited; its progress and its end belong to the user."""
    ext = home()
    ctx = ext.context("u1").for_call(Context("refine", "c1", None, 1, "key"))

    async def work() -> ActionResult[Any]:
        return ActionResult.success({"a": 1})

    task_id = await ctx.background_task(work())
    await ctx.for_task(task_id).progress(40, "so far")
    assert [(one.percent, one.function) for one in ext.tasks.of("u1")] == [(40, "refine")]
    named = ctx.background_task(work(), long_running=True, name="Polish")
    await ext.tasks.settled()
    assert [one.status for one in ext.tasks.of("u1")] == ["done", "done"]
    assert [one.function for one in ext.tasks.of("u1")] == ["refine", "Polish"]
    assert named != task_id


def test_prior_step_results_and_idempotency_key() -> None:
    """Empty outside of a chain and a call; those of a step are its own."""
    ctx = make_ctx()
    step = ctx.for_step({"list_notes": {"notes": []}})
    call = step.for_call(Context("look", "c1", None, 1, "key-1"))
    assert (dict(ctx.prior_step_results), ctx.idempotency_key) == ({}, "")
    assert call.prior_step_results["list_notes"] == {"notes": []}
    assert (call.idempotency_key, call.tool) == ("key-1", "look")
    assert (step.idempotency_key, step.tool) == ("", "")


async def test_extension_takes_a_fresh_context() -> None:
    """Its documents are those of the extension, before and after."""
    ext = home()
    await ext.context("u1").store.create("notes", {"a": 1})
    ctx = make_ctx("u1")
    taken = ctx.within(ext)
    assert (ctx.app_id, taken.app_id) == ("notes", "notes")
    assert await taken.store.count("notes") == await ctx.store.count("notes") == 1
    assert await make_ctx("u2").within(ext).store.count("notes") == 0


async def test_what_a_test_stored_before_stays_in_sight() -> None:
    """And so does what handlers store afterwards; the extension's own data is not touched."""
    ext, ctx = home(), make_ctx("u1")
    await ctx.store.create("notes", {"a": 1})
    taken = ctx.within(ext)
    await taken.store.create("notes", {"a": 2})
    assert await taken.store.count("notes") == await ctx.store.count("notes") == 2
    assert await ext.context("u1").store.count("notes") == 0


async def test_two_apps_of_one_context_share_nothing() -> None:
    """Per app and user."""
    ctx = make_ctx("u1")
    notes, tasks = ctx.within(home()), ctx.within(Extension("tasks"))
    await notes.store.create("c", {})
    assert (await notes.store.count("c"), await tasks.store.count("c")) == (1, 0)
    seeded = make_ctx("u1")
    await seeded.store.create("c", {})
    first, second = seeded.within(home()), seeded.within(Extension("tasks"))
    assert (await first.store.count("c"), await second.store.count("c")) == (1, 0)


def test_within_is_idempotent() -> None:
    """The context of an app stays the one it is."""
    ext = home()
    taken = make_ctx().within(ext)
    assert taken.within(ext) is taken


async def test_data_of_a_host_is_used() -> None:
    """Where one is given."""
    data = MemoryData()
    ctx = Ctx(User(id="u1"), data=data)
    await ctx.store.create("c", {})
    assert await data.documents("", "u1").count("c") == 1


async def test_many_users_at_once_never_meet() -> None:
    """200 contexts of one extension."""
    ext = home()

    async def one(number: int) -> tuple[str, int]:
        ctx = ext.context(f"u{number}")
        await ctx.store.create("c", {"n": number})
        await asyncio.sleep(0)
        (found,) = (await ctx.store.query("c")).data
        return ctx.id, found.data["n"]

    told = await asyncio.gather(*(one(number) for number in range(200)))
    assert told == [(f"u{number}", number) for number in range(200)]
