"""Turns lines into paragraphs: joins wrapped lines, and splits lines with several paragraphs."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from variorum_kb.model import RuleNumber
from variorum_kb.rule_numbers import CHAPTER, RULE, SECTION
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.openers import CITING_END, is_titled, open_numbered, opens
from variorum_kb.text.sentences import ends_marked_sentence

_TIED_END = re.compile(r"(?<! -)(?<! )[-\u2010/]$|(?<! )[–—]$")
_TIE = 3
_BARE_NUMBER = re.compile(rf"{SECTION}(?:\.\d{{1,3}}[a-z]{{0,2}})?\.")
# Lines of headings are shorter.
_LINE = 25
_BROKEN_END = re.compile(r"[^\W\d_]{2}[-\u2010]$")
_WIDEST = 132
_FULL, _MOSTLY, _NEARLY_ALL = 0.8, 0.6, 0.9
_FEWEST_PAIRS = 3
_LONG_LINE = 240
_FEWEST_RUN_ON = 2
# The share of double-spaced lines that continue in the middle of a sentence.
_OFTEN, _ALWAYS = 0.3, 0.95
_STAMP = re.compile(r"This search (?:is )?based on")


def paragraphs(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Join lines into paragraphs."""
    parted = [part for line in _closed_up(lines) for part in _part(line)]
    width = _wrap_width(parted)
    groups: list[list[Line]] = []
    for line in parted:
        if groups and _goes_on(groups[-1][-1], line, width):
            groups[-1].append(line)
        else:
            groups.append([line])
    return tuple([_block(place, group) for place, group in enumerate(groups)])


def _block(place: int, group: Sequence[Line]) -> Line:
    words = group[0].text
    for line in group[1:]:
        words += line.text if _TIED_END.search(words[-_TIE:]) else f" {line.text}"
    return group[0]._replace(place=place, text=" ".join(words.split()), last=group[-1].last)


def _closed_up(lines: Sequence[Line]) -> Sequence[Line]:
    """Remove double spacing: blank lines between all lines of a wrapped text."""
    spaced = sum(line.after_blank for line in lines)
    pairs = list(itertools.pairwise(lines))
    broken = sum(_is_broken(before.text, after.text) for before, after in pairs)
    if spaced < _ALWAYS * len(lines) or broken < max(_FEWEST_PAIRS, _OFTEN * len(pairs)):
        return lines
    gaps = [after.number - before.last for before, after in pairs]
    usual = Counter(gaps).most_common(1)[0][0]
    closed = [
        after._replace(after_blank=gap > usual) for (_, after), gap in zip(pairs, gaps, strict=True)
    ]
    return [lines[0], *closed] if _wrap_width(closed) else lines


def _is_broken(text: str, following: str) -> bool:
    return following[:1].islower() and text[-1:] != "]" and not ends_marked_sentence(text)


