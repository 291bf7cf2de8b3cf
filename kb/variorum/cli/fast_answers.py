"""Histories, `cr where` and searches without click, which takes long to import.

Each function takes the arguments of a command, prints the answer, and returns whether it could;
otherwise it prints nothing. Everything that the full command imports is imported, except click.
"""

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.question_parser import parse_questions
from variorum.cli.clock import today
from variorum.cli.fast_path import json_page, read_arguments, tell_notes, write_page
from variorum.cli.pages.provisions import edition_line, terminal_page
from variorum.errors import VariorumError
from variorum.system.terminal import is_coloured, is_paged, page_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # The JSON of an answer, and a function that formats its page for a width; None if the full
    # command must answer.
    Answer = tuple[object, Callable[[int], str]] | None


def history_quickly(arguments: list[str]) -> bool:
    """Answer `cr history`."""
    from variorum.cli.pages.blame import set_blame
    from variorum.cli.pages.history import set_history

    given = {"--only", "--full", "--words"}.intersection(arguments)
    is_alone, is_full = "--only" in given, "--full" in given
    if {"--full", "--words"} <= given:
        return False

    def answer(base: KnowledgeBase, words: str, on: str) -> "Answer":
        if "--words" in given:
            blame = base.subject(words, on or None).blame(is_alone=is_alone)
            return blame, lambda width: set_blame(blame, width=width)
        history = base.subject(words, on or None).history(is_alone=is_alone, is_full=is_full)
        return history, lambda width: set_history(history, width=width, is_full=is_full)

    return _tell([word for word in arguments if word not in given], answer)


def where_quickly(arguments: list[str]) -> bool:
    """Answer `cr where`."""
    from variorum.cli.pages.where import set_where

    editions, rest = {"--from": "", "--to": "current"}, [*arguments]
    for name in editions:
        if rest.count(name) == 1 and rest.index(name) + 1 < len(rest):
            place = rest.index(name)
            editions[name] = rest[place + 1]
            del rest[place : place + 2]
    start, stop = editions.values()

    def answer(base: KnowledgeBase, words: str, on: str) -> "Answer":
        if start and on:
            return None
        target = base.edition(stop)
        rows = [
            row
            for question in parse_questions(words)
            for row in base.subjects.where(question, start or on or None, target)
        ]
        is_found = any(row["new"] for row in rows)
        return (rows, lambda width: set_where(rows, target, width=width)) if is_found else None

    return _tell(rest, answer)


def search_quickly(arguments: list[str]) -> bool:
    """Answer `cr search`, unless an index must be built first."""
    from variorum.cli.pages.search import set_hits
    from variorum.search.answer import Search
    from variorum.search.search_options import SearchOptions

    def answer(base: KnowledgeBase, words: str, on: str) -> "Answer":
        with Search(base, _refuse_to_build) as search:
            results = search.search(SearchOptions(words, on or None))
            line, labels = edition_line(base.edition(on or "current")), base.labels
        if not results.hits:
            return None
        return results, lambda width: set_hits(
            results, line, labels, width=width, is_coloured=is_coloured()
        )

    return _tell(arguments, answer)


def _refuse_to_build(line: str) -> None:
    raise VariorumError(line)


ANSWERED = {
    "history": history_quickly,
    "where": where_quickly,
    "search": search_quickly,
}


def _tell(arguments: list[str], answer: "Callable[[KnowledgeBase, str, str], Answer]") -> bool:
    """Print an answer and notes; return False if the full command must, or if it needs the pager.

    Args:
        arguments: Those that `read_arguments` understands.
        answer: Answers a question from a base, by the edition named, "" if none is.
    """
    asked = read_arguments(arguments)
    if asked is None:
        return False
    words, on, folder, as_json = asked
    try:
        with KnowledgeBase.open(folder or None, today=today()) as base:
            answered = answer(base, words, on)
            if answered is None:
                return False
            form, set_page = answered
            text = json_page(form) if as_json else terminal_page(set_page(page_width()))
            notes = [] if as_json else base.day_notes()
    except VariorumError:
        return False  # the full command reports that
    if not as_json and is_paged(text):
        return False
    write_page(text)
    tell_notes(notes)
    return True
