"""The query language: words, phrases, AND OR NOT, brackets, prefixes, numbers.

    query   = either
    either  = both ("OR" both)*
    both    = unit ("AND"? unit)*
    unit    = "NOT" unit | "(" either ")" | '"' words '"' | word "*" | word

Operators are in capitals, since "not" and "or" are words of the rules.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from variorum.answers.questions import RANGE, parse_question, runs_backwards
from variorum.errors import WRONG_USAGE, VariorumError
from variorum.rule_numbers import CHAPTER, SECTION
from variorum.text import fold_in_place, placed_words

_SHORTEST_PREFIX = 3
_DEEPEST = 50
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


class QueryError(VariorumError, ValueError):
    """A query cannot be read; the message says where."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE


class Plain(NamedTuple):
    """A word, in any of its forms."""

    word: str


class Phrase(NamedTuple):
    """Words in a row."""

    words: tuple[str, ...]


class Prefix(NamedTuple):
    """All words that begin with some letters."""

    letters: str


class Number(NamedTuple):
    """A rule's number.

    Attributes:
        number: In small letters.
        is_open: Whether it is the beginning of numbers ("702.1*"). Otherwise it means its bearer
            and the provisions below.
    """

    number: str
    is_open: bool = False


class Not(NamedTuple):
    """A part that must not match."""

    part: "Part"


class All(NamedTuple):
    """Parts that must all match.

    Attributes:
        parts: The parts.
        is_strict: Whether all must match. Otherwise they are adjacent words, and one of them may be
            missing.
    """

    parts: "tuple[Part, ...]"
    is_strict: bool


class Either(NamedTuple):
    """Parts of which at least one must match."""

    parts: "tuple[Part, ...]"


Part = Plain | Phrase | Prefix | Number | Not | All | Either


def parse_query(text: str) -> Part:
    """Read a query.

    Raises:
        QueryError: The query is a range of numbers, or has no word, an operator without a word or a
            prefix that is too short. A query with operators may not have unpaired quotation marks
            or brackets.

    >>> parse_query('flying -1/-1')
    All(parts=(Plain(word='flying'), Plain(word='-1/-1')), is_strict=False)
    >>> parse_query('"can’t be" NOT counter*')
    All(parts=(Phrase(words=("can't", 'be')), Not(part=Prefix(letters='counter'))), is_strict=True)
    """
    asked = parse_question(text)
    kind, first, last = asked
    if kind == RANGE:
        shows = f"{last}-{first}" if runs_backwards(asked) else text
        raise QueryError(f"{text}: a range; cr {shows} shows its rules")
    tokens = list(_TOKEN.finditer(text.translate(_QUOTES)))
    has_operator = any(token["operator"] for token in tokens)
    if not has_operator:
        # Without operators, brackets and unpaired quotation marks belong to pasted words and mean
        # nothing.
        tokens = [token for token in tokens if token.lastgroup in {"phrase", "word"}]
    query = _Parser(tokens, has_operator=has_operator).parse()
    if query is None:
        raise QueryError(f"{text!r}: no word to search for")
    if isinstance(query, Plain) and _CHAPTER(query.word):
        return Number(query.word)  # a lone digit is a chapter, not a count
    return query


def words_of(part: Part) -> list[str]:
    """Return the words of a query that has nothing else; empty if it has phrases, operators or numbers."""
    parts = part.parts if isinstance(part, All) else (part,)
    is_plain = not (isinstance(part, All) and part.is_strict)
    words = [each.word for each in parts if isinstance(each, Plain)]
    return words if is_plain and len(words) == len(parts) else []


_QUOTES = str.maketrans("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}", '""')


