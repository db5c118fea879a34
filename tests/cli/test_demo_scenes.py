"""The scenes' tools are sound."""

from handrail.cli.demo_scenes import SCENES
from handrail.testing import AutoHuman


def test_every_scene_has_described_tools_and_an_end() -> None:
    """A scene that cannot begin or end shows nothing."""
    for scene in SCENES:
        box = scene.box([], AutoHuman(approve=True))
        assert all(tool.description for tool in box.tools)
        assert scene.rounds >= 2
        assert not scene.over(box.turn().take_sync({"role": "assistant", "content": "hi"}))
