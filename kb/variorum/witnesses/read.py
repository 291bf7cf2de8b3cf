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
from variorum.errors import FormatError
from variorum.quoting.bulletins import BulletinEntry, announced_step, entries_of
from variorum.quoting.page import NUMBERED, Page, is_program, read_page, words_of
from variorum.quoting.texts import known_texts
from variorum.quoting.verdicts import AGREES, EDITION, EXCERPT, NOTHING, Identity, identify
from variorum.records.document import DocumentOrigin, EditionCandidate, StatedDate, Witness
from variorum.rows import ANNOUNCED, BULLETIN, COMMENTARY, UNKNOWN, name_of
from variorum.rule_numbers import stem_of
from variorum.search.articles import ArticleLinker, Discussed, LinkedArticle, ProseParagraph
from variorum.store.reader import PassageRow, WitnessRows
from variorum.text import shortened
from variorum.workers import within_limits

# Fewer words in a paragraph are a label; half as many numbered lines may be an article's.
_FEWEST_WORDS, _LONGEST_DATELINE, _FEWEST_RULES = 14, 12, 20
_ENDING = frozenset(".:!?")
# Of what others wrote, only short quotations are kept.
_LONGEST, _MOST_WORDS, _MOST_DAYS, _HEAD = 160, 25, 6, 8
_TITLE = re.compile(r"(?!http)(?=.*[^\W\d_]{3})[^<>]{3,79}[^<>,:;]")
_AUTHOR = re.compile(r"(?:^|[\s(])[Bb]y ((?:[A-Z][\w.'’-]+ ?){2,4})")
# Between a heading and the words below it.
_SIGNS = " \t\n*_#=:>|–—-[("
# A step with the rank of each end: 0 if that has new words, or is removed. Other classes are slight.
_STEPS = (
    "SELECT edition, old, new, CASE WHEN provision.id IS new THEN old IS NOT NULL AND class NOT IN "
    "(3, 4) ELSE 2 * (new IS NOT NULL) END, number, heading FROM link "
    "JOIN provision ON provision.id IN (old, new) ORDER BY new, old"
)
# Old and new states of a step.
_Step = tuple[int | None, int | None]


