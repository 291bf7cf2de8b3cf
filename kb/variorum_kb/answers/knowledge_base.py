"""A knowledge base, open for questions: the library that commands and website stand on."""

from functools import cached_property
from typing import TYPE_CHECKING

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.provisions import Provisions
from variorum_kb.errors import NoEditionError

if TYPE_CHECKING:  # answers about time are imported when they are asked for
    from variorum_kb.answers.blame import Blame
    from variorum_kb.answers.changes import Changes
    from variorum_kb.answers.crosswalk import Crosswalk
    from variorum_kb.answers.glossary.entries import Gloss, Glossary
    from variorum_kb.answers.glossary.terms import Terms
    from variorum_kb.answers.heirs import Heirs
    from variorum_kb.answers.history import History
    from variorum_kb.answers.identify import Identifier
    from variorum_kb.answers.subject import Subject
    from variorum_kb.answers.texts import Texts
    from variorum_kb.answers.whole import Whole
    from variorum_kb.forms.lineage import BlameJson, CrosswalkRowJson, HistoryJson, WhyJson
    from variorum_kb.forms.lint import LintJson
    from variorum_kb.forms.provision import EntryRuleJson, TermJson
    from variorum_kb.forms.witness import AttestationJson, WitnessJson


# What the editions say to passages that are about a provision and do not quote it.
_COMMENTARY = frozenset(["commentary", "ruling"])


