"""Rewrites citations in their authors' notation, and holds back what must not be rewritten.

Held back is what is not its writer's claim about today, and what would leave half of a list, of a
line or of a quotation rewritten.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from variorum.answers.cited_heirs import CURRENT, NEVER
from variorum.audit.bare_numbers import QuotedRule
from variorum.audit.findings import LinePlaces
from variorum.audit.heirs import CitationVerdict
from variorum.audit.numbers import (
    ANCHOR,
    BRACKETS,
    FAR,
    ONLY_LETTERS,
    ONLY_RULE,
    Citation,
    PrintedNumber,
    is_near,
)
from variorum.audit.sentences import lists_of
from variorum.model import RuleNumber
from variorum.rule_numbers import SECTION, letters_of, stem_of

Judged = tuple[Citation, CitationVerdict]
Heir = tuple[str, str] | None

_CITED = (
    r"(?:(?:the|at|as|in|under|called|cited|numbered|number|citation|rules?|section|cr|c\.r\.)[ ])*"
    rf"[^\w\n]{{0,4}}(?:(?:cr|rule)[ ]?)?{SECTION}\b"
)
# A line that speaks of the numbers themselves: "renamed 701.8a to 701.9a", "was 701.8a".
_OF_CHANGE = re.compile(
    rf"""
    \bre-?(?:nam|number|letter)(?:ed|es?|s|ing)?\b | \bmis-?(?:cit|number)\w*
    | \b(?: was|were|now|became|becomes?|formerly|previously|originally|used[ ]to[ ]be|should[ ]be
        | instead[ ]of|rather[ ]than|not|old|former|stale|outdated|superseded[ ]by
        | (?:moved|changed|corrected|updated|fixed|bumped|migrated|replaced|renumbers?)
          (?:[ ](?:from|to|by|with))? )[ ]{_CITED}
    | \d\.\d+[a-z]*[^\w\n]{{0,6}}(?:->|=>|[→⇒➜➔])[^\w\n]{{0,6}}(?:cr[ ])?{SECTION}\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHANGELOG = re.compile(
    r"(?:change(?:log|s)|history|news|release[-_ ]?notes?|releases|migrat\w+|upgrad\w+)"
    r"(?:[-_. ].*)?",
    re.IGNORECASE,
)
_CHANGE_FOLDERS = {".changeset", ".changes", "changelog", "changelogs", "changelog.d", "changes"}
_PROSE = {"", ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".org", ".html", ".htm"}
_DATA = {
    *(".json", ".jsonl", ".ndjson", ".json5", ".jsonc", ".ipynb", ".yaml", ".yml", ".csv", ".tsv"),
    *(".toml", ".ini", ".cfg", ".xml", ".ron", ".properties"),
}
_COMMENT = r"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)"
_DOUBLE, _SINGLE = r'"(?:\\.|[^"\\\n])*"?', r"'(?:\\.|[^'\\\n])*'?"
_TEMPLATE = r"`(?:\\(?s:.)|[^`\\])*`?"
# The comments and the strings ("text") of programs, by the suffixes of their files. A string that
# begins its line in Python is documentation.
_FORMS = (
    (
        ".js .jsx .mjs .cjs .ts .tsx .mts .cts .php .vue .svelte .dart .groovy",
        rf"{_COMMENT}|(?P<text>{_DOUBLE}|{_SINGLE}|{_TEMPLATE})",
    ),
    (
        ".c .cc .cpp .cxx .h .hh .hpp .cs .java .kt .kts .scala .go .rs .swift .gradle .proto .zig",
        (
            rf"{_COMMENT}|'(?:\\[^\n]|[^'\\\n])'"
            r'|(?P<text>r(?P<raw>#+)"(?s:.*?)(?:"(?P=raw)|\Z)|"""(?s:.*?)(?:"""|\Z)'
            rf"|{_DOUBLE}|{_TEMPLATE})"
        ),
    ),
    (
        ".py .pyi .rb .sh .bash .zsh .pl .pm .r .jl .ex .exs .nim",
        (
            r"#[^\n]*|(?:^|(?<=\n))[ \t]*[rRuU]?(?P<doc>\"\"\"|''')(?s:(?:\\.|.)*?)(?:(?P=doc)|\Z)"
            r"|(?P<text>(?P<triple>\"\"\"|''')(?s:(?:\\.|.)*?)(?:(?P=triple)|\Z)"
            rf"|{_DOUBLE}|{_SINGLE})"
        ),
    ),
    (
        ".lua .sql .hs .elm",
        rf"--[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|(?P<text>\[\[(?s:.*?)(?:\]\]|\Z)|{_DOUBLE}|{_SINGLE})",
    ),
)
_STRINGS = {suffix: re.compile(form) for suffixes, form in _FORMS for suffix in suffixes.split()}
_SHORT = {ONLY_LETTERS, ONLY_RULE}


