"""The page's search index, and the files beside it."""

import gzip
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.pages.built_site import Site
from tests.site.building import base_of
from tests.support.small_bases import DAYS, edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.facts.vocabulary import all_concepts
from variorum_site.data.script_files import json_in
from variorum_site.data.search_index import (
    CURRENT,
    NUMBERS,
    OPENSEARCH,
    current_index,
    index_files,
    numbers_index,
    opensearch,
)
from variorum_site.page_index import PageIndex

# The maximum size of the index, compressed as servers compress it.
BUDGET = 500_000


@pytest.fixture(scope="session")
def current(index: PageIndex) -> dict[str, Any]:
    """Return the index of the newest edition, as the browser reads it."""
    answer: dict[str, Any] = json_in(dict(index_files(index))[CURRENT])
    return answer


@pytest.fixture(scope="session")
def numbers(index: PageIndex) -> dict[str, list[list[Any]]]:
    """Return the bearers of each number, as the browser reads them."""
    answer: dict[str, list[list[Any]]] = json_in(dict(index_files(index))[NUMBERS])["numbers"]
    return answer


def _labels(index: PageIndex, bearer: list[Any]) -> list[str]:
    return [index.labels[place] for place in bearer[0]]


def test_every_provision_of_today(index: PageIndex, current: dict[str, Any]) -> None:
    """Each provision and entry of the newest edition is a row, with its words and heading."""
    held = [index.states[number] for number in index.whole.held(index.current.place)]

    assert len(current["names"]) == len(held)
    for place, row in enumerate(held):
        name = row.heading if row.kind == "glossary" else row.address
        assert current["names"][place] == name
        assert (current["kinds"][place] == "g") == (row.kind == "glossary")
        parent = current["parents"][place]
        assert (current["names"][parent - 1] if parent else "") == (
            "" if row.kind == "glossary" else row.parent
        )
    columns = ("headings", "parents", "cited", "texts", "examples", "kinds")
    assert {len(current[column]) for column in columns} == {len(held)}
    assert len(current["slugs"]) == current["kinds"].count("g")


def test_words_are_whole(index: PageIndex, current: dict[str, Any]) -> None:
    """A row has the words that the newest edition prints, with the examples separate."""
    (match,) = index.base.show("101.2", index.current)
    place = current["names"].index("101.2")

    message = f"{current['texts'][place]}\n{current['examples'][place]}"

    assert message.split() == [*match.text.split(), *" ".join(match.examples).split()]
    assert current["examples"][place].startswith("Calm Morning")


def test_addresses_are_those_of_the_site(
    index: PageIndex, current: dict[str, Any], sample_site: Site
) -> None:
    """The addresses that the script makes are files of the site."""
    rule, entry = current["addresses"]["rule"], current["addresses"]["entry"]

    made = {rule.replace("{}", name.partition("#")[0]) for name in _provisions(current)}
    made |= {entry.replace("{}", slug) for slug in current["slugs"]}
    made |= {current["addresses"]["edition"].replace("{}", label) for label in index.labels}
    made.add(current["addresses"]["dated"].replace("{}", index.current.label, 1).replace("{}", "7"))

    assert made <= sample_site.files
    assert current["addresses"]["search"] in sample_site.files


def _provisions(current: dict[str, Any]) -> list[str]:
    pairs = zip(current["kinds"], current["names"], strict=True)
    return [name for kind, name in pairs if kind != "g"]


def test_every_number_ever(index: PageIndex, numbers: dict[str, list[list[Any]]]) -> None:
    """The index has every number ever printed, with all editions that printed it."""
    printed: dict[str, set[int]] = {}
    for place in range(len(index.editions)):
        for item in index.whole.held(place):
            if index.states[item].kind != "glossary":
                printed.setdefault(index.states[item].number, set()).add(place)

    assert numbers.keys() == printed.keys()
    for number, places in printed.items():
        results: set[int] = set()
        for runs, *_ in numbers[number]:
            for first, last in zip(runs[::2], runs[1::2], strict=True):
                results |= set(range(first, last + 1))
        assert results >= places, number


