"""Format terms and their glossary entries."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from variorum.cli.pages.events import name, timeline
from variorum.cli.pages.provisions import WIDEST, indented, wrap
from variorum.terminal import bold, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum.answers.glossary import Gloss
    from variorum.records.lineage import History, Step
    from variorum.records.provision import EntryRule

_WIDEST_TERM = 26
_MOST_EVENTS = 6
# Rewordings that readers would not call changes.
_SLIGHT = frozenset({"typographic", "citation-only"})


def set_terms(glosses: Iterable["Gloss"], *, width: int) -> list[str]:
    """Format terms, a line each, with the rule that the entry refers to, or its first sentence.

    Args:
        glosses: In the order of printing.
        width: Columns of the terminal; 0 shows whole sentences.
    """
    listed = list(glosses)
    if not listed:
        return ["No term of the glossary is used here."]
    width = min(width, WIDEST)
    room = min(max(len(gloss.term) for gloss in listed), _WIDEST_TERM) if width else 0
    lines = [bold("Terms")]
    for gloss in listed:
        words = _named(gloss.rule, gloss.heading, gloss.under) if gloss.rule else gloss.sentence
        rest = " " * (room - len(gloss.term)) + f"  {words}"
        line = _cut(f"  {gloss.term}{rest}", width)
        if line.startswith(f"  {gloss.term}"):
            line = f"  {bold(gloss.term)}{line[2 + len(gloss.term) :]}"
        lines.append(line)
    return lines


def _cut(line: str, width: int) -> str:
    if not width or len(line) <= width:
        return line
    return f"{line[: width - 2].rsplit(' ', 1)[0].rstrip(' ,;')} …"


def set_entry(
    rules: Sequence["EntryRule"],
    history: "History",
    more: str,
    *,
    width: int,
) -> list[str]:
    """Format what belongs to a glossary entry: the rules it names and a short history.

    Args:
        rules: In the order the entry prints them.
        history: In the form of `cr history --json`.
        more: The command that prints the whole history.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    width = min(width, WIDEST)
    lines: list[str] = []
    if rules:
        lines.append(bold("cites:"))
        shown = dict.fromkeys(_rule(rule) for rule in rules)
        for words in shown:
            lines += [f"  {line}" for line in (wrap(words, width - 2, 2) if width else [words])]
        lines.append("")
    return [*lines, *_life(history, more, width)]


def _rule(rule: "EntryRule") -> str:
    targets = rule.targets
    if not targets:
        return f"{rule.text}  dangling"
    number = targets[0] if len(targets) == 1 else rule.text
    dangling = "" if rule.status == "resolved" else "  dangling in part"
    return _named(number, rule.heading, rule.under) + dangling


def _named(number: str, heading: str, under: str | None) -> str:
    """Return a number with its heading, or with the heading above it."""
    if not heading:
        return number
    return f"{number} ({under}. {heading})" if under else f"{number}. {heading}"


def _life(history: "History", more: str, width: int) -> Iterator[str]:
    entries = [reading for reading in history.readings if reading.number is None]
    first, last = entries[0].from_, entries[-1].to
    when = f"from {first} to {last}" if last else f"since {first}"
    yield bold(f"in the glossary {when}:")
    # `cr history` shows the words of each change.
    bare = replace(history, readings=[replace(reading, words=[]) for reading in history.readings])
    number = len(list(timeline(bare, 0)))
    bare = replace(bare, steps=[step for step in history.steps if not _is_slight(step)])
    lines = list(timeline(bare, 0))
    listed = lines if len(lines) <= _MOST_EVENTS else [lines[0], *lines[1 - _MOST_EVENTS :]]
    for line in listed:
        plain = shown(line)
        yield from [line] if not width or len(plain) <= width else wrap(plain, width)
    if number > len(listed):
        yield f"  … {number - len(listed)} more: {more}"


def _is_slight(step: "Step") -> bool:
    return step.class_ in _SLIGHT and step.to == [step.from_]


def set_former(history: "History", label: str, heirs: Sequence[str], *, width: int) -> str:
    """Format what happened to an entry that the current glossary no longer has.

    Args:
        history: In the form of `cr history --json`.
        label: The label of the last edition that has its headword.
        heirs: Today's numbers of the provisions that were copied or split off from it.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    last = history.readings[-1]
    outcome = f"today it is {name(last)}"
    if history.now is None:
        outcome = "it no longer exists"
        if last.to != label:
            outcome = f"it was last seen as {name(last)} in the edition of {last.to}"
    if heirs:
        outcome += f", but parts of it are {', '.join(heirs)} today"
    words = f"Not in today's glossary; this is the edition of {label}, the last that had it. {outcome[0].upper()}{outcome[1:]}."
    return "\n".join([*indented(words, width), "", ""])
