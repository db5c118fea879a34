"""`Extension` and each of its decorators."""

import asyncio
import inspect
import subprocess
import sys
from typing import Any

import pytest

from handrail import ConfigError, ContractError, Extension, Status, Toolbox, ToolCall
from handrail.chat import ActionResult, NoParams
from handrail.errors import SkeletonAccessForbidden
from handrail.testing import make_ctx
from handrail.ui import Text, UINode


async def handler(ctx: Any, params: NoParams) -> ActionResult[Any]:
    """Does nothing at all, and says so."""
    return ActionResult.success({"user": ctx.user.id})


def test_constructor_is_that_of_the_law() -> None:
    """Names and defaults."""
    given = list(inspect.signature(Extension).parameters.items())
    assert [(name, one.default) for name, one in given][1:10] == [
        ("version", "0.1.0"), ("display_name", ""), ("description", ""), ("icon", ""),
        ("actions_explicit", True), ("system", False), ("capabilities", ()),
        ("config_defaults", None), ("store", None),
    ]  # fmt: skip


def test_what_rules_judge_is_not_judged_here() -> None:
    """A bad id or version is a finding, not an import error."""
    ext = Extension("Not A Slug", version="x")
    assert (ext.app_id, ext.version) == ("Not A Slug", "x")
    assert repr(ext) == "Extension('Not A Slug', version='x')"


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"app_id": 3}, "app_id=3 must be text"),
        ({"version": 1.0}, "version=1.0 must be text"),
        ({"capabilities": "notes"}, r"must be a list of texts: \['notes'\]"),
        ({"capabilities": [3]}, "must be a list of texts"),
        ({"store": "sqlite:///x.db"}, "keeps state in memory only"),
    ],
)
def test_wrong_types_are_refused(keywords: dict[str, Any], told: str) -> None:
    """With the keyword's name."""
    with pytest.raises(ConfigError, match=told):
        Extension(**{"app_id": "notes", **keywords})


def test_tool_is_called_by_name() -> None:
    """On the same exchange as everything else."""
    ext = Extension("notes")
    assert ext.tool("look", scopes=["notes"], description="Look around here.")(handler) is handler
    (function,) = ext.tools
    assert function.declared.scopes == ("notes",)
    assert function.tool is not None

    async def go() -> Any:
        async with Toolbox([function.tool]).turn(user="u3") as turn:
            return await turn.answer(ToolCall("c", "look", {}))

    assert asyncio.run(go()).status is Status.OK


def test_tool_takes_contract_keywords_and_defaults() -> None:
    """Name and description of the function; a taken name is refused."""
    ext = Extension("notes")
    ext.tool(action_type="destructive", effects=["delete:note"])(handler)
    (function,) = ext.tools
    assert (function.name, function.changes) == ("handler", True)
    assert function.tool is not None
    assert function.tool.description.startswith("Does nothing")
    assert function.tool.effects == ("delete:note",)
    with pytest.raises(ContractError):
        ext.tool()(handler)
    with pytest.raises(ConfigError, match="scopes='x'"):
        ext.tool("other", scopes="x")


def test_on_event_keeps_the_full_type() -> None:
    """Of any app."""
    ext = Extension("notes")

    @ext.on_event("tasks.task.created")
    async def heard(ctx: Any, event: dict[str, Any]) -> None: ...

    (subscription,) = ext.subscriptions
    assert (subscription.type, subscription.handler) == ("tasks.task.created", heard)


def test_emits_counts_with_and_without_a_function() -> None:
    """The type is the app's."""
    ext = Extension("my-notes")
    ext.emits("synced", "SyncedEvent")

    @ext.emits("cleaned")
    def clean() -> int:
        return 3

    assert clean() == 3
    assert [one.full_type for one in ext.emissions] == ["my_notes.synced", "my_notes.cleaned"]
    assert [one.schema_ref for one in ext.emissions] == ["SyncedEvent", None]


def test_skeleton_keeps_its_keywords() -> None:
    """A second section of the name is refused."""
    ext = Extension("notes")

    @ext.skeleton("recent", ttl=60, alert=True)
    async def recent(ctx: Any) -> dict[str, Any]:
        return {}

    (section,) = ext.sections
    assert (section.section, section.ttl_s, section.alert) == ("recent", 60, True)
    assert section.handler is recent
    with pytest.raises(ConfigError, match="section named 'recent' already"):
        ext.skeleton("recent")(recent)


def test_panel_is_drawn_for_a_user() -> None:
    """Sync or async; with a ctx of this app."""
    ext = Extension("notes")

    @ext.panel("sidebar", slot="left", title="Notes", icon="list", refresh="on_event")
    async def sidebar(ctx: Any) -> UINode:
        return Text(f"{ctx.app_id} of {ctx.user.id}")

    @ext.panel("plain")
    def plain(ctx: Any) -> UINode:
        return Text("plain")

    draw = ext.render_panel
    assert asyncio.run(draw("sidebar", make_ctx("u2"))) == Text("notes of u2")
    assert asyncio.run(draw("plain", make_ctx())) == Text("plain")
    panel = ext.panels[0]
    assert (panel.slot, panel.title, panel.icon) == ("left", "Notes", "list")
    assert (panel.refresh, ext.panels[1].slot, ext.panels[1].refresh) == (
        "on_event", "center", "manual",
    )  # fmt: skip


def test_panel_that_is_absent_or_draws_nothing() -> None:
    """Said to the host, with what there is."""
    ext = Extension("notes")
    ext.panel("bad")(lambda ctx: "words")
    with pytest.raises(ConfigError, match="no panel 'x'; there is bad"):
        asyncio.run(ext.render_panel("x", make_ctx()))
    with pytest.raises(TypeError, match="gave str, not a UINode"):
        asyncio.run(ext.render_panel("bad", make_ctx()))
    with pytest.raises(ConfigError, match="panel named 'bad' already"):
        ext.panel("bad")(lambda ctx: None)


def test_panel_gets_no_skeleton() -> None:
    """It is a handler."""
    ext = Extension("notes")
    ext.panel("bad")(lambda ctx: ctx.skeleton.get("recent"))
    with pytest.raises(SkeletonAccessForbidden):
        asyncio.run(ext.render_panel("bad", make_ctx()))


def test_health_check_is_kept() -> None:
    """And handed back."""
    ext = Extension("notes")
    assert ext.health is None
    assert ext.health_check(handler) is handler
    assert ext.health is handler


def test_context_is_of_the_app_and_the_user() -> None:
    """Whatever the host knows of the user."""
    ext = Extension("notes", config_defaults={"limit": 3})
    ctx = ext.context("u1")
    assert (ctx.app_id, ctx.user.id, ctx.config["limit"]) == ("notes", "u1", 3)
    assert ext.context(ctx) is ctx


def test_declaring_is_what_loads_pydantic() -> None:
    """Not the import, and not the extension by itself."""
    code = (
        "import sys, handrail\n"
        "handrail.Extension('notes')\n"
        "print('handrail.sdk.params' in sys.modules, 'httpx' in sys.modules)\n"
        "import handrail.chat\n"
        "print('handrail.sdk.params' in sys.modules, 'httpx' in sys.modules)\n"
    )
    done = subprocess.check_output([sys.executable, "-c", code], text=True, timeout=60)
    assert done == "False False\nTrue False\n"
