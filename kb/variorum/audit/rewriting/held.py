"""Holds back rewrites of what is not its writer's claim about today, and halves of a rewrite."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

from variorum.answers.cited_heirs import CURRENT
from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.sentence import is_list
from variorum.audit.judging.verdict import CitationVerdict
from variorum.audit.line_places import LinePlaces
from variorum.rule_numbers import SECTION

Judged = tuple[Citation, CitationVerdict]

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


def held_back(
    lines: LinePlaces, path: PurePath, judged: Sequence[Judged], *, with_strings: bool
) -> list[Judged]:
    """Return verdicts; those that `--fix` must not act on are pinned, or no longer sure.

    Pinned are citations in string literals of programs and in data files, in changelogs, and in
    lines that speak of a change of numbers. Equal numbers of a line, and the numbers of a list, stay
    sure only together.
    """
    if not any(verdict.is_sure and verdict.status != CURRENT for _, verdict in judged):
        return list(judged)
    suffix = path.suffix.casefold()
    in_string = (lambda _: False) if with_strings else _literals(lines.text, suffix)
    is_changelog = suffix in _PROSE and (
        _CHANGELOG.fullmatch(path.stem) is not None or not _CHANGE_FOLDERS.isdisjoint(path.parts)
    )
    of_change: dict[int, bool] = {}
    kept: list[Judged] = []
    for citation, verdict in judged:
        if not verdict.is_sure or verdict.status == CURRENT:
            kept.append((citation, verdict))
            continue
        line, why = lines.place(citation.first.start)[0], ""
        if line not in of_change:
            of_change[line] = is_changelog or _OF_CHANGE.search(lines.line(line)) is not None
        if of_change[line]:
            why = "its line speaks of a change"
        elif in_string(citation.first.start):
            why = "in a string or data; see --fix-strings"
        if why:
            said = f"{verdict.why}; {why}" if verdict.why else why
            held = verdict._replace(is_sure=False, is_pinned=True, why=said)
        kept.append((citation, held if why else verdict))
    dated = {place for place, (_, verdict) in enumerate(judged) if verdict.is_pinned}
    return _together(lines, kept, dated)


def _together(lines: LinePlaces, judged: list[Judged], dated: set[int]) -> list[Judged]:
    """Return verdicts; equal numbers of a line, and numbers of a list, are sure only together.

    Citations with their own date are left out: they stay whatever becomes of the others.
    """
    of_line: dict[tuple[int, str], list[int]] = {}
    for place, (citation, _) in enumerate(judged):
        if place not in dated:
            key = lines.place(citation.first.start)[0], citation.first.number
            of_line.setdefault(key, []).append(place)
    lists = [
        [place for place in group if place not in dated] for group in _lists(lines.text, judged)
    ]
    unsure: set[int] = set()
    for group in lists:
        if not all(_is_settled(*judged[place]) for place in group):
            unsure.update(group)
    for group in of_line.values():
        ends = {judged[place][1].heirs[:1] for place in group}
        is_sure = all(judged[place][1].is_sure and place not in unsure for place in group)
        if len(ends) > 1 or not is_sure:
            unsure.update(group)
    for group in lists:  # a number that its equal held back holds back its list
        if any(place in unsure and not _is_settled(*judged[place]) for place in group):
            unsure.update(group)
    return [
        (citation, verdict._replace(is_sure=False) if place in unsure else verdict)
        for place, (citation, verdict) in enumerate(judged)
    ]


def _is_settled(citation: Citation, verdict: CitationVerdict) -> bool:
    """Say whether a number of a list need not hold back the others."""
    if verdict.as_of and verdict.heir == citation.first.number and citation.last is None:
        return True  # whatever became of it, its main heir has the same number
    if verdict.status == CURRENT:
        return bool(verdict.as_of) or len(verdict.meanings) <= 1
    return verdict.is_sure


def _lists(text: str, judged: Sequence[Judged]) -> Iterator[list[int]]:
    """Yield the places of the numbers of each list."""
    group: list[int] = []
    for place, (citation, _) in enumerate(judged):
        before = judged[place - 1][0]
        is_member = citation.start == citation.first.start and not citation.is_bare
        is_apart = not is_member and "\n" in text[before.end : citation.start]
        if group and (is_apart or not is_list(text, before, citation)):
            if len(group) > 1:
                yield group
            group = []
        group.append(place)
    if len(group) > 1:
        yield group


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
