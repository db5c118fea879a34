"""Which field holds the id of the target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from handrail.chain import resolve_id_field
from handrail.errors import ContractError


def params(*fields: str) -> type[BaseModel]:
    """A model with text fields of these names."""
    return create_model("Params", **dict.fromkeys(fields, (str, ...)))  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("function", "fields", "expected"),
    [
        ("delete_note", ["note_id"], "note_id"),
        ("complete_task", ["project_id", "task_id"], "task_id"),
        ("delete_notes", ["folder_id", "note_id"], "note_id"),
        ("delete_notes_from_folder", ["folder_id", "permanent"], "folder_id"),
        ("permanent_delete_note", ["note_id", "user_id"], "note_id"),
        ("toggle_checklist_item", ["task_id", "position"], "task_id"),
        ("close_categories", ["category_id", "other_id"], "category_id"),
        ("empty_boxes", ["box_id", "other_id"], "box_id"),
        ("get_address", ["address_id", "addres_id"], "address_id"),
        ("create_task", ["title", "project_id"], "project_id"),
        ("show", ["id", "title"], "id"),
    ],
)
def test_field_that_exists_is_found(function: str, fields: list[str], expected: str) -> None:
    """Name without its verb, then a single noun of it, then the only id."""
    assert resolve_id_field(function, params(*fields)) == expected


@pytest.mark.parametrize("declared", ["project_id", "note_ids", "target.id", "absent"])
def test_declared_projection_always_wins(declared: str) -> None:
    """A container too; whether it exists is V42's business."""
    assert resolve_id_field("delete_note", params("note_id"), declared) == declared


@pytest.mark.parametrize(
    ("function", "fields", "told"),
    [
        ("move_note_to_folder", ["note_id", "folder_id"], "candidates are note_id, folder_id"),
        ("merge", ["left_id", "right_id"], "candidates are left_id, right_id"),
        ("delete_note", ["title"], "no field ends in _id, there is title"),
        ("empty_trash", [], "there is no field at all"),
    ],
)
def test_unclear_target_is_an_error_that_names_the_candidates(
    function: str, fields: list[str], told: str
) -> None:
    """Never a placeholder."""
    with pytest.raises(ContractError) as raised:
        resolve_id_field(function, params(*fields))
    assert told in str(raised.value)
    assert 'declare id_projection="..."' in str(raised.value)


def test_published_names_count() -> None:
    """A field with an alias is called as the model calls it; a JSON Schema does too."""

    class Aliased(BaseModel):
        identity: str = Field(alias="note_id")

    assert resolve_id_field("delete_note", Aliased) == "note_id"
    assert resolve_id_field("delete_note", {"properties": {"note_id": {}}}) == "note_id"
    with pytest.raises(ContractError):
        resolve_id_field("delete_note", None)


WORDS = st.sampled_from(["note", "notes", "task", "folder", "delete", "list", "boxes", "id"])


@given(
    st.lists(WORDS, min_size=1, max_size=4).map("_".join),
    st.lists(
        st.sampled_from(["note_id", "task_id", "folder_id", "box_id", "id", "x"]), unique=True
    ),
)
def test_law_what_is_found_exists(function: str, fields: list[str]) -> None:
    """Either a field of the model, or an error."""
    try:
        found = resolve_id_field(function, params(*fields))
    except ContractError:
        return
    assert found in fields
