"""RULE: pure functions and frozen values, usable alone; no state, await, clock, I/O or logging."""

__all__: list[str] = []
