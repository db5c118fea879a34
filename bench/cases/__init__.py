"""The cases of the benchmark, one question each."""

__all__: list[str] = []
