"""Headings, compared with the contents."""

import pytest

from tests.support.edition_texts import HEAD, page
from variorum_kb.errors import TruncatedError
from variorum_kb.model import Irregular
from variorum_kb.reading.edition import read_edition


@pytest.mark.parametrize(
    ("line", "kind", "evidence"),
    [
        ("101. Lights", Irregular.HEADING_DIFFERS, "contents: Lights"),
        ("", Irregular.NOT_IN_CONTENTS, "the contents"),
    ],
)
def test_headings(line: str, kind: Irregular, evidence: str) -> None:
    """If the contents print a heading differently, or not at all, this is recorded."""
    edition = read_edition(page(head=HEAD.replace("101. Lamps", line)), "a.txt")

    (provision,) = (p for p in edition.provisions if p.address == "101")
    assert [
        (irregularity.kind, irregularity.printed, irregularity.evidence)
        for irregularity in provision.irregularities
    ] == [(kind, "Lamps", evidence)]


def test_no_contents() -> None:
    """For an edition without contents, such as 2003-05-26, this is recorded."""
    head = HEAD.partition("Contents")[0]

    (odd,) = read_edition(page(head=head), "a.txt").irregularities

    assert odd.kind is Irregular.NO_CONTENTS


def test_only_in_contents() -> None:
    """One or two sections only in the contents are recorded on the edition."""
    head = HEAD.replace("101. Lamps", "101. Lamps\n102. Boats")

    (odd,) = read_edition(page(head=head), "a.txt").irregularities

    assert (odd.kind, odd.printed) == (Irregular.ONLY_IN_CONTENTS, "102. Boats")


def test_error_many_sections_missing() -> None:
    """A document that lacks many sections of its contents is refused as cut."""
    head = HEAD.replace("101. Lamps", "101. Lamps\n102. Boats\n103. Tides\n104. Keepers")

    with pytest.raises(TruncatedError) as caught:
        read_edition(page(head=head), "a.txt")

    assert str(caught.value) == (
        "a.txt: parts are missing: the contents name 3 chapters and sections that are not there, "
        "102, 103, 104 among them"
    )
