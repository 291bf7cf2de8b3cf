"""The real originals: they have the editions of their dates, with known differences."""

import csv
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.support.edition_files import load_edition
from variorum_kb.model import Condition, Edition, Irregular
from variorum_kb.text.words import words_of

pytestmark = pytest.mark.corpus

# By file: words of the text, the original's words in their place, and how often. The text of
# 2006-10-01 prints "(tm)" and "(r)" for the signs; words_of knows only capitals in brackets. The
# text of 2009-07-11 lacks the brackets once.
WORDS = {
    "2006-10-01.rtf": {("tm", ""): 10, ("r", ""): 1},
    "2009-07-11.pdf": {("odysseytm", "odyssey"): 1},
    "2009-10-01.rtf": {},
    "2014-07-18.docx": {},
    "2018-07-13.docx": {},
    "2018-07-13.pdf": {},
    "2026-01-16.docx": {},
    "2026-01-16.pdf": {},
}
# Oddities of the text that its original lacks: a lost blank line, an indented rule, a lost sign.
ODD = {
    "2009-07-11.pdf": {Irregular.INDENTED: 4, Irregular.LOST_CHARACTER: 1},
    "2014-07-18.docx": {Irregular.BLANK_LINE_MISSING: 2},
}
LEAST = {"docx": 0.995, "rtf": 0.995, "pdf": 0.99}


@pytest.fixture(scope="module", params=WORDS)
def pair(request: pytest.FixtureRequest, corpus: Path) -> tuple[str, Edition, Edition]:
    """Return an original's name, its edition, and the edition of the text of its date."""
    name = str(request.param)
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as file:
        files = {row["effective_date"]: row["file"] for row in csv.DictReader(file, delimiter="\t")}
    text = corpus / "official" / files[name[:10]]
    return name, load_edition(corpus / "originals" / name), load_edition(text)


def test_read_whole(pair: tuple[str, Edition, Edition]) -> None:
    """An original is identified by its bytes, and every line and character is accounted for."""
    name, original, _ = pair

    assert original.layout == original.decoding.encoding == name.rpartition(".")[2]
    assert original.effective.isoformat() == name[:10]
    assert original.ledger.is_complete
    assert original.condition is Condition.SOUND


def test_same_provisions(pair: tuple[str, Edition, Edition]) -> None:
    """An original has the provisions of the text, in its order, paragraph by paragraph."""
    _, original, text = pair

    assert _provisions(original) == _provisions(text)


def test_same_words(pair: tuple[str, Edition, Edition]) -> None:
    """The words agree except for known differences, each with its cause."""
    name, original, text = pair
    counter: Counter[tuple[str, str]] = Counter()
    words = 0
    for old, new in zip(_words(text), _words(original), strict=True):
        words += len(old)
        if old != new:
            counter.update(_differences(old, new))

    assert counter == WORDS[name]
    differing = sum(counter.values())
    assert 1 - differing / words >= LEAST[original.layout]


def test_same_oddities(pair: tuple[str, Edition, Edition]) -> None:
    """Text and original have the same misprints, except for damage to the text."""
    name, original, text = pair

    assert _odd(original) - _odd(text) == {}
    assert _odd(text) - _odd(original) == ODD.get(name, {})


def _provisions(edition: Edition) -> list[tuple[object, ...]]:
    return [
        (
            provision.kind,
            provision.number,
            " ".join(words_of(provision.heading)),
            [paragraph.marker for paragraph in provision.paragraphs],
        )
        for provision in (*edition.provisions, *edition.glossary)
    ]


def _words(edition: Edition) -> list[list[str]]:
    provisions = (*edition.provisions, *edition.glossary)
    texts = (" ".join(p.text for p in provision.paragraphs) for provision in provisions)
    return [words_of(text) for text in texts]


def _differences(old: list[str], new: list[str]) -> list[tuple[str, str]]:
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (" ".join(old[a:b]), " ".join(new[c:d])) for step, a, b, c, d in steps if step != "equal"
    ]


def _odd(edition: Edition) -> Counter[Irregular]:
    provisions = (*edition.provisions, *edition.glossary)
    odd = [
        *edition.irregularities,
        *(odd for provision in provisions for odd in provision.irregularities),
    ]
    return Counter(irregularity.kind for irregularity in odd)
