"""Collects a streamed reply of any provider, so that it can be taken like a whole one."""

from handrail.wire.shapes import ReplyDict, Wire

__all__ = ["Collector"]


class Collector:
    """One streamed reply: feed every chunk, then hand the collector to ``take``.

    A stream that broke off is a reply with the finish reason ``interrupted``: its calls are
    answered as cut off, and never run.
    """

    __slots__ = ("_chunks", "_wire")

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._chunks = wire.chunks()

    def feed(self, chunk: object) -> None:
        """Take the next chunk: an object or dict of the provider.

        Raises:
            ValueError: It is not of this provider's stream.
        """
        self._chunks.feed(chunk)

    @property
    def finished(self) -> bool:
        """Whether the provider said that the reply is whole."""
        return self._chunks.finished

    def reply(self) -> ReplyDict:
        """The reply, as far as it came."""
        reply = self._wire.read_reply(self._chunks.whole())
        if not self._chunks.finished:
            reply["finish_reason"] = "interrupted"
        return reply
