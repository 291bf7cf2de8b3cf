"""Sorts a bulletin's paragraphs into entries: headings of numbers with the text below them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from variorum_kb.references.ranges import BULLETINS
from variorum_kb.rule_numbers import SECTION
from variorum_kb.sources.reading.bulletins.announced_terms import (
    TermLists,
    announce_term,
    announce_terms,
    is_glossary,
    is_renaming,
    kind_below,
    starts_term,
    term_in,
    term_of,
)
from variorum_kb.sources.reading.bulletins.announcement_patterns import (
    announcing_sentences,
    says_change,
    shorten,
    what_happens,
)
from variorum_kb.sources.reading.bulletins.announcements import (
    Announcement,
    AnnouncementKind,
    BulletinRole,
    Headed,
    read_heading,
)
from variorum_kb.sources.reading.bulletins.bulletin_head import BulletinMatter, find_matter
from variorum_kb.sources.reading.bulletins.bulletin_signs import is_bulletin
from variorum_kb.sources.reading.bulletins.entry_announcements import (
    announce,
    mentioned_in,
    named_in,
)
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.passages import Markup, WitnessLedger
from variorum_kb.text.sentences import ends_marked_sentence

_MOST_HEADLINE = 10
_SHORT = 40
# No paragraph by a person is longer. Only the beginning of a longer paragraph is read.
_LONGEST = 10_000
_FEWEST_ENTRIES, _FEWEST_TELLING = 3, 2
# Dashes between digits make a range; other dashes separate numbers from words.
_LEAD = re.compile(
    r"(?P<head>(?:[^:—–]|(?<=\w)[—–](?=\d|[a-z]\b)){3,80}?)\s*(?::|\s[—–-]|—)\s+(?P<rest>\S.*)"
)
_OPENS = re.compile(
    rf"(?:(?:the\s+)?old\s+)?(?:(?:sub)?rules?\s+)?(?P<head>{BULLETINS.list})(?:\s+\([^()]{{1,40}}\))?\s+"
    r"(?P<rest>(?:is|are|was|were|has|have|had|got|gets|gained|now|changed|becomes?|will|used|no longer|"
    r"moved|moves|went|splits?|merged?|renumbered|re-?lettered)\b.*)",
    re.IGNORECASE,
)
_APART = re.compile(
    rf"(?:the\s+)?(?:(?:old|new|former)\s+)?(?:(?:sub)?(?:rules?|sections?)\s+)?{BULLETINS.list}"
    r"|the following (?:sub)?rules|(?:new|deleted|removed|added) (?:sub)?rules\b"
    rf"|(?:new|deleted|removed|added|inserted|eliminated)(?:\s*:|\s+{SECTION}\b)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(rf"\({BULLETINS.list}\)")
_OF_AN_ENTRY = re.compile(r"\b(?:this|an) (?:entry|definition)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Entry:
    """A heading and the paragraphs below it, while being read."""

    heads: tuple[Headed, ...] = ()
    title: str = ""
    line: int = 0
    context: AnnouncementKind | None = None
    lists: TermLists | None = None
    is_inline: bool = False
    blocks: list[Line] = field(default_factory=list[Line])

    @property
    def texts(self) -> list[str]:
        return [block.text for block in self.blocks]


class BulletinReader:
    """Sorts the paragraphs of a page into entries, and reads their announcements."""

    def __init__(self, markup: Markup, hidden: Sequence[tuple[int, str]]) -> None:
        self.markup = markup
        self.matter = BulletinMatter()
        self.announcements: list[Announcement] = []
        self.entries = 0
        self._hidden = hidden
        self._roles: dict[int, BulletinRole] = {line: BulletinRole.FURNITURE for line, _ in hidden}
        self._entry = _Entry()
        self._context: AnnouncementKind | None = None
        self._titled: list[_Entry] = []

    @property
    def is_bulletin(self) -> bool:
        """Say whether the text below enough numbers is about changes to rules."""
        return is_bulletin(self.announcements, self.matter.title, self.entries)

    def read(self, blocks: Sequence[Line]) -> None:
        """Sort the paragraphs of the page, in printed order."""
        own = [block for block in blocks if block.role is None]
        self.matter = find_matter(own, [text for _, text in self._hidden])
        matter = {own[place].place for place in self.matter.roles}
        for place, block in enumerate(blocks):
            if block.role is not None or block.place in matter:
                self._mark(block, BulletinRole.FURNITURE)
            else:
                self._take(block, blocks[place + 1] if place + 1 < len(blocks) else None)
        self._finish()
        self._settle_terms()
        self.announcements.sort(key=lambda announcement: announcement.line)

    def _take(self, block: Line, following: Line | None) -> None:
        heads = read_heading(block.text) if len(block.text) <= _LONGEST else ()
        term = term_of(block.text) if len(block.text) <= _LONGEST else ""
        if heads or term:
            self._open(block, _Entry(heads, term, block.number, self._context))
            self._mark(block, BulletinRole.ANNOUNCEMENT)
        elif len(block.text) <= _LONGEST and self._opens_inline(block):
            return
        elif block.is_headline or self._is_headline(block, following):
            lists = TermLists(block.text) if is_glossary(block.text) else None
            self._context = kind_below(block.text)
            self._open(block, _Entry((), block.text, block.number, None, lists))
            self._mark(block, BulletinRole.HEADING)
        else:
            if self._is_apart(block):
                self._open(block, _Entry())
            self._entry.blocks.append(block)

    def _is_apart(self, block: Line) -> bool:
        """Say whether a paragraph announces changes to other numbers than the heading's."""
        if not self._entry.heads or not _APART.match(block.text):
            return False
        first = next(iter(announcing_sentences(block.text[:_LONGEST])), "")
        names = {
            name for announcement in named_in(first, block.number) for name in announcement.names
        }
        return bool(names) and names.isdisjoint(head.number for head in self._entry.heads)

    def _open(self, block: Line, entry: _Entry) -> None:
        self._finish()
        self._entry = entry
        self._entry.line = block.number

    def _is_headline(self, block: Line, following: Line | None) -> bool:
        """Say whether a line looks like a title: short, unpunctuated, above longer lines."""
        text = block.text
        if self._entry.lists is not None and (not is_glossary(text) or ":" in text):
            # The line is a headword in a list, unless sentences follow as below a title.
            is_over = following is not None and _is_prose(following.text)
            is_over = is_over and block.after_blank and not {":", ","} & set(text)
            return is_over and len(text.split()) <= _MOST_HEADLINE
        return (
            block.tag != "li"
            and block.after_blank
            and following is not None
            and len(text.split()) <= _MOST_HEADLINE
            and text[:1].isupper()
            and not text.endswith((".", "!", "?", ",", ";"))
            and len(following.text) > len(text)
        )

    def _opens_inline(self, block: Line) -> bool:
        """Open an entry with a paragraph such as "104.6a: this rule is new"."""
        lead, opens = _LEAD.fullmatch(block.text), _OPENS.fullmatch(block.text)
        heads = read_heading(lead["head"]) if lead else ()
        term = term_of(lead["head"]) if lead and not heads else ""
        if lead and starts_term(block.text):
            heads, term = (), term_in(block.text)
        text = lead["rest"].removeprefix(f"{term}:").strip() if lead else ""
        if lead and not heads and not term and is_renaming([text]):
            term = lead["head"]
        is_free = block.tag == "li" or not self._entry.heads
        is_beside = self._entry.is_inline and _tells(block.text)
        if not heads and not term and opens and (is_free or is_beside):
            heads = tuple([Headed(number) for number in BULLETINS.read(opens["head"])])
            text = block.text
        if not heads and not term and block.tag == "li" and says_change(block.text):
            bracketed = _BRACKETED.search(block.text)
            heads = tuple(
                [Headed(number) for number in BULLETINS.read(bracketed[0] if bracketed else "")]
            )
            text = block.text
        if not heads and not term:
            return False
        if not (is_free or self._entry.is_inline or _tells(text) or term):
            return False  # a sentence with a colon, below its heading
        self._open(block, _Entry(heads, term, block.number, self._context, is_inline=True))
        self._entry.blocks.append(block._replace(text=text))
        return True

    def _finish(self) -> None:
        entry = self._entry
        if entry.heads:
            announcements = announce(entry.heads, entry.texts, entry.line, entry.context)
            self.entries += 1
            self._titled.append(_Entry())  # a row of headwords ends here
            self._announce(entry, announcements)
        elif term_of(f"Glossary: {entry.title}") and not entry.lists and self._is_term(entry):
            self.entries += 1
            self._announce(entry, announce_terms(entry.title, entry.texts, entry.line))
        elif entry.lists is not None:
            for block in entry.blocks:
                self._announce(_Entry(blocks=[block]), entry.lists.read(block.text, block.number))
        else:
            self._announce_loose(entry)
        self._entry = _Entry()

    def _is_term(self, entry: _Entry) -> bool:
        if not entry.title or not entry.blocks:
            return False
        role = self._roles.get(entry.line)
        return role is not BulletinRole.HEADING or is_renaming(entry.texts)

    def _announce(self, entry: _Entry, announcements: Sequence[Announcement]) -> None:
        self.announcements += announcements
        quoted = {announcement.words for announcement in announcements}
        for block in entry.blocks:
            tells = any(
                shorten(sentence) in quoted for sentence in announcing_sentences(block.text)
            )
            tells = tells or shorten(block.text) in quoted
            role = BulletinRole.REASON if announcements else BulletinRole.FURNITURE
            self._mark(block, BulletinRole.ANNOUNCEMENT if tells else role)

    def _announce_loose(self, entry: _Entry) -> None:
        """Read paragraphs without a heading of numbers, which may name numbers themselves."""
        self._titled.append(entry)
        for block in entry.blocks:
            announcements = [
                announcement
                for text in announcing_sentences(block.text)
                for announcement in named_in(text, block.number)
            ]
            announcements += mentioned_in(block.text[:_LONGEST], block.number)
            if not announcements and self._context and block.tag == "li":
                heads = tuple([Headed(number) for number in BULLETINS.read(block.text)])
                announcements = list(announce(heads, [block.text], block.number, self._context))
            self._announce(_Entry(blocks=[block]), announcements)
            if announcements:
                self._titled[-1] = _Entry()  # a headword names no numbers

    def _settle_terms(self) -> None:
        """Treat runs of headings without numbers, in alphabetical order, as headwords."""
        run: list[_Entry] = []
        for entry in (*self._titled, _Entry()):
            if run and not (run[-1].title.casefold() < entry.title.casefold()):
                self._take_terms(run)
                run = []
            run = [*run, entry] if entry.title and entry.blocks else []

    def _take_terms(self, run: Sequence[_Entry]) -> None:
        telling = [text for entry in run for text in entry.texts if _OF_AN_ENTRY.search(text)]
        if len(run) < _FEWEST_ENTRIES or len(telling) < _FEWEST_TELLING:
            return
        for entry in run:
            lines = {block.number for block in entry.blocks}
            self.announcements = [
                announcement
                for announcement in self.announcements
                if announcement.line not in lines
            ]
            self._announce(entry, announce_term(entry.title, entry.texts, entry.line))

    # The account ---------------------------------------------------------------------------------

    def _mark(self, block: Line, role: BulletinRole) -> None:
        for line in range(block.number, block.last + 1):
            # A line with a heading and the first words below it counts as an announcement.
            if self._roles.get(line) is not BulletinRole.ANNOUNCEMENT:
                self._roles[line] = role

    def account(self, texts: Sequence[str]) -> WitnessLedger:
        """Return the ledger."""
        shown = {number for number, text in enumerate(texts, start=1) if text.strip()}
        if self.markup is Markup.HTML:
            shown &= self._roles.keys()  # other lines are only markup
        counts = Counter(role for line, role in self._roles.items() if line in shown)
        return WitnessLedger(
            lines=len(texts),
            blank=len(texts) - len(shown),
            accounted=tuple([(role, counts[role]) for role in BulletinRole if counts[role]]),
            unaccounted=tuple(sorted(shown - self._roles.keys())),
        )


def _tells(text: str) -> bool:
    """Say whether a paragraph describes a change to the rule with which it begins."""
    return any(
        says_change(sentence) or what_happens(sentence)
        for sentence in announcing_sentences(text[:_LONGEST])
    )


def _is_prose(text: str) -> bool:
    return len(text) > 2 * _SHORT and ends_marked_sentence(text)
