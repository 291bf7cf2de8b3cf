"""Compare a document with the editions, and make the rows that the base keeps of it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.linker import Discussed
from variorum.errors import LayoutError
from variorum.history.word_diffs.diff import word_diff
from variorum.quoting.bulletins import BulletinEntry, BulletinStep
from variorum.quoting.editions import runs_of
from variorum.quoting.page import Page, folded_words
from variorum.quoting.verdicts import DayClaim, Identity, Passage, QuoteVerdict
from variorum.rows import CHANGE_CLASSES, State
from variorum.rule_numbers import stem_of
from variorum.store.edition_rows import compact
from variorum.stored_rows import (
    ANNOUNCED,
    BULLETIN,
    COMMENTARY,
    COPY,
    ORIGINAL,
    UNKNOWN,
    EditionRow,
    PassageRow,
    WitnessRow,
    WitnessRows,
)
from variorum.text import shortened
from variorum.witnesses.copies import compare_texts, describe, words_of
from variorum.witnesses.read import DocumentReader

# Of what others wrote, the base keeps short quotations alone.
_LONGEST, _MOST_WORDS = 160, 25
_MOST_STATED = 6
_TITLE = re.compile(r"(?!http)(?=.*[^\W\d_]{3})[^<>]{3,79}[^<>,:;]")
_AUTHOR = re.compile(r"(?:^|[\s(])[Bb]y ((?:[A-Z][\w.'’-]+ ?){2,4})")
_HEAD = 8
# Between a heading and the words below it.
_SIGNS = " \t\n*_#=:>|–—-[("
# These changes are worth a word of a bulletin.
_WORDED = ("substantive", "sweep")
_LAST = 8
_NO_WITNESS = WitnessRow("", "", "", "", "", None, None, 0, 0, "")
_NO_PASSAGE = PassageRow("", "", "", "", "", 0, None, None, None, "", 0.0, 1.0, "", "", "")
_DIFFERS, _AGREES = QuoteVerdict.DIFFERS.value, QuoteVerdict.AGREES.value


# Old and new states of steps, by the number or headword that a bulletin may name.
_Steps = dict[str, list[tuple[int | None, int | None]]]


class Comparer:
    """Compares documents with the editions of a base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._reader = DocumentReader(base)

    # Other texts of an edition -------------------------------------------------------------------

    def compare_text(
        self, row: EditionRow, states: Sequence[State], copy_of: str, file: str
    ) -> WitnessRows:
        """Return the rows of a copy, or of an original, compared with the edition of a day.

        Of several issues, it is compared with the one that is most like it, the last if equal.

        Args:
            row: Its columns, read as those of an edition.
            states: Its provisions.
            copy_of: The day of the edition that it is a copy of; "" for an original.
            file: Its name, for messages.

        Raises:
            LayoutError: The base has no edition of that day.
        """
        day = copy_of or row.effective
        entries = [entry for entry in self._base.editions if entry.effective.isoformat() == day]
        if not entries:
            raise LayoutError(
                f"another text of {day}, but the base has no edition of that day", file
            )
        compared = [
            (entry, compare_texts([match.state for match in self._base.provisions(entry)], states))
            for entry in reversed(entries)
        ]
        entry, found = min(compared, key=lambda pair: pair[1].size)
        there = [match.state for match in self._base.provisions(entry)]
        ids = {(state.kind, state.address): state.id for state in there}
        label = entry.label
        passages = [
            *[_passage_of(state, f"{label} has no such provision") for state in found.added],
            *[
                _passage_of(
                    state,
                    provision=ids[held.kind, held.address],
                    edition=entry.place,
                    pieces=compact(word_diff(words_of(held), words_of(state))),
                )
                for held, state in found.in_words
            ],
            *[
                _passage_of(
                    held,
                    f"only {label} has it",
                    provision=ids[held.kind, held.address],
                    edition=entry.place,
                )
                for held in found.missing
            ],
        ]
        dated = "" if row.effective == day else f", dated {row.effective}"
        differs = describe(there, states)
        differs = differs or (self._unlike(entry, row) if copy_of else "the same words")
        condition = "" if row.condition == "sound" else f"\n{row.condition}"
        of = (
            f"copy of {label}{dated}: {differs}" if copy_of else f"compared with {label}: {differs}"
        )
        return WitnessRows(
            _NO_WITNESS._replace(
                sha256=row.sha256,
                kind=COPY if copy_of else f"{ORIGINAL}{row.layout}",
                dated=row.effective,
                first=entry.place,
                last=entry.place,
                matched=found.total - len(passages),
                total=found.total,
                evidence=f"{of}{condition}",
            ),
            tuple(passages),
        )

    def _unlike(self, entry: EditionEntry, row: EditionRow) -> str:
        """Return how a text with the same rules and glossary differs."""
        wanted = "SELECT introduction, credits, encoding FROM edition WHERE id = ?"
        introduction, credit, encoding = self._base.reader.query(wanted, [entry.place])[0]
        if (introduction, credit) != (row.introduction, row.credits):
            return "the same rules, with another introduction or other credits"
        return (
            "the same words" if encoding == row.encoding else f"the same words, in {row.encoding}"
        )

    # Pages ---------------------------------------------------------------------------------------

    def compare_page(self, sha256: str, data: bytes, file: str) -> WitnessRows:
        """Return the rows of a document that is no edition.

        Raises:
            DocumentError: It is no text, or neither quotes, announces nor discusses rules.
        """
        page, identified, step, linked = self._reader.read(data, file)
        if step:
            return self._bulletin(sha256, page, identified, step)
        row = self._row(sha256, page, identified)
        quoted = [
            self._quoted(page, passage, identified.edition) for passage in identified.passages
        ]
        discussed = (
            [_commentary(rule) for rule in linked.discussed if rule.state is not None]
            if linked
            else []
        )
        if not (quoted or discussed):
            raise LayoutError("nothing in it quotes, announces or discusses a rule", file)
        first, last = (identified.ties or (None,))[0], (identified.ties or (None,))[-1]
        if linked and first is None:
            first, last = linked.first, linked.last
            row = row._replace(evidence="\n".join(linked.evidence))
        row = row._replace(
            kind=identified.kind.value if quoted else COMMENTARY,
            first=first,
            last=last,
            matched=sum(passage.verdict == _AGREES for passage in quoted),
            total=len(quoted),
        )
        return WitnessRows(row, (*quoted, *discussed))

    def _row(self, sha256: str, page: Page, identified: Identity) -> WitnessRow:
        stated, fits = identified.stated, bool(identified.ties)
        lines = [
            f"{day.day} {'fits' if day.fits else 'does not fit'}: {shortened(day.line, _LONGEST)}"
            for day in stated[: _MOST_STATED if fits else 0]
        ]
        return _NO_WITNESS._replace(
            sha256=sha256,
            kind=BULLETIN,
            title=page.title or _title(page, identified),
            author=page.author or _author(page),
            dated=next((day.day.isoformat() for day in stated if day.fits or not fits), ""),
            evidence="\n".join(lines),
        )

    def _quoted(self, page: Page, passage: Passage, edition: int | None) -> PassageRow:
        """Return the row of a quotation."""
        printing, runs = passage.printing, runs_of(passage.editions)
        is_there = edition is not None and printing.editions >> edition & 1
        return _NO_PASSAGE._replace(
            verdict=passage.verdict.value,
            number=passage.number or printing.number,
            headword="" if printing.number else passage.heading or printing.heading,
            supplied=passage.supplied,
            words="\n".join(" ".join(words.split()) for words in passage.texts),
            line=page.line_of(passage.start),
            provision=passage.state,
            edition=edition if is_there else runs_of(printing.editions)[-1][-1],
            runs=compact(runs),
            likeness=round(passage.likeness, 3),
            claims=compact([_claim(claim) for claim in passage.claims]) if passage.claims else "",
            pieces=compact(passage.pieces) if passage.pieces else "",
        )

    # Bulletins -----------------------------------------------------------------------------------

    def _bulletin(
        self, sha256: str, page: Page, identified: Identity, step: BulletinStep
    ) -> WitnessRows:
        links = self._links(step.edition)
        passages = [
            passage
            for entry in step.entries
            for passage in self._announcements(page, entry, step, links)
        ]
        row = self._row(sha256, page, identified)
        row = row._replace(
            dated=identified.stated[0].day.isoformat(),
            first=step.edition,
            last=step.edition,
            matched=len(step.changed),
            total=len(step.entries),
            evidence="",
        )
        return WitnessRows(row, tuple(passages))

    def _links(self, edition: int) -> _Steps:
        """Return the steps into an edition by the numbers, stems and headwords of their ends.

        A bulletin names new numbers, and of what is removed the old ones. A number that only moved
        to another rule is left out if the step did something else to it.
        """
        rows = self._base.reader.query(
            "SELECT old, new, class, number, heading, provision.id IS new FROM link "
            "JOIN provision ON provision.id IN (old, new) WHERE edition = ? ORDER BY new, old",
            [edition],
        )
        ranked: dict[str, dict[tuple[int | None, int | None], int]] = defaultdict(dict)
        for old, new, change, number, heading, is_new in rows:
            if is_new:
                rank = int(old is not None and CHANGE_CLASSES[change] not in _WORDED)
            else:
                rank = 0 if new is None else 2
            names = [number, stem_of(number)] if number else [folded_words(heading)]
            for place, name in enumerate(dict.fromkeys(names)):
                known = ranked[name].get((old, new), _LAST)
                ranked[name][old, new] = min(known, rank + _LAST // 2 * place)
        return {
            name: [step for step, rank in steps.items() if rank == min(steps.values())]
            for name, steps in ranked.items()
        }

    def _announcements(
        self,
        page: Page,
        entry: BulletinEntry,
        step: BulletinStep,
        links: _Steps,
    ) -> Iterator[PassageRow]:
        """Yield a row for each step that an entry announces, with the words beside its number."""
        ends = dict.fromkeys(end for name in entry.names for end in links.get(name, ()))
        said = page.around(entry.behind, entry.end).strip(_SIGNS).split()
        most = min(_LONGEST, len(" ".join(said[:_MOST_WORDS])))
        is_number = entry.names[0][0].isdigit()
        for old, new in ends or [(None, None)]:
            yield _NO_PASSAGE._replace(
                verdict=ANNOUNCED if entry in step.changed else UNKNOWN,
                number=", ".join(entry.names) if is_number else "",
                headword="" if is_number else page.quoted(entry.start, entry.behind),
                words=shortened(" ".join(said), most),
                line=page.line_of(entry.start),
                provision=new,
                former=old,
                edition=step.edition,
            )


def _passage_of(
    state: State,
    evidence: str = "",
    provision: int | None = None,
    edition: int | None = None,
    pieces: str = "",
) -> PassageRow:
    """Return the passage of a provision in which another text of an edition differs."""
    is_entry = state.kind == "glossary"
    return _NO_PASSAGE._replace(
        verdict=_DIFFERS,
        number=state.number,
        headword=state.heading if is_entry else "",
        words=words_of(state),
        evidence=evidence,
        provision=provision,
        edition=edition,
        pieces=pieces,
    )


def _claim(claim: DayClaim) -> list[object]:
    """Return a claim as the base keeps it: words, day, verdict, and the places of editions."""
    places = [claim.edition, claim.words_since, claim.number_since]
    return [claim.words, claim.day.isoformat(), claim.verdict.value, *places]


def _commentary(rule: Discussed) -> PassageRow:
    return _NO_PASSAGE._replace(
        verdict=COMMENTARY,
        number=rule.cited,
        words=rule.words,
        line=rule.line,
        provision=rule.state,
        edition=rule.edition,
        confidence=float(rule.chance),
        evidence="\n".join(rule.evidence),
    )


def _title(page: Page, identified: Identity) -> str:
    """Return the first short line of a page that is no sentence; "" if a rule comes first."""
    start = min([passage.start for passage in identified.passages], default=None)
    head = page.text if start is None else page.text[: page.starts[start]]
    lines = [line.strip(" \t*_#=|") for line in head.split("\n", _HEAD)[:_HEAD]]
    titles = [line for line in lines if _TITLE.fullmatch(line)]
    return titles[0] if titles else ""


def _author(page: Page) -> str:
    found = _AUTHOR.search("\n".join(page.text.split("\n", _HEAD)[:_HEAD]))
    return found[1].strip() if found else ""