def test_where_numbers_went(index: PageIndex, numbers: dict[str, list[list[Any]]]) -> None:
    """A number leads to its last bearer, with today's number or the day of removal."""
    today, before = numbers["100.3"]
    moved, gone = numbers["600.4"][0], numbers["211.1"][0]

    assert (_labels(index, today), today[1]) == (["2015-04-17", "2025-05-30"], "")
    assert (_labels(index, before), before[1]) == (["1999-05-14", "2010-01-22"], "100.4")
    assert (_labels(index, moved), moved[1]) == (["2006-03-01", "2008-06-20"], "800.4")
    assert (_labels(index, gone), index.labels[gone[1]]) == (
        ["2003-02-10", "2006-03-01"],
        "2008-06-20",
    )
    assert gone[2].endswith(" …")
    assert gone[3] == ""


def test_numbers_agree_with_the_base(index: PageIndex, numbers: dict[str, list[list[Any]]]) -> None:
    """The index and the base give the same outcome for each former number."""
    for number, bearers in numbers.items():
        for runs, fate, *rest in bearers:
            states = [
                state
                for state in index.whole.held(runs[-1])
                if index.states[state].number == number and index.states[state].kind != "glossary"
            ]
            today = [index.subject(state, runs[-1]).today for state in states]
            names = {"" if item is None else item.name for item in today}
            message = (fate or number) if isinstance(fate, str) else rest[1]
            assert message in names | {name.partition("#")[0] for name in names}, number


def test_vocabulary(current: dict[str, Any]) -> None:
    """The index has every wording of the vocabulary, with its dates."""
    for concept, (kind, wordings) in zip(all_concepts(), current["synonyms"], strict=True):
        assert kind == concept.kind
        for form, (words, first, last, *flags) in zip(concept.form, wordings, strict=True):
            assert tuple(words) == form.words
            assert (first, last) == (str(form.first or ""), str(form.last or ""))
            assert flags == [int(form.is_partial), int(form.is_gone)]


def test_weight(index: PageIndex) -> None:
    """The index of a small rulebook and its vocabulary is far below the limit for a large one."""
    packed = {file: len(gzip.compress(text, 9, mtime=0)) for file, text in index_files(index)}

    assert packed[CURRENT] < BUDGET / 5
    assert packed[NUMBERS] < BUDGET / 50


@pytest.mark.corpus
def test_weight_of_the_real_index(corpus_base: Path) -> None:
    """The index of the real rules is at most half a megabyte, compressed."""
    with KnowledgeBase.open(corpus_base) as base:
        packed = {
            file: len(gzip.compress(text, 9, mtime=0))
            for file, text in index_files(PageIndex(base))
        }

    assert packed[CURRENT] <= BUDGET
    assert packed[NUMBERS] <= BUDGET / 5


def test_hostile_text(tmp_path: Path) -> None:
    """Any text of a document stays within a string, in JSON and in a script."""
    rule = '</script><img src=x onerror="alert(1)"> \\" \u2028 `${alert(2)}`'
    kb = base_of(tmp_path, {"one.txt": edition(), "two.txt": edition(DAYS[1], rule=rule)})

    with KnowledgeBase.open(kb) as base:
        index = PageIndex(base)
        files = dict(index_files(index))
        texts = json_in(files[CURRENT])["texts"]
        whole = current_index(index), numbers_index(index)

    assert any('onerror="alert(1)"' in text for text in texts)
    assert not any("\u2028" in data.decode() for data in files.values())
    assert [json_in(files[file]) for file in (CURRENT, NUMBERS)] == [
        json.loads(json.dumps(item)) for item in whole
    ]


def test_opensearch() -> None:
    """A site with a known address describes its search to browsers."""
    root = ET.fromstring(opensearch("https://example.org/a&b/"))  # noqa: S314 - our own

    name = "{http://a9.com/-/spec/opensearch/1.1/}"
    url = root.find(f"{name}Url")
    assert root.tag == f"{name}OpenSearchDescription"
    assert url is not None
    assert url.attrib["template"] == "https://example.org/a&b/search/?q={searchTerms}"


def test_opensearch_needs_an_address(sample_site: Site, published_site: Site) -> None:
    """Without the site's address, there is no description."""
    assert OPENSEARCH not in sample_site.files
    assert OPENSEARCH in published_site.files
