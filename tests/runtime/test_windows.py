"""Which window a guarded call is counted in."""

import asyncio
import threading

import pytest

from handrail.runtime.windows import GuardTurn, Window, current_window


def test_a_thread_has_a_window_of_its_own() -> None:
    """The same one each time."""
    found: list[Window] = []
    thread = threading.Thread(target=lambda: found.extend([current_window(), current_window()]))
    thread.start()
    thread.join()
    assert found[0] is found[1]
    assert found[0] is not current_window()
    assert current_window() is current_window()


async def test_a_task_has_a_window_of_its_own() -> None:
    """Two tasks of one loop are two conversations."""

    async def mine() -> Window:
        first = current_window()
        await asyncio.sleep(0)
        assert current_window() is first
        return first

    one, other = await asyncio.gather(mine(), mine())
    assert one is not other


async def test_a_stated_window_goes_into_tasks_and_threads() -> None:
    """What a turn starts belongs to it."""

    async def inside() -> Window:
        return current_window()

    async with GuardTurn():
        window = current_window()
        assert await asyncio.gather(inside(), asyncio.to_thread(current_window)) == [window] * 2
    assert current_window() is not window


def test_windows_nest() -> None:
    """The inner one counts by itself, and the outer one goes on."""
    with GuardTurn():
        outer = current_window()
        with GuardTurn():
            assert current_window() is not outer
        assert current_window() is outer
    assert current_window() is not outer


def test_a_window_ends_with_an_exception_too() -> None:
    """Nothing is left open."""
    before = current_window()
    with pytest.raises(KeyError), GuardTurn():
        raise KeyError
    assert current_window() is before


def test_a_turn_may_be_entered_again() -> None:
    """With a new window."""
    turn = GuardTurn()
    with turn:
        first = current_window()
    with turn:
        assert current_window() is not first
