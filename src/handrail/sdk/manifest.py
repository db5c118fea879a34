"""``handrail.json``: what an extension is and can do, for hosts that do not run it.

The bytes depend on what is declared and on nothing else: not on the order in which files were
imported, nor on the machine. Its JSON Schema is that of the models below, and is shipped beside
this file (`handrail.schema.json`).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from handrail.sdk.extension import Extension
from handrail.sdk.function import Function

__all__ = [
    "MANIFEST_NAME",
    "SCHEMA_FILE",
    "EventOut",
    "Events",
    "Manifest",
    "PanelOut",
    "ToolOut",
    "manifest_of",
    "manifest_schema_text",
    "manifest_text",
]

MANIFEST_NAME = "handrail.json"
SCHEMA_FILE = Path(__file__).with_name("handrail.schema.json")

Json = dict[str, Any]  # Any: JSON Schema


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolOut(_Part):
    """A function that can be called."""

    name: str = Field(description="Name in calls")
    description: str = Field(description="What it does, as the model reads it")
    action_type: Literal["read", "write", "destructive"]
    chain_callable: bool = Field(description="Whether a chain calls it with arguments")
    effects: list[str] = Field(description="What it changes, as verb:resource")
    id_projection: str | None = Field(description="The field that holds the id of its target")
    event: str | None = Field(description="Its event, without the app's id")
    event_schema: Json | None = Field(description="JSON Schema of that event's data")
    background: bool = Field(description="Whether it runs after an acknowledgement")
    long_running: bool = Field(description="Whether it may take 1,800 s there")
    params_schema: Json = Field(description="JSON Schema of its arguments")
    return_schema: Json | None = Field(description="JSON Schema of its data, where declared")


class EventOut(_Part):
    """An event that the app emits."""

    type: str = Field(description="Full type, with the app's id")
    event_schema: Json | str | None = Field(description="JSON Schema of its data, or its name")


class Events(_Part):
    """Events of the app."""

    emitted: list[EventOut]
    subscribed: list[str] = Field(description="Full types")


class PanelOut(_Part):
    """A panel that the app draws."""

    panel_id: str
    slot: str
    title: str
    icon: str
    refresh: str


class Manifest(_Part):
    """What an extension is and can do."""

    manifest_version: Literal[1] = 1
    app_id: str
    version: str
    display_name: str
    description: str
    icon: str
    actions_explicit: bool
    system: bool
    tools: list[ToolOut] = Field(description="Sorted by name")
    events: Events
    panels: list[PanelOut]
    scopes: list[str] = Field(description="Of the app and its tools, sorted")


def manifest_of(ext: Extension) -> Manifest:
    """The manifest of an extension; functions whose declaration was refused are left out."""
    functions = [one for one in (*ext.functions, *ext.tools) if one.tool is not None]
    scopes = {scope for one in functions for scope in one.declared.scopes}
    panels = sorted(ext.panels, key=lambda panel: panel.panel_id)
    return Manifest(
        app_id=ext.app_id,
        version=ext.version,
        display_name=ext.display_name,
        description=ext.description,
        icon=ext.icon,
        actions_explicit=ext.actions_explicit,
        system=ext.system,
        tools=[_tool(one) for one in sorted(functions, key=lambda one: one.name)],
        events=Events(
            emitted=_emitted(ext), subscribed=sorted({one.type for one in ext.subscriptions})
        ),
        panels=[
            PanelOut(
                panel_id=panel.panel_id,
                slot=panel.slot,
                title=panel.title,
                icon=panel.icon,
                refresh=panel.refresh,
            )
            for panel in panels
        ],
        scopes=sorted(scopes | set(ext.capabilities)),
    )


def manifest_text(ext: Extension) -> str:
    """The content of ``handrail.json``."""
    return _text(manifest_of(ext).model_dump(mode="json"))


def manifest_schema_text() -> str:
    """The JSON Schema of ``handrail.json``, as it is shipped."""
    return _text(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **Manifest.model_json_schema(mode="serialization"),
        }
    )


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _tool(function: Function) -> ToolOut:
    declared, tool = function.declared, function.tool
    assert tool is not None, "only accepted declarations come here"
    return ToolOut(
        name=function.name,
        description=tool.description,
        action_type=tool.action_type,
        chain_callable=function.chain_callable,
        effects=list(tool.effects),
        id_projection=declared.id_projection or None,
        event=declared.event or None,
        event_schema=_schema(declared.event_schema),
        background=declared.background,
        long_running=declared.long_running,
        params_schema=dict(tool.schema),
        return_schema=_schema(tool.returns),
    )


def _emitted(ext: Extension) -> list[EventOut]:
    found: dict[str, Json | str | None] = {}
    for emission in ext.emissions:
        stated = emission.schema_ref
        found[emission.full_type] = stated if isinstance(stated, str) else _schema(stated)
    for function in ext.functions:
        if function.event_type and not found.get(function.event_type):
            found[function.event_type] = _schema(function.declared.event_schema)
    return [EventOut(type=type, event_schema=found[type]) for type in sorted(found)]


def _schema(stated: Any) -> Json | None:  # Any: a type, a JSON Schema, or nothing
    """JSON Schema of what an author declared; None where there is none."""
    if stated is None:
        return None
    if isinstance(stated, Mapping):
        return dict(stated)
    try:
        return TypeAdapter(stated).json_schema(mode="serialization")
    except Exception:  # a type of the author's may be anything
        return None
