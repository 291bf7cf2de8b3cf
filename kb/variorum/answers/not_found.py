"""The error for a name that an edition lacks: which editions have it, and similar names."""

import difflib
from collections.abc import Iterator, Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.finding import Lost
from variorum.answers.questions import NUMBER, RANGE, WORDS, runs_backwards
from variorum.answers.stored import Stored, joined
from variorum.errors import NotFoundError
from variorum.model import RuleNumber
from variorum.rows import State, wording_of
from variorum.text import counted, words_of
from variorum.words import stem_of

# The least likeness, as `difflib` measures it, of an unknown headword to one that is suggested.
_MISSPELT_TERM = 0.6
_NEAR_EACH_SIDE = 2
_MOST_SPANS = 4
_MOST_TITLES = 3


def not_found(
    base: Stored,
    asked: tuple[str, str, str],
    edition: EditionEntry,
    lost: Sequence[Lost] = (),
    heirs: Sequence[str] = (),
) -> NotFoundError:
    """Return the error for a question that an edition cannot answer.

    `lost` are the provisions that the question names in other editions and that are gone here, `heirs`
    the names here of those that are not.
    """
    kind, word, more = asked
    if runs_backwards(asked):
        return NotFoundError(
            f"{word}-{more}: runs backwards, {more} comes first; ask for {more}-{word}"
        )

    def has(name: str) -> bool:
        return bool(base.named(name, edition.place))

    question = {NUMBER: f"{word}{more}", RANGE: f"{word}-{more}", WORDS: repr(word)}[kind]
    missing = more if kind == RANGE and has(word) else word
    spans = [] if has(missing) else _spans(base, missing)
    was = bool(lost or heirs or spans or kind != NUMBER or has(missing))
    why = f"not in the edition of {edition.label}" if was else "no edition has had this number"
    parts = [f"{question}: {why}"]
    if spans and not lost:
        parts.append(f"printed in {_listed(spans)}")
    if heirs:
        parts.append(f"in that edition it is {' and '.join(heirs)}")
    states = base.held(edition.place)
    near = _like(word, states) if kind == WORDS else _near(missing, states)
    stem = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    shorter = [word[:end] for end in range(len(word) - 1, len(stem) - 1, -1)]
    likeliest = "" if was else next(filter(has, shorter), "")
    if likeliest:
        near = list(dict.fromkeys([likeliest, *near]))
        parts.append(f"did you mean {likeliest}")
    if near:
        parts.append(f"near: {', '.join(near)}")
    parts += [_removed(removal) for removal in lost]
    return NotFoundError(
        "; ".join(parts),
        last_edition=lost[-1].edition if lost else "",
        last_words=wording_of(lost[-1].state) if lost else "",
        heirs=heirs,
        near=near,
    )


def _removed(lost: Lost) -> str:
    words = " ".join(wording_of(lost.state).split())
    if lost.since < lost.edition:
        return f"first printed in {lost.edition}: “{words}”"
    return f"removed on {lost.since}; its last words, of {lost.edition}: “{words}”"


def _spans(base: Stored, word: str) -> list[str]:
    """Return the runs of editions that had a number or headword."""
    runs = joined((run.first, run.last) for run in base.runs(word))
    ends = [(base.labels[first], base.labels[last]) for first, last in runs]
    return [first if first == last else f"{first} to {last}" for first, last in ends]


def _near(word: str, states: Sequence[State]) -> list[str]:
    """Return the numbers that an edition prints before and after a missing one."""
    asked = RuleNumber.read(word)
    if asked is None:
        return []
    # Chapters, glossary entries and "306.b" have no rule number.
    numbers = sorted({n for n in (RuleNumber.read(state.number) for state in states) if n})
    before = [number for number in numbers if number < asked][-_NEAR_EACH_SIDE:]
    after = [number for number in numbers if number > asked][:_NEAR_EACH_SIDE]
    return [str(number) for number in (*before, *after)]


def _like(word: str, states: Sequence[State]) -> list[str]:
    """Return the headwords most like a missing headword, then titles with all its words."""
    if not word:
        return []
    folded = {state.heading.casefold(): state.heading for state in states if not state.number}
    close = difflib.get_close_matches(word, folded, n=3, cutoff=_MISSPELT_TERM)
    begin = [key for key in folded if key.startswith(word)][:3]
    near = [folded[key] for key in (*close, *begin)]
    return [*dict.fromkeys([*near, *_titles(word, states)])]


def _titles(words: str, states: Sequence[State]) -> Iterator[str]:
    """Yield the titles that have all words in some form, with their numbers."""
    stems = {stem_of(word) for word in words_of(words)}
    titled = {state.heading: state.number for state in reversed(states) if state.heading}
    fitting = [
        f"{number} {title}".strip()
        for title, number in titled.items()
        if stems and stems <= {stem_of(word) for word in words_of(title)}
    ]
    yield from sorted(fitting)[:_MOST_TITLES]


def _listed(spans: Sequence[str]) -> str:
    more = len(spans) - _MOST_SPANS
    shown = ", ".join(spans[-_MOST_SPANS:])
    return f"{shown} and {counted(more, 'earlier span')}" if more > 0 else shown
