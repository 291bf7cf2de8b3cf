"""An open knowledge base: its editions, their provisions, and those that questions name.

A provision is looked up in an edition, else in the nearest other one that has its name, and followed from
there. If there is none, the error says which editions have the name, and which names are similar.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from variorum import errors, rows
from variorum.answers import crosswalk, questions, stored
from variorum.answers.questions import NUMBER, RANGE, WORDS, Asked
from variorum.answers.stored import Run, States, StoredLinks, in_order, joined
from variorum.files import FILE, Closing, base_folder
from variorum.history.lineages import Destination, Lineages, Stretch
from variorum.records.lineage import Moved, OtherRule, Provision, Term
from variorum.rows import EditionRow, State
from variorum.rule_numbers import order_of
from variorum.store.reader import Reader
from variorum.text import doubted, fold_key, fold_title, key_of_meant, keys_of, words_of

if TYPE_CHECKING:  # each kind of answer is imported on first use
    from variorum.answers.witnesses import Witnesses
    from variorum.history.canonical import Folder

Designator = str | EditionRow | None
_ODD = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
# A state, the edition without it, and the one that has it next to that.
_Lost = tuple[State, int, int, float]
_GIST_WORDS = 7
_NOTHING = Asked(WORDS, "")
# The least likeness, as `difflib` measures it, of an unknown headword to one that is suggested.
_MISSPELT_TERM = 0.6
_NEAR_EACH_SIDE, _MOST_SPANS, _MOST_NEAR = 2, 4, 3
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

    `asked` is the question that it answers, with the edition if one was named; `move` is how it came to
    have another name than the one asked for.
    """

    base: "KnowledgeBase"
    edition: EditionRow
    state: State
    asked: Asked = _NOTHING
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
        return rows.name_of(self.state)

    @property
    def text(self) -> str:
        return rows.text_of(self.state.body)

    @property
    def paragraphs(self) -> list[str]:
        """Return all paragraphs in printed order, an example with its marker."""
        return [f"{marker} {text}".lstrip() for marker, text in rows.split_body(self.state.body)]

    @property
    def gist(self) -> str:
        """Return it in a few words: its heading, or what it is about and its start."""
        if self.kind == "glossary" or (self.heading and self.kind != "subrule"):
            return self.heading
        words = self.text.split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        return ": ".join(filter(None, (self.about, begin)))

    @property
    def about(self) -> str:
        """Return its heading, else the nearest above it that says what it is about."""
        headings = [self.heading, *(it.heading for it in reversed(self.path()))]
        return next((it for it in headings if it and it != "General"), "")

    def record(self) -> Provision:
        """Return it as answers give it; for a number asked for, with the number's earlier rules."""
        state, edition = self.state, self.edition
        return Provision(
            *(edition.label, edition.doubts.splitlines(), state.number, state.address, state.kind),
            *(state.heading, self.text, rows.examples_of(state.body)),
            parent=state.parent or None,
            children=[child.address for child in self.children()],
            irregularities=stored.irregularities_of(state),
            asked=self.asked.name or state.address,
            moved=self.move,
            term=state.heading if state.kind == "glossary" else None,
            earlier=self.earlier() if self.asked.word else None,
        )

    def children(self) -> "list[Subject]":
        """Return the provisions directly below it, in the order of numbers."""
        place, has_any = self.edition.place, self.number and self.kind != "subrule"
        ids = self.base.reader.query(_BELOW, (self.address, place, place)) if has_any else ()
        states = self.base.states.of(id_ for (id_,) in ids).values()
        return [Subject(self.base, self.edition, it) for it in sorted(states, key=in_order)]

    def tree(self) -> "Iterator[Subject]":
        """Yield all provisions below it."""
        for child in self.children():
            yield child
            yield from child.tree()

    def path(self) -> "list[Subject]":
        """Return the provisions above it, the chapter first."""
        above = self.base.at_address(self.state.parent, self.edition.place)
        parent = Subject(self.base, self.edition, above) if above else None
        return [*parent.path(), parent] if parent else []

    @property
    def lineage(self) -> list[Stretch]:
        return self.base.lineages.life(self.state.id, self.edition.place)

    def destination(self, target: EditionRow | None = None) -> Destination:
        """Return where it is in another edition; by default in that in force, or here if this is no older."""
        there = target or max(self.edition, self.base.current or self.edition)
        return self.base.lineages.way(self.state.id, self.edition.place, there.place)

    def heir(self, target: EditionRow | None = None) -> "Subject | None":
        """Return the provision itself there, else its first heir; None if it is gone."""
        there = target or max(self.edition, self.base.current or self.edition)
        heir = self.destination(there).heir
        return None if heir is None else self.base.at(heir, there.place)

    def terms(self) -> list[Term]:
        """Return the terms in its text and examples, by the glossary of its edition."""
        from variorum.answers.glossary import terms_of  # noqa: PLC0415 - few answers need them

        own = self.heading if self.kind == "glossary" else ""
        return terms_of(self.base, self.edition.place).find(rows.full_text(self.state.body), own)

    def earlier(self) -> list[OtherRule]:
        """Return the other rules that its number meant before, newest first, but for those now part of it."""
        base, place = self.base, self.edition.place
        name = (self.move.asked if self.move else self.name).partition("#")[0]
        twins = base.named(self.number, place) if self.number else [self.state]
        shown = [base.at(state.id, place) for state in twins]
        return [] if rows.headword_of(name) else crosswalk.meanings(base, name, place, shown)


