"""Reads glossary entries: a headword on its own line, its words below, a blank line after.

Some editions differ: 2003-05-26 has blank lines inside entries and none between some. 2021-06-18
prints eleven headwords on the line of their first sense. The editions of 1999 to 2003 list
expansions separately. There the form of headwords and the alphabetical order decide.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from variorum.errors import DocumentError
from variorum.model import Provision
from variorum.reading.paragraphs import EXAMPLE, Block
from variorum.reading.rules import paragraph_of
from variorum.text import STOPS, STOPS_AND_COLON, ends_sentence

SENSE = re.compile(r"[1-9][.)]\s")
_GLUED = re.compile(r"(?P<term>[A-Z“\"][^.]{1,40}?)(?P<sense>1\. [A-Z].*)", re.DOTALL)
# Neither a headword nor a line that continues in the next ends with one of these.
_STOPS = (*STOPS_AND_COLON, ",", ";")
_LONGEST_TERM = 60
# Entries have one to two paragraphs on average. Real glossaries lack at most J, K and Q.
_MOST_PARAGRAPHS = 10
_SMALL = 60
_LARGEST_GAP = 2
_SPACED = 0.1
_NOT_IN_ORDER = re.compile(r"[^a-z0-9]+")

# The paragraphs of an entry. The first may have its headword glued to its words.
_Group = list[tuple[Block, str]]


def spaced(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the paragraphs; if no blank lines part them, as in Word, as if one stood above each headword."""
    if sum(block.after_blank for block in blocks) > _SPACED * len(blocks):
        return blocks
    return [
        block._replace(after_blank=ends_sentence(above, STOPS) and _looks_like_term(block.text))
        for above, block in zip([".", *(block.text for block in blocks)], blocks, strict=False)
    ]


def parse_glossary(blocks: Sequence[Block]) -> list[Provision]:
    """Read the entries in printed order, each with its senses and examples."""
    entries = [_entry(group) for group in _groups(blocks)]
    if len(blocks) > max(_SMALL, _MOST_PARAGRAPHS * max(len(entries), 1)):
        only = f"make up only {len(entries)} entries"
        raise DocumentError(
            f"{len(blocks)} paragraphs of the glossary {only}", line=blocks[0].first
        )
    if len(entries) >= _SMALL:
        initials = {_order(entry.heading)[:1] for entry in entries}
        missing = "".join(" " if letter in initials else letter for letter in ascii_lowercase)
        gap = max(missing.split(" "), key=len).upper()
        if len(gap) > _LARGEST_GAP:
            lacks = f"the glossary has no headword from {gap[0]} to {gap[-1]}"
            raise DocumentError(f"parts are missing: {lacks}", line=entries[0].line)
    times = Counter(entry.address for entry in entries)
    for entry in entries:
        if times[entry.address] > 1:
            entry.note("printed twice", entry.heading, "", f"one of {times[entry.address]}")
    return entries


def _groups(blocks: Sequence[Block]) -> Iterator[_Group]:
    group: _Group = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        match = _GLUED.fullmatch(block.text) if block.after_blank else None
        if group and (match or _opens_entry(block, following, group)):
            yield group
            group = []
        group.append((block, match["term"] if match else ""))
    if group:
        yield group


def _opens_entry(block: Block, following: Block | None, group: _Group) -> bool:
    if block.indent or SENSE.match(block.text) or EXAMPLE.match(block.text):
        return False
    if not block.after_blank:
        # "Source" in 2003-05-26: it has the form of a headword, fits the alphabetical order, and
        # follows the end of a sentence.
        (first, term), (above, _) = group[0], group[-1]
        is_in_order = _order(term or first.text) <= _order(block.text)
        is_free = len(group) > 1 and ends_sentence(above.text, STOPS)
        return is_in_order and is_free and _looks_like_term(block.text)
    if following is not None and not following.after_blank:
        return len(block.text) <= _LONGEST_TERM or not ends_sentence(block.text, _STOPS)
    # A line between blank lines is a headword separated from its senses, or a list's heading.
    is_list = following is not None and following.indent > 0
    return not is_list and _looks_like_term(block.text)


def _looks_like_term(text: str) -> bool:
    return (
        len(text) <= _LONGEST_TERM
        # A copy of 2005-10-01 has lost its quotation marks.
        and not ends_sentence(text.rstrip("\N{REPLACEMENT CHARACTER}"), _STOPS)
        and not text[0].islower()
        and not SENSE.match(text)
    )


def _order(text: str) -> str:
    return _NOT_IN_ORDER.sub("", text.casefold())


def _entry(group: _Group) -> Provision:
    first, glued = group[0]
    term = glued or first.text
    draft = Provision("glossary", "", term, None, first.first, term)
    if glued:
        evidence = "its sense 1 goes on in the same line"
        draft.note(
            "headword glued to its definition", first.text[: len(glued) + 2], glued, evidence
        )
        words = first._replace(text=first.text.removeprefix(glued))
        draft.paragraphs.append(paragraph_of(words))
    elif not first.after_blank:
        draft.note("blank line missing", term, "", "no blank line above the headword")
    for block, _ in group[1:]:
        draft.paragraphs.append(paragraph_of(block))
        if block.after_blank and not block.indent:
            shown = " ".join(block.text.split()[:3])
            draft.note("blank line added", shown, "", "a blank line inside the entry")
    return draft
