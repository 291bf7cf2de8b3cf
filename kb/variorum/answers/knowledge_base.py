"""An open knowledge base: its editions, their provisions, and those that questions name."""

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from variorum.answers import finding
from variorum.answers.editions import WORDS as DESIGNATORS
from variorum.answers.editions import EditionEntry, day_note, entry_of, find_edition
from variorum.answers.questions import NUMBER, RANGE, WORDS, Asked, asked_for, parse_questions
from variorum.answers.stored import Run, States, StoredLinks, in_order
from variorum.errors import (
    AmbiguousError,
    NoEditionError,
    NotFoundError,
    VariorumError,
    WrongUsageError,
)
from variorum.files import FILE, Closing, base_folder
from variorum.history.lineages import Destination, Lineages, Stretch, walk
from variorum.records.edition import Irregularity
from variorum.records.lineage import OtherRule
from variorum.records.provision import Moved, Provision
from variorum.rows import NO_WORDS, State, examples_of, name_of, split_body, text_of
from variorum.store.reader import Reader, refuse_forgery
from variorum.text import bearing, fold_title

if TYPE_CHECKING:  # each kind of answer is imported on first use
    from variorum.answers.glossary import Glossary
    from variorum.answers.whole import Texts, Whole
    from variorum.answers.witnesses import Witnesses
    from variorum.history.canonical import Folder

_ODD = (AttributeError, LookupError, TypeError, ValueError)
_GIST_WORDS = 7
_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)
_BELOW = (
    "SELECT p.id FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.parent = ? AND s.first <= ? AND s.last >= ?"
)


class Subject(NamedTuple):
    """A provision as one edition has it, with its past, its future and its subrules.

    `asked` is the number or headword asked for, if no edition was named; `move` is how it came to have
    another name than the one asked for.
    """

    base: "KnowledgeBase"
    edition: EditionEntry
    state: State
    asked: str = ""
    move: Moved | None = None

    @property
    def kind(self) -> str:
        return self.state.kind

    @property
    def number(self) -> str:
        return self.state.number

    @property
    def address(self) -> str:
        """Return the number, with #1, #2 if it is printed twice; for an entry, the headword."""
        return self.state.address

    @property
    def heading(self) -> str:
        return self.state.heading

    @property
    def name(self) -> str:
        return name_of(self.state)

    @property
    def text(self) -> str:
        return text_of(self.state.body)

    @property
    def paragraphs(self) -> list[tuple[str, str]]:
        """Return all paragraphs in printed order: ("Example:" or "", words)."""
        return split_body(self.state.body)

    @property
    def gist(self) -> str:
        return self.base.gist(self.state, self.edition.place)

    def record(self, asked: str = "") -> Provision:
        """Return it as answers give it; for a number asked for, with the number's earlier rules."""
        return Provision(
            edition=self.edition.label,
            doubts=list(self.edition.doubts),
            number=self.number,
            address=self.address,
            kind=self.kind,
            heading=self.heading,
            text=self.text,
            examples=examples_of(self.state.body),
            parent=self.state.parent or None,
            children=[child.address for child in self.children()],
            irregularities=irregularities_of(self.state),
            asked=asked or self.address,
            moved=self.move,
            term=self.heading if self.kind == "glossary" else None,
            earlier=self.earlier() if asked else None,
        )

    def children(self) -> "list[Subject]":
        """Return the provisions directly below it, in the order of numbers."""
        states = self.base.below(self.address, self.edition.place) if self.number else ()
        return [Subject(self.base, self.edition, state) for state in states]

    def tree(self) -> "Iterator[Subject]":
        """Yield all provisions below it."""
        for child in () if self.kind == "subrule" else self.children():
            yield child
            yield from child.tree()

    def path(self) -> "list[Subject]":
        """Return the provisions above it, the chapter first."""
        above = self.base.above(self.state, self.edition.place)
        return [Subject(self.base, self.edition, state) for state in reversed(above)]

    @property
    def lineage(self) -> list[Stretch]:
        return self.base.lineages.life(self.state.id, self.edition.place)

    def destination(self, target: EditionEntry) -> Destination:
        """Return where it is in another edition, earlier or later."""
        state, place = self.state.id, self.edition.place
        return walk(self.base.lineages, [state], place, target.place)[state]

    def heir(self, target: EditionEntry) -> "Subject | None":
        """Return the provision itself in another edition, else its first heir; None if it is gone."""
        heir = self.destination(target).heir
        return None if heir is None else self.base.at(heir, target.place)

    @property
    def today(self) -> "Subject | None":
        """Return its heir in the edition in force, or itself if its own edition is no older."""
        current = self.base.current
        return self.heir(current) if current and current.place > self.edition.place else self

    def earlier(self) -> list[OtherRule]:
        """Return the other rules that the number asked for meant before its edition, newest first."""
        return finding.find_earlier(self)


