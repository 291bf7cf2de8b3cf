"""Words with the same stem."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.words import family_of, stem_of, topic_of


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
        ["draw", "draws", "drew", "drawn", "drawing"],
        ["give", "gives", "gave", "given", "giving"],
        ["go", "goes", "went", "gone", "going"],
        ["take", "takes", "took", "taken", "taking"],
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
    """All forms of a short word also have one stem."""
    assert {stem_of(form) for form in forms} == {stem_of(forms[0])}


@pytest.mark.parametrize(
    ("first", "second"),
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
def test_words_that_are_two(first: str, second: str) -> None:
    """Words that the rules distinguish have different stems."""
    assert stem_of(first) != stem_of(second)


@pytest.mark.parametrize(
    ("first", "second"), [("ones", "on"), ("one", "on"), ("toes", "to"), ("anne", "an")]
)
def test_short_words_that_are_two(first: str, second: str) -> None:
    """Short words that differ have different stems."""
    assert stem_of(first) != stem_of(second)


@pytest.mark.parametrize(
    "word", ["can't", "704.5k", "{t}", "+1/+1", "100", "is", "as", "it", "being", "ying"]
)
def test_words_without_endings(word: str) -> None:
    """Symbols, numbers and the shortest words are their own stems."""
    assert stem_of(word) == word


# Regular words, each with its way of taking an ending.
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
    stem = base + base[-1] if any(base.endswith(ending) for ending in DOUBLING) else base
    plural = "es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return [f"{base}{plural}", f"{stem}ed", f"{stem}ing"]


@given(bases)
def test_inflections(base: str) -> None:
    """A regular word keeps its stem with any ending."""
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
    """The ending of a noun reveals its verb, if enough of the word is left."""
    family = family_of(stem_of(word))

    assert family in {"", stem_of(base)}
    assert bool(family) is (word != "payment")


@pytest.mark.parametrize("word", ["cast", "boat", "lion", "union", "station", "only", "can't", ""])
def test_words_without_a_family(word: str) -> None:
    """A word that is not derived, or from a word too short, has no family."""
    assert family_of(stem_of(word)) in {"", "stat"}


@pytest.mark.parametrize(("word", "base"), [("normally", "normal"), ("directly", "direct")])
def test_families_of_adverbs(word: str, base: str) -> None:
    """An adverb has the family of its adjective."""
    assert family_of(stem_of(word)) == stem_of(base)


@pytest.mark.parametrize(
    "words",
    ["controller control controlled", "owner own owning", "choice chosen", "boat boat's boats"],
)
def test_topics(words: str) -> None:
    """Words of one topic have the same stem, though they are nouns and verbs."""
    assert len(set(map(topic_of, words.split()))) == 1
