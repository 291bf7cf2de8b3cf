"""The fast path: look-ups and citations without click."""

import os
import sys
from _sqlite3 import DatabaseError

from msgspec import structs

from variorum.answers.edition_designators import day_note
from variorum.answers.lookup import (
    children,
    find_states,
    named_edition,
    open_plain,
    path,
    shown_json,
)
from variorum.answers.question_parser import asked_for, parse_questions
from variorum.cli.clock import today_words
from variorum.cli.pages.moves import earlier_lines
from variorum.cli.pages.provisions import edition_line, fitted, set_matches, terminal_page
from variorum.record import Record
from variorum.records.answer import json_text
from variorum.system.default_folders import FILE, base_folder
from variorum.system.terminal import is_coloured, is_paged, note_width, page_width, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from variorum.answers.earlier import Earlier
    from variorum.answers.lookup import Known
    from variorum.answers.namesakes import Namesake
    from variorum.answers.numbers_elsewhere import Move
    from variorum.rows import Row


def answer_quickly(arguments: list[str], *, is_refs: bool) -> bool:
    """Print the answer to a look-up; return whether the fast path could give it.

    Print nothing if the full command must answer: without a base, edition or provision, with other
    options, or if the answer needs the pager.
    """
    asked = read_arguments(arguments)
    if asked is None:
        return False
    words, on, folder, as_json = asked
    connection = open_plain(os.path.join(base_folder(folder), FILE))  # noqa: PTH118
    if connection is None:
        return False
    columns = page_width()
    try:
        answers = _find(connection, words, on)
        if not answers or (
            is_refs and any(answer.edition != answers[0].edition for answer in answers)
        ):
            return False
        if is_refs:
            text = _refs(connection, answers, columns, as_json=as_json)
        else:
            text = _json(connection, answers) if as_json else _pages(connection, answers, columns)
    except DatabaseError:
        return False  # damaged: the full command reports that
    if not as_json:
        text = terminal_page(text)
        if is_paged(text):
            return False
        _tell_moves(answers, _find_namesakes(connection, answers))
    write_page(text)
    if not as_json:
        named = [(answer.designator, answer.edition) for answer in answers]
        tell_notes([day_note(*designated) for designated in [*named, (on, answers[0].edition)]])
    return True


def _tell_moves(answers: "list[Answer]", namesakes: "list[Namesake]") -> None:
    moved = [answer.move for answer in answers if answer.move is not None]
    if moved or namesakes:
        from variorum.cli.pages.moves import move_lines, namesake_lines

        tell_notes([*move_lines(moved), *namesake_lines(namesakes)])


def _find_namesakes(connection: "Connection", answers: "list[Answer]") -> "list[Namesake]":
    """Return the current bearers of numbers that belong to other provisions in the given edition."""
    dated = [answer for answer in answers if answer.designator != "current"]
    current = named_edition(connection, "current", today_words()) if dated else None
    if current is None:
        return []
    from variorum.answers.namesakes import find_namesakes

    shown: dict[tuple[tuple[str, str, str], int], list[int]] = {}
    for answer in dated:
        shown.setdefault((answer.question, answer.edition.place), []).append(answer.state.id)
    return [
        namesake
        for (question, place), states in shown.items()
        for namesake in find_namesakes(connection, question, states, current.place, place)
    ]


def tell_notes(notes: "Iterable[str]") -> None:
    """Print notes on stderr, each once."""
    lines = dict.fromkeys([f"cr: {note}\n" for note in notes if note])
    if lines:
        sys.stderr.write(shown(fitted("".join(lines), note_width(sys.stderr))))
        sys.stderr.flush()


def write_page(text: str) -> None:
    """Print a text; a closed pipe, as in `cr 702 | head`, is not an error."""
    try:
        page = shown(text, is_coloured=is_coloured())
        if sys.stdout.isatty():
            sys.stdout.write(page)
        else:
            sys.stdout.buffer.write(page.encode())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        from variorum.exit_codes import INPUT_OUTPUT

        sys.stderr.write(f"cr: cannot write: {error.strerror}\n")
        os._exit(INPUT_OUTPUT)  # the rest of the buffer can't be written either