def _wrap_width(lines: Sequence[Line]) -> float:
    """Return the width at which lines are wrapped; 0 if each line is a paragraph."""
    some = [
        (before, after) for before, after in itertools.pairwise(lines) if _may_go_on(before, after)
    ]
    if len(some) < _FEWEST_PAIRS:
        return 0.0
    pairs = [
        (len(before.text) + before.indent, len(after.text.split(None, 1)[0]))
        for before, after in some
    ]
    # The following lines also count, because short headwords above long definitions are not
    # wrapped.
    widths = sorted([*[length for length, _ in pairs], *[len(after.text) for _, after in some]])
    width = widths[len(widths) * 19 // 20]
    full = [length + 1 + word > _FULL * width for length, word in pairs]
    # Many lines are the last of a short paragraph, so lines that end no sentence are better
    # evidence.
    open_ = [
        is_full
        for is_full, (before, _) in zip(full, some, strict=True)
        if not ends_marked_sentence(before.text)
    ]
    is_wrapped = sum(full) >= _MOSTLY * len(full) or (
        len(open_) >= _FEWEST_PAIRS and sum(open_) >= _NEARLY_ALL * len(open_)
    )
    return float(width) if width <= _WIDEST and is_wrapped else 0.0


def _may_go_on(line: Line, following: Line) -> bool:
    return (
        not following.after_blank
        and following.part is None
        and following.is_quoted is line.is_quoted
        and (line.tag in {"", "pre"})
        and (following.tag, following.role) == (line.tag, line.role)
        and not _opens(following, line)
    )


def _opens(line: Line, before: Line) -> bool:
    if _STAMP.match(line.text):
        return True
    if not opens(line.text):
        return False
    if _is_headed(before.text, line.text):
        return True
    # A wrapped citation: "(see rule / 212.2c. Boats)", "as specified in / 101.4a.".
    is_bare = len(before.text) >= _LINE and _BARE_NUMBER.fullmatch(line.text) is not None
    is_cited = is_bare or CITING_END.search(before.text) is not None
    return not (is_cited and not ends_marked_sentence(before.text))


def _goes_on(line: Line, following: Line, width: float) -> bool:
    if not _may_go_on(line, following):
        return False
    if _BROKEN_END.search(line.text) and following.text[:1].islower():
        return True
    if not width:
        return False
    length = len(line.text) + line.indent
    if length + 1 + len(following.text.split(None, 1)[0]) > _FULL * width:
        return True
    # A short line: the sentence continues, or the line was broken before a name.
    return not ends_marked_sentence(line.text) and 2 * length > width


# Whole pages in one line --------------------------------------------------------------------------

_NUMBER_AHEAD = re.compile(
    rf"(?<!\s)\s++(?=(?P<number>{SECTION}(?:\.{RULE}[a-z]{{0,2}})?)\.?[\s-])"
)
_DASHED_AHEAD = re.compile(
    rf"(?<!\s)\s++(?=(?:{SECTION}(?:\.\d+[a-z]{{0,2}})?(?:\.Ruling\.\d+)?|Note|[A-Z](?:\.\d+){{0,3}}"
    r"(?:\.Ruling\.\d+)?"
    # A chapter, if its heading is followed by one of its sections, by a stamp or by the end.
    rf"|(?P<chapter>{CHAPTER})(?=\s+(?:--|[-–—])\s+[A-Z][^.\[\]]{{1,80}}?"
    r"(?:\s(?P=chapter)\d\d\s+(?:--|[-–—])\s|\sThis search |$)))\s+(?:--|[-–—])\s)"
)
_DASHED_HEADING = re.compile(
    rf"(?P<number>{CHAPTER}|{SECTION}(?:\.\d{{1,3}})?)\s+(?:--|[-–—])\s+(?P<words>[A-Z][^.\[\]]{{1,80}})"
)
_EXAMPLE_AHEAD = re.compile(r"(?<=[.!?\])”\"’])\s+(?=Examples?:\s)")
_STAMP_AHEAD = re.compile(r"(?<!\s)\s++(?=This search (?:is )?based on)|(?<=of the Rulings\.)\s+")
_CHAPTER_END = re.compile(rf"(?:^|[.!?:][\"'”’)\]]*\s+)(?P<number>{CHAPTER})\. [A-Z][^.]{{1,60}}$")
_SECTION_END = re.compile(rf"{SECTION}\. ?[A-Z][^.]{{1,80}}$")
_SECTION = re.compile(rf"{SECTION}\. ?[A-Z][^.]{{1,80}}?\s+(?P<first>{SECTION}\.1)\.?\s")


def _part(line: Line) -> Iterator[Line]:
    """Split a line with many paragraphs."""
    is_whole = line.role is not None or line.part is not None
    cuts = [] if is_whole else _cuts(line.text)
    is_headed = bool(cuts) and _is_headed(line.text[: cuts[0]].strip(), line.text[cuts[0] :])
    if not is_headed and (len(cuts) < _FEWEST_RUN_ON or len(line.text) < _LONG_LINE):
        yield line
        return
    for start, end in itertools.pairwise([0, *cuts, len(line.text)]):
        text = line.text[start:end].strip()
        if text:
            after_blank = line.after_blank or start > 0
            yield line._replace(text=text, after_blank=after_blank)


def _cuts(text: str) -> list[int]:
    dashed = _dashed_cuts(text)
    is_headed = bool(dashed) and _is_headed(text[: dashed[0]].strip(), text[dashed[0] :])
    is_dashed = is_headed or len(dashed) >= _FEWEST_RUN_ON
    cuts = set(dashed if is_dashed else _numbered_cuts(text))
    if cuts:
        cuts |= {match.end() for match in _EXAMPLE_AHEAD.finditer(text)}
        cuts |= {match.end() for match in _STAMP_AHEAD.finditer(text)}
    return sorted(cuts - {0, len(text)})


def _dashed_cuts(text: str) -> list[int]:
    cuts: list[int] = []
    for match in _DASHED_AHEAD.finditer(text):
        start, place = cuts[-1] if cuts else 0, match.end()
        is_headed = _is_headed(text[start : match.start()], text[place:])
        if is_headed or not _is_cited(text, match.start()):
            cuts.append(place)
    return cuts


def _is_headed(text: str, following: str) -> bool:
    """Say whether a number follows the number of a heading: "103 - The Golden Rule", "103.1 - "."""
    heading = _DASHED_HEADING.fullmatch(text)
    if heading is None:
        return False
    # "502.2 - First Strike 502.1 - Most abilities": numbers may be out of order.
    is_near = is_titled(heading["words"]) and following.startswith(heading["number"][:3] + ".")
    return following.startswith(heading["number"]) or is_near


def _is_cited(text: str, place: int) -> bool:
    return CITING_END.search(text[max(0, place - 12) : place]) is not None


def _numbered_cuts(text: str) -> Iterator[int]:
    """Yield the positions of numbers that continue the numbering after a sentence or heading."""
    opening = open_numbered(text)
    last = RuleNumber.read(opening.number) if opening else None
    for match in _NUMBER_AHEAD.finditer(text):
        number = RuleNumber.read(match["number"])
        before, place = text[max(0, match.start() - 90) : match.start()], match.end()
        is_headed = _SECTION_END.search(before) or _CHAPTER_END.search(before)
        if number is None or (CITING_END.search(before) and not is_headed):
            continue
        if not number.rule:
            section = _SECTION.match(text, place)
            if section is None or section["first"] != f"{number}.1":
                continue
            chapter = _CHAPTER_END.search(before)
            if chapter:
                yield match.start() - len(before) + chapter.start("number")
            if chapter or ends_marked_sentence(before):
                last = number
                yield place
        elif open_numbered(text[place : place + 40]) and _is_next(last, number, before):
            last = number
            yield place


def _is_next(last: RuleNumber | None, number: RuleNumber, before: str) -> bool:
    if last is not None and (number.follows(last) or number in last.successors()):
        return True
    ends = ends_marked_sentence(before) or _SECTION_END.search(before)
    return (last is None or last < number) and ends is not None
