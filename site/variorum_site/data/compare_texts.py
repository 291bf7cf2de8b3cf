"""The texts of all readings for the browser: each distinct text once, heirs as differences.

Each word has the words that it is compared by and the citations that begin in it, so the browser
neither folds texts nor finds citations.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypedDict

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

# How many characters a file of texts may have before the next one begins.
_FULL = 400_000
_MARK = 12
# How many characters a file needs for each word besides the word itself.
_BESIDE_TOKEN = 3
_ASCII_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

# A plain string is a word, compared by itself in small letters, or a mark, compared by nothing. A
# list of one is a word that is a citation of itself. A list of three is a word, the words it is
# compared by, and the citations that begin in it, each as its first and last number.
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


class StateTexts(NamedTuple):
    """The texts of a state.

    Attributes:
        is_entry: Whether the state is a glossary entry.
        heading: Its heading; "" without one.
        body: Its body.
        before: The body of the state from which it came; "" without one.
    """

    is_entry: bool
    heading: str
    body: str
    before: str


class Texts:
    """All distinct headings and bodies of a base, in the order of the first editions that have them.

    Attributes:
        of: The places of texts; that of the empty text is 0.
        files: The contents of the files of texts.
        starts: The place of each file's first text.
        digests: Digests of all that the files of the first editions depend on, by their number.
        known: For how many editions files of an earlier build were reused.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        written: Sequence[TextsJson] = (),
        known: int = 0,
        digest: str = "",
    ) -> None:
        """Compute the files of texts, or continue those that an earlier build wrote.

        Args:
            base: The base.
            written: The files of texts of the earlier build.
            known: How many editions these hold.
            digest: The digest of these editions; with another one, all files are computed anew.
        """
        self._canonical = Canonical()
        self._signs: dict[Token, str] = {}
        self._canon_of: dict[str, str] = {}
        self._coded: dict[int, str] = {}
        self._rows: list[list[int]] = []
        self._size = 0
        self.of: dict[str, int] = {}
        self.files: list[TextsJson] = []
        self.starts: list[int] = []
        editions = list(_new_states(base))
        self.digests = _digests_of(base, editions)
        if not digest or self.digests.get(known) != digest:
            written, known = (), 0
        self.known = known
        if written:
            self._restore(written, editions[:known])
        else:
            self._add("", "", "")
        first = max(len(self.files) - 1, 0)
        for state_texts in (state for states in editions[known:] for state in states):
            self._add_state(state_texts)
        for file in self.files[first:]:
            file["mark"] = ""
            file["mark"] = digest_of(repr(file).encode())[:_MARK]

    def _restore(
        self, written: Sequence[TextsJson], editions: Sequence[Sequence[StateTexts]]
    ) -> None:
        """Take over the files of texts that an earlier build wrote for the first editions."""
        self.of[""] = 0
        for state in (state for states in editions for state in states):
            self.of.setdefault(state.heading, len(self.of))
            self.of.setdefault(state.body, len(self.of))
        for file in written:
            self.files.append(file)
            self.starts.append(len(self._rows))
            self._rows += file["texts"]
            tokens = [_token_of(token) for token in file["tokens"]]
            for token in tokens:
                self._take(token)
            # As JSON has them, tuples are lists.
            file["tokens"] = [_token_json(token) for token in tokens]
            self._size = sum([len(token.text) + _BESIDE_TOKEN for token in tokens])
            self._size += sum([len(str(row)) for row in file["texts"]])

    def _add_state(self, state: StateTexts) -> None:
        if state.heading not in self.of:
            self._add(state.heading, state.heading, self._canonical.encoded(state.heading, ""))
        if state.is_entry and slug_of(state.heading) != _simple_slug(state.heading):
            self.files[-1]["slugs"][str(self.of[state.heading])] = slug_of(state.heading)
        if state.body not in self.of:
            words = shown(state.body)
            canon = self._canonical.encoded("", state.body)
            self._add(state.body, words, canon, self.of.get(state.before, 0))

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
            self.starts.append(len(self._rows))
            self._size = 0
        place = self.of[text] = len(self._rows)
        signs, canon_of = self._signs, self._canon_of
        coded = "".join(
            [signs.get(token) or self._sign(token) for token in tokens_with_canon(words)]
        )
        if "".join([canon_of[sign] for sign in coded]) != canon:
            self.files[-1]["canon"][str(place)] = self._canonical.codes.decode(canon)
        self._coded[place] = coded
        row = self._row(coded, place, before)
        self._rows.append(row)
        self.files[-1]["texts"].append(row)
        self._size += len(str(row))

    def _sign(self, token: Token) -> str:
        """Return the character of a token that has none yet; its code is the token's place."""
        self._take(token)
        self.files[-1]["tokens"].append(_token_json(token))
        self._size += len(token.text) + _BESIDE_TOKEN
        return self._signs[token]

    def _take(self, token: Token) -> None:
        sign = self._signs[token] = chr(len(self._signs))
        self._canon_of[sign] = self._canonical.codes.encode(token.canon)

    def _row(self, coded: str, place: int, before: int) -> list[int]:
        """Return a text as its differences from another, or as its words if that is shorter."""
        plain = [0, *map(ord, coded)]
        if not before:
            return plain
        row = [place - before]
        for keep, drop, came in edits_of(self._coded_at(before), coded):
            row += [keep, drop, len(came), *map(ord, came)]
        return row if len(row) < len(plain) else plain

    def _coded_at(self, place: int) -> str:
        """Return the characters of a text, which a row of an earlier build may hold."""
        waiting: list[int] = []
        while place not in self._coded:
            waiting.append(place)
            if not self._rows[place][0]:
                break
            place -= self._rows[place][0]
        for later in reversed(waiting):
            distance, *cells = self._rows[later]
            self._coded[later] = (
                _patched(self._coded[later - distance], cells)
                if distance
                else "".join(map(chr, cells))
            )
            place = later
        return self._coded[place]


