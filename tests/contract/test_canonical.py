"""One spelling for every JSON value."""

import json
from types import MappingProxyType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.canonical import canonical, digest, normalise

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=6)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=5), st.randoms())
def test_order_and_spelling_do_not_matter(value: dict[str, Any], random: Any) -> None:
    """Another key order, or integral floats for integers, is the same value."""
    items = list(value.items())
    random.shuffle(items)
    assert canonical(dict(items)) == canonical(value)
    assert digest(normalise(value)) == digest(value)


@given(JSON)
def test_canonical_is_a_fixed_point(value: Any) -> None:
    """Reading the canonical bytes and writing them again gives the same bytes."""
    try:
        spelled = canonical(value).decode()
    except UnicodeDecodeError:  # lone surrogates
        return
    assert canonical(json.loads(spelled)) == spelled.encode()


def test_spelling() -> None:
    """Sorted keys, NFC, integers, compact, UTF-8."""
    value = {"b": 1.0, "a": "e\u0301", "c": [True, None, 0.5]}
    assert canonical(value) == '{"a":"é","b":1,"c":[true,null,0.5]}'.encode()
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_different_values_stay_different() -> None:
    """True is not 1, text is not a number, and keys that NFC would join are both kept."""
    different = [{"a": 1}, {"a": True}, {"a": "1"}, {"\u00e9": 1, "e\u0301": 2}, {"\u00e9": 2}]
    assert len({canonical(value) for value in different}) == len(different)


def test_normalise_keeps_what_it_need_not_change() -> None:
    """The same object comes back when there is no integral float."""
    value = {"a": [1, 1.5, "1.0"]}
    assert normalise(value) is value
    changed = normalise({"a": [2.0], "b": 1})
    assert (json.dumps(changed), value["a"]) == ('{"a": [2], "b": 1}', [1, 1.5, "1.0"])


def test_plain_texts_have_one_spelling_too() -> None:
    """What needs no look at its keys is still looked at for numbers and accents."""
    assert canonical({"b": 1.0, "a": 2e3}) == b'{"a":2000,"b":1}'
    assert canonical({"a": "e\u0301"}) == '{"a":"é"}'.encode()
    assert canonical(MappingProxyType({"b": 1, "a": "x"})) == b'{"a":"x","b":1}'


def test_keys_are_sorted_by_utf_16() -> None:
    """RFC 8785: an astral letter comes before U+FF5E, whose code point is smaller."""
    value = {"\uff5e": 1, "\U0001f600": 2}
    assert canonical(value) == '{"\U0001f600":2,"\uff5e":1}'.encode()


def test_lone_surrogates_have_a_spelling() -> None:
    """A model may send half of a pair, in a key or in a value."""
    assert canonical({"\ud800": "\udc00"}) == b'{"\xed\xa0\x80":"\xed\xb0\x80"}'
