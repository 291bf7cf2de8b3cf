"""Rulings pages: wrapped lines that look like beginnings, and the sources of claims."""

import pytest

from variorum_kb.sources.reading.passages.passages import LineRole, Partial, PassageKind
from variorum_kb.sources.reading.rulings import names_rules
from variorum_kb.sources.recognise_kind import read_partial

HEAD = """\
This search based on the April 2, 2009 release of the Rulings.
705 - Turning a Lamp
  705.1 - To turn a lamp, a keeper lifts it and names a side of the bay, and
    every keeper who sits at the table may watch while this is done by her in
    the open (see Rule 606.6a). [CompRules 2005/08/01]
  705.2 - A keeper who is not asked to turn a lamp, or who does not turn it as
"""


def read(rest: str) -> Partial:
    """Read a page whose last rule continues like this."""
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
    """A wrapped line that begins with a sign or a number continues its paragraph."""
    text = HEAD.replace("  705", f"  {lead}705") + f"    {line} [CompRules 2007/02/01]\n"

    partial = read_partial(text.encode(), "page.txt")

    last = partial.passages[-1]
    (paragraph,) = last.paragraphs
    assert (last.number, last.kind) == ("705.2", PassageKind.RULE)
    assert paragraph.text.endswith(f"does not turn it as {line}")
    (claim,) = paragraph.claims
    assert (claim.start, claim.end) == (0, len(paragraph.text))
    assert partial.ledger.is_complete


def test_claims_of_both_parts() -> None:
    """Each claim of a paragraph is about the words after the claim before it."""
    partial = read(
        "    she is told, is a guest. [CompRules 2005/08/01] A guest who does turn it\n"
        "    +1/+1 times is none of them at the bay, or at the table of the keepers\n"
        "    who asked her. [CompRules 2007/02/01]\n"
    )

    (paragraph,) = partial.passages[-1].paragraphs
    texts = [paragraph.text[claim.start : claim.end] for claim in paragraph.claims]
    assert texts[0].endswith("is a guest.")
    assert texts[1].startswith("A guest who does")
    assert texts[1].endswith("asked her.")
    assert partial.ledger.is_complete


def test_what_follows_a_claim() -> None:
    """A paragraph begins after a claim, or after the end of a sentence."""
    partial = read(
        "    she is told, is a guest of the keeper. [CompRules 2007/02/01]\n"
        "    Example: Ann turns no lamp, as she was told, and is a guest at the bay.\n"
        "    - She leaves. [CompRules 2007/02/01]\n"
    )

    assert [paragraph.marker for paragraph in partial.passages[-1].paragraphs] == [
        "",
        "Example:",
        "",
    ]


@pytest.mark.parametrize(
    "source",
    ["CompRules", "Comp. Rules", "Comprehensive Rules", "comprules", "CR", "C.R.", "The CR"],
)
def test_sources(source: str) -> None:
    """The rules have several names."""
    assert names_rules(source)


@pytest.mark.parametrize("source", ["D'Angelo", "Crane", "CRob", "Rulebook, Page 29"])
def test_other_sources(source: str) -> None:
    """A person or a book is not the rules."""
    assert not names_rules(source)


def test_broken_claims() -> None:
    """A claim that is wrapped over two lines is one claim, even after a short line."""
    partial = read("    told, is a guest. [CompRules\n    2007/02/01]\n")

    (paragraph,) = partial.passages[-1].paragraphs
    (claim,) = paragraph.claims
    assert paragraph.text.endswith("told, is a guest.")
    assert (claim.words, claim.end) == ("[CompRules 2007/02/01]", len(paragraph.text))
    assert partial.ledger.is_complete


# The foot of a page
# --------------------------------------------------------------------------------

REST = "    she is told, is a guest of the keeper. [CompRules 2007/02/01]\n"
CLOSING = "\n    This search based on the April 2, 2009 release of the Rulings.\n"
OWNER = "The Lamp is a trademark of the Keepers of the Bay."


