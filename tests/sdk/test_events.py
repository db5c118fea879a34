"""Names of events."""

import pytest

from handrail.sdk.events import event_type


@pytest.mark.parametrize(
    ("app_id", "event", "expected"),
    [
        ("notes", "created", "notes.created"),
        ("my-app", "created", "my_app.created"),
        ("my-own-app", "a-b", "my_own_app.a-b"),
        ("tasks", "task.created", "tasks.task.created"),
        ("tasks", "tasks.created", "tasks.tasks.created"),
        ("tasks", "", ""),
    ],
)
def test_event_type_begins_with_the_app(app_id: str, event: str, expected: str) -> None:
    """Hyphens of the id become underscores; what follows stays as written."""
    assert event_type(app_id, event) == expected
