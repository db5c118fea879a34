"""``handrail.json``: deterministic, and described by the schema that is shipped."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
from pydantic import BaseModel

from extensions import GOOD, edited, loaded, written
from handrail import Extension
from handrail.chat import ActionResult, ChatExtension, NoParams
from handrail.sdk.manifest import SCHEMA_FILE, manifest_of, manifest_schema_text, manifest_text

KEYS = {
    "name", "description", "action_type", "chain_callable", "effects", "id_projection", "event",
    "event_schema", "background", "long_running", "params_schema", "return_schema",
}  # fmt: skip


class Note(BaseModel):
    """A note."""

    note_id: str


def declared(*, turned: bool = False) -> Extension:
    """An extension whose declarations come in either order."""
    ext = Extension("my-notes", version="1.0.0", capabilities=["notes", "files"])
    chat = ChatExtension(ext, "notes", "Notes")

    def functions() -> None:
        @chat.function("b_look", "Look at everything.")
        async def look(ctx: Any, params: NoParams) -> ActionResult[Note]:
            return ActionResult.success()

        @chat.function(
            "a_refine", "Refine a text.", action_type="write", effects=["update:note"],
            event="refined", event_schema=Note, id_projection="note_id", background=True,
            long_running=True, chain_callable=False, scopes=["deep"],
        )  # fmt: skip
        async def refine(ctx: Any, params: Note) -> ActionResult[Any]:
            return ActionResult.success()

    def surface() -> None:
        ext.emits("synced", "Synced")
        ext.on_event("tasks.task.created")(lambda ctx, event: None)
        ext.on_event("files.created")(lambda ctx, event: None)
        ext.panel("side", title="Notes")(lambda ctx: None)
        ext.panel("main")(lambda ctx: None)

    for declare in (surface, functions) if turned else (functions, surface):
        declare()
    return ext


def test_manifest_says_what_is_declared() -> None:
    """Tools by name, with every key; events, panels and scopes."""
    made = json.loads(manifest_text(declared()))
    assert [tool["name"] for tool in made["tools"]] == ["a_refine", "b_look"]
    assert [set(tool) for tool in made["tools"]] == [KEYS, KEYS]
    refine, look = made["tools"]
    assert {key: refine[key] for key in KEYS - {"params_schema", "description"}} == {
        "name": "a_refine", "action_type": "write", "chain_callable": False,
        "effects": ["update:note"], "id_projection": "note_id", "event": "refined",
        "event_schema": Note.model_json_schema(mode="serialization"), "background": True,
        "long_running": True, "return_schema": None,
    }  # fmt: skip
    assert refine["params_schema"]["required"] == ["note_id"]
    assert (look["event"], look["chain_callable"]) == (None, True)
    assert look["return_schema"]["properties"]["note_id"] == {"title": "Note Id", "type": "string"}
    assert [one["type"] for one in made["events"]["emitted"]] == [
        "my_notes.refined", "my_notes.synced",
    ]  # fmt: skip
    assert made["events"]["emitted"][1]["event_schema"] == "Synced"
    assert made["events"]["subscribed"] == ["files.created", "tasks.task.created"]
    assert [panel["panel_id"] for panel in made["panels"]] == ["main", "side"]
    assert made["scopes"] == ["deep", "files", "notes"]
    assert (made["app_id"], made["version"], made["manifest_version"]) == ("my-notes", "1.0.0", 1)


def test_bytes_do_not_depend_on_the_order_of_declarations() -> None:
    """Files may be imported in any order."""
    assert manifest_text(declared()) == manifest_text(declared(turned=True))


def test_bytes_are_those_of_another_process(tmp_path: Path) -> None:
    """With other hashes, twice the same."""
    path = written(tmp_path, GOOD)
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "import shelf_app; from handrail.sdk.manifest import manifest_text\n"
        "sys.stdout.write(manifest_text(shelf_app.ext))"
    )
    texts = {
        subprocess.check_output(
            [sys.executable, "-c", code, str(path.parent)], text=True, timeout=60
        )
        for _ in range(2)
    }
    assert texts == {manifest_text(loaded(tmp_path).ext)}
    assert texts.pop().endswith("}\n")


def test_schema_is_shipped_and_is_the_one_in_use() -> None:
    """scripts/generate_docs.py writes it."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == manifest_schema_text()


def test_manifest_fits_its_schema(tmp_path: Path) -> None:
    """And another key would not."""
    schema = jsonschema_rs.validator_for(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
    for ext in (declared(), loaded(tmp_path).ext):
        made = json.loads(manifest_text(ext))
        assert schema.is_valid(made)
        assert not schema.is_valid({**made, "more": 1})
        assert not schema.is_valid({**made, "manifest_version": 2})


def test_refused_functions_are_left_out(tmp_path: Path) -> None:
    """They have no contract to publish."""
    app = loaded(tmp_path, edited(('action_type="destructive"', 'action_type="x"')))
    assert [tool.name for tool in manifest_of(app.ext).tools] == [
        "add_book", "count_books", "list_books",
    ]  # fmt: skip


def test_types_without_a_schema_are_not_described() -> None:
    """An author may return anything."""
    ext = Extension("notes")
    chat = ChatExtension(ext, "notes", "Notes")

    @chat.function("look", "Look at everything.", returns={"type": "object"})
    async def look(ctx: Any, params: NoParams) -> ActionResult[Any]:
        return ActionResult.success()

    class Odd:
        """Nothing that pydantic knows."""

    ext.emits("odd", Odd)
    made = manifest_of(ext)
    assert made.tools[0].return_schema == {"type": "object"}
    assert made.events.emitted[0].event_schema is None
