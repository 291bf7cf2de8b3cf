"""The work of the quotation finder, counted in states compared."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations import quotation_search
from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import SAMPLED, Identifier
from variorum_kb.build.identify import identify
from variorum_kb.cli.main import main
from variorum_kb.rows import text_of
from variorum_kb.text.folding import fold_words


@pytest.fixture
def finder(base: KnowledgeBase) -> Identifier:
    """Return a finder that has not searched yet."""
    return Identifier(base.reader)


def bodies(base: KnowledgeBase) -> list[str]:
    """Return the distinct texts of the sample rulebook."""
    return [text_of(body) for (body,) in base.reader.query("SELECT body FROM reading ORDER BY id")]


def made_up(base: KnowledgeBase, count: int) -> Iterator[str]:
    """Yield sentences of twelve random words from the sample rulebook."""
    words = [word for body in bodies(base) for word in fold_words(body).split() if word.isalpha()]
    random = Random(7)
    for _ in range(count):
        yield " ".join(random.choices(words, k=12)) + "."


def loose(texts: Iterator[str]) -> list[Quoted]:
    """Return quotations without number or headword."""
    return [Quoted("", "", text, is_loose=True) for text in texts]


def test_made_up_texts(base: KnowledgeBase, finder: Identifier) -> None:
    """Of ten times as many invented texts, the finder searches for no more: a sample is enough."""
    finder.find(loose(made_up(base, 1_000)))
    compared, left_out = finder.compared, len(finder.left_out)
    finder.begin()

    finder.find(loose(made_up(base, 10_000)))

    assert left_out == 1_000 - SAMPLED
    assert len(finder.left_out) == 10_000 - SAMPLED
    assert finder.compared <= 2 * compared + SAMPLED


@pytest.mark.parametrize(
    ("real", "count", "is_left_out"), [(4, 501, True), (5, 501, False), (0, 500, False)]
)
def test_sample(
    base: KnowledgeBase, finder: Identifier, *, real: int, count: int, is_left_out: bool
) -> None:
    """Of more than 500 texts, the others are left out if fewer than five of a sample are found."""
    texts = [text for text in bodies(base) if len(fold_words(text).split()) > 7][:real]

    finder.find(loose(iter([*texts, *made_up(base, count - real)])))

    assert (finder.is_left_out, len(finder.left_out)) == (is_left_out, int(is_left_out))


def test_fewest_words(base: KnowledgeBase, finder: Identifier) -> None:
    """Three words are too few to look for; four are enough."""
    words = next(text for text in bodies(base) if len(text.split()) > 7).split()

    few, enough = finder.holding([" ".join(words[:3]), " ".join(words[:4])])

    assert not few.states
    assert enough.states


def test_texts_among_made_up_ones(base: KnowledgeBase, finder: Identifier) -> None:
    """If one text in ten is in an edition, the finder searches for all, and finds each of these."""
    real = [text for text in bodies(base) if len(fold_words(text).split()) > 7]
    made = list(made_up(base, max(SAMPLED, 9 * len(real))))
    every = len(made) // len(real)
    mixed = iter(
        [
            text
            for place, own in enumerate(real)
            for text in (*made[place * every : (place + 1) * every], own)
        ]
    )

    quotations = finder.find(loose(mixed))

    assert len(quotations) > SAMPLED
    assert not finder.left_out
    traced = {quotation.quoted.text for quotation in quotations if quotation.states}
    assert traced >= set(real)


def test_parts_of_a_state(base: KnowledgeBase, finder: Identifier) -> None:
    """A found state has its heading, and its words whole and in parts."""
    rule = next(each for each in base.provisions() if each.examples)
    section = base.subject("705").state

    ((state, *_), *_) = [each.states for each in finder.holding([rule.text])]

    parts = (" ".join([rule.text, *rule.examples]), rule.text, *rule.examples)
    assert finder.wholes(state) == tuple(map(fold_words, parts))
    assert finder.heading(state) == rule.heading
    assert finder.heading(section.id) == section.heading
    assert finder.is_heading(section.heading.upper())
    assert not finder.is_heading("zebra")
    held = base.reader.states_of(3)
    for _ in range(2):  # the second answer is remembered
        assert [finder.order(3)[number] for number in held] == [*range(len(held))]
    assert finder.count == len(base.editions)


def test_letters(finder: Identifier) -> None:
    """Letters are looked for anywhere in any text, whatever their case."""
    assert finder.texts.have_letters("TIDE chec")
    assert not finder.texts.have_letters("zebra")


def test_same_texts_again(base: KnowledgeBase, finder: Identifier) -> None:
    """A second search for the same texts costs nothing."""
    texts = loose(iter(bodies(base)))
    quotations = finder.find(texts)
    compared = finder.compared

    again = finder.find(texts)

    assert compared
    assert finder.compared == compared
    assert again == quotations


def test_many_comparisons(
    base: KnowledgeBase, finder: Identifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond a limit of comparisons, the finder leaves texts out and names them."""
    monkeypatch.setattr(quotation_search, "_MOST_COMPARISONS", 20)

    quotations = finder.find(loose(iter(bodies(base))))

    most = max(len(quotation.states) for quotation in quotations)
    assert finder.left_out
    assert finder.compared <= 20 + len(bodies(base))
    assert most
    assert not any(quotation.states for quotation in quotations[-3:])


def test_words_of_an_index(base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an index, the finder finds the same texts as without."""
    scanned, indexed = Identifier(base.reader), Identifier(base.reader)
    texts = loose(iter([*bodies(base), "ight the lam", "a keeper trims the wick"]))
    expected = scanned.find(texts)

    monkeypatch.setattr("variorum_kb.answers.quotations.quotation_texts._SCANNED", 0)

    assert indexed.find(texts) == expected


@pytest.mark.slow
def test_page_of_made_up_rules(base: KnowledgeBase, sample_base: Path) -> None:
    """A page of invented rules is from no edition; the answer says how many texts were searched for."""
    page = "\n".join(f"<p>{text}</p>" for text in made_up(base, 600))
    data = f"<html><body>{page}</body></html>".encode()

    answer = identify(base, data, "page.html")

    assert not answer["candidates"]
    (note,) = answer["evidence"]
    assert note.endswith(
        "texts were not looked for: of 500 others hardly one stands in any edition"
    )
    result = CliRunner().invoke(main, ["--kb", str(sample_base), "identify", "-"], input=data)
    assert note in result.output
