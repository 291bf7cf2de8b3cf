"""The website's script gives the same results as the command."""

from collections.abc import Iterator
from datetime import date
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from lab.questions.judged import rule_of
from tests.pages.built_site import Site
from tests.site.assets.comparisons import by_the_command, designators, named_by_the_command
from tests.site.assets.node import (
    answer,
    answers,
    compare_data,
    compared,
    ever_hits,
    first_hits,
    story_rows,
)
from tests.site.assets.searches import agreeing
from tests.site.data.compare_data import patched
from variorum_kb.answers.between_editions.changes import Change
from variorum_kb.answers.between_editions.script_tokens import edits_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.question_parser import parse_questions
from variorum_kb.forms.search import HitJson
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.permalinks import slug_of
from variorum_kb.rows import STEP_KINDS, full_text, named
from variorum_kb.rule_numbers import is_below, order_of
from variorum_kb.search.answer import Search
from variorum_kb.search.queries.query import All, Either, Not, Number, Part, Phrase, parse_query
from variorum_kb.search.questions.question_answers import Inquiry, QuestionAnswers
from variorum_kb.search.search_options import SearchOptions
from variorum_kb.text.folding import fold_in_place
from variorum_kb.text.search_words import placed_words, plain_words
from variorum_kb.text.sentences import sentence_spans
from variorum_kb.text.stems import IRREGULAR, SHORT_STEMS, family_of, stem_of
from variorum_kb.text.words import tokens_of
from variorum_site.data.compare_steps import CompareFiles, edition_rows
from variorum_site.pages.changes import kinds_in_words
from variorum_site.pages.time_bar import in_words, name_of

DAY = date(2026, 1, 2)
TEXTS = [
    "",
    "Can’t, won't — don’t −1/−1 +1/+1 */1+* 2/2. x+1/+1",
    "{T}, {W/U}: put 3 counters; see rules 704.5k–m, 702.9bc and 100.1a.",
    "The player’s “state-based” actions' ‘word’ players' it's",
    "Æther Vial, DANDÂN, Straße İstanbul 1\u017ft naïve_word _____ ﬁne ½",
    "colour coloured colours fly flies flying dying tied ties used uses agreed",
    "+1: −2: -X: 0: [+1] 10-11 a+b 1/2/3 7.5 702. 702.a 0702.1",
    "regeneration abilities movement quickly on only monk ion li",
]
QUERIES = [
    "flying -1/-1", '"can’t be" NOT counter*', "704.5K", "cr 704.5", "§702.9", "rule 7", "7",
    "70*", "702.1*", "a OR b AND c", "(a OR b) c AND d", "NOT (a b) c", "“two words” x", "x AND NOT y",
    "rule 704.5 dies", "hexproof*", "+1/+1 counter", "706. flip", "subrule 306.b", "section 702?",
]  # fmt: skip
QUESTIONS = [
    "CR 704.5k (2026-08-07)", "CR 704.5K", "704.5k", "704. 5k", "702.19 M10", "704.5k-m", "rules 508.1d–f",
    "704.5k, 704.5j and 7", "11 July 2009", "702.19 702.20 July 2009", "mana burn (2009-07-11)",
    "704.5n-k", "119.7-8", "306-311", "306-11", "702.175#2", "702.175#2 (2024-09-20)", "704.5 in M10", "2XM", "10th",
    "2009", "2009-07-11", "704.5k on 1 March 2014", "704.5k as of 2014-03", "704.5k @ first", "600.4a 2007-10-01",
    "§702.9, §702.9b", "cr: 100.1", "rule", "704.5kk", "704.5abc", "306.b", "704.5k to m", "704.5k through n M11",
    "704.5 k", "119.1.d", "702. 37a", "0702", "1000", "7 8", "704.5k (in Modern Horizons 3)", "704.5k (M10)",
    "trample (current)", "trample (Foo)", "704.5k; 704.5j M10", "704.5k M10; 704.5j M11", "cr 704", "CR", "", "  ",
    "704.5k foo bar", "704.5k today", "trample (today)", "704.5k (2007-10-01) or 600.4a (2004-12-01)", "603.7d-603.9 latest", "704.5k, march 2014",
]  # fmt: skip
NUMBERS = [
    "7",
    "70",
    "702",
    "702.9",
    "702.9a",
    "702.9b",
    "702.10",
    "704.5z",
    "704.5aa",
    "100",
    "306.b",
]
SEARCHES = """
mulligan | boats sail | draw a card | flame | lighthouse | tide check | common lamp | concede
lose the game | empty stores | first strike | "{T}" | oil | tank | hoist a boat | lowering a flag
targets | controller | owner of a card | ability | triggered abilities wait | copy | mast
open sea | multiplayer game | team flame | coin | flipping a coin | wandering moon | squall
signal | buoy | tied to a boat | 704.5 | 704.5a | 702 | rule 100.2 | "can't sail" | boats NOT lamps
flag OR flame | hoist* | what happens when a player concedes | when does the game end
scoop | opp | damage | two charts | subtype | keyword abilities | name of a card
""".replace("\n", " | ").split(" | ")


