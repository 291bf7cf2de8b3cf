"""Read a document by the words of all editions: what it quotes, announces or discusses."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.quoting.bulletins import BulletinStep, announced_step, entries_of
from variorum.quoting.page import Page, read_page
from variorum.quoting.texts import changed_names, known_texts
from variorum.quoting.verdicts import EDITION, EXCERPT, NOTHING, Identity, identify
from variorum.records.document import (
    AnnouncedEdition,
    DocumentOrigin,
    EditionCandidate,
    RuleDiscussed,
    StatedDate,
)
from variorum.rows import BULLETIN, COMMENTARY, name_of
from variorum.search.articles import ArticleLinker, Discussed, LinkedArticle, ProseParagraph
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

    @property
    def kind(self) -> str:
        """Return what it is, one of `records.document.PageSort`."""
        if self.announces:
            return BULLETIN
        return COMMENTARY if self.linked and self.quotes.kind == NOTHING else self.quotes.kind

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """Return the places of the first and the last edition that it quotes, announces or is about."""
        if self.announces:
            return self.announces.edition, self.announces.edition
        if self.quotes.ties:
            return self.quotes.ties[0], self.quotes.ties[-1]
        return (self.linked.first, self.linked.last) if self.linked else (None, None)

    @property
    def discussed(self) -> list[Discussed]:
        """Return the rules that it discusses and that an edition has."""
        return [rule for rule in self.linked.discussed if rule.state] if self.linked else []


class DocumentReader:
    """Reads documents by the words of an open base; what it needs of the base is made once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._linker = base, ArticleLinker(base)

    @cached_property
    def _changed(self) -> dict[int, set[str]]:
        return changed_names(self._base)

    def read(self, data: bytes, file: str) -> DocumentRead:
        """Read a document.

        Raises:
            DocumentError: It is no text, or costs more than any document of the rules does.
        """
        page, known = within_limits(read_page, data, file), known_texts(self._base)
        quotes = identify(page, known)
        if quotes.kind == EDITION:
            return DocumentRead(page, quotes, None, None)
        entries = entries_of(page, quotes.commentary, known.headwords)
        if quotes.kind != EXCERPT and not page.is_ours:
            stated = [said.day for said in quotes.stated]
            step = announced_step(entries, stated, self._changed, known.days)
            if step:
                return DocumentRead(page, quotes, step, None)
        paragraphs = [*_prose(page, quotes.commentary)]
        are_other_rules = 2 * len(entries) > max(len(paragraphs), _FEWEST_RULES)
        if quotes.kind == NOTHING and are_other_rules:
            return DocumentRead(page, quotes, None, None)
        title = page.text.strip().split("\n", 1)[0]
        lines = (said for said in quotes.stated if len(said.line.split()) <= _LONGEST_DATELINE)
        day = next((said.day for said in lines), None)
        linked = self._linker.link(paragraphs, title, day, quotes.ties) if paragraphs else None
        # Words common since 2009 do not date a page of 1999.
        first = linked.first if linked else None
        last_stated = max([said.day for said in quotes.stated], default=None)
        is_older = first and last_stated and last_stated < known.days[first]
        return DocumentRead(page, quotes, None, None if is_older else linked)

    def identify(self, data: bytes, file: str) -> DocumentOrigin:
        """Return which editions a document quotes or announces, as `cr identify --json` prints it.

        Raises:
            DocumentError: It is no text, or costs more than any document of the rules does.
        """
        base, read = self._base, self.read(data, file)
        labels, quotes, step, linked = base.labels, read.quotes, read.announces, read.linked
        edition = step.edition if step else quotes.edition
        first, last = [None if place is None else labels[place] for place in read.ends]
        # Of editions with as many passages, those that fit best lead.
        counts = sorted(
            quotes.counts, key=lambda count: (-count[1], count[0] not in quotes.ties, count[0])
        )
        states = base.states.of([rule.state for rule in read.discussed if rule.state])
        return DocumentOrigin(
            kind=read.kind,
            edition=None if edition is None else labels[edition],
            from_=first,
            to=last,
            candidates=[
                EditionCandidate(
                    labels[place], [*base.editions[place].doubts], matched, len(quotes.passages)
                )
                for place, matched in counts
            ],
            passages=[passage.said for passage in quotes.passages],
            stated=[
                StatedDate(day.isoformat(), line, fits if quotes.ties and not step else None)
                for day, line, fits in quotes.stated
            ],
            announces=AnnouncedEdition(labels[step.edition], len(step.changed), len(step.entries))
            if step
            else None,
            discusses=[
                RuleDiscussed(
                    rule.line,
                    name_of(states[rule.state]),
                    labels[rule.edition],
                    rule.chance,
                    rule.words,
                )
                for rule in read.discussed
                if rule.state is not None and rule.edition is not None
            ],
            evidence=[*linked.evidence] if linked and first and not quotes.ties else [],
        )


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
