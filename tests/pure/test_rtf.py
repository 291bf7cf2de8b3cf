"""Documents in RTF: only the printed text is read, not groups and control words."""

import pytest

from tests.support.original_files import contents_of, rtf, rtf_text, sample_edition, sample_lines
from variorum.errors import DocumentError
from variorum.model import Condition, Role
from variorum.reading.edition import read_edition
from variorum.reading.originals.original_lines import Original, take_original


def take(body: str, head: str = r"\ansi\ansicpg1252") -> Original:
    """Return the lines of an RTF document."""
    fonts = r"{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset77 Geneva;}{\f2\fcharset2 Symbol;}"
    fonts += r"{\f3\fcharset128 Gothic;}{\f4\fcharset256 Times;}}"
    original = take_original(f"{{\\rtf1{head}{fonts}{body}}}".encode("latin-1"), "a.rtf")
    assert original is not None
    return original


@pytest.mark.parametrize(
    ("charset", "letters", "expected"),
    [
        (129, r"\'b0\'a1", "가"),
        (134, r"\'b0\'a1", "啊"),
        (136, r"\'a4\'40", "一"),
        (161, r"\'e4", "δ"),
        (162, r"\'fe", "ş"),
        (163, r"\'d0", "Đ"),
        (177, r"\'e0", "א"),
        (178, r"\'c8", "ب"),
        (186, r"\'e0", "ą"),
        (204, r"\'e6", "ж"),
        (222, r"\'a1", "ก"),
        (238, r"\'b9", "ą"),
        (255, r"\'82", "é"),
    ],
)
def test_letters_of_a_font(charset: int, letters: str, expected: str) -> None:
    """The bytes of a font are letters in the code page of its script."""
    fonts = f"{{\\fonttbl{{\\f0\\fcharset{charset} Times;}}}}"

    original = take_original(f"{{\\rtf1{fonts}{{\\f0 {letters}}}}}".encode("ascii"), "a.rtf")

    assert original is not None
    assert original.lines == (expected,)


def test_sample() -> None:
    """The sample rulebook as RTF reads like its text."""
    edition = read_edition(rtf(sample_lines()), "rules.txt")

    assert contents_of(edition) == contents_of(sample_edition())
    assert (edition.layout, edition.decoding.encoding) == ("rtf", "rtf")
    assert edition.condition is Condition.SOUND
    assert edition.ledger.is_complete


@pytest.mark.parametrize(
    ("before", "is_rtf"),
    [(b"\xef\xbb\xbf", True), (b" " * 1019, True), (b" " * 1020, False), (b"a", False)],
)
def test_before_the_signature(before: bytes, *, is_rtf: bool) -> None:
    """RTF's signature may follow a byte order mark and blanks, within the first 1024 bytes."""
    original = take_original(before + rb"{\rtf1 Tide}", "a.rtf")

    assert (original is not None) is is_rtf


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (r"A lamp\par A boat", ("A lamp", "A boat")),
        (r"1. Ebb.\line 2. Flow.\par\par", ("1. Ebb.", "2. Flow.", "", "")),
        (r"\page Tide", ("", "Tide")),
        ("A la\r\nmp", ("A lamp",)),
        ("A lamp\\\nA boat\\\rA tide", ("A lamp", "A boat", "A tide")),
        (r"A\~lamp\tab low", ("A\u00a0lamp\tlow",)),
        (r"A\emspace tide\enspace turns\qmspace .", ("A tide turns .",)),
        (r"\{T\}: ebb\_tide \\ ti\-de", ("{T}: ebb-tide \\ tide",)),
        (r"\ldblquote Tide\rdblquote\emdash keeper\rquote s\endash", ("“Tide”—keeper’s–",)),
        (r"\'93Tide\'94", ("“Tide”",)),
        (r"{\f1 \'d2Tide\'d3}", ("“Tide”",)),
        (r"{\f2 \'b7}{\f2 \'01}", ("•\ufffd",)),
        (
            r"{\f2 \'20\'2d\'a3\'a5\'a7\'a8\'ae\'b1\'b3\'b4\'bc\'d2\'d3\'d4\'e2\'e3\'e4}",
            (" −≤∞••→±≥×…®©™®©™",),
        ),
        (r"{\f3 \'82\'a0}", ("あ",)),
        (r"{\f4 \'93}", ("“",)),
        (r"\u8220\'93Tide\u8221\'94", ("“Tide”",)),
        (r"\uc2\u8220 ??Tide{\uc0\u8221s}", ("“Tide”s",)),
        (r"\u8220\ldblquote \endash Tide\u8211\_\_", ("“–Tide–-",)),
        (r"\u-3913?\u55356?\u57098?", ("•\U0001f30a",)),
        ("{\\f2 \xb7}\x93", ("•“",)),
        (r'{\field{\*\fldinst HYPERLINK "a"}{\fldrslt A lamp}}', ("A lamp",)),
        (r"{\listtext 100.1.\tab}A lamp{\pntext 3. }", ("100.1.\tA lamp3. ",)),
        (r"{\*\bkmkstart t}Tide{\*\bkmkend t}{\xe index}{\pict 00ff}", ("Tide",)),
        (r"{\upr{\title old}{\*\ud{tide}}}{\info{\title x}}", ("tide",)),
        (r"{\upr{old}{\*\ud{tide}}}{\shp{\*\shpinst{\sp{\sn a}}{\shptxt  box}}}", ("tide box",)),
        (r"Ebb\cell Flow\cell\row", ("Ebb", "Flow", "", "")),
        ("Ebb{\\pict\\bin4 }}{{}", ("Ebb",)),
    ],
)
def test_what_is_printed(body: str, lines: tuple[str, ...]) -> None:
    """Signs, fonts, Unicode, fields, lists and boxes are read as printed."""
    assert take(body).lines == lines


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (r"\mac\ansicpg10000", "“"),
        (r"\mac", "“"),
        (r"\pc", "╥"),
        (r"\ansi\ansicpg1251", "\N{CYRILLIC CAPITAL LETTER TE}"),
        (r"\ansi\ansicpg99999", "Ò"),
    ],
)
def test_code_pages(head: str, text: str) -> None:
    """The head of the document decides the meaning of bytes."""
    assert take(r"\'d2", head).lines == (text,)