class KnowledgeBase(Closing):
    """All editions of a knowledge base, and the steps between them.

    It keeps reading the base as it was when opened, even if a build replaces it. A place is that of an
    edition; a word is a folded number or headword. "current" is the edition in force today, or without a
    day the latest. What is asked for and is not there raises NoEditionError or NotFoundError.
    """

    def __init__(self, reader: Reader, today: date | None = None) -> None:
        self.reader, self.today = reader, today
        self.states, self.links = States(reader), StoredLinks(reader)
        self._named, self._runs = dict[str, EditionRow](), dict[str, list[Run]]()
        self.kept, self.at_address = dict[object, Any](), lru_cache(4096)(self._at_address)

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open the base in a folder, by default VARIORUM_KB, else the platform's place; see `Reader`."""
        return cls(Reader.open(base_folder(folder) / FILE), today)

    def close(self) -> None:
        """Close the file."""
        self.reader.close()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Close the file; an odd failure may be due to a file that somebody else made."""
        with closing(self):
            if kind and issubclass(kind, _ODD) and not issubclass(kind, errors.VariorumError):
                self.reader.refuse_forgery()
                if issubclass(kind, msgspec.DecodeError | RecursionError):
                    raise errors.BaseError(self.reader.file, "damaged: it holds what is no record")

    @property
    def folder(self) -> Path:
        return Path(self.reader.file).parent

    @property
    def digest(self) -> str:
        return f"{self.reader.checksum:08x}"

    @cached_property
    def has_words(self) -> bool:
        return any(rows.NO_WORDS not in edition.doubts for edition in self.editions)

    # Editions ------------------------------------------------------------------------------------

    @cached_property
    def editions(self) -> tuple[EditionRow, ...]:
        return tuple(self.reader.editions(is_whole=False))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple([edition.label for edition in self.editions])

    def edition(self, designator: str | EditionRow = "current") -> EditionRow:
        """Return the edition that a designator names; an error says why it names none, or several."""
        if isinstance(designator, EditionRow):
            return designator
        if designator in self.labels:
            return self.editions[self.labels.index(designator)]
        if designator not in self._named:
            self._named[designator] = questions.find_edition(self.editions, designator, self.today)
        return self._named[designator]

    @cached_property
    def current(self) -> EditionRow | None:
        try:
            return self.edition("current")
        except errors.NoEditionError:
            return None

    def before(self, edition: EditionRow) -> EditionRow | None:
        """Return the edition before another; None for the first."""
        return self.editions[edition.place - 1] if edition.place else None

    def designators(self, begun: str = "") -> list[str]:
        """Return the designators that begin with some letters, sorted."""
        words = {*questions.DESIGNATORS}.union(*[(it.label, it.set_code) for it in self.editions])
        return sorted([word for word in words if word and word.lower().startswith(begun.lower())])

    def day_notes(self) -> list[str]:
        """Return notes on the days named so far that are not an edition's date."""
        said = [questions.day_note(*it, self.labels[-1]) for it in self._named.items()]
        return [*filter(None, dict.fromkeys(said))]

    # Rows ----------------------------------------------------------------------------------------

    @cached_property
    def lineages(self) -> Lineages:
        return Lineages(self.links, len(self.editions) - 1)

    def lineages_between(self, here: int, there: int) -> Lineages:
        """Return the lineages of all provisions from one edition to another, either way."""
        if self.links.is_whole:
            return self.lineages
        first, last = sorted((here, there))
        return Lineages(self.links.where("edition > ? AND edition <= ?", first, last), last)

    def runs(self, word: str) -> list[Run]:
        """Return the runs of a word, by first edition; "=" and a number are of those that should have it."""
        if word not in self._runs:
            self._runs[word] = [Run(*row) for row in self.reader.query(_RUNS, (word,))]
        return self._runs[word]

    def uses(self, word: str | None = None) -> list[Run]:
        """Return the runs of a word, or all, each divided where another provision took its state over."""
        every = "SELECT provision, first, last FROM span"
        runs = self.reader.query(every) if word is None else self.runs(word)
        parts = [Run(it[0], *part) for it in runs for part in self.lineages.divided(*it)]
        return sorted(parts, key=lambda run: (run.first, run.last, run.state))

    def named(self, word: str, place: int) -> list[State]:
        """Return the states that a word names in an edition, numbers first."""
        runs = [run.state for run in self.runs(word) if run.first <= place <= run.last]
        return sorted(self.states.of(runs).values(), key=lambda it: (not it.number, it.address))

    def bearers(self, number: str, place: int) -> list[State]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return self.named(number, place) or self.named(key_of_meant(number), place)

    def _at_address(self, address: str, place: int) -> State | None:
        states = self.named(address.partition("#")[0], place) if address else ()
        return next((state for state in states if state.address == address), None)

    def held(self, place: int) -> list[State]:
        """Return the states of an edition in printed order."""
        return list(self.states.of(self.reader.states_of(place)).values())

    def words_with(self, prefix: str) -> list[str]:
        """Return numbers and headwords of any edition that begin with some letters, sorted."""
        wanted = "SELECT DISTINCT word FROM lookup WHERE word >= ? AND word < ? ORDER BY word"
        return [word for (word,) in self.reader.query(wanted, (prefix, f"{prefix}\U0010ffff"))]

    # Provisions ----------------------------------------------------------------------------------

    def at(self, state: int, place: int) -> Subject:
        """Return the provision with a state in the edition at a place."""
        return Subject(self, self.editions[place], self.states[state])

    def provisions(self, on: str | EditionRow = "current") -> Iterator[Subject]:
        """Yield a whole edition in printed order: numbered provisions, then the glossary."""
        edition = self.edition(on)
        return (Subject(self, edition, state) for state in self.held(edition.place))

    def show(self, asked: str, on: Designator = None) -> list[Subject]:
        """Return the provisions that questions name, if an edition lacks them from the nearest other one."""
        wishes = questions.parse_questions(asked)
        return [it for wish in wishes for it in self.find(wish, on, elsewhere=True)]

    def find(
        self, question: str | Asked, on: Designator = None, *, elsewhere: bool = False
    ) -> list[Subject]:
        """Return the provisions that a question names in an edition, or `elsewhere`, in printed order."""
        wish, edition = self._asked(question, on)
        states = self.matching(wish, edition.place)
        moved, lost = ([], []) if states else self._elsewhere(wish, edition.place)
        if moved and elsewhere:
            return moved
        if not states and wish.kind == WORDS:
            states = self._spelt_otherwise(wish.word, edition.place)
        if not states:
            raise self._not_found(wish, edition, lost, moved)
        return [Subject(self, edition, state, wish) for state in states]

    def subject(self, question: str | Asked, on: Designator = None) -> Subject:
        """Return the only provision that a number or headword names, by default as last printed."""
        wish, edition = self._asked(question, on)
        if wish.kind == RANGE:
            raise errors.NotFoundError(f"{wish.name}: a range; ask for one number at a time")
        states = self.matching(wish, edition.place)
        if len(states) > 1 and wish.kind == NUMBER:
            names = " or ".join([state.address for state in states])
            raise errors.AmbiguousError(
                f"{wish.word}: printed twice in the edition of {edition.label}; ask for {names}"
            )
        runs = [] if states or wish.edition else self.runs(wish.word)
        for run in sorted(runs, key=lambda run: (-run.last, -run.first, run.state)):
            if self.states[run.state].address.endswith(wish.more):
                return self.at(run.state, run.last)._replace(asked=wish)
        return Subject(self, edition, states[0], wish) if states else self.find(wish, edition)[0]

    def has(self, question: str) -> bool:
        """Return whether any edition has the provision that a question names."""
        try:
            return bool(self.subject(question))
        except errors.NotFoundError:
            return False

    def _asked(self, question: str | Asked, on: Designator) -> tuple[Asked, EditionRow]:
        """Return the only question of a text, with its edition if one is named, and that to answer from."""
        wishes = [question] if isinstance(question, Asked) else questions.parse_questions(question)
        if wishes[1:]:
            names = ", ".join([wish.name for wish in wishes])
            raise errors.NotFoundError(f"{names}: ask for one at a time")
        wish, (term, _, day) = wishes[0], wishes[0].word.rstrip(")").rpartition(" ")
        day = day.lstrip("(")
        is_day = day in questions.DESIGNATORS or any(map(str.isdigit, day[1:]))
        both = is_day and self.runs(term) and not self.runs(wish.word)
        if both and not questions.with_part(self.editions, wish.word):
            wish = wish._replace(word=term, edition=day)  # "mana burn 2008", "mana burn (2008)"
        edition = self.edition_of(wish, on)
        is_dated = wish.edition or on is not None
        return wish._replace(edition=edition.label if is_dated else ""), edition

    def edition_of(self, wish: Asked, on: Designator) -> EditionRow:
        """Return the edition in which to answer: the one beside the question, else `on`."""
        default = "current" if on is None else on
        try:
            edition = self.edition(wish.edition or default)
        except (errors.NoEditionError, errors.AmbiguousError):
            if not wish.edition:
                raise
            edition, words = self.edition(default), fold_title(wish.edition)
            named = [Subject(self, edition, it) for it in self.matching(wish, edition.place)]
            headings = [it.heading for subject in named for it in (subject, *subject.path())]
            # It may be the heading, as in 702.9 Flying.
            if not words or not any(words in fold_title(heading) for heading in headings):
                pair = [questions.with_part(self.editions, it) for it in wish.edition.split()]
                if len(pair) == 2 and all(pair):  # noqa: PLR2004
                    how = f"two editions; compare them: cr diff {wish.name} {wish.edition}"
                    raise errors.AmbiguousError(f"{wish.edition!r} names {how}") from None
                raise
        if wish.edition and on is not None and self.edition(on) != edition:
            both = f"{edition.label} and {self.edition(on).label}; give one of them"
            raise errors.WrongUsageError(f"{wish.name}: two editions are named, {both}")
        return edition

    def matching(self, asked: Asked, place: int) -> list[State]:
        """Return the states that a question names in an edition, as printed."""
        if asked.kind != RANGE:
            states = self.bearers(asked.word, place)
            return [state for state in states if state.address.endswith(asked.more)]
        first, last = self.bearers(asked.word, place)[:1], self.bearers(asked.more, place)[-1:]
        if not (first and last and first[0].kind == last[0].kind):
            return []
        alike = [state for state in self.held(place) if state.kind == first[0].kind]
        return [it for it in alike if in_order(first[0]) <= in_order(it) <= in_order(last[0])]

    def _elsewhere(self, asked: Asked, place: int) -> tuple[list[Subject], list[_Lost]]:
        """Return what has a name in the nearest other edition, as it is in this one.

        What this one lacks comes second, with the edition that lost it and the last that has it.
        """
        runs = [run[1:] for run in self.runs(asked.word)]
        if asked.kind == RANGE:
            both = [(max(a, c), min(b, d)) for a, b in runs for _, c, d in self.runs(asked.more)]
            runs = [(first, last) for first, last in both if first <= last]
        # The last earlier edition comes first, else the newest meaning that was there in some form.
        nears = sorted([last for _, last in runs if last < place])[-1:]
        nears = nears or sorted({first for first, _ in runs if first > place}, reverse=True)
        moved, lost = dict[int, Subject](), list[_Lost]()
        for near in nears:
            for state in () if moved else self.matching(asked, near):
                way = self.lineages.way(state.id, near, place)
                names = [rows.name_of(self.states[it]) for it in way.states]
                for heir in way.states if way.bits & rows.UNCERTAIN else way.states[:1]:
                    move = Moved(
                        asked=rows.name_of(state),
                        edition=self.labels[near],
                        since=crosswalk.named_since(self, heir, way, near, place),
                        kinds=rows.kinds_of(way.bits | rows.RENUMBERED),
                        confidence=round(way.confidence, 4),
                        heirs=[*dict.fromkeys(names)],
                    )
                    moved.setdefault(heir, self.at(heir, place)._replace(asked=asked, move=move))
                if way.loss is not None and not way.states and near == nears[0]:
                    last = way.loss.edition + (1 if near > place else -1)
                    lost.append(
                        (self.states[way.loss.state], way.loss.edition, last, way.confidence)
                    )
        return list(moved.values()), lost

    def _spelt_otherwise(self, words: str, place: int) -> list[State]:
        """Return the headwords, else headings, that differ in signs, or say the same in other words."""
        from variorum.facts import all_concepts  # noqa: PLC0415 - it reads the vocabulary

        states = [state for state in self.held(place) if state.heading]
        forms = [it[::-1] for kind, it in all_concepts() if kind != "players"]
        sure = [it for it in forms if not any(form.is_partial or form.is_gone for form in it)]
        spellings = [[word for form in it for word in form.words] for it in sure]
        alike = [each for some in spellings if words in map(fold_key, some) for each in some]
        for key in filter(None, map(fold_title, (words, *alike))):
            entries = [it for it in states if not it.number and key in map(fold_title, keys_of(it))]
            if entries := entries or [it for it in states if fold_title(it.heading) == key]:
                return entries
        return []

    def _not_found(
        self, asked: Asked, edition: EditionRow, lost: Sequence[_Lost], moved: Sequence[Subject]
    ) -> errors.NotFoundError:
        kind, word, more, _ = asked
        if not word:
            return errors.NotFoundError("nothing is asked for; give a number or a term")
        if kind == RANGE and order_of(more) < order_of(word):
            backwards = f"{asked.name}: runs backwards, {more} comes first"
            return errors.NotFoundError(f"{backwards}; ask for {more}-{word}")
        missing = more if kind == RANGE and self.named(word, edition.place) else word
        runs = joined(run[1:] for run in self.runs(missing))
        why = f"not in the edition of {edition.label}"
        why = why if runs or kind != NUMBER else "no edition has had this number"
        parts = [f"{repr(word) if kind == WORDS else asked.name}: {why}"]
        if not lost and runs and not self.named(missing, edition.place):
            ends = [dict.fromkeys(self.labels[end] for end in run) for run in runs[-_MOST_SPANS:]]
            parts.append(f"printed in {', '.join(map(' to '.join, ends))}")
        if moved:
            names = [doubted(it.name, it.move.confidence if it.move else 1) for it in moved]
            parts.append(f"in that edition it is {' and '.join(names)}")
        held, ever = self.held(edition.place), () if runs else self.words_with(missing[:3])
        near = _like(missing, held) if kind == WORDS else _near(missing, held, ever)
        if shown := [it for it in near if it[0].isdigit() or not lost]:
            parts.append(f"near: {', '.join(shown)}")
        known: dict[str, object] = {"heirs": [it.name for it in moved], "near": near}
        for state, gone, last, sure in [it for it in lost if it[1] > it[2] or not moved]:
            words, label = rows.wording_of(state), self.labels[last]
            removed = f"{doubted(f'removed on {self.labels[gone]}', sure)}; its last words, of"
            how = removed if gone > last else "first printed so in"
            parts.append(f"{how} {label}: “{' '.join(words.split())}”")
            known |= {"last_edition": label, "last_words": words}
            cited = stored.citations_of(self.reader, [state.id]).get(state.id, ())
            targets = [self.bearers(word, last) for each in cited for word in each.numbers]
            ways = [self.lineages.way(it.id, last, edition.place) for row in targets for it in row]
            became = [(self.states[it.states[0]], it.confidence) for it in ways if it.states]
            said = dict.fromkeys(doubted(rows.name_of(heir), sure) for heir, sure in became)
            parts += [f"it cited what became {', '.join(said)}"] if said and gone > last else []
        tip = f"cr search {word!r} --ever" if kind == WORDS else "cr toc lists numbers"
        return errors.NotFoundError("; ".join([*parts, tip][: max(2, len(parts))]), **known)

    # Answers that cache their results; each is imported on first use ------------------------------

    @cached_property
    def citations(self) -> dict[int, tuple[stored.PrintedCitation, ...]]:
        return stored.citations_of(self.reader)

    @cached_property
    def folded(self) -> "Folder":
        from variorum.history.canonical import Folder  # noqa: PLC0415

        return Folder()

    @cached_property
    def witnesses(self) -> "Witnesses":
        from variorum.answers.witnesses import Witnesses  # noqa: PLC0415

        return Witnesses(self)


