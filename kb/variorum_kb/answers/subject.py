"""From what was asked to a subject, a provision in an edition: with this every question begins."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.lookup import children, find_states, matches, shown_json, unpacked
from variorum_kb.answers.questions import NUMBER, RANGE, WORDS, parse_question, runs_backwards
from variorum_kb.errors import NotFoundError
from variorum_kb.forms.edition import IrregularityJson
from variorum_kb.rows import Row, examples_of, split_body, text_of
from variorum_kb.store.reader import Reader
from variorum_kb.thresholds import MISSPELT_TERM

_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)
_NEAR_EACH_SIDE = 2
_MOST_SPANS = 4


@dataclass(frozen=True, slots=True)
class Subject:
    """A provision as one edition has it, with the subrules that stand under its address.

    Attributes:
        edition: Which edition.
        state: The provision's row.
        asked: The number or headword that found it, where no edition was named.
    """

    edition: EditionEntry
    state: Row
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
    def irregularities(self) -> list[IrregularityJson]:
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


class Run(NamedTuple):
    """The editions through which a number or headword meant a provision.

    Attributes:
        state: The id of the provision's state.
        first: The place of the first edition.
        last: Of the last one.
    """

    state: int
    first: int
    last: int


class Subjects:
    """Finds what questions are about, in an open base."""

    def __init__(self, reader: Reader, editions: Callable[[], Sequence[EditionEntry]]) -> None:
        """Prepare a base.

        Args:
            reader: Of the base.
            editions: Gives all its editions, in order.
        """
        self._reader = reader
        self._editions = editions

    def find(self, question: str, edition: EditionEntry) -> tuple[Subject, ...]:
        """Return the provisions that a question names in an edition, in printed order.

        Raises:
            NotFoundError: The edition has no such provision.
        """
        asked = parse_question(question)
        found = self._reader.ask(lambda open_: find_states(open_, asked, edition.place))
        if not found:
            raise NotFoundError(self._what_is_there(asked, edition))
        return tuple([Subject(edition, state) for state in found])

    def find_one(self, question: str, edition: EditionEntry, *, is_named: bool) -> Subject:
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
        raise NotFoundError(self._what_is_there(asked, edition))

    def matches(self, word: str, edition: EditionEntry) -> list[Row]:
        """Return the states that a folded number or headword names in an edition."""
        return self._reader.ask(lambda open_: matches(open_, word, edition.place))

    def children(self, subject: Subject) -> tuple[Subject, ...]:
        """Return what stands right below a provision, in the order of numbers."""
        edition = subject.edition
        if not subject.number:
            return ()
        states = self._reader.ask(lambda open_: children(open_, subject.address, edition.place))
        return tuple([Subject(edition, state) for state in states])

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
        return bool(self.matches(word, edition))

    def _spans(self, word: str) -> list[str]:
        """Return when a number or headword stood in the rules, as runs of editions."""
        runs = joined((run.first, run.last) for run in runs_of(self._reader, word))
        label = [edition.label for edition in self._editions()]
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
        close = difflib.get_close_matches(word, folded, n=3, cutoff=MISSPELT_TERM)
        begin = [key for key in folded if key.startswith(word)][:3]
        return [folded[key] for key in dict.fromkeys([*close, *begin])]


def runs_of(reader: Reader, word: str) -> list[Run]:
    """Return all that a number or headword ever meant in print, by first edition.

    Behind "=", a number gives what misprinted numbers mean by it.
    """
    return [Run(*row) for row in reader.query(_RUNS, (word,))]


def latest_first(reader: Reader, word: str) -> list[Run]:
    """Return all that a number or headword ever meant in print, the latest first."""
    return sorted(runs_of(reader, word), key=lambda run: (-run.last, -run.first, run.state))


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join runs of editions, sorted by their first ones, that overlap or follow each other.

    >>> joined([(0, 2), (1, 4), (5, 6), (9, 9)])
    [(0, 6), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for first, last in runs:
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def _listed(spans: Sequence[str]) -> str:
    more = len(spans) - _MOST_SPANS
    shown = ", ".join(spans[-_MOST_SPANS:])
    return f"{shown} and {more} runs before" if more > 0 else shown
