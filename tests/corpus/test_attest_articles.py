"""The rules that the real article is linked with, and the precision of the links of prose."""

import re
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.references.find import find_references
from variorum_kb.rule_numbers import stem_of
from variorum_kb.sources.comparing.articles.articles import attest_article
from variorum_kb.sources.comparing.articles.dating_by_words import Eras
from variorum_kb.sources.comparing.articles.discussed_provisions import NO_TOPIC, find_links
from variorum_kb.sources.comparing.articles.topics import EditionTopics
from variorum_kb.sources.recognise_kind import read_partial

pytestmark = pytest.mark.corpus

# A line with the rules that the paragraphs below it are about.
_HEADER = re.compile(r"^\s*(?:\*\*|#+ |\* \*\*)?\s*(\d{3}\.\d+[^*]{0,60}?)(?:\*\*)?\s*$")
_ITEM = re.compile(r"^\* \*\*(\d{3}\.\d+[^*]*)\*\*(.*)")
_OTHER = re.compile(r"^(?:#|=+$|\W*\*\*\d{3}(?!\.\d)|[A-Z][\w ,:-]{2,60}$)")
_FAMILY = re.compile(r"\d{3}\.\d+")
_FEWEST_WORDS = 8


@pytest.fixture(scope="module")
def bulletins(corpus: Path) -> list[Path]:
    """Return the bulletins; their names begin with their days."""
    paths = sorted((corpus / "bulletins").glob("*.md"))
    if not paths:
        pytest.skip("no bulletins in the corpus")
    return paths


def paragraphs_of(path: Path) -> list[tuple[set[str], str]]:
    """Return the paragraphs of a bulletin without numbers, each with the rules it is about."""
    rows: list[tuple[set[str], str]] = []
    about: set[str] = set()
    for line in path.read_text("utf-8").splitlines():
        item, header = _ITEM.match(line), _HEADER.match(line)
        if item:
            rows.append((set(_FAMILY.findall(item[1])), item[2]))
            about = set()
        elif header:
            about = set(_FAMILY.findall(header[1]))
        elif _OTHER.match(line):
            about = set()
        elif about and not line.strip(" >").startswith("["):
            rows.append((about, line))
    plain = [(about, re.sub(r"[*_>]", "", text)) for about, text in rows]
    return [
        (about | _cited(text), _without_numbers(text))
        for about, text in plain
        if len(text.split()) >= _FEWEST_WORDS
    ]


def _cited(text: str) -> set[str]:
    return {stem_of(reference.first) for reference in find_references(text)}


def _without_numbers(text: str) -> str:
    for reference in reversed(find_references(text)):
        text = text[: reference.start] + text[reference.end :]
    return text


def edition_after(base: KnowledgeBase, path: Path) -> int:
    """Return the edition that a bulletin is about: the first one from its day on."""
    day = date.fromisoformat(path.name[:10])
    return next(edition.place for edition in base.editions if edition.effective >= day)


def test_column_about_leaving(base: KnowledgeBase, corpus: Path) -> None:
    """The column without numbers is about 800.4, and by its words later than 2009-07-11."""
    seeds = sorted((corpus.parent / "seeds").glob("004*.txt"))
    if not seeds:
        pytest.skip("no folder of seeds beside the corpus")
    partial = read_partial(seeds[0].read_bytes(), seeds[0].name)

    article = attest_article(base, partial, seeds[0].name)

    linked = [passage for passage in article.passages if passage.provision is not None]
    rows = base.texts.rows([attestation.provision or 0 for attestation in linked])
    numbers = [rows[attestation.provision or 0].number for attestation in linked]
    assert [attestation.line for attestation in linked] == [3, 5, 7, 9, 11, 13, 15]
    assert numbers == ["800.4", *["800.4a"] * 4, "800.4d", "800.4j"]
    assert article.author.startswith("Josh Stansfield")
    assert base.editions[article.first or 0].label == "2009-07-11"
    proof = [line for line in article.evidence if line.endswith("is common from 2009-07-11 on")]
    assert {"“battlefield”", "“exiled”"} <= {line.split(" ")[0] for line in proof}
    assert max(len(passage.words.split()) for passage in article.passages) <= 25


def test_precision_and_recall(base: KnowledgeBase, bulletins: list[Path]) -> None:
    """Nine in ten of the links are right; a fifth of the paragraphs is linked."""
    right = wrong = paragraphs = 0
    for path in bulletins:
        outlines = base.texts.outlines_in(edition_after(base, path))
        subjects = EditionTopics(outlines, base.texts.bodies([outline.key for outline in outlines]))
        for about, text in paragraphs_of(path):
            paragraphs += 1
            for link in find_links(text, subjects, NO_TOPIC):
                is_right = stem_of(link.number) in about
                right, wrong = right + is_right, wrong + (not is_right)

    assert paragraphs > 250
    assert right / (right + wrong) >= 0.88
    assert right / paragraphs >= 0.2


def test_dates(base: KnowledgeBase, bulletins: list[Path]) -> None:
    """The words of a bulletin never date it to another period than its own."""
    for path in bulletins[::3]:
        result = Eras(base, re.sub(r"[*_]", "", path.read_text("utf-8"))).date()

        place = edition_after(base, path)
        assert result.first is not None
        assert result.first <= place <= (len(base.editions) if result.last is None else result.last)
