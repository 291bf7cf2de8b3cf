"""No document, file name or argument sends a control character to the terminal."""

import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.edition_texts import CREDITS, GLOSSARY, HEAD, RULES, page
from tests.support.small_bases import DAY, build, write
from variorum_kb.cli.main import main

# An escape sequence, a title sequence with its bell, C1, a bidi override, a zero-width space.
PLANTED = "\x1b[31m\x1b]0;owned\x07\x9b2J\u202e\u200b\b"
RAW = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
LATER = "July 6, 2021"

COMMANDS = f"""
100.1a | 100 | 100.1a --full | 100.1a --copy | 100.1a --markdown | "boat{PLANTED}" | "{PLANTED}" --on first
boat | 100.1a --on "{PLANTED}" | 100.1a --kb "{PLANTED}" | "--{PLANTED}" | show --tree 100
toc | toc 100 | toc "{PLANTED}" | editions | export | export first | lint | lint "{PLANTED}"
search wick | search "wick{PLANTED}" | search "{PLANTED}" | resolve "a keeper has a boat {PLANTED}"
resolve "{PLANTED}" | history 100.1a | history "{PLANTED}" | why 100.1a | why "{PLANTED}" | blame 100.1a
blame "{PLANTED}" | diff first latest | diff first latest 100.1a | diff "{PLANTED}" latest | changes latest
changes "{PLANTED}" | since first | since "{PLANTED}" | crosswalk first latest | crosswalk "{PLANTED}" latest
where 100.1a --from first | where "{PLANTED}" --from first | refs 100.1a | refs "{PLANTED}" | glossary
glossary boat | glossary "{PLANTED}" | witnesses | witnesses 100.1a | ledger | ledger latest | check
read edition.txt | read edition.txt --ledger | read "{PLANTED}.txt" | identify edition.txt
identify "{PLANTED}.txt" | audit tree | audit tree --format github | audit tree --as-of first
audit tree --as-of "{PLANTED}" | audit "{PLANTED}" | build "{PLANTED}.txt" | site out | "{PLANTED}" {PLANTED}
""".replace("\n", " | ")
ARGUMENTS = [texts for texts in (shlex.split(part) for part in COMMANDS.split("|")) if texts]


def document(day: str, word: str) -> bytes:
    """Return an edition with these characters in a rule, a heading, an entry and the credits."""
    rules = RULES.replace("has a boat", f"has {word} {PLANTED}boat, see rule 101.1{PLANTED}")
    rules = rules.replace("101. Lamps", f"101. Lamps{PLANTED}")
    return page(
        head=HEAD.replace(DAY, day).replace("101. Lamps", f"101. Lamps{PLANTED}"),
        rules=rules,
        glossary=GLOSSARY.replace("Boat\n", f"Boat{PLANTED}\n"),
        credits_=CREDITS.replace(DAY, day).replace("Nobody", f"Nobody{PLANTED}"),
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a base, a document and a tree with citations."""
    folder = tmp_path_factory.mktemp("controls")
    documents = write(
        folder,
        {f"one{PLANTED}.txt": document(DAY, "a"), "edition.txt": document(LATER, "some")},
    )
    write(
        folder / "tree", {f"a{PLANTED}.txt": f"{PLANTED} CR 100.1a, CR 999.9{PLANTED}\n".encode()}
    )
    build(folder / "kb", documents)
    return folder


def run(place: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run a command in the folder of the document and the tree."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("VARIORUM_KB", str(place / "kb"))
    return CliRunner().invoke(main, arguments)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda item: ascii(" ".join(item)))
def test_nothing_raw(place: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No command prints a control character, whether it succeeds or fails."""
    for form in ([], ["--json"]):
        result = run(place, [*arguments, *form], monkeypatch)

        assert isinstance(result.exception, SystemExit | None)
        assert result.output
        assert not RAW.findall(result.output)


def test_base_holds_them(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The base keeps a document's control characters, and JSON escapes them."""
    result = run(place, ["show", "100.1a", "--json"], monkeypatch)

    assert PLANTED in json.loads(result.stdout)[0]["text"]


@pytest.mark.parametrize("arguments", [["100.1a"], ["history", "100.1a"], ["search", "boat"]])
def test_quick_answers(place: Path, arguments: list[str]) -> None:
    """Answers of the fast path are also escaped; colours are not."""
    done = subprocess.run(
        [sys.executable, "-c", "from variorum_kb.cli.start import process; process()", *arguments],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"VARIORUM_KB": str(place / "kb")},
    )

    assert "\\u202e" in done.stdout
    assert not RAW.findall(done.stdout + done.stderr)


@pytest.mark.slow
def test_website(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages escape them, and feeds can be read."""
    run(place, ["site", "out"], monkeypatch)

    pages = [path for kind in ("html", "xml") for path in (place / "out").rglob(f"*.{kind}")]
    assert any("\\u202e" in path.read_text() for path in pages)
    assert not [path for path in pages if RAW.findall(path.read_text())]
    for path in (place / "out").rglob("*.xml"):
        ET.parse(path)  # noqa: S314 - our own
