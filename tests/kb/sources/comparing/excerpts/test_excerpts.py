"""Documents that quote rules are dated by their words and checked, with the sample rulebook."""

import re

import pytest

from tests.support.excerpts import excerpt
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.recognise_kind import read_partial

NUMBERS = ("511", "511.1", "511.2", "511.3", "600.4a")


def attest(base: KnowledgeBase, text: str) -> Attested:
    """Attest a text."""
    return attest_excerpt(base, read_partial(text.encode(), "a.txt"), "a.txt")


def span(base: KnowledgeBase, attested: Attested) -> tuple[str, str]:
    """Return the first and the last edition that a document can come from."""
    assert attested.first is not None
    assert attested.last is not None
    return base.editions[attested.first].label, base.editions[attested.last].label


def named(attested: Attested, number: str) -> Attestation:
    """Return the passage with a number."""
    (attestation,) = [passage for passage in attested.passages if passage.number == number]
    return attestation


def test_excerpt(base: KnowledgeBase) -> None:
    """An excerpt comes from the editions with exactly its words."""
    attested = attest(base, excerpt(base, "2008-06-20", NUMBERS))

    assert span(base, attested) == ("2006-03-01", "2008-06-20")
    assert (attested.layout, attested.matched, attested.of) == ("excerpt", 5, 5)
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.AGREES}
    assert [passage.number for passage in attested.passages] == list(NUMBERS)
    assert attested.evidence[1] == (
        "5 of 5 provisions stand word for word in 2006-03-01 to 2008-06-20 and in no other"
    )


def test_every_passage_names_its_provision(base: KnowledgeBase) -> None:
    """A passage has the state that the edition prints under its number."""
    attested = attest(base, excerpt(base, "2008-06-20", NUMBERS))

    for passage in attested.passages:
        (match,) = base.show(passage.number, "2008-06-20")
        assert (passage.provision, passage.edition) == (match.state.id, match.edition.place)


def test_altered_words(base: KnowledgeBase) -> None:
    """Altered passages differ, with the diff; the others still date the document."""
    text = excerpt(base, "2008-06-20", NUMBERS)
    altered = text.replace("600.4a. When", "600.4a. Whenever the moon is full and")

    attested = attest(base, altered)
    result = named(attested, "600.4a")

    assert altered != text
    assert span(base, attested) == ("2003-02-10", "2008-06-20") or attested.matched == 4
    assert result.verdict is PassageVerdict.DIFFERS
    assert "moon" in "".join(words for sign, words in result.pieces if sign == "+")
    assert result.evidence[0] == f"{base.editions[result.edition or 0].label} says otherwise"
    assert 0.8 < result.likeness < 1


def test_nothing_word_for_word(base: KnowledgeBase) -> None:
    """If every passage is altered, the document is dated by similarity."""
    text = excerpt(base, "2008-06-20", ["511.1", "511.2", "600.4a"])
    altered = re.sub(r"(\d\. )(\w+ )", r"\1Zebra \2", re.sub(r"4a\. ", "4a. Zebra ", text))

    attested = attest(base, altered)

    assert attested.matched == 0
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.DIFFERS}
    first, last = span(base, attested)
    assert first <= "2008-06-20" <= last


def test_fragment(base: KnowledgeBase) -> None:
    """If a fragment begins in mid-rule, the number is supplied and marked."""
    whole = excerpt(base, "2008-06-20", NUMBERS[1:])
    cut = re.sub(r"^511\.1\. (?:\S+ ){6}", "", whole)

    first, *others = attest(base, cut).passages

    assert (first.number, first.supplied, first.verdict) == ("", "number", PassageVerdict.AGREES)
    assert first.evidence == ("number supplied by 2008-06-20: 511.1",)
    assert {attestation.supplied for attestation in others} == {""}


def test_no_numbers_at_all(base: KnowledgeBase) -> None:
    """If all numbers are lost, all are supplied."""
    texts = [base.show(number, "2008-06-20")[0].text for number in ("511.1", "511.2", "600.4a")]

    attested = attest(base, "\n\n".join(texts) + "\n")

    assert attested.matched == attested.of == 3
    assert attested.last is not None
    label = base.editions[attested.last].label
    supplied = [passage.evidence[0].rpartition(": ")[2] for passage in attested.passages]
    heirs = [
        base.subject(number, "2008-06-20").where(base.edition(label))
        for number in ("511.1", "511.2", "600.4a")
    ]
    assert supplied == [heir["new"][0] for heir in heirs]
    assert {passage.supplied for passage in attested.passages} == {"number"}


