"""The query language: words, phrases, AND OR NOT, brackets, prefixes, numbers.

    query = both ("OR" both)*
    both  = unit ("AND"? unit)*
    unit  = "NOT" unit | "(" query ")" | '"' words '"' | word "*" | word

Operators are in capitals, since "not" and "or" are words of the rules.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from variorum.answers.questions import RANGE, parse_questions
from variorum.errors import WrongUsageError
from variorum.rule_numbers import CHAPTER, SECTION, order_of
from variorum.text import fold_in_place, plain_words

_SHORTEST_PREFIX, _DEEPEST = 3, 50
_TOKEN = re.compile(
    r"""
    (?P<phrase> " [^"]* " )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<operator> (?: AND | OR | NOT ) (?! [^\s()"] ) )
    | (?P<word> [^\s()"]+ )
    | (?P<quote> " )
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(
    rf"""
    (?: cr:? | §+ )?
    ( [1-9]\d (?=\*)                                                   # 70*
    | {SECTION} (?: \. (?: \d+ [a-z]{{0,2}} | [a-z] ) )? | {CHAPTER} )  # 702, 702.9b, 306.b, 7
    [.:,;?!*]*
    """,
    re.VERBOSE,
)
_CHAPTER = re.compile(CHAPTER).fullmatch
_FORMS_OF_RULE = {"cr", "rule", "rules", "section", "subrule", "chapter", "§"}
_QUOTES = str.maketrans("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}", '""')


class QueryError(WrongUsageError):
    """A query cannot be read; the message says where."""


class Part(NamedTuple):
    """A part of a query: words, or what joins parts.

    Its kind is "word" (in any of its forms), "phrase", "prefix" (letters), "number" (its bearer and what is
    below it) or "numbers" (all that begin so); "not", "or", "and"; or "near": adjacent parts of which some
    may be missing.
    """

    kind: str
    words: tuple[str, ...] = ()
    parts: "tuple[Part, ...]" = ()


def parse_query(text: str) -> Part:
    """Read a query, or raise QueryError; quotation marks and brackets must be paired if it has operators.

    >>> [(part.kind, *part.words) for part in parse_query('“can’t be” counter* 702.9').parts]
    [('phrase', "can't", 'be'), ('prefix', 'counter'), ('number', '702.9')]
    >>> parse_query("flying NOT -1/-1").kind
    'and'
    """
    (kind, first, last, edition), *others = parse_questions(text)
    if kind == RANGE and not (edition or others):
        shows = f"{last}-{first}" if order_of(last) < order_of(first) else text
        raise QueryError(f"{text}: a range; cr {shows} shows its rules")
    tokens = [*_TOKEN.finditer(text.translate(_QUOTES))][::-1]
    is_strict = any(token["operator"] for token in tokens)
    if not is_strict:  # unpaired marks and brackets belong to pasted words
        tokens = [token for token in tokens if token.lastgroup in {"phrase", "word"}]
    query = _read(tokens, "and" if is_strict else "near")
    if query is None:
        raise QueryError(f"{text!r}: no word to search for")
    if query.kind == "word" and not is_strict and _CHAPTER(query.words[0]):
        return query._replace(kind="number")  # a lone digit is a chapter, not a count
    return query


def words_of(part: Part) -> list[str]:
    """Return the words of a query that has nothing else; empty if it has phrases, operators or numbers."""
    parts = part.parts if part.kind == "near" else (part,)
    return [part.words[0] for part in parts] if all(part.kind == "word" for part in parts) else []


def _read(
    tokens: list[re.Match[str]], joint: str, opened: re.Match[str] | None = None, depth: int = 0
) -> Part | None:
    """Take tokens from the end of a list, up to the bracket that closes the opened one, if there is one."""
    options: list[list[Part]] = [[]]
    waiting: re.Match[str] | None = None  # an operator that needs words after it
    is_banned = False
    while tokens and tokens[-1].lastgroup != "close":
        token = tokens.pop()
        operator = token["operator"]
        if operator in {"AND", "OR"} and (waiting or not options[-1]):
            raise _error(token, "lacks words beside it")
        if operator:
            waiting, is_banned = token, is_banned != (operator == "NOT")
            options += [[]] if operator == "OR" else []
        elif units := _units(token, tokens, joint, depth):
            options[-1] += [Part("not", parts=(_joined("and", units),))] if is_banned else units
            waiting, is_banned = None, False
    if waiting:
        raise _error(waiting, "lacks words beside it")
    if opened and not tokens:
        raise _error(opened, "opens a bracket that is not closed")
    if tokens and not opened:
        raise _error(tokens[-1], "closes a bracket that is not open")
    if opened:
        tokens.pop()
    some = [_joined(joint, parts) for parts in options if parts]
    return _joined("or", some) if some else None


def _units(
    token: re.Match[str], following: list[re.Match[str]], joint: str, depth: int
) -> list[Part]:
    """Return the parts of a token and of those that belong to it."""
    if token.lastgroup == "quote":
        raise _error(token, "opens a phrase that is not closed")
    if token.lastgroup == "phrase":
        words = plain_words(token[0])
        return [Part("phrase" if len(words) > 1 else "word", tuple(words))] if words else []
    if token.lastgroup == "open":
        if depth == _DEEPEST:
            raise _error(token, "is nested too deeply")
        inner = _read(following, joint, token, depth + 1)
        return [inner] if inner else []
    folded = fold_in_place(token[0])
    is_named = folded in _FORMS_OF_RULE and following and following[-1].lastgroup == "word"
    if is_named and (number := _NUMBER.fullmatch(fold_in_place(following[-1][0]))):  # "section 7"
        following.pop()
        return [_numbered(number)]
    number = _NUMBER.fullmatch(folded)
    if number and (len(number[1]) > 1 or folded != number[1]):
        return [_numbered(number)]
    return _words(token[0])


def _words(token: str) -> list[Part]:
    parts = [Part("word", (word,)) for word in plain_words(token)]
    if token.endswith("*") and parts and parts[-1].words[0].isalnum():
        if len(parts[-1].words[0]) < _SHORTEST_PREFIX:
            raise QueryError(f"{token}: a prefix needs {_SHORTEST_PREFIX} letters")
        parts[-1] = parts[-1]._replace(kind="prefix")
    return parts


def _numbered(number: re.Match[str]) -> Part:
    return Part("numbers" if number.string.endswith("*") else "number", (number[1],))


def _error(token: re.Match[str], problem: str) -> QueryError:
    return QueryError(f"{token.string}: {token[0]} at character {token.start() + 1} {problem}")


def _joined(kind: str, parts: Sequence[Part]) -> Part:
    return Part(kind, parts=tuple(parts)) if len(parts) > 1 else parts[0]
