"""The words of a text for search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.text.folding import fold_in_place
from variorum.text.search_words import placed_words, plain_words

# Characters of rulebooks, with more of those that separate or join words.
texts = st.text(
    alphabet=st.one_of(st.sampled_from("aAtsT 10.+-−–*/'’‘“”\"{}\nİß_"), st.characters())
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boats sail.", ["boats", "sail"]),
        ("", []),
        (" .,;:!? — … ", []),
        ("{T}: Add {W/U} or {10}", ["{t}", "add", "{w/u}", "or", "{10}"]),
        ("{t }{}", ["t"]),
        ("a +1/+1 counter", ["a", "+1/+1", "counter"]),
        ("a −1/−1 counter", ["a", "-1/-1", "counter"]),
        ("a –1/–1 counter", ["a", "-1/-1", "counter"]),
        ("gets -N/-0", ["gets", "-n/-0"]),
        ("a 2/2 boat, a */* boat", ["a", "2/2", "boat", "a", "*/*", "boat"]),
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
def test_words(text: str, expected: list[str]) -> None:
    """Each text is split into words as people would split it."""
    assert plain_words(text) == expected


@pytest.mark.parametrize("text", ["*/1+*", "1+*/2", "1+*/1+*"])
def test_sums_in_a_corner(text: str) -> None:
    """A sum such as 1+*/2 is one word."""
    assert plain_words(f"a {text} boat") == ["a", text, "boat"]


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
