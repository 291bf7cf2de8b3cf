"""Divides a document into head, introduction, contents, rules, glossary, index and credits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from variorum.errors import LayoutError, ParseError, TruncatedError
from variorum.model import Role
from variorum.reading.effective_date import EFFECTIVE, find_effective_dates
from variorum.reading.unwrap import Block
from variorum.rule_numbers import CHAPTER, HEADED, SECTION

CHAPTER_LINE = re.compile(rf"(?P<number>{CHAPTER})\. (?P<heading>\D.*)", re.ASCII)
SECTION_LINE = re.compile(rf"(?P<number>{SECTION})\. (?P<heading>\D.*)", re.ASCII)
_FIRST_RULE = re.compile(rf"{SECTION}\. ?\d", re.ASCII)
_CONTENTS_LINE = re.compile(rf"{HEADED}\. \D", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parts:
    """The paragraphs of a document, by part.

    Attributes:
        furniture: Title, date, headings of parts and contents: words that belong to no provision.
        introduction: In printed order.
        contents: The lines of the contents that name chapters and sections.
        rules: From the first chapter to the glossary.
        glossary: Without its heading, like the following parts.
        dates: Every effective date the text states, in printed order, with its line.
    """

    furniture: tuple[tuple[Role, Block], ...]
    introduction: tuple[Block, ...]
    contents: tuple[Block, ...]
    rules: tuple[Block, ...]
    glossary: tuple[Block, ...]
    index: tuple[Block, ...]
    credits: tuple[Block, ...]
    dates: tuple[tuple[date, Block], ...]


def part(blocks: Sequence[Block], file: str) -> Parts:
    """Find the parts of a complete edition.

    Raises:
        TruncatedError: A part is missing: the document begins or ends too early.
        ParseError: Rules go on after the credits.
        LayoutError: No sentence states a date.
    """
    start = _start_of_rules(blocks, file)
    glossary = _find("Glossary", blocks, start)
    if glossary is None:
        raise TruncatedError("ends without a glossary", file, blocks[-1].last)
    credit = _find("Credits", blocks, glossary)
    if credit is None:
        raise TruncatedError("ends inside the glossary, without credits", file, blocks[-1].last)
    index = _find("Index", blocks[:credit], glossary)
    after_glossary = credit if index is None else index
    for block in blocks[credit:]:
        if _FIRST_RULE.match(block.text):
            raise ParseError("a rule after the credits: more than one edition", file, block.first)
    head = _Head(blocks[:start])
    furniture = [*head.furniture, (Role.GLOSSARY, blocks[glossary])]
    if index is not None:
        furniture.append((Role.INDEX, blocks[index]))
    furniture.append((Role.CREDITS, blocks[credit]))
    return Parts(
        furniture=tuple(furniture),
        introduction=tuple(head.introduction),
        contents=tuple(head.contents),
        rules=tuple(blocks[start:glossary]),
        glossary=tuple(blocks[glossary + 1 : after_glossary]),
        index=() if index is None else tuple(blocks[index + 1 : credit]),
        credits=tuple(blocks[credit + 1 :]),
        dates=find_effective_dates(blocks[:start], blocks[credit:], file),
    )


def _start_of_rules(blocks: Sequence[Block], file: str) -> int:
    """Return the place of the heading of chapter 1, before the first rule.

    The contents have this heading too, except in 2003-05-26, which has no contents. The heading
    that counts has a rule below it.
    """
    first = next((i for i, block in enumerate(blocks) if _FIRST_RULE.match(block.text)), None)
    if first is None:
        raise LayoutError("no known layout: no paragraph begins with the number of a rule", file)
    place = first - 1
    while place >= 0 and not SECTION_LINE.match(blocks[place].text):
        place -= 1
    section = SECTION_LINE.match(blocks[place].text) if place >= 0 else None
    chapter = CHAPTER_LINE.match(blocks[place - 1].text) if place > 0 else None
    if section is None or chapter is None or (section["number"], chapter["number"]) != ("100", "1"):
        raise TruncatedError(
            f"begins too late: its first rule is {blocks[first].text.split()[0].rstrip('.')}, "
            "without chapter 1 and section 100 above it",
            file,
            blocks[first].first,
        )
    return place - 1


def _find(heading: str, blocks: Sequence[Block], start: int) -> int | None:
    places = range(start, len(blocks))
    return next((place for place in places if blocks[place].text == heading), None)


class _Head:
    """Assigns the paragraphs before the rules to their parts."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.furniture: list[tuple[Role, Block]] = []
        self.introduction: list[Block] = []
        self.contents: list[Block] = []
        self._role = Role.TITLE
        for place, block in enumerate(blocks):
            following = blocks[place + 1].text if place + 1 < len(blocks) else ""
            self._sort(block, following)

    def _sort(self, block: Block, following: str) -> None:
        is_listed = _CONTENTS_LINE.match(block.text) is not None
        if EFFECTIVE.search(block.text) and self._role is Role.TITLE:
            self.furniture.append((Role.DATE, block))
        elif block.text == "Contents" or (is_listed and self._role is not Role.CONTENTS):
            self._role = Role.CONTENTS
            self._list(block, is_listed=is_listed)
        elif block.text == "Introduction" and not _CONTENTS_LINE.match(following):
            self._role = Role.INTRODUCTION
            self.furniture.append((self._role, block))
        elif self._role is Role.CONTENTS and (is_listed or len(block.text.split()) <= 3):  # noqa: PLR2004
            self._list(block, is_listed=is_listed)
        elif self._role is Role.TITLE or self._is_title(block):
            self.furniture.append((Role.TITLE, block))
        else:  # in 1999, also between the contents and the introduction
            self._role = Role.INTRODUCTION
            self.introduction.append(block)

    def _list(self, block: Block, *, is_listed: bool) -> None:
        self.furniture.append((Role.CONTENTS, block))
        if is_listed:
            self.contents.append(block)

    @staticmethod
    def _is_title(block: Block) -> bool:
        """Recognise the title, which the edition of 1999 repeats above its introduction."""
        return block.text.endswith("Comprehensive Rules")
