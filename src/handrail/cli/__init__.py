"""RULE: one file per command; typer and rich are known here and nowhere else."""

__all__: list[str] = []
