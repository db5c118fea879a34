"""`ChatExtension` and every keyword of `@chat.function`."""

import inspect
import subprocess
import sys
from typing import Any

import pytest
from pydantic import BaseModel

from handrail import ConfigError, ContractError, Extension
from handrail.chat import ActionResult, ChatExtension, NoParams
from handrail.sdk.chat import MOST_ATTEMPTS


class Event(BaseModel):
    """Data of an event."""

    note_id: str


async def handler(ctx: Any, params: NoParams) -> ActionResult[Any]:
    """Does nothing at all, and says so."""
    return ActionResult.success()


def chat(**keywords: Any) -> ChatExtension:
    """A chat of a fresh extension."""
    return ChatExtension(Extension("notes"), "notes", "Notes", **keywords)


def test_signature_is_that_of_the_seed() -> None:
    """Names, order and defaults; what is ours stands behind it."""
    given = list(inspect.signature(ChatExtension.function).parameters.items())[1:12]
    assert [(name, one.default) for name, one in given] == [
        ("name", ""), ("description", ""), ("params", None), ("action_type", "read"),
        ("event", ""), ("event_schema", None), ("chain_callable", None), ("effects", None),
        ("id_projection", None), ("background", False), ("long_running", False),
    ]  # fmt: skip


def test_constructor_is_that_of_the_law() -> None:
    """By position and by keyword."""
    ext = Extension("notes")
    made = ChatExtension(ext, "notes", "Notes", "Be brief.", None, 4)
    same = ChatExtension(ext=ext, tool_name="notes", description="Notes", max_rounds=4)
    assert (made.system_prompt, made.max_rounds, same.max_rounds) == ("Be brief.", 4, 4)
    assert ext.chats == (made, same)


def test_name_defaults_to_that_of_the_function() -> None:
    """With keywords, with empty parentheses, and without any."""
    for declare in (chat().function(description="x" * 20), chat().function()):
        assert declare(handler) is handler
    made = chat()
    assert made.function(handler) is handler  # type: ignore[arg-type, comparison-overlap]  # bare
    assert [one.name for one in made.functions] == ["handler"]


def test_description_defaults_to_the_docstring() -> None:
    """Its first paragraph."""
    made = chat()
    made.function("look")(handler)
    assert made.tools[0].description == "Does nothing at all, and says so."


def test_every_keyword_is_kept() -> None:
    """For the loop, the manifest and the rules."""
    made = chat()
    made.function(
        "look",
        "Look at everything there is.",
        action_type="write",
        event="looked",
        event_schema=Event,
        chain_callable=False,
        effects=["update:note"],
        id_projection="note_id",
        background=True,
        long_running=True,
        scopes=["notes"],
    )(handler)
    (function,) = made.functions
    declared = function.declared
    assert (declared.event_schema, declared.id_projection) == (Event, "note_id")
    assert (declared.background, declared.long_running) == (True, True)
    assert (declared.scopes, declared.effects) == (("notes",), ["update:note"])
    assert (function.chain_callable, function.changes) == (False, True)


@pytest.mark.parametrize(("stated", "effective"), [(None, True), (True, True), (False, False)])
def test_chain_callable_none_means_yes(stated: bool | None, effective: bool) -> None:
    """For every action type."""
    for kind in ("read", "write", "destructive"):
        made = chat()
        made.function("look", "Look around.", action_type=kind, chain_callable=stated)(handler)
        assert made.functions[0].chain_callable is effective


def test_duplicate_name_is_refused() -> None:
    """In one chat; another chat may have it too."""
    made = chat()
    made.function("look", "Look around.")(handler)
    with pytest.raises(ContractError, match="there is a function named 'look' already"):
        made.function("look", "Look around.")(handler)
    chat().function("look", "Look around.")(handler)


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"max_rounds": 0}, "max_rounds=0"),
        ({"attempts": 4}, "attempts=4 must be 1, 2 or 3"),
        ({"attempts": 0}, "attempts=0"),
    ],
)
def test_constructor_refuses(keywords: dict[str, Any], told: str) -> None:
    """What no loop could do; the seeds' budget cannot be raised."""
    with pytest.raises(ConfigError, match=told):
        chat(**keywords)


def test_constructor_wants_an_extension() -> None:
    """Nothing else has an app id."""
    with pytest.raises(ConfigError, match="must be an Extension"):
        ChatExtension("notes", "notes", "Notes")  # type: ignore[arg-type]  # that is the point


def test_attempts_may_be_lowered() -> None:
    """Three at most: the first and two retries."""
    assert (MOST_ATTEMPTS, chat().attempts, chat(attempts=1).attempts) == (3, 3, 1)


def test_model_is_deprecated_and_warns_once_per_process() -> None:
    """However many chats there are; and it is ignored."""
    code = (
        "import warnings; warnings.simplefilter('always')\n"
        "from handrail import Extension\n"
        "from handrail.chat import ChatExtension\n"
        "for n in 'ab':\n    made = ChatExtension(Extension(n), n, n, model='m-1')\n"
        "print(hasattr(made, 'model'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.count("DeprecationWarning: ChatExtension(model=...) is deprecated") == 1
    assert done.stdout == "False\n"
    assert "<string>:5" in done.stderr
