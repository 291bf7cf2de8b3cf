"""Glossary entries without the heading of the glossary, with the sample rulebook."""

from collections.abc import Sequence

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation_types import Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.recognise_kind import read_partial

EDITION = "2010-01-22"

SETTINGS = (
    "{headword}: {text}",
    "{headword} — {text}",
    "**{headword}** {text}",
    "{headword}\n{text}",
)


def attest(base: KnowledgeBase, text: str) -> Attested:
    """Attest a text."""
    return attest_excerpt(base, read_partial(text.encode(), "a.txt"), "a.txt")


def entries(base: KnowledgeBase) -> list[tuple[str, str]]:
    """Return some headwords of an edition with their definitions."""
    some = [
        provision
        for provision in base.provisions(EDITION)
        if provision.kind == "glossary" and not provision.examples
    ]
    return [(subject.heading, subject.text) for subject in some[3:9]]


def set_so(setting: str, some: Sequence[tuple[str, str]]) -> str:
    """Return entries, each formatted in one way."""
    return "\n\n".join(setting.format(headword=item, text=text) for item, text in some) + "\n"


@pytest.mark.parametrize("setting", SETTINGS)
def test_headwords_are_printed(base: KnowledgeBase, setting: str) -> None:
    """Printed headwords are compared in any format, and none is supplied."""
    some = entries(base)

    attested = attest(base, set_so(setting, some))

    assert [passage.headword for passage in attested.passages] == [headword for headword, _ in some]
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.AGREES}
    assert {passage.supplied for passage in attested.passages} == {""}
    assert (attested.matched, attested.of) == (len(some), len(some))


@pytest.mark.parametrize("wrong", ["Windmill", "the next one"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_wrong_headword(base: KnowledgeBase, setting: str, wrong: str) -> None:
    """A definition under another headword differs, whether or not the game has that headword."""
    some = entries(base)
    headword = wrong if wrong[0].isupper() else some[2][0]
    changed = [some[0], (headword, some[1][1]), *some[3:]]

    attested = attest(base, set_so(setting, changed))

    passage = attested.passages[1]
    assert (passage.headword, passage.verdict, passage.supplied) == (
        headword,
        PassageVerdict.DIFFERS,
        "",
    )
    assert headword in "".join(words for sign, words in passage.pieces if sign == "+")
    assert (attested.matched, attested.of) == (len(changed) - 1, len(changed))


def test_single_entry(base: KnowledgeBase) -> None:
    """A headword above the only text of a document is not its title."""
    headword, text = entries(base)[0]

    (attestation,) = attest(base, f"{headword}\n{text}\n").passages

    assert (attestation.headword, attestation.verdict, attestation.supplied) == (
        headword,
        PassageVerdict.AGREES,
        "",
    )


def test_entries_behind_rules(base: KnowledgeBase) -> None:
    """Definitions after rules, without the glossary's heading, do not belong to the rules."""
    (rule,) = base.show("705.2", EDITION)
    some = "\n\n".join(f"{headword}\n{text}" for headword, text in entries(base))

    attested = attest(base, f"705.2. {rule.text}\n\n{some}\n")

    assert [passage.kind for passage in attested.passages] == ["rule", *["glossary definition"] * 6]
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.AGREES}
    assert (attested.matched, attested.of) == (7, 7)


@pytest.mark.parametrize("words", ["Example: ", "Cost: ", "Name one side: ", "Note \N{EM DASH} "])
def test_colons_make_no_headword(base: KnowledgeBase, words: str) -> None:
    """Words before a colon or dash alone are no headword."""
    texts = [base.show(number, EDITION)[0].text for number in ("705.1", "705.2")]

    attested = attest(base, f"{words}{texts[0]}\n\n{texts[1]}\n")

    assert {passage.headword for passage in attested.passages} == {""}
