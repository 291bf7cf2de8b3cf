"""Rulings pages of the sample rulebook, compared with its editions."""

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from tests.kb.sources.reading.pages import COLLECTION
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.rulings.rulings import attest_rulings
from variorum_kb.sources.recognise_kind import read_partial

STAMP = "This search based on the March 17, 2012 release of the Rulings.\n"


def page(
    base: KnowledgeBase,
    numbers: Sequence[str],
    claims: Mapping[str, str],
    edition: str = "2010-01-22",
    examples: str = "2006/03/01",
) -> str:
    """Print provisions like a rulings page: wrapped, with the days of their last change."""
    lines = [STAMP]
    for number in numbers:
        (subject,) = base.show(number, edition)
        if not subject.text:
            lines.append(f"{number} - {subject.heading}")
            continue
        claim = f" [CompRules {claims[number]}]" if number in claims else ""
        lines.append(_wrapped(f"  {number} - {subject.text}{claim}"))
        lines += [_wrapped(f"    Example: {x} [CompRules {examples}]") for x in subject.examples]
    return "\n".join([*lines, "", f"    {STAMP}"])


def _wrapped(text: str) -> str:
    plain = text.translate(str.maketrans("“”’", '""\''))
    return textwrap.fill(plain, 78, subsequent_indent="    ", break_on_hyphens=False)


def attested(base: KnowledgeBase, text: str) -> Attested:
    """Compare a page with the sample rulebook."""
    return attest_rulings(base, read_partial(text.encode(), "page.txt"), "page.txt")


def of(value: Attested, number: str) -> Attestation:
    """Return the passage with a number."""
    (attestation,) = [passage for passage in value.passages if passage.number == number]
    return attestation


COIN = ["705", "705.1", "705.2", "705.3"]
FAR = ["800", "800.1", "800.4a", "800.4b", "100.2"]


def test_page(base: KnowledgeBase) -> None:
    """A page is dated by its words and its stated day, and each rule is found."""
    result = attested(base, page(base, COIN + FAR, {"705.1": "2010/01/22"}))

    assert result.layout == "rulings page"
    assert result.stated == "based on the March 17, 2012 release"
    assert (result.first, result.last, result.matched, result.of) == (4, 4, 9, 9)
    assert result.evidence[1:] == ("9 of 9 rules and headings stand in 2010-01-22",)
    (rule,) = base.show("705.1", "2010-01-22")
    attestation = of(result, "705.1")
    assert (attestation.kind, attestation.provision, attestation.edition) == (
        "rule",
        rule.state.id,
        4,
    )
    assert (attestation.verdict, attestation.claimed, attestation.source) == (
        PassageVerdict.BY_NUMBER,
        "2010-01-22",
        "CompRules",
    )
    assert (attestation.likeness, attestation.confidence, attestation.pieces) == (1.0, 1.0, ())
    assert attestation.evidence == (
        "2010-01-22 has its words",
        (
            "2010-01-22: confirmed (number): the words stand since 1999-05-14 as glossary: Flip a "
            "Coin; the number since 2010-01-22; no earlier edition is here; 2010-01-22: 511.1 became "
            "705.1"
        ),
    )
    assert of(result, "705").verdict is PassageVerdict.AGREES
    assert of(result, "705.2").verdict is PassageVerdict.AGREES


@pytest.mark.parametrize(
    ("number", "day", "verdict"),
    [
        ("705.1", "2006/03/01", PassageVerdict.BY_NUMBER),
        ("800.1", "2006/03/01", PassageVerdict.BY_WORDS),
        ("705.1", "2010/01/10", PassageVerdict.BY_NUMBER),
        ("705.1", "2008/06/20", PassageVerdict.CONTRADICTED),
        ("705.1", "2003/02/10", PassageVerdict.CONTRADICTED),
        ("705.1", "2015/04/17", PassageVerdict.CONTRADICTED),
        ("705.1", "2009/06/01", PassageVerdict.UNKNOWN),
        ("705.1", "2010", PassageVerdict.AGREES),
        ("100.2", "2003/02/10", PassageVerdict.BY_WORDS),
        ("100.2", "2010/01/22", PassageVerdict.BY_WORDS),
        ("800.4b", "2006/03/01", PassageVerdict.BY_WORDS),
        ("800.4b", "2010/01/22", PassageVerdict.BY_NUMBER),
    ],
)
def test_claims(base: KnowledgeBase, number: str, day: str, verdict: PassageVerdict) -> None:
    """The claims of a page are checked against the editions."""
    result = attested(base, page(base, COIN + FAR, {number: day}))

    assert of(result, number).verdict is verdict


