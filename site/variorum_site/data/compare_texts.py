"""The texts of all readings for the browser: each part has each text once, texts of heirs as edits.

Each word comes with its folded words and with the citations that begin in it, so the browser
neither folds texts nor finds citations.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict

from variorum.answers.script_tokens import CITED, Canonical, Token, edits_of, tokens_with_canon
from variorum.permalinks import slug_of
from variorum.rows import State, full_text
from variorum_site.page_index import GLOSSARY

_ASCII_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

# A string is a word that is compared in small letters, or a mark that is not compared. A list of
# one is a word that is a whole citation. A list of three has a word, its folded words, and the
# citations that begin in it, each as its first and last number.
TokenJson = str | tuple[str] | tuple[str, Sequence[str], Sequence[tuple[str, str]]]


class TextsJson(TypedDict):
    """The texts of a part. Places count the part's own texts; the first text is empty.

    Attributes:
        ids: The ids of the texts; equal texts of several parts have the same id.
        tokens: The words that are not common, in the order of first use. Their places follow the
            common words' places.
        texts: Each begins with 0 and lists its words, or begins with its distance to an earlier text
            and lists edits: each has the counts of words to keep, to remove and to add, and then
            the words to add.
        canon: By the places of texts, the words by which a text is compared, if they do not follow from
            its tokens.
        slugs: By the places of headwords, their anchors, unless these are simple.
    """

    ids: list[int]
    tokens: list[TokenJson]
    texts: list[list[int]]
    canon: dict[str, list[str]]
    slugs: dict[str, str]


class StateTexts(NamedTuple):
    """The texts of a state.

    Attributes:
        is_entry: Whether the state is a glossary entry.
        heading: Its heading; "" if there is none.
        body: Its body.
        before: The body of its predecessor; "" if there is none.
    """

    is_entry: bool
    heading: str
    body: str
    before: str


def texts_of(states: Mapping[int, State], state: int, origin: int | None) -> StateTexts:
    """Return the texts of a state.

    Args:
        states: All states.
        state: The state.
        origin: The predecessor of the state.
    """
    row, before = states[state], "" if origin is None else states[origin].body
    return StateTexts(row.kind == GLOSSARY, row.heading, row.body, before)


class Words:
    """The words of all parts, each as one character while texts are compared.

    Attributes:
        canonical: Gives the words by which texts are compared.
        common: Words that no part lists, since all parts share them: the words of the first
            edition, because a later edition must not change them.
    """

    def __init__(self, first: Iterable[StateTexts] = ()) -> None:
        """Begin with the texts of the first edition."""
        self.canonical = Canonical()
        self._signs: dict[Token, str] = {}
        self._tokens: list[Token] = []
        self._canon: list[str] = []
        texts = [text for state in first for text in (state.heading, full_text(state.body))]
        counts = Counter(token for text in texts for token in tokens_with_canon(text))
        self.common = [token for token, _ in counts.most_common()]
        for token in self.common:
            self.sign(token)

    def common_json(self) -> list[TokenJson]:
        """Return the common words as the browser reads them."""
        return [_token_json(token) for token in self.common]

    def sign(self, token: Token) -> str:
        """Return the character of a token."""
        sign = self._signs.get(token)
        if sign is None:
            sign = self._signs[token] = chr(len(self._tokens))
            self._tokens.append(token)
            self._canon.append(self.canonical.codes.encode(token.canon))
        return sign

    def token(self, sign: str) -> Token:
        """Return the token of a character."""
        return self._tokens[ord(sign)]

    def canon(self, coded: str) -> str:
        """Return the words that tokens are compared by, encoded."""
        return "".join([self._canon[ord(sign)] for sign in coded])


class PartTexts:
    """The distinct headings and bodies of a part, in the order of the states that first have them.

    Attributes:
        of: The places of texts; the empty text has place 0.
        file: The texts as the browser reads them; `ids` is left to the caller.
    """

    def __init__(
        self, words: Words, states: Sequence[StateTexts], written: TextsJson | None = None
    ) -> None:
        """Compute the texts of a part, or continue those that an earlier build wrote.

        Args:
            words: The words of all parts.
            states: The texts of the part's states.
            written: The texts of its first states, as an earlier build wrote them.
        """
        self._words = words
        self._places = {words.sign(token): place for place, token in enumerate(words.common)}
        self._listed: list[str] = []
        self._coded: dict[int, str] = {}
        self.of: dict[str, int] = {"": 0}
        self.file: TextsJson = {
            "ids": [],
            "tokens": [],
            "texts": [[0]],
            "canon": {},
            "slugs": {},
        }
        if written is not None:
            self._restore(written)
        self._known = len(self.file["texts"])
        for state in states:
            self._add_state(state)

    def _restore(self, written: TextsJson) -> None:
        tokens = [token_of(token) for token in written["tokens"]]
        for token in tokens:
            self._places[self._words.sign(token)] = len(self._places)
        # In JSON, tuples are lists.
        self.file = {**written, "tokens": [_token_json(token) for token in tokens]}

    def _add_state(self, state: StateTexts) -> None:
        if state.heading not in self.of:
            self._add(state.heading, "", state.heading)
        if state.is_entry and slug_of(state.heading) != _simple_slug(state.heading):
            self.file["slugs"][str(self.of[state.heading])] = slug_of(state.heading)
        if state.body not in self.of:
            self._add("", state.body, full_text(state.body), self.of.get(state.before, 0))

    def _add(self, heading: str, body: str, words: str, before: int = 0) -> None:
        """Add a heading or a body.

        Args:
            heading: The heading; "" of a body.
            body: The body; "" of a heading.
            words: The displayed text.
            before: The text that this one may be stored as a difference from.
        """
        place = self.of[heading or body] = len(self.of)
        if place < self._known:
            return
        coded = "".join(map(self._words.sign, tokens_with_canon(words)))
        canon = self._words.canonical.encoded(heading, body)
        if self._words.canon(coded) != canon:
            self.file["canon"][str(place)] = self._words.canonical.codes.decode(canon)
        self._coded[place] = coded
        self.file["texts"].append(self._row(coded, place, before))

    def _row(self, coded: str, place: int, before: int) -> list[int]:
        """Return a text as its differences from another, or as its words if that is shorter."""
        cells = [self._place(sign) for sign in coded]
        plain = [0, *cells]
        if not before:
            return plain
        row = [place - before]
        for keep, drop, came in edits_of(self._coded_at(before), coded):
            row += [keep, drop, len(came), *[self._places[sign] for sign in came]]
        return row if len(row) < len(plain) else plain

    def _place(self, sign: str) -> int:
        place = self._places.get(sign)
        if place is None:
            place = self._places[sign] = len(self._places)
            self.file["tokens"].append(_token_json(self._words.token(sign)))
        return place

    def _coded_at(self, place: int) -> str:
        """Return the characters of a text, decoded from its row if an earlier build wrote it."""
        rows, waiting = self.file["texts"], list[int]()
        while place not in self._coded:
            waiting.append(place)
            if not rows[place][0]:
                break
            place -= rows[place][0]
        for later in reversed(waiting):
            distance, *cells = rows[later]
            self._coded[later] = (
                self._patched(self._coded[later - distance], cells)
                if distance
                else "".join([self._signs[cell] for cell in cells])
            )
            place = later
        return self._coded[place]

    def _patched(self, before: str, edits: Sequence[int]) -> str:
        """Return a text after edits, which are encoded as in `TextsJson.texts`."""
        parts: list[str] = []
        place = at = 0
        while at < len(edits):
            keep, drop, count = edits[at : at + 3]
            came = [self._signs[cell] for cell in edits[at + 3 : at + 3 + count]]
            parts += [before[place : place + keep], *came]
            place += keep + drop
            at += 3 + count
        return "".join([*parts, before[place:]])

    @property
    def _signs(self) -> list[str]:
        """Return the characters of the part's words, by their places."""
        if len(self._listed) < len(self._places):
            self._listed = list(self._places)
        return self._listed


def token_of(token: TokenJson) -> Token:
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
