"""Reads chapters, sections, rules and subrules: the paragraphs between contents and glossary."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from variorum.errors import ParseError
from variorum.model import Irregular, Irregularity, Kind, Paragraph, RuleNumber
from variorum.reading.document_parts import CHAPTER_LINE, SECTION_LINE
from variorum.reading.unwrap import EXAMPLE, Block
from variorum.record import unchecked
from variorum.rule_numbers import SECTION
from variorum.thresholds.documents import BLANK_LINE_FORGOTTEN

_RULE = re.compile(
    rf"""
    ( {SECTION} ) \. [ ]?
    ( [1-9]\d{{0,3}} ) ( [a-z]{{0,2}} ) (?! [A-Za-z0-9] )
    ( \.? )                                            # 100.1. has one, 100.1a has none
    """,
    re.VERBOSE | re.ASCII,
)
_LONGEST_NUMBER = 16
# 2008-10-01 prints "306.b" for 306.3b.
_MALFORMED = re.compile(
    rf"(?P<printed>(?P<section>{SECTION})\.(?P<letters>[a-z]{{1,2}})(?P<period>\.?))\s+(?P<text>[A-Z].*)",
    re.ASCII | re.DOTALL,
)
_OTHERS = "the other numbers of its kind"
# The words of a rule never begin with these characters. They show that a line begins with a
# citation instead: "212.2c).".
NEVER_BEGINS_A_RULE = frozenset("abcdefghijklmnopqrstuvwxyz,;:)]–—-")
_NO_HEADING_END = re.compile(r"[.:;,?][\"'”’)\]]*$")
_LONGEST_HEADING = 60
_SMALL_WORDS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)


def _no_irregularities() -> list[Irregularity]:
    return []  # three times as fast as calling list[Irregularity]


@dataclass(slots=True)
class ProvisionDraft:
    """A provision while it is being read.

    Attributes:
        number: As printed; None if malformed or that of a chapter.
        meant: The number that its place implies; set by the numbering.
    """

    kind: Kind
    printed: str
    address: str
    number: RuleNumber | None
    line: int
    heading: str
    paragraphs: list[Paragraph]
    irregularities: list[Irregularity] = field(default_factory=_no_irregularities)
    meant: RuleNumber | None = None

    def note(self, kind: Irregular, printed: str, meant: str = "", evidence: str = "") -> None:
        """Record an irregularity."""
        self.irregularities.append(Irregularity(kind, printed, meant, evidence))


def parse_rules(blocks: Sequence[Block], file: str) -> list[ProvisionDraft]:
    """Read chapters, sections, rules and subrules in printed order, with examples.

    Each paragraph opens a provision or belongs to the one before it.

    Raises:
        ParseError: A chapter is out of order.
    """
    drafts: list[ProvisionDraft] = []
    close: list[ProvisionDraft] = []
    chapter = 0
    previous: RuleNumber | None = None
    for place, block in enumerate(blocks):
        draft = _open_rule(block, previous) or _open_section(block)
        if draft is None:
            following = blocks[place + 1].text if place + 1 < len(blocks) else ""
            draft = _open_chapter(block, following)
            if draft is not None:
                chapter = _next_chapter(draft, chapter, file)
        if draft is None:
            _go_on(drafts[-1], block)
            continue
        if draft.number is not None:
            previous = draft.number
        if not block.after_blank:
            close.append(draft)
        drafts.append(draft)
    if len(close) < BLANK_LINE_FORGOTTEN * len(drafts):
        for draft in close:
            draft.note(Irregular.BLANK_LINE_MISSING, draft.printed, "", "no blank line above it")
    _find_headings(drafts)
    return drafts


class _Opening(NamedTuple):
    """The number at the beginning of a rule.

    Attributes:
        printed: As printed on the page.
        address: Without its period and inner spaces.
        number: Its parts.
        kind: The kind of provision that it numbers.
        odd_period: What is wrong with the period at its end.
    """

    printed: str
    address: str
    number: RuleNumber
    kind: Kind
    odd_period: Irregular | None


@lru_cache(maxsize=10_000)  # editions share most of their numbers
def _number_at_start(text: str) -> _Opening | None:
    match = _RULE.match(text)
    if match is None:
        return None
    section, rule, letters, period = match.groups()
    number = RuleNumber(int(section), int(rule), letters)
    address = f"{section}.{rule}{letters}"
    if letters:
        odd_period = Irregular.PERIOD_ADDED if period else None
        return _Opening(match[0], address, number, Kind.SUBRULE, odd_period)
    odd_period = None if period else Irregular.PERIOD_MISSING
    return _Opening(match[0], address, number, Kind.RULE, odd_period)


def _open_rule(block: Block, previous: RuleNumber | None) -> ProvisionDraft | None:
    printed_text, line, _, indent, _ = block
    if printed_text[0] not in "123456789":
        return None
    first_word, blank, text = printed_text.partition(" ")
    opening = _number_at_start(first_word)
    if opening is None or opening.printed != first_word:
        # 2009-07-11 prints "702. 37a", 2022-11-18 "901.4.All".
        opening = _number_at_start(printed_text[:_LONGEST_NUMBER])
        if opening is None:
            return _open_malformed(block)
        rest = printed_text[len(opening.printed) :]
        text = rest.removeprefix(" ")
        blank = rest[: len(rest) - len(text)]
    printed, address, number, kind, odd_period = opening
    if text[:1] in NEVER_BEGINS_A_RULE and (previous is None or not number.follows(previous)):
        return None
    paragraphs: list[Paragraph] = []
    draft = ProvisionDraft(kind, printed, address, number, line, "", paragraphs, [])
    if odd_period:
        draft.note(odd_period, printed, address if number.letters else f"{address}.", _OTHERS)
    if indent == 1:  # a misprint, four in 2009-07-11; some layouts indent all rules by two or more
        draft.note(Irregular.INDENTED, f" {printed}", printed, _OTHERS)
    if " " in printed:
        draft.note(Irregular.SPACE_IN_NUMBER, printed, address, _OTHERS)
    if not blank and text:
        draft.note(
            Irregular.SPACE_MISSING, f"{printed}{text[:1]}", f"{printed} {text[:1]}", _OTHERS
        )
    if text.startswith(address):
        text = _without_repetition(draft, text)
    paragraphs.append(unchecked(Paragraph, (text, "", line)))
    return draft


def _without_repetition(draft: ProvisionDraft, text: str) -> str:
    """Remove the second number if it is printed twice in a row (602.2a in 2005-08-01)."""
    rest = text.removeprefix(draft.address)
    if rest == text or not rest.startswith((" ", ". ")):
        return text
    rest = rest.lstrip(". ")
    repeated = text[: len(text) - len(rest)].rstrip()
    draft.note(Irregular.NUMBER_REPEATED, repeated, "", "the number before it")
    draft.printed = f"{draft.printed} {repeated}"
    return rest


def _open_malformed(block: Block) -> ProvisionDraft | None:
    match = _MALFORMED.match(block.text)
    if match is None:
        return None
    address = f"{match['section']}.{match['letters']}"
    paragraphs = [Paragraph(match["text"], "", block.first)]
    return ProvisionDraft(
        Kind.SUBRULE, match["printed"], address, None, block.first, "", paragraphs
    )


def _open_section(block: Block) -> ProvisionDraft | None:
    match = SECTION_LINE.fullmatch(block.text)
    if match is None or len(block.text) > 2 * _LONGEST_HEADING:
        return None
    number = RuleNumber(int(match["number"]))
    heading = match["heading"]
    return ProvisionDraft(Kind.SECTION, f"{number}.", str(number), number, block.first, heading, [])


def _open_chapter(block: Block, following: str) -> ProvisionDraft | None:
    """Open a chapter if a section follows; without one, the line may be a numbered sense of a word."""
    match = CHAPTER_LINE.fullmatch(block.text)
    if match is None or SECTION_LINE.fullmatch(following) is None:
        return None
    number = match["number"]
    heading = match["heading"]
    return ProvisionDraft(Kind.CHAPTER, f"{number}.", number, None, block.first, heading, [])


def _next_chapter(draft: ProvisionDraft, last: int, file: str) -> int:
    number = int(draft.address)
    if number != last + 1:
        raise ParseError(
            f"chapter {number} follows chapter {last}: parts are missing or out of order",
            file,
            draft.line,
        )
    return number


def _go_on(draft: ProvisionDraft, block: Block) -> None:
    match = EXAMPLE.match(block.text)
    if match is not None:
        text = block.text[match.end() :]
        marker = match["marker"]
        draft.paragraphs.append(Paragraph(text, marker, block.first))
        if marker.count(":") > 1:
            draft.note(Irregular.MARKER_REPEATED, marker, marker.partition(":")[0] + ":", _OTHERS)
        if block.after_blank:
            draft.note(Irregular.BLANK_LINE_ADDED, "", "", "an example stands right below its rule")
        return
    text = block.text
    if draft.paragraphs and text[0].islower() and draft.paragraphs[-1].text[-1:].isalnum():
        shown = " ".join(text.split()[:3])
        draft.note(Irregular.LINE_BREAK_ADDED, shown, "", "a sentence goes on in it")
    draft.paragraphs.append(Paragraph(text, "", block.first))
    if len(text) == 1:
        draft.note(Irregular.STRAY_CHARACTERS, text, "", "a line of its own")


def _find_headings(drafts: Sequence[ProvisionDraft]) -> None:
    """Distinguish rules that are headings ("702.9. Flying") from rules that are sentences."""
    rule, subrule = Kind.RULE, Kind.SUBRULE  # seven times as slow to look up as a local name
    for place, draft in enumerate(drafts):
        if draft.kind is not rule or len(draft.paragraphs) != 1:
            continue
        text = draft.paragraphs[0].text
        if len(text) > _LONGEST_HEADING or _NO_HEADING_END.search(text):
            continue
        following = drafts[place + 1] if place + 1 < len(drafts) else None
        has_subrules = following is not None and following.kind is subrule
        if has_subrules or _is_titled(text):
            draft.heading = text
            draft.paragraphs.clear()


def _is_titled(text: str) -> bool:
    words = [word for word in re.findall(r"[A-Za-z]\S*", text) if word not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words)
