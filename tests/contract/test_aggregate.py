"""Issues are deduplicated, grouped, sorted and capped as the contract says."""

from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.aggregate import aggregate, in_order, tame
from handrail.contract.issue import Issue, Severity, Suggestion
from operations import operations


def missing(path: str, **fields: object) -> Issue:
    return Issue("VAL-001", path, "m", **fields)  # type: ignore[arg-type]  # a short hand


def paths(issues: list[Issue], limit: int = 20) -> list[str]:
    return [item.issue.path for item in aggregate(issues, limit).items]


def test_same_path_and_code_count_once() -> None:
    """FR-032: identical errors are one."""
    found = aggregate([missing("/a"), missing("/a"), Issue("VAL-002", "/a", "m")])
    assert [item.issue.code for item in found.items] == ["VAL-001", "VAL-002"]
    assert found.hidden == 0


def test_the_more_severe_of_two_is_kept() -> None:
    """A warning does not hide an error at the same place."""
    found = aggregate([missing("/a", severity=Severity.WARNING), missing("/a")])
    assert [item.issue.severity for item in found.items] == [Severity.ERROR]


def test_texts_of_two_checks_are_both_kept() -> None:
    """A check's own text is never dropped, even at the same path."""
    found = aggregate([Issue("VAL-015", "", "one"), Issue("VAL-015", "", "two")])
    assert [item.issue.message for item in found.items] == ["one", "two"]


def test_order_is_severity_path_code() -> None:
    """FR-033, FR-034: errors first, then by path with array positions as numbers."""
    issues = [
        missing("/w", severity=Severity.WARNING),
        missing("/a/10/x"),
        missing("/a/2/y"),
        missing("/a-b"),
        missing("/a/b"),
        Issue("VAL-002", "/a/b", "m"),
    ]
    assert paths(issues) == ["/a/2/y", "/a/10/x", "/a/b", "/a/b", "/a-b", "/w"]


def test_one_cause_in_many_places_is_one_item() -> None:
    """Thirty errors that differ in their position only are shown once."""
    issues = [
        missing(f"/items/{at}/qty", expected="integer", hint=f"add /items/{at}/qty (integer)")
        for at in reversed(range(30))
    ]
    (item,) = aggregate(issues).items
    assert item.issue.path == "/items/*/qty"
    assert item.places[:3] == ("/items/0/qty", "/items/1/qty", "/items/2/qty")
    assert item.places[-1] == "/items/29/qty"
    assert item.issue.hint == "add /items/*/qty (integer)"


def test_only_positions_that_differ_become_stars() -> None:
    """A position that all members share stays a number."""
    issues = [missing(f"/rows/3/cells/{at}") for at in range(12)]
    assert paths(issues) == ["/rows/3/cells/*"]


def test_other_expectation_or_name_is_another_item() -> None:
    """Pinned: same code, rest of path and expectation."""
    issues = [missing("/a/0/x", expected="string"), missing("/a/1/x", expected="integer")]
    assert paths([*issues, missing("/a/2/y", expected="string")]) == ["/a/0/x", "/a/1/x", "/a/2/y"]


def test_keys_of_objects_are_no_positions() -> None:
    """With the arguments at hand, a numeric key is told from an index."""
    issues = [missing("/by_id/1/name"), missing("/by_id/2/name")]
    found = aggregate(issues, given={"by_id": {"1": {}, "2": {}}})
    assert [item.issue.path for item in found.items] == ["/by_id/1/name", "/by_id/2/name"]
    assert len(aggregate(issues, given={"by_id": [{}, {}, {}]}).items) == 1


def test_differing_hints_and_previews_of_a_group_are_not_pretended_equal() -> None:
    """The first preview stands for others visibly; a hint for one place is not given for all."""
    issues = [
        Issue("VAL-008", f"/a/{at}", "m", actual=f'"{at}"', hint=f"Set /a/{at} to {at}.")
        for at in range(2)
    ]
    (item,) = aggregate(issues).items
    assert (item.issue.actual, item.issue.hint) == ('"0", ...', None)


def test_hidden_counts_unique_items() -> None:
    """FR-035: duplicates do not count among those that are not shown."""
    issues = [missing(f"/f{at:02}") for at in range(25)] * 3
    found = aggregate(issues, 10)
    assert (len(found.items), found.hidden) == (10, 15)


ISSUES = st.builds(
    Issue,
    st.sampled_from(["VAL-001", "VAL-002", "VAL-015"]),
    st.lists(st.sampled_from(["a", "b", "0", "2", "10", "*"]), max_size=4).map(
        lambda parts: "".join(f"/{part}" for part in parts)
    ),
    st.sampled_from(["m", "n"]),
    st.sampled_from(list(Severity)),
    expected=st.sampled_from([None, "string"]),
)


@given(st.lists(ISSUES, max_size=30), st.randoms(use_true_random=False))
def test_nothing_is_lost_and_order_does_not_matter(issues: list[Issue], random: object) -> None:
    """Every unique path and code is in exactly one item, whatever the order of arrival."""
    found = aggregate(issues, 1000)
    members = [(each.path, each.code) for item in found.items for each in item.members]
    assert {*members} == {(each.path, each.code) for each in issues}
    own = [code for _, code in members if code == "VAL-015"]
    assert len({*members}) + len(own) >= len(members) >= len({*members})
    again = [(item.issue.path, item.places) for item in aggregate(issues[::-1], 1000).items]
    assert sorted(again) == sorted((item.issue.path, item.places) for item in found.items)