@pytest.mark.parametrize(
    "foot",
    [
        f"{CLOSING}     |  |  |  |\n\n{OWNER}\n",
        f"{CLOSING}     |  |  |  |\n{OWNER}\nPage maintained by a keeper\n",
        f"{CLOSING}{OWNER}\n",
        f"{CLOSING}\nNote - Tell a keeper of what is wrong here.\n",
        f"{CLOSING}\nAsk the keepers.\n\n5. Lamps\n",
        f"\n{OWNER}\n",
        "\nPrevious | Next | Top\n",
        "\n[Home] [Lamps]\n\nAsk the keepers.\n",
        "\nLast updated by a keeper.\n",
        "\nTop\n",
    ],
)
def test_feet(foot: str) -> None:
    """Text below the rules, or below the repeated name of the release, is no rule."""
    partial = read(REST + foot)

    assert partial.passages == read(REST).passages
    assert {furniture.role for furniture in partial.furniture} <= {
        LineRole.STAMP,
        LineRole.MARK,
        LineRole.BANNER,
        LineRole.NAVIGATION,
    }
    assert partial.ledger.is_complete


def test_release_right_below() -> None:
    """The repeated name of the release is not part of the rule above it, even without a blank line."""
    assert read(REST + CLOSING.lstrip("\n")).passages == read(REST).passages


def test_another_page_below() -> None:
    """After the end of a page, another page may begin."""
    partial = read(f"{REST}{CLOSING}\n{OWNER}\n\n{HEAD}{REST}    Note - She may sit.\n")

    assert [passage.number for passage in partial.passages] == 2 * ["705", "705.1", "705.2"] + [""]
    assert partial.passages[-1].kind is PassageKind.RULING


# Other formats ------------------------------------------------------------------------------------

CHAPTERS = """\
This search based on the April 2, 2009 release of the Rulings.
102.8 - A keeper who waits for the lamp sees Rule 420. [CompRules 2005/08/01]
103 - The First Rule
  103.1 - A lamp burns if a keeper lit it, and it is out if a keeper of the
    bay put it out: 13 - 3 of them did so. [CompRules 2005/08/01]
2 - Lamps, Boats, and
200 - General
  200.1 - A lamp is no boat. [CompRules 2005/08/01]
6 - Further Rules
600 - General
  600.1 - Each keeper at the table has a lamp, as Rule 200.1 says, whether it
    burns or not, and a boat below it. [CompRules 2007/02/01]
7 - Last Rules
This search based on the April 2, 2009 release of the Rulings.
"""


@pytest.mark.parametrize("dash", ["-", "--", "\N{EN DASH}", "\N{EM DASH}"])
def test_run_on(dash: str) -> None:
    """Chapter headings in a one-line text are recognised, with any last word."""
    text = CHAPTERS.replace(" - ", f" {dash} ")

    partial = read_partial(" ".join(text.split()).encode(), "page.txt")

    assert [(passage.number, passage.heading) for passage in partial.passages] == [
        ("102.8", ""),
        ("103", "The First Rule"),
        ("103.1", ""),
        ("2", "Lamps, Boats, and"),
        ("200", "General"),
        ("200.1", ""),
        ("6", "Further Rules"),
        ("600", "General"),
        ("600.1", ""),
        ("7", "Last Rules"),
    ]
    assert sum(len(passage.claims) for passage in partial.passages) == 4
    assert partial.ledger.is_complete


def test_double_spacing() -> None:
    """Blank lines between all lines mean nothing; a larger gap separates."""
    text = HEAD + REST + "    Example: Ann turns no lamp at all.\n"
    spaced = text.replace("\n", "\n\n")

    partial = read_partial(spaced.encode(), "page.txt")

    assert words(partial) == words(read_partial(text.encode(), "page.txt"))
    assert words(read_partial(f"{spaced}\n\n{OWNER}".encode(), "page.txt")) == words(partial)
    assert partial.ledger.is_complete


def words(partial: Partial) -> list[tuple[str, str, tuple[str, ...], int]]:
    """Return the words of passages, wherever they are stored."""
    return [
        (passage.number, passage.text, passage.examples, len(passage.claims))
        for passage in partial.passages
    ]


def test_single_lines_stay() -> None:
    """One-line paragraphs with blank lines between them stay separate."""
    lines = [f"705.{place} - A lamp is turned {place} times." for place in range(1, 9)]
    text = "\n\n".join([HEAD.split("\n", maxsplit=1)[0], *lines])

    partial = read_partial(text.encode(), "page.txt")

    assert [passage.text for passage in partial.passages] == [
        line.split(" - ")[1] for line in lines
    ]


def test_minus_signs() -> None:
    """A dash between blanks keeps them, even at the end of a line."""
    partial = read(
        "    she is told, keeps what is left of all the lamps of the bay (she has 13 -\n"
        "    3 of them). [CompRules 2007/02/01]\n"
    )

    assert partial.passages[-1].text.endswith("(she has 13 - 3 of them).")
