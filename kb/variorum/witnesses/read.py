"""Read a document by the words of all editions: what it quotes, announces or discusses."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.articles import ArticleLinker, LinkedArticle, ProseParagraph
from variorum.quoting.bulletins import BulletinStep, announced_step, entries_of
from variorum.quoting.editions import EditionDays, runs_of
from variorum.quoting.page import Page, read_page
from variorum.quoting.printed_texts import PrintedTexts, changed_names, headwords, known_texts
from variorum.quoting.verdicts import DayClaim, Identity, PageKind, Passage, identify
from variorum.records.answer import Piece
from variorum.records.identify import Claim, QuotedProvision
from variorum.rows import named
from variorum.workers import within_limits

# Fewer words in a paragraph are a label; fewer numbers at heads of paragraphs may be an article's.
_FEWEST_WORDS, _LONGEST_DATELINE, _FEWEST_RULES = 14, 12, 20
_ENDING = frozenset(".:!?")


class DocumentRead(NamedTuple):
    """What the editions say of a document: of a bulletin the step, of prose the rules that it discusses."""

    page: Page
    quotes: Identity
    announces: BulletinStep | None
    linked: LinkedArticle | None


class DocumentReader:
    """Reads documents by the words of an open base; what it needs of the base is made once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._linker = base, ArticleLinker(base)
        self.days = EditionDays([date.fromisoformat(label[:10]) for label in base.labels])

    @cached_property
    def known(self) -> PrintedTexts:
        """Return all texts that ever stood."""
        return known_texts(self._base)

    @cached_property
    def _changed(self) -> dict[int, set[str]]:
        return changed_names(self._base)

    @cached_property
    def _headwords(self) -> set[str]:
        return headwords(self.known)

    def read(self, data: bytes, file: str) -> DocumentRead:
        """Read a document.

        Raises:
            DocumentError: It is no text, or costs more than any document of the rules does.
        """
        page = within_limits(read_page, data, file)
        quotes = identify(page, self.known, self.days)
        if quotes.kind is PageKind.EDITION:
            return DocumentRead(page, quotes, None, None)
        entries = entries_of(page, quotes.commentary, self._headwords)
        if quotes.kind is not PageKind.EXCERPT and not page.is_ours:
            stated = [said.day for said in quotes.stated]
            step = announced_step(entries, stated, self._changed, self.days)
            if step:
                return DocumentRead(page, quotes, step, None)
        paragraphs = [*_prose(page, quotes.commentary)]
        if quotes.kind is PageKind.NOTHING and 2 * len(entries) > max(
            len(paragraphs), _FEWEST_RULES
        ):
            linked = None  # the rules of another game, in numbers of their own
        else:
            linked = self._link(page, quotes, paragraphs)
        return DocumentRead(page, quotes, None, linked)

    def _link(
        self, page: Page, quotes: Identity, paragraphs: Sequence[ProseParagraph]
    ) -> LinkedArticle | None:
        title = page.text.strip().split("\n", 1)[0]
        lines = (said for said in quotes.stated if len(said.line.split()) <= _LONGEST_DATELINE)
        day = next((said.day for said in lines), None)
        linked = self._linker.link(paragraphs, title, day, quotes.ties) if paragraphs else None
        # Words common since 2009 do not date a page of 1999.
        first = linked.first if linked else None
        last_stated = max([said.day for said in quotes.stated], default=None)
        is_older = first and last_stated and last_stated < self.days.days[first]
        return None if is_older else linked


def _prose(page: Page, parts: Sequence[tuple[int, int]]) -> Iterator[ProseParagraph]:
    """Yield the paragraphs of prose; one ends at a blank line, or with a line that ends a sentence."""
    line, counted = 1, 0
    for start, end in parts:
        first = start
        for word in range(start + 1, end + 1):
            between = page.around(word, word)
            is_end = word == end or between.count("\n") > 1
            if is_end or ("\n" in between and not _ENDING.isdisjoint(between)):
                if word - first >= _FEWEST_WORDS:
                    words = page.quoted(first, word) + between.split("\n")[0].rstrip()
                    line += page.text.count("\n", counted, page.starts[first])
                    counted = page.starts[first]
                    yield ProseParagraph(line, " ".join(words.split()))
                first = word


def quoted_provision(passage: Passage, page: Page, labels: Sequence[str]) -> QuotedProvision:
    """Return a passage of a page as `cr identify --json` has it."""
    printing, runs = passage.printing, runs_of(passage.editions)
    return QuotedProvision(
        number=passage.number or printing.number or None,
        headword=None if printing.number else printing.heading,
        supplied=passage.supplied or None,
        verdict=passage.verdict.value,
        editions=[[labels[first], labels[last]] for first, last in runs],
        stands=named(printing.number, printing.heading),
        is_part=passage.is_part,
        likeness=round(passage.likeness, 3),
        pieces=[Piece(*piece) for piece in passage.pieces],
        claims=[_claim(claim, labels) for claim in passage.claims],
        line=page.line_of(passage.start),
    )


def _claim(claim: DayClaim, labels: Sequence[str]) -> Claim:
    places = claim.edition, claim.words_since, claim.number_since
    since = [None if place is None else labels[place] for place in places]
    return Claim(claim.words, claim.day.isoformat(), claim.verdict.value, *since)
