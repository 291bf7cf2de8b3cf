"""The whole way from bytes to a partial document."""

import hashlib
from collections.abc import Sequence

from variorum_kb.errors import LayoutError
from variorum_kb.model import Sha256
from variorum_kb.reading.decode import Decoded, decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.reading.layouts import (
    Look,
    is_edition,
    layout_of,
    look_at,
    markup_of,
    role_of,
)
from variorum_kb.sources.reading.openers import opens
from variorum_kb.sources.reading.paragraphs import Block, paragraphs
from variorum_kb.sources.reading.passage_account import Desk
from variorum_kb.sources.reading.passages import Layout, LineRole, Markup, Partial
from variorum_kb.sources.reading.plain_text import lay_out, without_unprinted
from variorum_kb.sources.reading.prose import Matter, find_article_matter, find_wiki_matter
from variorum_kb.sources.reading.quoted import QuotedReader
from variorum_kb.sources.reading.rulings import RulingsReader
from variorum_kb.sources.reading.shown_lines import Sheet, check_size
from variorum_kb.sources.reading.webpage import read_webpage
from variorum_kb.sources.reading.wikitext import read_wikitext

# Counts up whenever the same bytes may become another partial document or bulletin.
WITNESS_VERSION = 5

_LARGEST = 64_000_000
_FEWEST_PERSONAL = 2
_RULINGS = frozenset([Layout.RULINGS_PAGE, Layout.RULINGS_COLLECTION])


def read_partial(data: bytes, file: str) -> Partial:
    """Read a document that is no complete edition from its bytes.

    Equal bytes give an equal document.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text.
        LayoutError: The text is a complete edition, or nothing that could quote rules or be about
            them, or too large, or nested too deep.
    """
    if len(data) > _LARGEST:
        megabytes = len(data) // 1_000_000
        raise LayoutError(f"{megabytes} MB: no witness to the rules is as large", file)
    decoded = decode(data, file)
    lines = split_lines(decoded.text)
    sheet = without_unprinted(_sheet(lines.texts, file))
    blocks = paragraphs(sheet.lines)
    look = look_at(sheet, blocks)
    layout, evidence = layout_of(sheet, look, file)
    matter = _matter(layout, look, blocks)
    blocks = tuple([_with_role(block, matter) for block in blocks])
    desk = Desk(blocks)
    reader = (
        RulingsReader(desk, layout)
        if layout in _RULINGS
        else QuotedReader(desk, layout, is_small=sheet.is_small)
    )
    reader.read(blocks)
    return Partial(
        layout=layout,
        evidence=evidence,
        markup=sheet.markup,
        title=matter.title or sheet.title,
        author=matter.author or sheet.author,
        source=matter.source or sheet.source,
        edition=reader.edition,
        dated=matter.dated or sheet.dated,
        passages=tuple([draft.finish() for draft in desk.drafts]),
        furniture=tuple(desk.furniture),
        sha256=Sha256(hashlib.sha256(data).hexdigest()),
        decoding=decoded.decoding,
        line_ends=lines.ends,
        notes=(*decoded.decoding.repairs, *lines.repairs, *sheet.notes, *_losses(decoded)),
        ledger=desk.account(sheet),
    )


def is_complete_edition(data: bytes, file: str) -> bool:
    """Say whether a document is an official edition, which `reading` reads, whole or broken off.

    Raises:
        EncodingError: The bytes are no text.
    """
    return is_edition(split_lines(decode(data, file).text).texts)


def _sheet(texts: tuple[str, ...], file: str) -> Sheet:
    text = "\n".join(texts)
    match markup_of(text):
        case Markup.HTML:
            return read_webpage(text, file)
        case Markup.WIKITEXT:
            return read_wikitext(text, file)
        case Markup.PLAIN:
            check_size(text, Markup.PLAIN, file)
            if is_edition(texts):
                raise LayoutError("an official edition, to be read as one", file)
            return lay_out(texts)


def _matter(layout: Layout, look: Look, blocks: Sequence[Block]) -> Matter:
    match layout:
        case Layout.WIKI_PAGE:
            return find_wiki_matter(blocks)
        case Layout.ARTICLE:
            return find_article_matter(blocks)
        case Layout.EXCERPT if look.personal >= _FEWEST_PERSONAL and not opens(look.first):
            return find_article_matter(blocks)  # an article that quotes more than it says
        case _:
            return Matter({})


def _with_role(block: Block, matter: Matter) -> Block:
    role: LineRole | None = matter.roles.get(block.place) or role_of(block)
    return block._replace(role=role)


def _losses(decoded: Decoded) -> tuple[str, ...]:
    lost = decoded.text.count("\N{REPLACEMENT CHARACTER}")
    return (f"{lost} characters lost: U+FFFD stands for them",) if lost else ()
