"""Addresses of the site."""

import posixpath
import string

from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.permalinks import slug_of
from variorum_site import urls

_names = st.text(string.ascii_lowercase + string.digits + ".-", min_size=1, max_size=8).filter(
    lambda name: set(name) != {"."}
)
pages = st.lists(_names, max_size=3).map(lambda names: urls.Page("".join(f"{n}/" for n in names)))


@given(here=pages, there=pages)
def test_links_lead_there(here: urls.Page, there: urls.Page) -> None:
    """A link from one page leads to the other page's file, wherever the site is."""
    normpath = posixpath.normpath(posixpath.join("/any/place", here, urls.link(here, there)))

    assert normpath == posixpath.normpath(posixpath.join("/any/place", urls.file_of(there)))


@given(st.text(min_size=1))
def test_slugs_are_plain(headword: str) -> None:
    """The slug of any headword is a single folder name that every system allows."""
    slug = slug_of(headword)

    assert slug
    assert set(slug) <= set(string.ascii_lowercase + string.digits + "-")
    assert slug not in {"con", "nul", "aux", "prn"}


def test_promised_addresses() -> None:
    """The addresses are those of docs/permalinks.md."""
    assert urls.rule("704.5k") == "rule/704.5k/"
    assert urls.entry("State-Based Actions") == "glossary/state-based-actions/"
    assert urls.edition("2026-08-07.2") == "2026-08-07.2/"
    assert urls.chapter("2007-10-01", "6") == "2007-10-01/6/"
    assert urls.edition_glossary("2007-10-01") == "2007-10-01/glossary/"
    assert urls.matter("1999-04-23", "index") == "1999-04-23/index/"
    assert urls.changes("2007-10-01") == "changes/2007-10-01/"
    assert urls.lint("2007-10-01") == "lint/2007-10-01/"
