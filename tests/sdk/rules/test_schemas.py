"""Rules about what a model and a provider get."""

from pathlib import Path

import pytest

from extensions import found, rules_of

PAGES = '    pages: int = Field(1, ge=1, description="Number of pages")\n'
PART = "class Part(BaseModel):\n    name: str\n\n\nclass Book(BaseModel):"


def pages(line: str) -> tuple[str, str]:
    """The model of a book with another last field."""
    return PAGES, f"    {line}\n"


BROKEN = [
    ("V40", [pages("pages: int = 1")]),
    ("V40", [pages('pages: int = Field(1, description="")')]),
    ("V40", [pages('parts: list[Part] = Field([], description="Parts")'),
             ("class Book(BaseModel):", PART)]),
    ("V43", [pages('notes: dict[str, str] = Field({}, description="Any notes")')]),
    ("V43", [pages('pages: list[int] = Field([], description="Pages", min_length=1, '
                   'json_schema_extra={"uniqueItems": True})')]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edits"), BROKEN)
def test_rule_finds_what_breaks_it(tmp_path: Path, rule: str, edits: list[tuple[str, str]]) -> None:
    """One edit, one rule."""
    assert rules_of(found(tmp_path, *edits)) == [rule]


@pytest.mark.parametrize(
    "line",
    [
        'pages: int | None = Field(None, description="Pages")',
        'kind: Literal["a", "b"] = Field("a", description="Kind")',
        'code: str = Field("a", pattern="^a$", description="Code")',
        'tags: list[str] = Field(default_factory=list, max_length=3, description="Tags")',
    ],
)
def test_rules_let_pass_what_is_just_right(tmp_path: Path, line: str) -> None:
    """Described, and enforced as it is written."""
    edit = ("from pydantic import", "from typing import Literal\n\nfrom pydantic import")
    assert found(tmp_path, pages(line), edit, strict=True) == []


def test_v40_names_the_whole_way(tmp_path: Path) -> None:
    """Through lists of models."""
    edits = [
        pages('parts: list[Part] = Field([], description="Parts")'),
        ("class Book(BaseModel):", PART),
    ]
    (issue,) = found(tmp_path, *edits)
    assert issue.message == "field /parts/name of add_book has no description"
