"""What counts as a word, and which words are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.search.words import family_of, fold, plain_words, stem_of, words_of

# Whatever a rulebook may print, with more of what parts words or holds them together.
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
    """Each text falls into the words that a person would count."""
    assert plain_words(text) == expected


@pytest.mark.parametrize("text", ["*/1+*", "1+*/2", "1+*/1+*"])
def test_sums_in_a_corner(text: str) -> None:
    """Numbers that are sums are one word with what stands beside them."""
    assert plain_words(f"a {text} boat") == ["a", text, "boat"]


@given(texts)
def test_words_lie_in_the_text(text: str) -> None:
    """Words are parts of the text in its order, and none overlaps another."""
    words = words_of(text)

    small = fold(text)
    assert [small[one.start : one.stop].removesuffix("'s") for one in words] == [
        one.word for one in words
    ]
    places = [place for one in words for place in (one.start, one.stop)]
    assert places == sorted(places)
    assert all(0 <= one.start < one.stop <= len(text) for one in words)


@given(texts)
def test_both_ways_to_words_agree(text: str) -> None:
    """With places or without, words are the same."""
    assert plain_words(text) == [one.word for one in words_of(text)]


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
    """Capitals and signs become one, in their places."""
    assert fold(text) == expected


@given(texts)
def test_folding_moves_nothing(text: str) -> None:
    """A folded text is as long as the text, and folding it again changes nothing."""
    found = fold(text)

    assert len(found) == len(text)
    assert fold(found) == found


@pytest.mark.parametrize(
    "forms",
    [
        ["destroy", "destroys", "destroyed", "destroying"],
        ["sacrifice", "sacrifices", "sacrificed", "sacrificing"],
        ["copy", "copies", "copied", "copying"],
        ["die", "dies", "died", "dying"],
        ["tie", "ties", "tied", "tying"],
        ["use", "uses", "used", "using"],
        ["tap", "taps", "tapped", "tapping"],
        ["bar", "bars", "barred", "barring"],
        ["pass", "passes", "passed", "passing"],
        ["target", "targets", "targeted", "targeting"],
        ["control", "controls", "controlled", "controlling"],
        ["choose", "chooses", "chose", "chosen", "choosing"],
        ["deal", "deals", "dealt", "dealing"],
        ["lose", "loses", "lost", "losing"],
        ["win", "wins", "won", "winning"],
        ["begin", "begins", "began", "begun", "beginning"],
        ["become", "becomes", "became", "becoming"],
        ["leave", "leaves", "left", "leaving"],
        ["agree", "agrees", "agreed"],
        ["ability", "abilities"],
        ["box", "boxes"],
        ["player", "players"],
        ["colour", "color", "colours", "colors"],
        ["coloured", "colored"],
        ["colourless", "colorless"],
        ["can't", "cannot", "cant"],
        ["isn't", "isnt"],
        ["don't", "dont"],
        ["doesn't", "doesnt"],
    ],
    ids=" ".join,
)
def test_forms_of_a_word(forms: list[str]) -> None:
    """All forms of a word have one stem."""
    assert {stem_of(form) for form in forms} == {stem_of(forms[0])}


@pytest.mark.parametrize(
    "forms",
    [
        ["fly", "flies", "flying"],
        ["pay", "pays", "paid", "paying"],
        ["try", "tries", "tried", "trying"],
        ["day", "days"],
        ["bay", "bays"],
        ["ice", "ices"],
        ["eye", "eyes"],
        ["see", "sees", "seeing"],
        ["agree", "agreeing"],
    ],
    ids=" ".join,
)
def test_forms_of_a_short_word(forms: list[str]) -> None:
    """Short words are no exception: all their forms have one stem."""
    assert {stem_of(form) for form in forms} == {stem_of(forms[0])}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("commander", "command"),
        ("controller", "control"),
        ("owner", "own"),
        ("active", "activate"),
        ("creature", "create"),
        ("planeswalker", "planeswalk"),
        ("can", "can't"),
        ("do", "don't"),
        ("boat", "boatyard"),
        ("thing", "th"),
        ("king", "k"),
        ("need", "ne"),
        ("red", "r"),
        ("its", "it"),
        ("+1/+1", "-1/-1"),
        ("704.5", "704.5k"),
        ("1", "11"),
    ],
)
def test_words_that_are_two(one: str, other: str) -> None:
    """What the rules tell apart stays apart."""
    assert stem_of(one) != stem_of(other)


@pytest.mark.parametrize(("one", "other"), [("ones", "on"), ("one", "on"), ("toes", "to")])
def test_short_words_that_are_two(one: str, other: str) -> None:
    """Short words lose no more than longer ones."""
    assert stem_of(one) != stem_of(other)


@pytest.mark.parametrize("word", ["can't", "704.5k", "{t}", "+1/+1", "100", "is", "as", "it"])
def test_words_without_endings(word: str) -> None:
    """Symbols, numbers and the shortest words are their own stems."""
    assert stem_of(word) == word


# Regular words, each with how they take an ending.
BASES = """
    hoist sail anchor bark lower moor target counter draw discard shuffle name salvage escort
    kindle resolve trigger signal light haul rescue measure crash fizz buzz reach wash copy carry
    deploy obey marry trap ship skim plod commit pass toss block attach exile enchant require
""".split()  # noqa: SIM905 - as a list it would fill a page
bases = st.builds(
    "{}{}".format, st.sampled_from(["", "re", "un", "over", "mis"]), st.sampled_from(BASES)
)
DOUBLING = {"trap", "ship", "skim", "plod", "commit"}


def inflected(base: str) -> list[str]:
    """Return the forms of a regular verb."""
    if base.endswith("e"):
        return [f"{base}s", f"{base}d", f"{base[:-1]}ing"]
    if base.endswith("y") and base[-2] not in "aeo":
        return [f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
    stem = base + base[-1] if any(base.endswith(one) for one in DOUBLING) else base
    plural = "es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return [f"{base}{plural}", f"{stem}ed", f"{stem}ing"]


@given(bases)
def test_inflections(base: str) -> None:
    """Whatever ending a regular word takes, its stem stays."""
    assert {stem_of(form) for form in inflected(base)} == {stem_of(base)}


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("regeneration", "regenerate"),
        ("regenerations", "regenerate"),
        ("activation", "activate"),
        ("payment", "paym"),
        ("movement", "move"),
    ],
)
def test_families(word: str, base: str) -> None:
    """What a noun is made of is told by its ending, if enough is left of it."""
    family = family_of(stem_of(word))

    assert family in {"", stem_of(base)}
    assert bool(family) is (word != "payment")


@pytest.mark.parametrize("word", ["cast", "boat", "lion", "union", "station", "only", "can't", ""])
def test_words_without_a_family(word: str) -> None:
    """A word that is made of no other, or of one too short to tell, has no family."""
    assert family_of(stem_of(word)) in {"", "stat"}


@pytest.mark.parametrize(("word", "base"), [("normally", "normal"), ("directly", "direct")])
def test_families_of_adverbs(word: str, base: str) -> None:
    """An adverb belongs to what it is made of."""
    assert family_of(stem_of(word)) == stem_of(base)