class _Parser:
    """Reads the tokens of a query in one pass."""

    def __init__(self, tokens: list[re.Match[str]], *, has_operator: bool) -> None:
        self._tokens = tokens
        self._place = 0
        self._has_operator = has_operator
        self._depth = 0

    def parse(self) -> Part | None:
        either = self._either()
        if self._kind() == "close":
            raise self._error("closes a bracket that is not open")
        return either

    def _kind(self) -> str:
        if self._place == len(self._tokens):
            return ""
        return str(self._tokens[self._place].lastgroup)

    def _is(self, operator: str) -> bool:
        return self._kind() == "operator" and self._tokens[self._place][0] == operator

    def _error(self, problem: str) -> QueryError:
        token = self._tokens[min(self._place, len(self._tokens) - 1)]
        return QueryError(f"{token.string}: {token[0]} at character {token.start() + 1} {problem}")

    def _either(self) -> Part | None:
        first = self._both()
        parts = [] if first is None else [first]
        while self._is("OR"):
            if not parts:
                raise self._error("has nothing before it")
            operator = self._place
            self._place += 1
            part = self._both()
            if part is None:
                self._place = operator
                raise self._error("has nothing after it")
            parts.append(part)
        return Either(tuple(parts)) if len(parts) > 1 else first

    def _both(self) -> Part | None:
        parts: list[Part] = []
        while self._kind() not in {"", "close"} and not self._is("OR"):
            if self._is("AND"):
                if not parts:
                    raise self._error("has nothing before it")
                self._place += 1
                if self._kind() in {"", "close"} or self._is("AND") or self._is("OR"):
                    self._place -= 1
                    raise self._error("has nothing after it")
            parts += self._unit()
        if len(parts) == 1:
            return parts[0]
        return All(tuple(parts), self._has_operator) if parts else None

    def _unit(self) -> Iterator[Part]:
        """Yield the parts of a token and of the tokens that belong to it."""
        token, kind = self._tokens[self._place], self._kind()
        if kind == "quote":
            raise self._error("opens a phrase that is not closed")
        if kind in {"operator", "open"}:
            yield from self._nested(kind)
            return
        self._place += 1
        if kind == "phrase":
            words = [placed.word for placed in placed_words(token[0])]
            if words:
                yield Phrase(tuple(words)) if len(words) > 1 else Plain(words[0])
            return
        number = _number_behind(token[0], self._follower())
        if number is not None:
            self._place += 1
            yield number
        else:
            yield from _words(token[0])

    def _nested(self, kind: str) -> Iterator[Part]:
        """Yield the parts after NOT, or between brackets."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error("is nested too deeply")
        opened = self._place
        self._place += 1
        if kind == "operator":
            yield self._negated()
        else:
            part = self._either()
            if self._kind() != "close":
                self._place = opened
                raise self._error("opens a bracket that is not closed")
            self._place += 1
            if part is not None:
                yield part
        self._depth -= 1

    def _negated(self) -> Part:
        if self._kind() in {"", "close"} or self._is("AND") or self._is("OR"):
            self._place -= 1
            raise self._error("has nothing after it")
        parts = list(self._unit())
        if not parts:
            self._place -= 1
            raise self._error("holds no word")
        return Not(All(tuple(parts), is_strict=True) if len(parts) > 1 else parts[0])

    def _follower(self) -> str:
        return self._tokens[self._place][0] if self._kind() == "word" else ""


def _number_behind(token: str, follower: str) -> Number | None:
    """Return the number after a word that announces it: "rule 704.5k", "section 7"."""
    number = _NUMBER.fullmatch(fold_in_place(follower))
    if number is None or fold_in_place(token) not in _FORMS_OF_RULE:
        return None
    return Number(number[1], is_open=follower.endswith("*"))


def _words(token: str) -> Iterator[Part]:
    """Yield the parts of a token without blanks."""
    folded = fold_in_place(token)
    number = _NUMBER.fullmatch(folded)
    if number is not None and (len(number[1]) > 1 or folded != number[1]):
        yield Number(number[1], is_open=folded.endswith("*"))
        return
    words = [placed.word for placed in placed_words(token)]
    if folded.endswith("*") and words and words[-1].isalnum():
        *words, letters = words
        if len(letters) < _SHORTEST_PREFIX:
            raise QueryError(f"{token}: a prefix needs {_SHORTEST_PREFIX} letters")
        yield from map(Plain, words)
        yield Prefix(letters)
        return
    yield from map(Plain, words)
