"""The texts of all readings for the browser: each distinct text once, heirs as differences.

Each word has the words that it is compared by and the citations that begin in it, so the browser
neither folds texts nor finds citations.
"""

from collections.abc import Sequence
from typing import TypedDict

from variorum_kb.answers.diff_tokens import (
    CITED,
    Canonical,
    Token,
    edits_of,
    shown,
    tokens_with_canon,
)
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.permalinks import slug_of
from variorum_site.output_folder import digest_of
from variorum_site.page_index import GLOSSARY

# A file of texts is full at so many characters; the next one begins.
_FULL = 400_000
_MARK = 12
_ASCII_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

# A word without more is compared by itself in small letters, a sign by nothing. In a list it comes
# alone where it is a citation of itself; else with what it is compared by, and with the citations
# that begin in it, first and last number.
TokenJson = str | tuple[str] | tuple[str, Sequence[str], Sequence[tuple[str, str]]]


class TextsJson(TypedDict):
    """Some texts, and their words that no earlier file has.

    Attributes:
        mark: A digest that differs between builds.
        tokens: The words.
        texts: Each begins with 0 and lists its words, or begins with its distance to an earlier text
            and lists the differences: repeatedly, how many words stay, how many are removed, how
            many are added, and these.
        canon: By the places of texts, the words they are compared by, if their tokens do not say.
        slugs: By the places of headwords, their anchors, if these are not simple.
    """

    mark: str
    tokens: list[TokenJson]
    texts: list[list[int]]
    canon: dict[str, list[str]]
    slugs: dict[str, str]


class Texts:
    """All distinct headings and bodies of a base, in the order of the first editions that have them.

    Attributes:
        of: The places of texts; that of the empty text is 0.
        files: The contents of the files of texts.
        starts: The place of each file's first text.
    """

    def __init__(self, base: KnowledgeBase) -> None:
        self._whole = base.whole
        self._lineages = base.lineages
        self._canonical = Canonical()
        self._signs: dict[Token, str] = {}
        self._canon_of: dict[str, str] = {}
        self._coded: list[str] = []
        self._size = 0
        self.of: dict[str, int] = {}
        self.files: list[TextsJson] = []
        self.starts: list[int] = []
        self._add("", "", "")
        seen: set[int] = set()
        for edition in range(len(base.editions)):
            for number in base.whole.held(edition):
                if number not in seen:
                    seen.add(number)
                    self._add_state(number, edition)
        for file in self.files:
            file["mark"] = digest_of(repr(file).encode())[:_MARK]

    def _add_state(self, number: int, edition: int) -> None:
        state = self._whole.states[number]
        if state.heading not in self.of:
            self._add(state.heading, state.heading, self._canonical.encoded(state.heading, ""))
        if state.kind == GLOSSARY and slug_of(state.heading) != _simple_slug(state.heading):
            self.files[-1]["slugs"][str(self.of[state.heading])] = slug_of(state.heading)
        if state.body not in self.of:
            into = self._lineages.into(number, edition)
            old = into[0].old if into else None
            before = "" if old is None else self._whole.states[old].body
            words = shown(state.body)
            canon = self._canonical.encoded("", state.body)
            self._add(state.body, words, canon, self.of.get(before, 0))

    def _add(self, text: str, words: str, canon: str, before: int = 0) -> None:
        """Add a heading or a body.

        Args:
            text: The text.
            words: The text as it is shown.
            canon: The words it is compared by, encoded.
            before: The text whose differences may stand for it.
        """
        if not self.files or self._size > _FULL:
            self.files.append({"mark": "", "tokens": [], "texts": [], "canon": {}, "slugs": {}})
            self.starts.append(len(self._coded))
            self._size = 0
        place = self.of[text] = len(self._coded)
        signs, canon_of = self._signs, self._canon_of
        coded = "".join(
            [signs.get(token) or self._sign(token) for token in tokens_with_canon(words)]
        )
        if "".join([canon_of[sign] for sign in coded]) != canon:
            self.files[-1]["canon"][str(place)] = self._canonical.codes.decode(canon)
        self._coded.append(coded)
        row = self._row(coded, place, before)
        self.files[-1]["texts"].append(row)
        self._size += len(str(row))

    def _sign(self, token: Token) -> str:
        """Return the character of a token that has none yet; its code is the token's place."""
        sign = self._signs[token] = chr(len(self._signs))
        self._canon_of[sign] = self._canonical.codes.encode(token.canon)
        self.files[-1]["tokens"].append(_token_json(token))
        self._size += len(token.text) + 3
        return sign

    def _row(self, coded: str, place: int, before: int) -> list[int]:
        """Return a text as its differences from another, or as its words if that is shorter."""
        plain = [0, *map(ord, coded)]
        if not before:
            return plain
        row = [place - before]
        for keep, drop, came in edits_of(self._coded[before], coded):
            row += [keep, drop, len(came), *map(ord, came)]
        return row if len(row) < len(plain) else plain


def _token_json(token: Token) -> TokenJson:
    bare = token.text.rstrip(" \n")
    if token.canon == (CITED,) and token.citations == ((bare, bare),):
        return (token.text,)
    folded = bare.lower()
    simple = (folded,) if folded and _ASCII_WORD.issuperset(folded) else ()
    if not token.citations and token.canon == simple:
        return token.text
    return token.text, token.canon, token.citations


def _simple_slug(headword: str) -> str:
    """Return the anchor of a plain headword, as the script computes it."""
    words = "".join([sign if sign in _ASCII_WORD else " " for sign in headword.lower()])
    return "-".join(words.split())
