"""What searches and quotations of many forms find in the sample rulebook, with scores and marks."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import VariorumError
from variorum_kb.rows import split_body
from variorum_kb.search.answer import Search
from variorum_kb.search.search_options import SearchOptions

WISHES = (
    *[
        SearchOptions(query, limit=4)
        for query in """\
gleam
tide check
who wins a coin flip?
what happens when a boat is sunk
how do I hoist a card from my locker?
harbor
harbor boats glugs
"storm marker
"storm markers" or wet
"gleam"
"gleam" AND "-N/-0"
boat AND NOT (sail OR bar)
NOT boat
skim*
skimmign
keper of lighthouses
705
705.1
rule 704.5c
702.11
511.2
704.5a-c
705.1 coin
tc
{T}: add one dram
-N/-0
boats boats boats
a
the of
wharf
zzzz
flame is 0 or less
owner’s locker
multiple instances of
cards that have been sunk, struck, discarded
can’t
a player who is younger than ten
General
tide checks
flip a coin
owner of a card
{T} in a cost
how many cards in a deck
mulligan
boat can’t sail
702.9 anchored
can be barred
can't be barred
keeper lighthouse xylophone
boats gleem
Undrtow salvge
"boats gleem"
gleem*
sailing
what is the open sea
open sea
illegal hoisting
""".splitlines()
    ],
    SearchOptions("boat"),
    SearchOptions("coin", "2008-06-20", limit=3),
    SearchOptions("harbor", ever=True, limit=5),
    SearchOptions("flip a coin", ever=True, limit=5),
    SearchOptions("boat", within="702", limit=3),
    SearchOptions("boat", within="702.3", kinds=("subrule",), limit=3),
    SearchOptions("boat", kinds=("glossary", "section"), limit=6),
    SearchOptions("wet", "2003", within="2", limit=3),
    SearchOptions("leaking", ever=True, kinds=("glossary",), limit=3),
    # These have more texts than are examined closely, the first only one more.
    SearchOptions("game NOT has", ever=True, limit=3),
    SearchOptions("its", ever=True, limit=13),
    SearchOptions("boat", limit=30),
)
SLIPS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: text[: len(text) // 2],
    lambda text: text[len(text) // 3 :],
    lambda text: text.replace(" a ", " any "),
    lambda text: text.upper(),
    lambda text: f"“{text}” I think",
    lambda text: text.replace(".", " …"),
    lambda text: " ".join(text.split()[:5]),
    lambda text: " ".join(text.split()[::-1]),
    lambda text: " ".join([word for place, word in enumerate(text.split()) if place % 4]),
    lambda text: " ".join(text.split()[1:30:2]),
    lambda text: " ".join([*text.split()[:4], *text.split()[9:14]]),
    lambda text: " ".join([*text.split()[3:6], *text.split()[8:12], "anchor", "here"]),
)


MOST_WORDS = 9
FORMS: tuple[Callable[[Sequence[str]], str], ...] = (
    " ".join,
    lambda words: f'"{" ".join(words)}"',
    lambda words: f"{words[0]}* {words[-1]}",
    " OR ".join,
    lambda words: f'{words[0]} AND "{" ".join(words[1:])}"',
    lambda words: " ".join([word[:-1] for word in words]),
    lambda words: f"what if {words[-1]} is {words[0]}, not {words[1]}?",
)


def drawn(base: KnowledgeBase) -> Iterator[SearchOptions]:
    """Yield queries with words of the rules and with various options."""
    chance = random.Random(5)
    texts = [match.text.split() for day in base.editions for match in base.provisions(day)]
    for place in range(10 * len(FORMS)):
        words = chance.choice([words for words in texts if len(words) > MOST_WORDS])
        start, count = chance.randrange(len(words) - MOST_WORDS), chance.randint(2, MOST_WORDS)
        query = FORMS[place % len(FORMS)](words[start : start + count])
        yield SearchOptions(query, (None, "2008-06-20")[place % 2], place % 3 == 0, limit=4)


def shown(result: Mapping[str, object]) -> str:
    """Return a result without its text, as JSON."""
    return json.dumps({key: result[key] for key in result if key != "text"}, ensure_ascii=False)


def test_searches(
    search: Search, base: KnowledgeBase, golden: Callable[[str, object], None]
) -> None:
    """Hits, scores, snippets and suggestions are unchanged."""
    lines: list[str] = []
    for wish in (*WISHES, *drawn(base)):
        lines.append(f"{' '.join(map(str, filter(None, wish)))}\n")
        try:
            answer = search.search(wish)
        except VariorumError as error:
            lines.append(f"    {type(error).__name__}: {error}\n")
            continue
        facts = {key: value for key, value in answer.items() if key not in {"query", "hits"}}
        lines.append(f"    {json.dumps({key: facts[key] for key in facts if facts[key]})}\n")
        lines += [f"    {shown(hit)}\n" for hit in answer["hits"]]

    golden("search/searches.txt", "".join(lines))


def test_quotations(
    search: Search, base: KnowledgeBase, golden: Callable[[str, object], None]
) -> None:
    """Quoted words have the same sources, whatever number and edition stand beside them."""
    chance = random.Random(9)
    matches = [match for day in base.editions for match in base.provisions(day) if match.text]
    lines: list[str] = []
    for place in range(234):
        match = chance.choice(matches)
        text = SLIPS[place % len(SLIPS)](split_body(match.state.body)[0][1])
        number = ("", match.number, "705.1", "704")[place % 4]
        edition = (None, match.edition.label, "2010-01-22")[place % 3]
        lines.append(f"{number} {edition} {text[:50]!r}\n")
        try:
            answer = search.resolve(text, number, edition)
        except VariorumError as error:
            lines.append(f"    {type(error).__name__}: {error}\n")
            continue
        facts = [answer["status"], answer["number_fits"], answer["edition_fits"], answer["total"]]
        lines.append(f"    {json.dumps(facts)}\n")
        lines += [f"    {shown(source)}\n" for source in answer["sources"][:4]]

    golden("search/quotations.txt", "".join(lines))
