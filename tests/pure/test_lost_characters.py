"""Lost characters are found and, if their place proves them, restored."""

import pytest

from tests.support.edition_texts import RULES, page
from variorum.model import Condition, Irregular
from variorum.reading.edition import read_edition


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("A boat ? or two ? float.", ["—", "—"]),
        ("A boat?or two?floats.", ["—", "—"]),
        # Where real dashes are printed, it stands for none.
        ("A boat — a red ? boat.", []),
        ("a?b — turns.", [""]),
        ("A boat – a red ? boat.", []),
        ('Say "one ?," or "two ?"', ["—", "—"]),
        ("A boat of (20 ? 13) feet.", ["-"]),
        ("The UngluedT boat, the Magicr lamp, a T.", ["™", "®"]),
        ("See rules 101.1a?b.", ["–"]),
        ("See rules 101.1?2 and 101.1a?2.", ["–", "–"]),
        ("Is it a boat? It is.", []),
        ('"What floats?" she asked.', []),
        ("See www.boats.example/?x=1 or http://a.b/c?d=e.", []),
        ("Copyright ?2020 Nobody.", ["©"]),
        ("The Harborlight? game.", [""]),
    ],
)
def test_question_marks(words: str, meant: list[str]) -> None:
    """A question mark inside words stands for a dash; beside a year, for a sign (2008-05-01)."""
    edition = read_edition(page(rules=RULES.replace("The tide turns.", words)), "a.txt")

    (provision,) = (p for p in edition.provisions if p.address == "100.2")
    assert [irregularity.meant for irregularity in provision.irregularities] == meant
    assert all(
        provision.text[irregularity.start] in "?Tr" for irregularity in provision.irregularities
    )
    assert edition.condition is Condition.SOUND


def test_offsets_go_on_into_examples() -> None:
    """Offsets count the text first, then the examples, with a line feed between them."""
    rules = RULES.replace("lights a lamp", "lights ? a lamp")

    edition = read_edition(page(rules=rules), "a.txt")

    (provision,) = (p for p in edition.provisions if p.address == "100.2")
    (odd,) = provision.irregularities
    assert "\n".join([provision.text, *provision.examples])[odd.start :].startswith("? a lamp")


def test_signs_in_a_text_with_dashes() -> None:
    """If dashes are printed, question marks stand for other signs, so the copy is lossy."""
    rules = RULES.replace("The tide turns.", "The tide — the Harborlight? game — turns. " * 6)

    edition = read_edition(page(rules=rules), "a.txt")

    assert edition.condition is Condition.LOSSY
    assert edition.notes == ("lost signs, such as the registered sign, replaced by ?: 6",)


def test_replacement_characters() -> None:
    """U+FFFD is counted and recorded; the lost character is not guessed."""
    rules = RULES.replace("The tide turns.", "A keeper\N{REPLACEMENT CHARACTER}s tide.")

    edition = read_edition(page(rules=rules), "a.txt")

    (provision,) = (p for p in edition.provisions if p.address == "100.2")
    assert [
        (irregularity.kind, irregularity.meant, irregularity.start)
        for irregularity in provision.irregularities
    ] == [(Irregular.LOST_CHARACTER, "", 8)]
    assert edition.condition is Condition.LOSSY
    assert edition.notes == ("lost characters, replaced by U+FFFD: 1",)
