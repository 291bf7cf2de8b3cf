"""Citations in programs and articles: their spellings, and numbers that are not citations."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.citations.number_lists import Citation


def named(text: str, finder: CitationFinder | None = None) -> list[str]:
    """Return the numbers of a text's citations, a range with two dots."""
    return [_name(citation) for citation in (finder or CitationFinder()).find(text)]


def _name(citation: Citation) -> str:
    last = citation.last
    return citation.first.number + (f"..{last.number}" if last is not None else "")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR 702.52a", ["702.52a"]),
        ("CR702.52a", ["702.52a"]),
        ("CR: 702.52a", ["702.52a"]),
        ("CR #702.9", ["702.9"]),
        ("CR-702.9a", ["702.9a"]),
        ("cr 702.52A", ["702.52a"]),
        ("C.R. 702.52", ["702.52"]),
        ("CRs 702.5, 702.6", ["702.5", "702.6"]),
        ("CR §702.9 / §704.3", ["702.9", "704.3"]),
        ("CR § 702.9", ["702.9"]),
        ("rule 702", ["702"]),
        ("Rule 702.", ["702"]),
        ("RULE 702.24", ["702.24"]),
        ("rule no. 702.9", ["702.9"]),
        ("rule number 702.9", ["702.9"]),
        ("subrule 702.9a", ["702.9a"]),
        ("Comprehensive Rules 704", ["704"]),
        ("Comp. Rules 704.5", ["704.5"]),
        ("Comprehensive Rules (702.9)", ["702.9"]),
        ("section 702.9", ["702.9"]),
        ("Comprehensive Rules section 702.9", ["702.9"]),
        ("sections 702.9 and 702.10", ["702.9", "702.10"]),
        ("§702.9", ["702.9"]),
        ("§ 702.9a", ["702.9a"]),
        ("§§ 702.9, 702.10", ["702.9", "702.10"]),
        ("section 702", []),
        ("§702", []),
        ("g!comprules 702.5c", ["702.5c"]),
        ("see rule_702.9", ["702.9"]),
        ("CR 702.9's text", ["702.9"]),
        ("Rule 702.9—Flying", ["702.9"]),
        ("CR 704.5k-based checks", ["704.5k"]),
        ("CR 702.9.", ["702.9"]),
        ("CR 702.9...", ["702.9"]),
        ("CR 702.9a…", ["702.9a"]),
        ("CR 704.5aa", ["704.5aa"]),
        ("(CR 601.2)", ["601.2"]),
        ("rules.100", []),
        (f"CR{' ' * 62}702.9", ["702.9"]),
        (f"CR{' ' * 63}702.9", []),
        (f"CR <702.9{' ' * 6}>", ["702.9"]),
        (f"CR <702.9{' ' * 7}>", []),
        ("CR [702.9]", ["702.9"]),
        ("CR “702.9”", ["702.9"]),
        ("CR\t702.9", ["702.9"]),
        ("CR\N{NO-BREAK SPACE}702.9", ["702.9"]),
        ("rule\N{NARROW NO-BREAK SPACE}702.9", ["702.9"]),
        ("CR&nbsp;702.9", ["702.9"]),
        ("_CR 702.9_", ["702.9"]),
        ("_CR: 702", []),
        ("CR _702.9_", ["702.9"]),
        ("**CR** 702.9", ["702.9"]),
        ("CR **702.9**, **702.10**", ["702.9", "702.10"]),
        ("CR `702.9`, `702.10`", ["702.9", "702.10"]),
        ("<b>CR</b> 702.9", ["702.9"]),
        ("<rule>702.9</rule>", ["702.9"]),
        ("\\nCR 702.9", ["702.9"]),
        ("CR 702.9 and CR 702.10", ["702.9", "702.10"]),
    ],
)
def test_forms(text: str, numbers: list[str]) -> None:
    """A number after a word such as CR is a citation, in any joined form."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    "words",
    [
        *("CR", "C.R.", "C. R.", "C R", "CRs", "rule", "rules", "section", "sections", "§", "MTG"),
        *("rule no.", "rule nos.", "rule nr.", "rule num", "rule number", "rule numbers"),
        *("rule id", "rule ref", "rule refs", "rule reference", "rule references"),
        *("rule cite", "rule cites", "rule citation", "rule citations"),
        *("rule&nbsp;", "rule&#160;", r"rule\u00a0", r"rule\u202f", r"rule\xa0"),
        *(r"\u00a7", r"\xa7", "\udca7", "&sect;", "&#167;"),
        *("regle", "regles", "règle", "règles", "regla", "reglas", "regra", "regras"),
        *("regel", "regeln", "regola", "regole"),
    ],
)
def test_words_before_a_number(words: str) -> None:
    """After each of these words, as programs and web pages write them, a number is a rule's."""
    assert named(f"{words} 702.35") == ["702.35"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR 702.52a-c", ["702.52a..702.52c"]),
        ("CR 702.52a–c", ["702.52a..702.52c"]),
        ("CR 702.52A-C", ["702.52a..702.52c"]),
        ("CR 702.52a - c", ["702.52a..702.52c"]),
        ("CR 702.52a to c", ["702.52a..702.52c"]),
        ("CR 702.52a through 702.52c", ["702.52a..702.52c"]),
        ("CR 702.52-55", ["702.52..702.55"]),
        ("CR 702.52–702.55", ["702.52..702.55"]),
        ("CR 702-704", ["702..704"]),
        ("CR 704.5z-aa", ["704.5z..704.5aa"]),
        ("rules 601.2b-i.", ["601.2b..601.2i"]),
        ("rules 601.2b and 601.2f–h.", ["601.2b", "601.2f..601.2h"]),
        ("CR 702.9a\udc96c", ["702.9a..702.9c"]),
        # A range that runs backwards, or mixes kinds, is read as its first number.
        ("CR 704.5c-a", ["704.5c"]),
        ("CR 702.52-702.51", ["702.52"]),
        ("CR 702.12-9", ["702.12"]),
        ("CR 702-702.5", ["702"]),
        ("CR 100-4000", ["100"]),
        ("CR 704.5a-zz", ["704.5a"]),
        ("rule 702.9 - 3 cards", ["702.9"]),
        # A sentence that begins with a word of one letter.
        ("CR 601.2b - X is chosen", ["601.2b"]),
        ("CR 107.3a – I think", ["107.3a"]),
        ("CR 601.2b: X, or CR 601.2b-X", ["601.2b", "601.2b"]),
    ],
)
def test_ranges(text: str, numbers: list[str]) -> None:
    """A range runs forwards, between numbers of one kind."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR 702.35 / 508.1d", ["702.35", "508.1d"]),
        ("CR 702.35 + 508.1d", ["702.35", "508.1d"]),
        ("CR 702.35/508.1d", ["702.35", "508.1d"]),
        ("CR 702.35;508.1d", ["702.35", "508.1d"]),
        ("CR 702.35,508.1d", ["702.35", "508.1d"]),
        ("CR 601.2b,601.2f", ["601.2b", "601.2f"]),
        ("CR 702.35, and/or 508.1d", ["702.35", "508.1d"]),
        ("rules 702 and 703", ["702", "703"]),
        ("rules 702, 703, and 705", ["702", "703", "705"]),
        ("rule 704.5m/n", ["704.5m", "704.5n"]),
        ("CR 601.2b/f", ["601.2b", "601.2f"]),
        ("CR 601.2b,f", ["601.2b", "601.2f"]),
        ("CR 601.2b & f", ["601.2b", "601.2f"]),
        ("CR 704.5m, n, or p.", ["704.5m", "704.5n", "704.5p"]),
        ("CR 903.5c, 903.5d & f", ["903.5c", "903.5d", "903.5f"]),
        ("CR 704.5m–p, r", ["704.5m..704.5p", "704.5r"]),
        ("CR 702.9 / 702.12 / 702.15a-c", ["702.9", "702.12", "702.15a..702.15c"]),
        ("CR 601.2b, f", ["601.2b", "601.2f"]),
        # The letter after the comma is not a rule's.
        ("CR 704.5m or a token", ["704.5m"]),
        ("CR 601.2b, I think", ["601.2b"]),
        ("CR 601.2b, x more", ["601.2b"]),
        ("CR 107.3a and x = 0", ["107.3a"]),
        ("CR 704.5m/N", ["704.5m"]),
        ("CR 702.35a (b)", ["702.35a"]),
        # A number that counts things is not part of the list.
        ("CR 603.2, 100 of them", ["603.2"]),
        ("CR 603, 100 of them", ["603"]),
        ("CR 603, 604.", ["603", "604"]),
        ("CR 702.5-\n6.", ["702.5..702.6"]),
        ("CR 702.5-\n6 of them", ["702.5"]),
        ("CR 702.5 - 6.", ["702.5"]),
        ("CR 603.2 and 100 of them", ["603.2"]),
        ("rule 702.9, 3.5 times", ["702.9"]),
    ],
)
def test_lists(text: str, numbers: list[str]) -> None:
    """A word applies to a whole list; bare letters in it belong to the rule before them."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('{"rule": "702.9"}', ["702.9"]),
        ('{"cr":"702.9"}', ["702.9"]),
        ('"rules": ["702.9", "703.1"]', ["702.9", "703.1"]),
        ('"cr": [\n    "702.9",\n    "703.1"\n  ]', ["702.9", "703.1"]),
        ("rules:\n  - 702.9\n  - 703.1\n", ["702.9", "703.1"]),
        ("rules: [702.9, 703.1]", ["702.9", "703.1"]),
        ("comp_rules: '702.9'", ["702.9"]),
        ('<p data-rule="702.9a">', ["702.9a"]),
        ('@Rule("702.9a")', ["702.9a"]),
        ("rule => 702.9", ["702.9"]),
        ("note,CR 702.9,12\n", ["702.9"]),
        ("7,CR 702.9a,3,boat\n", ["702.9a"]),
    ],
)
def test_data(text: str, numbers: list[str]) -> None:
    """In JSON, YAML, HTML, annotations and tables, a key such as "rule" marks a citation."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "version 702.9",
        "v702.9.1",
        "rule 100.2.3.4",
        "CR 702.5.6",
        "CR 702.1234",
        "CR 702.0",
        "CR 702.01",
        "CR 7020",
        "CR 1702.5",
        "CR 100,000",
        "rule 100%",
        "rule 100 %",
        "rule 500ms",
        "CR 702.9@home",
        "CR 702.9e2",
        "ruler 702.9",
        "SCR 702.9",
        "ACR702.9",
        "éCR 702.9",
        "https://example.org/rule-702.9",
        "https://example.org/#rule702.9",
        "www.example.org/cr/702.9",
        "rules 9 and 10",
        "rule of 721",
        "704.5k (CR)",
        "CR 704.5zz",
        "CR \N{FULLWIDTH DIGIT SEVEN}02.9",
        "",
    ],
)
def test_none(text: str) -> None:
    """Versions, amounts, addresses and other words' numbers are not citations."""
    assert named(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "MAX_RULES = 200",
        "num_rules=500",
        "rules_max: 300",
        "# Rules\n\n100 cards a deck",
        "Deck rules:\n- 100 cards\n",
        "rule 500 ms",
    ],
)
def test_numbers_that_count(text: str) -> None:
    """A number without a dot that counts things is no section, after any word."""
    assert named(text) == []