def irregularities_of(state: State) -> list[Irregularity]:
    """Return the misprints of a provision."""
    return msgspec.json.decode(state.irregularities or "[]", type=list[Irregularity])


class KnowledgeBase(Closing):
    """All editions of a knowledge base, and the steps between them.

    It keeps reading the base as it was when opened, even if a build replaces it. A place is that of an
    edition; a word is a folded number or headword. "current" is the edition in force today, or without a
    day the latest.

    A designator that names no edition raises NoEditionError, a question that also names another edition
    WrongUsageError, and one that names no provision NotFoundError, which says which editions have it,
    and similar names.
    """

    def __init__(self, reader: Reader, today: date | None = None) -> None:
        self.reader, self.today = reader, today
        self.states, self.links = States(reader), StoredLinks(reader)
        self._named: dict[str, EditionEntry] = {}
        self._runs: dict[str, list[Run]] = {}

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open the base in a folder, by default VARIORUM_KB, else the platform's place; see `Reader`."""
        return cls(Reader.open(base_folder(folder) / FILE), today)

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
        return Path(self.reader.file).parent

    @property
    def digest(self) -> str:
        """Return the checksum of the base's file, which identifies its contents."""
        return f"{self.reader.checksum:08x}"

    @cached_property
    def has_words(self) -> bool:
        return any(NO_WORDS not in edition.doubts for edition in self.editions)

    # Editions ------------------------------------------------------------------------------------

    @cached_property
    def editions(self) -> tuple[EditionEntry, ...]:
        rows = enumerate(self.reader.editions())
        return tuple([entry_of(place, row._asdict()) for place, row in rows])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple([edition.label for edition in self.editions])

    def edition(self, designator: str | EditionEntry = "current") -> EditionEntry:
        """Return the edition that a designator names; an error says why it names none, or several."""
        if isinstance(designator, EditionEntry):
            return designator
        if designator not in self._named:
            self._named[designator] = find_edition(self.editions, designator, self.today)
        return self._named[designator]

    @cached_property
    def current(self) -> EditionEntry | None:
        try:
            return self.edition("current")
        except NoEditionError:
            return None

    def before(self, edition: EditionEntry) -> EditionEntry | None:
        """Return the edition before another; None for the first."""
        return self.editions[edition.place - 1] if edition.place else None

    def designators(self, begun: str = "") -> list[str]:
        """Return the designators that begin with some letters, sorted."""
        words = {*DESIGNATORS, *(word for it in self.editions for word in (it.label, it.set_code))}
        return sorted([word for word in words if word and word.lower().startswith(begun.lower())])

    def day_notes(self) -> list[str]:
        """Return notes on the days named so far that are not an edition's date."""
        notes = [day_note(designator, entry) for designator, entry in self._named.items()]
        return [*filter(None, dict.fromkeys(notes))]

    # Rows ----------------------------------------------------------------------------------------

    @cached_property
    def lineages(self) -> Lineages:
        return Lineages(self.links, len(self.editions) - 1)

    def runs(self, word: str) -> list[Run]:
        """Return the runs of a word in print, by first edition.

        For "=" and a number, return the misprinted provisions that should have the number.
        """
        if word not in self._runs:
            self._runs[word] = [Run(*row) for row in self.reader.query(_RUNS, (word,))]
        return self._runs[word]

    def named(self, word: str, place: int) -> list[State]:
        """Return the states that a word names in an edition, numbers first."""
        runs = [run.state for run in self.runs(word) if run.first <= place <= run.last]
        states = self.states.of(runs).values()
        return sorted(states, key=lambda state: (state.kind == "glossary", state.address))

    def bearers(self, number: str, place: int) -> list[State]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return bearing(lambda word: self.named(word, place), number)

    def at_address(self, address: str, place: int) -> State | None:
        """Return the state that has an address in an edition."""
        states = self.named(address.partition("#")[0], place)
        return next((state for state in states if state.address == address), None)

    def below(self, address: str, place: int) -> list[State]:
        """Return the states directly below a provision, in the order of their numbers."""
        rows = self.reader.query(_BELOW, (address, place, place))
        return sorted(self.states.of(id_ for (id_,) in rows).values(), key=in_order)

    def above(self, state: State, place: int) -> list[State]:
        """Return the provisions above another, the nearest first."""
        parent = self.at_address(state.parent, place) if state.parent else None
        return [parent, *self.above(parent, place)] if parent else []

    def held(self, place: int) -> list[State]:
        """Return the states of an edition in printed order."""
        return list(self.states.of(self.reader.states_of(place)).values())

    def gist(self, state: State, place: int) -> str:
        """Return a provision in a few words: its heading, or the nearest heading and its start."""
        if state.kind == "glossary" or (state.heading and state.kind != "subrule"):
            return state.heading
        above = [row for row in self.above(state, place) if row.kind != "chapter"]
        heading = next((row.heading for row in (state, *above) if row.heading), "")
        words = text_of(state.body).split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        return f"{heading}: {begin}" if heading and begin else heading or begin

    def words_with(self, prefix: str) -> list[str]:
        """Return numbers and headwords of any edition that begin with some letters, sorted."""
        wanted = "SELECT DISTINCT word FROM lookup WHERE word >= ? AND word < ? ORDER BY word"
        return [word for (word,) in self.reader.query(wanted, (prefix, f"{prefix}\U0010ffff"))]

    # Provisions ----------------------------------------------------------------------------------

    def at(self, state: int, place: int, asked: str = "") -> Subject:
        """Return the provision with a state in the edition at a place."""
        return Subject(self, self.editions[place], self.states[state], asked)

    def provisions(self, on: str | EditionEntry = "current") -> Iterator[Subject]:
        """Yield a whole edition in printed order: numbered provisions, then the glossary."""
        edition = self.edition(on)
        return (Subject(self, edition, state) for state in self.held(edition.place))

    def chapters(self, edition: EditionEntry) -> list[Subject]:
        """Return the chapters of an edition."""
        states = [state for digit in "123456789" for state in self.named(digit, edition.place)]
        return [Subject(self, edition, row) for row in states if row.kind == "chapter"]

    def show(self, questions: str, on: str | EditionEntry | None = None) -> list[Subject]:
        """Return the provisions that questions name, in the order asked and printed.

        Questions are numbers ("704.5k", "CR 704.5K, 704.5j") and ranges ("508.1d-f"), with or without their
        edition ("702.19 M10"), or a term. Without an edition, the current one answers. If the edition
        lacks the name, that is looked up in other editions.
        """
        wishes = parse_questions(questions)
        return [match for wish in wishes for match in self.find_anywhere(wish, on)]

    def find_anywhere(
        self, wish: Asked, on: str | EditionEntry | None = None, *, is_only_there: bool = False
    ) -> list[Subject]:
        """Return the provisions that one question names, as `show` does; or only those in the edition."""
        edition, asked = self.edition_of(wish, on), wish.question
        states = finding.find_states(self, asked, edition.place)
        if not states:
            moved, lost = finding.find_elsewhere(self, asked, edition.place)
            if moved and not is_only_there:
                return [Subject(self, edition, state, move=move) for state, move in moved]
            if asked[0] == WORDS:
                states = finding.spelt_otherwise(self, asked[1], edition.place)
            if not states:
                heirs = [name_of(state) for state, _ in moved]
                raise finding.not_found(self, asked, edition, lost, heirs)
        return [Subject(self, edition, state) for state in states]

    def find(self, question: str | Asked, edition: str | EditionEntry) -> list[Subject]:
        """Return the provisions that a question names in an edition itself, in printed order."""
        return self.find_anywhere(_only_one(question), edition, is_only_there=True)

    def subject(self, question: str | Asked, on: str | EditionEntry | None = None) -> Subject:
        """Return the only provision that a number or headword names, with or without its edition.

        Without an edition it is looked up in the current one, else in the last that had the provision.
        """
        wish = _only_one(question)
        (kind, word, more), edition = wish.question, self.edition_of(wish, on)
        if kind == RANGE:
            raise NotFoundError(f"{word}-{more}: a range; ask for one number at a time")
        name = "" if on is not None or wish.edition else word
        states = finding.find_states(self, wish.question, edition.place)
        if len(states) > 1 and kind == NUMBER:
            names = " or ".join([state.address for state in states])
            raise AmbiguousError(
                f"{word}: printed twice in the edition of {edition.label}; ask for {names}"
            )
        if states:
            return Subject(self, edition, states[0], name)
        runs = [run for run in self.runs(name) if self.states[run.state].address.endswith(more)]
        if runs:
            run = max(runs, key=lambda run: (run.last, run.first, -run.state))
            return self.at(run.state, run.last, name)
        return self.find(wish, edition)[0]

    def has(self, question: str) -> bool:
        """Return whether any edition has the provision that a question names."""
        try:
            self.subject(question)
        except NotFoundError:
            return False
        return True

    def edition_of(self, wish: Asked, on: str | EditionEntry | None) -> EditionEntry:
        """Return the edition in which to answer: the one beside the question, else `on`."""
        default = "current" if on is None else on
        try:
            edition = self.edition(wish.edition or default)
        except (NoEditionError, AmbiguousError):
            if not wish.edition:
                raise
            edition, words = self.edition(default), fold_title(wish.edition)
            states = finding.find_states(self, wish.question, edition.place)
            rows = [row for state in states for row in (state, *self.above(state, edition.place))]
            # It may be the heading, as in 702.9 Flying.
            if not words or not any(words in fold_title(row.heading) for row in rows):
                raise
        if wish.edition and on is not None and self.edition(on) != edition:
            both = f"{edition.label} and {self.edition(on).label}; give one of them"
            raise WrongUsageError(f"{asked_for(wish.question)}: two editions are named, {both}")
        return edition

    # Answers that cache their results; each is imported on first use ------------------------------

    @cached_property
    def folded(self) -> "Folder":
        from variorum.history.canonical import Folder  # noqa: PLC0415

        return Folder()

    @cached_property
    def texts(self) -> "Texts":
        from variorum.answers.whole import Texts  # noqa: PLC0415

        return Texts(self)

    @cached_property
    def whole(self) -> "Whole":
        from variorum.answers.whole import Whole  # noqa: PLC0415

        return Whole(self)

    @cached_property
    def glossary(self) -> "Glossary":
        from variorum.answers.glossary import Glossary  # noqa: PLC0415

        return Glossary(self)

    @cached_property
    def witnesses(self) -> "Witnesses":
        from variorum.answers.witnesses import Witnesses  # noqa: PLC0415

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
