"""An open knowledge base: its editions, its rows, and the start of every question."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from variorum.answers.editions import (
    EditionEntry,
    completions,
    day_note,
    entry_of,
    find_edition,
    is_ambiguous,
    why_none,
    with_part,
)
from variorum.answers.lookup import at_address, find_states, matches
from variorum.answers.moves import Namesake, find_elsewhere, find_namesakes
from variorum.answers.not_found import not_found
from variorum.answers.questions import NUMBER, RANGE, WORDS, Asked, asked_for, parse_questions
from variorum.answers.stored import StoredHeadings, StoredLinks, StoredStates, latest_first
from variorum.answers.subject import Subject
from variorum.errors import (
    AmbiguousEditionError,
    NoEditionError,
    NotFoundError,
    TwoEditionsError,
    VariorumError,
)
from variorum.files import Closing
from variorum.history.canonical import Folder
from variorum.history.lineages import Lineages
from variorum.paths import FILE, base_folder
from variorum.rows import Row, name_of
from variorum.store.reader import Reader, refuse_forgery
from variorum.stored_rows import NO_WORDS
from variorum.text import fold_title

if TYPE_CHECKING:  # each kind of answer is imported on first use
    from variorum.answers.blame import Blame
    from variorum.answers.glossary import Glossary
    from variorum.answers.texts import Texts
    from variorum.answers.whole import Whole
    from variorum.answers.witnesses import Witnesses
    from variorum.records.lineage import Destination


_ODD = (AttributeError, LookupError, TypeError, ValueError)


class KnowledgeBase(Closing):
    """All editions of a knowledge base, and the steps between them.

    It keeps reading the base as it was when opened, even if a build replaces it. Use it in a `with`
    statement, or close it. A designator that names no edition raises NoEditionError, a question that
    also names another edition TwoEditionsError.
    """

    def __init__(self, reader: Reader, today: date | None = None) -> None:
        self.reader = reader
        self.today = today
        # What is read once; neither the base nor today changes while the base is open.
        self.states, self.links = StoredStates(reader), StoredLinks(reader)
        self.headings = StoredHeadings(reader)
        self._named: dict[str, EditionEntry] = {}

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open the base in a folder, by default VARIORUM_KB, else the platform's place.

        "current" is the edition in force today, or without a day the latest. Raises what `Reader` does.
        """
        return cls(Reader(base_folder(folder) / FILE), today)

    def close(self) -> None:
        """Close the file."""
        self.reader.close()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Close the file; an odd failure may be due to a file that somebody else made."""
        self.close()
        if kind and issubclass(kind, _ODD) and not issubclass(kind, VariorumError):
            refuse_forgery(self.reader.file)

    @property
    def folder(self) -> Path:
        """Return the folder of the base."""
        return Path(self.reader.file).parent

    def made_by(self) -> dict[str, str]:
        """Return the version of each part of the program that made the base, by its name."""
        return self.reader.facts()

    @property
    def digest(self) -> str:
        """Return the checksum of the base's file, which identifies its contents."""
        return f"{self.reader.checksum:08x}"

    # Editions ------------------------------------------------------------------------------------

    @cached_property
    def editions(self) -> tuple[EditionEntry, ...]:
        """Return all editions, oldest first."""
        return tuple([entry_of(row) for row in self.reader.editions()])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all editions, oldest first."""
        return tuple([edition.label for edition in self.editions])

    @cached_property
    def has_words(self) -> bool:
        """Return whether it has the words of its provisions, and not their numbers alone."""
        return any(NO_WORDS not in edition.doubts for edition in self.editions)

    def edition(self, designator: str | EditionEntry = "current") -> EditionEntry:
        """Return the edition that a designator names; an error says why it names none, or several."""
        if isinstance(designator, EditionEntry):
            return designator
        known = self._named.get(designator)
        if known is not None:
            return known
        entry = find_edition(self.editions, designator, self.today)
        if entry is None:
            reason = why_none(self.editions, designator, self.today)
            if is_ambiguous(self.editions, designator):
                raise AmbiguousEditionError(reason)
            raise NoEditionError(reason)
        self._named[designator] = entry
        return entry

    @cached_property
    def current(self) -> EditionEntry | None:
        """Return the edition in force; None if none is in force yet."""
        try:
            return self.edition("current")
        except NoEditionError:
            return None

    def editions_named(self, part: str) -> Sequence[EditionEntry]:
        """Return the editions with some words in their label, set code or set name, oldest first."""
        return with_part(self.editions, part) or [self.edition(part)]

    def day_notes(self) -> list[str]:
        """Return notes on the days named so far that are not an edition's date."""
        notes = [day_note(designator, entry) for designator, entry in self._named.items()]
        return [*filter(None, dict.fromkeys(notes))]

    def designators(self, begun: str = "") -> list[str]:
        """Return the designators that begin with some letters, sorted."""
        return completions(self.editions, begun)

    def before(self, edition: EditionEntry) -> EditionEntry | None:
        """Return the edition before another; None for the first."""
        return self.editions[edition.place - 1] if edition.place else None

    # Provisions ----------------------------------------------------------------------------------

    def show(self, questions: str, on: str | EditionEntry | None = None) -> tuple[Subject, ...]:
        """Return the provisions that questions name, in the order asked and printed.

        Args:
            questions: Numbers ("704.5k", "CR 704.5K, 704.5j") and ranges ("508.1d-f"), with or
                without their edition ("702.19 M10"), or a term.
            on: The edition, by default the one named in a question, else the current one. If it
                lacks the name, that is looked up in other editions.

        Raises:
            NotFoundError: The edition has no such provision, under whatever name. The message names
                the editions that have it, and similar names.
        """
        return tuple(
            [match for wish in parse_questions(questions) for match in self.find_anywhere(wish, on)]
        )

    def find_anywhere(
        self, wish: Asked, on: str | EditionEntry | None = None
    ) -> tuple[Subject, ...]:
        """Return the provisions that one question names, as `show` does."""
        asked, edition = wish.question, self.edition_of(wish, on)
        states = find_states(self.reader, asked, edition.place)
        if states:
            return tuple([Subject(self, edition, state) for state in states])
        moved, lost = find_elsewhere(self, asked, edition.place)
        if moved:
            return tuple([Subject(self, edition, state, move=move) for state, move in moved])
        states = self._spelt_otherwise(asked, edition)
        if not states:
            raise not_found(self, asked, edition, lost)
        return tuple([Subject(self, edition, state) for state in states])

    def find(self, question: str | Asked, edition: str | EditionEntry) -> tuple[Subject, ...]:
        """Return the provisions that a question names in an edition itself, in printed order.

        Raises:
            NotFoundError: The edition has no such provision.
        """
        wish = _only_one(question)
        asked, there = wish.question, self.edition_of(wish, edition)
        states = find_states(self.reader, asked, there.place)
        states = states or self._spelt_otherwise(asked, there)
        if not states:
            moved, lost = find_elsewhere(self, asked, there.place)
            raise not_found(self, asked, there, lost, [name_of(state) for state, _ in moved])
        return tuple([Subject(self, there, state) for state in states])

    def subject(self, question: str | Asked, on: str | EditionEntry | None = None) -> Subject:
        """Return the only provision that a question names.

        Args:
            question: A number or a headword, with or without its edition.
            on: The edition; by default the current edition, else the last that had the provision.

        Raises:
            NotFoundError: The question names no provision there, or several.
        """
        wish = _only_one(question)
        asked, edition = wish.question, self.edition_of(wish, on)
        kind, word, more = asked
        if kind == RANGE:
            raise NotFoundError(f"{word}-{more}: a range; ask for one number at a time")
        is_named = on is not None or bool(wish.edition)
        name = "" if is_named else word
        states = find_states(self.reader, asked, edition.place)
        if len(states) > 1 and kind == NUMBER:
            names = " or ".join([state.address for state in states])
            raise NotFoundError(
                f"{word}: printed twice in the edition of {edition.label}; ask for {names}"
            )
        if states:
            return Subject(self, edition, states[0], name)
        for run in [] if is_named else latest_first(self.reader, word):
            if self.states[run.state].address.endswith(more):
                return self.at(run.state, run.last, name)
        for state in self._spelt_otherwise(asked, edition):
            return Subject(self, edition, state)
        raise not_found(self, asked, edition)

    def has(self, question: str) -> bool:
        """Return whether any edition has the provision that a question names."""
        try:
            self.subject(question)
        except (NoEditionError, NotFoundError):
            return False
        return True

    def where(
        self, wish: Asked, start: str | EditionEntry | None, target: EditionEntry
    ) -> "list[Destination]":
        """Return where the provisions asked for are in another edition.

        Args:
            wish: The question.
            start: The edition of the number; by default the edition named in the question, else the
                current edition, or the last that had the number.
            target: The edition of the answer.
        """
        subjects = (self.subject(wish),) if start is None else self.find(wish, start)
        return [subject.where(target, asked_for(wish.question)) for subject in subjects]

    def namesakes(self, wish: Asked, shown: Sequence[Subject]) -> list[Namesake]:
        """Return today's provisions of a number that means something else in the edition asked about.

        Args:
            wish: The question.
            shown: The provisions that the question names in the edition, at least one.
        """
        ids = [subject.state.id for subject in shown]
        return find_namesakes(self, wish.question, ids, shown[0].edition)

    def edition_of(self, wish: Asked, on: str | EditionEntry | None) -> EditionEntry:
        """Return the edition in which to answer."""
        edition = self._edition_beside(wish, on) or self.edition("current" if on is None else on)
        if on is not None and self.edition(on) != edition:
            raise TwoEditionsError(asked_for(wish.question), edition.label, self.edition(on).label)
        return edition

    def _edition_beside(self, wish: Asked, on: str | EditionEntry | None) -> EditionEntry | None:
        """Return the edition named in a question; None if it is the heading, as in 702.9 Flying."""
        if not wish.edition:
            return None
        try:
            return self.edition(wish.edition)
        except NoEditionError:
            edition, words = self.edition("current" if on is None else on), fold_title(wish.edition)
            for state in find_states(self.reader, wish.question, edition.place):
                subject = Subject(self, edition, state)
                headings = [above.heading for above in (subject, *subject.path())]
                if words and any(words in fold_title(heading) for heading in headings):
                    return None
            raise

    def _spelt_otherwise(self, asked: tuple[str, str, str], edition: EditionEntry) -> list[Row]:
        """Return the states that another spelling of a term finds."""
        kind, words, _ = asked
        if kind != WORDS:
            return []
        from variorum.answers.glossary import spelt_otherwise  # noqa: PLC0415 - imported on first use

        return spelt_otherwise(self.reader, words, edition.place)

    def at(self, state: int, place: int, asked: str = "") -> Subject:
        """Return the provision with a state in the edition at a place."""
        return Subject(self, self.editions[place], self.states[state]._replace(id=state), asked)

    def bearing(self, address: str, edition: EditionEntry) -> Row:
        """Return the state that has an address in an edition."""
        state = at_address(self.reader, address, edition.place)
        if state is None:
            raise LookupError(address)
        return state

    def matches(self, word: str, edition: EditionEntry) -> list[Row]:
        """Return the states that a folded number or headword names in an edition."""
        return matches(self.reader, word, edition.place)

    def chapters(self, edition: EditionEntry) -> tuple[Subject, ...]:
        """Return the chapters of an edition."""
        states = [state for digit in "123456789" for state in self.matches(digit, edition)]
        return tuple([Subject(self, edition, row) for row in states if row.kind == "chapter"])

    def words_with(self, prefix: str) -> list[str]:
        """Return numbers and headwords of any edition that begin with some letters, sorted."""
        rows = self.reader.query(
            "SELECT DISTINCT word FROM lookup WHERE word >= ? AND word < ? ORDER BY word",
            (prefix, f"{prefix}\U0010ffff"),
        )
        return [word for (word,) in rows]

    def provisions(self, on: str | EditionEntry = "current") -> Iterator[Subject]:
        """Yield a whole edition in printed order: numbered provisions, then the glossary."""
        edition = self.edition(on)
        return (Subject(self, edition, state) for state in self.reader.states_in(edition.place))

    # Rows ----------------------------------------------------------------------------------------

    @cached_property
    def lineages(self) -> Lineages:
        """Return the lineages of all provisions."""
        return Lineages(self.links, len(self.editions) - 1)

    @cached_property
    def texts(self) -> "Texts":
        """Return all distinct texts, for search."""
        from variorum.answers.texts import Texts  # noqa: PLC0415 - imported on first use

        return Texts(self.reader)

    @cached_property
    def whole(self) -> "Whole":
        """Return the whole base in memory, for questions about all provisions."""
        from variorum.answers.whole import Whole  # noqa: PLC0415 - imported on first use

        return Whole(self)

    @cached_property
    def folded(self) -> Folder:
        """Return the canonical texts of the states that were compared."""
        return Folder()

    # Answers that cache their results ------------------------------------------------------------

    @cached_property
    def ages(self) -> "Blame":
        """Return the answers about the age of words."""
        from variorum.answers.blame import Blame  # noqa: PLC0415 - imported on first use

        return Blame(self)

    @cached_property
    def glossary(self) -> "Glossary":
        """Return the answers about terms and their entries."""
        from variorum.answers.glossary import Glossary  # noqa: PLC0415 - imported on first use

        return Glossary(self)

    @cached_property
    def witnesses(self) -> "Witnesses":
        """Return the answers about witnesses."""
        from variorum.answers.witnesses import Witnesses  # noqa: PLC0415 - imported on first use

        return Witnesses(self)


def _only_one(question: str | Asked) -> Asked:
    """Return the only number, range or term of a question; raise NotFoundError for several."""
    if isinstance(question, Asked):
        return question
    first, *others = parse_questions(question)
    if others:
        names = ", ".join([asked_for(wish.question) for wish in (first, *others)])
        raise NotFoundError(f"{names}: ask for one at a time")
    return first
