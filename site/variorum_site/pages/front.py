"""The pages that there are once: those that lead to all others, search, known errors, not found."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256
from urllib.parse import urlsplit

from variorum.answers.lint import KINDS, lint_editions, said_of
from variorum.facts import all_concepts
from variorum.rows import State
from variorum.text import slug_of
from variorum_site import names, urls
from variorum_site.data.programs import EditionFigures
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.markup import Html, Link, set_provision
from variorum_site.pages.timeline import bars
from variorum_site.render import POLICY, PageFile, in_words, render

_NEWEST = 6
# Below a path that the build does not know, 404.html does not find its stylesheet.
_STYLE = (
    ":root{color-scheme:light dark}body{max-width:46rem;margin:auto;padding:1rem;font:1rem/1.6 serif}"
    "header ul,footer ul{display:flex;flex-wrap:wrap;gap:1rem;list-style:none;padding:0}"
    ".skip,.unseen{position:absolute;left:-100vw}.skip:focus{left:0}input{font:inherit}"
)


def leading_pages(index: PageIndex, rows: Sequence[EditionFigures]) -> Iterator[PageFile]:
    """Yield the pages with figures of all editions, given those of each."""
    editions, current, newest_first = index.editions, index.current, rows[::-1]
    count, first = len(editions), editions[0]
    picture = bars(
        "Provisions reworded, new or removed in each edition; the table says the same.",
        [date.fromisoformat(edition.effective) for edition in editions],
        [row.changed for row in rows],
    )
    yield render(
        "home",
        urls.HOME,
        current=current,
        count=count,
        numbers=len(index.pages),
        first=first,
        chapters=_chapters(LinksOf(index, urls.HOME)),
        newest=newest_first[:_NEWEST],
        picture=picture,
    )
    for template, page in (("editions", urls.EDITIONS), ("changes_list", urls.CHANGES)):
        yield render(template, page, rows=newest_first, current=current, picture=picture)
    yield render("about", urls.ABOUT, count=count, first=first, newest=editions[-1])


# Today -----------------------------------------------------------------------------------------------


def pages_of_today(index: PageIndex) -> Iterator[PageFile]:
    """Yield the contents, the rules on one page, and the glossary."""
    yield _contents(LinksOf(index, urls.RULES))
    yield _all(LinksOf(index, urls.ALL))
    yield _glossary(LinksOf(index, urls.GLOSSARY))
    yield render("offline", urls.OFFLINE, current=index.current)


def _chapters(links: LinksOf) -> list[tuple[Link, list[Link]]]:
    today = links.index.today
    return [
        (links.titled(row), list(map(links.titled, today.below[row.address])))
        for row in today.below[""]
    ]


def _former(links: LinksOf, today: set[urls.Page]) -> list[State]:
    """Return what last had each number or headword without a page of today; no rules."""
    index, folder = links.index, links.here
    pages = [page for page in index.pages if page.startswith(folder) and "." not in page]
    known = [page for page in pages if page in index.holders and page not in today]
    return [index.states[index.holders[page][0].state] for page in known]


def _contents(links: LinksOf) -> PageFile:
    held = links.index.held(links.index.current.place)
    heads = {names.page_of(row) for row in held if row.kind in names.HEADS}
    return render(
        "rules",
        links.here,
        current=links.index.current,
        chapters=_chapters(links),
        former=list(map(links.titled, _former(links, heads))),
    )


def _all(links: LinksOf) -> PageFile:
    index = links.index
    held = [row for row in index.held(index.current.place) if row.number]
    former: dict[int, list[str]] = {}
    gone: list[tuple[str, Link]] = []
    seen = {_bare(row.number) for row in held}
    for page in index.pages:
        number = page.split("/")[1]
        anchor = _bare(number)
        if page.startswith(urls.GLOSSARY) or anchor in seen:
            continue
        seen.add(anchor)
        holders = index.holders.get(page)
        heir = index.heir_of(holders[0])[0] if holders else None
        if heir and heir.number:
            former.setdefault(heir.id, []).append(anchor)
        else:
            gone.append((anchor, Link(number, links.to(page))))
    parts: list[str] = []
    known: set[str] = set()
    for row in held:
        anchor, level = _bare(row.number), {"chapter": 2, "section": 3}.get(row.kind, 4)
        number = f'<a class="n" href="{links.to(names.page_of(row))}">{row.number}</a>'
        number = number if row.kind in names.HEADS else f"<b>{row.number}</b>"
        marks = "".join([f'<a id="{mark}"></a>' for mark in former.get(row.id, ())])
        own = "" if anchor in known else anchor
        parts.append(set_provision(row, own, f"{marks}{number}", (), (), level))
        known.add(anchor)
    return render("all", links.here, current=index.current, text=Html("".join(parts)), gone=gone)


def _glossary(links: LinksOf) -> PageFile:
    index, rows = links.index, links.index.today.below[names.GLOSSARY]
    own = {names.page_of(row) for row in rows}
    slugs = [slug_of(row.heading) for row in reversed(rows)]
    letters = {slug[0].upper(): slug for slug in slugs if slug[0].isalpha()}
    # Links from an entry to every entry that it names would make it hard to read.
    text = [index.today.markup(each, links, (), set(own), is_own=False) for each in rows]
    return render(
        "glossary",
        links.here,
        current=index.current,
        count=len(rows),
        letters=[Link(letter, f"#{slug}") for letter, slug in sorted(letters.items())],
        text=Html("".join(text)),
        former=list(map(links.name, _former(links, own))),
    )


def _bare(number: str) -> str:
    """Return the anchor of a number on the page of all rules.

    >>> _bare("704.5k")
    'R7045k'
    """
    return f"R{number.replace('.', '')}"


# Search, known errors, not found ---------------------------------------------------------------------


def search_pages(index: PageIndex) -> Iterator[PageFile]:
    """Yield the search page, and the list of all numbers for browsers without scripts."""
    links, count = LinksOf(index, urls.NUMBERS), len(index.editions)
    current, concepts = index.current, all_concepts()
    yield render("search", urls.SEARCH, current=current, count=count, concepts=concepts)
    today = {names.page_of(row) for row in index.held(index.current.place)}
    sections: dict[str, list[tuple[Link, bool]]] = {}
    for page in index.pages:
        folder, number, _ = page.split("/")
        if folder == "rule":
            numbers = sections.setdefault(number.partition(".")[0], [])
            numbers.append((Link(number, links.to(page)), page in today))
    yield render("all_numbers", urls.NUMBERS, "", current=current, sections=[*sections.items()])


def lint_page(index: PageIndex) -> PageFile:
    """Return the page of the known errors in the edition in force."""
    edition = index.current
    findings = lint_editions(index.base, [edition])[0].findings
    places: dict[str, str] = {}
    for row in index.held(edition.place):
        for name in (names.called(row), row.number):
            places.setdefault(name, urls.link(urls.LINT, *index.dated(row.id, edition.place)))
    kinds: dict[str, list[tuple[Link, str, str]]] = {}
    for found in findings:
        where = Link(found.address or "The document", places.get(found.address, ""))
        evidence = found.evidence if found.kind == "misprint" else ""
        words = said_of(found).replace(found.since or "—", in_words(found.since or "—"))
        kinds.setdefault(KINDS[found.kind], []).append((where, words, evidence))
    return render("lint", urls.LINT, edition=edition, kinds=kinds.items(), total=len(findings))


def missing_page(base_url: str) -> PageFile:
    """Return the page that static hosts show for an address that the site does not have.

    It is shown at any depth, so its links begin at the root of the host; without an address, the
    site is assumed to be there.
    """
    root = urlsplit(base_url).path or "/"
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    policy = f"{POLICY}; style-src 'self' 'sha256-{digest}'"
    page = render("missing", urls.HOME, root=root, style=_STYLE, policy=policy)
    return page._replace(file=urls.MISSING)