class DocumentReader:
    """Reads documents by the words of an open base; what it needs of the base is made once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base, self._linker, self._known = base, ArticleLinker(base), known_texts(base)

    def read(self, data: bytes, file: str) -> tuple[DocumentOrigin, list[PassageRow]]:
        """Return what a document is, and its passages as the base keeps them.

        DocumentError: it is no text, or costs more than any document of the rules does.
        """
        page, known, labels = within_limits(read_page, data, file), self._known, self.base.labels
        quotes, held = identify(page, known), self.base.editions
        kind, edition, ends, stated = quotes.kind, quotes.edition, quotes.ties, quotes.stated
        rows, of = quotes.passages, len(quotes.passages)
        matched = sum(row.said.verdict == AGREES for row in rows)
        dated = [said.day for said in stated if said.fits or not ends]
        evidence = [*_days_in_words(stated, labels[ends[0]])] if ends else []
        entries = [*entries_of(page, {row.said.line for row in rows}, known)]
        days = [date.fromisoformat(said.day) for said in stated]
        is_other = not (kind in {EDITION, EXCERPT} or page.is_ours)
        step = announced_step(entries, days, self._steps, known.days) if is_other else None
        if step is not None:
            kind, edition, ends, evidence, of = BULLETIN, step, [step], [], len(entries)
            rows, dated = [*self._announced(step, entries)], [said.day for said in stated]
            matched = sum(entry.is_among(self._steps[step]) for entry in entries)
        elif other := _other_text(page) if kind == NOTHING else "":
            evidence = [other]
        elif kind != EDITION and (linked := self._linked(page, quotes)):
            rows = rows + [self._discussed(it) for it in linked.discussed if it.state is not None]
            kind = COMMENTARY if kind == NOTHING else kind
            if not ends and linked.first is not None and linked.last is not None:
                ends, evidence = [linked.first, linked.last], [*linked.evidence]
        title, author = _title_and_author(page, quotes)
        origin = DocumentOrigin(
            sha256=hashlib.sha256(data).hexdigest(),
            kind=kind,
            title=title,
            author=author,
            dated=next(iter(dated), None),
            edition=None if edition is None else labels[edition],
            from_=labels[ends[0]] if ends else None,
            to=labels[ends[-1]] if ends else None,
            matched=matched,
            of=of,
            evidence=evidence,
            candidates=[
                EditionCandidate(labels[n], held[n].doubts.splitlines(), hits, len(quotes.passages))
                for n, hits in quotes.counts
            ],
            stated=stated,
            passages=[row.said for row in rows],
        )
        return origin, rows

    def witness(self, data: bytes, file: str) -> WitnessRows:
        """Return the rows that the base keeps of a document.

        DocumentError: it is no text, or neither quotes, announces nor discusses rules.
        """
        origin, rows = self.read(data, file)
        if not rows:
            raise FormatError("nothing in it quotes, announces or discusses a rule", file)
        about = structs.astuple(origin)[: len(Witness.__struct_fields__)]
        return Witness(*about), rows

    def _row(self, ends: _Step, edition: int | None, verdict: str, **said: object) -> PassageRow:
        """Return the row of a passage about a step between two states, or about the new one."""
        former, stands = [None if it is None else name_of(self.base.states[it]) for it in ends]
        label = None if edition is None else self.base.labels[edition]
        about = {"verdict": verdict, "edition": label, "stands": stands, "former": former}
        return PassageRow(ends[1], ends[0], edition, structs.replace(BARE, **about, **said))

    # Articles ------------------------------------------------------------------------------------

    def _linked(self, page: Page, quotes: Identity) -> LinkedArticle | None:
        each = {it.text: it for it in reversed([*_prose(page, quotes.commentary)])}
        lines = [said for said in quotes.stated if len(said.words.split()) <= _LONGEST_DATELINE]
        day, title = date.fromisoformat(lines[0].day) if lines else None, page.text.strip()
        about = title.split("\n", 1)[0], day, quotes.ties
        linked = self._linker.link(sorted(each.values()), *about) if each else None
        # Words common since 2009 do not date a page of 1999.
        first = self.base.labels[linked.first] if linked and linked.first else ""
        return None if max([said.day for said in quotes.stated], default=first) < first else linked

    def _discussed(self, it: Discussed) -> PassageRow:
        said = {"words": it.words, "line": it.line, "confidence": it.chance}
        said |= {"number": it.cited or None, "evidence": [*it.evidence]}
        return self._row((None, it.state), it.edition, COMMENTARY, **said)

    # Bulletins -----------------------------------------------------------------------------------

    def _announced(self, step: int, entries: Sequence[BulletinEntry]) -> Iterator[PassageRow]:
        """Yield a row for each step that an entry announces, with the words beside its number."""
        for names, printed, line, below in entries:
            words = below.strip(_SIGNS).split()
            most = min(_LONGEST, len(" ".join(words[:_MOST_WORDS])))
            said: dict[str, object] = {"words": shortened(" ".join(words), most), "line": line}
            is_number = names[0].isdigit() or "." in names[0]
            said |= {"number": ", ".join(names)} if is_number else {"headword": printed}
            ends = [
                end
                for name in names
                for _, some in [self._steps[step].get(name, (0, []))]
                for end in some
            ]
            for end in dict.fromkeys(ends) or [(None, None)]:
                yield self._row(end, step, ANNOUNCED if ends else UNKNOWN, **said)

    @cached_property
    def _steps(self) -> dict[int, dict[str, tuple[int, list[_Step]]]]:
        """Return the steps by the place of their edition, and by numbers and headwords with the lowest rank.

        A bulletin names new numbers, and of what is removed the old ones; then those that only moved to
        another rule, or a rule above.
        """
        steps: dict[int, dict[str, tuple[int, list[_Step]]]] = defaultdict(dict)
        for edition, old, new, rank, number, heading in self.base.reader.query(_STEPS):
            names = [number, stem_of(number)] if number else [" ".join(words_of(heading))]
            for below, name in zip((rank, rank + 4), dict.fromkeys(names), strict=False):
                best = steps[edition].get(name, (below, []))
                if below <= best[0]:
                    others = best[1] if below == best[0] else []
                    steps[edition][name] = below, [*others, (old, new)]
        return steps


def _other_text(page: Page) -> str:
    """Return why a page that quotes no rule discusses none either; "" if it may."""
    paragraphs = len([*_prose(page, [(0, len(page.words))])])
    are_others = 2 * len(NUMBERED.findall(page.text)) > max(paragraphs, _FEWEST_RULES)
    other = "its numbers are those of other rules, so it attests nothing" if are_others else ""
    return "it is a program or data, which attests nothing" if is_program(page.text) else other


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
    head = page.text.split("\n", _HEAD)[:_HEAD]
    end = min([passage.said.line or 1 for passage in quotes.passages], default=_HEAD + 1)
    lines = [line.strip(" \t*_#=|") for line in head[: end - 1]]
    author = _AUTHOR.search("\n".join(head))
    return next(filter(_TITLE.fullmatch, lines), ""), author[1].strip() if author else ""
