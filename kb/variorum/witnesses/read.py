"""Read a document by the words of all editions: what it quotes, announces or discusses."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property

from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import BARE
from variorum.errors import LayoutError
from variorum.quoting.bulletins import BulletinEntry, BulletinStep, announced_step, entries_of
from variorum.quoting.page import Page, is_program, read_page, words_of
from variorum.quoting.texts import known_texts
from variorum.quoting.verdicts import AGREES, EDITION, EXCERPT, NOTHING, Identity, identify
from variorum.records.document import DocumentOrigin, EditionCandidate, StatedDate, Witness
from variorum.rows import ANNOUNCED, BULLETIN, CHANGE_CLASSES, COMMENTARY, UNKNOWN
from variorum.rule_numbers import stem_of
from variorum.search.articles import ArticleLinker, LinkedArticle, ProseParagraph
from variorum.store.reader import PassageRow, WitnessRows
from variorum.text import shortened
from variorum.workers import within_limits

# Fewer words in a paragraph are a label; half as many numbers at heads of paragraphs may be an
# article's, and fewer if it never speaks of rules.
_FEWEST_WORDS, _LONGEST_DATELINE, _FEWEST_RULES, _FEWEST_UNSAID = 14, 12, 20, 5
_ENDING = frozenset(".:!?")
# Of what others wrote, only short quotations are kept.
_LONGEST, _MOST_WORDS, _MOST_DAYS = 160, 25, 6
_TITLE = re.compile(r"(?!http)(?=.*[^\W\d_]{3})[^<>]{3,79}[^<>,:;]")
_AUTHOR = re.compile(r"(?:^|[\s(])[Bb]y ((?:[A-Z][\w.'’-]+ ?){2,4})")
_HEAD = 8
# Between a heading and the words below it.
_SIGNS = " \t\n*_#=:>|–—-[("
# These changes are worth a word of a bulletin.
_WORDED = ("substantive", "sweep")

# Old and new states of a step.
_Step = tuple[int | None, int | None]


class DocumentReader:
    """Reads documents by the words of an open base; what it needs of the base is made once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base, self._linker, self._known = base, ArticleLinker(base), known_texts(base)

    def read(self, data: bytes, file: str) -> tuple[DocumentOrigin, list[PassageRow]]:
        """Return what a document is, and its passages as the base keeps them.

        Raises:
            DocumentError: It is no text, or costs more than any document of the rules does.
        """
        page, known, labels = within_limits(read_page, data, file), self._known, self.base.labels
        quotes = identify(page, known)
        printings = zip(known.headings, known.printings, strict=True)
        headwords = {heading for heading, printing in printings if not printing.number}
        entries = entries_of(page, quotes.commentary, headwords)
        stated = [date.fromisoformat(said.day) for said in quotes.stated]
        step, linked = None, None
        if not (quotes.kind in {EDITION, EXCERPT} or page.is_ours):
            step = announced_step(entries, stated, self._steps, known.days)
        other = _other_text(page, entries) if quotes.kind == NOTHING and not step else ""
        if quotes.kind != EDITION and not (step or other):
            linked = self._linked(page, quotes)
        kind, edition, ends = quotes.kind, quotes.edition, quotes.ties
        evidence = [other] if other else []
        rows = [PassageRow(state, None, place, said) for said, state, place in quotes.passages]
        matched, of = sum(row.said.verdict == AGREES for row in rows), len(rows)
        title, author = _title_and_author(page, quotes)
        dated = [said.day for said in quotes.stated if step or said.fits or not ends]
        if step:
            kind, edition, ends = BULLETIN, step.edition, [step.edition]
            rows, matched, of = (
                self._announced(page, step, entries),
                len(step.changed),
                len(entries),
            )
        elif ends:
            evidence = [*_days_in_words(quotes.stated, labels[ends[0]])]
        if linked:
            rows += self._discussed(linked)
            kind = COMMENTARY if kind == NOTHING else kind
            if not ends and linked.first is not None and linked.last is not None:
                ends, evidence = [linked.first, linked.last], [*linked.evidence]
        doubts, count = [[*entry.doubts] for entry in self.base.editions], len(quotes.passages)
        origin = DocumentOrigin(
            sha256=hashlib.sha256(data).hexdigest(),
            kind=kind,
            title=title,
            author=author,
            dated=dated[0] if dated else None,
            edition=None if edition is None else labels[edition],
            from_=labels[ends[0]] if ends else None,
            to=labels[ends[-1]] if ends else None,
            matched=matched,
            of=of,
            evidence=evidence,
            candidates=[
                EditionCandidate(labels[place], doubts[place], agreeing, count)
                for place, agreeing in quotes.counts
            ],
            stated=quotes.stated,
            passages=[row.said for row in rows],
        )
        return origin, rows

    def witness(self, data: bytes, file: str) -> WitnessRows:
        """Return the rows that the base keeps of a document.

        Raises:
            DocumentError: It is no text, or neither quotes, announces nor discusses rules.
        """
        origin, rows = self.read(data, file)
        if not rows:
            raise LayoutError("nothing in it quotes, announces or discusses a rule", file)
        about = structs.astuple(origin)[: len(Witness.__struct_fields__)]
        return WitnessRows(Witness(*about), tuple(rows))

    def _row(self, ends: _Step, edition: int | None, verdict: str, **said: object) -> PassageRow:
        """Return the row of a passage about a step between two states, or about the new one."""
        names = self.base.reader.names_by_id([id_ for id_ in ends if id_ is not None])
        former, stands = [None if id_ is None else names[id_] for id_ in ends]
        label = None if edition is None else self.base.labels[edition]
        about = {"verdict": verdict, "edition": label, "stands": stands, "former": former}
        return PassageRow(ends[1], ends[0], edition, structs.replace(BARE, **about, **said))

    # Articles ------------------------------------------------------------------------------------

    def _linked(self, page: Page, quotes: Identity) -> LinkedArticle | None:
        """Return the rules that the prose of a page discusses; None if it has none of them."""
        each = {it.text: it for it in reversed([*_prose(page, quotes.commentary)])}
        lines = [said for said in quotes.stated if len(said.words.split()) <= _LONGEST_DATELINE]
        day = date.fromisoformat(lines[0].day) if lines else None
        title = page.text.strip().split("\n", 1)[0]
        linked = self._linker.link(sorted(each.values()), title, day, quotes.ties) if each else None
        # Words common since 2009 do not date a page of 1999.
        first = self.base.labels[linked.first] if linked and linked.first else ""
        return None if max([said.day for said in quotes.stated], default=first) < first else linked

    def _discussed(self, linked: LinkedArticle) -> list[PassageRow]:
        return [
            self._row(
                (None, rule.state),
                rule.edition,
                COMMENTARY,
                number=rule.cited or None,
                words=rule.words,
                line=rule.line,
                confidence=rule.chance,
                evidence=[*rule.evidence],
            )
            for rule in linked.discussed
            if rule.state is not None
        ]

    # Bulletins -----------------------------------------------------------------------------------

    def _announced(
        self, page: Page, step: BulletinStep, entries: Sequence[BulletinEntry]
    ) -> list[PassageRow]:
        """Return a row for each step that an entry announces, with the words beside its number."""
        steps, rows = self._steps[step.edition], list[PassageRow]()
        for entry in entries:
            ranked = [steps[name] for name in entry.names if name in steps]
            ends = [end for ranks in ranked for end in ranks if ranks[end] == min(ranks.values())]
            words = page.around(entry.behind, entry.end).strip(_SIGNS).split()
            most = min(_LONGEST, len(" ".join(words[:_MOST_WORDS])))
            is_number = entry.names[0][0].isdigit()
            rows += [
                self._row(
                    end,
                    step.edition,
                    ANNOUNCED if entry in step.changed else UNKNOWN,
                    number=", ".join(entry.names) if is_number else None,
                    headword=None if is_number else page.quoted(entry.start, entry.behind),
                    words=shortened(" ".join(words), most),
                    line=page.line_of(entry.start),
                )
                for end in dict.fromkeys(ends) or [(None, None)]
            ]
        return rows

    @cached_property
    def _steps(self) -> dict[int, dict[str, dict[_Step, int]]]:
        """Return the steps by the place of their edition and by the numbers and headwords of their ends.

        The lowest rank is the step that a bulletin means: it names new numbers, and of what is removed
        the old ones. A number that only moved to another rule is not meant if the step did something
        else to it; a rule above that is named is meant last.
        """
        steps: dict[int, dict[str, dict[_Step, int]]] = defaultdict(lambda: defaultdict(dict))
        for edition, old, new, change, number, heading, is_new in self.base.reader.query(
            "SELECT edition, old, new, class, number, heading, provision.id IS new FROM link "
            "JOIN provision ON provision.id IN (old, new) ORDER BY new, old"
        ):
            is_slight = old is not None and CHANGE_CLASSES[change] not in _WORDED
            rank = int(is_slight) if is_new else 2 * (new is not None)
            names = [number, stem_of(number)] if number else [" ".join(words_of(heading))]
            for below, name in zip((0, 4), dict.fromkeys(names), strict=False):
                ranks = steps[edition][name]
                ranks[old, new] = min(ranks.get((old, new), 9), rank + below)
        return steps


