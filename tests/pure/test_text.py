"""Text: what is shown, folds, keys, words and sentences."""

import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.rows import State
from variorum.text import (
    fold_in_place,
    fold_key,
    keys_of,
    placed_words,
    plain_signs,
    plain_words,
    sentence_spans,
    tokens_of,
    visible,
    words_of,
)

# Signs that Arabic and Syriac texts print before numbers and abbreviations.
PRINTED = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
NO_TEXT = set("\u2065\ufffe\uffff")


def test_all_control_characters() -> None:
    """Whatever Unicode calls a control or format character is escaped, but no line feed."""
    signs = set(map(chr, chain(range(0x11000), range(0xE0000, 0xE1000))))
    controls = {sign for sign in signs if unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp"}}

    surrogates = set(map(chr, range(0xD800, 0xE000)))
    assert {it for it in signs if visible(it) != it} == (
        controls | NO_TEXT | surrogates
    ) - PRINTED - {"\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "a\nb"),
        ("a\tb", "a\\u0009b"),
        ("\u202eb", "\\u202eb"),
        ("\uffff", "\\uffff"),
        ("\U000e0001", "\\udb40\\udc01"),
    ],
)
def test_visible(text: str, expected: str) -> None:
    """Control characters are shown as JSON escapes them; line feeds stay."""
    assert visible(text) == expected


# Characters of rulebooks, with more of those that separate or join words.
texts = st.text(
    alphabet=st.one_of(st.sampled_from("aAtsT 10.+-−–*/'’‘“”\"{}\nİß_"), st.characters())
)


@pytest.mark.parametrize(
    ("text", "words", "plain"),
    [
        ("“Each player’s” turn—ends.", "each player's turn ends", '"Each player\'s" turn-ends.'),
        ("the _Magic_(TM) game", "the magic game", "the Magic(TM) game"),
        ("Ælun’s −1/–1 ‘ferry’", "aelun's 1 1 ferry", "Ælun's -1/-1 'ferry'"),
        ("Tides™guide®book", "tides guide book", "Tides™guide®book"),
        ("212.2h?k", "212 2h k", "212.2h?k"),
    ],
)
def test_folds(text: str, words: str, plain: str) -> None:
    """Each fold keeps the differences that matter to its users."""
    assert (" ".join(words_of(text)), plain_signs(text)) == (words, plain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Can’t “sail” ‘now’", "can't \"sail\" 'now'"),
        ("−1/−1 and 3–5", "-1/-1 and 3-5"),
        ("İSTANBUL’S TIDE", "İstanbul's tide"),
        ("", ""),
    ],
)
def test_fold(text: str, expected: str) -> None:
    """Folding equates capitals and signs, in place."""
    assert fold_in_place(text) == expected


@given(texts)
def test_folding_moves_nothing(text: str) -> None:
    """A folded text has the same length, and folding it again changes nothing."""
    folded = fold_in_place(text)

    assert len(folded) == len(text)
    assert fold_in_place(folded) == folded


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Lamp", "lamp"),
        ("  State-Based \t Actions ", "state-based actions"),
        ("“Keeper’s Boat”", "keeper's boat"),
        ('"As though"', "as though"),
        ("_Dark_ lamp", "dark lamp"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("704.5K", "704.5k"),
        ("", ""),
    ],
)
def test_fold_key(words: str, expected: str) -> None:
    """Case, blanks and kinds of quotes do not matter in a look-up."""
    assert fold_key(words) == expected


@given(st.text())
def test_folding_twice_changes_nothing(words: str) -> None:
    """Folding a key twice changes nothing."""
    folded = fold_key(words)

    assert fold_key(folded) == folded


