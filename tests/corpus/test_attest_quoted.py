"""Documents that quote the real rules come from the editions that they were taken from."""

import random
import re
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.comparison import find_changes
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.reading.decode import decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.comparing.attestation import Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts import attest_excerpt
from variorum_kb.sources.kinds.table import read_partial
from variorum_kb.sources.reading.passages import PassageKind
from variorum_site.page_index import PageIndex
from variorum_site.pages.changes import ChangesPage
from variorum_site.pages.dated_editions import Dated
from variorum_site.pages.provision_markup import ProvisionMarkup

pytestmark = pytest.mark.corpus

WRAPPED = date(2005, 1, 1)
EDITIONS, EXCERPTS, LINES, ALTERED = 8, 3, 40, 10


def attest(base: KnowledgeBase, data: bytes, file: str) -> Attested:
    """Attest a document."""
    return attest_excerpt(base, read_partial(data, file), file)


def seed(corpus: Path, number: str) -> Path:
    """Return a seed by the beginning of its name."""
    found = sorted((corpus.parent / "seeds").glob(f"{number}_*.txt"))
    if not found:
        pytest.skip("no folder of seeds beside the corpus")
    return found[0]


def best(base: KnowledgeBase, found: Attested) -> tuple[str, str]:
    """Return the first and the last edition that a document can come from."""
    assert found.first is not None
    assert found.last is not None
    return base.editions[found.first].label, base.editions[found.last].label


def test_undated_excerpt(base: KnowledgeBase, corpus: Path) -> None:
    """The excerpt without a date is exactly of 2006-10-01."""
    path = seed(corpus, "000")

    found = attest(base, path.read_bytes(), path.name)

    assert best(base, found) == ("2006-10-01", "2006-10-01")
    assert (found.matched, found.of) == (20, 20)
    assert {one.verdict for one in found.passages} == {PassageVerdict.AGREES}


def test_wiki_page(base: KnowledgeBase, corpus: Path) -> None:
    """What the page of a wiki quotes agrees with the edition that it names; prose is commentary."""
    path = seed(corpus, "002")

    found = attest(base, path.read_bytes(), path.name)
    quoted = [one for one in found.passages if one.kind != PassageKind.PROSE.value]

    assert {one.verdict for one in quoted} == {PassageVerdict.AGREES}
    assert {base.editions[one.edition or 0].label for one in quoted} == {"2024-06-07"}
    assert all(
        one.verdict is PassageVerdict.COMMENTARY for one in found.passages if one.kind == "prose"
    )


def test_headless_fragment(base: KnowledgeBase, corpus: Path) -> None:
    """The fragment agrees with two editions; its number and headwords are supplied."""
    path = seed(corpus, "003")

    found = attest(base, path.read_bytes(), path.name)

    assert best(base, found) == ("2006-10-01", "2007-02-01")
    assert (found.matched, found.of) == (22, 22)
    assert "in 2006-10-01 to 2007-02-01 and in no other" in found.evidence[1]
    supplied = [one.supplied for one in found.passages]
    assert (supplied.count("number"), supplied.count("headword")) == (1, 10)


def sources(base: KnowledgeBase, editions: tuple[Path, ...]) -> list[tuple[EditionEntry, str]]:
    """Return some editions with their texts."""
    known = {one.sha256: one for one in base.editions}
    found: list[tuple[EditionEntry, str]] = []
    for path in random.Random(9).sample(editions, EDITIONS):
        decoded = decode(path.read_bytes(), path.name)
        text = "\n".join(split_lines(decoded.text).texts)
        sha256 = next(
            one for one in known if path.name.startswith(known[one].label.replace("-", ""))
        )
        found.append((known[sha256], text))
    return found


@pytest.mark.parametrize("kind", ["whole", "cut", "no numbers", "altered"])
def test_excerpts(base: KnowledgeBase, editions: tuple[Path, ...], kind: str) -> None:
    """Random excerpts of random editions come from a span that has the true edition."""
    chance = random.Random(kind)
    for entry, text in sources(base, editions):
        if kind == "no numbers" and entry.effective < WRAPPED:
            continue  # wrapped lines without numbers have no paragraphs
        lines = text.split("\n")
        for _ in range(EXCERPTS):
            start = chance.randrange(len(lines) // 8, len(lines) * 2 // 3)
            words, altered = _made(kind, "\n".join(lines[start : start + LINES]), chance)

            found = attest(base, words.encode(), f"{entry.label}-{start}")

            first, last = best(base, found)
            assert first <= entry.label <= last, (entry.label, start)
            if kind != "altered":
                missed = found.of - found.matched
                assert missed <= (kind == "cut"), (entry.label, start)
            came = [
                words
                for one in found.passages
                for sign, words in one.pieces
                if sign == "+" and one.verdict is PassageVerdict.DIFFERS
            ]
            assert " ".join(came).count("zebra") >= altered, (entry.label, start)


def _made(kind: str, text: str, chance: random.Random) -> tuple[str, int]:
    """Return an excerpt as it is, cut, without numbers, or altered in so many words."""
    if kind == "cut":
        return text[chance.randrange(20, 200) : -chance.randrange(1, 200)], 0
    if kind == "no numbers":
        return re.sub(r"^\d{1,3}\.(\d+\.?[a-z]*\.?)? ?", "", text, flags=re.MULTILINE), 0
    if kind == "whole":
        return text, 0
    words = list(re.finditer(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", text))
    some = sorted(chance.sample(words, ALTERED), key=lambda one: -one.start())
    for one in some:
        text = f"{text[: one.start()]}zebra{text[one.end() :]}"
    return text, len(some)


@pytest.mark.parametrize("designator", ["1999-04-23", "M10", "latest"])
def test_read_back(base: KnowledgeBase, designator: str) -> None:
    """The pages that we publish of an edition give the edition again."""
    edition, index = base.edition(designator), PageIndex(base)
    changes = found = None
    if edition.place:
        found = find_changes(base, base.editions[edition.place - 1], edition)
        changes = ChangesPage(index, edition, found)
    read = [
        read_partial(page_file.text.encode(), page_file.file)
        for page_file in Dated(index, ProvisionMarkup(index), edition, changes, found).page_files()
        if Path(page_file.file).parent.name in {*"123456789", "glossary"}
    ]

    here = [
        (one.number, one.headword or one.heading, one.text, one.examples)
        for page in read
        for one in page.passages
    ]
    wanted = [
        (one.number, one.heading, one.text, tuple(one.examples)) for one in base.provisions(edition)
    ]
    assert here == wanted
