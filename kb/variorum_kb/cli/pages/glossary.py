"""Set terms, and what the glossary says of them, for a terminal or a pipe."""

from collections.abc import Iterable, Iterator, Sequence

from variorum_kb.cli.pages.diff import bold
from variorum_kb.cli.pages.events import name, timeline
from variorum_kb.cli.pages.provisions import WIDEST, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum_kb.answers.glossary.entries import Gloss
    from variorum_kb.forms.lineage import HistoryJson, ReadingJson, StepJson
    from variorum_kb.forms.provision import EntryRuleJson

_WIDEST_TERM = 26
_MOST_EVENTS = 6
# Rewordings that no reader would call one.
_SLIGHT = frozenset({"typographic", "citation-only"})


def set_terms(glosses: Iterable["Gloss"], *, width: int, is_coloured: bool) -> list[str]:
    """Set terms, each with the rule its entry sends to or its first sentence, a line each.

    Args:
        glosses: In the order in which they are to stand.
        width: Of the terminal, in columns; 0 sets a whole sentence.
        is_coloured: Terms stand out.
    """
    found = list(glosses)
    if not found:
        return ["No term of the glossary is used here."]
    width = min(width, WIDEST)
    room = min(max(len(one.term) for one in found), _WIDEST_TERM) if width else 0
    lines = [bold("Terms", is_coloured=is_coloured)]
    for one in found:
        words = _named(one.rule, one.heading, one.under) if one.rule else one.sentence
        rest = " " * (room - len(one.term)) + f"  {words}"
        line = _cut(f"  {one.term}{rest}", width)
        is_whole = is_coloured and line.startswith(f"  {one.term}")
        lines.append(
            f"  {bold(one.term, is_coloured=True)}{line[2 + len(one.term) :]}" if is_whole else line
        )
    return lines


def _cut(line: str, width: int) -> str:
    if not width or len(line) <= width:
        return line
    return f"{line[: width - 2].rsplit(' ', 1)[0].rstrip(' ,;')} …"


def set_entry(
    rules: Sequence["EntryRuleJson"],
    history: "HistoryJson",
    more: str,
    *,
    width: int,
    is_coloured: bool,
) -> list[str]:
    """Set what belongs to a glossary entry: the rules it names, and its life in short.

    Args:
        rules: In the order the entry prints them.
        history: In the form of `cr history --json`.
        more: The command that tells the whole life.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Headings and numbers stand out.
    """
    width = min(width, WIDEST)
    lines: list[str] = []
    if rules:
        lines.append(bold("names:", is_coloured=is_coloured))
        shown = dict.fromkeys(_rule(one) for one in rules)
        for words in shown:
            lines += [f"  {line}" for line in (wrap(words, width - 2, 2) if width else [words])]
        lines.append("")
    return [*lines, *_life(history, more, width, is_coloured=is_coloured)]


def _rule(one: "EntryRuleJson") -> str:
    targets = one["targets"]
    if not targets:
        return f"{one['text']}  dangling"
    number = targets[0] if len(targets) == 1 else one["text"]
    dangling = "" if one["status"] == "resolved" else "  dangling in part"
    return _named(number, one["heading"], one["under"]) + dangling


def _named(number: str, heading: str, under: str | None) -> str:
    """Set a number with its heading, or with what it stands under."""
    if not heading:
        return number
    return f"{number} ({under}. {heading})" if under else f"{number}. {heading}"


def _life(history: "HistoryJson", more: str, width: int, *, is_coloured: bool) -> Iterator[str]:
    entries = [one for one in history["readings"] if one["number"] is None]
    first, last = entries[0]["from"], entries[-1]["to"]
    when = f"from {first} to {last}" if last else f"since {first}"
    yield bold(f"in the glossary {when}:", is_coloured=is_coloured)
    # The words of each change are for `cr history`.
    readings: list[ReadingJson] = [{**one, "words": []} for one in history["readings"]]
    bare: HistoryJson = {**history, "readings": readings}
    number = len(list(timeline(bare, 0, colour=False)))
    bare["steps"] = [step for step in history["steps"] if not _is_slight(step)]
    plain = list(timeline(bare, 0, colour=False))
    shown = list(timeline(bare, 0, colour=True)) if is_coloured else plain
    places = range(len(plain))
    told = places if len(plain) <= _MOST_EVENTS else [0, *places[1 - _MOST_EVENTS :]]
    for place in told:
        fits = not width or len(plain[place]) <= width
        yield from [shown[place]] if fits else wrap(plain[place], width)
    if number > len(told):
        yield f"  … {number - len(told)} more: {more}"


def _is_slight(step: "StepJson") -> bool:
    return step["class"] in _SLIGHT and step["to"] == [step["from"]]


def set_former(history: "HistoryJson", label: str, heirs: Sequence[str], *, width: int) -> str:
    """Say of an entry that the current glossary has no more what became of it.

    Args:
        history: In the form of `cr history --json`.
        label: Of the last edition that has its headword.
        heirs: The numbers that bear today what was copied or split off from it.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
    """
    last = history["readings"][-1]
    outcome = f"today it is {name(last)}"
    if history["now"] is None:
        outcome = "it is no more"
        if last["to"] != label:
            outcome = f"it was last seen as {name(last)} in that of {last['to']}"
    if heirs:
        outcome += f", but parts of it are {', '.join(heirs)} today"
    words = f"No headword today; this is the edition of {label}, the last that had it. {outcome[0].upper()}{outcome[1:]}."
    return "\n".join([*(wrap(words, min(width, WIDEST)) if width else [words]), "", ""])
