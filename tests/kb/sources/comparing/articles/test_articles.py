"""Prose about the sample rulebook's game is linked with rules, and dated."""

from datetime import date

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.articles.articles import (
    attest_article,
    attest_prose,
    short_quotation,
)
from variorum_kb.sources.comparing.articles.topics import EditionTopics
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.reading.passages.passages import PassageKind, SourceLayout
from variorum_kb.sources.recognise_kind import read_partial

WALKS_AWAY = """When a Keeper Walks Away

Today I want to tell you what happens when somebody leaves a game of three or more keepers. You
see it every week: one lighthouse goes dark, and nobody knows what to do with the boats.

The first thing: when a player leaves the game, all cards they own leave the game with them, at
once. It isn't a tide check, so nobody gets to answer. If you had borrowed a trawler, it is gone.

Next come the flags which the player still controls on the mast and doesn't own. Those flags are
struck, and boats of somebody else go back to their owners. The oil left in the tank is lost.

What if it was the turn of the active player who leaves? Their turn goes on without them until
dusk. That surprises everybody, and it is still right.

My cousin did not believe me, and he bakes better bread than anybody else on the whole coast, with
raisins and a pinch of cinnamon.

Wilma Brandt, judge of the northern shore
"""
COINS = """Questions From the Harbor

By Otto Quill

Posted May 3, 2016

I am asked about coins again and again. {}

Do you want to know about bread, too? My aunt will tell you.
"""
BREAD = """How I bake bread

By Otto Quill

Today I want to tell you how I bake my bread. You need flour and water, and you must wait.

I turn the loaf once. You can do so, too, but only if a player of the harp is near.
"""
DRAUGHTS = """Draws and losses at draughts

By Otto Quill

What happens when neither player can win the game? You may be surprised, but I have seen it.

A player who can't move loses the game. You can't pass your turn if your opponent has a piece left.

A player may concede at any time. You lose the game at once when you do, and nothing can stop it.
"""


def attest(base: KnowledgeBase, text: str) -> Attested:
    """Read and attest an article."""
    partial = read_partial(text.encode(), "a.txt")
    assert partial.layout is SourceLayout.ARTICLE
    return attest_article(base, partial, "a.txt")


def numbers(base: KnowledgeBase, attested: Attested) -> list[str]:
    """Return the number that each passage is about; "" without one."""
    return [number_of(base, passage) for passage in attested.passages]


def number_of(base: KnowledgeBase, attestation: Attestation) -> str:
    """Return the number of the provision that a passage is about; "" without one."""
    return (
        ""
        if attestation.provision is None
        else base.texts.rows([attestation.provision])[attestation.provision].number
    )


def test_paragraphs_are_linked(base: KnowledgeBase) -> None:
    """Each paragraph is linked to the rule it discusses, though it cites none."""
    attested = attest(base, WALKS_AWAY)

    assert numbers(base, attested) == ["800.4", "800.4a", "800.4b", "800.4c", ""]
    assert attested.title == "When a Keeper Walks Away"
    assert attested.author == "Wilma Brandt, judge of the northern shore"
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.COMMENTARY}
    assert {passage.kind for passage in attested.passages} == {PassageKind.PROSE.value}
    assert all(passage.confidence >= 0.75 for passage in attested.passages[:-1])
    assert attested.passages[1].evidence[0].startswith("shares with rule 800.4a: ")
    assert attested.passages[1].evidence[1] == "4 of 5 paragraphs are near rule 800.4"


def test_new_words(base: KnowledgeBase) -> None:
    """An article is not older than new words that it uses several times."""
    more = (
        "You can't use flare in the bay before a boat sails, and the moon moves to the next seat. "
        "A boat with flare in the bay waits."
    )
    attested = attest(base, WALKS_AWAY.replace("My cousin", f"{more}\n\nMy cousin"))

    assert attested.first is not None
    assert base.editions[attested.first].label == "2010-01-22"
    assert attested.last == len(base.editions) - 1
    assert "“bay” is common from 2010-01-22 on" in attested.evidence


def test_stated_day(base: KnowledgeBase) -> None:
    """The day stated in an article dates it to the edition in force."""
    attested = attest(base, COINS.format("Rule 705.2 tells you that nobody wins a flip."))

    assert attested.dated == "2016-05-03"
    assert attested.first == attested.last
    assert base.editions[attested.first or 0].label == "2015-04-17"
    assert "says it is of 2016-05-03: the edition of 2015-04-17 was in force" in attested.evidence
    assert attested.passages[0].edition == attested.first


def test_stated_day_before_all_editions(base: KnowledgeBase) -> None:
    """An article older than the first edition gets no edition."""
    text = COINS.format("Whoever wins the flip is told by rule 218.1, if the coin is flipped.")
    with_day = text.replace("2016", "1996")

    attested = attest(base, with_day)

    assert (attested.first, attested.last, attested.dated) == (None, None, "1996-05-03")
    assert "says it is of 1996-05-03, before the first edition" in attested.evidence


