"""Reads glossary entries: a headword on its own line, its words below, a blank line after.

Some editions differ: 2003-05-26 has blank lines inside entries and none between some. 2021-06-18
prints eleven headwords on the line of their first sense. The editions of 1999 to 2003 list
expansions separately. There the form of headwords and the alphabetical order decide.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

from variorum.errors import ParseError, TruncatedError
from variorum.model import Irregular, Kind, Paragraph
from variorum.reading.provisions import ProvisionDraft
from variorum.reading.unwrap import EXAMPLE, Block
from variorum.record import unchecked
from variorum.text.sentences import STOPS_AND_COLON, ends_sentence

SENSE = re.compile(r"[1-9][.)]\s")
_GLUED = re.compile(r"(?P<term>[A-Z“\"][^.]{1,40}?)(?P<sense>1\. [A-Z].*)", re.DOTALL)

# Neither a headword nor a line that continues in the next ends with one of these.
_STOPS = (*STOPS_AND_COLON, ",", ";")
_LONGEST_TERM = 60
_LONGEST_TERM_ANYWHERE = 120
# Entries have one to two paragraphs on average. Real glossaries lack at most J, K and Q.
_MOST_PARAGRAPHS = 10
_SMALL = 60
_LARGEST_GAP = 2
_NOT_IN_ORDER = re.compile(r"[^a-z0-9]+")


def parse_glossary(blocks: Sequence[Block], file: str) -> list[ProvisionDraft]:
    """Read the entries in printed order, each with its senses and examples.

    Raises:
        TruncatedError: A run of letters has no headword: a part of the glossary is missing.
        ParseError: The paragraphs make up no entries.
    """
    entries = [_entry(group) for group in _entries(list(_unglued(blocks)))]
    if len(blocks) > _MOST_PARAGRAPHS * max(len(entries), 1) and len(blocks) > _SMALL:
        raise ParseError(
            f"{len(blocks)} paragraphs of the glossary make up only {len(entries)} entries",
            file,
            blocks[0].first,
        )
    _check_letters(entries, file)
    times = Counter(entry.address for entry in entries)
    for entry in entries:
        if times[entry.address] > 1:
            entry.note(Irregular.PRINTED_TWICE, entry.heading, "", f"one of {times[entry.address]}")
    return entries


def _check_letters(entries: Sequence[ProvisionDraft], file: str) -> None:
    """Check that the headwords go from A to Z without a large gap."""
    if len(entries) < _SMALL:
        return
    initials = {_order(entry.heading)[:1] for entry in entries}
    missing = "".join(" " if letter in initials else letter for letter in ascii_lowercase)
    gap = max(missing.split(" "), key=len)
    if len(gap) > _LARGEST_GAP:
        raise TruncatedError(
            f"parts are missing: the glossary has no headword from {gap[0].upper()} "
            f"to {gap[-1].upper()}",
            file,
            entries[0].line,
        )


def _unglued(blocks: Iterable[Block]) -> Iterable[tuple[Block, str]]:
    """Yield paragraphs, each with the headword glued to it, or ""."""
    for block in blocks:
        match = _GLUED.fullmatch(block.text) if block.after_blank else None
        yield block, match["term"] if match else ""


def _entries(blocks: Sequence[tuple[Block, str]]) -> Iterable[list[tuple[Block, str]]]:
    """Group the paragraphs that make up an entry."""
    group: list[tuple[Block, str]] = []
    for place, (block, glued) in enumerate(blocks):
        if group and (glued or _opens_entry(blocks, place, group)):
            yield group
            group = []
        group.append((block, glued))
    if group:
        yield group


def _opens_entry(
    blocks: Sequence[tuple[Block, str]], place: int, group: Sequence[tuple[Block, str]]
) -> bool:
    block = blocks[place][0]
    if block.indent or SENSE.match(block.text) or EXAMPLE.match(block.text):
        return False
    following = blocks[place + 1][0] if place + 1 < len(blocks) else None
    has_words_below = following is not None and not following.after_blank
    if block.after_blank:
        if len(group) == 1 and not group[0][1]:
            return False  # the entry before it has had only its headword so far
        if has_words_below:
            return len(block.text) <= _LONGEST_TERM_ANYWHERE and not (
                ends_sentence(block.text, _STOPS) and len(block.text) > _LONGEST_TERM
            )
        # A line between blank lines is a headword separated from its senses, or a list's heading.
        is_list = following is not None and following.indent > 0
        return not is_list and _looks_like_term(block.text)
    return _opens_without_blank(blocks, place, group)


def _opens_without_blank(
    blocks: Sequence[tuple[Block, str]], place: int, group: Sequence[tuple[Block, str]]
) -> bool:
    """Recognise a headword without a blank line before it ("Source" in 2003-05-26).

    It has the form of a headword, fits the alphabetical order, and follows the end of a sentence.
    """
    block = blocks[place][0]
    if len(group) < 2 or not _looks_like_term(block.text):  # noqa: PLR2004
        return False
    if not ends_sentence(blocks[place - 1][0].text, _STOPS) or blocks[place - 1][0].text[-1] == ":":
        return False
    later = (b for b, _ in blocks[place + 1 :] if b.after_blank and not b.indent)
    following = next((b.text for b in later if _looks_like_term(b.text)), "")
    before, this = _order(group[0][1] or group[0][0].text), _order(block.text)
    return before <= this and (not following or this <= _order(following))


def _looks_like_term(text: str) -> bool:
    return (
        len(text) <= _LONGEST_TERM
        and not ends_sentence(text, _STOPS)
        and not text[0].islower()
        and not SENSE.match(text)
    )


def _order(text: str) -> str:
    return _NOT_IN_ORDER.sub("", text.casefold())


def _entry(group: Sequence[tuple[Block, str]]) -> ProvisionDraft:
    first, glued = group[0]
    term = glued or first.text
    draft = ProvisionDraft(Kind.GLOSSARY, "", term, None, first.first, term, [])
    if glued:
        evidence = "its sense 1 goes on in the same line"
        draft.note(Irregular.HEADWORD_GLUED, first.text[: len(glued) + 2], glued, evidence)
        rest = first.text.removeprefix(glued)
        draft.paragraphs.append(_paragraph(first._replace(text=rest)))
    elif not first.after_blank:
        draft.note(Irregular.BLANK_LINE_MISSING, term, "", "no blank line above the headword")
    for block, _ in group[1:]:
        draft.paragraphs.append(_paragraph(block))
        if block.after_blank and not block.indent:
            shown = " ".join(block.text.split()[:3])
            draft.note(Irregular.BLANK_LINE_ADDED, shown, "", "a blank line inside the entry")
    return draft


def _paragraph(block: Block) -> Paragraph:
    match = EXAMPLE.match(block.text)
    text = block.text if match is None else block.text[match.end() :]
    marker = "" if match is None else match["marker"]
    return unchecked(Paragraph, (text, marker, block.first))
