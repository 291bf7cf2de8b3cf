"""The five kinds of partial documents, and the collection of 1999."""

from pathlib import Path

import pytest

from tests.support.edition_files import load_edition
from variorum_kb.sources.reading.page import is_complete_edition
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    Partial,
    PassageKind,
    SourceLayout,
)
from variorum_kb.sources.recognise_kind import read_partial

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def seeds(corpus: Path) -> dict[str, Partial]:
    """Return the seeds by the first three characters of their names."""
    folder = corpus.parent / "seeds"
    if not folder.is_dir():
        pytest.skip("no folder of seeds beside the corpus")
    return {
        path.name[:3]: read_partial(path.read_bytes(), path.name)
        for path in sorted(folder.glob("*.txt"))
    }


def test_nothing_is_lost(seeds: dict[str, Partial]) -> None:
    """Every line of every seed is accounted for."""
    assert len(seeds) == 5
    assert all(seed.ledger.is_complete for seed in seeds.values())


def test_excerpt(seeds: dict[str, Partial]) -> None:
    """The excerpt has 511.1 to 601.2c, with headings and examples."""
    partial = seeds["000"]

    assert partial.layout is SourceLayout.EXCERPT
    assert partial.counts() == {"heading": 4, "rule": 16, "examples": 8}
    assert [p.number for p in partial.of(PassageKind.HEADING)] == ["511", "6", "600", "601"]
    rules = list(partial.of(PassageKind.RULE))
    assert (rules[0].number, rules[-1].number) == ("511.1", "601.2c")
    assert len(next(p for p in rules if p.number == "600.4a").examples) == 4


def test_rulings_page(seeds: dict[str, Partial]) -> None:
    """The rulings page has 600 to 600.5, each with the day of its last change."""
    partial = seeds["001"]

    assert partial.layout is SourceLayout.RULINGS_PAGE
    assert partial.counts() == {"heading": 1, "rule": 11, "examples": 5, "claims": 16}
    assert partial.edition is not None
    assert str(partial.edition.day) == "2008-03-17"
    changed = {p.number: str(p.changed.day) for p in partial.passages if p.changed}
    assert (changed["600.1"], changed["600.4a"]) == ("2005-08-01", "2007-02-01")
    assert (changed["600.4f"], changed["600.5"]) == ("2007-10-01", "2007-07-13")


def test_wiki_page(seeds: dict[str, Partial]) -> None:
    """The wiki page has 705 with two rules and its glossary entry, quoted from 2024-06-07."""
    partial = seeds["002"]

    assert (partial.layout, partial.title, partial.source) == (
        SourceLayout.WIKI_PAGE,
        "Flipping a coin",
        "MTG Wiki",
    )
    assert partial.edition is not None
    assert partial.dated is not None
    assert (str(partial.edition.day), str(partial.dated.day)) == ("2024-06-07", "2018-11-21")
    assert [p.number for p in partial.of(PassageKind.RULE)] == ["705.1", "705.2"]
    assert [p.headword for p in partial.of(PassageKind.GLOSSARY)] == ["Flipping a Coin"]
    assert len(list(partial.of(PassageKind.PROSE))) == 2


def test_fragment(seeds: dict[str, Partial]) -> None:
    """The fragment has the end of 608.4d, rules up to 609.6, and ten definitions without headwords."""
    partial = seeds["003"]

    assert partial.layout is SourceLayout.FRAGMENT
    assert partial.passages[0].is_cut_before
    rules = [p.number for p in partial.of(PassageKind.RULE)]
    assert (len(rules), rules[0], rules[-1]) == (11, "608.4e", "609.6")
    assert [p.headword for p in partial.of(PassageKind.GLOSSARY)] == [""] * 10


def test_article(seeds: dict[str, Partial]) -> None:
    """The article has seven paragraphs and an author, but no number or date."""
    partial = seeds["004"]

    assert partial.layout is SourceLayout.ARTICLE
    assert partial.counts() == {"prose": 7}
    assert partial.author.startswith("Josh Stansfield")
    assert (partial.edition, partial.dated) == (None, None)


def test_collection(corpus: Path) -> None:
    """The collection of 1999 has its own numbers, and names no rule of ours."""
    path = corpus / "other" / "crystalkeep-general-rulings-1999-04-21.txt"

    partial = read_partial(path.read_bytes(), path.name)

    assert partial.layout is SourceLayout.RULINGS_COLLECTION
    assert partial.counts() == {"heading": 194, "ruling": 1490, "claims": 1187}
    assert partial.ledger.is_complete
    roles = dict(partial.ledger.accounted)
    assert (roles[LineRole.CONTENTS], roles[LineRole.INDEX]) == (198, 379)
    assert not any(p.about for p in partial.passages)


def test_editions_are_told_apart(editions: tuple[Path, ...]) -> None:
    """Every official edition is recognised as an edition, and no seed is."""
    flags = [is_complete_edition(path.read_bytes(), path.name) for path in editions]

    assert all(flags)


def test_edition_in_pieces(editions: tuple[Path, ...]) -> None:
    """Rules cut out of an edition are read as in the edition."""
    edition = load_edition(editions[-1])
    some = [
        provision
        for provision in edition.provisions
        if provision.number.startswith("70") and provision.paragraphs
    ]
    text = "\n\n".join(
        "\n".join(
            [
                f"{provision.printed} {provision.paragraphs[0].text}",
                *(f"{p.marker} {p.text}" if p.marker else p.text for p in provision.paragraphs[1:]),
            ]
        )
        for provision in some
    )

    partial = read_partial(text.encode(), "pieces.txt")

    assert [(p.number, p.text or p.heading) for p in partial.passages] == [
        (provision.number, provision.text) for provision in some
    ]
