"""The whole way from bytes to a partial document."""

from collections.abc import Sequence

from variorum_kb.errors import LayoutError
from variorum_kb.model import sha256_of
from variorum_kb.reading.decode import Decoded, decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.reading.excerpts import QuotedReader
from variorum_kb.sources.reading.exports import read_export
from variorum_kb.sources.reading.layouts import (
    PageSigns,
    is_edition,
    layout_of,
    look_at,
    markup_of,
    role_of,
)
from variorum_kb.sources.reading.openers import opens
from variorum_kb.sources.reading.paragraphs import PageBlock, paragraphs
from variorum_kb.sources.reading.passage_account import PassageSorter
from variorum_kb.sources.reading.passages import LineRole, Markup, Partial, SourceLayout
from variorum_kb.sources.reading.plain_text import lay_out, without_unprinted
from variorum_kb.sources.reading.prose import (
    Matter,
    find_article_matter,
    find_page_matter,
    find_wiki_matter,
)
from variorum_kb.sources.reading.rulings import RulingsReader
from variorum_kb.sources.reading.shown_lines import ShownText, check_size
from variorum_kb.sources.reading.webpage import read_webpage
from variorum_kb.sources.reading.wikitext import read_wikitext

_LARGEST = 64_000_000
_FEWEST_PERSONAL = 2
_RULINGS = frozenset([SourceLayout.RULINGS_PAGE, SourceLayout.RULINGS_COLLECTION])


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
    shown_text = without_unprinted(_shown_text(lines.texts, file))
    blocks = paragraphs(shown_text.lines)
    look = look_at(shown_text, blocks)
    layout, evidence = layout_of(shown_text, look, file)
    matter = _matter(layout, look, blocks)
    blocks = tuple([_with_role(block, matter) for block in blocks])
    sorter = PassageSorter(blocks)
    reader = (
        RulingsReader(sorter, layout)
        if layout in _RULINGS
        else QuotedReader(sorter, layout, is_small=shown_text.is_small)
    )
    reader.read(blocks)
    titles = (block.text for block in blocks if block.tag == "h1" and not opens(block.text))
    return Partial(
        layout=layout,
        evidence=evidence,
        markup=shown_text.markup,
        title=matter.title or shown_text.title or next(titles, ""),
        author=matter.author or shown_text.author,
        source=matter.source or shown_text.source,
        edition=reader.edition,
        dated=matter.dated or shown_text.dated,
        passages=tuple([draft.finish() for draft in sorter.drafts]),
        furniture=tuple(sorter.furniture),
        sha256=sha256_of(data),
        decoding=decoded.decoding,
        line_ends=lines.ends,
        notes=(*decoded.decoding.repairs, *lines.repairs, *shown_text.notes, *_losses(decoded)),
        ledger=sorter.account(shown_text),
    )


def is_complete_edition(data: bytes, file: str) -> bool:
    """Say whether a document is an official edition, which `reading` reads, whole or broken off.

    Raises:
        EncodingError: The bytes are no text.
    """
    return is_edition(split_lines(decode(data, file).text).texts)


def _shown_text(texts: tuple[str, ...], file: str) -> ShownText:
    text = "\n".join(texts)
    markup = markup_of(text)
    match markup:
        case Markup.HTML:
            return read_webpage(text, file)
        case Markup.WIKITEXT:
            return read_wikitext(text, file)
        case Markup.JSON:
            check_size(text, Markup.JSON, file)
            return read_export(text, file) or lay_out(texts)
        case Markup.PLAIN:
            check_size(text, Markup.PLAIN, file)
            if is_edition(texts):
                raise LayoutError("an official edition, to be read as one", file)
            return lay_out(texts)


def _matter(layout: SourceLayout, look: PageSigns, blocks: Sequence[PageBlock]) -> Matter:
    match layout:
        case SourceLayout.WIKI_PAGE:
            return find_wiki_matter(blocks)
        case SourceLayout.ARTICLE:
            return find_article_matter(blocks)
        case SourceLayout.EXCERPT if look.personal >= _FEWEST_PERSONAL and not opens(look.first):
            return find_article_matter(blocks)  # an article that quotes more than it says
        case _:
            return find_page_matter(blocks)


def _with_role(block: PageBlock, matter: Matter) -> PageBlock:
    role: LineRole | None = matter.roles.get(block.place) or role_of(block)
    return block._replace(role=role)


def _losses(decoded: Decoded) -> tuple[str, ...]:
    lost = decoded.text.count("\N{REPLACEMENT CHARACTER}")
    return (f"{lost} characters lost: U+FFFD stands for them",) if lost else ()
