"""The citations, sentences and words beside numbers in texts put together by chance."""

import random
from collections.abc import Callable

from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.citations.number_lists import Citation
from variorum_kb.audit.citations.parallel_lists import words_beside_each
from variorum_kb.audit.citations.table_cells import find_in_tables
from variorum_kb.audit.dating.record_dates import record_days
from variorum_kb.audit.judging.sentence import sentences_of
from variorum_kb.audit.rewriting.rewrite import apply, edits_of

BEFORE = (
    *("", "Boats drift. ", "// Gleam: ", "/**\n * Tow one boat.\n * ", "| Stores | ", "- Ram, "),
    *('x = f("', "let tide = 3;  // ", "# Storm of\n# markers ", "float ", "_", "the Keeper’s ("),
    f"Wharf {'oil ' * 39}",
)
WORDS = (
    *("CR", "rule", "rules", "Rule", "§", "section", "C.R.", "comp. rules", "see", "rule_id"),
    *("MTG", "Comprehensive Rules (CR) numbers", "règle", "cr", "no."),
)
JOINS = (
    *(" ", " ", " ", " ", " ", " ", " ", " ", " ", ": ", "", " #", " = ", ' = ["', "</b> "),
    *("\n * ", "\n// ", " (", "**", " > ", "=", ": [", " nos. ", " " * 48, "\u00a0", "&nbsp;"),
    *('": "', " <- ", ".", "-", "_"),
)
NUMBERS = (
    *("702.3a", "702.3", "704.5k", "603", "704.5z", "601.2B", "100.10", "119", "702.3(a)", "0"),
    *("704.5 (k)", "704.5{k,m-p}", "999.99", "702.52f", "704.5[km]", "704.5K"),
)
LINKS = (
    *(", ", " and ", "/", "-", "–", " - ", " to ", " through\n// ", "; ", " / ", ", and ", ".."),
    *("&", "-\n# ", " -> ", "`, `", '", "', " up to ", "](#x), [", "+", " or ", "\n- ", "—CR "),
    *("…", "...="),
)
NEXT = (
    *("702.3b", "704.5m", "c", "m", "n", "5", "9", "604", "aa", "(b)", "X", "an", "702.5", "(c)."),
    *("b)", "3 boats", "CR 119.1", "604.", "C", "702.3(b)", "D more", "704.5[m]", "zz", "M"),
)
AFTER = (
    *("", ".", ": Gleam and Ram", " Tow / Skim.", ") {T}: add +1/+1; it’s layer 2", " ms"),
    *("% of it", " | Wet | Sunk |", ', "boats sink")', "\n * boats sink in\n * the bay. Gulls"),
    *("’s flame", "e-3", "\n\nGleam", " / Drift: oil", "; // Skims::open(oil)\nlet boat = 2;"),
    *("f;", "-based.", ".x()"),
    f" {'oil ' * 59}wharf",
)
HEADINGS = (
    *("rule", "CR", "Rule nos.", "refs", "price", "Date", "created_at", '"cited, rule"', "cr_ref"),
)
CELLS = (
    *("702.9", "703", "704.5k–m; 5", '"704.5a, ""b"" 119"', "of 702.9", "", '"two\nlines"'),
    *("603.1 604", "2003-02-10", "2010", "2010-11T05:00", "20200601 - 119.1", "`702.3a` * 4", "-"),
    *(":-:", "12002-02"),
)
TABLES = (
    *((".csv", ","), (".csv", ";"), (".tsv", "\t"), (".md", "|"), (".md", " | "), (".txt", ": ")),
)
HEIRS = (
    *(("705.1a", "705.1c"), ("500.2", "500.5"), ("500.2", "501.3"), ("603", "604"), None, None),
    *(("704.5l", "704.5n"), ("702.3", "702.5")),
)
FINDERS = (
    CitationFinder(),
    CitationFinder(["see", "Ram,"], bare=True),
    CitationFinder(["§§"], with_own=False, lettered=True),
)


def made_up(chance: random.Random) -> str:
    """Return a text with some lists of numbers."""
    parts: list[str] = []
    for _ in range(chance.choice((1, 1, 2))):
        parts += [chance.choice(each) for each in (BEFORE, WORDS, JOINS, NUMBERS)]
        for _ in range(chance.choice((0, 1, 1, 2))):
            parts += [chance.choice(LINKS), chance.choice(NEXT)]
        parts.append(chance.choice(AFTER))
    return "".join(parts)


def shown(citation: Citation, text: str) -> str:
    """Return a citation in a few words."""
    numbers = "–".join([end.number for end in (citation.first, citation.last) if end])
    marks = f"{' open' * citation.is_open}{' bare' * citation.is_bare}"
    return f"{numbers}{marks} {text[citation.start : citation.end]!r}"


def test_found(golden: Callable[[str, object], None]) -> None:
    """The citations, the sentences, the words beside them and rewritten texts are unchanged."""
    chance, heirs = random.Random(7), random.Random(8)
    lines: list[str] = []
    for place in range(1200):
        text = made_up(chance)
        lines.append(f"{text!r}")
        citations = list(FINDERS[place % 5 % 3].find(text))
        if not citations:
            continue
        edits = edits_of(text, [(citation, heirs.choice(HEIRS)) for citation in citations])
        lines.append(f"  {apply(text, [edit for each in edits for edit in each])!r}")
        lines += [f"    {shown(citation, text)}" for citation in citations]
        if place % 3:
            continue
        sentences, beside = sentences_of(text, citations), words_beside_each(text, citations)
        for sentence, words in zip(sentences, beside, strict=True):
            stems = " ".join([f"{stem} {of}" for stem, of in sentence.stems.weights.items()])
            lines += [
                f"        {sentence.stems.opening}; {stems}; {' '.join(sentence.beside)}",
                f"        {tuple(words)}",
            ]

    golden("audit/found.txt", "".join(f"{line}\n" for line in lines))


def test_in_tables(golden: Callable[[str, object], None]) -> None:
    """The citations in tables and records, and the days of their records, are unchanged."""
    chance = random.Random(9)
    lines: list[str] = []
    for place in range(360):
        suffix, sign = TABLES[place % len(TABLES)]
        rows = [chance.choices(HEADINGS, k=3), *[chance.choices(CELLS, k=3) for _ in range(3)]]
        if suffix == ".md":
            rows.insert(place % 5 % 3, ["-", ":-:", "-"])
        text = "\n" * (place % 7 == 0) + ("\n", "\r\n")[place % 2].join(map(sign.join, rows))
        lines.append(f"{suffix} {text!r}")
        days = record_days(text, f"a{suffix}")
        lines += [
            f"    {shown(citation, text)} {days(citation.start) if days else 'undated'}"
            for citation in find_in_tables(text, suffix) or CitationFinder(bare=True).find(text)
        ]

    golden("audit/tables.txt", "".join(f"{line}\n" for line in lines))