@pytest.mark.parametrize(
    ("body", "lines", "repairs"),
    [
        (r"The {\deleted old }new tide", ("The new tide",), ("1 tracked deletions left out",)),
        (r"{\v Secret }\v more\v0 Lamp", ("Lamp",), ("2 runs of hidden text left out",)),
        (r"{\v Secret\plain  lamp}", (" lamp",), ("1 runs of hidden text left out",)),
        (r"Tide{\footnote An old word.\par}", ("Tide", "", "An old word."), (
            "1 footnotes set at the end",
        )),
    ],
)  # fmt: skip
def test_what_is_not_printed(body: str, lines: tuple[str, ...], repairs: tuple[str, ...]) -> None:
    """Deleted and hidden text is left out, footnotes are put at the end; notes say so."""
    original = take(body)

    assert (original.lines, original.repairs) == (lines, repairs)


def test_pages() -> None:
    """Headers and footers are furniture of the page."""
    head = r"{\header Harborlight\par}{\footerl Page \chpgn\par}"

    edition = read_edition(rtf(sample_lines(), head=head), "a.rtf")

    assert contents_of(edition) == contents_of(sample_edition())
    assert (Role.BANNER, 2) in edition.ledger.accounted


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            rtf(sample_lines())[:-900],
            "an RTF document that is cut off: 1 of its groups do not end",
        ),
        (
            b"{\\rtf1" + b"{" * 1000,
            "an RTF document whose groups are nested too deeply",
        ),
        (
            b"{\\rtf1" + b"{" * 999,
            "an RTF document that is cut off: 1000 of its groups do not end",
        ),
        (rtf([]), "a document in rtf without text"),
        (
            rtf(["A shopping list."]),
            "no known layout: no line begins with the number of a rule",
        ),
        (
            rtf(["100.1. A lamp burns."]),
            (
                "no known layout: 1 lines begin with the number of a rule, "
                "but no sentence states the date from which the rules are effective"
            ),
        ),
    ],
)
def test_error_names_the_reason(data: bytes, message: str) -> None:
    """A truncated, endless or other file is refused in one line."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data, "a.rtf")

    assert str(caught.value) == f"a.rtf: {message}"


def test_spelling() -> None:
    """The tests' RTF writer spells every character, with a control word or without."""
    assert rtf_text("a{—’ß\ufffd") == r"a\{\emdash \rquote \u223?\u-3?"
