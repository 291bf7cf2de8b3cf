"""PDFs: text at positions on pages, joined into lines and paragraphs."""

import pytest

from tests.support.original_files import (
    contents_of,
    pdf,
    pdf_of_streams,
    sample_edition,
    sample_lines,
)
from variorum.errors import DocumentError
from variorum.model import Condition, Role
from variorum.reading.edition import read_edition
from variorum.reading.originals.original_lines import Original, take_original

LOCKED = (
    f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{'41' * 32}> /U <{'42' * 32}> /P -4 >> "
    f"/ID [<{'43' * 16}> <{'43' * 16}>]"
)


def take(*pages: str) -> Original:
    """Return the lines of a PDF with drawn pages."""
    original = take_original(pdf_of_streams([page.encode("cp1252") for page in pages]), "a.pdf")
    assert original is not None
    return original


def at(left: float, height: float, text: str, size: float = 10) -> str:
    """Draw a text at a place."""
    return f"BT /F1 {size} Tf {left} {height} Td ({text}) Tj ET\n"


@pytest.mark.parametrize(
    ("header", "footer", "blanks", "furniture"),
    [
        ("", "", True, 0),
        ("Harborlight", "Page # of 90", True, 42),
        ("", "- # -", False, 21),
        ("The # Tides", "", False, 21),
    ],
)
def test_sample(*, header: str, footer: str, blanks: bool, furniture: int) -> None:
    """The sample rulebook reads like its text, with anything at the edges of its pages."""
    data = pdf(sample_lines(), header=header, footer=footer, blanks=blanks)

    edition = read_edition(data, "rules.txt")

    (provisions, *others), (expected, *expected_others) = map(
        contents_of, (edition, sample_edition())
    )
    # If only gaps separate paragraphs, the end of a page cannot show one.
    seen = slice(0, 6 if blanks else 5)
    assert [provision[seen] for provision in provisions] == [item[seen] for item in expected]
    assert others == expected_others
    assert (edition.layout, edition.decoding.encoding) == ("pdf", "pdf")
    assert edition.condition is Condition.SOUND
    assert edition.ledger.is_complete
    assert dict(edition.ledger.accounted).get(Role.BANNER, 0) == furniture


def test_runs_of_a_line() -> None:
    """Runs at the same height are a line: gaps become blanks, wide gaps tabs."""
    page = at(72, 700, "The") + at(96, 700, "tide") + at(120, 701, "s") + at(300, 700, "turn")

    assert take(page).lines == ("The tides\tturn",)


def test_form() -> None:
    """Text in a form object is placed where the form is drawn, beside other text."""
    page = ("/X1 Do " + at(102, 700, "tide")).encode()

    original = take_original(pdf_of_streams([page], form=at(62, 700, "Ebb").encode()), "a.pdf")

    assert original is not None
    assert original.lines == ("Ebb tide",)


def test_columns() -> None:
    """The left column is read first; a paragraph may continue in the right one."""
    words = [f"word{n} of a paragraph that goes on" for n in range(10, 40)]
    left = "".join(at(72, 700 - 12 * n, text) for n, text in enumerate(words[:20]))
    right = "".join(at(320, 700 - 12 * n, text) for n, text in enumerate(words[20:]))

    original = take(left + right)

    assert original.lines == tuple(words)
    assert sorted(original.glue) == list(range(1, 30))


def test_senses_and_examples() -> None:
    """A sense or an example begins a line, even if the line before is full."""
    full = "A keeper lights a lamp and then another lamp on the quay today."
    page = "".join(
        at(72, 700 - 12 * n, text)
        for n, text in enumerate([f"1. {full}", f"2. {full}", f"Example: {full}", full])
    )

    assert take(page).glue == {3: " "}


def below(*texts: str, left: float = 72, top: float = 700) -> str:
    """Draw lines of text, one below the other."""
    return "".join(at(left, top - 12 * n, text) for n, text in enumerate(texts))


def test_next_number() -> None:
    """The number after the previous rule's begins a rule, even if the line before is full."""
    full = "A keeper lights a lamp and then another lamp on the quay."
    page = below(
        f"101.1. {full}", f"101.1a {full}", f"101.1b {full}", f"101.2. {full}", "101.9. A tide."
    )

    assert take(page).glue == {4: " "}


def test_cited_number() -> None:
    """A number within a sentence begins nothing, even if it is the next one."""
    page = below(
        "101.1. A keeper lights a lamp and then another on the quay; see rule",
        "101.1a Lamps, and the table of the tides.",
    )

    assert take(page).glue == {1: " "}


