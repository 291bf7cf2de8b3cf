"""Set the life of a provision for a terminal or a pipe; without click, for the fast path."""

from variorum_kb.cli.pages.diff import bold, named_examples, paragraph
from variorum_kb.cli.pages.events import name, timeline
from variorum_kb.cli.pages.subrules import set_subrules
from variorum_kb.cli.pages.witnesses import list_attestations
from variorum_kb.rows import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from variorum_kb.forms.lineage import HistoryJson, OtherBearerJson
    from variorum_kb.forms.witness import AttestationJson

_SHORT = 160


def set_history(
    found: "HistoryJson", *, width: int, is_coloured: bool, is_full: bool = False
) -> str:
    """Set the answer of `cr history`.

    Args:
        found: In the form of `cr history --json`.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Numbers and the marks of word diffs.
        is_full: All words of today, and of subrules how they changed.
    """
    return "\n".join([*_lines(found, width, colour=is_coloured, is_full=is_full), ""])


def _lines(found: "HistoryJson", width: int, *, colour: bool, is_full: bool) -> "Iterator[str]":
    last, now, subrules = found["readings"][-1], found["now"], found["subrules"]
    where = f"today, in the edition of {now['edition']}" if now else f"until {last['to']}"
    if last["heading"] and last["number"]:
        where = f"{last['heading']} ({where})"
    first, *rest = paragraph(f"{name(last)}  {where}", 0, width, is_coloured=False)
    yield first.replace(name(last), bold(name(last), is_coloured=colour), 1)
    yield from rest
    yield ""
    if subrules:
        yield from set_subrules(found, subrules, width, colour=colour, is_full=is_full)
    else:
        yield from timeline(found, width, colour=colour)
    if last["text"] != last["heading"]:
        yield ""
        words = _words(named_examples(last["text"], last["examples"]), is_full=is_full)
        yield from paragraph(words, 2, width, is_coloured=False)
    if found["witnesses"]:
        yield ""
        yield bold("Other witnesses", is_coloured=colour)
        yield from _witnesses(found["witnesses"], width, colour=colour)
    if found["others"]:
        yield ""
        yield bold("Other rules that have had this number", is_coloured=colour)
        yield from other_lines(found["others"], width)


def _words(text: str, *, is_full: bool) -> str:
    """Return words whole, or so many of them as fit in two lines."""
    return text if is_full or len(text) <= _SHORT else f"{text[:_SHORT].rsplit(' ', 1)[0]} …"


def _witnesses(found: "list[AttestationJson]", width: int, *, colour: bool) -> "Iterator[str]":
    """Yield the lines of witnesses; of originals that agree, only how many there are."""
    told = [one for one in found if one["kind"] != "edition"]
    yield from list_attestations(told, {}, width, colour=colour)
    originals = [str(one["edition"]) for one in found if one["kind"] == "edition"]
    if originals:
        editions = ", ".join(dict.fromkeys(originals))
        yield f"  its words stand so in originals (Word, RTF, PDF) of {editions}"


def other_lines(others: "list[OtherBearerJson]", width: int) -> "Iterator[str]":
    """Yield the lines that say who else bore a number, when, and what that is now."""
    for other in others:
        yield from _other(other, width)


def _other(other: "OtherBearerJson", width: int) -> "Iterator[str]":
    until = other["to"] or "today"
    now, last = other["now"], other["last"]
    if now is not None:
        outcome = f"now {named(now['number'], now['term'])}"
    else:
        outcome = f"last seen as {last['number'] or last['term']} in {last['edition']}"
    yield f"  {other['from']} to {until}: {outcome}"
    text = _words(other["text"], is_full=False)
    yield from paragraph(text, 4, width, is_coloured=False)
