"""V21: the icon only draws."""

from pathlib import Path

import pytest

from extensions import ICON, found, loaded, rules_of
from handrail.sdk.rules.table import validate

BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">'
BOMB = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
BROKEN = {
    "no viewBox": (ICON.replace(' viewBox="0 0 8 8"', ""), "has no viewBox"),
    "raster": (f'{BOX}<image href="#a"/></svg>', "holds a raster image (image)"),
    "raster inside": (
        f'{BOX}<path style="fill:url(data:image/png;base64,AA)"/></svg>',
        "holds a raster image (style)",
    ),
    "script": (f"{BOX}<script>1</script></svg>", "holds something active (script)"),
    "handler": (f'{BOX}<path onclick="x()"/></svg>', "holds a script (onclick)"),
    "link": (f'{BOX}<a href=" java\nscript:x()"/></svg>', "holds a script (href)"),
    "foreign": (f"{BOX}<foreignObject/></svg>", "holds something active (foreignobject)"),
    "outside": (
        f'{BOX}<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="other.svg#a"/></svg>',
        "refers to something outside itself (href)",
    ),
    "entities": (f"{BOMB}{ICON}", "has a document type: leave it out"),
    "html": ("<html></html>", "is no SVG: its root is 'html'"),
    "no xml": ("<svg", "is no XML"),
    "empty": ("", "is no XML"),
    "large": (ICON.replace("M0 0", "M0 0" + " " * 102_400), "has 100 KB, at most 100 are allowed"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_v21_refuses(tmp_path: Path, case: str) -> None:
    """One fault, and it is named."""
    content, fault = BROKEN[case]
    app = loaded(tmp_path)
    (tmp_path / "icon.svg").write_text(content)
    issues = validate(app)
    assert rules_of(issues) == ["V21"]
    assert issues[0].message.startswith(f"icon 'icon.svg' {fault}")


@pytest.mark.parametrize(
    ("name", "told"),
    [("", "has no icon"), ("no.svg", "is not there"), ("shelf_app.py", "is no .svg file")],
)
def test_v21_wants_a_drawing(tmp_path: Path, name: str, told: str) -> None:
    """There, and SVG."""
    issues = found(tmp_path, ('icon="icon.svg"', f'icon="{name}"'))
    assert rules_of(issues) == ["V21"]
    assert told in issues[0].message


def test_v21_lets_drawings_refer_to_themselves(tmp_path: Path) -> None:
    """Gradients and reused shapes."""
    app = loaded(tmp_path)
    (tmp_path / "icon.svg").write_text(f'{BOX}<defs><g id="a"/></defs><use href="#a"/></svg>')
    assert validate(app) == []


def test_rule_is_in_the_table(tmp_path: Path) -> None:
    """Under its number."""
    assert rules_of(found(tmp_path, ('icon="icon.svg"', 'icon="x"'))) == ["V21"]
