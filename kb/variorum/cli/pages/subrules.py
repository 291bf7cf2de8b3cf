"""Format the history of a provision with its subrules, a line for each edition; without click."""

from itertools import groupby

from variorum.cli.pages.diff import diff_paragraph, marked, paragraph, with_examples_named
from variorum.cli.pages.events import MARGIN, Event, events, set_event
from variorum.cli.pages.steps import REMOVED
from variorum.rows import SHOWN_CERTAIN, named
from variorum.text import counted, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from variorum.records.lineage import History, Subrule, Subrules, SubrulesChanged, SubruleStep

_MOST_NAMES = 4
# The words for what happened, by label.
_LABELS = {
    "new": "new",
    "in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "out": "moved elsewhere",
    "parts out": "with words copied or moved elsewhere",
    "gone": REMOVED,
    "uncertain": "uncertain",
    "sweep": "with wording changed throughout",
    "citation_only": "only citing new numbers",
    "typographic": "changed in typography",
    "moved_only": "only renumbered",
}
_UNNAMED = ("sweep", "citation_only", "typographic", "moved_only")
# Without `is_full`, editions that changed only these are left out, if the number stayed.
_SLIGHT = ("citation_only", "typographic")


def set_subrules(
    history: "History", subrules: "Subrules", width: int, *, is_full: bool
) -> "Iterator[str]":
    """Yield the lines about what each edition changed in a provision and its subrules.

    Args:
        history: In the form of `cr history --json`.
        subrules: The steps of its subrules.
        width: Columns of the terminal; 0 puts each paragraph on one line.
        is_full: Also show how words changed, and list every edition and every number.
    """
    by_edition = {edition.edition: edition for edition in subrules.editions}
    own: dict[str, list[Event]] = {}
    listed_elsewhere = {
        name for edition in subrules.editions for step in edition.changes for name in step.to
    }
    for event in events(history, listed_elsewhere):
        own.setdefault(event.edition, []).append(event)
    number, slight = history.readings[0].number or "", 0
    for edition in sorted({*by_edition, *own}, key=_in_order):
        changed = by_edition.get(edition)
        heads = number, (changed.number if changed else "") or ""
        line = _event(edition, own.get(edition, []), changed, heads, is_full=is_full)
        number = heads[1] or number
        if line.number or line.words:
            yield from set_event(line, width)
            yield from line.announced_lines(width)
        else:
            slight += 1
        if is_full:
            yield from _words(own.get(edition, []), changed, width)
    if slight:
        yield ""
        words = f"{counted(slight, 'further edition')} changed only typography or cited numbers"
        yield from paragraph(words, 2, width)
    yield ""
    yield from _last(history, subrules.last, width, is_full=is_full)


def _in_order(edition: str) -> tuple[str, int]:
    day, _, issue = edition.partition(".")
    return day, int(issue or 0)


def _event(
    edition: str,
    own: list[Event],
    changed: "SubrulesChanged | None",
    heads: tuple[str, str],
    *,
    is_full: bool,
) -> Event:
    """Return the event of an edition: of the provision itself, then of its subrules."""
    words = [event.words for event in own if event.words and (is_full or not _is_slight(event))]
    number = next((event.number for event in own if event.number), "")
    announced = [announcement for event in own for announcement in event.announced]
    if changed:
        words += _counts(changed, heads, is_full=is_full)
    return Event(edition, number, "; ".join(words), [], announced)


def _is_slight(event: Event) -> bool:
    return not event.number and event.words in {f"({label.replace('_', '-')})" for label in _SLIGHT}


def _words(own: list[Event], changed: "SubrulesChanged | None", width: int) -> "Iterator[str]":
    """Yield the word diffs, the provision's own first."""
    for event in own:
        if event.pieces:
            yield from diff_paragraph(marked(event.pieces), MARGIN, width)
    for step in changed.changes if changed else ():
        if step.words:
            pieces = with_examples_named(step.words, *step.examples)
            text = f"{''.join(_name(step, ('', '')))}  {marked(pieces)}"
            yield from diff_paragraph(text, MARGIN, width)


def _counts(
    changed: "SubrulesChanged", heads: tuple[str, str], *, is_full: bool
) -> "Iterator[str]":
    """Yield the sorts of changes of subrules, with counts and some numbers."""
    by_label: dict[str, list[SubruleStep]] = {}
    for step in changed.changes:
        label = {"moved_in": "in", "moved_out": "out"}.get(step.sort, step.sort)
        label = "parts out" if label == "parts" and step.way == "out" else label
        by_label.setdefault(label, []).append(step)
    for label, words in _LABELS.items():
        steps = by_label.get(label, [])
        if not steps or (label in _SLIGHT and not is_full):
            continue
        if label in _UNNAMED:
            is_with_it = label == "moved_only" and heads[0] and heads[0] != heads[1]
            yield f"{len(steps):,} {words}{' with it' if is_with_it else ''}"
        else:
            yield f"{len(steps):,} {words} ({_names(steps, heads, is_full=is_full)})"


def _names(steps: "list[SubruleStep]", heads: tuple[str, str], *, is_full: bool) -> str:
    """Return the numbers of subrules; a new rule represents its subrules."""
    named_above = {step.to[0] if step.to else step.from_ for step in steps}
    above = [
        step
        for step in steps
        if step.sort not in {"new", "gone"} or _parent(step) not in named_above
    ]
    shown = above if is_full else above[:_MOST_NAMES]
    names = dict.fromkeys(_name(step, heads) for step in shown)
    groups = groupby(names, key=lambda pair: pair[1])
    listed = ", ".join([", ".join([words for words, _ in group]) + how for how, group in groups])
    more = len(above) - len(shown)
    return listed + (f" and {more:,} more" if more else "")


def _parent(step: "SubruleStep") -> str:
    name = (step.to[0] if step.to else step.from_) or ""
    stem = name.rstrip("abcdefghijklmnopqrstuvwxyz")
    return stem if stem != name else ""


def _name(step: "SubruleStep", heads: tuple[str, str]) -> tuple[str, str]:
    """Return a subrule's number, its former or new number, and today's."""
    old, new = step.from_ or "", step.to[0] if step.to else ""
    now = named(step.now.number, step.now.term) if step.now else ""
    words, how = new or old, ""
    if step.way == "out" or step.sort == "merged":
        sign = " into " if step.sort == "merged" else " → "
        words = f"the former {old}" if old in step.to else old
        how = f"{sign}{', '.join(step.to)}"
        how += f" (now {now})" if now and now not in step.to else ""
    elif old and new and old.removeprefix(heads[0]) != new.removeprefix(heads[1]):
        how = f" from {old}"
    doubt = step.confidence
    return words, how if doubt >= SHOWN_CERTAIN else f"{how} ({percent(doubt)} confidence)"


def _last(
    history: "History", last: "list[Subrule]", width: int, *, is_full: bool
) -> "Iterator[str]":
    """Yield the present numbers of the last edition's subrules."""
    if history.now:
        words = f"{counted(len(last), 'subrule')} today: {_span(last)}"
    else:
        rules = [subrule for subrule in last if is_full or subrule.number[-1:].isdigit()] or last
        words = f"Its subrules today: {', '.join([_outcome(subrule) for subrule in rules])}"
    yield from paragraph(words, 2, width)


def _span(last: "list[Subrule]") -> str:
    names = [subrule.number for subrule in last]
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" if names else "none"


def _outcome(subrule: "Subrule") -> str:
    now = subrule.now
    return f"{subrule.number} {'→ ' + named(now.number, now.term) if now else 'removed'}"