def _near(word: str, states: Iterable[State], ever: Sequence[str]) -> list[str]:
    """Return the number that a missing one has but for its last sign, and those around it in its section."""
    numbers = {*(ever or [it.number for it in states if it.number[:3] == word[:3]])}
    ordered = sorted({*numbers, word}, key=order_of)
    place = ordered.index(word)
    around = ordered[max(0, place - _NEAR_EACH_SIDE) : place + _NEAR_EACH_SIDE + 1]
    return [*dict.fromkeys([it for it in (word[:-1], *around) if it in numbers])]


def _like(word: str, states: Sequence[State]) -> list[str]:
    """Return the headwords that begin with a missing one and titles with all its words, else those like it."""
    import difflib  # noqa: PLC0415 - only an error needs it

    from variorum.words import stem_of  # noqa: PLC0415 - likewise

    folded = {it.heading.casefold(): it.heading for it in states if not it.number}
    like = difflib.get_close_matches(word, folded, _MOST_NEAR, _MISSPELT_TERM)
    begun = [it for key, it in folded.items() if word and key.startswith(word)][:_MOST_NEAR]
    stems = {*map(stem_of, words_of(word))}
    titles = {it.heading: it.number for it in reversed(states) if it.heading and stems}
    fits = [it for it in titles if stems <= {*map(stem_of, words_of(it))}]
    titled = sorted([f"{titles[it]} {it}".strip() for it in fits])[:_MOST_NEAR]
    return [*dict.fromkeys([*begun, *titled] or map(folded.__getitem__, like))]
