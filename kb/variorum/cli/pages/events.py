"""Format what happened to a provision, by edition; without click."""

from typing import NamedTuple

from variorum.cli.pages.diff import diff_paragraph, marked, paragraph, with_examples_named
from variorum.cli.pages.provisions import WIDEST, wrap
from variorum.cli.pages.steps import CLASSES, REMOVED, step_words, with_doubt
from variorum.cli.pages.witnesses import announced_lines
from variorum.rows import named
from variorum.terminal import bold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from variorum.history.word_diffs.diff import Piece
    from variorum.records.lineage import History, Reading, Step
    from variorum.records.witness import Announcement

MARGIN = 14
_NAME = 12
# On a narrower page, numbers share a column with the words.
_NARROW = 70


class Event(NamedTuple):
    """What happened to a provision in an edition.

    Attributes:
        edition: Its label.
        number: The number or headword from then on; "" if unchanged.
        words: What happened.
        pieces: The word diff, if words changed.
        announced: What bulletins announced about it.
    """

    edition: str
    number: str
    words: str
    pieces: "Sequence[Piece]"
    announced: "list[Announcement]"

    def announced_lines(self, width: int) -> "Iterator[str]":
        """Yield the lines of what bulletins announced."""
        for line in announced_lines(self.announced):
            yield from paragraph(line, MARGIN, width)


def timeline(history: "History", width: int) -> "Iterator[str]":
    """Yield the lines of a history, each rewording with its word diff."""
    for event in events(history):
        yield from set_event(event, width)
        if event.pieces:
            yield from diff_paragraph(marked(event.pieces), MARGIN, width)
        yield from event.announced_lines(width)


def set_event(event: Event, width: int) -> "Iterator[str]":
    """Yield the lines of an event: its edition, the number from then on, and what happened."""
    number, words = event.number, event.words
    columns = min(width, WIDEST)
    if width and columns < _NARROW:
        first, *rest = wrap(f"{event.edition}  {number}  {words}".rstrip(), columns - 2, 2)
        line = first.replace(number, bold(number), 1) if number else first
        yield from (f"  {line}", *(f"    {part}" for part in rest))
        return
    shown = bold(number) + " " * max(2, _NAME - len(number))
    start = f"  {event.edition:<{MARGIN - 2}}{shown if number else ' ' * _NAME}"
    used = MARGIN + max(_NAME, len(number) + 2 if number else 0)
    first, *rest = wrap(words, columns - used, _NAME + MARGIN - used) if width else [words]
    yield f"{start}{first}".rstrip()
    yield from (" " * (MARGIN + _NAME) + line for line in rest)


def events(history: "History", listed_elsewhere: "Collection[str]" = ()) -> "Iterator[Event]":
    """Yield the events of a provision without its subrules, oldest first.

    Args:
        history: In the form of `cr history --json`.
        listed_elsewhere: Names of parts that the page lists elsewhere.
    """
    readings = history.readings
    shown = readings[0]
    if not any(step.to_edition == shown.from_ for step in history.steps):
        yield Event(shown.from_, name(shown), "the first edition", [], [])
    before: Reading | None = None
    for step in history.steps:
        edition, announced = step.to_edition, step.announced
        reading = next((candidate for candidate in readings if candidate.from_ == edition), None)
        is_own = reading is not None and name(reading) in step.to
        if reading is None or not is_own or reading is before:
            if step.to != [step.from_] or step.kinds != ["kept"]:
                words = with_doubt(_beside(step), step)
                yield Event(edition, "", words, [], announced)
            continue
        previous = readings[readings.index(reading) - 1] if reading is not readings[0] else None
        moved = previous is None or name(previous) != name(reading)
        number = name(reading) if moved else ""
        examples = 0 if previous is None else previous.examples, reading.examples
        pieces = with_examples_named(reading.words, *examples)
        words = with_doubt(_event_words(step, reading, listed_elsewhere), step)
        yield Event(edition, number, words, pieces, announced)
        before = reading


def name(reading: "Reading") -> str:
    """Return the number of a reading, or the headword of a glossary entry."""
    return named(reading.number, reading.term)


def _event_words(step: "Step", reading: "Reading", listed_elsewhere: "Collection[str]") -> str:
    if step.from_ is None:
        return "new"
    if step.to[0] != name(reading):
        is_copy = "copied" in step.kinds
        unsaid = {name(reading), *listed_elsewhere, step.from_}
        others = ", ".join([number for number in step.to if number not in unsaid])
        how, elsewhere = ("copied", "also in ") if is_copy else ("split off", "other parts: ")
        return f"{how} from {step.from_}{f'; {elsewhere}{others}' if others else ''}"
    kinds = [kind for kind in step.kinds if kind != "kept"]
    words = step_words(kinds, step.from_, step.to[0])
    parts = [", ".join(words)] if words else []
    if step.class_ in CLASSES:
        parts.append(CLASSES[step.class_])
    elif step.class_ and not kinds:
        parts.append("cites something else")
    others = ", ".join([number for number in step.to[1:] if number not in listed_elsewhere])
    if others:
        parts.append(f"with {others}")
    return " ".join(parts) or "unchanged"


def _beside(step: "Step") -> str:
    """Return the words for what happened to a related provision, or for the end of a history."""
    kinds = set(step.kinds)
    if not step.to:
        return REMOVED
    to = ", ".join(step.to)
    if "merged" in kinds:
        return f"{step.from_} was merged into {to}"
    if "uncertain" in kinds:
        return f"uncertain: {step.from_} may have become {' or '.join(step.to)}"
    words = step_words(sorted(kinds - {"kept"}), step.from_, step.to[0])
    return f"{', '.join(words) or 'kept'}: {step.from_} became {to}"
