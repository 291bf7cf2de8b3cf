"""Bulletins that announce changes to the rules, from bytes to announcements in printed order."""

from dataclasses import dataclass

from variorum_kb.errors import LayoutError
from variorum_kb.model import Decoding, Sha256, sha256_of
from variorum_kb.reading.decode import decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.reading.announcements import Announcement, BulletinLedger
from variorum_kb.sources.reading.bulletin_head import BulletinMatter
from variorum_kb.sources.reading.bulletin_page import read_page
from variorum_kb.sources.reading.page_signs import is_edition
from variorum_kb.sources.reading.passages import Markup

_LARGEST = 2_000_000
_MOST_LINES = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """A page that announces changes to the rules.

    Attributes:
        matter: Its metadata.
        announcements: In printed order.
        entries: How many headings of numbers or headwords it has.
        markup: What its characters are.
        sha256: Of the document's bytes.
        decoding: How its bytes became text.
        ledger: The account of every line.
    """

    matter: BulletinMatter
    announcements: tuple[Announcement, ...]
    entries: int
    markup: Markup
    sha256: Sha256
    decoding: Decoding
    ledger: BulletinLedger


def is_bulletin(text: str) -> bool:
    """Say whether a text announces changes of rules by number, many times.

    The file name is ignored: the criterion is how many of its numbers have text below them about
    the rule and a change.
    """
    if len(text) > _LARGEST:
        return False
    texts = split_lines(text).texts
    if len(texts) > _MOST_LINES or text.count("<") > _MOST_LINES or is_edition(texts):
        return False
    try:
        page = read_page(texts, "")
    except LayoutError:
        return False
    return page.is_bulletin


def read_bulletin(data: bytes, file: str) -> Bulletin:
    """Read a bulletin from its bytes; equal bytes give an equal bulletin.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text.
        LayoutError: It announces no changes of rules by number, or is too large.
    """
    if len(data) > 2 * _LARGEST:
        raise LayoutError(f"{len(data) // 1_000_000} MB: no bulletin is as large", file)
    decoded = decode(data, file)
    texts = split_lines(decoded.text).texts
    if is_edition(texts):
        raise LayoutError("an official edition, no bulletin", file)
    page = read_page(texts, file)
    if not page.is_bulletin:
        raise LayoutError("no bulletin: it announces no changes of rules by number", file)
    return Bulletin(
        matter=page.matter,
        announcements=tuple(page.announcements),
        entries=page.entries,
        markup=page.markup,
        sha256=sha256_of(data),
        decoding=decoded.decoding,
        ledger=page.account(texts),
    )