def _other_text(page: Page, entries: Sequence[BulletinEntry]) -> str:
    """Return why a page that quotes no rule discusses none either; "" if it may."""
    if is_program(page.text):
        return "it is a program or data, which attests nothing"
    paragraphs = len([*_prose(page, [(0, len(page.words))])])
    fewest = _FEWEST_UNSAID if {"rule", "rules"}.isdisjoint(page.words) else _FEWEST_RULES
    are_others = 2 * len(entries) > max(paragraphs, fewest)
    return "its numbers are those of other rules, so it attests nothing" if are_others else ""


def _days_in_words(stated: Sequence[StatedDate], first: str) -> Iterator[str]:
    """Yield a line for each day that a page states, and whether it fits, the latest first."""
    lines = {said.day: said for said in reversed(stated)}
    for day, said in sorted(lines.items(), reverse=True)[:_MOST_DAYS]:
        fit = "fits" if said.fits else "is too early" if day < first else "is later"
        yield f"{day} {fit}: {shortened(said.words, _LONGEST)}"


def _prose(page: Page, parts: Sequence[tuple[int, int]]) -> Iterator[ProseParagraph]:
    """Yield the paragraphs of prose; one ends at a blank line, or with a line that ends a sentence."""
    for start, end in parts:
        first = start
        for word in range(start + 1, end + 1):
            between = page.around(word, word)
            is_end = word == end or between.count("\n") > 1
            if is_end or ("\n" in between and not _ENDING.isdisjoint(between)):
                words = page.quoted(first, word) + between.split("\n")[0].rstrip()
                if word - first >= _FEWEST_WORDS and not is_program(words):
                    yield ProseParagraph(page.line_of(first), " ".join(words.split()))
                first = word


def _title_and_author(page: Page, quotes: Identity) -> tuple[str, str]:
    """Return the first short line of a page that is no sentence, before its first rule, and its author."""
    head = page.text.split("\n", _HEAD)[:_HEAD]
    end = min([passage.said.line or 1 for passage in quotes.passages], default=_HEAD + 1)
    lines = [line.strip(" \t*_#=|") for line in head[: end - 1]]
    author = _AUTHOR.search("\n".join(head))
    return next(filter(_TITLE.fullmatch, lines), ""), author[1].strip() if author else ""