def test_citations(base: KnowledgeBase) -> None:
    """A cited number outweighs a paragraph's words; an unknown number is reported."""
    cites = "Don't forget rule 999.9, or rules 702.3a-b about drift, and the open sea."
    attested = attest(base, COINS.format(cites))

    first, second, attestation = attested.passages
    assert (first.number, number_of(base, first), first.confidence) == ("702.3a", "702.3a", 0.98)
    assert (second.number, second.provision, second.confidence) == ("999.9", None, 0.0)
    assert second.evidence == ("cites 999.9, which no edition of its time has",)
    assert attestation.provision is None


def test_quotation_agrees(base: KnowledgeBase) -> None:
    """A correct quotation in an article is reported with its number."""
    (rule,) = base.show("705.2", "2015-04-17")
    attested = attest(base, COINS.format(f"Rule 705.2 says, “{rule.text}” You can't be clearer."))

    (quoted,) = [passage for passage in attested.passages if passage.kind == PassageKind.TEXT.value]
    assert quoted.verdict is PassageVerdict.AGREES
    assert (quoted.number, quoted.provision, quoted.likeness) == ("705.2", rule.state.id, 1.0)
    assert quoted.evidence == ("the edition of 2015-04-17 says this in rule 705.2",)
    assert (attested.matched, attested.of) == (1, 1)


def test_quotation_differs(base: KnowledgeBase) -> None:
    """A wrong quotation in an article is shown with the changed words."""
    (rule,) = base.show("705.2", "2015-04-17")
    wrong = rule.text.replace("tossed", "thrown")
    attested = attest(base, COINS.format(f"I was told “{wrong}” (rule 705.2) by you."))

    (quoted,) = [passage for passage in attested.passages if passage.kind == PassageKind.TEXT.value]
    assert quoted.verdict is PassageVerdict.DIFFERS
    assert [piece for piece in quoted.pieces if piece[0] != "="] == [
        ("-", "tossed "),
        ("+", "thrown "),
    ]
    assert 0.9 < quoted.likeness < 1
    assert (attested.matched, attested.of) == (0, 1)


def test_quotation_without_number(base: KnowledgeBase) -> None:
    """A rule quoted without its number is found; common phrases are no quotation."""
    (rule,) = base.show("705.2", "2015-04-17")
    message = f"They say, “{rule.text}” I say, “Nobody ever told me that before today.”"
    attested = attest(base, COINS.format(f"{message} See rule 705.1 about who wins the flip."))

    quoted = [passage for passage in attested.passages if passage.kind == PassageKind.TEXT.value]
    assert [attestation.verdict for attestation in quoted] == [PassageVerdict.AGREES]
    assert number_of(base, quoted[0]) == "705.2"


def test_numbered_paragraphs(base: KnowledgeBase) -> None:
    """A paragraph that begins with a number quotes the rule, or is about it."""
    (rule,) = base.show("705.2", "2015-04-17")
    letters = (
        "You asked me about coins in so many letters that I can't answer all of you, "
        "and I want to tell you that I like your letters more than my supper. " * 3
    )
    sentence = "You always forget this one, since you call the side when the flip is over."
    text = COINS.format(f"{letters}\n\n705.2. {rule.text}\n\n705.1. {sentence}")

    quoted, spoken = [passage for passage in attest(base, text).passages if passage.number]

    assert (quoted.kind, quoted.verdict) == (PassageKind.RULE.value, PassageVerdict.AGREES)
    assert (quoted.number, quoted.provision) == ("705.2", rule.state.id)
    assert (spoken.kind, spoken.verdict) == (PassageKind.PROSE.value, PassageVerdict.COMMENTARY)
    assert (spoken.number, number_of(base, spoken)) == ("705.1", "705.1")


def test_quotation_tells_the_time(base: KnowledgeBase) -> None:
    """An undated article is dated by quoted words with their number."""
    (rule,) = base.show("103.1", "2017-11-10")
    (later,) = base.show("103.1", "2022-02-11")
    message = COINS.format(f"Rule 103.1 says, “{rule.text}” You shuffle before I do.")

    attested = attest(base, message.replace("Posted May 3, 2016\n\n", ""))

    assert rule.text != later.text
    assert base.editions[attested.last or 0].label == "2017-11-10"
    assert attested.passages[0].edition == attested.last
    assert attested.evidence[1].startswith("quotes 103.1 as editions from ")


def test_number_of_several_provisions(base: KnowledgeBase) -> None:
    """Of several bearers of a number, the one with similar words is meant."""
    drift = COINS.format("I forgot 702.3a, about the drift of your boat to the open sea at dusk.")
    undated = drift.replace("Posted May 3, 2016\n\n", "")

    passage = attest(base, undated).passages[0]

    assert (passage.number, passage.confidence) == ("702.3a", 0.9)
    assert "provisions bore this number in its time: told apart by its words" in passage.evidence[1]
    row = base.texts.rows([passage.provision or 0])[passage.provision or 0]
    assert "Drift" in row.body


