"""The sentence that answers best."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.search.queries.query_groups import Group
from variorum_kb.search.snippet import MARK, snippet
from variorum_kb.text.sentences import sentence_spans
from variorum_kb.text.stems import stem_of

TEXT = (
    "A boat has a lamp. A lamp that burns oil needs a keeper, see rule 302.1a. “No oil burns.” "
    "(It’s {T}: light.)\nThe keeper’s lamp-oil burns +1/+1 drams!"
)
texts = st.text(
    alphabet=st.one_of(
        st.sampled_from("aAbs 10.!?)”\"'’-\n"), st.characters(exclude_characters="*")
    )
)


def group(words: str, tells: float = 1.0, *others: str, is_asking: bool = False) -> Group:
    """Return a group of a query."""
    stems = [tuple(map(stem_of, text.split())) for text in (words, *others)]
    group = Group(tuple(words.split()), stems=stems)
    group.tells, group.is_asking = tells, is_asking
    return group


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([group("boat")], "A **boat** has a lamp."),
        ([group("boats"), group("lamps")], "A **boat** has a **lamp**."),
        (
            [group("oil"), group("keeper")],
            "A lamp that burns **oil** needs a **keeper**, see rule 302.1a.",
        ),
        ([group("302.1a")], "A lamp that burns oil needs a keeper, see rule **302.1a**."),
        ([group("{t}")], "(It’s **{T}**: light.)"),
        ([group("+1/+1")], "The keeper’s lamp-oil burns **+1/+1** drams!"),
        ([group("anchor")], "A boat has a lamp."),
        ([], "A boat has a lamp."),
    ],
)
def test_best_sentence(groups: list[Group], expected: str) -> None:
    """The first sentence with most words of the query is shown; without any, the first sentence."""
    assert snippet(TEXT, groups) == expected


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([group("lamp"), group("oil"), group("burns"), group("dram")], "keeper’s **lamp-oil burns** +1/+1 **drams**"),
        ([group("keeper"), group("+1/+1")], "**keeper’s** lamp-oil burns **+1/+1** drams"),
        ([group("keeper"), group("lamp"), group("drams")], "**keeper’s lamp**-oil burns +1/+1 **drams**"),
    ],
)  # fmt: skip
def test_marks(groups: list[Group], expected: str) -> None:
    """Adjacent words have one mark, across at most a blank or hyphen."""
    assert snippet(TEXT, groups) == f"The {expected}!"


def test_words_of_the_question() -> None:
    """Question words are marked only if the query has no others."""
    asking = group("has", 0.2, is_asking=True)

    assert snippet(TEXT, [asking, group("boat")]) == "A **boat** has a lamp."
    assert snippet(TEXT, [asking]) == "A boat **has** a lamp."


def test_another_mark() -> None:
    """The caller may choose the mark."""
    assert snippet("A boat.", [group("boat")], "_") == "A _boat_."


@given(texts, st.lists(st.sampled_from(["a", "b", "as", "1", "s"]), max_size=3))
def test_nothing_is_lost(text: str, words: list[str]) -> None:
    """Without its marks, a snippet is a sentence of the text, letter for letter."""
    result = snippet(text, [group(word) for word in words])

    assert result.replace(MARK, "") in {text[start:stop] for start, stop in sentence_spans(text)}
    assert result.count(MARK) % 2 == 0
