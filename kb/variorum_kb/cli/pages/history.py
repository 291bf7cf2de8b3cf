"""Set the life of a provision for a terminal or a pipe; without click, for the fast path."""

from collections.abc import Iterator

from variorum_kb.cli.pages.diff import bold, marked, paragraph
from variorum_kb.cli.pages.witnesses import announced_lines, list_attestations
from variorum_kb.rows import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum_kb.forms.lineage import HistoryJson, OtherBearerJson, ReadingJson, StepJson
    from variorum_kb.forms.witness import AttestationJson

_DATE = 14
_NAME = 12
_SHORT = 160


def set_history(found: "HistoryJson", *, width: int, is_coloured: bool) -> str:
    """Set the answer of `cr history`.

    Args:
        found: In the form of `cr history --json`.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Numbers and the marks of word diffs.
    """
    return "\n".join([*_lines(found, width, colour=is_coloured), ""])


def _lines(found: "HistoryJson", width: int, *, colour: bool) -> Iterator[str]:
    last = found["readings"][-1]
    now = found["now"]
    where = f"today, in the edition of {now['edition']}" if now else f"until {last['to']}"
    yield f"{bold(name(last), is_coloured=colour)}  {where}"
    text = last["text"] if last["text"] == last["heading"] else _whole(last)
    yield from paragraph(text, 2, width, is_coloured=False)
    yield ""
    yield from timeline(found, width, colour=colour)
    if found["witnesses"]:
        yield ""
        yield bold("Other witnesses", is_coloured=colour)
        yield from _witnesses(found["witnesses"], width, colour=colour)
    if found["others"]:
        yield ""
        yield bold("The number was also borne by", is_coloured=colour)
        for other in found["others"]:
            yield from _other(other, width)


def _whole(reading: "ReadingJson") -> str:
    heading = reading["heading"]
    is_entry = reading["number"] is None
    return f"{heading}\n{reading['text']}" if heading and not is_entry else reading["text"]


def name(reading: "ReadingJson") -> str:
    """Return the number of a reading, of a glossary entry its headword."""
    return named(reading["number"], reading["term"])


def timeline(found: "HistoryJson", width: int, *, colour: bool) -> Iterator[str]:
    """Yield the lines that say when what happened, each rewording with its words.

    Args:
        found: In the form of `cr history --json`.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        colour: Numbers and the marks of word diffs.
    """
    readings = found["readings"]
    shown = readings[0]
    if not any(step["to_edition"] == shown["from"] for step in found["steps"]):
        yield _event(shown["from"], name(shown), "the first edition", colour=colour)
    before: ReadingJson | None = None
    for step in found["steps"]:
        reading = next((one for one in readings if one["from"] == step["to_edition"]), None)
        is_own = reading is not None and name(reading) in step["to"]
        if reading is None or not is_own or reading is before:
            if not _is_dull(step):
                yield _event(step["to_edition"], "", _beside(step), colour=colour)
                yield from _announced(step, width)
            continue
        previous = readings[readings.index(reading) - 1] if reading is not readings[0] else None
        moved = previous is None or name(previous) != name(reading)
        words = _what(step, reading)
        yield _event(step["to_edition"], name(reading) if moved else "", words, colour=colour)
        if reading["words"]:
            yield from paragraph(marked(reading["words"]), _DATE, width, is_coloured=colour)
        yield from _announced(step, width)
        before = reading


def _witnesses(found: "list[AttestationJson]", width: int, *, colour: bool) -> Iterator[str]:
    """Yield the lines of witnesses; of originals that agree, only how many there are."""
    told = [one for one in found if one["kind"] != "edition"]
    yield from list_attestations(told, {}, width, colour=colour)
    originals = [str(one["edition"]) for one in found if one["kind"] == "edition"]
    if originals:
        editions = ", ".join(dict.fromkeys(originals))
        yield f"  its words stand so in originals (Word, RTF, PDF) of {editions}"


def _announced(step: "StepJson", width: int) -> Iterator[str]:
    for line in announced_lines(step["announced"]):
        yield from paragraph(line, _DATE, width, is_coloured=False)


def _is_dull(step: "StepJson") -> bool:
    """Say whether neither words nor number changed: what changed is beside the reading."""
    return step["to"] == [step["from"]] and step["kinds"] == ["kept"]


def _event(edition: str, number: str, words: str, *, colour: bool) -> str:
    shown = bold(number, is_coloured=colour) + " " * max(2, _NAME - len(number))
    return f"  {edition:<{_DATE - 2}}{shown if number else ' ' * _NAME}{words}".rstrip()


def _what(step: "StepJson", reading: "ReadingJson") -> str:
    if step["from"] is None:
        return "new"
    if step["to"][0] != name(reading):
        others = ", ".join([one for one in step["to"] if one != name(reading)])
        how = "copied" if "copied" in step["kinds"] else "split off"
        return f"{how} from {step['from']}, beside {others}"
    kinds = [kind for kind in step["kinds"] if kind != "kept"]
    parts = [", ".join(kinds)] if kinds else []
    if step["class"] and step["class"] != "substantive":
        parts.append(f"({step['class']})")
    elif step["class"] and not kinds:
        parts.append("cites something else")
    if len(step["to"]) > 1:
        parts.append(f"with {', '.join(step['to'][1:])}")
    return " ".join(parts) or "unchanged"


def _beside(step: "StepJson") -> str:
    """Say what happened to a relative, or at the end."""
    kinds = set(step["kinds"])
    if not step["to"]:
        return "gone"
    to = ", ".join(step["to"])
    if "merged" in kinds:
        return f"{step['from']} was merged into {to}"
    if "uncertain" in kinds:
        return f"uncertain: {step['from']} may have become {' or '.join(step['to'])}"
    return f"{', '.join(sorted(kinds - {'kept'})) or 'kept'}: {step['from']} became {to}"


def _other(other: "OtherBearerJson", width: int) -> Iterator[str]:
    until = other["to"] or "today"
    now, last = other["now"], other["last"]
    if now is not None:
        outcome = f"now {named(now['number'], now['term'])}"
    else:
        outcome = f"last seen as {last['number'] or last['term']} in {last['edition']}"
    yield f"  {other['from']} to {until}: {outcome}"
    text = other["text"]
    short = text if len(text) <= _SHORT else f"{text[:_SHORT].rsplit(' ', 1)[0]} …"
    yield from paragraph(short, 4, width, is_coloured=False)