class Edit(NamedTuple):
    """A replacement in a text."""

    start: int
    end: int
    new: str


def edits_of(
    text: str, rewritten: Iterable[tuple[Citation, tuple[str, str] | None]]
) -> list[list[Edit]]:
    """Return the edits that rewrite each citation."""
    edits_of_all: list[list[Edit]] = []
    # The preceding number, as rewritten. A reader takes a letter alone for a subrule of its rule.
    shown: RuleNumber | None = None
    for citation, wanted in rewritten:
        if citation.is_open:
            edits_of_all.append([])
            shown = RuleNumber.read((citation.last or citation.first).number)
            continue
        numbers = wanted
        is_member = citation.start == citation.first.start
        if numbers and is_member and "." in citation.first.number and "." not in numbers[0]:
            numbers = None  # after rules, a section would not look like part of the list
        first, last = numbers or (citation.first.number, (citation.last or citation.first).number)
        edits: list[Edit] = []
        for part, number in ((citation.first, first), (citation.last, last)):
            if part is None:
                continue
            new = _set(part, number, shown, text, is_end=part is citation.last)
            shown = RuleNumber.read(number)
            if new != text[part.start : part.end]:
                edits.append(Edit(part.start, part.end, new))
        edits_of_all.append(edits)
    return edits_of_all


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with some of its words replaced."""
    pieces: list[str] = []
    end = 0
    for edit in edits:
        pieces += [text[end : edit.start], edit.new]
        end = edit.end
    return "".join([*pieces, text[end:]])


def _set(
    part: PrintedNumber, number: str, shown: RuleNumber | None, text: str, *, is_end: bool
) -> str:
    """Write a number in the notation of the part it replaces, shortened if possible."""
    printed = text[part.start : part.end]
    if part.form == ANCHOR:  # "#R7045k"
        return number.replace(".", "")
    # "(k)" without its rule
    is_shortened = part.form in _SHORT or printed[0] in BRACKETS
    is_short = is_shortened and _is_understood(part, number, shown, is_end=is_end)
    if number == part.number and (is_short or not is_shortened):
        return printed
    stem = stem_of(number)
    new = number
    if part.form in BRACKETS and stem != number:
        rule = "" if is_short else stem
        new = f"{rule}{part.form}{letters_of(number)}{BRACKETS[part.form]}"
    elif is_short:
        new = letters_of(number) if part.form == ONLY_LETTERS else number.partition(".")[2]
    letters = [sign for sign in printed if sign.isalpha()]
    return new.upper() if letters and all(sign.isupper() for sign in letters) else new


def _is_understood(
    part: PrintedNumber, number: str, shown: RuleNumber | None, *, is_end: bool
) -> bool:
    """Say whether a number can be shortened, such as 704.5n to "n" in "704.5m/n"."""
    own = RuleNumber.read(number)
    if own is None or shown is None or own.section != shown.section or not shown < own:
        return False
    if part.form != ONLY_RULE:
        is_same = own.rule == shown.rule and bool(own.letters and shown.letters)
        return is_same and (is_end or is_near(shown.letters, own.letters))
    is_plain = bool(own.rule) and not own.letters and not shown.letters
    return is_plain and (is_end or own.rule - shown.rule <= FAR)


# What is held back --------------------------------------------------------------------------------


def pinned_in_place(
    lines: LinePlaces, path: PurePath, judged: Sequence[Judged], *, with_strings: bool
) -> list[Judged]:
    """Return verdicts; pinned are citations that `--fix` must not rewrite where they stand.

    These are in string literals of programs and in data files, in changelogs, and in lines that
    speak of a change of numbers.
    """
    suffix, kept = path.suffix.casefold(), list(judged)
    in_string: Callable[[int], bool] | None = None
    is_changelog = suffix in _PROSE and (
        _CHANGELOG.fullmatch(path.stem) is not None or not _CHANGE_FOLDERS.isdisjoint(path.parts)
    )
    of_change: dict[int, bool] = {}
    for place, (citation, verdict) in enumerate(judged):
        if verdict.certain is None:
            continue
        in_string = in_string or _literals(lines.text, "" if with_strings else suffix)
        line, why = lines.line_of(citation.first.start), ""
        if line not in of_change:
            of_change[line] = is_changelog or _OF_CHANGE.search(lines.line(line)) is not None
        if of_change[line]:
            why = "its line speaks of a change"
        elif in_string(citation.first.start):
            why = "in a string or data; see --fix-strings"
        if why:
            said = f"{verdict.why}; {why}" if verdict.why else why
            kept[place] = citation, verdict._replace(is_sure=False, is_pinned=True, why=said)
    return kept


def _literals(text: str, suffix: str) -> Callable[[int], bool]:
    """Return a function that says whether an offset is in a string of a program, or in data."""
    if suffix in _DATA:
        return lambda _: True
    form = _STRINGS.get(suffix)
    strings = [match for match in form.finditer(text) if match["text"]] if form else []
    starts = [match.start() for match in strings]

    def is_inside(offset: int) -> bool:
        place = bisect_right(starts, offset) - 1
        return place >= 0 and offset < strings[place].end()

    return is_inside


def wholes_of(
    lines: LinePlaces, judged: Sequence[Judged], quoted: Sequence[QuotedRule]
) -> list[list[int]]:
    """Return the places of citations that are rewritten together or not at all.

    These are the numbers of a list, equal numbers of a line, and all numbers in a quoted rule.
    """
    citations = [citation for citation, _ in judged]
    wholes = [
        [*range(start, end)]
        for first, last in lists_of(lines.text, citations)
        for start, end in _runs_on_lines(lines.text, citations, first, last)
        if end > start + 1
    ]
    equal: dict[tuple[int, str], list[int]] = {}
    for place, citation in enumerate(citations):
        key = lines.line_of(citation.first.start), citation.first.number
        equal.setdefault(key, []).append(place)
    starts = [citation.start for citation in citations]
    for rule in quoted:
        first = bisect_right(starts, rule.citation.start - 1)
        wholes.append([*range(first, bisect_right(starts, rule.end - 1))])
    return [*wholes, *[places for places in equal.values() if len(places) > 1]]


def _runs_on_lines(
    text: str, citations: Sequence[Citation], start: int, end: int
) -> Iterable[tuple[int, int]]:
    """Yield the parts of a list: behind a line or sentence, only a number without a word goes on."""
    begin = start
    for place in range(start + 1, end):
        citation = citations[place]
        is_member = citation.start == citation.first.start and not citation.is_bare
        between = text[citations[place - 1].end : citation.start]
        if not is_member and ("\n" in between or ". " in between):
            yield begin, place
            begin = place
    yield begin, end


def halves(
    judged: Sequence[Judged], wanted: Sequence[Heir], wholes: Sequence[Sequence[int]]
) -> set[int]:
    """Return the places of wanted rewrites that would rewrite only a part of a whole."""
    settled = [_is_settled(*each) for each in judged]
    held: set[int] = set()
    for whole in wholes:
        numbers = {judged[place][0].first.number for place in whole}
        heirs = {
            judged[place][1].heirs[:1] for place in whole if not judged[place][1].is_dated_itself
        }
        if len(numbers) == 1 and len(heirs) > 1:
            held.update(whole)
    return _spread_over(wanted, settled, wholes, held)


def _is_settled(citation: Citation, verdict: CitationVerdict) -> bool:
    """Say whether a number that stays need not hold back the others."""
    if verdict.is_dated_itself:
        return True
    if verdict.as_of and verdict.heir == citation.first.number and citation.last is None:
        return True  # whatever became of it, its main heir has the same number
    return verdict.status == CURRENT and (bool(verdict.as_of) or len(verdict.meanings) <= 1)


def waiting(
    judged: Sequence[Judged], wanted: Sequence[Heir], ignored: Collection[str], lines: LinePlaces
) -> set[int]:
    """Return the places of wanted rewrites in lines that also have a doubtful citation.

    Git dates a rewritten line as new, and the next audit would take the doubtful number for one of
    today. So the whole line waits until a person has decided.
    """
    of_line: dict[int, list[int]] = {}
    for place, (citation, _) in enumerate(judged):
        parts = [part for part in (citation.first, citation.last) if part is not None]
        for line in {lines.line_of(part.start) for part in parts}:
            of_line.setdefault(line, []).append(place)
    settled = [
        verdict.status in {CURRENT, NEVER, *ignored} or verdict.is_pinned for _, verdict in judged
    ]
    return _spread_over(wanted, settled, list(of_line.values()), set())


def _spread_over(
    wanted: Sequence[Heir],
    settled: Sequence[bool],
    wholes: Sequence[Sequence[int]],
    held: set[int],
) -> set[int]:
    """Return the wanted places that are held, or are in a whole with what neither stays nor moves."""
    held = {place for place in held if wanted[place] is not None}
    while True:
        stuck = [
            (wanted[place] is None and not settled[place]) or place in held
            for place in range(len(wanted))
        ]
        more = {
            place
            for whole in wholes
            if any(stuck[place] for place in whole)
            for place in whole
            if wanted[place] is not None
        }
        if more <= held:
            return held
        held |= more
