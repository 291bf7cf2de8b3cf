"""Rewrites citations in their authors' notation, and holds back what must not be rewritten.

Held back is what is not its writer's claim about today, and what would leave half of a list, of a
line or of a quotation rewritten.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from variorum.audit.bare_numbers import QuotedRule
from variorum.audit.files import TextFile
from variorum.audit.grammar import (
    ANCHOR,
    FAR,
    ONLY_LETTERS,
    ONLY_RULE,
    Citation,
    PrintedNumber,
    is_near,
)
from variorum.audit.meanings import CitationVerdict, Heir
from variorum.audit.sentences import lists_of
from variorum.records.audit import CURRENT
from variorum.rule_numbers import SECTION, RuleNumber, letters_of

Judged = tuple[Citation, CitationVerdict]


class Edit(NamedTuple):
    """A replacement in a text."""

    start: int
    end: int
    new: str


def edits_of(text: str, rewritten: Iterable[tuple[Citation, Heir | None]]) -> list[list[Edit]]:
    """Return the edits that rewrite each citation."""
    edits_of_all: list[list[Edit]] = []
    # The preceding number, as rewritten. A reader takes a letter alone for a subrule of its rule.
    shown = ""
    for citation, wanted in rewritten:
        first, last = citation.first.number, (citation.last or citation.first).number
        # After rules, a section would not look like part of the list.
        is_lost = wanted and citation.is_member and "." in first and "." not in wanted[0]
        if wanted and not is_lost and not citation.is_open:
            first, last = wanted
        edits: list[Edit] = []
        for part, number in ((citation.first, first), (citation.last, last)):
            if part is None:
                continue
            new = _set(part, number, shown, text, is_end=part is citation.last)
            shown = number
            if new != text[part.start : part.end] and not citation.is_open:
                edits.append(Edit(part.start, part.end, new))
        edits_of_all.append(edits)
    return edits_of_all


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with some of its words replaced."""
    pieces: list[str] = []
    end = 0
    for edit in edits:
        pieces += [text[end : edit.start], edit.new]
        end = edit.end
    return "".join([*pieces, text[end:]])


def _set(part: PrintedNumber, number: str, shown: str, text: str, *, is_end: bool) -> str:
    """Write a number in the notation of the part it replaces, shortened if possible."""
    printed = text[part.start : part.end]
    if part.form == ANCHOR:  # "#R7045k"
        return number.replace(".", "")
    is_shortened = part.form in {ONLY_LETTERS, ONLY_RULE}
    is_short = is_shortened and _is_understood(part, number, shown, is_end=is_end)
    if number == part.number and is_short == is_shortened:
        return printed
    new = number
    if is_short:
        new = letters_of(number) if part.form == ONLY_LETTERS else number.partition(".")[2]
    letters = [sign for sign in printed if sign.isalpha()]
    return new.upper() if letters and all(sign.isupper() for sign in letters) else new


def _is_understood(part: PrintedNumber, number: str, before: str, *, is_end: bool) -> bool:
    """Say whether a number can be shortened, such as 704.5n to "n" in "704.5m/n"."""
    own, shown = RuleNumber.read(number), RuleNumber.read(before)
    if own is None or shown is None or own.section != shown.section or not shown < own:
        return False
    if part.form != ONLY_RULE:
        is_same = own.rule == shown.rule and bool(own.letters and shown.letters)
        return is_same and (is_end or is_near(shown.letters, own.letters))
    is_plain = bool(own.rule) and not own.letters and not shown.letters
    return is_plain and (is_end or own.rule - shown.rule <= FAR)


# Where citations stay ------------------------------------------------------------------------------

_CITED = (
    r"(?:(?:the|at|as|in|under|called|cited|numbered|number|citation|rules?|section|cr|c\.r\.)[ ])*"
    rf"[^\w\n]{{0,4}}(?:(?:cr|rule)[ ]?)?{SECTION}\b"
)
# A line, in small letters, that speaks of the numbers themselves: "renamed 701.8a to 701.9a", "was 701.8a".
# Looking at the first letter of each word makes it four times as fast.
_OF_CHANGE = re.compile(
    rf"""
    \b(?=[bcfimnoprsuw])
    (?: re-?(?:nam|number|letter)(?:ed|es?|s|ing)?\b | mis-?(?:cit|number)\w*
    | (?: was|were|now|became|becomes?|formerly|previously|originally|used[ ]to[ ]be|should[ ]be
        | instead[ ]of|rather[ ]than|not|old|former|stale|outdated|superseded[ ]by
        | (?:moved|changed|corrected|updated|fixed|bumped|migrated|replaced|renumbers?)
          (?:[ ](?:from|to|by|with))? )[ ]{_CITED} )
    | \d\.\d+[a-z]*[^\w\n]{{0,6}}(?:->|=>|[→⇒➜➔])[^\w\n]{{0,6}}(?:cr[ ])?{SECTION}\b
    """,
    re.VERBOSE,
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
    *(".toml", ".ini", ".cfg", ".xml", ".ron", ".properties", ".resx", ".lock"),
}
_COMMENT = r"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)"
_DOUBLE, _SINGLE = r'"(?:\\.|[^"\\\n])*"?', r"'(?:\\.|[^'\\\n])*'?"
_TEMPLATE = r"`(?:\\(?s:.)|[^`\\])*`?"
# The comments and the strings ("text") of programs, by the suffixes of their files. A string that
# begins its line in Python is documentation.
_FORMS = {
    ".js .jsx .mjs .cjs .ts .tsx .mts .cts .php .vue .svelte .dart .groovy": (
        rf"{_COMMENT}|(?P<text>{_DOUBLE}|{_SINGLE}|{_TEMPLATE})"
    ),
    ".c .cc .cpp .cxx .h .hh .hpp .cs .java .kt .kts .scala .go .rs .swift .gradle .proto .zig": (
        rf"{_COMMENT}|'(?:\\[^\n]|[^'\\\n])'"
        r'|(?P<text>r(?P<raw>#+)"(?s:.*?)(?:"(?P=raw)|\Z)|"""(?s:.*?)(?:"""|\Z)'
        r'|\$?@\$?"(?:""|[^"])*"?'
        rf"|{_DOUBLE}|{_TEMPLATE})"
    ),
    ".py .pyi .rb .sh .bash .zsh .pl .pm .r .jl .ex .exs .nim": (
        r"#[^\n]*|(?:^|(?<=\n))[ \t]*[rRuU]?(?P<doc>\"\"\"|''')(?s:(?:\\.|.)*?)(?:(?P=doc)|\Z)"
        r"|(?P<text>(?P<triple>\"\"\"|''')(?s:(?:\\.|.)*?)(?:(?P=triple)|\Z)"
        rf"|{_DOUBLE}|{_SINGLE})"
    ),
    ".lua .sql .hs .elm": (
        rf"--[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|(?P<text>\[\[(?s:.*?)(?:\]\]|\Z)|{_DOUBLE}|{_SINGLE})"
    ),
}
_STRINGS = {
    suffix: re.compile(form) for suffixes, form in _FORMS.items() for suffix in suffixes.split()
}