@pytest.mark.parametrize(
    ("kind", "number", "heading", "expected"),
    [
        ("rule", "100.1", "Wick", ["100.1"]),
        ("chapter", "1", "Game Concepts", ["1"]),
        ("glossary", "", "Boat", ["boat"]),
        (
            "glossary",
            "",
            "Keeper, Keeper’s Mate",
            ["keeper", "keeper's mate", "keeper, keeper's mate"],
        ),
        ("glossary", "", "Bury (Obsolete)", ["bury", "bury (obsolete)"]),
        ("glossary", "", "Row, Tow (Obsolete)", ["row", "row, tow", "row, tow (obsolete)", "tow"]),
    ],
)
def test_keys(kind: str, number: str, heading: str, expected: list[str]) -> None:
    """A provision is found by its number, a glossary entry by each word of its headword."""
    state = State(kind, number, number or heading, heading, "", "", "", "")

    assert keys_of(state) == expected


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        (words_of, ["a", "player", "state", "based", "{t}", "-1/-1"]),
        (tokens_of, ("A ", "PLAYER ", "state-based ", "{T} ", "−1/−1")),
    ],
)
def test_variants(find: Callable[[str], Sequence[str]], expected: Sequence[str]) -> None:
    """Hyphens, symbols and numbers with a slash differ between the variants."""
    assert find("A PLAYER state-based {T} −1/−1") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boats sail.", ["boats", "sail"]),
        ("", []),
        (" .,;:!? — … ", []),
        ("{T}: Add {W/U} or {10}", ["{t}", "add", "{w/u}", "or", "{10}"]),
        ("{t }{}", ["t"]),
        ("a +1/+1 counter", ["a", "+1/+1", "counter"]),
        ("a −1/−1 or –1/–1 counter", ["a", "-1/-1", "or", "-1/-1", "counter"]),
        ("gets -N/-0", ["gets", "-n/-0"]),
        ("a 2/2 boat, a */* boat", ["a", "2/2", "boat", "a", "*/*", "boat"]),
        ("a */1+* boat, 1+*/2, 1+*/1+*", ["a", "*/1+*", "boat", "1+*/2", "1+*/1+*"]),
        ("It’s 7, {2/W}; don't", ["it", "7", "{2/w}", "don't"]),
        ("+1: light it. -X: sink it", ["+1", "light", "it", "-x", "sink", "it"]),
        ("rule 704.5k.", ["rule", "704.5k"]),
        ("rules 601.1a–c", ["rules", "601.1a", "c"]),
        ("704.5aa", ["704.5aa"]),
        ("rule 119.1.", ["rule", "119.1"]),
        ("It costs 1.5, or 15", ["it", "costs", "1", "5", "or", "15"]),
        ("The player’s lamp", ["the", "player", "lamp"]),
        ("the players’ lamps", ["the", "players", "lamps"]),
        ("It’s here", ["it", "here"]),
        ("can’t, can't, cannot, cant", ["can't", "can't", "cannot", "cant"]),
        ("‘Boats’ and “lamps”", ["boats", "and", "lamps"]),
        ("a face-down pile", ["a", "face", "down", "pile"]),
        ("_____ Heron", ["heron"]),
        ("Dorân’s Ælun", ["dorân", "ælun"]),
    ],
)
def test_search_words(text: str, expected: list[str]) -> None:
    """Each text is split into words as people would split it."""
    assert plain_words(text) == expected


@given(texts)
def test_words_lie_in_the_text(text: str) -> None:
    """Words are parts of the text, in order and without overlap."""
    words = placed_words(text)

    small = fold_in_place(text)
    assert [small[word.start : word.stop].removesuffix("'s") for word in words] == [
        word.word for word in words
    ]
    places = [place for word in words for place in (word.start, word.stop)]
    assert places == sorted(places)
    assert all(0 <= word.start < word.stop <= len(text) for word in words)


@given(texts)
def test_both_ways_to_words_agree(text: str) -> None:
    """The words are the same with and without positions."""
    assert plain_words(text) == [word.word for word in placed_words(text)]


sentences = st.text(alphabet=st.one_of(st.sampled_from("aAbs 10.!?)”\"'’-\n"), st.characters()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("   ", ["   "]),
        ("A boat", ["A boat"]),
        ("A boat. A lamp.", ["A boat.", "A lamp."]),
        ("See rule 702.9b. Done!", ["See rule 702.9b.", "Done!"]),
        ("See p.m. and 1.5. Done", ["See p.m. and 1.5.", "Done"]),
        ("He says, “Light!” Done?", ["He says, “Light!”", "Done?"]),
        ('He says, "Light." (Or not.) Done', ['He says, "Light."', "(Or not.)", "Done"]),
        ("One\nTwo\n\nThree", ["One", "Two", "Three"]),
        ("Wait... what", ["Wait... what"]),
        ("Wait... What?! (No.)", ["Wait...", "What?!", "(No.)"]),
        ("It says “Draw.” or “Discard.” twice.", ["It says “Draw.” or “Discard.” twice."]),
        ('Say "a" or "Draw." Twice. Done', ['Say "a" or "Draw."', "Twice.", "Done"]),
        ('Say "a", "Draw. Twice." Done', ['Say "a", "Draw. Twice."', "Done"]),
        ("“" + 999 * "a" + ". One. Two", ["“" + 999 * "a" + ".", "One.", "Two"]),
        ("Say “one\ntwo” or “three", ["Say “one", "two” or “three"]),
    ],
)
def test_spans(text: str, expected: list[str]) -> None:
    """A sentence ends with its sign and any closing quote or bracket, or with the line."""
    assert [text[start:stop] for start, stop in sentence_spans(text)] == expected


@given(sentences)
def test_spans_are_all_of_the_text(text: str) -> None:
    """Sentences are in order, with only blanks between them."""
    result = sentence_spans(text)

    places = [place for row in result for place in row]
    assert places == sorted(places)
    ends = [0, *places, len(text)]
    between = [text[start:stop] for start, stop in zip(ends[::2], ends[1::2], strict=True)]
    assert "".join(between).strip() == ""
