"""What stands in an edition: the questions about a knowledge base that time plays no part in."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from variorum_kb.answers.citations import DANGLING, cites, printed, refs_json
from variorum_kb.answers.editions import EditionEntry, entry_of
from variorum_kb.answers.lookup import answer, children, matches, unpacked
from variorum_kb.answers.questions import NUMBER, RANGE, WORDS, parse_question, runs_backwards
from variorum_kb.answers.show import Match
from variorum_kb.errors import NoEditionError, NotFoundError
from variorum_kb.forms.edition import ExportJson, LedgerJson, ProvisionJson
from variorum_kb.forms.provision import CitesJson, MisfitJson, RefsJson
from variorum_kb.references.designators import completions, find_edition, why_none
from variorum_kb.rows import Row, examples_of, text_of
from variorum_kb.store.reader import Reader
from variorum_kb.system.place import FILE, base_folder

_NEAR_EACH_SIDE = 2
_MOST_SPANS = 4


class Provisions:
    """The editions of one knowledge base, and what stands in each.

    It sees the base as it was when it was opened; a build in the meantime does not disturb it.
    Use it in a `with` statement, or close it.
    """

    def __init__(self, reader: Reader, today: date | None = None) -> None:
        self._reader = reader
        self.today = today
        # The base does not change while it is open, nor does today.
        self._named: dict[str, EditionEntry] = {}

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open the base in a folder, by default the user's own.

        Args:
            folder: Of the base; by default that of VARIORUM_KB, else the platform's place.
            today: The day that "current" means; without it, "current" is the latest edition.

        Raises:
            NoBaseError: There is none.
            BaseVersionError: Another version of the program wrote it.
            BaseError: It is damaged.
        """
        return cls(Reader(Path(folder or base_folder()) / FILE), today)

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """Return the folder of the base."""
        return self._reader.path.parent

    @cached_property
    def editions(self) -> tuple[EditionEntry, ...]:
        """Return all editions, oldest first."""
        return tuple([entry_of(row) for row in self._reader.editions(with_long=False)])

    def made_by(self) -> dict[str, str]:
        """Return the versions of all that made the base, by name."""
        return self._reader.facts()

    def edition(self, designator: str = "current") -> EditionEntry:
        """Return the edition that a designator names.

        Raises:
            NoEditionError: It names none.
        """
        known = self._named.get(designator)
        if known is not None:
            return known
        today = "" if self.today is None else self.today.isoformat()
        found = find_edition(reversed(self.editions), designator, today)
        if found is None:
            raise NoEditionError(why_none(self.editions, designator, self.today))
        self._named[designator] = found
        return found

    def designators(self, begun: str = "") -> list[str]:
        """Return what names an edition and begins with some letters, sorted."""
        return completions(self.editions, begun)

    def show(self, question: str, on: str | EditionEntry = "current") -> tuple[Match, ...]:
        """Return the provisions that a question names, in printed order.

        Args:
            question: A number ("704.5k", "CR 704.5K."), a range ("508.1d-f"), or a term.
            on: An edition or its designator.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: That edition has no such provision; the message says which editions have
                it, and what is near.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        asked = parse_question(question)
        found = self._reader.ask(lambda open_: answer(open_, asked, edition.place))
        if not found:
            raise NotFoundError(self._what_is_there(asked, edition))
        return tuple([Match(edition, state) for state in found])

    def children(self, match: Match) -> tuple[Match, ...]:
        """Return what stands right below a provision, in the order of numbers."""
        edition = match.edition
        if not match.number:
            return ()
        states = self._reader.ask(lambda open_: children(open_, match.address, edition.place))
        return tuple([Match(edition, state) for state in states])

    def tree(self, match: Match, depth: int = 9) -> Iterator[tuple[int, Match]]:
        """Yield all that stands below a provision, each with its depth, from 1."""
        has_more = depth and match.kind in {"chapter", "section", "rule"}
        for child in self.children(match) if has_more else ():
            yield 1, child
            yield from ((step + 1, below) for step, below in self.tree(child, depth - 1))

    def path(self, match: Match) -> tuple[Match, ...]:
        """Return what a provision stands under, the chapter first."""
        above: list[Match] = []
        parent = match.parent
        while parent:
            states = self._at(parent.partition("#")[0], match.edition)
            found = [state for state in states if state.address == parent]
            above.append(Match(match.edition, found[0]))
            parent = found[0].parent
        return tuple(reversed(above))

    def chapters(self, on: str | EditionEntry = "current") -> tuple[Match, ...]:
        """Return the chapters of an edition.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        found = [state for digit in "123456789" for state in self._at(digit, edition)]
        return tuple([Match(edition, state) for state in found if state.kind == "chapter"])

    def sections(self, on: str | EditionEntry = "current") -> tuple[Match, ...]:
        """Return the sections of an edition in printed order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        return tuple([match for match in self.provisions(on) if match.kind == "section"])

    def refs(self, matches: Sequence[Match]) -> RefsJson:
        """Return what a provision cites and what cites it, in the form of `cr refs --json`.

        Args:
            matches: The provision as `show` returns it; both bearers of a doubled number.
        """
        edition = matches[0].edition
        states = [one.state for one in matches]
        return self._reader.ask(
            lambda open_: refs_json(open_, states, edition.place, edition.label)
        )

    def misfits(self, on: str | EditionEntry = "current") -> Iterator[MisfitJson]:
        """Yield the citations of an edition that dangle, or whose title is not what they cite.

        Each is as in `refs`, with the "address" of the provision that prints it.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        for match in self.provisions(edition):
            for one in self.cites(match):
                if one["status"] == DANGLING or one["title_fits"] is False:
                    yield {"address": match.address, **one}

    def cites(self, match: Match) -> list[CitesJson]:
        """Return what a provision cites, in the form of `cr refs --json`."""
        return self._reader.ask(lambda open_: cites(open_, match.state, match.edition.place))

    def citations(self, match: Match) -> list[str]:
        """Return the citations in a provision's text as they are printed."""
        return self._reader.ask(lambda open_: printed(open_, match.state))

    def provisions(self, on: str | EditionEntry = "current") -> Iterator[Match]:
        """Yield a whole edition in printed order: numbered provisions, then the glossary.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        return (Match(edition, state) for state in self._reader.states_in(edition.place))

    def export(self, on: str | EditionEntry = "current") -> ExportJson:
        """Return a whole edition in the export format of docs/json.md.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        states = self._reader.states_in(edition.place)
        columns = self._reader.long_columns(edition.place)
        return {
            "edition": edition.as_json(),
            "provisions": [_provision(state) for state in states if state.kind != "glossary"],
            "glossary": [
                {
                    "term": state.heading,
                    "text": text_of(state.body),
                    "examples": examples_of(state.body),
                }
                for state in states
                if state.kind == "glossary"
            ],
            "introduction": unpacked(columns["introduction"]),
            "index": unpacked(columns["index_lines"]),
            "credits": unpacked(columns["credits"]),
        }

    def ledger(self, on: str | EditionEntry = "current") -> LedgerJson:
        """Return the account of every line of an edition's document.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        found: LedgerJson = unpacked(self._reader.long_columns(edition.place)["ledger"])
        return found

    def words_with(self, prefix: str, on: str | EditionEntry = "current") -> list[str]:
        """Return numbers and headwords of an edition that begin with some letters, sorted."""
        edition = on if isinstance(on, EditionEntry) else self.edition(on)
        rows = self._reader.query(
            "SELECT DISTINCT l.word FROM lookup l JOIN span s ON s.provision = l.provision "
            "WHERE l.word >= ? AND l.word < ? AND s.first <= ? AND s.last >= ? ORDER BY l.word",
            (prefix, f"{prefix}\U0010ffff", edition.place, edition.place),
        )
        return [row[0] for row in rows]

    # What to say when there is no answer ---------------------------------------------------------

    def _what_is_there(self, asked: tuple[str, str, str], edition: EditionEntry) -> str:
        kind, word, more = asked
        if runs_backwards(asked):
            return f"{word}-{more}: runs backwards, {more} comes first; ask for {more}-{word}"
        what = {NUMBER: f"{word}{more}", RANGE: f"{word}-{more}", WORDS: repr(word)}[kind]
        parts = [f"{what}: not in the edition of {edition.label}"]
        missing = more if kind == RANGE and self._stands(word, edition) else word
        spans = [] if self._stands(missing, edition) else self._spans(missing)
        if spans:
            parts.append(f"it stands in {_listed(spans)}")
        near = self._like(word, edition) if kind == WORDS else self._near(missing, edition)
        if near:
            parts.append(f"near: {', '.join(near)}")
        return "; ".join(parts)

    def _stands(self, word: str, edition: EditionEntry) -> bool:
        return bool(self._at(word, edition))

    def _at(self, word: str, edition: EditionEntry) -> list[Row]:
        return self._reader.ask(lambda open_: matches(open_, word, edition.place))

    def _spans(self, word: str) -> list[str]:
        """Return when a number or headword stood in the rules, as runs of editions."""
        rows = self._reader.query(
            "SELECT s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
            "WHERE l.word = ? ORDER BY s.first, s.last",
            (word,),
        )
        runs: list[list[int]] = []
        for first, last in rows:
            if runs and first <= runs[-1][1] + 1:
                runs[-1][1] = max(runs[-1][1], last)
            else:
                runs.append([first, last])
        label = [edition.label for edition in self.editions]
        return [
            label[first] if first == last else f"{label[first]} to {label[last]}"
            for first, last in runs
        ]

    def _near(self, word: str, edition: EditionEntry) -> list[str]:
        """Return the numbers that an edition prints before and after a missing one."""
        from variorum_kb.model import RuleNumber  # noqa: PLC0415 - only who misses something waits for it

        asked = RuleNumber.read(word)
        if asked is None:
            return []
        states = self._reader.states_in(edition.place)
        # Chapters, glossary entries and "306.b" have none.
        numbers = sorted({n for n in (RuleNumber.read(state.number) for state in states) if n})
        before = [number for number in numbers if number < asked][-_NEAR_EACH_SIDE:]
        after = [number for number in numbers if number > asked][:_NEAR_EACH_SIDE]
        return [str(number) for number in (*before, *after)]

    def _like(self, word: str, edition: EditionEntry) -> list[str]:
        """Return the headwords that look most like a missing one."""
        if not word:
            return []
        import difflib  # noqa: PLC0415 - only who misses something waits for it

        terms = [
            state.heading for state in self._reader.states_in(edition.place) if not state.number
        ]
        folded = {term.casefold(): term for term in terms}
        close = difflib.get_close_matches(word, folded, n=3, cutoff=0.6)
        begin = [key for key in folded if key.startswith(word)][:3]
        return [folded[key] for key in dict.fromkeys([*close, *begin])]


def _provision(state: Row) -> ProvisionJson:
    return {
        "number": state.number,
        "address": state.address,
        "kind": state.kind,
        "heading": state.heading,
        "text": text_of(state.body),
        "examples": examples_of(state.body),
        "irregularities": unpacked(state.irregularities) if state.irregularities else [],
    }


def _listed(spans: Sequence[str]) -> str:
    more = len(spans) - _MOST_SPANS
    shown = ", ".join(spans[-_MOST_SPANS:])
    return f"{shown} and {more} runs before" if more > 0 else shown
