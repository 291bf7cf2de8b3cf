"""The whole site of the sample rulebook, checked by W3C's Nu HTML checker."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.browsing import in_java

Check = Callable[..., list[str]]
# Pages, stylesheets and pictures.
WHAT = ("--skip-non-html", "--also-check-css", "--also-check-svg")


@pytest.fixture(scope="module")
def check() -> Check:
    """Return a function that returns the errors of files and folders; skip without the checker."""
    command = in_java("nu.validator.client.SimpleCommandLineValidator")
    command += ["--errors-only", "--no-langdetect", "--format", "json"]

    def checked(*value: str | Path) -> list[str]:
        process = subprocess.run(
            [*command, *map(str, value)], check=False, capture_output=True, text=True
        )
        messages = json.loads(process.stderr)["messages"]
        assert process.returncode == bool(messages)
        told = [f"{message.get('url')}: {message['message']}" for message in messages]
        # It does not know container queries, which browsers have since 2023.
        return [each for each in told if not re.search(r"“@?container(-type)?”", each)]

    return checked


BROKEN = [
    ("index.html", "</main>", "</main></main>", "Stray end tag “main”."),
    ("index.html", '<html lang="en">', '<html lang="en" wide>', "Attribute “wide” not allowed"),
    ("index.html", '<main id="_main">', '<main role="mian" id="_main">', "Bad value “mian”"),
    ("index.html", "object-src ", "objekt-src ", "Unrecognised directive-name"),
    ("static/style.css", "body {", "body { colour: red;", "“colour”"),
    ("static/icon.svg", "<svg ", "<svg wide='1' ", "Attribute “wide” not allowed"),
]


@pytest.mark.slow
def test_the_site_is_valid(check: Check, site_folder: Path, tmp_path: Path) -> None:
    """The checker finds no error in any page, stylesheet or picture, but finds those of broken ones."""
    assert len(list(site_folder.rglob("*.html"))) > 500
    for place, (name, good, bad, _) in enumerate(BROKEN):
        text = (site_folder / name).read_text("utf-8")
        assert good in text
        broken = text.replace(good, bad, 1)
        (tmp_path / f"{place}{Path(name).suffix}").write_text(broken, "utf-8")

    texts = check(*WHAT, site_folder, tmp_path)

    assert [item for item in texts if tmp_path.name not in item] == []
    for place, (name, _, _, member) in enumerate(BROKEN):
        own = [item for item in texts if f"/{place}{Path(name).suffix}: " in item]
        assert any(member in item for item in own), (place, own)