def test_headless_glossary(base: KnowledgeBase) -> None:
    """Definitions without headwords get them from the edition."""
    entries = [
        provision for provision in base.provisions("2010-01-22") if provision.kind == "glossary"
    ][3:9]
    rules = excerpt(base, "2010-01-22", ["705.1", "705.2", "705.3"])
    text = rules + "\nGlossary\n\n" + "\n\n".join(entry.text for entry in entries) + "\n"

    attested = attest(base, text)
    some = [passage for passage in attested.passages if passage.kind == "glossary definition"]

    assert {attestation.verdict for attestation in some} == {PassageVerdict.AGREES}
    assert {attestation.supplied for attestation in some} == {"headword"}
    assert {attestation.provision for attestation in some} == {entry.state.id for entry in entries}


def test_twins_are_told_by_their_place(base: KnowledgeBase) -> None:
    """If several provisions have the words, the preceding provision decides."""
    order = list(base.provisions("2025-05-30"))
    texts: dict[str, list[int]] = {}
    for place, subject in enumerate(order):
        if len(subject.text.split()) > 5 and not subject.examples:
            texts.setdefault(subject.text, []).append(place)
    twins = [places for places in texts.values() if len(places) > 1]
    assert twins
    place = twins[0][-1]
    text = f"{order[place - 1].text}\n\n{order[place].text}\n\n{order[place + 1].text}\n"

    attested = attest(base, text)

    assert order[place].state.id in {passage.provision for passage in attested.passages}


WIKI = """{{{{CR|{name}|*'''705.''' Flipping a Coin
**'''705.1.''' {words}
}}}}

People who keep lamps like to flip coins before dinner.

[[Category:Coins]]
"""


def test_wiki_page(base: KnowledgeBase) -> None:
    """Quoted rules are checked against the edition that the page names; prose is commentary."""
    words = base.show("705.1", "2010-01-22")[0].text

    attested = attest(base, WIKI.format(name="January 22, 2010", words=words))

    assert (attested.layout, attested.stated) == ("wiki page", "January 22, 2010")
    assert [passage.verdict for passage in attested.passages[:2]] == [PassageVerdict.AGREES] * 2
    assert {passage.verdict for passage in attested.passages[2:]} == {PassageVerdict.COMMENTARY}
    assert {base.editions[passage.edition or 0].label for passage in attested.passages[:2]} == {
        "2010-01-22"
    }
    assert "“January 22, 2010”: 2010-01-22 is of the day it names" in attested.evidence
    assert "2 of 2 provisions agree with 2010-01-22" in attested.evidence


def test_wiki_page_of_another_edition(base: KnowledgeBase) -> None:
    """Words that differ from the named edition are reported, with editions that have them."""
    words = base.show("705.1", "2025-05-30")[0].text
    assert words != base.show("705.1", "2010-01-22")[0].text

    result = named(attest(base, WIKI.format(name="January 22, 2010", words=words)), "705.1")

    assert result.verdict is PassageVerdict.DIFFERS
    assert base.editions[result.edition or 0].label == "2010-01-22"
    assert result.evidence[0] == "2010-01-22 says otherwise"
    assert re.fullmatch(r"agrees with .*2025-05-30", result.evidence[-1])
    assert result.pieces


def test_stated_edition_is_not_here(base: KnowledgeBase) -> None:
    """If the stated edition is missing, the document is compared with the most similar one."""
    words = base.show("705.1", "2010-01-22")[0].text

    attested = attest(base, WIKI.format(name="May 4, 2012—Harbour Nights", words=words))

    assert {passage.verdict for passage in attested.passages[:2]} == {PassageVerdict.AGREES}
    assert any(
        text.startswith("so it is compared with the nearest by words") for text in attested.evidence
    )


def test_same_bytes_same_answer(base: KnowledgeBase) -> None:
    """Equal documents give equal answers."""
    text = excerpt(base, "2008-06-20", NUMBERS)

    assert attest(base, text) == attest(base, text)


