"""The query language: words, phrases, AND OR NOT, brackets, prefixes, numbers.

    query = both ("OR" both)*
    both  = unit ("AND"? unit)*
    unit  = "NOT" unit | "(" query ")" | '"' words '"' | word "*" | word

Operators are in capitals, since "not" and "or" are words of the rules.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from variorum.answers.questions import RANGE, parse_question, runs_backwards
from variorum.errors import WRONG_USAGE, VariorumError
from variorum.rule_numbers import CHAPTER, SECTION
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


class QueryError(VariorumError, ValueError):
    """A query cannot be read; the message says where."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE


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
    """Read a query.

    Raises:
        QueryError: It is a range of numbers, or has no word, an operator without a word or a prefix that
            is too short. Quotation marks and brackets must be paired if it has operators.

    >>> [(part.kind, *part.words) for part in parse_query('“can’t be” counter* 702.9').parts]
    [('phrase', "can't", 'be'), ('prefix', 'counter'), ('number', '702.9')]
    >>> parse_query("flying NOT -1/-1").kind
    'and'
    """
    asked = parse_question(text)
    kind, first, last = asked
    if kind == RANGE:
        shows = f"{last}-{first}" if runs_backwards(asked) else text
        raise QueryError(f"{text}: a range; cr {shows} shows its rules")
    tokens = list(_TOKEN.finditer(text.translate(_QUOTES)))
    is_strict = any(token["operator"] for token in tokens)
    if not is_strict:  # unpaired marks and brackets belong to pasted words
        tokens = [token for token in tokens if token.lastgroup in {"phrase", "word"}]
    query = _Parser(tokens, is_strict=is_strict).whole()
    if query is None:
        raise QueryError(f"{text!r}: no word to search for")
    if query.kind == "word" and _CHAPTER(query.words[0]):
        return query._replace(kind="number")  # a lone digit is a chapter, not a count
    return query


def words_of(part: Part) -> list[str]:
    """Return the words of a query that has nothing else; empty if it has phrases, operators or numbers."""
    parts = part.parts if part.kind == "near" else (part,)
    return [part.words[0] for part in parts] if all(part.kind == "word" for part in parts) else []


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[re.Match[str]], *, is_strict: bool) -> None:
        self._tokens, self._place, self._depth = tokens, 0, 0
        self._joint = "and" if is_strict else "near"

    @property
    def _kind(self) -> str:
        """Return the kind of the next token; "AND", "OR" and "NOT" are kinds of their own."""
        if self._place == len(self._tokens):
            return ""
        token = self._tokens[self._place]
        return token[0] if token["operator"] else str(token.lastgroup)

    def _error(self, place: int, problem: str) -> QueryError:
        token = self._tokens[place]
        return QueryError(f"{token.string}: {token[0]} at character {token.start() + 1} {problem}")

    def whole(self) -> Part | None:
        query = self._either()
        if self._kind:
            raise self._error(self._place, "closes a bracket that is not open")
        return query

    def _either(self) -> Part | None:
        parts = [self._both()]
        while self._kind == "OR":
            operator = self._place
            self._place += 1
            parts.append(self._both())
            if None in parts:
                raise self._error(operator, "lacks words beside it")
        return _joined("or", parts)

    def _both(self) -> Part | None:
        parts: list[Part] = []
        while self._kind not in {"", "close", "OR"}:
            operator = self._place
            if self._kind == "AND":
                self._place += 1
            unit = [] if self._kind in {"", "close", "AND", "OR"} else self._unit()
            if self._tokens[operator][0] == "AND" and not (parts and unit):
                raise self._error(operator, "lacks words beside it")
            parts += unit
        return _joined(self._joint, parts)

    def _unit(self) -> list[Part]:
        """Return the parts of the next token and of the tokens that belong to it."""
        begin, kind = self._place, self._kind
        token = self._tokens[begin][0]
        self._place += 1
        if kind == "quote":
            raise self._error(begin, "opens a phrase that is not closed")
        if kind in {"NOT", "open"}:
            self._depth += 1
            if self._depth > _DEEPEST:
                raise self._error(begin, "is nested too deeply")
            parts = self._bracket(begin) if kind == "open" else self._negated(begin)
            self._depth -= 1
            return parts
        if kind == "phrase":
            words = plain_words(token)
            return [Part("phrase" if len(words) > 1 else "word", tuple(words))] if words else []
        is_announced = fold_in_place(token) in _FORMS_OF_RULE and self._kind == "word"
        follower = fold_in_place(self._tokens[self._place][0]) if is_announced else ""
        if number := _number(follower):  # "rule 704.5k", "section 7"
            self._place += 1
            return [number]
        return _parts_of(token)

    def _bracket(self, begin: int) -> list[Part]:
        part = self._either()
        if self._kind != "close":
            raise self._error(begin, "opens a bracket that is not closed")
        self._place += 1
        return [part] if part else []

    def _negated(self, begin: int) -> list[Part]:
        parts = [] if self._kind in {"", "close", "AND", "OR"} else self._unit()
        if not parts:
            raise self._error(begin, "lacks words beside it")
        return [Part("not", parts=(Part("and", parts=tuple(parts)),))]


def _joined(kind: str, parts: Sequence[Part | None]) -> Part | None:
    some = [part for part in parts if part]
    return Part(kind, parts=tuple(some)) if len(some) > 1 else some[0] if some else None


def _number(token: str) -> Part | None:
    number = _NUMBER.fullmatch(token)
    return Part("numbers" if token.endswith("*") else "number", (number[1],)) if number else None


def _parts_of(token: str) -> list[Part]:
    """Return the parts of a token without blanks."""
    folded, words = fold_in_place(token), plain_words(token)
    number = _number(folded)
    if number and (len(number.words[0]) > 1 or folded != number.words[0]):
        return [number]
    parts = [Part("word", (word,)) for word in words]
    if folded.endswith("*") and words and words[-1].isalnum():
        if len(words[-1]) < _SHORTEST_PREFIX:
            raise QueryError(f"{token}: a prefix needs {_SHORTEST_PREFIX} letters")
        parts[-1] = Part("prefix", (words[-1],))
    return parts
