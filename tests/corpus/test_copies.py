"""Damaged copies of real editions: they are recognised as copies, and their holes are found."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.small_bases import build, rows, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.outcomes import Copied
from variorum_kb.history.holes import find_cuts, find_holes
from variorum_kb.history.in_time import Wordings, nearest_elsewhere
from variorum_kb.reading.doubts import gaps_in
from variorum_kb.reading.edition import read_edition
from variorum_kb.rows import Row
from variorum_kb.store.edition_rows import rows_of


def official(corpus: Path, name: str) -> bytes:
    """Return a real edition."""
    return (corpus / "official" / name).read_bytes()


@pytest.fixture(scope="module")
def states(corpus_base: Path) -> dict[str, list[Row]]:
    """Return the provisions of each edition, by its day, the oldest first."""
    with KnowledgeBase.open(corpus_base) as base:
        return {
            edition.effective.isoformat(): list(base.reader.states_in(edition.place))
            for edition in base.editions
        }


def test_no_edition_has_holes(states: dict[str, list[Row]]) -> None:
    """Of every third real edition, none is said to lack a rule, even if other editions are unknown."""
    labels, held = [*states], [*states.values()]
    items: list[object] = []
    for place, here in [*enumerate(held)][::3]:
        before = held[place - 1] if place else []
        after = held[place + 1] if place + 1 < len(held) else []
        for item, member in ((before, after), (before, []), ([], after)):
            holes = [state.address for state in find_holes(here, item, member)]
            items += [(labels[place], holes)] if holes else []
        assert find_cuts(here, before, after) == [] or labels[place] in {"2003-05-26", "2010-04-23"}
    assert items == []


def test_editions_stand_in_their_time(states: dict[str, list[Row]]) -> None:
    """No real edition is more similar to a distant edition than to its neighbours."""
    wordings = Wordings()
    held = {day: wordings.of(states_of_day) for day, states_of_day in states.items()}
    astray = [
        day
        for day, here in held.items()
        if nearest_elsewhere(
            day, here, {key: numbers for key, numbers in held.items() if key != day}
        )
    ]
    assert astray == []
    first, last = list(held)[60], list(held)[-1]
    assert nearest_elsewhere("2099-01-01", held[first], held) == first
    assert all(before < second for before, second in pairwise(held))
    assert last


def test_holes_are_found(corpus: Path) -> None:
    """After a random cut of 2,000 bytes, four in five holes are named, or the text is refused."""
    names = sorted(path.name for path in (corpus / "official").iterdir())
    draw = random.Random(7)
    named = 0
    for _ in range(10):
        place = draw.randrange(1, len(names) - 1)
        data = official(corpus, names[place])
        start = draw.randrange(len(data) // 10, len(data) * 8 // 10)
        try:
            edition = read_edition(data[:start] + data[start + 2000 :], "cut")
        except ValueError:
            named += 1
            continue
        (_, here), (_, before), (_, after) = (
            rows_of(item)
            for item in (
                edition,
                read_edition(official(corpus, names[place - 1]), "before"),
                read_edition(official(corpus, names[place + 1]), "after"),
            )
        )
        named += bool(find_holes(here, before, after) or find_cuts(here, before, after))
    assert named >= 8


@pytest.mark.parametrize(
    ("damaged", "sound", "differs"),
    [
        ("20180119-RIX-gbk.txt", "20180119-RIX.txt", "11 lost signs"),
        ("20051001-RAV-ufffd.txt", "20051001-RAV.txt", "lost"),
        ("20190503-WAR-mojibake.txt", "20190503-WAR.txt", "the same words"),
    ],
)
def test_damaged_text_is_a_copy(
    corpus: Path, tmp_path: Path, damaged: str, sound: str, differs: str
) -> None:
    """A damaged text of a held date is listed with its losses; without the edition, it is marked."""
    bad = corpus / "damaged" / damaged
    build(tmp_path / "kb", [bad])
    ((alone,),) = rows(tmp_path / "kb", "doubts")
    assert str(alone).startswith("one source\nnot the known text of its date")

    (copied,) = [
        item
        for item in build(tmp_path / "kb", [corpus / "official" / sound])
        if isinstance(item, Copied)
    ]

    assert differs in copied.differs
    assert rows(tmp_path / "kb", "attested, doubts") == [("facts", "")]


def test_altered_word(corpus: Path, tmp_path: Path) -> None:
    """A text with one changed word is a copy that names the word, in either order of building."""
    data = official(corpus, "20260417-SOS.txt")
    at = data.index(b" loses the game", data.index(b"\n104.3a "))
    altered = data[:at] + b" wins the game" + data[at + len(b" loses the game") :]
    build(tmp_path / "kb", write(tmp_path, {"altered.txt": altered}))

    build(tmp_path / "kb", write(tmp_path, {"sound.txt": data}))

    with KnowledgeBase.open(tmp_path / "kb") as base:
        (copy,) = base.witnesses.all()
        assert copy["evidence"] == ["copy of 2026-04-17: 1 word differs: 104.3a"]
        assert "wins the game" not in base.show("104.3a")[0].text


def test_first_release_is_an_issue(corpus: Path, tmp_path: Path) -> None:
    """A date with several issues keeps its known issues; the bare date means the last one."""
    first = corpus / "damaged" / "20260807-HOB-first-release-nbsp.txt"
    build(tmp_path / "kb", [first, corpus / "official" / "20260807-HOB.txt"])

    result = rows(tmp_path / "kb", "label, attested, is_chosen")
    assert result == [("2026-08-07.1", "facts", 0), ("2026-08-07.2", "facts", 1)]


def test_cut_text_says_so_alone(corpus: Path) -> None:
    """The loss of a section's heading is noticed even without another edition."""
    data = official(corpus, "20190712-M20.txt")
    start = data.index(b"\n603.9", len(data) // 10)
    stop = data.index(b"\n604.2", start)
    gaps = list(gaps_in(read_edition(data[: start + 30] + data[stop + 1 :], "cut")))

    assert gaps
    assert gaps[0].startswith("rules missing between 603.")
