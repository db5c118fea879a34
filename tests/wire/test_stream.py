"""The collector of any provider's stream."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.registry import PROVIDERS
from handrail.wire.stream import Collector
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

WORDS = st.text(min_size=1, max_size=12)
ARGUMENTS = st.sampled_from(["{}", '{"q": 1}', '{"q": "a\\nb", "r": [null, {"s": "é"}]}'])
NAMES = st.sampled_from(["look", "find"])


def collected(provider, parts):
    """The collector after these chunks."""
    collector = Collector(PROVIDERS[provider])
    for part in parts:
        collector.feed(part)
    return collector


@settings(max_examples=60)
@given(
    st.sampled_from(PROVIDER_NAMES),
    WORDS | st.just(""),
    st.lists(st.tuples(NAMES, ARGUMENTS), max_size=3),
    st.integers(1, 9),
)
def test_a_stream_is_the_whole_reply(provider, text, called, size):
    """However it is cut: what is written back is the same."""
    text = "" if provider == "mcp" or not text.strip() else text
    called = called or [("look", "{}")]
    calls = tuple((f"id_{n}", name, given) for n, (name, given) in enumerate(called))
    said = Said(calls, text)
    wire = PROVIDERS[provider]
    collector = collected(provider, chunks(provider, said, size))
    results = [
        {"call_id": call_id, "name": name, "content": "x", "is_error": False}
        for call_id, name, _ in calls
    ]
    reply = wire.read_reply(whole(provider, said))
    assert collector.finished
    assert wire.write(collector.reply(), results) == wire.write(reply, results)


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_a_stream_that_breaks_off_is_interrupted(provider):
    """Before every chunk but the last ones: the finish reason says so."""
    parts = chunks(provider, Said((("id_1", "look", '{"q": "a long one"}'),)), 5)
    closing = {"openai": 2, "anthropic": 2, "bedrock": 2}.get(provider, 1)
    for end in range(len(parts) - closing + 1):
        collector = collected(provider, parts[:end])
        assert not collector.finished
        assert collector.reply()["finish_reason"] == "interrupted"


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_a_chunk_of_nothing_is_refused(provider):
    """By the stream of every provider."""
    with pytest.raises(ValueError, match="expected"):
        Collector(PROVIDERS[provider]).feed({"x": 1})
