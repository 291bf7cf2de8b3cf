"""Reads chapters, sections, rules and subrules: the paragraphs between contents and glossary."""

import re
from collections.abc import Mapping, Sequence

from variorum.errors import DocumentError
from variorum.model import Paragraph, Provision
from variorum.reading.paragraphs import EXAMPLE, Block
from variorum.reading.parts import CHAPTER_LINE, SECTION_LINE
from variorum.records.edition import Irregularity
from variorum.rule_numbers import SECTION, RuleNumber, order_of

_NUMBER = re.compile(
    rf"({SECTION})\.[ ]?([1-9]\d{{0,3}})([a-z]{{0,2}})(?![A-Za-z0-9])(\.?)", re.ASCII
)
# 2008-10-01 prints "306.b" for 306.3b.
_MALFORMED = re.compile(rf"(({SECTION}\.[a-z]{{1,2}})\.?)\s+([A-Z].*)", re.ASCII | re.DOTALL)
_OTHERS = "the other numbers of its kind"
# The words of a rule never begin with these characters. They show that a line begins with a
# citation instead: "212.2c).".
NEVER_BEGINS_A_RULE = frozenset("abcdefghijklmnopqrstuvwxyz,;:)]–—-")
_NO_HEADING_END = re.compile(r"[.:;,?][\"'”’)\]]*$")
_LONGEST_HEADING = 60
_SMALL_WORDS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
# If no larger share of the rules lacks a blank line above, that is a misprint, else the layout.
_BLANK_LINE_FORGOTTEN = 0.1
# No known edition's contents name a section that is not there; a cut document lacks many.
_MOST_MISSING = 2


def parse_rules(blocks: Sequence[Block]) -> list[Provision]:
    """Read chapters, sections, rules and subrules in printed order, with examples.

    Each paragraph opens a provision or belongs to the one before it.
    """
    drafts: list[Provision] = []
    close: list[Provision] = []
    chapter = 0
    previous: RuleNumber | None = None
    for block, following in zip(blocks, [*[each.text for each in blocks[1:]], ""], strict=True):
        draft = _opened_rule(block, previous) or _opened_heading(block, following)
        if draft is None:
            _go_on(drafts[-1], block)
            continue
        if draft.kind == "chapter":
            chapter += 1
            if int(draft.address) != chapter:
                follows = f"chapter {draft.address} follows chapter {chapter - 1}"
                raise DocumentError(
                    f"{follows}: parts are missing or out of order", line=draft.line
                )
        previous = draft.read or previous
        drafts.append(draft)
        if not block.after_blank:
            close.append(draft)
    if len(close) < _BLANK_LINE_FORGOTTEN * len(drafts):
        for draft in close:
            draft.note("blank line missing", draft.printed, "", "no blank line above it")
    _find_headings(drafts)
    return drafts


def _opened_rule(block: Block, previous: RuleNumber | None) -> Provision | None:
    match = _NUMBER.match(block.text)
    if match is None:
        malformed = _MALFORMED.match(block.text)
        if malformed is None:
            return None
        printed, address, text = malformed.groups()
        paragraphs = [Paragraph(text, "", block.first)]
        return Provision("subrule", printed, address, None, block.first, "", paragraphs)
    section, rule, letters, period = match.groups()
    printed, rest = match[0], block.text[match.end() :]
    text = rest.removeprefix(" ")
    address = f"{section}.{rule}{letters}"
    number = order_of(address)
    if text[:1] in NEVER_BEGINS_A_RULE and (previous is None or not number.follows(previous)):
        return None
    kind = "subrule" if letters else "rule"
    draft = Provision(kind, printed, address, number, block.first)
    if letters and period:
        draft.note("period added", printed, address, _OTHERS)
    if not letters and not period:
        draft.note("period missing", printed, f"{address}.", _OTHERS)
    if block.indent == 1:  # four in 2009-07-11; some layouts indent all rules by two or more
        draft.note("indented", f" {printed}", printed, _OTHERS)
    if " " in printed:  # 2009-07-11 prints "702. 37a"
        draft.note("space in number", printed, address, _OTHERS)
    if rest and text == rest:  # 2022-11-18 prints "901.4.All"
        draft.note("space missing", f"{printed}{text[0]}", f"{printed} {text[0]}", _OTHERS)
    if text.startswith((f"{address} ", f"{address}. ")):  # 602.2a in 2005-08-01
        rest = text.removeprefix(address).lstrip(". ")
        repeated = text.removesuffix(rest).rstrip()
        text = rest
        draft.note("number repeated", repeated, "", "the number before it")
        draft.printed = f"{printed} {repeated}"
    draft.paragraphs.append(Paragraph(text, "", block.first))
    return draft