def test_part_of_the_text() -> None:
    """The heading of a part is separate, even directly below a full line."""
    page = below("A keeper lights a lamp and then another lamp on it.", "Glossary", "Ebb")

    assert take(page).glue == {}


def test_headword_on_a_new_page() -> None:
    """A headword at the top of a page is recognised by the empty space after it on its line."""
    full = "A keeper lights a lamp and then another lamp on the quay."
    ebb = below("Ebb Tide", full, "The water falls.")

    assert take(below(full, full), ebb).glue == {1: " ", 5: " "}
    assert take(below(full, full), below("ebb tide", full)).glue == {1: " ", 2: " "}


def test_words_with_hyphens() -> None:
    """If no line ends with a hyphen, hyphenated words are not broken."""
    full = "A keeper lights the lamp and goes home, then the other one."
    part = "A keeper goes up the stairs and comes back by the"

    assert take(below(full, part, "harbor-keeper.")).glue == {1: " ", 2: " "}
    assert take(below(full, part, "harbor-keeper of the well-", "lit")).glue == {1: " "}


def test_justified() -> None:
    """If full lines end at the margin, a shorter line ends a paragraph."""
    full = "A keeper lights a lamp and then another lamp on the old quay"
    short = "all of which are lit at dusk by the keeper of the lamps."
    lines = [full, full, full, short, "Moonlight, and other lights of the coast, are no lamps."]

    assert sorted(take(below(*lines)).glue) == [1, 2, 3]


def test_parted_by_less_than_a_line() -> None:
    """A gap wider than usual ends a paragraph, even if it is smaller than a blank line."""
    full = "A keeper lights a lamp and then another lamp on the quay."
    page = below(full, full) + below(full, full, top=672)

    assert take(page).lines == (full,) * 4
    assert take(page).glue == {1: " ", 3: " "}


def test_headword_on_a_new_column() -> None:
    """A headword at the top of a column has a blank line above it, as below a gap."""
    words = [f"word{n} of an entry, as long as that." for n in range(10, 30)]
    page = below(*words) + below("Ebb Tide", *words[1:], left=320)

    assert take(page).lines == (*words, "", "Ebb Tide", *words[1:])


def test_turned_text() -> None:
    """A stamp across the page is not part of the text, but is accounted for."""
    page = at(72, 700, "The tide") + "BT /F1 40 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET\n"

    original = take(page)

    assert original.lines == ("The tide", "DRAFT")
    assert original.furniture == range(2, 3)


def test_dot_leaders() -> None:
    """Dots and page numbers of the contents are left out, with a note."""
    lines = sample_lines()
    first = next(n for n, line in enumerate(lines) if line.startswith("100.1."))
    numbered = [
        f"{line} {'.' * (60 - len(line))} {n}" if n < first - 4 and line[:1].isdigit() else line
        for n, line in enumerate(lines)
    ]

    edition = read_edition(pdf(numbered), "a.pdf")

    assert contents_of(edition) == contents_of(sample_edition())
    assert edition.condition is Condition.REPAIRED


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pdf(sample_lines())[:-3000], "a PDF that is cut off: its end is missing"),
        (pdf(["lamp"], trailer=LOCKED), "a PDF locked with a password"),
        (b"%PDF-1.7\nlamps and boats\n%%EOF", "a damaged PDF: Failed to load document"),
        (
            pdf_of_streams([b"0 0 100 100 re f", b""]),
            "a PDF of 2 pages without text; scanned pages can't be read",
        ),
        (
            pdf(["A shopping list."]),
            "no known layout: no line begins with the number of a rule",
        ),
    ],
)
def test_error_names_the_reason(data: bytes, message: str) -> None:
    """A truncated, locked, damaged, scanned or other file is refused in one line."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data, "a.pdf")

    assert str(caught.value).startswith(f"a.pdf: {message}")


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("_MOST_PAGES", "a PDF of 3 pages, far more than any edition has"),
        ("_MOST_RUNS", "a PDF that holds far more than any edition"),
    ],
)
def test_error_too_long(limit: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF far longer than any edition is not read to its end."""
    monkeypatch.setattr(f"variorum.reading.originals.pdfium.{limit}", 2)

    with pytest.raises(DocumentError) as caught:
        take(*(at(72, 700, "lamp") for _ in range(3)))

    assert str(caught.value) == f"a.pdf: {message}"
