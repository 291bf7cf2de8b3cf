"""Documents that quote the real rules are dated to the editions they were taken from."""

import random
import re
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.reading.decode import decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.comparing.attestation_types import Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.passages.passages import PassageKind
from variorum_kb.sources.recognise_kind import read_partial
from variorum_site.page_index import PageIndex
from variorum_site.pages.changes import ChangesPage
from variorum_site.pages.dated_editions import Dated
from variorum_site.pages.provision_markup import ProvisionMarkup

pytestmark = pytest.mark.corpus

WRAPPED = date(2005, 1, 1)
EDITIONS, EXCERPTS, LINES, ALTERED = 8, 2, 40, 10


def attest(base: KnowledgeBase, data: bytes, file: str) -> Attested:
    """Attest a document."""
    return attest_excerpt(base, read_partial(data, file), file)


def seed(corpus: Path, number: str) -> Path:
    """Return a seed by the beginning of its name."""
    paths = sorted((corpus.parent / "seeds").glob(f"{number}_*.txt"))
    if not paths:
        pytest.skip("no folder of seeds beside the corpus")
    return paths[0]


def best(base: KnowledgeBase, attested: Attested) -> tuple[str, str]:
    """Return the first and the last edition that a document can come from."""
    assert attested.first is not None
    assert attested.last is not None
    return base.editions[attested.first].label, base.editions[attested.last].label


def test_undated_excerpt(base: KnowledgeBase, corpus: Path) -> None:
    """The undated excerpt agrees exactly with 2006-10-01."""
    path = seed(corpus, "000")

    attested = attest(base, path.read_bytes(), path.name)

    assert best(base, attested) == ("2006-10-01", "2006-10-01")
    assert (attested.matched, attested.of) == (20, 20)
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.AGREES}


def test_wiki_page(base: KnowledgeBase, corpus: Path) -> None:
    """Quotations on a wiki page agree with the edition that it names; prose is commentary."""
    path = seed(corpus, "002")

    attested = attest(base, path.read_bytes(), path.name)
    quoted = [passage for passage in attested.passages if passage.kind != PassageKind.PROSE.value]

    assert {attestation.verdict for attestation in quoted} == {PassageVerdict.AGREES}
    assert {base.editions[attestation.edition or 0].label for attestation in quoted} == {
        "2024-06-07"
    }
    assert all(
        passage.verdict is PassageVerdict.COMMENTARY
        for passage in attested.passages
        if passage.kind == "prose"
    )


def test_headless_fragment(base: KnowledgeBase, corpus: Path) -> None:
    """The fragment agrees with two editions, which supply its missing number and headwords."""
    path = seed(corpus, "003")

    attested = attest(base, path.read_bytes(), path.name)

    assert best(base, attested) == ("2006-10-01", "2007-02-01")
    assert (attested.matched, attested.of) == (22, 22)
    assert "in 2006-10-01 to 2007-02-01 and in no other" in attested.evidence[1]
    supplied = [passage.supplied for passage in attested.passages]
    assert (supplied.count("number"), supplied.count("headword")) == (1, 10)


def sources(base: KnowledgeBase, editions: tuple[Path, ...]) -> list[tuple[EditionEntry, str]]:
    """Return some editions with their texts."""
    known = {edition.sha256: edition for edition in base.editions}
    rows: list[tuple[EditionEntry, str]] = []
    for path in random.Random(9).sample(editions, EDITIONS):
        decoded = decode(path.read_bytes(), path.name)
        text = "\n".join(split_lines(decoded.text).texts)
        sha256 = next(
            item for item in known if path.name.startswith(known[item].label.replace("-", ""))
        )
        rows.append((known[sha256], text))
    return rows


@pytest.mark.parametrize("kind", ["whole", "cut", "no numbers", "altered"])
def test_excerpts(base: KnowledgeBase, editions: tuple[Path, ...], kind: str) -> None:
    """Random excerpts of random editions are dated to a span that has the true edition."""
    chance = random.Random(kind)
    for entry, text in sources(base, editions):
        if kind == "no numbers" and entry.effective < WRAPPED:
            continue  # wrapped lines without numbers have no paragraphs
        lines = text.split("\n")
        for _ in range(EXCERPTS):
            start = chance.randrange(len(lines) // 8, len(lines) * 2 // 3)
            words, altered = _made(kind, "\n".join(lines[start : start + LINES]), chance)

            attested = attest(base, words.encode(), f"{entry.label}-{start}")

            first, last = best(base, attested)
            assert first <= entry.label <= last, (entry.label, start)
            if kind != "altered":
                missed = attested.of - attested.matched
                assert missed <= (kind == "cut"), (entry.label, start)
            came = [
                words
                for passage in attested.passages
                for sign, words in passage.pieces
                if sign == "+" and passage.verdict is PassageVerdict.DIFFERS
            ]
            assert " ".join(came).count("zebra") >= altered, (entry.label, start)


def _made(kind: str, text: str, chance: random.Random) -> tuple[str, int]:
    """Return an excerpt (complete, cut, without numbers or altered) and the count of altered words."""
    if kind == "cut":
        return text[chance.randrange(20, 200) : -chance.randrange(1, 200)], 0
    if kind == "no numbers":
        return re.sub(r"^\d{1,3}\.(\d+\.?[a-z]*\.?)? ?", "", text, flags=re.MULTILINE), 0
    if kind == "whole":
        return text, 0
    words = list(re.finditer(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", text))
    some = sorted(chance.sample(words, ALTERED), key=lambda item: -item.start())
    for match in some:
        text = f"{text[: match.start()]}zebra{text[match.end() :]}"
    return text, len(some)


@pytest.mark.parametrize("designator", ["1999-04-23", "M10", "latest"])
def test_read_back(base: KnowledgeBase, designator: str) -> None:
    """An edition's published pages, read again, give the same edition."""
    edition, index = base.edition(designator), PageIndex(base)
    before = base.before(edition)
    changes = None
    if before is not None:
        changes = ChangesPage(index, edition, find_changes(base, before, edition))
    read = [
        read_partial(page_file.text.encode(), page_file.file)
        for page_file in Dated(index, ProvisionMarkup(index), edition, changes).page_files()
        if Path(page_file.file).parent.name in {*"123456789", "glossary"}
    ]

    here = [
        (passage.number, passage.headword or passage.heading, passage.text, passage.examples)
        for page in read
        for passage in page.passages
    ]
    wanted = [
        (provision.number, provision.heading, provision.text, tuple(provision.examples))
        for provision in base.provisions(edition)
    ]
    assert here == wanted
