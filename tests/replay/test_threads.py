"""Conversations across the rows of a log."""

from typing import Any

from handrail.replay import threads as module
from handrail.replay.records import Answered, Place, Recorded
from handrail.replay.threads import Execution, History, Thread, Threads
from handrail.wire.shapes import Event

HERE, THERE = Place("log.jsonl", 1), Place("log.jsonl", 2)


def call(arguments: object = '{"a": 1}', **fields: Any) -> Recorded:  # Any: of Recorded
    """A call of ``find``."""
    return Recorded(place=HERE, tool="find", arguments=arguments, **fields)  # type: ignore[arg-type]  # logs hold anything


def history(call_id: str, first: bytes = b"f", arguments: str = '{"a":1}') -> History:
    """A request that repeats one call and its result."""
    sent: Event = ("call", {"id": call_id, "name": "find", "arguments": arguments})
    got: Event = ("result", {"call_id": call_id, "name": "", "content": "r", "is_error": False})
    return History([sent, got], first, 3)


def ran(**fields: Any) -> Execution:  # Any: of Recorded
    """An execution of ``find`` in the trace ``t``."""
    done: dict[str, Any] = {"result": "r", "error": False, **fields}  # Any: of Recorded
    return Execution(trace="t", call=call({"a": 1}, **done))


def test_history_tells_the_conversation_and_the_result() -> None:
    """Arguments may be spelt otherwise there; the result is told once."""
    threads = Threads()
    first = threads.thread(HERE, History(first=b"f", length=1))
    threads.add(first, call(), "call_Xy7")
    second = threads.thread(THERE, history("call_Xy7"))
    assert (second.conversation, second.turn) == (first.conversation, 3) == (str(HERE), 3)
    assert second.answers == [
        Answered(place=THERE, call_id="call_Xy7", conversation=str(HERE), result="r", failed=None)
    ]
    assert threads.thread(THERE, history("call_Xy7")).answers == []


def test_calls_without_ids_are_told_by_the_first_message() -> None:
    """An id that was minted here is no proof."""
    threads = Threads()
    threads.add(threads.thread(HERE, History(first=b"f", length=1)), call(), "call_1")
    other, same = history("call_1", first=b"g"), history("call_1", first=b"f")
    assert threads.thread(THERE, other).conversation == str(THERE)
    assert threads.thread(THERE, same).conversation == str(HERE)


def test_other_arguments_are_another_call() -> None:
    """Ids repeat on some servers."""
    threads = Threads()
    threads.add(threads.thread(HERE, History()), call(), "call_Xy7")
    assert threads.thread(THERE, history("call_Xy7", arguments="{}")).answers == []


def test_minted_ids_are_made_unique() -> None:
    """They begin anew in every reply."""
    threads = Threads()
    made = [threads.add(Thread("c", turn), call(), "call_1").call_id for turn in (1, 3)]
    assert made == ["call_1@1", "call_1@3"]


def test_reply_that_a_request_goes_on_from() -> None:
    """OpenAI keeps the history and takes an id."""
    threads = Threads()
    threads.replied(Thread("c"), "resp_1")
    assert threads.thread(HERE, History(), after="resp_1").conversation == "c"


def test_conversations_on_one_line_have_names_of_their_own() -> None:
    """The line alone would not tell them apart."""
    threads = Threads()
    names = [threads.begun(place) for place in (HERE, HERE, THERE)]
    assert names == ["log.jsonl:1", "log.jsonl:1#2", "log.jsonl:2"]


def test_execution_answers_its_call() -> None:
    """By its id, or by name and arguments where there is none."""
    for sent_id, done in (("call_Xy7", ran(call_id="call_Xy7")), ("call_1", ran())):
        threads = Threads()
        threads.add(Thread("c", 1, "t"), call(), sent_id)
        (found,) = threads.executed(done)
        assert isinstance(found, Answered)
        assert (found.result, found.failed, found.conversation) == ("r", False, "c")
        assert list(threads.executed(done)) == []


def test_execution_may_come_before_its_call() -> None:
    """Some exports have the newest first."""
    threads = Threads()
    assert list(threads.executed(ran(call_id="call_Xy7"))) == []
    read = threads.add(Thread("c", 1, "t"), call(), "call_Xy7")
    assert (read.result, read.failed) == ("r", False)
    assert list(threads.rest()) == []


def test_execution_of_another_call_is_held_and_left_out() -> None:
    """Its trace has a reply, so that it would be counted twice."""
    threads = Threads()
    threads.add(Thread("c", 1, "t"), call(), "call_Xy7")
    assert list(threads.executed(ran(call_id="call_Zz9"))) == []
    assert list(threads.rest()) == []


def test_execution_without_a_reply_is_a_call() -> None:
    """Where the texts of the model were not recorded, or the log holds tools only."""
    threads = Threads()
    assert list(threads.executed(ran(call_id="call_Xy7"))) == []
    (found,) = threads.rest()
    assert (found.tool, found.arguments, found.result) == ("find", {"a": 1}, "r")
    assert list(threads.rest()) == []


def test_memory_is_bounded(monkeypatch: Any) -> None:
    """The oldest is given up."""  # Any: pytest's own
    for name in ("_CALLS", "_TRACES", "_HELD"):
        monkeypatch.setattr(module, name, 2)
    threads = Threads()
    for number in range(9):
        threads.add(Thread("c", 1, f"trace {number}"), call(), f"call_Xy{number}z")
        threads.replied(Thread("c"), f"resp_{number}")
    assert (len(threads._calls), len(threads._traces), len(threads._replies)) == (2, 2, 2)
    spilled = [one for _ in range(5) for one in threads.executed(ran(call_id="call_Qq8"))]
    assert len(spilled) == 3
