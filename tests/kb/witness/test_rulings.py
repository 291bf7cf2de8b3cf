"""Wrapped lines of a rulings page that look like openings, and whom a claim names."""

import pytest

from variorum_kb.witness.partial import read_partial
from variorum_kb.witness.passages import Partial, PassageKind
from variorum_kb.witness.rulings import names_rules

HEAD = """\
This search based on the April 2, 2009 release of the Rulings.
705 - Turning a Lamp
  705.1 - To turn a lamp, a keeper lifts it and names a side of the bay, and
    every keeper who sits at the table may watch while this is done by her in
    the open (see Rule 606.6a). [CompRules 2005/08/01]
  705.2 - A keeper who is not asked to turn a lamp, or who does not turn it as
"""


def read(rest: str) -> Partial:
    """Read a page whose last rule goes on like this."""
    return read_partial((HEAD + rest).encode(), "page.txt")


@pytest.mark.parametrize(
    "line",
    [
        "+1/+1 counters were turned to her, is a guest of the keeper at the bay.",
        "2. Ann sits here as a guest, or a neighbour of the keeper at the bay.",
        "- if she likes - a guest does, is a neighbour of the keeper at the bay.",
    ],
)
@pytest.mark.parametrize("lead", ["", "\N{BULLET} "])
def test_wrapped_lines(line: str, lead: str) -> None:
    """A wrapped line that begins with a sign or a number goes on with its paragraph."""
    text = HEAD.replace("  705", f"  {lead}705") + f"    {line} [CompRules 2007/02/01]\n"

    found = read_partial(text.encode(), "page.txt")

    last = found.passages[-1]
    (paragraph,) = last.paragraphs
    assert (last.number, last.kind) == ("705.2", PassageKind.RULE)
    assert paragraph.text.endswith(f"does not turn it as {line}")
    (claim,) = paragraph.claims
    assert (claim.start, claim.end) == (0, len(paragraph.text))
    assert found.ledger.is_complete


def test_claims_of_both_parts() -> None:
    """Claims in both parts of a paragraph are about the words behind the one before."""
    found = read(
        "    she is told, is a guest. [CompRules 2005/08/01] A guest who does turn it\n"
        "    +1/+1 times is none of them at the bay, or at the table of the keepers\n"
        "    who asked her. [CompRules 2007/02/01]\n"
    )

    (paragraph,) = found.passages[-1].paragraphs
    said = [paragraph.text[one.start : one.end] for one in paragraph.claims]
    assert said[0].endswith("is a guest.")
    assert said[1].startswith("A guest who does")
    assert said[1].endswith("asked her.")
    assert found.ledger.is_complete


def test_what_follows_a_claim() -> None:
    """Behind a claim, or the end of a sentence, a paragraph begins."""
    found = read(
        "    she is told, is a guest of the keeper. [CompRules 2007/02/01]\n"
        "    Example: Ann turns no lamp, as she was told, and is a guest at the bay.\n"
        "    - She leaves. [CompRules 2007/02/01]\n"
    )

    assert [one.marker for one in found.passages[-1].paragraphs] == ["", "Example:", ""]


@pytest.mark.parametrize("source", ["CompRules", "Comp. Rules", "Comprehensive Rules", "comprules"])
def test_sources(source: str) -> None:
    """The rules are named in several ways."""
    assert names_rules(source)
