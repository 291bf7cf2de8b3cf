"""Rules quoted in part with their numbers, in the sample rulebook."""

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.identify import identify
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.recognise_kind import read_partial

DAY = "2008-06-20"


def test_first_sentence(base: KnowledgeBase) -> None:
    """A rule's first sentence under its number agrees, and is reported as a part."""
    (rule,), (subject,) = base.show("600.3", DAY), base.show("600.4a", DAY)
    sentence, rest = rule.text.split(". ", 1)
    text = f"600.3. {sentence}.\n\n600.4a. {subject.text}\n"

    excerpt = attest_excerpt(base, read_partial(text.encode(), "a.txt"), "a.txt")

    first, second = excerpt.passages
    assert (first.verdict, second.verdict) == (PassageVerdict.AGREES, PassageVerdict.AGREES)
    label = base.editions[first.edition or 0].label
    assert first.evidence == (f"it breaks off there; {label} goes on",)
    assert rest
    assert second.evidence == ()
    assert identify(base, text.encode(), "a.txt")["agrees"]


def test_other_words(base: KnowledgeBase) -> None:
    """A first sentence with other words differs from the rule."""
    (rule,), (subject,) = base.show("600.3", DAY), base.show("600.4a", DAY)
    sentence = rule.text.split(". ", 1)[0].replace("active", "idle")
    text = f"600.3. {sentence}.\n\n600.4a. {subject.text}\n"

    excerpt = attest_excerpt(base, read_partial(text.encode(), "a.txt"), "a.txt")

    assert sentence not in rule.text
    assert excerpt.passages[0].verdict is not PassageVerdict.AGREES
    assert not identify(base, text.encode(), "a.txt")["agrees"]


def test_error_short_sentences_of_another_game(base: KnowledgeBase) -> None:
    """A few words similar to a rule's could be from many games."""
    (rule,) = base.show("600.1", DAY)
    words = " ".join(rule.text.split(". ", 1)[0].split()[:5]).replace("game", "match")
    page = f"1.1 {words}.\n1.2 Set a trap and wait.\n"

    with pytest.raises(LayoutError) as caught:
        attest_excerpt(base, read_partial(page.encode(), "a.txt"), "a.txt")

    assert (
        str(caught.value) == "a.txt: fragment of other rules: nothing of it stands in any edition"
    )
