"""Words filled into the table's texts."""

import pytest

from handrail import Issue, Tool, ToolError
from handrail.contract.cut import Cut
from handrail.contract.output_texts import (
    cut_words,
    first_sentence,
    issue_lines,
    more_words,
    row_text,
    said_words,
    stated_text,
    wait_words,
    words_of,
)
from handrail.contract.paging import More


def search(query: str, page_size: int = 10) -> object:
    """Search."""
    return query * page_size


TOOL = Tool.from_function(search)


def test_the_way_out_names_what_is_there() -> None:
    """Other tools of the group; where none is left, only the user; else both."""
    assert words_of(TOOL, None)["otherwise"] == "use another tool or tell the user"
    assert words_of(TOOL, [])["otherwise"] == "tell the user"
    assert (
        words_of(TOOL, ["a", "b"])["otherwise"]
        == "use another tool, such as a or b, or tell the user"
    )
    assert words_of(TOOL, ["a", "b", "c", "d"]) == {
        "tool": "search",
        "otherwise": "use another tool, such as a or b or c, or tell the user",
        "lookup": "look with a tool that reads whether it was done, or tell the user",
    }
    assert words_of(TOOL, [])["lookup"] == "tell the user"


def test_a_word_that_nobody_gave_is_nothing() -> None:
    """A text is never left with a brace in it."""
    text = row_text("internal", words_of(TOOL, None))
    assert text.startswith("The tool search failed inside. The arguments were accepted")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "in a moment"),
        (0.0, "in a moment"),
        (1.0, "after 1 second"),
        (2.5, "after 2.5 seconds"),
    ],
)
def test_a_wait_in_words(seconds: float | None, words: str) -> None:
    """With its unit."""
    assert wait_words(seconds) == words


def test_a_cut_names_place_limit_and_the_argument_that_makes_it_less() -> None:
    """By the tool's own name for the size of a page."""
    words = cut_words(Cut("/orders/0/total", 4000, 4000), TOOL)
    assert words == {
        "after": "after 4000 characters (a usual limit is 4000)",
        "inside": ", inside /orders/0/total",
        "less": "a smaller page_size, a narrower filter or fewer fields",
    }
    assert cut_words(Cut("", 12, None), TOOL) == {
        "after": "after 12 characters",
        "inside": "",
        "less": "a smaller page_size, a narrower filter or fewer fields",
    }


def test_a_tool_without_a_size_is_asked_for_a_smaller_page() -> None:
    """The first name of a size counts, whatever the order of the fields."""

    def plain(query: str) -> str:
        """Search."""
        return query

    def both(count: int, limit: int) -> int:
        """Search."""
        return count + limit

    cut = Cut("/a", 1, 0)
    assert cut_words(cut, Tool.from_function(plain))["less"] == (
        "a smaller page, a narrower filter or fewer fields"
    )
    assert cut_words(cut, Tool.from_function(plain))["after"] == (
        "after 1 characters (a usual limit is 0)"
    )
    assert cut_words(cut, Tool.from_function(both))["less"] == (
        "a smaller limit, a narrower filter or fewer fields"
    )


def test_issues_of_one_cause_are_one_line() -> None:
    """Ten lines at most, the others counted."""
    same = [Issue("x", f"/rows/{n}/a", "Required field 'a' is missing") for n in range(30)]
    assert issue_lines(same) == "- /rows/*/a (30 places): Required field 'a' is missing"
    many = [Issue("x", f"/f{chr(97 + n)}", f"m{n}", expected="text", actual="3") for n in range(13)]
    lines = issue_lines(many).splitlines()
    assert (len(lines), lines[-1]) == (11, "- and 3 more")
    assert lines[0] == "- /fa: m0 (expected: text), got 3"
    assert lines[9] == "- /fj: m9 (expected: text), got 3"
    assert issue_lines(many[:10]).count("\n") == 9


def test_what_the_message_says_is_not_said_again() -> None:
    """Listed options, a value; the root has a name."""
    listed = Issue("x", "", "no (allowed: a, b)", expected="one of: a, b", actual='"c"')
    assert issue_lines([listed]) == '- (root): no (allowed: a, b), got "c"'
    told = Issue("x", "/a", "c is not a date", expected="date", actual='"c"')
    assert issue_lines([told]) == "- /a: c is not a date (expected: date)"


def test_how_much_is_here() -> None:
    """Rows of a total, rows alone, or nothing."""
    assert more_words(More(shown=3, total=47), TOOL, None)["count"] == ": 3 of 47 rows"
    assert more_words(More(shown=1), TOOL, None)["count"] == ": 1 row here"
    assert more_words(More(shown=0), TOOL, None)["count"] == ": 0 rows here"
    assert more_words(More(shown=3, total=3), TOOL, None)["count"] == ": 3 rows here"
    assert more_words(More(shown=3, total=2), TOOL, None)["count"] == ": 3 rows here"
    assert more_words(More(total=3), TOOL, None) == {
        "count": "",
        "further": ("Use what is here; for the rest, ask for less at once or narrow the request."),
    }
    assert more_words(None, TOOL, None)["count"] == ""
    further = more_words(None, TOOL, {"query": "\u00e9", "page": 2})["further"]
    assert further == 'To go on, call search with exactly: {"query": "\u00e9", "page": 2}'


def test_an_authors_words_stand_in_the_frame_of_their_class() -> None:
    """Detail, then hint; the usual advice where there is no hint."""
    words = words_of(TOOL, None)
    own = ToolError("semantic_garbage", "x", "page 1 is empty.", "Try a broader range")
    assert stated_text(own, words, "semantic_garbage", "") == (
        "The result of search does not make sense: page 1 is empty. Try a broader range."
    )
    for hint in ("Wait.", "Wait!", "Wait?"):
        asked = stated_text(ToolError("transient", "x", "no", hint), words, "transient", "")
        assert asked.endswith(f" {hint}")
    long = stated_text(ToolError("transient", "x", "d" * 600, "h" * 600), words, "transient", "")
    assert "d" * 490 in long
    assert "d" * 501 not in long
    assert "h" * 490 in long
    assert "h" * 501 not in long
    bare = ToolError("transient", "x")
    assert stated_text(bare, words, "transient", "after 2 seconds") == (
        "The tool search cannot do it at present. You may call it again after 2 seconds, unchanged."
    )


def test_small_parts() -> None:
    """A colon before what was said; the first sentence of a text."""
    assert said_words("no stock. ") == ": no stock."
    assert said_words("which one?") == ": which one?"
    assert said_words("no!\n") == ": no!"
    assert said_words("") == "."
    assert first_sentence("One. Two.\nThree") == "One."
    assert first_sentence("One") == "One."