def test_cut_in_the_next_headword(base: KnowledgeBase) -> None:
    """A glossary that ends within a headword agrees, and this is reported."""
    entries = [
        provision for provision in base.provisions("2010-01-22") if provision.kind == "glossary"
    ][2:9]
    text = "Glossary\n\n" + "\n\n".join(f"{entry.heading}\n{entry.text}" for entry in entries)
    rules = excerpt(base, "2010-01-22", ["705.1", "705.2", "705.3"])
    following = [
        provision for provision in base.provisions("2010-01-22") if provision.kind == "glossary"
    ][9].heading

    attested = attest(base, f"{rules}\n{text}\n\n{following[:4]}")

    assert {passage.verdict for passage in attested.passages} - {PassageVerdict.AGREES} <= {
        PassageVerdict.UNKNOWN
    }
    assert attested.matched == attested.of


BRIDGE = """101. Trumps

101.1. The dealer shuffles twice and lets the player at the left cut the whole deck.

101.2. Trumps are named before the first trick by whoever won the bidding round.
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BRIDGE, "a.txt: excerpt of other rules: nothing of it stands in any edition"),
        ("702.9. Flying\n", "a.txt: it quotes no words of rules"),
        (
            "{{CR|X|*'''702.2.''' Cards fall from tables when dogs jump up.}}\n[[Category:Dogs]]",
            "a.txt: wiki page of other rules: nothing of it stands in any edition",
        ),
    ],
)
def test_error_other_rules(base: KnowledgeBase, text: str, message: str) -> None:
    """Another game's rules, or none, attest nothing."""
    with pytest.raises(LayoutError) as caught:
        attest(base, text)

    assert str(caught.value) == message


def test_asides(base: KnowledgeBase) -> None:
    """Text among rules that resembles none of them is reported as no provision."""
    text = excerpt(base, "2008-06-20", NUMBERS)
    attested = attest(
        base, f"Ann asked for these ones yesterday.\n\n{text}\nGreetings from Berlin!\n"
    )

    assert (attested.matched, attested.of) == (5, 5)
    assert span(base, attested) == ("2006-03-01", "2008-06-20")
    first, last = attested.passages[0], attested.passages[-1]
    assert (first.verdict, first.evidence) == (
        PassageVerdict.UNKNOWN,
        ("stands among rules, like none of them",),
    )
    assert (last.number, last.verdict) == ("600.4a", PassageVerdict.AGREES)
    assert last.evidence == ("what stands behind it is not of it: “Greetings from Berlin!”",)


@pytest.mark.parametrize(("count", "end"), [(10, ""), (11, " …")])
def test_long_aside(base: KnowledgeBase, count: int, end: str) -> None:
    """If words after a rule do not belong to it, the first ten are shown."""
    words = ["Greetings", "from", *(f"harbour{place}" for place in range(2, count))]
    text = excerpt(base, "2008-06-20", NUMBERS)

    attested = attest(base, f"{text}\n{' '.join(words)}\n")

    assert attested.passages[-1].evidence == (
        f"what stands behind it is not of it: “{' '.join(words[:10])}{end}”",
    )


def test_rules_that_run_on(base: KnowledgeBase) -> None:
    """A one-line page without numbers is split where other provisions begin."""
    numbers = ("600.1", "600.2", "600.3", "600.4")
    shown = [base.show(number, "2008-06-20")[0].text for number in numbers]
    attested = attest(base, " ".join(shown) + "\n")

    assert (attested.matched, attested.of) == (4, 4)
    assert {(passage.verdict, passage.supplied) for passage in attested.passages} == {
        (PassageVerdict.AGREES, "number")
    }
    assert [passage.words for passage in attested.passages] == shown


def test_heading_set_as_words(base: KnowledgeBase) -> None:
    """A keyword rule's heading agrees even if a page prints it as text."""
    (rule,) = base.show("702.9", "2025-05-30")
    below = excerpt(base, "2025-05-30", ["702.9a", "702.9b"])
    attested = attest(base, f"702.9\n{rule.heading}\n\n{below}")

    assert (rule.heading, rule.text) == ("Undertow", "")
    assert [(passage.number, passage.verdict) for passage in attested.passages] == [
        ("702.9", PassageVerdict.AGREES),
        ("702.9a", PassageVerdict.AGREES),
        ("702.9b", PassageVerdict.AGREES),
    ]


def test_error_many_other_rules(base: KnowledgeBase) -> None:
    """If many rules are unknown, the output says how many got only an exact search."""
    words = "The bridge opens for boats of seven masts when the third bell rings"
    text = "\n\n".join(f"900.{number}. {words} at {number}." for number in range(1, 71))

    with pytest.raises(LayoutError) as caught:
        attest(base, text)

    assert str(caught.value) == (
        "a.txt: excerpt of other rules: nothing of it stands in any edition; "
        "10 passages were looked for word for word alone"
    )
