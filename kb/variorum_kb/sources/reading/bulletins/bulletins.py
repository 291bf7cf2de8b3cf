"""Reads bulletins: pages that announce changes to the rules."""

from dataclasses import dataclass

from variorum_kb.errors import LayoutError
from variorum_kb.model import Decoding, Sha256, sha256_of
from variorum_kb.reading.decode import Decoded
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.reading.bulletins.announcements import Announcement
from variorum_kb.sources.reading.bulletins.bulletin_head import BulletinMatter
from variorum_kb.sources.reading.page_signs import is_edition
from variorum_kb.sources.reading.passages.passages import Markup, WitnessLedger

_LARGEST = 2_000_000
_MOST_LINES = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """A page that announces changes to the rules.

    Attributes:
        matter: Its metadata.
        announcements: In printed order.
        entries: How many headings of numbers or headwords it has.
        markup: Its markup.
        sha256: The hash of the document's bytes.
        decoding: How its bytes became text.
        ledger: The ledger of its lines.
    """

    matter: BulletinMatter
    announcements: tuple[Announcement, ...]
    entries: int
    markup: Markup
    sha256: Sha256
    decoding: Decoding
    ledger: WitnessLedger


def find_bulletin(decoded: Decoded, data: bytes) -> Bulletin | None:
    """Return a document as a bulletin; None if it is not a bulletin.

    In a bulletin, the text below many numbers is about a change to the rule.
    """
    texts = split_lines(decoded.text).texts
    is_too_large = len(decoded.text) > _LARGEST or len(texts) > _MOST_LINES
    if is_too_large or decoded.text.count("<") > _MOST_LINES or is_edition(texts):
        return None
    from variorum_kb.sources.reading.bulletins.bulletin_page import read_page  # noqa: PLC0415 - its patterns take long to compile

    try:
        page = read_page(texts)
    except LayoutError:
        return None
    if not page.is_bulletin:
        return None
    return Bulletin(
        matter=page.matter,
        announcements=tuple(page.announcements),
        entries=page.entries,
        markup=page.markup,
        sha256=sha256_of(data),
        decoding=decoded.decoding,
        ledger=page.account(texts),
    )
