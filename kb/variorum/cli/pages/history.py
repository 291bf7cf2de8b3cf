"""Format the history of a provision."""

from variorum.cli.pages.diff import named_examples, paragraph
from variorum.cli.pages.events import name, timeline
from variorum.cli.pages.subrules import set_subrules
from variorum.cli.pages.witnesses import count_witnesses
from variorum.rows import named
from variorum.terminal import bold
from variorum.text import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from variorum.records.lineage import History, OtherBearer

_SHORT = 160


def set_history(
    history: "History",
    *,
    width: int,
    is_full: bool = False,
) -> str:
    """Format the answer of `cr history`.

    Args:
        history: In the form of `cr history --json`.
        width: Columns of the terminal; 0 puts each paragraph on one line.
        is_full: Show today's words in full, and how subrules changed.
    """
    return "\n".join([*_lines(history, width, is_full=is_full), ""])


def _lines(
    history: "History",
    width: int,
    *,
    is_full: bool,
) -> "Iterator[str]":
    last, now, subrules = history.readings[-1], history.now, history.subrules
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    if last.heading and last.number:
        where = f"{last.heading} ({where})"
    first, *rest = paragraph(f"{name(last)}  {where}", 0, width)
    yield first.replace(name(last), bold(name(last)), 1)
    yield from rest
    yield ""
    if subrules:
        yield from set_subrules(history, subrules, width, is_full=is_full)
    else:
        yield from timeline(history, width)
    if last.text != last.heading:
        yield ""
        words = named_examples(last.text, last.examples)
        yield from paragraph(words if is_full else shortened(words, _SHORT), 2, width)
    yield from count_witnesses(history, last.number or name(last))
    if history.others:
        yield ""
        yield bold("Other rules that have had this number")
        yield from other_lines(history.others, width)


def other_lines(others: "list[OtherBearer]", width: int) -> "Iterator[str]":
    """Yield lines for each other bearer of a number: when it had the number, and its place now."""
    for bearer in others:
        until = bearer.to or "today"
        now, last = bearer.now, bearer.last
        if now is not None:
            outcome = f"now {named(now.number, now.term)}"
        else:
            outcome = f"last seen as {last.number or last.term} in {last.edition}"
        yield f"  {bearer.from_} to {until}: {outcome}"
        if bearer.text:
            yield from paragraph(shortened(bearer.text, _SHORT), 4, width)
