"""The index for search in the browser: the newest edition, and the heirs of old numbers.

The browser finds words itself (`script/search.js`). These files hold the data for it, in columns,
since these pack best.
"""

from collections.abc import Iterator
from html import escape

from variorum.answers.number_histories import NumberHolder
from variorum.facts import all_concepts
from variorum.permalinks import slug_of
from variorum.rows import name_of, wording_of
from variorum.text import shortened
from variorum_site import urls
from variorum_site.data.script_files import script_file
from variorum_site.data.section_states import KIND_LETTERS
from variorum_site.page_index import GLOSSARY, PageIndex, called

CURRENT = "search/current.js"
NUMBERS = "search/numbers.js"
OPENSEARCH = "opensearch.xml"

# How many characters of a removed provision are shown.
_GIST = 70


def index_files(index: PageIndex) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the index."""
    yield CURRENT, script_file(CURRENT, current_index(index))
    yield NUMBERS, script_file(NUMBERS, numbers_index(index))


# The newest edition --------------------------------------------------------------------------------


def current_index(index: PageIndex) -> dict[str, object]:
    """Return the provisions of the edition in force as columns, in printed order.

    `kinds` has a letter for each; `names`, its address ("704.5k", "702.175#2") or headword;
    `headings`, its own heading; `parents`, its parent's row plus one, or 0 if there is none; `slugs`,
    the headword as it is written in addresses; `texts` and `examples`, its words; `cited`, how many
    provisions cite it.
    """
    latest = index.current
    outlines = index.base.texts.outlines_in(latest.place)
    bodies = index.base.texts.bodies([outline.key for outline in outlines])
    rows = [index.states[outline.key] for outline in outlines]
    places = {row.address: place for place, row in enumerate(rows, 1) if row.kind != GLOSSARY}
    return {
        "kinds": "".join(KIND_LETTERS[row.kind] for row in rows),
        "names": [called(row) for row in rows],
        "headings": ["" if row.kind == GLOSSARY else row.heading for row in rows],
        "slugs": [slug_of(row.heading) for row in rows if row.kind == GLOSSARY],
        "parents": [
            0 if row.kind == GLOSSARY or not row.parent else places[row.parent] for row in rows
        ],
        "cited": [outline.cited for outline in outlines],
        "texts": [bodies[outline.key].text for outline in outlines],
        "examples": [bodies[outline.key].examples for outline in outlines],
        "synonyms": [
            [
                concept.kind,
                [
                    [
                        list(form.words),
                        str(form.first or ""),
                        str(form.last or ""),
                        int(form.is_partial),
                        int(form.is_gone),
                    ]
                    for form in concept.form
                ],
            ]
            for concept in all_concepts()
        ],
    }


# Numbers that ever were ----------------------------------------------------------------------------


def numbers_index(index: PageIndex) -> dict[str, object]:
    """Return the bearers of each number, latest first.

    Each bearer has the places of the first and last edition of each run, then its name today ("" if
    it still has the number). A removed bearer has no name today, but the place of the first edition
    without it, the beginning of its words, and the provision that has its words now ("" if none). A
    headword follows "glossary: ".
    """
    return {
        page.split("/")[1]: [
            _bearer(index, page.split("/")[1], holder) for holder in index.holders(page)
        ]
        for page in index.pages
        if page.startswith(urls.RULES)
    }


def _bearer(index: PageIndex, number: str, holder: NumberHolder) -> list[object]:
    runs = [place for run in holder.runs for place in run]
    lineages, end = index.base.lineages, holder.end
    onward = lineages.out_of(end.state, end.first)
    if not onward:
        name = name_of(index.states[end.state])
        return [runs, "" if _number_of(name) == number else name]
    return [runs, onward[0].edition, _gist(index, holder), _heir(index, holder)]


def _heir(index: PageIndex, holder: NumberHolder) -> str:
    """Return the provisions that have the words of a removed one today; "" if there are none."""
    heir = index.subject_of(holder).destination(index.current).heir
    return "" if heir is None else name_of(index.states[heir])


def _number_of(name: str) -> str:
    return name.partition("#")[0]


def _gist(index: PageIndex, holder: NumberHolder) -> str:
    row = index.states[holder.end.state]
    words = row.heading or wording_of(row)
    return shortened(words, _GIST)


# For browsers that offer to search a site ----------------------------------------------------------


def opensearch(base_url: str) -> str:
    """Return the OpenSearch description of a site.

    Args:
        base_url: The address of the site, with a final slash.
    """
    home = escape(base_url)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        "<ShortName>Variorum</ShortName>\n"
        "<Description>All editions of the Comprehensive Rules</Description>\n"
        "<InputEncoding>UTF-8</InputEncoding>\n"
        f'<Image width="16" height="16" type="image/svg+xml">{home}{urls.ICON}</Image>\n'
        f'<Url type="text/html" template="{home}{urls.SEARCH}?q={{searchTerms}}"/>\n'
        "</OpenSearchDescription>\n"
    )
