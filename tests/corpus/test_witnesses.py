"""All real witnesses in one base of all editions: built in, compared and found."""

import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import Event, Heard, PassedOver
from variorum_kb.cli.main import main
from variorum_kb.store.reader import Reader

pytestmark = pytest.mark.corpus

NOW = "2026-01-02T03:04:05+00:00"
# By file: the layout, and the editions that it can come from. Seeds are listed by the first
# characters of their names.
ORIGINALS = {
    "2006-10-01.rtf": "original in rtf",
    "2009-07-11.pdf": "original in pdf",
    "2009-10-01.rtf": "original in rtf",
    "2014-07-18.docx": "original in docx",
    "2018-07-13.docx": "original in docx",
    "2018-07-13.pdf": "original in pdf",
    "2026-01-16.docx": "original in docx",
    "2026-01-16.pdf": "original in pdf",
}
SEEDS = {
    "000": ("excerpt", "2006-10-01", "2006-10-01"),
    "001": ("rulings page", "2007-10-01", "2007-10-01"),
    "002": ("wiki page", "2022-06-10", "2026-08-07"),
    "003": ("fragment", "2006-10-01", "2007-02-01"),
    "004": ("article", "2009-07-11", "2026-08-07"),
}
# Differences of the originals: signs that the text of the same date spells in letters.
DIFFERING = {"2006-10-01.rtf": 10, "2009-07-11.pdf": 1}


@pytest.fixture(scope="module")
def heard(
    corpus: Path, corpus_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[Event]]:
    """Return the folder of a base of everything, and the outcome of each witness."""
    folder = tmp_path_factory.mktemp("heard") / "kb"
    shutil.copytree(corpus_base, folder)
    seeds = corpus.parent / "seeds"
    paths = [corpus / "originals", corpus / "bulletins", corpus / "other"]
    paths += [seeds] if seeds.exists() else []
    return folder, list(Builder(folder, NOW).build(paths))


def _heard(events: list[Event]) -> dict[str, Heard]:
    return {event.document.name: event for event in events if isinstance(event, Heard)}


def test_all_are_taken_in(heard: tuple[Path, list[Event]], corpus: Path) -> None:
    """Every witness is built in; a list of addresses is passed over."""
    _, events = heard
    result = _heard(events)

    wanted = {
        path.name for folder in ("originals", "bulletins") for path in (corpus / folder).iterdir()
    }
    assert wanted <= result.keys()
    assert [event for event in events if not isinstance(event, Heard | PassedOver)] == []
    (passed,) = [event for event in events if isinstance(event, PassedOver)]
    assert "known-download-addresses.txt: " in str(passed.error)


@pytest.mark.parametrize(("name", "layout"), ORIGINALS.items())
def test_originals(heard: tuple[Path, list[Event]], name: str, layout: str) -> None:
    """An original has the provisions of the text of its date, except for known differences."""
    source = _heard(heard[1])[name]

    assert source.layout == layout
    assert source.total - source.matched == DIFFERING.get(name, 0)
    assert source.matched >= 0.99 * source.total


def test_bulletins(heard: tuple[Path, list[Event]], corpus: Path) -> None:
    """The editions confirm nearly all announcements of bulletins."""
    result = _heard(heard[1])

    bulletins = [result[path.name] for path in sorted((corpus / "bulletins").iterdir())]
    assert {bulletin.layout for bulletin in bulletins} == {"bulletin"}
    assert sum([bulletin.matched for bulletin in bulletins]) >= 0.97 * sum(
        [bulletin.total for bulletin in bulletins]
    )


@pytest.mark.parametrize(("start", "expected"), SEEDS.items())
def test_seeds(heard: tuple[Path, list[Event]], start: str, expected: tuple[str, str, str]) -> None:
    """Each seed has the right kind and is dated to the right editions."""
    folder, events = heard
    names = {
        name: source for name, source in _heard(events).items() if name.startswith(f"{start}_")
    }
    if not names:
        pytest.skip("no folder of seeds beside the corpus")
    with KnowledgeBase.open(folder, today=date(2026, 11, 20)) as base:
        known = [
            (witness["layout"], witness["from"], witness["to"]) for witness in base.witnesses.all()
        ]

    assert expected in known


def test_nothing_wrong(heard: tuple[Path, list[Event]]) -> None:
    """The base is sound, and building again changes nothing."""
    folder, _ = heard
    before = (folder / "kb.sqlite").stat().st_ino

    assert list(Builder(folder, NOW).build([])) == []
    assert (folder / "kb.sqlite").stat().st_ino == before
    result = CliRunner().invoke(main, ["check", "--kb", str(folder)])
    assert result.exit_code == 0, result.output


def test_short_quotations_alone(heard: tuple[Path, list[Event]]) -> None:
    """The base holds only short quotations of articles and bulletins."""
    reader = Reader(heard[0] / "kb.sqlite")
    try:
        rows = reader.query(
            "SELECT p.words FROM passage p JOIN witness w ON w.id = p.witness "
            "WHERE p.kind = 'announcement' OR (w.layout = 'article' AND p.verdict = 'commentary')"
        )
    finally:
        reader.close()

    assert len(rows) > 500
    assert [words for (words,) in rows if len(words.split()) > 26 or len(words) > 170] == []
