"""Compare a document with the editions, and make the rows that the base keeps of it."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import structs

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import BARE
from variorum.articles.articles import Discussed
from variorum.errors import LayoutError
from variorum.history.word_diffs.diff import word_diff
from variorum.quoting.bulletins import BulletinStep
from variorum.quoting.editions import runs_of
from variorum.quoting.page import Page, folded_words
from variorum.quoting.verdicts import Identity, Passage
from variorum.records.answer import Piece
from variorum.records.witness import Witness, WitnessName
from variorum.rows import (
    ANNOUNCED,
    BULLETIN,
    CHANGE_CLASSES,
    COMMENTARY,
    COPY,
    ORIGINAL,
    UNKNOWN,
    EditionRow,
    State,
)
from variorum.rule_numbers import stem_of
from variorum.store.reader import PassageRow, WitnessRows
from variorum.text import shortened
from variorum.witnesses.copies import compare_texts, describe, words_of
from variorum.witnesses.read import DocumentReader, quoted_provision

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
        `row` and `states` are its own, as an edition's; `copy_of` is the edition's day, "" of an original.

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
        label, condition = entry.label, [] if row.condition == "sound" else [row.condition]
        differs = describe(there, states)
        differs = differs or (self._unlike(entry, row) if copy_of else "the same words")
        dated = "" if row.effective == day else f", dated {row.effective}"
        of = f"copy of {label}{dated}" if copy_of else f"compared with {label}"
        kind = COPY if copy_of else f"{ORIGINAL}{row.layout}"
        name = WitnessName(row.sha256, kind, "", "", row.effective)

        def differing(
            state: State, held: State | None, evidence: str = "", pieces: Iterable[Piece] = ()
        ) -> PassageRow:
            return self._row(
                name,
                provision=None if held is None else ids[held.kind, held.address],
                edition=None if held is None else entry.place,
                verdict="differs",
                number=state.number or None,
                headword=state.heading if state.kind == "glossary" else None,
                words=words_of(state),
                evidence=[evidence] if evidence else [],
                pieces=list(pieces),
            )

        passages = [
            *[differing(state, None, f"{label} has no such provision") for state in found.added],
            *[
                differing(
                    state,
                    held,
                    pieces=itertools.starmap(Piece, word_diff(words_of(held), words_of(state))),
                )
                for held, state in found.in_words
            ],
            *[differing(held, held, f"only {label} has it") for held in found.missing],
        ]
        about = Witness(
            **structs.asdict(name),
            from_=label,
            to=label,
            matched=found.total - len(passages),
            of=found.total,
            passages=len(passages),
            evidence=[f"{of}: {differs}", *condition],
        )
        return WitnessRows(about, tuple(passages))

    def _row(
        self,
        witness: WitnessName,
        *,
        provision: int | None,
        edition: int | None,
        former: int | None = None,
        **said: object,
    ) -> PassageRow:
        """Return the row of a passage: its keys, and what it says, with their names."""
        names = self._base.reader.names_by_id(
            [id_ for id_ in (provision, former) if id_ is not None]
        )
        attestation = structs.replace(
            BARE,
            witness=witness,
            edition=None if edition is None else self._base.labels[edition],
            stands=None if provision is None else names[provision],
            former=None if former is None else names[former],
            **said,
        )
        return PassageRow(provision, former, edition, attestation)

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
        page, quotes, step, linked = self._reader.read(data, file)
        discussed = [rule for rule in linked.discussed if rule.state is not None] if linked else []
        if not (step or quotes.passages or discussed):
            raise LayoutError("nothing in it quotes, announces or discusses a rule", file)
        stated, ties = quotes.stated, quotes.ties
        dated = next((day.day.isoformat() for day in stated if step or day.fits or not ties), None)
        kind = BULLETIN if step else quotes.kind.value if quotes.passages else COMMENTARY
        title, author = page.title or _title(page, quotes), page.author or _author(page)
        name = WitnessName(sha256, kind, title, author, dated)
        first, last = (ties[0], ties[-1]) if ties else (None, None)
        evidence: list[str] = []
        if step:
            passages = self._announcements(page, name, step)
            first = last = step.edition
            matched, total = len(step.changed), len(step.entries)
        else:
            quoted = [
                self._quoted(page, name, passage, quotes.edition) for passage in quotes.passages
            ]
            passages = [*quoted, *[self._commentary(name, rule) for rule in discussed]]
            matched, total = sum(row.said.verdict == "agrees" for row in quoted), len(quoted)
            if ties:
                for day, line, fits in stated[:_MOST_STATED]:
                    fit = "fits" if fits else "does not fit"
                    evidence.append(f"{day} {fit}: {shortened(line, _LONGEST)}")
            elif linked:
                first, last, evidence = linked.first, linked.last, list(linked.evidence)
        about = Witness(
            **structs.asdict(name),
            from_=None if first is None else self._base.labels[first],
            to=None if last is None else self._base.labels[last],
            matched=matched,
            of=total,
            passages=len(passages),
            evidence=evidence,
        )
        return WitnessRows(about, tuple(passages))

    def _quoted(
        self, page: Page, name: WitnessName, passage: Passage, edition: int | None
    ) -> PassageRow:
        """Return the row of a quotation."""
        editions = passage.printing.editions
        is_there = edition is not None and editions >> edition & 1
        quoted = quoted_provision(passage, page, self._base.labels)
        return self._row(
            name,
            provision=passage.state,
            edition=edition if is_there else runs_of(editions)[-1][-1],
            verdict=quoted.verdict,
            number=quoted.number,
            headword=quoted.headword,
            supplied=quoted.supplied,
            words="\n".join(" ".join(words.split()) for words in passage.texts),
            line=quoted.line,
            editions=quoted.editions,
            likeness=quoted.likeness,
            claims=quoted.claims,
            pieces=quoted.pieces,
        )

    def _commentary(self, name: WitnessName, rule: Discussed) -> PassageRow:
        return self._row(
            name,
            provision=rule.state,
            edition=rule.edition,
            verdict=COMMENTARY,
            number=rule.cited or None,
            words=rule.words,
            line=rule.line,
            confidence=float(rule.chance),
            evidence=list(rule.evidence),
        )

    # Bulletins -----------------------------------------------------------------------------------

    def _announcements(self, page: Page, name: WitnessName, step: BulletinStep) -> list[PassageRow]:
        """Return a row for each step that an entry announces, with the words beside its number."""
        links = self._links(step.edition)
        rows: list[PassageRow] = []
        for entry in step.entries:
            ends = dict.fromkeys(end for number in entry.names for end in links.get(number, ()))
            words = page.around(entry.behind, entry.end).strip(_SIGNS).split()
            most = min(_LONGEST, len(" ".join(words[:_MOST_WORDS])))
            is_number = entry.names[0][0].isdigit()
            rows += [
                self._row(
                    name,
                    provision=new,
                    former=old,
                    edition=step.edition,
                    verdict=ANNOUNCED if entry in step.changed else UNKNOWN,
                    number=", ".join(entry.names) if is_number else None,
                    headword=None if is_number else page.quoted(entry.start, entry.behind),
                    words=shortened(" ".join(words), most),
                    line=page.line_of(entry.start),
                )
                for old, new in ends or [(None, None)]
            ]
        return rows

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
