"""``python -m handrail``: the command without its script."""

from handrail.cli.main import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
