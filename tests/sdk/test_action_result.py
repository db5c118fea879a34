"""What a handler returns."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail.chat import ActionResult
from handrail.ui import Card, Text, UINode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NODES = st.builds(
    UINode, st.text(), st.dictionaries(st.sampled_from("abc"), st.integers() | st.text())
)


class Note(BaseModel):
    """A note."""

    note_id: str


def test_success_has_the_keywords_of_the_seed() -> None:
    """data, summary, ui, refresh_panels."""
    node = Text("there")
    made = ActionResult.success({"a": 1}, "Done.", ui=node, refresh_panels=["sidebar"])
    assert (made.status, made.data, made.summary) == ("success", {"a": 1}, "Done.")
    assert (made.ui, made.refresh_panels, made.error) == (node, ["sidebar"], "")
    assert (made.retryable, made.code) == (False, None)


def test_error_makes_an_error_and_is_its_text() -> None:
    """One name for both, as the seed and its readers use it."""
    made = ActionResult.error("Folder not found.", retryable=True, code="FOLDER_NOT_FOUND")
    assert (made.status, made.error, made.retryable) == ("error", "Folder not found.", True)
    assert (made.code, made.data, made.summary) == ("FOLDER_NOT_FOUND", {}, "")
    assert ActionResult.error("Only words.").retryable is False


def test_data_may_be_left_out_or_be_a_model() -> None:
    """An empty object; the model's JSON."""
    assert ActionResult.success().data == {}
    assert ActionResult.success(Note(note_id="n1")).data == {"note_id": "n1"}


def test_defaults_are_not_shared() -> None:
    """Two results have two objects."""
    assert ActionResult.success().data is not ActionResult.success().data


@pytest.mark.parametrize("data", [[1], "text", 3])
def test_data_is_an_object(data: Any) -> None:
    """Nothing else has names for the steps that follow."""
    with pytest.raises(TypeError, match="data must be a mapping or a pydantic model"):
        ActionResult.success(data)


def test_refresh_panels_none_all_or_named() -> None:
    """None is all, an empty list none; one text would be read as letters."""
    assert ActionResult.success().refresh_panels is None
    assert ActionResult.success(refresh_panels=[]).refresh_panels == []
    with pytest.raises(TypeError, match=r"must be a list of names: \['sidebar'\]"):
        ActionResult.success(refresh_panels="sidebar")


@given(
    data=st.dictionaries(st.text(), JSON, max_size=3),
    summary=st.text(),
    ui=st.none() | NODES,
    panels=st.none() | st.lists(st.text(), max_size=3),
)
def test_success_survives_its_dictionary(
    data: dict[str, Any], summary: str, ui: UINode | None, panels: list[str] | None
) -> None:
    """to_dict and from_dict lose nothing."""
    made = ActionResult.success(data, summary, ui=ui, refresh_panels=panels)
    assert ActionResult.from_dict(made.to_dict()) == made


@given(error=st.text(), retryable=st.booleans(), code=st.none() | st.text())
def test_error_survives_its_dictionary(error: str, retryable: bool, code: str | None) -> None:
    """The same for errors."""
    made = ActionResult.error(error, retryable, code)
    assert ActionResult.from_dict(made.to_dict()) == made


def test_dictionary_has_every_field() -> None:
    """Nodes as JSON values."""
    made = ActionResult.success({"a": 1}, ui=Card(Text("x"), title="T"))
    assert made.to_dict() == {
        "status": "success", "data": {"a": 1}, "summary": "", "error": "", "retryable": False,
        "code": None, "refresh_panels": None,
        "ui": {"type": "Card", "props": {
            "title": "T", "children": [{"type": "Text", "props": {"text": "x"}}]}},
    }  # fmt: skip


@pytest.mark.parametrize("values", [{}, {"status": "ok"}, {"status": "success", "more": 1}])
def test_other_dictionaries_are_refused(values: dict[str, Any]) -> None:
    """A status that is none, or an unknown key."""
    with pytest.raises(ValueError):
        ActionResult.from_dict(values)


def test_result_is_frozen() -> None:
    """Whoever reads it later reads what was returned."""
    made = ActionResult.success({"a": 1})
    with pytest.raises(AttributeError, match="frozen"):
        made.summary = "other"
    with pytest.raises(AttributeError, match="frozen"):
        del made.summary


def test_result_shows_what_it_says() -> None:
    """Without what is empty."""
    assert repr(ActionResult.error("No.")) == "ActionResult(status='error', error='No.')"
    assert ActionResult.success() != "success"


def test_result_can_name_its_data() -> None:
    """ActionResult[T] is for annotations and makes the same values."""
    assert ActionResult[Note].success({"note_id": "n"}).data == {"note_id": "n"}
    assert ActionResult[Note].error("x").status == "error"