@pytest.mark.parametrize("source", ["CR", "C.R.", "Comp. Rules"])
def test_short_sources(base: KnowledgeBase, source: str) -> None:
    """A day is checked under any name of the rules."""
    for day in ("2006/03/01", "2008/06/20"):
        text = page(base, COIN + FAR, {"705.1": day})
        attestation = of(attested(base, text.replace("[CompRules", f"[{source}")), "705.1")

        assert attestation.verdict is of(attested(base, text), "705.1").verdict
        assert (attestation.claimed, attestation.source) == (day.replace("/", "-"), source)


def test_examples(base: KnowledgeBase) -> None:
    """Each example has its own day; if one is contradicted, the whole rule is."""
    claims = {"800.4a": "2010/01/22"}
    good = of(attested(base, page(base, COIN + FAR, claims)), "800.4a")
    bad = of(attested(base, page(base, COIN + FAR, claims, examples="2008/06/20")), "800.4a")

    (rule,) = base.show("800.4a", "2010-01-22")
    assert good.words.split("\n")[1] == rule.examples[0].replace("’", "'")
    assert (good.verdict, good.claimed) == (PassageVerdict.BY_NUMBER, "2010-01-22")
    assert (bad.verdict, bad.claimed) == (PassageVerdict.CONTRADICTED, "2008-06-20")
    assert bad.evidence[-1] == (
        "example 1, 2008-06-20: contradicted: the words stand since 2006-03-01 as 600.4a; the "
        "number since 2010-01-22; 2003-02-10 has no such provision; words and number are the same "
        "in 2006-03-01 and 2008-06-20"
    )


def test_other_settings(base: KnowledgeBase) -> None:
    """A page gives the same result as one line, as HTML and with other line ends."""
    text = page(base, COIN + FAR, {"705.1": "2010/01/22", "705.3": "2008/06/20"})
    expected = attested(base, text)
    others = [
        " ".join(text.split()),
        text.replace("\n", "\n\n"),
        f"{text}\n |  |  |\n\nThe Coin is a trademark of the Mint.\n",
        text.replace("\n", "\r\n"),
        f"<html><body><pre>{html.escape(text)}</pre></body></html>",
        f"<html><body>{html.escape(text).replace(chr(10), '<br>')}</body></html>",
    ]

    for item in others:
        result = attested(base, item)
        assert [replace(passage, line=0) for passage in result.passages] == [
            replace(passage, line=0) for passage in expected.passages
        ]
        assert (result.first, result.last, result.evidence[1:]) == (4, 4, expected.evidence[1:])
    assert attested(base, text) == expected


def test_altered_words(base: KnowledgeBase) -> None:
    """Words of no edition differ from the nearest edition, whatever the page claims."""
    text = page(base, COIN + FAR, {"705.1": "2006/03/01", "800.4a": "2006/03/01"})
    altered = text.replace("tosses", "throws").replace("This happens at once", "It happens later")

    result = attested(base, altered)

    attestation = of(result, "705.1")
    assert (attestation.verdict, attestation.claimed, result.matched) == (
        PassageVerdict.DIFFERS,
        "2006-03-01",
        7,
    )
    assert 0.9 < attestation.likeness < 1
    assert ("-", "tosses ") in attestation.pieces
    assert ("+", "throws ") in attestation.pieces
    assert of(result, "800.4a").evidence[0] == "2010-01-22 has other words"
    assert of(result, "800.4a").evidence[1].startswith("example 1, 2006-03-01: confirmed (words): ")


def test_other_numbers(base: KnowledgeBase) -> None:
    """Words that an edition has under another number are found, and the answer says so."""
    text = page(base, COIN + FAR, {"705.2": "2010/01/22"}).replace("705.2 -", "705.9 -")

    attestation = of(attested(base, text), "705.9")

    assert attestation.verdict is PassageVerdict.CONTRADICTED
    assert attestation.evidence[1] == "there it is 705.2"
    assert "no edition found prints them as 705.9" in attestation.evidence[2]


def test_headings(base: KnowledgeBase) -> None:
    """Another heading differs; the heading of an unknown number is unknown."""
    text = page(base, COIN + FAR, {})
    second = attested(base, text.replace("705 - ", "705 - Not "))
    nowhere = attested(base, text.replace("705 - ", "777 - "))

    assert of(second, "705").verdict is PassageVerdict.DIFFERS
    assert of(second, "705").pieces[0] == ("+", "Not ")
    assert of(nowhere, "777").verdict is PassageVerdict.UNKNOWN
    assert of(nowhere, "777").evidence == ("no edition has this heading as 777",)


