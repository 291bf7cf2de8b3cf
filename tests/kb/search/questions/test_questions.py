"""Questions as people ask them: understood, ranked, explained."""

import json
from collections.abc import Callable, Generator
from datetime import date
from pathlib import Path

import pytest

from lab.questions.weights_table import print_weights
from tests.support.sample_cards import ATOMIC
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cards.store import Cards, take_in
from variorum_kb.search.questions import numbers_now
from variorum_kb.search.questions.features import FEATURES
from variorum_kb.search.questions.index import index_of
from variorum_kb.search.questions.question_answers import Inquiry, QuestionAnswers
from variorum_kb.search.questions.story import signs_of, understood
from variorum_kb.search.questions.weights import QuestionWeights, fitted_weights, parse_weights

NEWEST = "2025-05-30"
EVEN: dict[str, float] = dict.fromkeys(FEATURES, 1.0)
PLAIN = QuestionWeights(NEWEST, EVEN, {}, {}, {}, {})
UNEVEN = QuestionWeights(
    NEWEST,
    {name: 1.0 + place / 4 for place, name in enumerate(FEATURES)},
    {"702.9": 0.75, "704.5": -0.25},
    {"702": 0.5, "601": -0.5},
    {"704.5g": 0.9, "702.3b": 2.5},
    {
        "said boat": "702.3:0.80 601:0.40",
        "said odd": "702.3:0.80",
        "asked draw": "120.1:0.60",
        "printed redirect": "115:0.30",
        "type Legendary": "704.5:0.60",
        "keyword Skimming": "702.5:0.20",
        "layout split": "709:0.50",
        "cost X": "107.3:0.70",
    },
)
QUESTIONS = """\
I control Marrow. Does it pull when it is barred?
A player has ten storm markers. Do they lose the game?
Addison sinks Nola's Marrow and a Zyx Wolf. A boat sinks. Who draws first?
Who wins a coin flip?
Bell // Buoy is split: may I redirect a boat, or redirect it?
Keelgrindr and Marrow meet. What happens to skimming boats
Odd are Nola's boats. Gleam and Drift, both.
Wreath of Salt, then Drain Harbor, then Wreath of Salt. Is the oil lost? Is the marker?
If Marrow leaves the game, and it pulls once, what then?
Thought Reflection. How many cards do I draw? Then my stores are empty.
gleam
Zyxxy qwv?
Does my Gleam Zyx sink?
Keelgrinder""".splitlines()


@pytest.fixture(scope="module")
def base(sample_base: Path) -> Generator[KnowledgeBase]:
    """Return the base of the sample rulebook."""
    with KnowledgeBase.open(sample_base, today=date(2026, 1, 1)) as opened:
        yield opened


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cards]:
    """Return the invented cards."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "cards.json").write_text(json.dumps(ATOMIC), "utf-8")
    take_in([folder / "cards.json"], folder)
    with Cards.open(folder) or pytest.fail("no cards") as opened:
        yield opened


def test_story(base: KnowledgeBase, cards: Cards) -> None:
    """Card names are replaced by types; the question is separated from the story."""
    asker = QuestionAnswers(base, cards, PLAIN)
    text = "Addison sinks Nola's Marrow and a Zyx Wolf. A boat sinks. Who draws first?"

    story = understood(text, asker.mentions(text), asker.index(base.edition()))

    assert {"sink", "boat", "draw"} <= story.said.keys()
    assert not {"addison", "nola", "marrow", "zyx", "wolf"} & story.said.keys()
    assert "boat" not in story.asked
    assert "draw" in story.asked
    assert [card.name for card in story.cards] == ["Marrow, Tide of Gulls"]
    signs = signs_of(story)
    assert {
        "said sink",
        "asked draw",
        "printed undertow",
        "type Legendary",
        "keyword Undertow",
        "cost X",
    } <= set(signs)


def test_cards_lead_to_rules(base: KnowledgeBase, cards: Cards) -> None:
    """A card's keyword leads to its rule, with this reason; without cards it does not."""
    inquiry = Inquiry("I control Marrow. Does it pull when it is barred?", limit=3)

    answer = QuestionAnswers(base, cards, PLAIN).ask(inquiry)
    without = QuestionAnswers(base, None, PLAIN).ask(inquiry)

    passage = next(item for item in answer["passages"] if item["number"] == "702.9")
    reasons = [reason for reason in passage["why"] if reason["kind"] == "keyword"]
    assert reasons == [{"kind": "keyword", "words": ["Undertow"], "card": "Marrow, Tide of Gulls"}]
    assert answer["cards"][0]["written"] == "Marrow"
    assert "702.9" not in [item["number"] for item in without["passages"]]
    assert (answer["has_cards"], without["has_cards"], without["cards"]) == (True, False, [])


