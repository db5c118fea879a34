"""How long a text is in tokens, by the caller's counter or by a stated rule of thumb."""

from collections.abc import Callable

__all__ = ["Counter", "count_tokens"]

Counter = Callable[[str], int]

_CHARACTERS_A_TOKEN = 4


def count_tokens(text: str, counter: Counter | None = None) -> int:
    """Tokens of a text: what the counter says; characters / 4, rounded up, without one.

    A counter that raises is not asked twice: the rule of thumb counts instead.
    """
    if counter is not None:
        try:
            return int(counter(text))
        except Exception:  # the caller's counter failed: the stated default counts instead
            pass
    return -(-len(text) // _CHARACTERS_A_TOKEN)
