"""An open knowledge base: its editions, its rows, and the start of every question."""

import os
from functools import cached_property

from variorum.answers.edition_designators import completions, day_note, find_edition, with_part
from variorum.answers.edition_entry import EditionEntry, entry_of
from variorum.answers.question_parser import parse_questions
from variorum.answers.subject import Subject
from variorum.answers.subject_finder import Subjects
from variorum.errors import AmbiguousEditionError, NoEditionError
from variorum.store.reader import Reader
from variorum.system.closing import Closing
from variorum.system.default_folders import FILE, base_folder

TYPE_CHECKING = False
if TYPE_CHECKING:  # each kind of answer is imported on first use
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path
    from typing import Self

    from variorum.answers.glossary.entries import Glossary
    from variorum.answers.stored.headings import StoredHeadings
    from variorum.answers.stored.links import StoredLinks
    from variorum.answers.stored.states import StoredStates
    from variorum.answers.stored.texts import Texts
    from variorum.answers.stored.whole import Whole
    from variorum.answers.through_time.blame import Blame
    from variorum.answers.through_time.history import History
    from variorum.answers.witnesses import Witnesses
    from variorum.history.lineages import Lineages


class KnowledgeBase(Closing):
    """All editions of a knowledge base, and the steps between them.

    It keeps reading the base as it was when opened, even if a build replaces it. Use it in a `with`
    statement, or close it.
    """

    def __init__(self, reader: Reader, today: "date | None" = None) -> None:
        self.reader = reader
        self.today = today
        # Neither the base nor today changes while the base is open.
        self._named: dict[str, EditionEntry] = {}
        self.subjects = Subjects(self)

    @classmethod
    def open(cls, folder: "str | Path | None" = None, *, today: "date | None" = None) -> "Self":
        """Open the base in a folder, by default the user's own.

        Args:
            folder: The folder of the base; by default VARIORUM_KB, else the platform's place.
            today: The day that "current" means; without it, "current" is the latest edition.

        Raises:
            NoBaseError: The folder has no base.
            BaseVersionError: Another version of the program wrote the base.
            BaseError: The base is damaged.
        """
        file = os.path.join(base_folder(folder), FILE)  # noqa: PTH118 - pathlib is slow to import
        return cls(Reader(file), today)

    def close(self) -> None:
        """Close the file."""
        self.reader.close()

    @property
    def folder(self) -> "Path":
        """Return the folder of the base."""
        import pathlib  # noqa: PLC0415 - most answers do not need it

        return pathlib.Path(self.reader.file).parent

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

    def edition(self, designator: str | EditionEntry = "current") -> EditionEntry:
        """Return the edition that a designator names.

        Raises:
            AmbiguousEditionError: It names several.
            NoEditionError: It names none.
        """
        if isinstance(designator, EditionEntry):
            return designator
        known = self._named.get(designator)
        if known is not None:
            return known
        today = "" if self.today is None else self.today.isoformat()
        entry = find_edition(reversed(self.editions), designator, today)
        if entry is None:
            from variorum.answers.unknown_edition import is_ambiguous, why_none  # noqa: PLC0415 - imported on first use

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

    def editions_named(self, part: str) -> "Sequence[EditionEntry]":
        """Return the editions with some words in their label, set code or set name, oldest first.

        Raises:
            NoEditionError: No edition has them or was in force on that day.
        """
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
                without their edition ("702.19 M10"), or a term. If the edition lacks the name, it
                is looked up in other editions.
            on: An edition or its designator; by default the current one.

        Raises:
            NoEditionError: The designator names no edition.
            TwoEditionsError: A question names another edition.
            NotFoundError: The edition has no such provision. The message names the editions that
                have it, and similar names.
        """
        asked = parse_questions(questions)
        return tuple([match for wish in asked for match in self.subjects.find_anywhere(wish, on)])

    def subject(self, question: str, on: str | EditionEntry | None = None) -> Subject:
        """Return the only provision that a question names.

        Args:
            question: A number or a headword, with or without its edition.
            on: The edition; by default the current edition, else the last that had the provision.

        Raises:
            NoEditionError: The designator names no edition.
            TwoEditionsError: The question names another edition.
            NotFoundError: The edition, or every edition, lacks such a provision.
        """
        return self.subjects.find_one(question, on)

    def provisions(self, on: str | EditionEntry = "current") -> "Iterator[Subject]":
        """Yield a whole edition in printed order: numbered provisions, then the glossary.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self.edition(on)
        return (Subject(self, edition, state) for state in self.reader.states_in(edition.place))

    # Rows ----------------------------------------------------------------------------------------

    @cached_property
    def states(self) -> "StoredStates":
        """Return all states of provisions, by their ids."""
        from variorum.answers.stored.states import StoredStates  # noqa: PLC0415 - imported on first use

        return StoredStates(self.reader)

    @cached_property
    def links(self) -> "StoredLinks":
        """Return the links between editions."""
        from variorum.answers.stored.links import StoredLinks  # noqa: PLC0415 - imported on first use

        return StoredLinks(self.reader.query)

    @cached_property
    def lineages(self) -> "Lineages":
        """Return the lineages of all provisions."""
        from variorum.history.lineages import Lineages  # noqa: PLC0415 - imported on first use

        return Lineages(self.links, len(self.editions) - 1)

    @cached_property
    def texts(self) -> "Texts":
        """Return all distinct texts, for search."""
        from variorum.answers.stored.texts import Texts  # noqa: PLC0415 - imported on first use

        return Texts(self.reader)

    @cached_property
    def whole(self) -> "Whole":
        """Return the whole base in memory, for questions about all provisions."""
        from variorum.answers.stored.whole import Whole  # noqa: PLC0415 - imported on first use

        return Whole(self)

    # Answers that cache their results ------------------------------------------------------------

    @cached_property
    def histories(self) -> "History":
        """Return the answers about histories."""
        from variorum.answers.through_time.history import History  # noqa: PLC0415 - imported on first use

        return History(self)

    @cached_property
    def ages(self) -> "Blame":
        """Return the answers about the age of words."""
        from variorum.answers.through_time.blame import Blame  # noqa: PLC0415 - imported on first use

        return Blame(self)

    @cached_property
    def glossary(self) -> "Glossary":
        """Return the answers about terms and their entries."""
        from variorum.answers.glossary.entries import Glossary  # noqa: PLC0415 - imported on first use

        return Glossary(self)

    @cached_property
    def headings(self) -> "StoredHeadings":
        """Return the headings above provisions, and their short names."""
        from variorum.answers.stored.headings import StoredHeadings  # noqa: PLC0415 - imported on first use

        return StoredHeadings(self)

    @cached_property
    def witnesses(self) -> "Witnesses":
        """Return the answers about witnesses."""
        from variorum.answers.witnesses import Witnesses  # noqa: PLC0415 - imported on first use

        return Witnesses(self)
