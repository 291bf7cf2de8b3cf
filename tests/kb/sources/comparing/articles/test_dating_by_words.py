"""The periods of words, which date an article without links."""

from collections.abc import Iterator

import pytest

from tests.support.small_bases import DAYS, build, edition, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.articles.articles import attest_article
from variorum_kb.sources.comparing.articles.dating_by_words import Dating, Eras
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.reading.passages.passages import SourceLayout
from variorum_kb.sources.recognise_kind import read_partial

_OLD = (
    "comes into play",
    "state-based effect",
    "mana burn",
    "local enchantment",
    "characteristic-setting ability",
)
_NEW = (
    "enters the battlefield",
    "state-based action",
    "unspent mana",
    "characteristic-defining ability",
    "priority",
    "cast spells",
    "activate abilities",
)
_LATEST = (*_NEW, "mana value", "double-faced token")
_PHRASES = [_OLD, _OLD, _NEW, _NEW, _LATEST]
# Each paragraph has too few words of a rule to be linked.
_LETTERS = """Letters

I had four letters this week. Do you still write some, on paper?

The first is from my aunt: is there a {}? I told her that I would think it over.

The second comes from far away, and asks me about {}. Who would have thought of that, I wonder?

The third asks for a {}. I don't have one at home.

The fourth is a recipe for bread, which {}, and I thank you.
"""
_OLD_WORDS = (
    "characteristic-setting ability",
    "mana burn",
    "local enchantment",
    "comes into play at noon",
)
_NEW_WORDS = (
    "characteristic-defining ability",
    "unspent mana",
    "state-based action",
    "enters the battlefield at noon",
)


def _rules(phrases: tuple[str, ...]) -> str:
    """Return three rules for each phrase, since fewer do not count as use."""
    lines = [f"A {noun} knows {phrase}." for phrase in phrases for noun in ("lamp", "boat", "wick")]
    first, *others = lines
    return "\n\n".join([first, *[f"100.{place}. {line}" for place, line in enumerate(others, 4)]])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Return five editions; the third and the fifth have new words."""
    folder = tmp_path_factory.mktemp("eras")
    documents = {
        f"{place}.txt": edition(day, rule=_rules(phrases))
        for place, (day, phrases) in enumerate(zip(DAYS, _PHRASES, strict=True))
    }
    build(folder / "kb", write(folder, documents))
    with KnowledgeBase.open(folder / "kb", today=None) as opened:
        yield opened


def date(base: KnowledgeBase, text: str) -> Dating:
    """Date a text by its words."""
    return Eras(base, text).date()


def attest(base: KnowledgeBase, text: str) -> Attested:
    """Read and attest an article."""
    partial = read_partial(text.encode(), "a.txt")
    assert partial.layout is SourceLayout.ARTICLE
    return attest_article(base, partial, "a.txt")


def test_outvoted_word_is_no_evidence(base: KnowledgeBase) -> None:
    """A new word among many old ones proves nothing, and is not evidence."""
    text = "It comes into play by a state-based effect. Local enchantment! A card has a mana value."

    result = date(base, text)

    assert (result.first, result.last) == (None, 1)
    assert result.came == ()
    assert {setting.words for setting in result.went} == {
        "comes into play",
        "local enchantment",
        "state-based effect",
    }


def test_old_words_are_remembered(base: KnowledgeBase) -> None:
    """Phrases that only the rules use, and that are younger than old words, decide."""
    old = "It comes into play by a state-based effect. Local enchantment! Mana burn!"
    new = "Today it is a state-based action, it enters the battlefield, and unspent mana is lost."

    result = date(base, f"{old} {new}")

    assert (result.first, result.last) == (2, None)
    assert result.went == ()


def test_lone_later_word(base: KnowledgeBase) -> None:
    """A single word from a later period than enough others is not named."""
    text = (
        "It enters the battlefield by a state-based action. Unspent mana! A double-faced token "
        "has priority."
    )

    result = date(base, text)

    assert result.first == 2
    assert [setting.words for setting in result.came if setting.first > 2] == []


@pytest.mark.parametrize(
    ("words", "first", "last"), [(_OLD_WORDS, 0, 1), (_NEW_WORDS, 2, 4)], ids=["old", "new"]
)
def test_dated_without_links(
    base: KnowledgeBase, words: tuple[str, ...], first: int, last: int
) -> None:
    """An article is dated by its words even if no paragraph can be linked."""
    attested = attest(base, _LETTERS.format(*words))

    assert (attested.first, attested.last) == (first, last)
    assert {passage.provision for passage in attested.passages} == {None}
    assert "0 of 5 paragraphs discuss rules that could be told" in attested.evidence


def test_error_words_of_every_game(base: KnowledgeBase) -> None:
    """Words that are also used of wars or other games date no article without links."""
    words = ("way to activate abilities", "wizards who cast spells", "sword")
    text = _LETTERS.format(*words, "enters the battlefield at noon")

    assert date(base, text).first == 2
    with pytest.raises(LayoutError) as raised:
        attest(base, text)

    assert str(raised.value) == "a.txt: nothing in it could be linked to a rule"
