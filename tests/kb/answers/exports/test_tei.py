"""The critical apparatus as TEI, from which editions can be read back."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.answers.exports.tei import siglum, tei_of, text_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.through_time.collation import collate
from variorum_kb.cli.main import main

TEI = "{http://www.tei-c.org/ns/1.0}"
words = st.text("ab \n&<", max_size=12)


@given(readings=st.lists(words, min_size=1, max_size=5))
def test_segments_make_up_the_readings(readings: list[str]) -> None:
    """The segments of a reading add up to it; segments that readings share are equal in all."""
    segments = collate(readings)

    for place, reading in enumerate(readings):
        assert "".join(segment[place] for segment in segments) == reading
    if len(set(readings)) == 1:
        assert all(len(set(segment)) == 1 for segment in segments)


def read_back(element: ET.Element, label: str) -> str | None:
    """Return the words of an edition in an element; None if it has none."""
    parts = [element.text or ""]
    for inner in element:
        if inner.tag == f"{TEI}app":
            held = [item for item in inner if f"#{siglum(label)}" in item.attrib["wit"].split()]
            if not held:
                return None
            (own,) = held
            parts.append(read_back(own, label) or "")
        else:
            assert inner.tag == f"{TEI}lb"
            parts.append("\n")
        parts.append(inner.tail or "")
    return "".join(parts)


def words_of(document: str, label: str) -> Iterator[tuple[str, str | None]]:
    """Yield the name and the words of each provision of an edition in a document."""
    for division in ET.fromstring(document).iter(f"{TEI}div"):  # noqa: S314 - our own
        name = read_back(division[0], label)
        if name is not None:
            yield name, read_back(division[1], label)


@pytest.mark.slow
def test_editions_are_read_back(base: KnowledgeBase) -> None:
    """Each edition's words are read back as printed; the edition of the lemmata is complete."""
    for lemma in ("2008-06-20", "current"):
        subjects = list(base.provisions(lemma))
        document = "".join(tei_of(base, subjects, "All <of it>"))
        own = [(each.number or each.heading, text_of(each.state)) for each in subjects]
        assert [*words_of(document, base.edition(lemma).label)] == own
        for edition in base.editions:
            printed = {
                (each.number or each.heading, text_of(each.state))
                for each in base.provisions(edition)
            }
            assert {*words_of(document, edition.label)} <= printed
    assert "<title>All &lt;of it&gt;</title>" in document


def test_every_siglum_is_declared(base: KnowledgeBase) -> None:
    """Each siglum is a witness in the header, and no edition attests two readings of the same words."""
    root = ET.fromstring("".join(tei_of(base, base.show("705"), "705")))  # noqa: S314 - our own
    declared = {
        element.attrib["{http://www.w3.org/XML/1998/namespace}id"]
        for element in root.iter(f"{TEI}witness")
    }
    for app in root.iter(f"{TEI}app"):
        sigla = [word for reading in app for word in reading.attrib["wit"].split()]
        assert len(sigla) == len(set(sigla))
        assert {text.removeprefix("#") for text in sigla} <= declared


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (["705"], ["705", "705.1", "705.2", "705.3"]),
        (["704.5a-c"], ["704.5a", "704.5b", "704.5c"]),
        (["511.2", "2008-06-20"], ["511.2"]),
        (["flip", "a", "coin", "(2003)"], ["Flip a Coin"]),
    ],
)
def test_ranges(sample_base: Path, asked: list[str], names: list[str]) -> None:
    """Numbers with their subrules, ranges, terms and numbers of an old edition can be exported."""
    done = CliRunner().invoke(main, ["export", "--kb", str(sample_base), "--format", "tei", *asked])

    texts = [element.attrib["n"] for element in ET.fromstring(done.stdout).iter(f"{TEI}div")]  # noqa: S314 - our own
    assert texts == names