def test_answers(base: KnowledgeBase, cards: Cards, golden: Callable[[str, object], None]) -> None:
    """Cards, passages, scores, subrules and reasons are unchanged."""
    asker = QuestionAnswers(base, cards, UNEVEN)
    inquiries = [Inquiry(question, limit=4) for question in QUESTIONS]
    lines: list[str] = []
    for inquiry in [*inquiries, Inquiry(QUESTIONS[0], "2006-03-01", 2), Inquiry(QUESTIONS[1])]:
        answer = asker.ask(inquiry)
        lines.append(f"{inquiry.question} {answer['edition']}")
        lines += [f"  {json.dumps(card, ensure_ascii=False)}" for card in answer["cards"]]
        for passage in answer["passages"]:
            subrules = " ".join([str(subrule["number"]) for subrule in passage["subrules"]])
            lines.append(
                f"  {passage['number']} now {passage['now']} {passage['score']} {subrules}"
            )
            lines.append(f"    {passage['path'][-1]}: {passage['heading']}")
            lines += [
                f"    {why['kind']}: {', '.join(why['words'])} {why['card'] or ''}".rstrip()
                for why in passage["why"]
            ]

    golden("search/questions.txt", "".join(f"{line}\n" for line in lines))


def test_learnt(base: KnowledgeBase) -> None:
    """A learned sign leads to its rule, and the reason names the word."""
    weights = PLAIN._replace(signs={"said boat": "702.3:50.00 601:0.10"})

    answer = QuestionAnswers(base, None, weights).ask(Inquiry("My boats are odd."))

    assert answer["passages"][0]["number"] == "702.3"
    assert answer["passages"][0]["why"][0] == {"kind": "learnt", "words": ["boats"], "card": None}


def test_other_editions(base: KnowledgeBase) -> None:
    """Weights for the rules of one edition also apply to others, under the numbers there."""
    rows = base.show("702.9", NEWEST)[0].where("2006-03-01")
    (there,) = rows["new"]
    weights = PLAIN._replace(rules={"702.9": 99.0})

    answer = QuestionAnswers(base, None, weights).ask(Inquiry("A boat?", "2006-03-01"))

    assert (answer["edition"], answer["passages"][0]["number"]) == ("2006-03-01", there)
    assert answer["passages"][0]["now"] == "702.9"


def test_weights_in_another_edition(base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights get an edition's numbers, without rules that it lacks."""
    weights = UNEVEN._replace(
        rules={"702.9": 1.0, "702.8": 2.0},
        subrules={"704.5g": 3.0},
        signs={"said tow": "702.9:1 702.8:4 601:2"},
    )
    monkeypatch.setattr(numbers_now, "fitted_weights", lambda: weights)

    there = numbers_now.weights_in(base, base.edition("2006-03-01"))

    assert numbers_now.weights_in(base, base.edition(NEWEST)) == weights
    assert (there.edition, there.sections) == ("2006-03-01", weights.sections)
    assert (there.rules, there.subrules) == ({"502.8": 1.0}, {})
    assert there.signs == {"said tow": "502.8:1 409:2"}


def test_index_is_kept(
    base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An index is read from the cache; if it is damaged or cannot be kept, it is built again."""
    monkeypatch.setenv("VARIORUM_CACHE", str(tmp_path))
    made = index_of(base, base.edition(), NEWEST)
    (file,) = tmp_path.rglob("questions-*.json")
    with monkeypatch.context() as patch:
        patch.setattr("variorum_kb.search.questions.index._made", None)
        kept = index_of(base, base.edition(), NEWEST)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    again = index_of(base, base.edition(), NEWEST)

    assert file.read_bytes() == whole
    assert made.rules == kept.rules == again.rules
    assert made.large == kept.large


def test_weights_ship() -> None:
    """The packaged table has every feature, names rules and sections, and reads back as printed."""
    weights = fitted_weights()

    assert set(weights.features) == set(FEATURES)
    assert len(weights.signs) > 500
    assert all(weight > 0 for sign in weights.signs for _, weight in weights.spoken_for(sign))
    assert parse_weights(print_weights(weights, ["head"])).signs == weights.signs
