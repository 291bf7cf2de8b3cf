"""The error for a name that an edition lacks: which editions have it, and similar names."""

from variorum.answers.editions import EditionEntry
from variorum.answers.lookup import matches
from variorum.answers.questions import NUMBER, RANGE, WORDS, runs_backwards
from variorum.answers.stored import joined, runs_of
from variorum.errors import NotFoundError
from variorum.rows import wording_of
from variorum.store.reader import Reader
from variorum.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.moves import Lost
    from variorum.rows import State

# The least likeness, as `difflib` measures it, of an unknown headword to one that is suggested.
_MISSPELT_TERM = 0.6

_NEAR_EACH_SIDE = 2
_MOST_SPANS = 4
_MOST_TITLES = 3
_NEVER = "no edition has had this number"


def not_found(
    base: "KnowledgeBase",
    asked: tuple[str, str, str],
    edition: EditionEntry,
    lost: "Sequence[Lost]" = (),
    heirs: "Sequence[str]" = (),
) -> NotFoundError:
    """Return the error for a question that an edition cannot answer.

    The message names the editions that have it, and similar names.

    Args:
        base: An open base.
        asked: As `parse_question` returns it.
        edition: The edition asked about.
        lost: The provisions that the question names in other editions and that are gone here.
        heirs: For those that are not gone, their names here.
    """
    reader, editions = base.reader, base.editions
    kind, word, more = asked
    if runs_backwards(asked):
        return NotFoundError(
            f"{word}-{more}: runs backwards, {more} comes first; ask for {more}-{word}"
        )
    question = {NUMBER: f"{word}{more}", RANGE: f"{word}-{more}", WORDS: repr(word)}[kind]
    missing = more if kind == RANGE and _stands(reader, word, edition) else word
    spans = [] if _stands(reader, missing, edition) else _spans(reader, editions, missing)
    was = bool(lost or heirs or spans or kind != NUMBER or _stands(reader, missing, edition))
    parts = [f"{question}: {f'not in the edition of {edition.label}' if was else _NEVER}"]
    if spans and not lost:
        parts.append(f"printed in {_listed(spans)}")
    if heirs:
        parts.append(f"in that edition it is {' and '.join(heirs)}")
    near = _like(reader, word, edition) if kind == WORDS else _near(reader, missing, edition)
    likeliest = _stem(reader, word, edition) if not was else ""
    if likeliest:
        near = list(dict.fromkeys([likeliest, *near]))
        parts.append(f"did you mean {likeliest}")
    if near:
        parts.append(f"near: {', '.join(near)}")
    parts += [_removed(removal) for removal in lost]
    last = lost[-1] if lost else None
    return NotFoundError(
        "; ".join(parts),
        last_edition=last.edition if last else "",
        last_words=wording_of(last.state) if last else "",
        heirs=heirs,
        near=near,
    )


def _removed(lost: "Lost") -> str:
    words = " ".join(wording_of(lost.state).split())
    if lost.since < lost.edition:
        return f"first printed in {lost.edition}: “{words}”"
    return f"removed on {lost.since}; its last words, of {lost.edition}: “{words}”"


def _stands(reader: Reader, word: str, edition: EditionEntry) -> bool:
    return bool(matches(reader, word, edition.place))


def _spans(reader: Reader, editions: "Sequence[EditionEntry]", word: str) -> list[str]:
    """Return the runs of editions that had a number or headword."""
    runs = joined((run.first, run.last) for run in runs_of(reader, word))
    label = [edition.label for edition in editions]
    return [
        label[first] if first == last else f"{label[first]} to {label[last]}"
        for first, last in runs
    ]


def _near(reader: Reader, word: str, edition: EditionEntry) -> list[str]:
    """Return the numbers that an edition prints before and after a missing one."""
    from variorum.model import RuleNumber  # noqa: PLC0415 - imported on first use

    asked = RuleNumber.read(word)
    if asked is None:
        return []
    states = reader.states_in(edition.place)
    # Chapters, glossary entries and "306.b" have no rule number.
    numbers = sorted({n for n in (RuleNumber.read(state.number) for state in states) if n})
    before = [number for number in numbers if number < asked][-_NEAR_EACH_SIDE:]
    after = [number for number in numbers if number > asked][:_NEAR_EACH_SIDE]
    return [str(number) for number in (*before, *after)]


def _stem(reader: Reader, number: str, edition: EditionEntry) -> str:
    """Return the longest beginning of a number that an edition prints.

    Return "" if the edition prints none.
    """
    while number[-1:].isalpha():
        number = number[:-1]
        if _stands(reader, number, edition):
            return number
    return ""


def _like(reader: Reader, word: str, edition: EditionEntry) -> list[str]:
    """Return the headwords most like a missing headword, then titles with all its words."""
    if not word:
        return []
    import difflib  # noqa: PLC0415 - imported on first use

    states = reader.states_in(edition.place)
    terms = [state.heading for state in states if not state.number]
    folded = {term.casefold(): term for term in terms}
    close = difflib.get_close_matches(word, folded, n=3, cutoff=_MISSPELT_TERM)
    begin = [key for key in folded if key.startswith(word)][:3]
    near = [folded[key] for key in (*close, *begin)]
    return [*dict.fromkeys([*near, *_titles(word, states)])]


def _titles(words: str, states: "Sequence[State]") -> "Iterator[str]":
    """Yield the titles that have all words in some form, with their numbers."""
    from variorum.text import words_of  # noqa: PLC0415 - likewise
    from variorum.words import stem_of  # noqa: PLC0415 - imported on first use

    stems = {stem_of(word) for word in words_of(words)}
    titled = {state.heading: state.number for state in reversed(states) if state.heading}
    fitting = [
        f"{number} {title}".strip()
        for title, number in titled.items()
        if stems and stems <= {stem_of(word) for word in words_of(title)}
    ]
    yield from sorted(fitting)[:_MOST_TITLES]


def _listed(spans: "Sequence[str]") -> str:
    more = len(spans) - _MOST_SPANS
    shown = ", ".join(spans[-_MOST_SPANS:])
    return f"{shown} and {counted(more, 'earlier span')}" if more > 0 else shown