def test_cut_off(base: KnowledgeBase) -> None:
    """If a page ends within a rule, the rule agrees as far as it goes."""
    text = page(base, COIN, {"705.1": "2006/03/01"})
    cut = text[: text.index("any other means") + 12]

    attestation = of(attested(base, cut), "705.3")

    assert attestation.verdict is PassageVerdict.AGREES
    assert attestation.evidence == ("2010-01-22 has its words", "it breaks off")


def test_rulings(base: KnowledgeBase) -> None:
    """Rulings belong to the rule that they name, or that they are below."""
    text = page(base, COIN, {"705.1": "2006/03/01"}).replace(
        "  705.3 -",
        "  705.2.Ruling.1 - A coin that rolls away is tossed again. [D'Angelo 2007/03/11]\n"
        "  Note - Also see Rule 606.6.\n"
        "  705.8.Ruling.1 - A coin is round. [Aahz 1997/03/17] It shines. [D'Angelo 1998/03/17]\n"
        "  705.3 -",
    )

    result = attested(base, text)

    (rule,) = base.show("705.2", "2010-01-22")
    ruling = of(result, "705.2.Ruling.1")
    assert (ruling.kind, ruling.verdict, ruling.provision, ruling.edition) == (
        "ruling",
        PassageVerdict.RULING,
        rule.state.id,
        4,
    )
    assert (ruling.claimed, ruling.source) == ("2007-03-11", "D'Angelo")
    assert ruling.evidence == ("it names 705.2, as 2010-01-22 has it",)
    note = of(result, "")
    assert (note.provision, note.confidence) == (rule.state.id, 0.8)
    lost = of(result, "705.8.Ruling.1")
    assert (lost.verdict, lost.provision, lost.source) == (PassageVerdict.RULING, None, "D'Angelo")
    assert lost.evidence == (
        "it names Aahz 1997/03/17, too",
        "no 705.8 in the edition that the page is from",
    )


def test_rule_of_another_source(base: KnowledgeBase) -> None:
    """A rule's own words with another source's claim are that rule, and its day is not checked."""
    text = page(base, COIN, {"705.1": "2006/03/01", "705.2": "2006/03/01"})
    second = text.replace("705.2 - ", "705.2 - ", 1)
    place = second.index("[CompRules", second.index("705.2 -"))
    second = second[:place] + second[place:].replace("CompRules", "D'Angelo", 1)

    attestation = of(attested(base, second), "705.2")

    assert (attestation.kind, attestation.verdict, attestation.source) == (
        "rule",
        PassageVerdict.AGREES,
        "D'Angelo",
    )


def test_without_a_day(base: KnowledgeBase) -> None:
    """A page without a day can come from any edition with its words."""
    text = page(base, COIN, {"705.1": "2006/03/01"}, "2022-02-11").replace(STAMP, "")

    result = attested(base, text)

    assert (result.first, result.last) == (7, 8)
    assert result.evidence[1] == (
        "4 of 4 rules and headings stand in each of 2 editions from 2022-02-11 to 2025-05-30"
    )


def test_collection(base: KnowledgeBase) -> None:
    """A collection with its own numbers is kept, but linked to no rule."""
    result = attested(base, COLLECTION)

    assert result.layout == "rulings collection"
    assert (result.first, result.last, result.matched, result.of) == (None, None, 0, 0)
    assert {passage.verdict for passage in result.passages} == {PassageVerdict.RULING}
    assert {passage.provision for passage in result.passages} == {None}
    assert result.evidence[-1] == "the latest day that it names is 1998-08-20"


GAME = STAMP + (
    "705 - Flipping a Coin\n"
    "  705.1 - The dealer shuffles twice before the first trick. [CompRules 2006/03/01]\n"
    "  705.2 - Trumps are named by whoever sits on the left. [CompRules 2006/03/01]\n"
    "  705.9 - Kings beat queens. [CompRules 2006/03/01]\n"
)


def test_error_another_game(base: KnowledgeBase) -> None:
    """The rules of another game attest nothing, whatever their numbers and headings."""
    with pytest.raises(LayoutError) as caught:
        attested(base, GAME)

    assert str(caught.value) == "page.txt: nothing of it stands in any edition"