def read_arguments(arguments: list[str]) -> tuple[str, str, str, bool] | None:
    """Return question, designator, folder and whether to print JSON; None for other options."""
    options = {"--on": "", "--kb": ""}
    words: list[str] = []
    as_json = False
    rest = iter(arguments)
    for word in rest:
        if word in options:
            options[word] = next(rest, "")
            if not options[word].strip():
                return None
        elif word == "--json":
            as_json = True
        elif word[:1] == "-":
            return None
        else:
            words.append(word)
    return (" ".join(words), options["--on"], options["--kb"], as_json) if words else None


class Answer(Record):
    """A provision in an answer.

    Attributes:
        edition: The edition in which it is shown.
        question: The question that named it, as `parse_question` gives it.
        designator: The designator of the edition, as the user wrote it.
        state: The state of the provision in that edition.
        below: The provisions directly below it.
        move: The change from the number or headword asked for; None if it is the same.
    """

    __slots__ = ()
    edition: "Known"
    question: tuple[str, str, str]
    designator: str
    state: "Row"
    below: "list[Row]"
    move: "Move | None"


def _find(connection: "Connection", words: str, on: str) -> list[Answer]:
    """Return the provisions asked for, or an empty list if one of them is not found."""
    answers: list[Answer] = []
    day = today_words()
    for asked in parse_questions(words):
        named = asked.edition or on or "current"
        edition = named_edition(connection, named, day)
        if edition is None:
            return []
        if asked.edition and on and edition != named_edition(connection, on, day):
            return []
        place = edition.place
        moves: list[tuple[Row, Move | None]] = [
            (state, None) for state in find_states(connection, asked.question, place)
        ]
        if not moves:
            from variorum.answers.numbers_elsewhere import find_elsewhere

            moved, _ = find_elsewhere(connection, asked.question, place)
            moves = [*moved]
        if not moves:
            return []
        for state, move in moves:
            below = [] if state.kind == "subrule" else children(connection, state.address, place)
            answers.append(Answer(edition, asked.question, named, state, below, move))
    return answers


def _pages(connection: "Connection", answers: list[Answer], columns: int) -> str:
    """Format provisions, grouped by edition, with the edition below each group."""
    pages: list[str] = []
    start = 0
    for stop in range(1, len(answers) + 1):
        if stop == len(answers) or answers[stop].edition != answers[start].edition:
            pages.append(_page(connection, answers[start:stop], columns))
            start = stop
    return "\n".join(pages)


def _page(connection: "Connection", answers: list[Answer], columns: int) -> str:
    edition, parent = answers[0].edition, answers[0].state.parent
    is_together = all(answer.state.parent == parent for answer in answers)
    return set_matches(
        [(answer.state, [(1, below) for below in answer.below]) for answer in answers],
        path(connection, parent, edition.place) if is_together else [],
        edition_line(edition),
        width=columns,
        is_coloured=is_coloured(),
        cited=lambda state: _printed(connection, state),
        notes=earlier_lines(_earlier(connection, answer) for answer in answers),
    )


def _earlier(connection: "Connection", answer: Answer) -> "list[Earlier]":
    """Return the other provisions that the number asked for meant before."""
    from variorum.answers.earlier import find_earlier

    place = answer.edition.place
    current = named_edition(connection, "current", today_words())
    today = place if current is None else current.place
    return find_earlier(connection, answer.state, answer.move, place, today)


def _printed(connection: "Connection", state: "Row") -> list[str]:
    from variorum.answers.refs import printed

    return printed(connection, state)


def json_page(value: object) -> str:
    """Return an answer as `--json` prints it."""
    return json_text(value, indent=1) + "\n"


def _json(connection: "Connection", answers: list[Answer]) -> str:
    return json_page(
        [
            structs.replace(
                shown_json(
                    answer.state,
                    answer.edition,
                    [below.address for below in answer.below],
                    asked_for(answer.question),
                    None if answer.move is None else answer.move.as_json(),
                ),
                earlier=[meaning.as_json() for meaning in _earlier(connection, answer)],
            )
            for answer in answers
        ]
    )


def _refs(connection: "Connection", answers: list[Answer], columns: int, *, as_json: bool) -> str:
    from variorum.answers.refs import refs_json
    from variorum.cli.pages.refs import set_refs

    edition = answers[0].edition
    refs = refs_json(connection, [answer.state for answer in answers], edition)
    if as_json:
        return json_page(refs)
    return set_refs(refs, edition_line(edition), width=columns)
