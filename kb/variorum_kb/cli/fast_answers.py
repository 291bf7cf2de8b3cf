"""Histories, blame, `cr where` and searches without click, which takes long to import."""

from variorum_kb.answers.asked import parse_questions
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.clock import today
from variorum_kb.cli.fast_path import read_arguments, tell_notes, write_page
from variorum_kb.cli.pages.provisions import edition_line, fitted
from variorum_kb.cli.witness_files import file_names_of
from variorum_kb.errors import VariorumError
from variorum_kb.system.default_folders import base_folder
from variorum_kb.system.terminal import is_coloured, is_paged, page_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from variorum_kb.forms.lineage import BlameJson, HistoryJson


def tell_quickly(arguments: list[str], *, is_blame: bool) -> bool:
    """Print the history or the blame of a provision; return whether the fast path could give it.

    Like `answer_quickly`, but imports everything that the full command does except click.
    """
    is_alone, is_full = "--only" in arguments, "--full" in arguments
    switches = ("--only",) if is_blame else ("--only", "--full")
    asked = read_arguments([word for word in arguments if word not in switches])
    if asked is None:
        return False
    words, on, folder, as_json = asked
    try:
        with KnowledgeBase.open(folder or None, today=today()) as base:
            subject = base.subject(words, on or None)
            notes = base.day_notes()
            if is_blame:
                return _put_blame(subject.blame(is_alone=is_alone), notes, as_json=as_json)
            history = subject.history(is_alone=is_alone, is_full=is_full)
            names = {} if as_json else file_names_of(base, history["witnesses"])
    except VariorumError:
        return False  # the full command reports that
    if as_json:
        return _put_json(history)
    return _put_history(history, names, notes, is_full=is_full)


def _put_blame(blame: "BlameJson", notes: "list[str]", *, as_json: bool) -> bool:
    from variorum_kb.cli.pages.blame import set_blame

    if as_json:
        return _put_json(blame)
    return _put(
        lambda columns, is_coloured: set_blame(blame, width=columns, is_coloured=is_coloured),
        notes,
    )


def _put_history(
    history: "HistoryJson", names: dict[str, str], notes: "list[str]", *, is_full: bool
) -> bool:
    from variorum_kb.cli.pages.history import set_history

    return _put(
        lambda columns, is_coloured: set_history(
            history, names, width=columns, is_coloured=is_coloured, is_full=is_full
        ),
        notes,
    )


def where_quickly(arguments: list[str]) -> bool:
    """Print a provision's number in another edition; return whether the fast path could.

    Like `answer_quickly`, but imports everything that the full command does except click.
    """
    from variorum_kb.cli.pages.where import set_where

    start, stop, rest = "", "current", [*arguments]
    for name in ("--from", "--to"):
        if rest.count(name) == 1 and rest.index(name) + 1 < len(rest):
            place = rest.index(name)
            start, stop = (rest[place + 1], stop) if name == "--from" else (start, rest[place + 1])
            del rest[place : place + 2]
    asked = read_arguments(rest)
    if asked is None or (start and asked[1]):
        return False
    words, on, folder, as_json = asked
    start = start or on
    try:
        with KnowledgeBase.open(folder or None, today=today()) as base:
            target = base.edition(stop)
            rows = [
                row
                for question in parse_questions(words)
                for row in base.subjects.where(question, start or None, target)
            ]
            notes = base.day_notes()
    except VariorumError:
        return False  # the full command reports that
    if not any(row["new"] for row in rows):
        return False
    if as_json:
        return _put_json(rows)
    return _put(lambda columns, _: set_where(rows, target, width=columns), notes)


def search_quickly(arguments: list[str]) -> bool:
    """Print the results of a search; return whether the fast path could give them.

    Like `answer_quickly`, but imports everything that the full command does except click.
    """
    from variorum_kb.cli.pages.search import set_hits
    from variorum_kb.search.answer import Search, Wish

    asked = read_arguments(arguments)
    if asked is None:
        return False
    words, on, folder, as_json = asked
    folder = str(base_folder(folder))
    try:
        base = KnowledgeBase.open(folder, today=today())
        with Search(base, _leave_it) as search:
            results = search.search(Wish(words, on or None))
            edition, labels = base.edition(on or "current"), base.labels
            notes = base.day_notes()
    except VariorumError:
        return False  # the full command reports that, or builds the index
    if not results["hits"]:
        return False
    if as_json:
        return _put_json(results)
    line = edition_line(edition)
    return _put(
        lambda columns, is_coloured: set_hits(
            results, line, labels, width=columns, is_coloured=is_coloured
        ),
        notes,
    )


def _leave_it(line: str) -> None:
    """Stop before an index is built: the full command builds it and reports that."""
    raise VariorumError(line)


def _put_json(answer: object) -> bool:
    import json

    write_page(json.dumps(answer, ensure_ascii=False, indent=1) + "\n")
    return True


def _put(set_page: "Callable[[int, bool], str]", notes: "list[str]") -> bool:
    """Print a page and notes; return False, printing nothing, if the page needs the pager."""
    text = fitted(set_page(page_width(), is_coloured()), page_width())
    if is_paged(text):
        return False
    write_page(text)
    tell_notes(notes)
    return True
