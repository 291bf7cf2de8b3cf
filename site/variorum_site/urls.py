"""All addresses of the website; docs/library.md promises them.

We write a *page* as its folder, from the root of the site and with a final slash ("rule/704.5k/");
the root is "". This is also its permalink. Links name the file ("../704.5k/index.html"), because a
browser cannot open a folder of the file system. Links are relative, so the site works at any
address.
"""

from typing import NewType

from variorum.text import slug_of

Page = NewType("Page", str)

HOME = Page("")
RULES, GLOSSARY = Page("rule/"), Page("glossary/")
EDITIONS, CHANGES, COMPARE = Page("editions/"), Page("changes/"), Page("compare/")
LINT, WITNESSES, ABOUT, ALL = Page("lint/"), Page("witness/"), Page("about/"), Page("all/")
SEARCH, NUMBERS = Page("search/"), Page("search/numbers/")
OFFLINE = Page("offline/")

STYLE, SCRIPT, ICON = "static/style.css", "static/script.js", "static/icon.svg"
# Icons for devices that cannot show SVG: the first for home screens of phones, the second for the
# manifest.
PHONE_ICON, LARGE_ICON = "static/icon-180.png", "static/icon-512.png"
WORKER, MANIFEST = "sw.js", "manifest.webmanifest"
EDITIONS_JSON, CURRENT_JSON = "data/editions.json", "data/current.json"
WITNESSES_JSON = "data/witnesses.json"
EDITIONS_FEED = "feeds/editions.atom"
SITEMAP, ROBOTS = "sitemap.xml", "robots.txt"
# The file that static hosts send for unknown addresses.
MISSING = "404.html"
# Where addresses without a file lead, by their beginning; 404.html and `cr site --serve` redirect.
FORMER = {"statistics/": EDITIONS, "lint/": LINT, "feeds/": EDITIONS_FEED}


def rule(number: str) -> Page:
    """Return the page of a number: of a chapter, section, rule or subrule."""
    return Page(f"rule/{number}/")


def entry(headword: str) -> Page:
    """Return the page of a headword of the glossary."""
    return Page(f"glossary/{slug_of(headword)}/")


def wording(page: Page, label: str) -> Page:
    """Return the page of the words that a number had from an edition on."""
    return Page(f"{page}{label}/")


def edition(label: str, part: str = "") -> Page:
    """Return the page of an edition's contents, or of its glossary, introduction, index or credits."""
    return Page(f"{label}/{part}/" if part else f"{label}/")


def chapter(label: str, number: str) -> Page:
    """Return the page of an edition with the chapter of a number.

    >>> chapter("2007-10-01", "6"), chapter("2007-10-01", "600.4a")
    ('2007-10-01/6/', '2007-10-01/6/')
    """
    return Page(f"{label}/{number[:1]}/")


def changes(label: str) -> Page:
    """Return the page of what an edition changed."""
    return Page(f"changes/{label}/")


def witness(sha256: str) -> Page:
    """Return the page of a document that is not an edition, by its hash."""
    return Page(f"witness/{sha256[:12]}/")


def data_of(page: Page) -> str:
    """Return the JSON file of a witness, of all numbers of a section, or of headwords with an initial.

    >>> data_of(rule("704.5k")), data_of(entry("City’s Blessing"))
    ('data/rule/704.json', 'data/glossary/c.json')
    """
    folder, name, _ = page.split("/")
    part = name[:1] if folder == "glossary" else name.partition(".")[0]
    return f"data/{folder}/{part}.json"


def file_of(page: Page) -> str:
    """Return the file that holds a page."""
    return f"{page}index.html"


def link(here: Page, there: Page, anchor: str = "") -> str:
    """Return the address that a page uses to link to another page.

    >>> link(Page("rule/704.5k/"), Page("2007-10-01/6/"), "600.4a")
    '../../2007-10-01/6/index.html#600.4a'
    >>> link(HOME, HOME), link(rule("7"), rule("7"), "life")
    ('index.html', '#life')
    """
    hash_ = f"#{anchor}" if anchor else ""
    if here == there and anchor:
        return hash_
    shared = 0  # the length of the folders that both share
    while (end := here.find("/", shared) + 1) and there.startswith(here[shared:end], shared):
        shared = end
    return f"{'../' * here.count('/', shared)}{there[shared:]}index.html{hash_}"


def asset(here: Page, file: str) -> str:
    """Return the address that a page uses to link to a file that is not a page.

    >>> asset(rule("704"), STYLE)
    '../../static/style.css'
    """
    return "../" * here.count("/") + file