def _new_states(base: KnowledgeBase) -> Iterator[list[StateTexts]]:
    """Yield, for each edition, the texts of the states that no earlier edition has, in order."""
    states, lineages = base.whole.states, base.lineages
    seen: set[int] = set()
    for edition in range(len(base.editions)):
        new: list[StateTexts] = []
        for number in base.whole.held(edition):
            if number in seen:
                continue
            seen.add(number)
            into = lineages.into(number, edition)
            old = into[0].old if into else None
            state = states[number]
            before = "" if old is None else states[old].body
            new.append(StateTexts(state.kind == GLOSSARY, state.heading, state.body, before))
        yield new


def _digests_of(base: KnowledgeBase, editions: Sequence[Sequence[StateTexts]]) -> dict[int, str]:
    """Return digests of the states of the first editions and of their texts, by their number."""
    digest = blake2b(digest_size=12)
    digests: dict[int, str] = {}
    for place, states in enumerate(editions):
        digest.update(base.whole.held(place).tobytes())
        digest.update(repr(states).encode())
        digests[place + 1] = digest.hexdigest()
    return digests


def _patched(before: str, edits: Sequence[int]) -> str:
    """Return a text with edits made: repeatedly how many stay, go and come, and these."""
    parts: list[str] = []
    place = at = 0
    while at < len(edits):
        keep, drop, count = edits[at : at + 3]
        parts += [before[place : place + keep], *map(chr, edits[at + 3 : at + 3 + count])]
        place += keep + drop
        at += 3 + count
    return "".join([*parts, before[place:]])


def _token_of(token: TokenJson) -> Token:
    """Return the token that a file of texts lists."""
    if isinstance(token, str):
        folded = token.rstrip(" \n").lower()
        return Token(token, (folded,) if _is_simple(folded) else (), ())
    if len(token) == 1:
        bare = token[0].rstrip(" \n")
        return Token(token[0], (CITED,), ((bare, bare),))
    text, canon, citations = token
    return Token(text, tuple(canon), tuple([(first, last) for first, last in citations]))


def _token_json(token: Token) -> TokenJson:
    bare = token.text.rstrip(" \n")
    if token.canon == (CITED,) and token.citations == ((bare, bare),):
        return (token.text,)
    folded = bare.lower()
    simple = (folded,) if _is_simple(folded) else ()
    if not token.citations and token.canon == simple:
        return token.text
    return token.text, token.canon, token.citations


def _is_simple(word: str) -> bool:
    return bool(word) and _ASCII_WORD.issuperset(word)


def _simple_slug(headword: str) -> str:
    """Return the anchor of a plain headword, as the script computes it."""
    words = "".join([sign if sign in _ASCII_WORD else " " for sign in headword.lower()])
    return "-".join(words.split())
