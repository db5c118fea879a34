"""RULE: carries, waits, times out and persists; decides nothing."""

__all__: list[str] = []
