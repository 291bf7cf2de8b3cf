"""Divides a document into head, introduction, contents, rules, glossary, index and credits."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from variorum.errors import DocumentError, FormatError
from variorum.reading.paragraphs import EFFECTIVE, Block
from variorum.rule_numbers import CHAPTER, HEADED, SECTION
from variorum.text import find_days

CHAPTER_LINE = re.compile(rf"(?P<number>{CHAPTER})\. (?P<heading>\D.*)", re.ASCII)
SECTION_LINE = re.compile(rf"(?P<number>{SECTION})\. (?P<heading>\D.*)", re.ASCII)
_FIRST_RULE = re.compile(rf"{SECTION}\. ?\d", re.ASCII)
_CONTENTS_LINE = re.compile(rf"({HEADED})\. (\D.*?)(?:[. ]+\d{{1,3}})?", re.ASCII)  # and a page
_LONGEST_IN_CONTENTS = 3  # words of a line without a number, such as "Glossary"
# The head of the edition of 1999 has only "04/23/99".
_HEAD_DATE = re.compile(r"\b\d\d/\d\d/\d\d$", re.ASCII)


# A paragraph outside the provisions: its part, and whether it is furniture of that, such as a title or a
# heading, which no field of an edition has.
_Other = tuple[str, Block, bool]


class Parts(NamedTuple):
    """The paragraphs of a document, by part, and every effective date that it states.

    `contents` has the headings of chapters and sections that the contents list, by number; it is None if
    there are no contents.
    """

    rules: Sequence[Block]
    glossary: Sequence[Block]
    others: list[_Other]
    contents: dict[str, str] | None
    dates: list[tuple[date, Block]]

    def texts(self, role: str) -> list[str]:
        """Return the paragraphs of a part other than rules and glossary."""
        return [it.text for of, it, is_title in self.others if of == role and not is_title]


def part(blocks: Sequence[Block]) -> Parts:
    """Find the parts of a complete edition."""
    start = _start_of_rules(blocks)
    glossary = _find("Glossary", blocks, start)
    if not glossary:
        raise DocumentError("ends without a glossary", line=blocks[-1].last)
    credit = _find("Credits", blocks, glossary)
    if not credit:
        raise DocumentError("ends inside the glossary, without credits", line=blocks[-1].last)
    index = _find("Index", blocks[:credit], glossary) or credit
    for block in blocks[credit:]:
        if _FIRST_RULE.match(block.text):
            raise DocumentError("a rule after the credits: more than one edition", line=block.first)
    others = [*_roles_of(blocks[:start]), ("glossary", blocks[glossary], True)]
    listed = [_CONTENTS_LINE.fullmatch(it.text) for _, it, _ in others]
    contents = {match[1]: match[2] for match in listed if match}
    for role, first, end in ("index", index, credit), ("credits", credit, len(blocks)):
        others += [
            (role, it, place == first) for place, it in enumerate(blocks[:end]) if place >= first
        ]
    return Parts(
        blocks[start:glossary],
        blocks[glossary + 1 : index],
        others,
        contents or None,
        _effective_dates(blocks[:start], blocks[credit:]),
    )


def _start_of_rules(blocks: Sequence[Block]) -> int:
    """Return the place of the heading of chapter 1, before the first rule.

    The contents have this heading too, except in 2003-05-26, which has no contents. The heading
    that counts has a rule below it.
    """
    first = next((i for i, block in enumerate(blocks) if _FIRST_RULE.match(block.text)), None)
    if first is None:
        raise FormatError("no known layout: no paragraph begins with the number of a rule")
    above = (i for i in range(first - 1, 0, -1) if SECTION_LINE.match(blocks[i].text))
    place = next(above, 0)
    section = SECTION_LINE.match(blocks[place].text) if place else None
    chapter = CHAPTER_LINE.match(blocks[place - 1].text)
    if not section or not chapter or (section["number"], chapter["number"]) != ("100", "1"):
        raise DocumentError(
            f"begins too late: its first rule is {blocks[first].text.split()[0].rstrip('.')}, "
            "without chapter 1 and section 100 above it",
            line=blocks[first].first,
        )
    return place - 1


def _find(heading: str, blocks: Sequence[Block], start: int) -> int:
    """Return the place of a heading of a part, as "GLOSSARY:", never the first paragraph; 0 if none."""
    forms = {heading, heading.upper(), f"{heading}:", f"{heading.upper()}:"}
    return next((i for i in range(start, len(blocks)) if blocks[i].text in forms), 0)


def _roles_of(blocks: Sequence[Block]) -> Iterator[_Other]:
    """Yield the part of each paragraph before the rules, and whether it is furniture of that."""
    part = "title"
    for block, following in zip(blocks, [*[each.text for each in blocks[1:]], ""], strict=True):
        is_listed = _CONTENTS_LINE.match(block.text) is not None
        title = block.text[:14].rstrip(":").capitalize()
        is_short = len(block.text.split()) <= _LONGEST_IN_CONTENTS
        if part == "title" and EFFECTIVE.search(block.text):
            yield "date", block, True
        elif title == "Introduction" and not _CONTENTS_LINE.match(following):
            part = "introduction"
            yield part, block, True
        elif is_listed or title == "Contents" or (part == "contents" and is_short):
            part = "contents"
            yield part, block, True
        elif part == "title" or block.text.endswith("Comprehensive Rules"):
            yield "title", block, True  # 1999 repeats it above its introduction
        else:  # in 1999, also between the contents and the introduction
            part = "introduction"
            yield part, block, False


def _effective_dates(head: Sequence[Block], tail: Sequence[Block]) -> list[tuple[date, Block]]:
    """Return every effective date in the paragraphs before the rules and from the credits on."""
    stated = [(EFFECTIVE.search(block.text), block) for block in (*head, *tail)]
    stated += [(_HEAD_DATE.search(block.text), block) for block in head[:3]]
    placed = [(block.text[it.start() :], block) for it, block in stated if it]
    dates = [(day, block) for words, block in placed for day in find_days(words)[:1]]
    if not dates or dates[0][1] is not placed[0][1]:
        reason = "no sentence states the date from which the rules are effective"
        raise FormatError(reason, line=placed[0][1].first if placed else 0)
    return dates
