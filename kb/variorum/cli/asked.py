"""What the words of a command ask for: questions, an edition, or two editions and a question."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress

from variorum.answers.crosswalk import meanings
from variorum.answers.editions import EditionEntry, days_of, split_pair
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, WORDS, Asked, parse_questions
from variorum.cli.command import is_file_name
from variorum.cli.layout import print_note
from variorum.cli.wording import earlier_lines
from variorum.errors import AmbiguousError, NoEditionError, NotFoundError, VariorumError
from variorum.files import LARGEST_SETTINGS, read_standard_input
from variorum.text import fold_title

Ends = tuple[EditionEntry, EditionEntry]
# Questions with what they name.
Answers = list[tuple[Asked, list[Subject]]]
_Find = Callable[[Asked], Iterable[Subject]]
STANDARD_INPUT = ("-",)
_MOST_WORDS = 9  # in the name of a set


def answered(
    base: KnowledgeBase, words: tuple[str, ...], find: _Find
) -> tuple[Answers, list[VariorumError]]:
    """Return the answers and the errors of questions, "-" for those on standard input."""
    is_listed = words == STANDARD_INPUT
    data = read_standard_input(LARGEST_SETTINGS) if is_listed else " ".join(words).encode()
    lines = data.decode("utf-8", "surrogateescape").splitlines()
    answers, failed, noted = Answers(), list[VariorumError](), set[str]()
    for place, line in enumerate(lines, start=1):
        for asked in parse_questions(line) if line.strip() else ():
            kind, number, _ = asked.question
            try:
                answers.append((asked, _found(base, _plainly(base, asked, noted), find)))
            except UnicodeEncodeError:
                if not is_listed:
                    raise
                failed.append(NotFoundError(f"line {place} of standard input is no UTF-8 text"))
            except VariorumError as missing:
                if kind == NUMBER and base.current and type(missing) is NotFoundError:
                    former = earlier_lines(base, meanings(base, number, base.current.place))
                    missing.also = former if len(former) > 1 else missing.also
                missing.args = (f"line {place}: " * is_listed + str(missing), *missing.args[1:])
                failed.append(missing)
    return answers, failed


def _found(base: KnowledgeBase, asked: Asked, find: _Find) -> list[Subject]:
    """Return what a question names; a term may be printed with other signs, or an edition follow it."""
    kind, text, more = asked.question
    try:
        return [*find(asked)]
    except NotFoundError:
        is_term = kind == WORDS and text[:1].isalpha() and not _is_edition(base, text)
        for word in base.words_with(text[:3]) if is_term else ():
            name, rest = text[: len(word)], text[len(word) :]
            is_dated = bool(re.fullmatch(r" .*\d.*", rest)) and _is_edition(base, rest[1:])
            if word != text and fold_title(name) == fold_title(word) and (is_dated or not rest):
                return [*find(Asked((kind, word, more), rest[1:] or asked.edition))]
        raise


def _is_edition(base: KnowledgeBase, words: str) -> bool:
    with suppress(NoEditionError):
        return bool(base.edition(words))
    return False


def _plainly(base: KnowledgeBase, asked: Asked, noted: set[str]) -> Asked:
    """Return a question without words that name no edition; print a note about them, once."""
    (kind, number, _), words = asked.question, asked.edition
    if kind != WORDS and words and not any(map(str.isdigit, words)):
        try:
            base.edition_of(asked, None)
        except NoEditionError as error:
            if "near:" in str(error):
                raise
            if words not in noted:
                typed = f"cr search {words} --in {number.partition('.')[0]}"
                print_note(f"“{words}” names no edition; {typed} searches there")
            noted.add(words)
            return asked._replace(edition="")
    return asked


def is_number(word: str) -> bool:
    """Return whether a word is a number or a range rather than a term or an edition."""
    return parse_questions(word)[0].question[0] != WORDS


def take_edition(
    base: KnowledgeBase, words: tuple[str, ...], default: str = "", *, is_start: bool = False
) -> tuple[EditionEntry, tuple[str, ...]]:
    """Split words into the edition at their beginning, as many words as name one, and the rest.

    With a default, they may begin with a question instead; a number that an edition follows is part of the
    rest. `is_start` reads a month or a year as its first day; a time before the first edition means that one.
    """
    if words[1:] and words[0][2:] and is_number(words[0]) and not is_number(words[1]):  # "1 May"
        words = *words[1:], words[0]
    if default and (not words or is_number(words[0])):
        return base.edition(default), words
    missing: VariorumError = NotFoundError("")
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        name = " ".join(words[:count])
        day = days_of(name, base.today)[0] if is_start else ""
        try:
            return base.edition(max(day, base.labels[0][:10]) if day else name), words[count:]
        except (NoEditionError, AmbiguousError) as error:
            missing = error
    if default and base.has(" ".join(words)):
        return base.edition(default), words
    if "".join(words[:1]).strip() and is_file_name(words[0]):
        how = "cr identify FILE says which edition it is, and how it differs"
        missing = NoEditionError(f"{words[0]}: a file, not an edition; {how}")
    raise missing


def take_pair(base: KnowledgeBase, words: tuple[str, ...]) -> tuple[Ends, tuple[str, ...]]:
    """Split words into two editions, "A B" or "A..B" (by default, B is the current one), and the rest."""
    names = [it for word in words for it in (not is_number(word) and split_pair(word)) or (word,)]
    first, rest = take_edition(base, tuple(names))
    second, rest = take_edition(base, rest, "current")
    return (first, second), rest
