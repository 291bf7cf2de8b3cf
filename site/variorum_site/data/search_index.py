"""The index for search in the browser: the newest edition, and the heirs of old numbers.

The browser finds words itself (`script/search.js`). These files hold the data for it, in columns,
since these pack best.
"""

from collections.abc import Iterator

from variorum.answers.number_histories import NumberHolder
from variorum.facts import all_concepts
from variorum.permalinks import slug_of
from variorum.rows import name_of, wording_of
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.data.compare import KIND_LETTERS
from variorum_site.data.script_files import script_file
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile

# How many characters of a removed provision are shown.
_GIST = 70


def index_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the newest edition, and the bearers of each number, the latest first."""
    yield script_file("search/current.js", _current(index))
    numbers = {
        page.split("/")[1]: [
            _bearer(index, page.split("/")[1], holder) for holder in index.holders(page)
        ]
        for page in index.pages
        if page.startswith(urls.RULES)
    }
    yield script_file("search/numbers.js", numbers)


def _current(index: PageIndex) -> dict[str, object]:
    """Return the provisions of the edition in force as columns, in printed order.

    `kinds` has a letter for each; `names`, its address ("704.5k", "702.175#2") or headword;
    `headings`, its own heading; `parents`, its parent's row plus one, or 0 if there is none; `slugs`,
    the headword as it is written in addresses; `texts` and `examples`, its words; `cited`, how many
    provisions cite it.
    """
    outlines = index.base.texts.outlines_in(index.current.place)
    bodies = index.base.texts.bodies([outline.key for outline in outlines])
    rows = [index.states[outline.key] for outline in outlines]
    places = {row.address: place for place, row in enumerate(rows, 1) if row.kind != names.GLOSSARY}
    return {
        "kinds": "".join(KIND_LETTERS[row.kind] for row in rows),
        "names": [names.called(row) for row in rows],
        "headings": ["" if row.kind == names.GLOSSARY else row.heading for row in rows],
        "slugs": [slug_of(row.heading) for row in rows if row.kind == names.GLOSSARY],
        "parents": [
            0 if row.kind == names.GLOSSARY or not row.parent else places[row.parent]
            for row in rows
        ],
        "cited": [outline.cited for outline in outlines],
        "texts": [bodies[outline.key].text for outline in outlines],
        "examples": [bodies[outline.key].examples for outline in outlines],
        "synonyms": [
            [
                concept.kind,
                [
                    [
                        *(list(form.words), str(form.first or ""), str(form.last or "")),
                        *(int(form.is_partial), int(form.is_gone)),
                    ]
                    for form in concept.form
                ],
            ]
            for concept in all_concepts()
        ],
    }


def _bearer(index: PageIndex, number: str, holder: NumberHolder) -> list[object]:
    """Return the places of the first and last edition of each run, then what became of a bearer.

    That is its name today, "" if it still has the number; or of a removed one, the first edition
    without it, the beginning of its words, and what has these today. A headword follows "glossary: ".
    """
    runs = [place for run in holder.runs for place in run]
    end = index.states[holder.end.state]
    onward = index.base.lineages.out_of(end.id, holder.end.first)
    if not onward:
        name = name_of(end)
        return [runs, "" if name.partition("#")[0] == number else name]
    heir = index.heir_of(holder)
    gist = shortened(end.heading or wording_of(end), _GIST)
    return [runs, onward[0].edition, gist, "" if heir is None else name_of(heir)]
