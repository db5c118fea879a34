"""Pointers in texts stay pointers, and can neither forge a line nor show a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.pointer import safe_pointer, safe_word, word_around


def test_pointers_are_not_taken_for_files() -> None:
    """The redactor cuts file paths; the places of fields stay whole."""
    assert safe_pointer("/home/user/address") == "/home/user/address"
    assert word_around("add /customer/address/city", 100, ["/customer/address/city"]) == (
        "add /customer/address/city"
    )


def test_files_beside_a_pointer_still_lose_their_root() -> None:
    """Only known pointers are left alone."""
    text = "/a/b/c: no file /home/ann/secret/plan.txt"
    assert word_around(text, 100, ["/a/b/c"]) == "/a/b/c: no file …/plan.txt"


def test_secrets_in_names_are_hidden() -> None:
    """A key of an object may be a credential."""
    key = "AKIAIOSFODNN7EXAMPLE"
    assert key not in safe_pointer(f"/keys/{key}/name")
    assert "hunter2" not in safe_pointer("/postgres:~1~1u:hunter2@db~1x")


def test_a_long_pointer_keeps_its_last_name() -> None:
    """The middle goes, the field's name stays."""
    short = safe_pointer("/" + "a" * 300 + "/b/qty")
    assert short.endswith(".../qty")
    assert len(short) <= 256


@given(st.text(), st.sampled_from([256, 32]))
def test_any_text_becomes_one_bounded_line(path: str, limit: int) -> None:
    """Whatever a key holds, the pointer is printable UTF-8 on one line."""
    shown = safe_pointer("/" + path, limit)
    assert len(shown) <= limit
    assert shown.encode().decode().splitlines() == [shown]


def test_words_are_the_same_the_second_time() -> None:
    """The memory of words changes nothing."""
    assert [safe_word("a\nb", 9), safe_word("a\nb", 9)] == ["a\\nb", "a\\nb"]


@pytest.mark.parametrize(
    "path", ["", "/a//b", "/a~0b c/~1x", "/a b~1c~1/0", "/" + "n" * 255, "/n/" + "n" * 253]
)
def test_harmless_pointers_stay_as_they_are(path: str) -> None:
    """Empty names and escaped ones too, up to the last character that fits."""
    assert safe_pointer(path) == path


def test_what_is_too_long_loses_its_middle() -> None:
    """The limit is used up; a last name of a third of it stays whole."""
    assert safe_pointer("/aaaaaaaaaaaaaaaaaaaaaaaaa/qty", 24) == "/aaaaaaaaaaaaaaaa.../qty"
    assert safe_pointer("/aaa/bbbbbbbbbbbbbbb/12345678", 24) == "/aaa/bbbbbbb.../12345678"
    assert safe_pointer("/aaa/bbbbbbbbbbbbbbb/123456789", 24) == "/aaa/bbbbbbb.../12345..."
    assert safe_pointer("/aaaaaaaaaaaaaaaaaaaaaaaaa", 24) == "/aaaaaaaaaaaaaaaaaaaa..."


def test_every_known_pointer_is_kept_the_longest_first() -> None:
    """A pointer may begin with another one."""
    known = ["/a/b/c", "/x/y/z", "/a/b/c /d/e/f", "/x/y/z /u/v/w"]
    text = "from /a/b/c /d/e/f to /x/y/z /u/v/w and /x/y/z of /home/ann/plan.txt"
    assert word_around(text, 100, known) == text.replace("/home/ann", "…")


def test_a_long_text_around_a_pointer_ends_at_the_limit() -> None:
    """Not before it."""
    text = f"{'long ' * 50} /a/b/c {'and more ' * 50}"
    assert word_around(text, 400, ["/a/b/c"]) == f"{text[:397]}..."


def test_words_need_not_be_short_texts() -> None:
    """Numbers and long texts are words as well."""
    assert safe_word(12, 9) == "12"
    assert safe_word("a" * 400, 9) == "aaaaaa..."
