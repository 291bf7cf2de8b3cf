"""Finds the subjects of questions, the first step of every answer."""

from variorum.answers.lookup import find_states, matches
from variorum.answers.not_found import not_found
from variorum.answers.numbers_elsewhere import find_anywhere, find_elsewhere
from variorum.answers.question_parser import NUMBER, RANGE, WORDS, Asked, asked_for, parse_questions
from variorum.answers.stored.number_runs import latest_first
from variorum.answers.subject import Subject
from variorum.errors import NoEditionError, NotFoundError, TwoEditionsError
from variorum.rows import name_of
from variorum.text.keys import fold_title

TYPE_CHECKING = False
if TYPE_CHECKING:  # preparing the forms would slow every start
    from collections.abc import Sequence

    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.namesakes import Namesake
    from variorum.records.lineage import WhereJson
    from variorum.rows import Row


class Subjects:
    """Finds the subjects of questions in an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base

    def find(self, question: "str | Asked", edition: "str | EditionEntry") -> tuple[Subject, ...]:
        """Return the provisions that a question names in an edition, in printed order.

        Raises:
            NotFoundError: The edition has no such provision.
        """
        wish = _only_one(question)
        base, asked, there = self._base, wish.question, self.edition_of(wish, edition)
        matching = base.reader.ask(lambda open_: find_states(open_, asked, there.place))
        matching = matching or self._spelt_otherwise(asked, there)
        if not matching:
            moved, lost = base.reader.ask(lambda open_: find_elsewhere(open_, asked, there.place))
            heirs = [name_of(state) for state, _ in moved]
            raise not_found(base, asked, there, lost, heirs)
        return tuple([Subject(base, there, state) for state in matching])

    def find_anywhere(
        self, wish: Asked, on: "str | EditionEntry | None" = None
    ) -> tuple[Subject, ...]:
        """Return the provisions asked for in an edition, also by their names in other editions.

        Args:
            wish: The question.
            on: The edition; by default the edition named in the question, else the current edition.

        Raises:
            NoEditionError: The designator names no edition.
            TwoEditionsError: Two different editions are named.
            NotFoundError: The edition has no such provision, under whatever number.
        """
        base, asked, edition = self._base, wish.question, self.edition_of(wish, on)
        matching, lost = base.reader.ask(lambda open_: find_anywhere(open_, asked, edition.place))
        if matching:
            return tuple([Subject(base, edition, state, move=move) for state, move in matching])
        states = self._spelt_otherwise(asked, edition)
        if not states:
            raise not_found(base, asked, edition, lost)
        return tuple([Subject(base, edition, state) for state in states])

    def namesakes(self, wish: Asked, shown: "Sequence[Subject]") -> "list[Namesake]":
        """Return today's provisions of a number that means something else in the edition asked about.

        Args:
            wish: The question.
            shown: The provisions that the question names in the edition, at least one.
        """
        from variorum.answers.namesakes import find_namesakes  # noqa: PLC0415 - imported on first use

        base, place = self._base, shown[0].edition.place
        current = base.current
        if current is None:
            return []
        ids = [subject.state.id for subject in shown]
        return base.reader.ask(
            lambda open_: find_namesakes(open_, wish.question, ids, current.place, place)
        )

    def find_one(self, question: "str | Asked", on: "str | EditionEntry | None") -> Subject:
        """Return the only provision that a question names.

        Args:
            question: A number or a headword, with or without its edition.
            on: The edition of the number; by default the current edition, or the last that had the
                number.

        Raises:
            NoEditionError: The designator names no edition.
            TwoEditionsError: Two different editions are named.
            NotFoundError: The question names no provision, or several.
        """
        base = self._base
        wish = _only_one(question)
        asked, edition = wish.question, self.edition_of(wish, on)
        kind, word, more = asked
        is_named = on is not None or bool(wish.edition)
        if kind == RANGE:
            raise NotFoundError(f"{word}-{more}: a range; ask for one number at a time")
        name = "" if is_named else word
        matching = base.reader.ask(lambda open_: find_states(open_, asked, edition.place))
        if len(matching) > 1 and kind == NUMBER:
            names = " or ".join([state.address for state in matching])
            raise NotFoundError(
                f"{word}: printed twice in the edition of {edition.label}; ask for {names}"
            )
        if matching:
            return Subject(base, edition, matching[0], name)
        for run in [] if is_named else latest_first(base.reader, word):
            state = base.states[run.state]
            if state.address.endswith(more):
                return Subject(base, base.editions[run.last], state.with_id(run.state), name)
        for state in self._spelt_otherwise(asked, edition):
            return Subject(base, edition, state)
        raise not_found(base, asked, edition)

    def where(
        self, wish: Asked, start: "str | EditionEntry | None", target: "EditionEntry"
    ) -> "list[WhereJson]":
        """Return where the provisions asked for are, in the form of `cr where --json`.

        Args:
            wish: The question.
            start: The edition of the number; by default the edition named in the question, else the
                current edition, or the last that had the number.
            target: The edition of the answer.

        Raises:
            NoEditionError: A designator names no edition.
            TwoEditionsError: Two different editions are named.
            NotFoundError: No such provision exists.
        """
        subjects = (self.find_one(wish, None),) if start is None else self.find(wish, start)
        return [subject.where(target, asked_for(wish.question)) for subject in subjects]

    def has(self, question: str) -> bool:
        """Return whether any edition has the provision that a question names."""
        try:
            self.find_one(question, None)
        except (NoEditionError, NotFoundError):
            return False
        return True

    def edition_of(self, wish: Asked, on: "str | EditionEntry | None") -> "EditionEntry":
        """Return the edition in which to answer.

        Raises:
            NoEditionError: The designator names no edition.
            TwoEditionsError: The question also names another edition.
        """
        base = self._base
        beside = self._edition_beside(wish, on)
        edition = beside or base.edition("current" if on is None else on)
        if on is not None and base.edition(on) != edition:
            raise TwoEditionsError(asked_for(wish.question), edition.label, base.edition(on).label)
        return edition

    def _edition_beside(
        self, wish: Asked, on: "str | EditionEntry | None"
    ) -> "EditionEntry | None":
        """Return the edition named in a question; None if it is the heading, as in 702.9 Flying."""
        base = self._base
        if not wish.edition:
            return None
        try:
            return base.edition(wish.edition)
        except NoEditionError:
            edition, words = base.edition("current" if on is None else on), fold_title(wish.edition)
            states = base.reader.ask(lambda open_: find_states(open_, wish.question, edition.place))
            for subject in [Subject(base, edition, state) for state in states]:
                headings = [above.heading for above in (subject, *subject.path())]
                if words and any(words in fold_title(heading) for heading in headings):
                    return None
            raise

    def _spelt_otherwise(self, asked: tuple[str, str, str], edition: "EditionEntry") -> list["Row"]:
        """Return the states that another spelling of a term finds."""
        kind, words, _ = asked
        if kind != WORDS:
            return []
        from variorum.answers.glossary.accepted_spellings import spelt_otherwise  # noqa: PLC0415 - imported on first use

        return spelt_otherwise(self._base.reader, words, edition.place)

    def at(self, state: int, place: int) -> Subject:
        """Return the provision with a state in the edition at a place."""
        base = self._base
        return Subject(base, base.editions[place], base.states[state].with_id(state))

    def chapters(self, edition: "EditionEntry") -> tuple[Subject, ...]:
        """Return the chapters of an edition."""
        states = [state for digit in "123456789" for state in self.matches(digit, edition)]
        return tuple(
            [Subject(self._base, edition, state) for state in states if state.kind == "chapter"]
        )

    def matches(self, word: str, edition: "EditionEntry") -> list["Row"]:
        """Return the states that a folded number or headword names in an edition."""
        return self._base.reader.ask(lambda open_: matches(open_, word, edition.place))

    def bearing(self, address: str, edition: "EditionEntry") -> "Row":
        """Return the state that has an address in an edition."""
        states = self.matches(address.partition("#")[0], edition)
        return next(state for state in states if state.address == address)

    def words_with(self, prefix: str, edition: "EditionEntry") -> list[str]:
        """Return numbers and headwords of an edition that begin with some letters, sorted."""
        rows = self._base.reader.query(
            "SELECT DISTINCT l.word FROM lookup l JOIN span s ON s.provision = l.provision "
            "WHERE l.word >= ? AND l.word < ? AND s.first <= ? AND s.last >= ? ORDER BY l.word",
            (prefix, f"{prefix}\U0010ffff", edition.place, edition.place),
        )
        return [row[0] for row in rows]


def _only_one(question: str | Asked) -> Asked:
    """Return the only number, range or term of a question.

    Raises:
        NotFoundError: The question has several.
    """
    if isinstance(question, Asked):
        return question
    first, *others = parse_questions(question)
    if others:
        names = ", ".join([asked_for(wish.question) for wish in (first, *others)])
        raise NotFoundError(f"{names}: ask for one at a time")
    return first