def _opened_heading(block: Block, following: str) -> Provision | None:
    """Open a section, or a chapter if a section follows; else it may be a sense of a word."""
    if match := SECTION_LINE.fullmatch(block.text):
        if len(block.text) > 2 * _LONGEST_HEADING:
            return None
        kind, number = "section", order_of(match["number"])
    elif (match := CHAPTER_LINE.fullmatch(block.text)) and SECTION_LINE.fullmatch(following):
        kind, number = "chapter", None
    else:
        return None
    printed = match["number"]
    return Provision(kind, f"{printed}.", printed, number, block.first, match["heading"])


def _go_on(draft: Provision, block: Block) -> None:
    paragraph = paragraph_of(block)
    text, marker, _ = paragraph
    if marker:
        if marker.count(":") > 1:
            draft.note("marker repeated", marker, marker.partition(":")[0] + ":", _OTHERS)
        if block.after_blank:
            draft.note("blank line added", "", "", "an example stands right below its rule")
    else:
        if draft.paragraphs and text[0].islower() and draft.paragraphs[-1].text[-1:].isalnum():
            shown = " ".join(text.split()[:3])
            draft.note("line break added", shown, "", "a sentence goes on in it")
        if len(text) == 1:
            draft.note("stray characters", text, "", "a line of its own")
    draft.paragraphs.append(paragraph)


def paragraph_of(block: Block) -> Paragraph:
    """Return a paragraph of a provision, with the word "Example:" apart."""
    match = EXAMPLE.match(block.text)
    if match is None:
        return Paragraph(block.text, "", block.first)
    return Paragraph(block.text[match.end() :], match["marker"], block.first)


def _find_headings(drafts: Sequence[Provision]) -> None:
    """Distinguish rules that are headings ("702.9. Flying") from rules that are sentences."""
    for draft, below in zip(drafts, [*drafts[1:], None], strict=True):
        if draft.kind != "rule" or len(draft.paragraphs) != 1:
            continue
        text = draft.paragraphs[0].text
        if len(text) > _LONGEST_HEADING or _NO_HEADING_END.search(text):
            continue
        has_subrules = below is not None and below.kind == "subrule"
        words = [word for word in re.findall(r"[A-Za-z]\S*", text) if word not in _SMALL_WORDS]
        if has_subrules or (words and all(word[0].isupper() for word in words)):
            draft.heading = text
            draft.paragraphs.clear()


def compare_contents(
    drafts: Sequence[Provision], contents: Mapping[str, str] | None
) -> list[Irregularity]:
    """Record headings that differ from the contents; return the headings that only the contents have."""
    if contents is None:  # 2003-05-26
        evidence = "no list of chapters and sections"
        return [Irregularity("no contents", "", "", evidence, None)]
    missing = dict(contents)
    for draft in [it for it in drafts if it.kind in {"chapter", "section"}]:
        number = draft.address.partition("#")[0]
        missing.pop(number, None)
        listed = contents.get(number)
        if listed is None:
            draft.note("not in contents", draft.heading, "", "the contents")
        elif listed not in {draft.heading, draft.heading.rstrip("0123456789").rstrip(" .")}:
            draft.note("heading differs from contents", draft.heading, "", f"contents: {listed}")
    if len(missing) > _MOST_MISSING:
        raise DocumentError(
            f"parts are missing: the contents name {len(missing)} chapters and sections that are "
            f"not there, {', '.join(list(missing)[:5])} among them"
        )
    return [
        Irregularity("only in contents", f"{number}. {heading}", "", "the contents", None)
        for number, heading in missing.items()
    ]