@pytest.mark.parametrize(
    ("words", "text", "numbers"),
    [
        (["MTR"], "MTR 702.9 and CR 703.1", ["702.9", "703.1"]),
        (["#"], "#702.9 a#702.10 #702", ["702.9", "702.10", "702"]),
        (["see"], "see 702.9; foresee 702.10", ["702.9"]),
        (["[["], "[[702.9]]", ["702.9"]),
        (["C++"], "C++ 702.9", ["702.9"]),
        (["the book of"], "The  book\nof 702.9", ["702.9"]),
        (["règle"], "Règle 702.9", ["702.9"]),
        (["Reg."], "Reg. 702.9, Regs 702.9", ["702.9"]),
        (["第"], "第702.9", ["702.9"]),
        (["(?:x"], "(?:x 702.9", ["702.9"]),
        (["MTR", "#", "IPG"], "MTR 702.9, #702.10; IPG 702.12", ["702.9", "702.10", "702.12"]),
        ([""], "at 702.9", []),
        ([" "], "at 702.9", []),
    ],
)
def test_words_of_ones_own(words: list[str], text: str, numbers: list[str]) -> None:
    """Words and signs that a user adds mark citations as CR does; a blank word is ignored."""
    assert named(text, CitationFinder(words)) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("702.52a", ["702.52a"]),
        ("(702.52)", ["702.52"]),
        ("//702.52", ["702.52"]),
        ("702.52-702.55, 702.57", ["702.52..702.55", "702.57"]),
        ("702.52a/b", ["702.52a", "702.52b"]),
        ("702", []),
        ("1702.52 v702.52 702.52.1 $702.52 -702.52 0.702.52 3-702.52", []),
        ("100.5% 100.5px 100,5", []),
        ("https://example.org/702.52 and https://example.org//702.52", []),
        (f"www.{'x' * 195}(702.52)", []),
        (f"www.{'x' * 196}(702.52)", ["702.52"]),
    ],
)
def test_bare(text: str, numbers: list[str]) -> None:
    """If no citation word is required, a number with a dot is a citation unless part of another."""
    assert named(text, CitationFinder(bare=True)) == numbers


