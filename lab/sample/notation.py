"""Read the plain notation of the sample's source; README.md explains it.

A *block* has the readings of one provision in all editions. A *plan* gives the places of the
provisions in one edition. `Writer` inserts what differs between editions.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from string import ascii_lowercase

from lab.sample.edition import Kind, Passage

LETTERS = ascii_lowercase.replace("l", "").replace("o", "")
_CITATION = re.compile(r"\{(#|')([\w.]+?)(?:\.\.([\w.]+))?\}")
_TERM = re.compile(r"\$([A-Za-z]+)")
_VARIANT = re.compile(r"\{([^{}|]*)((?:\|\d{4}:[^{}|]*)+)\}")
_DANGLING = "\N{REPLACEMENT CHARACTER}"  # harmless in a variant that is not chosen
_SECTION = re.compile(r"(\d+)(!?) ([\w.]+)(?:: (.*))?")
_PLACE = re.compile(r"([\w.-]+?)(?:=([\w.^]+))?(?=[ ()]|$)|([()])")


class NotationError(ValueError):
    """The source does not have the form that README.md describes."""


@dataclass(frozen=True, slots=True)
class Block:
    """The readings of a provision.

    Attributes:
        label: A private, stable name that identifies the provision in all editions.
        readings: By the year of the first edition with each; empty where the history ends.
    """

    label: str
    heading: str
    readings: Mapping[int, tuple[str, ...]]

    def at(self, year: int) -> tuple[str, ...]:
        """Return the lines in force, each with its mark (``+``, ``>``, ``/``; none for the first)."""
        years = [first for first in self.readings if first <= year]
        return self.readings[max(years)] if years else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a provision in an edition.

    Attributes:
        number: The right number, without its final dot.
        opening: The number as printed.
    """

    label: str
    kind: Kind
    number: str
    opening: str
    glued: bool = False
    is_blank: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """A split, merge or copy: old provisions that become new ones other than one by one.

    Attributes:
        word: ``split``, ``merged`` or ``copied``.
    """

    word: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The order and the peculiarities of an edition.

    Attributes:
        line_starts: By label, the words that begin a line of the provision in a hard-wrapped
            layout.
        gaps: Labels of provisions with a blank line before their first example.
    """

    effective: date
    places: tuple[Place, ...]
    relations: tuple[Relation, ...]
    line_starts: Mapping[str, str]
    gaps: frozenset[str]


# Blocks --------------------------------------------------------------------------------------


def parse_blocks(source: str) -> dict[str, Block]:
    """Parse the readings, by label."""
    lines = [line for line in source.splitlines() if line and line[0] not in "#$"]
    blocks: dict[str, Block] = {}
    readings: dict[int, tuple[str, ...]] = {}
    for line in lines:
        if line.startswith("@"):
            label, _, heading = line[1:].partition(" = ")
            if label in blocks:
                raise NotationError(f"a label twice: {label}")
            readings = {}
            blocks[label] = Block(label, heading, readings)
        elif match := re.fullmatch(r"(\d{4}) (.*)", line):
            year = int(match[1])
            readings[year] = () if match[2] == "-" else (match[2],)
        else:
            readings[max(readings)] += (line,)
    return blocks


def parse_terms(source: str) -> dict[str, dict[int, str]]:
    """Parse the words that change throughout: by name, then by first year."""
    terms: dict[str, dict[int, str]] = {}
    for name, first, year, then in re.findall(
        r"^\$(\w+) = (.*?) \| (\d{4}):(.*)$", source, re.MULTILINE
    ):
        terms[name] = {0: first.strip(), int(year): then.strip()}
    return terms


# Plans ---------------------------------------------------------------------------------------


def parse_plans(source: str) -> tuple[Plan, ...]:
    """Parse the plans; a plan that is not ``anew`` changes the plan before it line by line."""
    plans: list[Plan] = []
    sections: dict[str, str] = {}
    for part in re.split(r"^== ", source, flags=re.MULTILINE)[1:]:
        head, *lines = part.splitlines()
        day, _, anew = head.partition(" ")
        sections = {} if anew else dict(sections)
        notes: list[list[str]] = []
        for line in filter(None, lines):
            number, rest = line.split(" ", 1)
            if not number[0].isdigit():
                notes.append(line.split())
            elif rest == "-":
                del sections[number]
            else:
                sections[number.rstrip("!")] = line
        plans.append(_plan(date.fromisoformat(day), sections, notes))
    return tuple(plans)


def _plan(effective: date, sections: Mapping[str, str], notes: list[list[str]]) -> Plan:
    words = {"split": "split", "merge": "merged", "copy": "copied"}
    relations: list[Relation] = []
    for word, *labels in notes:
        if word in words:
            middle = labels.index(">")
            old, new = tuple(labels[:middle]), tuple(labels[middle + 1 :])
            relations.append(Relation(words[word], old, new))
    return Plan(
        effective=effective,
        places=tuple(place for _, line in sorted(sections.items()) for place in _places(line)),
        relations=tuple(relations),
        line_starts={note[1]: note[2] for note in notes if note[0] == "break"},
        gaps=frozenset(note[1] for note in notes if note[0] == "gap"),
    )


def _places(line: str) -> Iterator[Place]:
    match = _SECTION.fullmatch(line)
    if match is None:
        raise NotationError(line)
    number, blank, label, content = match.groups()
    kind = Kind.CHAPTER if len(number) == 1 else Kind.SECTION
    yield Place(label=label, kind=kind, number=number, opening=f"{number}.", is_blank=bool(blank))
    rule, letters = 0, iter("")
    is_inside = False
    for name, printed, bracket in _PLACE.findall(content or ""):
        if bracket:
            is_inside, letters = bracket == "(", _letters()
        elif is_inside:
            yield _place(name, Kind.SUBRULE, f"{number}.{rule}{next(letters)}", printed)
        else:
            rule += 1
            yield _place(name, Kind.RULE, f"{number}.{rule}", printed)


def _place(label: str, kind: Kind, number: str, printed: str) -> Place:
    right = number if kind is Kind.SUBRULE else f"{number}."
    opening = printed.removesuffix("^").replace("_", " ") or right
    glued = printed.endswith("^")
    return Place(label=label, kind=kind, number=number, opening=opening, glued=glued)


def _letters() -> Iterator[str]:
    yield from LETTERS
    for first in LETTERS:
        for second in LETTERS:
            yield first + second


# The differences between editions ---------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes the texts of one edition.

    Attributes:
        numbers: The numbers for citations, by label.
        headings: The headings in the source, by label.
        terms: The words that change throughout, as in this edition; without any, they stay
            unresolved.
        is_slotted: Whether citations name labels instead of numbers and headings.
    """

    year: int
    numbers: Mapping[str, str]
    headings: Mapping[str, str]
    terms: Mapping[str, str] | None
    is_slotted: bool = False

    def write(self, text: str) -> str:
        """Resolve citations, terms and variants."""
        text = _CITATION.sub(self._cite, text)
        if (terms := self.terms) is not None:
            text = _TERM.sub(lambda match: terms[match[1]], text)
        text = _VARIANT.sub(self._variant, text).strip(" ")
        if _DANGLING in text:
            raise NotationError(f"{self.year} cites what it doesn't have: {text}")
        return text

    def passage(self, block: Block) -> Passage:
        """Write the text of a provision or an entry."""
        lines = block.at(self.year)
        return Passage(
            tuple(self.write(re.sub("^[+/] ", "", line)) for line in lines if line[0] != ">"),
            tuple(self.write(line.removeprefix("> ")) for line in lines if line[0] == ">"),
        )

    def _cite(self, match: re.Match[str]) -> str:
        mark, label, last = match.groups()
        if self.is_slotted:
            return f"<{mark}{label}>"
        if mark == "'":
            return self.write(self.headings[label])
        number = self.numbers.get(label, f"{_DANGLING}{label}")
        return f"{number}\N{FIGURE DASH}{_tail(number, self.numbers[last])}" if last else number

    def _variant(self, match: re.Match[str]) -> str:
        chosen: str = match[1]
        for year, text in re.findall(r"\|(\d{4}):([^|]*)", match[2]):
            if int(year) <= self.year:
                chosen = text
        return chosen


def _tail(first: str, last: str) -> str:
    """Shorten the end of a range: 409.1a to 409.1c is 409.1a-c, 102.1 to 102.3 is 102.1-3."""
    stem = first.rstrip(ascii_lowercase)
    if stem != first and last.startswith(stem):
        return last.removeprefix(stem)
    section, dot, _ = first.partition(".")
    return last.removeprefix(section + dot) if dot else last
