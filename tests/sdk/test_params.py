"""How a handler takes its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, wraps
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from handrail.chat import NoParams
from handrail.errors import ContractError
from handrail.sdk.params import Taken, annotation_of, taken_by


class Note(BaseModel):
    """A note."""

    title: str


def kind(handler: Any, stated: Any = None) -> str:
    """How it takes them, in a word."""
    return taken_by(handler, "f", stated).kind


def faults(handler: Any, stated: Any = None) -> str:
    """Why it cannot be taken."""
    with pytest.raises(ContractError) as raised:
        taken_by(handler, "f", stated)
    return "; ".join(raised.value.faults)


def test_model_is_found_behind_a_string_annotation() -> None:
    """This module's annotations are all strings."""

    async def handler(ctx, params: Note): ...

    taken = taken_by(handler, "f")
    assert (taken.kind, taken.model, taken.whole) == ("model", Note, "params")


def test_model_of_a_function_is_found() -> None:
    """Local to the function that declares, as string and through a closure."""

    class Local(BaseModel):
        x: int

    def handler(ctx, params: Local): ...

    assert taken_by(handler, "f").model is Local


@pytest.mark.parametrize("hint", [Note, Annotated[Note, "x"], Note | None, "Note"])
def test_model_is_found_in_what_stands_for_it(hint: Any) -> None:
    """Annotated, optional, quoted."""

    def handler(c, anything): ...

    handler.__annotations__ = {"anything": hint}
    assert taken_by(handler, "f").model is Note


def test_name_of_the_first_parameter_is_free() -> None:
    """It is ctx whatever it is called."""

    def handler(context, /, given: Note): ...

    assert taken_by(handler, "f").model is Note


def test_methods_partials_and_wrapped_functions() -> None:
    """Whatever can be called."""

    class Handlers:
        async def create(self, ctx, params: Note): ...

        async def __call__(self, ctx, params: Note): ...

    def plain(extra, ctx, params: Note): ...

    @wraps(Handlers.create)
    def outer(*args, **kwargs): ...

    made = Handlers()
    assert taken_by(made.create, "f").model is Note
    assert taken_by(made, "f").model is Note
    assert taken_by(partial(plain, 1), "f").model is Note
    assert annotation_of(outer, "params", "f") is Note


def test_unresolvable_model_raises_at_declaration() -> None:
    """Never silently off."""

    def handler(ctx, params: Nowhere): ...  # noqa: F821  # that is the point

    assert faults(handler) == (
        "annotation 'Nowhere' of 'params' cannot be resolved: define the model at module scope, "
        "before the function"
    )

    def other(ctx, params: 1 / 0): ...  # type: ignore[valid-type]  # as above

    assert faults(other) == "annotation of 'params' cannot be resolved"


def test_no_parameters_are_the_sentinel() -> None:
    """NoParams by name, and a handler with ctx alone."""

    def named(ctx, params: NoParams): ...

    def alone(ctx): ...

    assert (kind(named), kind(alone)) == ("model", "nothing")
    assert taken_by(alone, "f").params is NoParams


def test_typed_parameters_are_judged_one_by_one() -> None:
    """A model is made of them."""

    def handler(ctx, title: str, pages: int = 1): ...

    taken = taken_by(handler, "f")
    assert taken.kind == "keywords"
    assert isinstance(taken.params, type)
    assert set(taken.params.model_fields) == {"title", "pages"}
    assert taken.model is None


def test_legacy_handlers() -> None:
    """Keywords, or one thing that nobody describes."""

    def keywords(ctx, **kwargs): ...

    def bare(ctx, params): ...

    def mapping(ctx, params: dict[str, Any]): ...

    def abstract(ctx, params: Mapping[str, Any]): ...

    assert [kind(one) for one in (keywords, bare, mapping, abstract)] == ["legacy"] * 4


def test_explicit_schema() -> None:
    """Full, flat, or a model given beside the handler."""

    def handler(ctx, to, cc=""): ...

    def whole(ctx, params): ...

    flat = {"to": {"type": "string"}, "cc": {"type": "string"}}
    taken = taken_by(handler, "f", flat)
    assert (taken.kind, taken.accepted) == ("schema", frozenset({"to", "cc"}))
    assert isinstance(taken.params, Mapping)
    assert taken.params["required"] == ["to"]
    assert taken_by(whole, "f", flat).whole == "params"
    assert taken_by(whole, "f", Note).model is Note


def test_explicit_schema_must_fit_the_handler() -> None:
    """Both ways; a model and a schema say the same twice."""

    def handler(ctx, to, other): ...

    def typed(ctx, params: Note): ...

    told = faults(handler, {"to": "str", "cc": "str"})
    assert told == (
        "the handler asks for 'other', which params does not have; "
        "the handler does not take 'cc', which params has"
    )
    assert "say the same twice" in faults(typed, {"title": "str"})
    assert "must be a JSON Schema" in faults(typed, [1])
    assert "goes with (ctx, params) only" in faults(handler, Note)


def test_handler_must_take_ctx_first() -> None:
    """A model in its place is named."""

    def nothing(): ...

    def keyword(*, ctx): ...

    def model(params: Note): ...

    assert faults(nothing) == faults(keyword) == "the handler must take ctx as its first parameter"

    def method(self, ctx, params: Note): ...

    assert "its first parameter is the model Note" in faults(model)
    assert "a method is declared on an object" in faults(method)
    assert faults(3) == "its signature cannot be read"


def called(handler: Any, given: dict[str, Any], stated: Any = None) -> Any:
    """What the handler gets."""
    taken: Taken = taken_by(handler, "f", stated)
    return taken.call(handler, "ctx", given)


def test_handlers_are_called_as_they_are_written() -> None:
    """Whole, by name only, field by field, and without what they do not take."""
    note = Note(title="a")
    whole = {"_params": note}

    def model(ctx, params: Note):
        return ctx, params

    def by_name(ctx, *, params: Note):
        return ctx, params

    def fields(ctx, **given):
        return ctx, given

    def legacy(ctx, params):
        return ctx, params

    def stated(ctx, to):
        return ctx, to

    assert called(model, whole) == called(by_name, whole) == ("ctx", note)
    assert called(fields, {"a": 1}) == called(legacy, {"a": 1}) == ("ctx", {"a": 1})
    schema = {"type": "object", "properties": {"to": {"type": "string"}}}
    assert called(stated, {"to": "x", "more": 1}, schema) == ("ctx", "x")


def test_return_annotation_is_resolved_by_itself() -> None:
    """A broken parameter does not hide it."""

    def handler(ctx, params: Nowhere) -> Note: ...  # noqa: F821  # as above

    assert annotation_of(handler, "return", "f") is Note
