"""Compare a document with the editions, and make the rows that the base keeps of it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import starmap

from msgspec import structs

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import BARE
from variorum.errors import LayoutError
from variorum.history.word_diffs import word_diff
from variorum.quoting.bulletins import BulletinStep
from variorum.quoting.page import Page
from variorum.quoting.texts import names_of
from variorum.quoting.verdicts import AGREES, DIFFERS, Passage
from variorum.records.answer import Piece
from variorum.records.document import Witness, WitnessName
from variorum.rows import (
    ANNOUNCED,
    CHANGE_CLASSES,
    COMMENTARY,
    COPY,
    ORIGINAL,
    UNKNOWN,
    EditionRow,
    State,
)
from variorum.store.reader import PassageRow, WitnessRows
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

# Old and new states of a step.
_Step = tuple[int | None, int | None]


class Comparer:
    """Compares documents with the editions of a base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._reader = DocumentReader(base)

    def _row(
        self, witness: WitnessName, ends: _Step, edition: int | None, **said: object
    ) -> PassageRow:
        """Return the row of a passage about a step between two states, or about the new one."""
        names = self._base.reader.names_by_id([id_ for id_ in ends if id_ is not None])
        former, stands = [None if id_ is None else names[id_] for id_ in ends]
        label = None if edition is None else self._base.labels[edition]
        said |= {"witness": witness, "edition": label, "stands": stands, "former": former}
        about = structs.replace(BARE, **said)
        return PassageRow(ends[1], ends[0], edition, about)

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
        texts = [
            (entry, [match.state for match in self._base.provisions(entry)])
            for entry in reversed(entries)
        ]
        entry, there = min(texts, key=lambda text: compare_texts(text[1], states).size)
        found, ids = compare_texts(there, states), {(s.kind, s.address): s.id for s in there}
        differs = describe(there, states)
        differs = differs or (self._unlike(entry, row) if copy_of else "the same words")
        dated = "" if row.effective == day else f", dated {row.effective}"
        of = f"copy of {entry.label}{dated}" if copy_of else f"compared with {entry.label}"
        kind = COPY if copy_of else f"{ORIGINAL}{row.layout}"
        name = WitnessName(row.sha256, kind, "", "", row.effective)

        def differing(state: State, held: State | None, reason: str = "") -> PassageRow:
            is_changed = held is not None and not reason
            pieces = word_diff(words_of(held), words_of(state)) if held and is_changed else []
            return self._row(
                name,
                (None, ids[held.kind, held.address] if held else None),
                entry.place if held else None,
                verdict=DIFFERS,
                number=state.number or None,
                headword=state.heading if state.kind == "glossary" else None,
                words=words_of(state),
                evidence=[reason] if reason else [],
                pieces=[*starmap(Piece, pieces)],
            )

        lacking, only = f"{entry.label} has no such provision", f"only {entry.label} has it"
        passages = (
            *[differing(state, None, lacking) for state in found.added],
            *[differing(state, held) for held, state in found.in_words],
            *[differing(held, held, only) for held in found.missing],
        )
        about = Witness(
            **structs.asdict(name),
            from_=entry.label,
            to=entry.label,
            matched=found.total - len(passages),
            of=found.total,
            passages=len(passages),
            evidence=[f"{of}: {differs}", *([] if row.condition == "sound" else [row.condition])],
        )
        return WitnessRows(about, passages)

    def _unlike(self, entry: EditionEntry, row: EditionRow) -> str:
        """Return how a text with the same rules and glossary differs."""
        wanted = "SELECT introduction, credits, encoding FROM edition WHERE id = ?"
        introduction, credit, encoding = self._base.reader.query(wanted, [entry.place])[0]
        if (introduction, credit) != (row.introduction, row.credits):
            return "the same rules, with another introduction or other credits"
        return "the same words" + ("" if encoding == row.encoding else f", in {row.encoding}")

    # Pages ---------------------------------------------------------------------------------------

    def compare_page(self, sha256: str, data: bytes, file: str) -> WitnessRows:
        """Return the rows of a document that is no edition.

        Raises:
            DocumentError: It is no text, or neither quotes, announces nor discusses rules.
        """
        read = self._reader.read(data, file)
        page, quotes, step, linked = read
        if not (step or quotes.passages or read.discussed):
            raise LayoutError("nothing in it quotes, announces or discusses a rule", file)
        stated = [day for day in quotes.stated if step or day.fits or not quotes.ties]
        name = WitnessName(
            sha256,
            read.kind,
            _title(page, quotes.passages),
            _author(page),
            stated[0].day.isoformat() if stated else None,
        )
        evidence: list[str] = []
        if quotes.ties and not step:
            for day, line, fits in quotes.stated[:_MOST_STATED]:
                fit = "fits" if fits else "does not fit"
                evidence.append(f"{day} {fit}: {shortened(line, _LONGEST)}")
        elif linked:
            evidence += linked.evidence
        if step:
            rows = self._announcements(page, name, step)
            matched, of = len(step.changed), len(step.entries)
        else:
            rows = [
                self._row(
                    name,
                    (None, passage.state),
                    passage.edition,
                    **structs.asdict(passage.said),
                    words=passage.words,
                )
                for passage in quotes.passages
            ]
            matched, of = sum(row.said.verdict == AGREES for row in rows), len(rows)
            rows += [
                self._row(
                    name,
                    (None, rule.state),
                    rule.edition,
                    verdict=COMMENTARY,
                    number=rule.cited or None,
                    words=rule.words,
                    line=rule.line,
                    confidence=float(rule.chance),
                    evidence=[*rule.evidence],
                )
                for rule in read.discussed
            ]
        first, last = [None if place is None else self._base.labels[place] for place in read.ends]
        about = Witness(
            **structs.asdict(name),
            from_=first,
            to=last,
            matched=matched,
            of=of,
            passages=len(rows),
            evidence=evidence,
        )
        return WitnessRows(about, tuple(rows))

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
                    end,
                    step.edition,
                    verdict=ANNOUNCED if entry in step.changed else UNKNOWN,
                    number=", ".join(entry.names) if is_number else None,
                    headword=None if is_number else page.quoted(entry.start, entry.behind),
                    words=shortened(" ".join(words), most),
                    line=page.line_of(entry.start),
                )
                for end in ends or [(None, None)]
            ]
        return rows

    def _links(self, edition: int) -> dict[str, list[_Step]]:
        """Return the steps into an edition by the numbers, stems and headwords of their ends.

        A bulletin names new numbers, and of what is removed the old ones. A number that only moved
        to another rule is left out if the step did something else to it.
        """
        rows = self._base.reader.query(
            "SELECT old, new, class, number, heading, provision.id IS new FROM link "
            "JOIN provision ON provision.id IN (old, new) WHERE edition = ? ORDER BY new, old",
            [edition],
        )
        ranked: dict[str, dict[_Step, int]] = defaultdict(dict)
        for old, new, change, number, heading, is_new in rows:
            if is_new:
                rank = int(old is not None and CHANGE_CLASSES[change] not in _WORDED)
            else:
                rank = 0 if new is None else 2
            for place, name in enumerate(dict.fromkeys(names_of(number, heading))):
                known = ranked[name].get((old, new), _LAST)
                ranked[name][old, new] = min(known, rank + _LAST // 2 * place)
        return {
            name: [step for step, rank in steps.items() if rank == min(steps.values())]
            for name, steps in ranked.items()
        }


def _title(page: Page, passages: Sequence[Passage]) -> str:
    """Return the first short line of a page that is no sentence; "" if a rule comes first."""
    start = min([passage.start for passage in passages], default=None)
    head = page.text if start is None else page.text[: page.starts[start]]
    lines = [line.strip(" \t*_#=|") for line in head.split("\n", _HEAD)[:_HEAD]]
    return next((line for line in lines if _TITLE.fullmatch(line)), "")


def _author(page: Page) -> str:
    found = _AUTHOR.search("\n".join(page.text.split("\n", _HEAD)[:_HEAD]))
    return found[1].strip() if found else ""
