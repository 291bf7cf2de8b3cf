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
    if is_strict := any(token["operator"] for token in tokens):
        query = _Parser(tokens, "and").either()
    else:  # unpaired marks and brackets belong to pasted words
        words = [token for token in tokens if token.lastgroup in {"phrase", "word"}]
        query = _Parser(words, "near").either()
    if query is None:
        raise QueryError(f"{text!r}: no word to search for")
    if query.kind == "word" and not is_strict and _CHAPTER(query.words[0]):
        return query._replace(kind="number")  # a lone digit is a chapter, not a count
    return query


def words_of(part: Part) -> list[str]:
    """Return the words of a query that has nothing else; empty if it has phrases, operators or numbers."""
    parts = part.parts if part.kind == "near" else (part,)
    return [part.words[0] for part in parts] if all(part.kind == "word" for part in parts) else []


class _Parser:
    """Reads tokens from left to right; its methods are the productions."""

    def __init__(self, tokens: list[re.Match[str]], joint: str) -> None:
        self._tokens, self._joint, self._depth = tokens[::-1], joint, 0

    @property
    def _next(self) -> str:
        """Return the kind of the next token, an operator as it is written; "" at the end."""
        token = self._tokens[-1] if self._tokens else None
        return (token["operator"] or str(token.lastgroup)) if token else ""

    def _take(self, *kinds: str) -> re.Match[str] | None:
        return self._tokens.pop() if self._next in kinds else None

    def either(self, opened: re.Match[str] | None = None) -> Part | None:
        parts = [self._both()]
        while operator := self._take("OR"):
            parts.append(self._both())
            if None in parts:
                raise _error(operator, "lacks words beside it")
        closing = self._take("close")
        if opened and not closing:
            raise _error(opened, "opens a bracket that is not closed")
        if closing and not opened:
            raise _error(closing, "closes a bracket that is not open")
        return _joined("or", parts)

    def _both(self) -> Part | None:
        parts: list[Part] = []
        while self._next not in {"", "close", "OR"}:
            operator = self._take("AND")
            unit = self._unit()
            if operator and not (parts and unit):
                raise _error(operator, "lacks words beside it")
            parts += unit
        return _joined(self._joint, parts)

    def _unit(self) -> list[Part]:
        """Return the parts of the next token and of the tokens that belong to it."""
        if token := self._take("quote"):
            raise _error(token, "opens a phrase that is not closed")
        if token := self._take("phrase"):
            words = plain_words(token[0])
            return [Part("phrase" if len(words) > 1 else "word", tuple(words))] if words else []
        if token := self._take("word"):
            is_announced = fold_in_place(token[0]) in _FORMS_OF_RULE and self._next == "word"
            number = _number(fold_in_place(self._tokens[-1][0])) if is_announced else None
            if number:  # "rule 704.5k", "section 7"
                self._tokens.pop()
            return [number] if number else _parts_of(token[0])
        token = self._take("NOT", "open")
        if token is None:
            return []
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _error(token, "is nested too deeply")
        inner = _joined("and", self._unit()) if token["operator"] else self.either(token)
        self._depth -= 1
        if not token["operator"]:
            return [inner] if inner else []
        if inner is None:
            raise _error(token, "lacks words beside it")
        return [Part("not", parts=(inner,))]


def _error(token: re.Match[str], problem: str) -> QueryError:
    return QueryError(f"{token.string}: {token[0]} at character {token.start() + 1} {problem}")


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