def test_rule_told_twice(base: KnowledgeBase) -> None:
    """A rule that another section repeats is linked; the evidence names the other one."""
    asks = (
        "Do you know what happens when your stores are empty? If you must draw then, you lose the "
        "game: a player who has had to draw from empty stores since the last check loses."
    )

    passage = attest(base, COINS.format(asks)).passages[0]

    assert (number_of(base, passage), passage.confidence) == ("104.2", 0.95)
    assert passage.evidence[1:] == ("rule 704.5b says much the same",)


def test_names_in_examples(base: KnowledgeBase) -> None:
    """Card names in examples link nothing; the examples' other words count little."""
    last = len(base.editions) - 1
    outlines = base.texts.outlines_in(last)
    subjects = EditionTopics(outlines, base.texts.bodies([outline.key for outline in outlines]))

    (example, *_), (rule, *_) = subjects.rank("a rescue"), subjects.rank("the quay")

    assert subjects.rank("Ragged Petrel, Calm Morning, Old Ferryman") == []
    assert (example.number, rule.number) == ("704.4", "508.2")
    assert example.points * 1.5 < rule.points


def test_title_behind_a_number(base: KnowledgeBase) -> None:
    """A title after a number shows the provision meant, even one of another time."""
    (old,) = base.show("705", "2015-04-17")
    cites = f"You find all of that in rule 705, “{old.heading}.” The flip of a coin is a flip."

    passage = attest(base, COINS.format(cites)).passages[0]

    assert (passage.number, passage.provision) == ("705", old.state.id)


def test_one_new_word_is_no_proof(base: KnowledgeBase) -> None:
    """A single word of the next edition does not date an article to it."""
    kindle = (
        "Kindle N makes your flame rise or sink by the difference when this card comes into the bay. Kindle N doubles if "
        "your flame is low. You can see how many instances of kindle each triggers."
    )
    text = COINS.format(kindle).replace("May 3, 2016", "May 20, 2025")

    attested = attest(base, text)

    places = {edition.label: edition.place for edition in base.editions}
    assert attested.first == attested.last == places["2022-02-11"]


@pytest.mark.parametrize("text", [BREAD, DRAUGHTS])
def test_error_other_subject(base: KnowledgeBase, text: str) -> None:
    """An article about bread, or another game, discusses no rule."""
    with pytest.raises(LayoutError) as raised:
        attest(base, text)

    assert str(raised.value) == "a.txt: nothing in it could be linked to a rule"


def test_error_other_rulebook(base: KnowledgeBase) -> None:
    """Numbers alone link nothing, since other rulebooks also have them."""
    with pytest.raises(LayoutError) as raised:
        attest(base, COINS.format("You find the penalty for icing in rule 602.1 of your booklet."))

    assert str(raised.value) == "a.txt: nothing in it could be linked to a rule"


def test_number_of_the_rulebook(base: KnowledgeBase) -> None:
    """A number after the rulebook's name, or CR, needs no other words."""
    attested = attest(base, COINS.format("You find all of that in CR 602.1, my friends."))

    assert [number_of(base, passage) for passage in attested.passages] == ["602.1", ""]


@pytest.mark.slow
def test_error_too_long(base: KnowledgeBase) -> None:
    """Thousands of paragraphs are no article."""
    text = WALKS_AWAY + "\n\n".join(["I tell you once more what I have told you."] * 3001)

    with pytest.raises(LayoutError) as raised:
        attest(base, text)

    assert "paragraphs: too long; an article may have 3000" in str(raised.value)


def test_prose_of_an_edition(base: KnowledgeBase) -> None:
    """Prose on a page with a stated edition is linked to that edition, even by numbers alone."""
    partial = read_partial(COINS.format("See rule 602.1 for all of you.").encode(), "a.txt")
    (place,) = [
        edition.place for edition in base.editions if edition.effective == date(2015, 4, 17)
    ]

    first, second = attest_prose(base, partial.passages, place)

    assert (first.number, number_of(base, first), first.edition) == ("602.1", "602.1", place)
    assert second.provision is None


def test_prose_of_no_edition(base: KnowledgeBase) -> None:
    """Prose without an edition is linked to the last one; without passages, nothing is linked."""
    partial = read_partial(WALKS_AWAY.encode(), "a.txt")

    prose = attest_prose(base, partial.passages, title=partial.title)

    assert prose[0].edition == len(base.editions) - 1
    assert attest_prose(base, ()) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("One two.", "One two."),
        (" ".join(["word"] * 30), " ".join(["word"] * 25) + "…"),
        ("x" * 300, "x" * 158 + "…"),
        (" ".join(["lighthouse,"] * 20), " ".join(["lighthouse,"] * 13)[:-1] + "…"),
    ],
)
def test_short_quotation(text: str, expected: str) -> None:
    """A quotation has at most 25 words and 160 characters."""
    result = short_quotation(text)

    assert result == expected
    assert len(result) <= 160