@pytest.fixture(scope="module")
def base(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the base of the sample rulebook, open."""
    with KnowledgeBase.open(sample_base, today=DAY) as opened:
        yield opened


@pytest.fixture(scope="module")
def texts(base: KnowledgeBase) -> list[str]:
    """Return odd texts, and all texts of the sample rulebook."""
    return [*TEXTS, *sorted({full_text(state.body) for state in base.whole.states.values()})]


@pytest.fixture(scope="module")
def words(texts: list[str]) -> list[str]:
    """Return all words of these texts, and words with special stems."""
    return sorted(
        {*(word for text in texts for word in plain_words(text)), *IRREGULAR, *SHORT_STEMS}
    )


def test_folding(texts: list[str]) -> None:
    """Folded texts are the same, character by character."""
    assert answers("fold", [[text] for text in texts], "words.js") == list(
        map(fold_in_place, texts)
    )


def test_words(texts: list[str]) -> None:
    """Words of texts are the same, at the same places."""
    calls = [[text] for text in texts]

    assert answers("plainWords", calls, "words.js") == list(map(plain_words, texts))
    # JavaScript counts UTF-16 units; these texts have no characters of two units.
    assert answers("wordsOf", calls, "words.js") == [
        [list(word) for word in placed_words(text)] for text in texts
    ]


def test_stems(words: list[str]) -> None:
    """Stems of words, and families of stems, are the same."""
    calls = [[word] for word in words]

    assert answers("stemOf", calls, "words.js") == list(map(stem_of, words))
    assert answers("familyOf", calls, "words.js") == list(map(family_of, words))


def test_sentences(texts: list[str]) -> None:
    """Sentences of texts are the same."""
    result = answers("sentences", [[text] for text in texts], "snippets.js")

    assert result == [
        [list(sentence_span) for sentence_span in sentence_spans(text)] for text in texts
    ]


def as_tree(part: Part) -> dict[str, object]:
    """Return a query in the script's form."""
    if isinstance(part, All | Either):
        parts = [as_tree(inner) for inner in part.parts]
        strict = {"isStrict": part.is_strict} if isinstance(part, All) else {}
        return {"kind": type(part).__name__.lower(), "parts": parts, **strict}
    if isinstance(part, Not):
        return {"kind": "not", "part": as_tree(part.part)}
    if isinstance(part, Number):
        return {"kind": "number", "number": part.number, "isOpen": part.is_open}
    if isinstance(part, Phrase):
        return {"kind": "phrase", "words": list(part.words)}
    return {"kind": type(part).__name__.lower(), **part._asdict()}


def test_queries() -> None:
    """Queries that the command can read give the same tree; the page also reads "704 5k"."""
    result = answers("parseQuery", [[query] for query in QUERIES], "query.js")

    assert result == [as_tree(parse_query(query)) for query in QUERIES]


def test_numbers() -> None:
    """The order of numbers, and the numbers below a number, are the same."""
    pairs = [[number, item] for number in NUMBERS for item in NUMBERS]

    assert answers("isBelow", pairs, "rule_numbers.js") == [is_below(*pair) for pair in pairs]
    assert answers("compareNumbers", pairs, "rule_numbers.js") == [
        (order_of(text) > order_of(item)) - (order_of(text) < order_of(item))
        for text, item in pairs
    ]


def test_questions() -> None:
    """A question names the same rules and editions as for the command."""
    result = answers("parseQuestions", [[question] for question in QUESTIONS], "questions.js")

    questions = [
        [(item["question"]["kind"], item["edition"]) for item in asked] for asked in result
    ]
    numbers = [
        [item["question"] for item in asked if item["question"]["kind"] != "words"]
        for asked in result
    ]
    expected = [parse_questions(question) for question in QUESTIONS]
    assert questions == [
        [(question.question[0], question.edition) for question in asked] for asked in expected
    ]
    assert numbers == [
        [
            {
                "kind": question.question[0],
                "first": question.question[1],
                "last": question.question[2],
            }
            for question in asked
            if question.question[0] != "words"
        ]
        for asked in expected
    ]


def test_word_diffs(texts: list[str]) -> None:
    """Word diffs of any two texts are the same, folded and exact."""
    pairs = [*combinations(TEXTS, 2), *pairwise(texts)]
    calls = [
        [tokens_of(text), tokens_of(item), exact] for text, item in pairs for exact in (False, True)
    ]

    assert answers("wordDiff", calls, "word_diff.js") == [
        [list(piece) for piece in word_diff(text, item, exactly=exact)]
        for text, item in pairs
        for exact in (False, True)
    ]


def test_patches() -> None:
    """Edits give the same list."""
    rows = [("", "abc"), ("abc", ""), ("abc", "abc"), ("abcdef", "xbcyef"), ("ab", "ba")]
    calls: list[list[list[int]]] = []
    for text, item in rows:
        steps = edits_of(text, item)
        edits = [
            part for keep, drop, came in steps for part in (keep, drop, len(came), *map(ord, came))
        ]
        calls.append([list(map(ord, text)), edits])

    assert answers("patched", calls, "compare_data.js") == [patched(*call) for call in calls]


def test_anchors(base: KnowledgeBase) -> None:
    """The script gives headwords in plain letters the same anchors as the site."""
    headwords = sorted(
        {state.heading for state in base.whole.states.values() if state.kind == "glossary"}
    )
    plain = [headword for headword in headwords if headword.isascii() and "'" not in headword]

    assert answers("simpleSlug", [[text] for text in plain], "provision_links.js") == list(
        map(slug_of, plain)
    )


def test_comparisons(base: KnowledgeBase) -> None:
    """Any two editions have the counts, changes, kinds, classes and words of `cr diff`."""
    pairs = [*combinations(range(len(base.editions)), 2), (4, 4)]
    words = designators(base)

    result = compared(base, [*pairs, (6, 2)], words, DAY.isoformat())

    assert result["changes"] == [by_the_command(base, pair) for pair in [*pairs, (2, 6)]]
    assert result["named"] == named_by_the_command(base, words)


def test_few_parts(base: KnowledgeBase) -> None:
    """The parts of the data that a number needs give the same answer about it as all parts."""
    files = compare_data(dict(CompareFiles(base).files()))
    asked = {"files": files, "numbers": NUMBERS_OF_PARTS, "last": len(base.editions) - 1}

    alone, whole = answer(_OF_NUMBERS_OF_PARTS, asked, "compare_data.js", "provision_places.js")

    assert alone == whole
    assert any(len(named) > 1 for named in whole)


NUMBERS_OF_PARTS = ["100.1", "204", "300", "509.3", "702.6a", "7"]
# All bearers of each number, with words, periods and outcomes.
_OF_NUMBERS_OF_PARTS = """[false, true].map((isWhole) => asked.numbers.map((number) => {
  const { parts, order, files } = asked.files, data = new CompareData(parts);
  const needed = data.partsOf({ kind: "number", first: number, last: "" });
  files.forEach((file, place) => { if (isWhole || needed.has(place)) data.add(place, file); });
  if (isWhole) for (const _ of data.addOrder(order));
  return everNamed(data, number).map(([state, edition]) => [
    state, edition, data.nameOf(state), data.wordsOf(state), data.runs[state], data.canon(state).citations,
    ...[0, edition, asked.last].map((other) => placesIn(data, [state], edition, other).map((one) => data.nameOf(one))),
  ]);
}))"""


def test_searches(sample_site: Site, sample_base: Path) -> None:
    """The first hits are the same as the command's, for nearly all queries."""
    queries = [query.strip() for query in SEARCHES if query.strip()]

    result = first_hits(sample_site.json("search/current.js"), queries)

    assert len(queries) >= 40
    assert agreeing(sample_base, queries, result) >= 0.95 * len(queries)


STORIES = [
    "I am at sea and Alda hoists a flag during my turn. Then the wind changes. Does my boat sail home first?",
    "Borin controls two lamps and Old Tidewatcher. He loses the toss of a coin; who wins it, and when?",
    "My opponent concedes the game while her boat is tied to mine and a storm comes up on the open sea",
]


def test_stories(base: KnowledgeBase, sample_site: Site) -> None:
    """For a question with a story, the page ranks rules as `cr ask` does without cards."""
    result = story_rows(
        sample_site.json("search/current.js"), sample_site.json("search/questions.js"), STORIES
    )

    asker = QuestionAnswers(base, None)
    for story, numbers in zip(STORIES, result, strict=True):
        passages = asker.ask(Inquiry(story, limit=10))["passages"]
        rules = [rule_of(number) for number in numbers]
        assert rules == [passage["number"] for passage in passages]
        assert len(rules) == 10


def test_searches_of_all_editions(
    base: KnowledgeBase, sample_site: Site, sample_base: Path
) -> None:
    """The hits in all editions are those of `cr search --ever`, with periods and outcomes."""
    queries = [query.strip() for query in SEARCHES if query.strip() and query.strip()[:1].isalpha()]

    result = ever_hits(base, sample_site.json("search/current.js"), queries)

    with Search.open(sample_base, today=DAY) as search:
        expected = [search.search(SearchOptions(query, ever=True))["hits"] for query in queries]
    summaries = [[_told(hit) for hit in hits] for hits in expected]
    same = [item[:1] == rows[:1] for item, rows in zip(result, summaries, strict=True)]
    assert len(queries) >= 30
    assert same.count(True) >= 0.85 * len(same), [
        (query, item[:1], rows[:1])
        for query, item, rows in zip(queries, result, summaries, strict=True)
        if item[:1] != rows[:1]
    ]


def _told(hit: HitJson) -> list[object]:
    return [named(hit["number"], hit["heading"]), hit["stood"], hit["now"], hit["last"]]


def test_kinds_in_words(base: KnowledgeBase) -> None:
    """What happened is told in the same words, for all kinds and classes of changes."""
    row = base.subject("705.1").state
    changes = [
        Change(row, new, (), bits, change, 1.0, is_part)
        for bits in range(1 << len(STEP_KINDS))
        for new, change, is_part in ((row, "sweep", False), (row, "", True), (None, "", False))
    ]
    kinds = "ChangeItems.prototype.kinds.call({ data: { nameOf: (name) => name } }, change)"
    asked = [
        {
            "old": "705.1",
            "new": change.new and "705.1",
            "bits": change.bits,
            "change": change.change,
            "isPart": change.is_part,
        }
        for change in changes
    ]

    result = answer(f"asked.map((change) => {kinds})", asked, "change_items.js")

    assert result == list(map(kinds_in_words, changes))


def test_names_of_editions(base: KnowledgeBase) -> None:
    """Days and editions have the same names."""
    days = [date(2026, month, 10 + month) for month in range(1, 13)]

    assert answers("dayInWords", [[str(day)] for day in days], "edition_names.js") == list(
        map(in_words, days)
    )
    rows = [[row] for row in edition_rows(base.editions)]
    assert answers("nameOfEdition", rows, "edition_names.js") == list(map(name_of, base.editions))


def test_steps() -> None:
    """Kinds of steps have the same bits."""
    bits = [1 << place for place in range(len(STEP_KINDS))]
    names = ", ".join(kind.upper() for kind in STEP_KINDS)
    result = answer(f"[STEP_KINDS, [{names}]]", None, "steps.js")

    assert result == [list(STEP_KINDS), bits]
