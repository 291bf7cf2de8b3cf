"""What stands in an edition: the questions about a knowledge base that time plays no part in."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from variorum_kb.answers.editions import EditionEntry, entry_of
from variorum_kb.answers.lookup import unpacked
from variorum_kb.answers.refs import DANGLING, cites, printed, refs_json
from variorum_kb.answers.subject import Subject, Subjects
from variorum_kb.errors import NoEditionError
from variorum_kb.references.designators import completions, find_edition, why_none
from variorum_kb.rows import examples_of, text_of
from variorum_kb.store.reader import Reader
from variorum_kb.system.place import FILE, base_folder

if TYPE_CHECKING:  # preparing the forms would slow every start
    from variorum_kb.forms.edition import ExportJson, LedgerJson, ProvisionJson
    from variorum_kb.forms.provision import CitesJson, MisfitJson, RefsJson
    from variorum_kb.rows import Row


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
        self.subjects = Subjects(reader, lambda: self.editions)

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

    def _entry(self, designator: str | EditionEntry) -> EditionEntry:
        return designator if isinstance(designator, EditionEntry) else self.edition(designator)

    def show(self, question: str, on: str | EditionEntry = "current") -> tuple[Subject, ...]:
        """Return the provisions that a question names, in printed order.

        Args:
            question: A number ("704.5k", "CR 704.5K."), a range ("508.1d-f"), or a term.
            on: An edition or its designator.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: That edition has no such provision; the message says which editions have
                it, and what is near.
        """
        return self.subjects.find(question, self._entry(on))

    def children(self, match: Subject) -> tuple[Subject, ...]:
        """Return what stands right below a provision, in the order of numbers."""
        return self.subjects.children(match)

    def tree(self, match: Subject, depth: int = 9) -> Iterator[tuple[int, Subject]]:
        """Yield all that stands below a provision, each with its depth, from 1."""
        has_more = depth and match.kind in {"chapter", "section", "rule"}
        for child in self.children(match) if has_more else ():
            yield 1, child
            yield from ((step + 1, below) for step, below in self.tree(child, depth - 1))

    def path(self, match: Subject) -> tuple[Subject, ...]:
        """Return what a provision stands under, the chapter first."""
        above: list[Subject] = []
        parent = match.parent
        while parent:
            states = self.subjects.matches(parent.partition("#")[0], match.edition)
            found = [state for state in states if state.address == parent]
            above.append(Subject(match.edition, found[0]))
            parent = found[0].parent
        return tuple(reversed(above))

    def chapters(self, on: str | EditionEntry = "current") -> tuple[Subject, ...]:
        """Return the chapters of an edition.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._entry(on)
        found = [state for digit in "123456789" for state in self.subjects.matches(digit, edition)]
        return tuple([Subject(edition, state) for state in found if state.kind == "chapter"])

    def sections(self, on: str | EditionEntry = "current") -> tuple[Subject, ...]:
        """Return the sections of an edition in printed order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        return tuple([match for match in self.provisions(on) if match.kind == "section"])

    def refs(self, matches: Sequence[Subject]) -> "RefsJson":
        """Return what a provision cites and what cites it, in the form of `cr refs --json`.

        Args:
            matches: The provision as `show` returns it; both bearers of a doubled number.
        """
        edition = matches[0].edition
        states = [one.state for one in matches]
        return self._reader.ask(
            lambda open_: refs_json(open_, states, edition.place, edition.label)
        )

    def misfits(self, on: str | EditionEntry = "current") -> Iterator["MisfitJson"]:
        """Yield the citations of an edition that dangle, or whose title is not what they cite.

        Each is as in `refs`, with the "address" of the provision that prints it.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._entry(on)
        for match in self.provisions(edition):
            for one in self.cites(match):
                if one["status"] == DANGLING or one["title_fits"] is False:
                    yield {"address": match.address, **one}

    def cites(self, match: Subject) -> list["CitesJson"]:
        """Return what a provision cites, in the form of `cr refs --json`."""
        return self._reader.ask(lambda open_: cites(open_, match.state, match.edition.place))

    def citations(self, match: Subject) -> list[str]:
        """Return the citations in a provision's text as they are printed."""
        return self._reader.ask(lambda open_: printed(open_, match.state))

    def provisions(self, on: str | EditionEntry = "current") -> Iterator[Subject]:
        """Yield a whole edition in printed order: numbered provisions, then the glossary.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._entry(on)
        return (Subject(edition, state) for state in self._reader.states_in(edition.place))

    def export(self, on: str | EditionEntry = "current") -> "ExportJson":
        """Return a whole edition in the export format of docs/json.md.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._entry(on)
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

    def ledger(self, on: str | EditionEntry = "current") -> "LedgerJson":
        """Return the account of every line of an edition's document.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._entry(on)
        found: LedgerJson = unpacked(self._reader.long_columns(edition.place)["ledger"])
        return found

    def words_with(self, prefix: str, on: str | EditionEntry = "current") -> list[str]:
        """Return numbers and headwords of an edition that begin with some letters, sorted."""
        edition = self._entry(on)
        rows = self._reader.query(
            "SELECT DISTINCT l.word FROM lookup l JOIN span s ON s.provision = l.provision "
            "WHERE l.word >= ? AND l.word < ? AND s.first <= ? AND s.last >= ? ORDER BY l.word",
            (prefix, f"{prefix}\U0010ffff", edition.place, edition.place),
        )
        return [row[0] for row in rows]


def _provision(state: "Row") -> "ProvisionJson":
    return {
        "number": state.number,
        "address": state.address,
        "kind": state.kind,
        "heading": state.heading,
        "text": text_of(state.body),
        "examples": examples_of(state.body),
        "irregularities": unpacked(state.irregularities) if state.irregularities else [],
    }