class KnowledgeBase(Provisions):
    """All editions of one knowledge base, and how each became the next.

    It sees the base as it was when it was opened; a build in the meantime does not disturb it.
    Use it in a `with` statement, or close it.
    """

    @cached_property
    def texts(self) -> "Texts":
        """Return all texts, each once: what search goes through."""
        from variorum_kb.answers.texts import Texts  # noqa: PLC0415 - imported on first use

        return Texts(self._reader)

    @cached_property
    def whole(self) -> "Whole":
        """Return all of the base in memory: for who asks about everything at once."""
        from variorum_kb.answers.whole import Whole  # noqa: PLC0415 - imported on first use

        return Whole(self._reader, len(self.editions) - 1)

    @cached_property
    def _history(self) -> "History":
        from variorum_kb.answers.history import History  # noqa: PLC0415 - imported on first use

        return History(self._reader, [edition.label for edition in self.editions])

    @cached_property
    def _blame(self) -> "Blame":
        from variorum_kb.answers.blame import Blame  # noqa: PLC0415 - imported on first use

        return Blame(self._history.lineages, [edition.label for edition in self.editions])

    @cached_property
    def _glossary(self) -> "Glossary":
        from variorum_kb.answers.glossary.entries import Glossary  # noqa: PLC0415 - imported on first use

        return Glossary(self._reader)

    def terms(self, match: "Subject") -> "list[TermJson]":
        """Return the terms of the glossary in a provision's words, in the order they stand.

        Their places are code points of the text and its examples, joined by line feeds.
        """
        return self._glossary.terms(match)

    def terms_of(self, on: str | EditionEntry = "current") -> "Terms":
        """Return the terms of an edition, which finds them in any text."""
        return self._glossary.terms_of(self._entry(on).place)

    def gloss(self, term: str, on: str | EditionEntry = "current") -> "Gloss":
        """Return a term in short: the rule that its entry sends to, and its first sentence.

        Args:
            term: A headword as the edition prints it, such as `terms` gives.
            on: The edition.
        """
        return self._glossary.gloss(term, self._entry(on).place)

    def entry_rules(self, match: "Subject") -> "list[EntryRuleJson]":
        """Return the rules that a glossary entry names, dangling ones too, in printed order."""
        return self._glossary.rules(match)

    def last_with(self, term: str) -> EditionEntry | None:
        """Return the last edition that has a headword; None if none ever had it."""
        place = self._glossary.last(term)
        return None if place is None else self.editions[place]

    def subject(self, question: "str | Subject", on: str | EditionEntry | None = None) -> "Subject":
        """Return the only provision that a question names.

        Args:
            question: A number, a headword, or what it found.
            on: An edition that has it; by default the current one, else the last that had it.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: No edition, or not that one, has such a provision.
        """
        if not isinstance(question, str):
            return question
        edition = self._entry("current" if on is None else on)
        return self.subjects.find_one(question, edition, is_named=on is not None)

    def history(
        self, question: "str | Subject", on: str | EditionEntry | None = None
    ) -> "HistoryJson":
        """Return the whole life of a provision, in the form of `cr history --json`.

        Args:
            question: A number, a headword, or what it found.
            on: An edition that has it; by default the current one, else the last that had it.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: No edition, or not that one, has such a provision.
        """
        return self._history.history(self.subject(question, on))

    def witnesses(self) -> "list[WitnessJson]":
        """Return all documents that attest some of the rules and are no editions."""
        return self._history.witnesses.all()

    def passages_of(self, sha256: str) -> "list[AttestationJson]":
        """Return what a witness attests, in its order; nothing of one that is not there."""
        return self._history.witnesses.passages_of(sha256)

    def attestations(
        self, question: "str | Subject", on: str | EditionEntry | None = None
    ) -> "list[AttestationJson]":
        """Return who else attests a provision or speaks of it, by edition.

        Args:
            question: A number, a headword, or what it found.
            on: An edition that has it; by default the current one, else the last that had it.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: No edition, or not that one, has such a provision.
        """
        return self._history.attestations(self.subject(question, on))

    def commentary(self, match: "Subject") -> "list[AttestationJson]":
        """Return rulings on a provision, and what articles say of it, in short quotations."""
        found = self._history.attestations(match)
        return [one for one in found if one["verdict"] in _COMMENTARY]

    def announcements(self, on: str | EditionEntry = "current") -> "list[AttestationJson]":
        """Return what bulletins announced of an edition, in their order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        return self._history.witnesses.announcements(self._entry(on).place)

    def why(
        self, question: "str | Subject", on: str | EditionEntry | None = None
    ) -> "list[WhyJson]":
        """Return why we believe where a provision came from, and where it went.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: No edition, or not that one, has such a provision.
        """
        return self._history.why(self.subject(question, on))

    def blame(self, question: "str | Subject", on: str | EditionEntry | None = None) -> "BlameJson":
        """Return since when each word of a provision stands in its place.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: No edition, or not that one, has such a provision.
        """
        return self._blame.blame(self.subject(question, on))

    def where(
        self, question: str, start: str | EditionEntry, stop: str | EditionEntry = "current"
    ) -> "list[CrosswalkRowJson]":
        """Return what became of a provision of one edition in another, earlier or later.

        Raises:
            NoEditionError: A designator names no edition.
            NotFoundError: The first edition has no such provision.
        """
        from variorum_kb.answers.crosswalk import Walker, crosswalk_json  # noqa: PLC0415 - as above

        one, other = self._entry(start), self._entry(stop)
        found = {match.state.id: match.state for match in self.show(question, one)}
        lineages = self._history.lineages
        walk = Walker(lineages).walk_few(found, one.place, other.place)
        ends = lineages.states(
            state for destination in walk.destinations.values() for state in destination.states
        )
        rows = {number: state.with_id(number) for number, state in ends.items()} | found
        return crosswalk_json(walk, rows, is_backwards=one.place > other.place)

    def now(self, state: int, edition: int) -> str | None:
        """Return what a state of an edition is called in the one in force; None if it is gone.

        That is a number, or "glossary: " and a headword. Of an edition that is not in force yet,
        it is what the state will be called.

        Args:
            state: Its id.
            edition: The place of an edition that holds it.
        """
        from variorum_kb.answers.crosswalk import Walker  # noqa: PLC0415 - imported on first use
        from variorum_kb.answers.lineage import name_of  # noqa: PLC0415 - likewise

        lineages = self._history.lineages
        try:
            stop = max(self.edition("current").place, edition)
        except NoEditionError:  # none is in force yet
            stop = edition
        heir = lineages.at(state, edition, stop)
        if heir is None:
            # What was copied before it went lives on in the copies.
            destination = Walker(lineages).walk_few([state], edition, stop).destinations[state]
            heir = next(iter(destination.states), None)
        return None if heir is None else name_of(lineages.state(heir))

    def crosswalk(
        self,
        start: str | EditionEntry,
        stop: str | EditionEntry = "current",
        *,
        glossary: bool = False,
    ) -> "list[CrosswalkRowJson]":
        """Return what became of all numbers of one edition in another, earlier or later.

        Args:
            start: The one edition.
            stop: The other.
            glossary: The entries of the glossary, too.

        Returns:
            A row for each number of the first edition in printed order, then one for each number
            of the other that none of them became.

        Raises:
            NoEditionError: A designator names no edition.
        """
        rows = self._walk(self._entry(start), self._entry(stop))
        if glossary:
            return rows
        # An entry that became a rule, or the other way round, has a number on one side.
        return [
            row
            for row in rows
            if not all(name.startswith("glossary: ") for name in (row["old"], *row["new"]) if name)
        ]

    def heirs(self, stop: str | EditionEntry = "current") -> "Heirs":
        """Return the finder of heirs of numbers in an edition.

        Raises:
            NoEditionError: The designator names no edition.
        """
        from variorum_kb.answers.heirs import Heirs  # noqa: PLC0415 - imported on first use

        labels = [edition.label for edition in self.editions]
        return Heirs(self._reader, self._history.lineages, labels, self._entry(stop).place)

    def identifier(self) -> "Identifier":
        """Return who finds quoted provisions in all editions."""
        from variorum_kb.answers.identify import Identifier  # noqa: PLC0415 - imported on first use

        return Identifier(self._reader)

    def changes(self, start: str | EditionEntry, stop: str | EditionEntry = "current") -> "Changes":
        """Return what changed from one edition to another, the older one first.

        Raises:
            NoEditionError: A designator names no edition.
        """
        from variorum_kb.answers.changes import find_changes  # noqa: PLC0415 - imported on first use

        one, other = self._entry(start), self._entry(stop)
        if one.place > other.place:
            one, other = other, one
        old, new = (self._reader.states_in(entry.place) for entry in (one, other))
        walk = self._crosswalk(one, other)
        return find_changes(old, new, walk, (one.label, other.label))

    def lint(self, *on: str | EditionEntry) -> "list[LintJson]":
        """Return what is wrong in editions, by default in the current one, oldest first.

        Raises:
            NoEditionError: A designator names no edition.
        """
        from variorum_kb.answers.lint.linter import Linter  # noqa: PLC0415 - imported on first use

        places = {self._entry(one).place for one in on or ("current",)}
        labels = [edition.label for edition in self.editions]
        linter = Linter(self._reader, self.whole, self._history.lineages, labels)
        return list(linter.lint(places))

    def before(self, edition: EditionEntry) -> EditionEntry | None:
        """Return the edition before one; None of the first."""
        return self.editions[edition.place - 1] if edition.place else None

    def _crosswalk(self, one: EditionEntry, other: EditionEntry) -> "Crosswalk":
        from variorum_kb.answers.crosswalk import Walker  # noqa: PLC0415 - imported on first use

        held, there = (self._reader.states_of(entry.place) for entry in (one, other))
        return Walker(self._history.lineages).walk(held, one.place, other.place, there)

    def _walk(self, one: EditionEntry, other: EditionEntry) -> "list[CrosswalkRowJson]":
        from variorum_kb.answers.crosswalk import crosswalk_json  # noqa: PLC0415 - imported on first use

        walk = self._crosswalk(one, other)
        rows = {
            row.id: row for entry in (one, other) for row in self._reader.states_in(entry.place)
        }
        return crosswalk_json(walk, rows, is_backwards=one.place > other.place)
