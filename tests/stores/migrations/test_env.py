"""What Alembic runs."""

from pathlib import Path

from handrail.stores import migrations, schema


def test_the_steps_are_shipped_with_the_package() -> None:
    """Beside the code that runs them; `test_schema` runs them."""
    folder = Path(migrations.__path__[0])
    assert (folder / "env.py").is_file()
    assert [path.stem for path in sorted((folder / "versions").glob("v*.py"))] != []
    assert schema.VERSION_TABLE == "handrail_schema"