@pytest.mark.parametrize(
    ("limit", "items", "hidden"), [(2, 2, 1), (0, 0, 3), (-1, 0, 3), (9, 3, 0)]
)
@pytest.mark.parametrize("place", ["/f{}/x", "/f/{}"])
def test_the_first_causes_are_kept(place: str, limit: int, items: int, hidden: int) -> None:
    """Of issues that stand alone, and of groups; afterwards as well as at once."""
    issues = [Issue(f"VAL-00{at}", place.format(at), "m") for at in range(1, 4)]
    found = aggregate(issues, limit)
    assert (len(found.items), found.hidden) == (items, hidden)
    assert [item.issue for item in found.items] == issues[:items]
    whole = aggregate(issues)
    if limit >= 0:
        assert whole.first(limit) == found
    assert (whole.first(3) is whole, aggregate([]).items) == (True, ())


def test_a_single_issue_is_its_only_member() -> None:
    """It has no places, and is given as it is."""
    for issue in (missing("/a"), missing("/a/0")):
        (item,) = aggregate([issue]).items
        assert (item.issue, item.places, item.members) == (issue, (), (issue,))
        assert item.issue is issue


def test_issues_in_order() -> None:
    """As they are shown: severity, path with numbers as numbers, code."""
    issues = [
        Issue("VAL-002", "/a/b", "m"),
        missing("/a/10"),
        missing("/b", severity=Severity.INFO),
        missing("/b", severity=Severity.WARNING),
        missing("/a/b"),
        missing("/a-b"),
        missing("/a/2"),
    ]
    order = [6, 1, 4, 0, 5, 3, 2]
    assert list(in_order(issues)) == [issues[at] for at in order]
    plain = [issues[at] for at in (0, 2, 3, 4, 5)]
    assert list(in_order(plain)) == [plain[at] for at in (3, 0, 4, 2, 1)]
    assert in_order(issues[:1]) == issues[:1]
    once = [item.issue for item in aggregate(plain).items]
    assert once == list(in_order(plain))[:-1]


def test_order_within_a_group() -> None:
    """By number, in each of its positions."""
    one = [missing(f"/a/{at}") for at in (10, 9, 100)]
    two = [missing(f"/a/{at}/b/{by}") for at, by in ((10, 1), (9, 20), (9, 3))]
    (single,) = aggregate(one).items
    (double,) = aggregate(two).items
    assert single.places == ("/a/9", "/a/10", "/a/100")
    assert double.places == ("/a/9/b/3", "/a/9/b/20", "/a/10/b/1")
    assert (single.issue.path, double.issue.path) == ("/a/*", "/a/*/b/*")
    assert single.members == (one[1], one[0], one[2])


def test_a_hint_for_all_is_said_once() -> None:
    """Where it names each place or none; else it is left out."""
    named = [missing(f"/a/{at}", hint=f"add /a/{at} now") for at in range(2)]
    same = [missing(f"/a/{at}", hint="say it") for at in range(2)]
    other = [missing(f"/a/{at}", hint=f"say {at}") for at in range(2)]
    tail = [missing(f"/a/{at}", hint=f"add /a/{at} {at}") for at in range(2)]
    none = [missing(f"/a/{at}") for at in range(2)]
    hints = [aggregate(each).items[0].issue.hint for each in (named, same, other, tail, none)]
    assert hints == ["add /a/* now", "say it", None, None, None]


def test_what_tells_causes_apart() -> None:
    """Severity, code, expectation; of an author's own words the message too."""
    first, *others = [
        missing("/a/0"),
        missing("/a/1", severity=Severity.WARNING),
        Issue("VAL-002", "/a/1", "m"),
        missing("/a/1", expected="x"),
    ]
    for other in others:
        assert len(aggregate([first, other]).items) == 2
    own = [Issue("VAL-013", f"/a/{at}", text) for at, text in enumerate(["one", "one", "two"])]
    assert [len(item.members) for item in aggregate(own).items] == [2, 1]
    assert len(aggregate([missing("/a/0"), Issue("VAL-001", "/a/1", "other")]).items) == 1


class Unreadable:
    """No field of it can be read."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError


def test_an_issue_is_tamed_field_by_field() -> None:
    """What is right stays; what is not becomes text, or what stands for nothing."""
    issue = missing("/a", severity=Severity.INFO, expected="e", actual="b", hint="h")
    assert tame(issue) == issue
    odd = SimpleNamespace(code=7, path=8, message=9, severity="WARNING", slug=1, hint=Unreadable())
    assert tame(odd) == Issue("7", "8", "9", Severity.WARNING, "1", hint="[unreadable]")
    blank = Issue("VAL-015", "", "", Severity.ERROR, "semantic")
    assert tame(None) == tame(Unreadable()) == tame(SimpleNamespace(severity="loud")) == blank
    edit = Suggestion(({"op": "remove", "path": "/a"},))
    assert tame(SimpleNamespace(suggestion=edit)).suggestion is edit
    assert tame(SimpleNamespace(suggestion="no")).suggestion is None


def test_malformed_issues_are_tamed() -> None:
    """NFR-005: no field of an issue can make aggregation fail."""
    broken = Issue(["x"], 5, None, "loud", "slug", {}, [], b"", "no")  # type: ignore[arg-type]
    found = aggregate([broken, missing("/a")])
    assert len(found.items) == 2
    assert tame(None).path == ""


def test_the_work_grows_with_the_issues() -> None:
    """NFR-002: one cause in many places, and many causes; the microseconds are in bench/."""
    for alike in (True, False):
        done = []
        for count in (100, 400):
            places = [f"/items/{at}/qty" if alike else f"/field_{at}" for at in range(count)]
            issues = [missing(place, expected="integer") for place in places]
            done.append(operations(partial(aggregate, issues)))
        assert done[0] < 10_000
        assert done[1] <= 5 * done[0]
