"""The contestants of `bench/hot_path.py`, each measured in an environment of its own."""

__all__: list[str] = []
