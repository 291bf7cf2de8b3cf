"""Whether a cited rule agrees with the sentence that cites it."""

from collections.abc import Callable

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.judging.judge import CitationJudge
from variorum_kb.audit.judging.sentence import sentences_of
from variorum_kb.audit.judging.verdict import CitationVerdict


@pytest.fixture(scope="module")
def judge(base: KnowledgeBase) -> CitationJudge:
    """Return a judge of citations by the latest edition."""
    return CitationJudge(base, base.edition("latest"))


def judged(judge: CitationJudge, text: str, day: str = "") -> list[CitationVerdict]:
    """Return the verdicts on the citations of a text."""
    citations = list(CitationFinder().find(text))
    return judge.judge_all(text, citations, [day] * len(citations))


@pytest.mark.parametrize("day", ["2025-05-30", ""])
@pytest.mark.parametrize(
    ("text", "status", "named"),
    [
        # Another rule's subject, in another section and in the same one.
        ("// CR 702.2a: Gleam is damage before boats without it", "says something else", "702.3"),
        (
            "# CR 401.1: in a Wandering Moon game, each flame begins at 20",
            "says something else",
            "119.1b",
        ),
        # Today's heading or terms confirm it, anywhere in the text, also for one of a list.
        ("// CR 401.1: the stores are a face-down pile", "current", ""),
        ("Stores (CR 401.1)", "current", ""),
        ("// CR 401.1 / CR 119.1: stores and flame", "current", ""),
        # A name beside the number does not decide alone.
        (
            "# in a Wandering Moon game, each flame begins at 20 (Locker, CR 404.1)",
            "says something else",
            "901.1",
        ),
        ("# escort bars one more boat (Locker, CR 404.1)", "current", ""),
        # A section has the words of all its rules.
        ("# CR 702: Escort bars one more boat", "current", ""),
        # A rule has the words of its subrules.
        ("// Gleam (CR 702.3): a boat with gleam and one without", "current", ""),
        # The clause after a bracket says nothing about the number inside.
        (
            "// They lie there (CR 401.1); in a Wandering Moon game, each flame begins at 20",
            "current",
            "",
        ),
        # The sentence has no words, or none of any rule.
        ("CR 401.1", "current", ""),
        ("// CR 401.1: xyzzy plugh", "current", ""),
        # For a number that never existed, the likeliest rules are found by words or place.
        ("// CR 119.9: each flame begins at 15", "never existed", "119.1"),
        ("CR 119.1z", "never existed", "119.1a"),
    ],
)
def test_verdicts(judge: CitationJudge, text: str, day: str, status: str, named: str) -> None:
    """With or without a date, a contradicted rule is reported, with the likeliest rules."""
    first = judged(judge, text, day)[0]

    assert first.status == status
    assert not named or named in [heir.rstrip("abcd") for heir, _ in first.heirs] + [
        heir for heir, _ in first.heirs
    ]
    assert not (named and first.is_sure)


def test_words_choose_what_is_meant(
    base: KnowledgeBase, judge: CitationJudge, golden: Callable[[str, object], None]
) -> None:
    """If a number has meant several rules, the sentence chooses, weighed against the date."""
    meant: dict[str, dict[str, None]] = {}
    for edition in base.editions[::3]:
        for provision in base.provisions(edition):
            words = " ".join(provision.text.split()[1:16:2])  # every second word
            if "." in provision.number and "#" not in provision.address and words:
                meant.setdefault(provision.number, {})[words] = None
    texts = [
        f"# CR {number}: {words}{aside}"
        for number, several in sorted(meant.items())
        for words in (several if len(several) > 1 else ())
        for aside in ("", " unless boats leave oil for cards of another turn", " turn lamp")
    ]
    lines: list[str] = []
    for text in texts[::4]:
        lines.append(text)
        for day in ("", "2008-06-20"):
            (verdict, *_) = judged(judge, text, day)
            heirs = " ".join([heir for heir, _ in verdict.heirs])
            sure = "sure" if verdict.is_sure else "not sure"
            lines.append(f"  {day or 'undated'}: {verdict.status}: {heirs}; {sure} {verdict.why}")

    golden("audit-by-words.txt", "".join(f"{line.rstrip()}\n" for line in lines))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("// Gleam (CR 702.3)\n\n// CR 702.3a: the face-down pile", "current"),
        ("// Boats (CR 702.3)\n\n// CR 702.3a: the face-down pile", "says something else"),
        # It is more than 900 characters away, or the sentence names another rule.
        (f"// Gleam (CR 702.3)\n{' ' * 886}\n// CR 702.3a: the face-down pile", "current"),
        (
            f"// Gleam (CR 702.3)\n{' ' * 887}\n// CR 702.3a: the face-down pile",
            "says something else",
        ),
        ("// Gleam (CR 702.3)\n\n// CR 702.3a: stores are a face-down pile", "says something else"),
    ],
)
def test_explained(judge: CitationJudge, text: str, status: str) -> None:
    """A subject named at one citation also counts for nearby citations of its rule."""
    assert judged(judge, text, "latest")[1].status == status


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("// CR 100.1: FlashBack casts it", ["flash", "back", "flashback", "cast"]),
        ('.push("Drift (CR 100.1)".to_string());', ["drift"]),
        ("// CR 100.1: one\n// two\n// boats.\n// four", ["two", "boat"]),
        ("// CR 100.1: boats\nlet code = 1;", ["boat"]),
        ("x = 1  # CR 100.1: boats\n       # drift", ["boat", "drift"]),
        ("# Boats of one\n# harbour drift (CR 100.1).", ["boat", "harbour", "drift"]),
        ("# Boats of one\n// harbour drift (CR 100.1).", ["harbour", "drift"]),
        ("Boats of one\nharbour drift (CR 100.1).", ["harbour", "drift"]),
        ("* CR 100.1: boats\n  drift\n* storm", ["boat", "drift"]),
        ("// CR 100.1 / Storm: boats {0}", ["boat", "{0}"]),
        ("boats drift CR 100.1\n", ["boat", "drift"]),
        ("CR 100.1 / CR 100.2: boats", ["boat"]),
        # A programmer's plan has "stories", which no rule is about.
        ("User story of CR 100.1: boats", ["user", "boat"]),
    ],
)
def test_sentence(text: str, words: list[str]) -> None:
    """A sentence continues through its comment, without the code around it."""
    citations = list(CitationFinder().find(text))

    sentence = sentences_of(text, citations)[0]

    assert sorted(sentence.stems.weights) == sorted(words)


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("// CR 400.1: a place is where a card can be", False),
        ("// CR 400.1: here and there", True),
    ],
)
def test_words_of_today_keep_an_old_number(
    judge: CitationJudge, text: str, *, is_sure: bool
) -> None:
    """A number that is old by its date stays if the words are those of its present rule."""
    (verdict,) = judged(judge, text, "2003-02-10")

    assert (verdict.status, verdict.heirs[0][0]) == ("another provision", "600.1")
    assert verdict.is_sure == is_sure
    assert (verdict.why == "but 400.1 says so now") != is_sure
