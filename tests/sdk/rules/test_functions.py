"""Rules about declarations of functions: each breaks one rule of the good extension."""

from pathlib import Path

import pytest

from extensions import GOOD, edited, found, loaded, rules_of
from handrail.sdk.rules.functions import VERBS
from handrail.sdk.rules.table import validate

LIST = 'async def list_books(ctx, params: NoParams) -> ActionResult:\n    """Give all books."""\n'
DESCRIPTION = "List every book of the shelf."
LOCAL = '''
def made():
    class Inner(BaseModel):
        """Inside."""

    @chat.function("look_inside", description="Look inside of the cupboard.")
    async def look_inside(ctx, params: Inner) -> ActionResult:
        """Look."""
        return ActionResult.success()


made()
'''


def listing(head: str) -> tuple[str, str]:
    """The first function with another head."""
    return LIST, f'async def list_books{head}:\n    """Give all books."""\n'


BROKEN = [
    ("V5", ("async def count_books(ctx, params: NoParams) -> ActionResult:",
            "async def count_books(ctx, params: NoParams):")),
    ("V10", ('    event="added",\n', "")),
    ("V10", ('    event="dropped",\n', '    event="",\n')),
    ("V16", (DESCRIPTION, "List books.")),
    ("V16", (DESCRIPTION, "x" * 19)),
    ("V17", listing("(ctx) -> ActionResult")),
    ("V17", listing("(ctx, **kwargs) -> ActionResult")),
    ("V17", listing("(ctx, params) -> ActionResult")),
    ("V17", listing("(ctx, params: dict) -> ActionResult")),
    ("V17", ("\n\n@ext.health_check", LOCAL + "\n\n@ext.health_check")),
    ("V18", listing("(ctx, params: NoParams)")),
    ("V18", listing("(ctx, params: NoParams) -> dict")),
    ("V18", listing('(ctx, params: NoParams) -> "Nowhere"')),
    ("V19", ('    event="added",\n', '    event="added",\n    chain_callable=False,\n')),
    ("V20", ('    effects=["create:book"],\n', "")),
    ("V20", ('    effects=["delete:book"],\n', "    effects=[],\n")),
    ("V34", ('scopes=["books"], ', "")),
    ("V34", ('scopes=["books"]', 'scopes=["books", "shelves"]')),
    ("V41", ('effects=["create:book"]', 'effects=["make:book"]')),
    ("V41", ('effects=["create:book"]', 'effects=["create"]')),
    ("V41", ('effects=["create:book"]', 'effects=["create:Book"]')),
    ("V42", ('id_projection="book_id"', 'id_projection="shelf_id"')),
]  # fmt: skip
FINE = [
    (DESCRIPTION, "Lists twenty letters"),
    listing("(ctx, params: NoParams) -> ActionResult[Book]"),
    listing('(ctx, params: "NoParams") -> "ActionResult"'),
    ('    event="added",\n', '    event="added",\n    chain_callable=True,\n'),
    ('effects=["create:book"]', 'effects=["create:book", "update:shelf-list"]'),
    ('    id_projection="book_id",\n', ""),
    ('action_type="read")', 'action_type="read", chain_callable=False)'),
]


@pytest.mark.parametrize(("rule", "edit"), BROKEN)
def test_rule_finds_what_breaks_it(tmp_path: Path, rule: str, edit: tuple[str, str]) -> None:
    """One edit, one rule."""
    assert rules_of(found(tmp_path, edit)) == [rule]


@pytest.mark.parametrize("edit", FINE)
def test_rules_let_pass_what_is_just_right(tmp_path: Path, edit: tuple[str, str]) -> None:
    """The nearest thing that is allowed."""
    assert found(tmp_path, edit, strict=True) == []


@pytest.mark.parametrize("verb", VERBS)
def test_v41_knows_the_verbs_of_the_seed(tmp_path: Path, verb: str) -> None:
    """Seven of them."""
    assert found(tmp_path, ('"create:book"', f'"{verb}:book"')) == []


def test_v4_action_type_does_not_stop_the_import(tmp_path: Path) -> None:
    """A wrong one is a finding, and the function's other findings stand beside it."""
    edit = ('action_type="destructive"', 'action_type="remove"')
    issues = found(tmp_path, edit, ("Remove a book for good.", "Remove."))
    assert rules_of(issues) == ["V4", "V16"]
    assert "'remove', not read, write, destructive" in issues[0].message


def test_v6_schema_by_hand(tmp_path: Path) -> None:
    """Allowed, judged, and worth a warning."""
    schema = 'params={"shelf": {"type": "string", "description": "Its name"}}'
    issues = found(
        tmp_path,
        ('action_type="read")', f'action_type="read", {schema})'),
        listing("(ctx, shelf) -> ActionResult"),
    )
    assert [(one.rule, one.level) for one in issues] == [("V6", "WARN")]


def test_v17_typed_parameters_are_no_model(tmp_path: Path) -> None:
    """They are judged, and reported; nobody described the field either."""
    issues = found(tmp_path, listing("(ctx, shelf: str) -> ActionResult"))
    assert rules_of(issues) == ["V17", "V40"]
    assert "one by one" in issues[0].message


def test_v19_holds_where_actions_are_explicit(tmp_path: Path) -> None:
    """An app that says otherwise may keep a write out of chains."""
    edits = [
        ('    event="added",\n', '    event="added",\n    chain_callable=False,\n'),
        ('icon="icon.svg",', 'icon="icon.svg", actions_explicit=False,'),
    ]
    assert found(tmp_path, *edits) == []


def test_v42_takes_a_field_inside_a_container(tmp_path: Path) -> None:
    """The container must exist."""
    assert found(tmp_path, ('id_projection="book_id"', 'id_projection="book_id.0"')) == []


def test_v46_every_refusal_is_told(tmp_path: Path) -> None:
    """A duplicate name and an unknown keyword, at once; nothing is raised."""
    more = GOOD[GOOD.index('@chat.function("list_books"') : GOOD.index('@chat.function(\n    "add')]
    source = edited(("id_projection=", "id_projektion="), source=GOOD) + "\n\n" + more
    issues = validate(loaded(tmp_path, source))
    told = [one.message for one in issues if one.rule == "V46"]
    assert len(told) == 2
    assert told[0].startswith("drop_book: 'id_projektion' is no contract keyword")
    assert told[1] == "list_books: there is a function named 'list_books' already"


def test_v46_unresolvable_model(tmp_path: Path) -> None:
    """An annotation that names nothing is a refusal, never silence."""
    issues = found(tmp_path, listing('(ctx, params: "Nowhere") -> ActionResult'))
    assert rules_of(issues) == ["V46"]
    assert "annotation 'Nowhere' of 'params' cannot be resolved" in issues[0].message
