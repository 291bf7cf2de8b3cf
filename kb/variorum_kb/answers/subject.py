"""From what was asked to a subject, a provision in an edition: with this every question begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from variorum_kb.answers.lookup import children, find_states, matches, shown_json, unpacked
from variorum_kb.answers.not_found import not_found
from variorum_kb.answers.number_runs import latest_first
from variorum_kb.answers.questions import NUMBER, RANGE, parse_question
from variorum_kb.errors import NotFoundError
from variorum_kb.rows import examples_of, split_body, text_of

if TYPE_CHECKING:  # preparing the forms would slow every start
    from variorum_kb.answers.editions import EditionEntry
    from variorum_kb.forms.edition import IrregularityJson
    from variorum_kb.rows import Row
    from variorum_kb.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Subject:
    """A provision as one edition has it, with the subrules that stand under its address.

    Attributes:
        edition: Which edition.
        state: The provision's row.
        asked: The number or headword that found it, where no edition was named.
    """

    edition: "EditionEntry"
    state: "Row"
    asked: str = field(default="", compare=False)

    @property
    def kind(self) -> str:
        """Return "chapter", "section", "rule", "subrule" or "glossary"."""
        return self.state.kind

    @property
    def number(self) -> str:
        """Return the number as printed; "" of a glossary entry."""
        return self.state.number

    @property
    def address(self) -> str:
        """Return the number, with #1, #2 where it is printed twice; of an entry the headword."""
        return self.state.address

    @property
    def heading(self) -> str:
        """Return its own heading or headword; "" without one."""
        return self.state.heading

    @property
    def text(self) -> str:
        """Return the paragraphs that are no examples, joined by line feeds."""
        return text_of(self.state.body)

    @property
    def examples(self) -> list[str]:
        """Return the examples, without the word "Example:"."""
        return examples_of(self.state.body)

    @property
    def paragraphs(self) -> list[tuple[str, str]]:
        """Return all paragraphs in printed order: ("Example:" or "", words)."""
        return split_body(self.state.body)

    @property
    def parent(self) -> str:
        """Return the address it stands under; "" of chapters and glossary entries."""
        return self.state.parent

    @property
    def meant(self) -> str:
        """Return the number it has by its place, "" where that is the printed one."""
        return self.state.meant

    @property
    def irregularities(self) -> list["IrregularityJson"]:
        """Return what is odd about it, as in docs/json.md."""
        found: list[IrregularityJson] = (
            unpacked(self.state.irregularities) if self.state.irregularities else []
        )
        return found

    def as_json(self, children: list[str]) -> dict[str, object]:
        """Return the form of `cr show --json`.

        Args:
            children: The addresses of what stands right below it.
        """
        return shown_json(self.state, self.edition.label, children)


class Subjects:
    """Finds what questions are about, in an open base."""

    def __init__(self, reader: "Reader", editions: Callable[[], Sequence["EditionEntry"]]) -> None:
        """Prepare a base.

        Args:
            reader: Of the base.
            editions: Gives all its editions, in order.
        """
        self._reader = reader
        self._editions = editions

    def find(self, question: str, edition: "EditionEntry") -> tuple[Subject, ...]:
        """Return the provisions that a question names in an edition, in printed order.

        Raises:
            NotFoundError: The edition has no such provision.
        """
        asked = parse_question(question)
        found = self._reader.ask(lambda open_: find_states(open_, asked, edition.place))
        if not found:
            raise not_found(self._reader, self._editions(), asked, edition)
        return tuple([Subject(edition, state) for state in found])

    def find_one(self, question: str, edition: "EditionEntry", *, is_named: bool) -> Subject:
        """Return the only provision that a question names.

        Args:
            question: A number or a headword.
            edition: Whose number it is.
            is_named: Whether that edition was named; else what it lacks is found in the last that
                had it.

        Raises:
            NotFoundError: The question names no provision, or several.
        """
        kind, word, more = asked = parse_question(question)
        if kind == RANGE:
            raise NotFoundError(f"{word}-{more}: a range; ask for one number at a time")
        name = "" if is_named else word
        found = self._reader.ask(lambda open_: find_states(open_, asked, edition.place))
        if len(found) > 1 and kind == NUMBER:
            names = " or ".join([state.address for state in found])
            raise NotFoundError(
                f"{word}: printed twice in the edition of {edition.label}; ask for {names}"
            )
        if found:
            return Subject(edition, found[0], name)
        for run in [] if is_named else latest_first(self._reader, word):
            state = self._reader.states_by_id([run.state])[run.state]
            if state.address.endswith(more):
                return Subject(self._editions()[run.last], state.with_id(run.state), name)
        raise not_found(self._reader, self._editions(), asked, edition)

    def matches(self, word: str, edition: "EditionEntry") -> list["Row"]:
        """Return the states that a folded number or headword names in an edition."""
        return self._reader.ask(lambda open_: matches(open_, word, edition.place))

    def children(self, subject: Subject) -> tuple[Subject, ...]:
        """Return what stands right below a provision, in the order of numbers."""
        edition = subject.edition
        if not subject.number:
            return ()
        states = self._reader.ask(lambda open_: children(open_, subject.address, edition.place))
        return tuple([Subject(edition, state) for state in states])