def pinned_in_place(
    file: TextFile, path: PurePath, judged: Sequence[Judged], *, with_strings: bool
) -> list[Judged]:
    """Return verdicts; pinned are citations that `--fix` must not rewrite where they stand.

    These are in string literals of programs and in data files, in changelogs, and in lines that
    speak of a change of numbers.
    """
    suffix, kept = path.suffix.casefold(), list(judged)
    in_string = _literals(file.text, "" if with_strings else suffix)
    is_changelog = suffix in _PROSE and (
        _CHANGELOG.fullmatch(path.stem) is not None or not _CHANGE_FOLDERS.isdisjoint(path.parts)
    )
    of_change: dict[int, bool] = {}
    for place, (citation, verdict) in enumerate(judged):
        if verdict.certain is None:
            continue
        line, why = file.line_of(citation.first.start), ""
        if line not in of_change:
            of_change[line] = is_changelog or bool(_OF_CHANGE.search(file.line(line).casefold()))
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
    spans = [each.span() for each in form.finditer(text) if each["text"]] if form else []

    def is_inside(offset: int) -> bool:
        place = bisect_right(spans, (offset, len(text))) - 1
        return place >= 0 and offset < spans[place][1]

    return is_inside


# What is rewritten together ------------------------------------------------------------------------


def wholes_of(
    file: TextFile, judged: Sequence[Judged], quoted: Sequence[QuotedRule], *, by_line: bool
) -> list[list[int]]:
    """Return the places of citations that are rewritten together or not at all.

    These are the numbers of a list, equal numbers of a line, and all numbers in a quoted rule. If
    git dates lines, all numbers of a line are: it dates a rewritten line as new.
    """
    citations = [citation for citation, _ in judged]
    groups: dict[tuple[int, str], list[int]] = {}
    for place, citation in enumerate(citations):
        for start in {part.start for part in (citation.first, citation.last) if part}:
            line = file.line_of(start)
            groups.setdefault((line, citation.first.number), []).append(place)
            if by_line:
                groups.setdefault((line, ""), []).append(place)
    in_rules = [[*rule.places_in(citations)] for rule in quoted]
    return [it for it in (*_lists(file.text, citations), *in_rules, *groups.values()) if it[1:]]


def _lists(text: str, citations: Sequence[Citation]) -> Iterator[list[int]]:
    """Yield the lists: behind a line or sentence, only a number without a word goes on."""
    for start, end in lists_of(text, citations):
        whole = [start]
        for place in range(start + 1, end):
            between = text[citations[place - 1].end : citations[place].start]
            if not citations[place].is_member and ("\n" in between or ". " in between):
                yield whole
                whole = []
            whole.append(place)
        yield whole


def without_halves(
    judged: Sequence[Judged], wholes: Sequence[Sequence[int]], ignored: Collection[str]
) -> list[Judged]:
    """Return verdicts; sure are those that are rewritten with all of their wholes, and not ignored."""
    sure, stuck = set[int](), set[int]()
    for place, (citation, verdict) in enumerate(judged):
        if verdict.certain and verdict.status not in ignored:
            sure.add(place)
        elif not _is_settled(citation, verdict):
            stuck.add(place)
    for whole in wholes:
        numbers = {judged[n][0].first.number for n in whole}
        heirs = {judged[n][1].heirs[:1] for n in whole if not judged[n][1].is_dated_itself}
        if len(numbers) == 1 and len(heirs) > 1:
            stuck |= sure.intersection(whole)
    sure -= stuck
    while held := sure & {n for whole in wholes if not stuck.isdisjoint(whole) for n in whole}:
        sure -= held
        stuck |= held
    return [
        (citation, verdict._replace(is_sure=place in sure))
        for place, (citation, verdict) in enumerate(judged)
    ]


def _is_settled(citation: Citation, verdict: CitationVerdict) -> bool:
    """Say whether a number that stays need not hold back the others."""
    if verdict.is_dated_itself:
        return True
    if verdict.as_of and verdict.heir == citation.first.number and citation.last is None:
        return True  # whatever became of it, its main heir has the same number
    return verdict.status == CURRENT and (bool(verdict.as_of) or len(verdict.meanings) <= 1)
