"""Opens a document that is not an edition, to find its shown lines and the signs of its kind."""

from functools import cached_property

from variorum_kb.all_size_limits import LARGEST_WITNESS
from variorum_kb.errors import LayoutError
from variorum_kb.model import sha256_of
from variorum_kb.reading.decode import Decoded, decode
from variorum_kb.reading.lines import split_lines
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin, find_bulletin
from variorum_kb.sources.reading.excerpts import QuotedReader
from variorum_kb.sources.reading.exports import read_export
from variorum_kb.sources.reading.markup.plain_text import lay_out, without_unprinted
from variorum_kb.sources.reading.markup.shown_lines import Line, ShownText, check_size
from variorum_kb.sources.reading.markup.webpage import read_webpage
from variorum_kb.sources.reading.markup.wikitext import read_wikitext
from variorum_kb.sources.reading.page_signs import (
    PageSigns,
    is_edition,
    look_at,
    markup_of,
    role_of,
)
from variorum_kb.sources.reading.passages.openers import opens
from variorum_kb.sources.reading.passages.paragraphs import paragraphs
from variorum_kb.sources.reading.passages.passage_account import PassageSorter
from variorum_kb.sources.reading.passages.passages import Markup, Partial, SourceLayout
from variorum_kb.sources.reading.prose import (
    Matter,
    find_article_matter,
    find_page_matter,
    find_wiki_matter,
)
from variorum_kb.sources.reading.rulings import RulingsReader

# This many numbered headings without rules are enough for a page of rules.
_FEWEST_SECTIONS = 2
_FEWEST_PERSONAL = 2
_OF_RULINGS = frozenset([SourceLayout.RULINGS_PAGE, SourceLayout.RULINGS_COLLECTION])


class Page:
    """A document, read only as far as its kind needs.

    Attributes:
        data: Its bytes.
        file: Its name, for messages.
        decoded: The decoded bytes.
    """

    def __init__(self, data: bytes, file: str) -> None:
        """Decode a document.

        Raises:
            EncodingError: The bytes are not text.
            LayoutError: The document is too large.
        """
        if len(data) > LARGEST_WITNESS:
            megabytes = len(data) // 1_000_000
            raise LayoutError(
                f"{megabytes} MB: too large; a witness may have {LARGEST_WITNESS // 1_000_000} MB",
                file,
            )
        self.data, self.file = data, file
        self.decoded: Decoded = decode(data, file)
        self._lines = split_lines(self.decoded.text)

    @cached_property
    def bulletin(self) -> Bulletin | None:
        """Return the document as a bulletin; None if it is not a bulletin."""
        return find_bulletin(self.decoded, self.data)

    @cached_property
    def shown(self) -> ShownText:
        """Return the lines of the document as a reader sees them.

        Raises:
            LayoutError: The document is an edition, has too many lines or tags, or is nested too
                deep.
        """
        return without_unprinted(_shown_text(self._lines.texts, self.file))

    @cached_property
    def blocks(self) -> tuple[Line, ...]:
        """Return the paragraphs of the document."""
        return paragraphs(self.shown.lines)

    @cached_property
    def signs(self) -> PageSigns:
        """Return the signs of the document's kind.

        Raises:
            LayoutError: Nothing in the document can be rules or be about rules.
        """
        signs = look_at(self.shown, self.blocks)
        if not signs.sentences and not signs.numbered and signs.sections < _FEWEST_SECTIONS:
            raise LayoutError("no sentence that could quote rules or be about them", self.file)
        return signs

    def read(self, layout: SourceLayout, evidence: str) -> Partial:
        """Read the document in a layout."""
        matter = self._find_matter(layout)
        roles = matter.roles
        sorter = PassageSorter(
            [block._replace(role=roles.get(block.place) or role_of(block)) for block in self.blocks]
        )
        reader = (RulingsReader if layout in _OF_RULINGS else QuotedReader)(sorter, layout)
        reader.read(sorter.blocks)
        shown, decoding = self.shown, self.decoded.decoding
        titles = (
            block.text for block in sorter.blocks if block.tag == "h1" and not opens(block.text)
        )
        return Partial(
            layout=layout,
            evidence=evidence,
            markup=shown.markup,
            title=matter.title or shown.title or next(titles, ""),
            author=matter.author or shown.author,
            source=matter.source or shown.source,
            edition=reader.edition,
            dated=matter.dated or shown.dated,
            passages=tuple([draft.finish() for draft in sorter.drafts]),
            furniture=tuple(sorter.furniture),
            sha256=sha256_of(self.data),
            decoding=decoding,
            line_ends=self._lines.ends,
            notes=(*decoding.repairs, *self._lines.repairs, *shown.notes, *_losses(self.decoded)),
            ledger=sorter.account(shown),
        )

    def _find_matter(self, layout: SourceLayout) -> Matter:
        match layout:
            case SourceLayout.WIKI_PAGE:
                return find_wiki_matter(self.blocks)
            case SourceLayout.ARTICLE:
                return find_article_matter(self.blocks)
            case SourceLayout.EXCERPT if self._is_quoting:
                return find_article_matter(self.blocks)
            case _:
                return find_page_matter(self.blocks)

    @property
    def _is_quoting(self) -> bool:
        """Say whether an excerpt is an article with more quotations than other words."""
        return self.signs.personal >= _FEWEST_PERSONAL and not opens(self.signs.first)


def is_complete_edition(data: bytes, file: str) -> bool:
    """Say whether a document is an official edition, complete or broken off.

    Raises:
        EncodingError: The bytes are not text.
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


def _losses(decoded: Decoded) -> tuple[str, ...]:
    lost = decoded.text.count("\N{REPLACEMENT CHARACTER}")
    return (f"{lost} characters lost: U+FFFD stands for them",) if lost else ()