_PIECES = st.sampled_from(
    [
        *("CR", "rule", "rules", "§", "Comprehensive Rules", "see", "no.", "section"),
        *("702", "702.9", "702.9a", "704.5aa", "100", "a", "c", "n", "X", "12", "999.99"),
        *(" ", "  ", "\n", "\r\n", "\n// ", "\n * ", "\t", "-", "–", "/", ",", ", ", ";", " and "),
        *(" or ", " to ", " through ", "(", ")", "[", '"', "'", "`", "*", "_", ".", ":", "=", "#"),
        *("https://", "@", "%", "é", "\udc96", "\x00", "</b>", "<b>"),
        *("704.5", "704.5k", "(k)", "[m]", "{k,m}", "--", "\\u2013", "&ndash;", "...", "~", " -> "),
        *(" up to ", " until ", "\r", "](x)", "e-3", "\\u00a7"),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=24).map("".join)


@given(_TEXTS, st.booleans(), st.booleans())
def test_offsets(text: str, bare: bool, with_own: bool) -> None:
    """Citations lie within the text, in order, and none overlaps another."""
    finder = CitationFinder(["see", "#"], bare=bare, with_own=with_own)

    end = 0
    for citation in finder.find(text):
        last = citation.last or citation.first
        assert (
            end
            <= citation.start
            <= citation.first.start
            < citation.first.end
            <= last.end
            == citation.end
        )
        assert citation.last is None or citation.first.end < citation.last.start
        assert citation.end <= len(text)
        end = citation.end


@given(_TEXTS)
def test_numbers_are_as_printed(text: str) -> None:
    """Each number ends with its printed text, in small letters and without brackets."""
    for citation in CitationFinder(bare=True).find(text):
        for part in (citation.first, citation.last):
            if part is not None:
                printed = re.sub(r"[()\[\] ]", "", text[part.start : part.end])
                assert part.number.endswith(printed.casefold())


@given(_TEXTS, _TEXTS)
def test_far_text_changes_nothing(before: str, text: str) -> None:
    """Distant text before a citation does not change it."""
    gap = "\n" + "~ boat ~ " * 30 + "\n"

    moved = [
        (citation.start - len(before + gap), _name(citation))
        for citation in CitationFinder().find(before + gap + text)
        if citation.start >= len(before + gap)
    ]

    assert moved == [(citation.start, _name(citation)) for citation in CitationFinder().find(text)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "7" * 200_000,
        "CR " * 70_000,
        "(" * 200_000,
        "702." * 20_000,
        "CR 702." * 12_000,
        "702 " * 20_000,
        "CR((((702 " * 8_000,
        "rules 702.9-" * 8_000,
        "CR 702.9," + "\n        // " * 5_000 + "x",
        "CR 702.9" + "\n        " * 5_000 + "x",
        "CR" + "\n    " * 9 + "!702",
        "CR 702.9," + ("\n" + " " * 20) * 12 + "x",
        "rules" + "\n # " * 14 + "!702",
        "rule" + "\n" * 30 + " " * 29 + "%702",
    ],
    ids=lambda text: repr(text[:24]),
)
def test_patience(text: str) -> None:
    """Each of these texts is read in seconds."""
    assert len(list(CitationFinder().find(text))) <= len(text) // 3
