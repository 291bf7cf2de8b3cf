"""Reading a site without a network: a service worker, and the files that it keeps.

The worker is `script/worker.js`; this module gives it its version and the list of files to keep.
"""

import json
from collections.abc import Collection, Iterator

from variorum_site import urls
from variorum_site.data.script_files import encoded, source
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile, render

# How many other visited pages are kept.
VISITED = 150


def offline_files(
    index: PageIndex, files: Collection[str], inputs: str
) -> Iterator[tuple[str, bytes]]:
    """Yield the page that replaces pages that were not kept, the manifest, and the worker.

    Args:
        index: The index of the base.
        files: All files of the site.
        inputs: A digest of everything that the site depends on.
    """
    page = _page(index)
    yield page.file, page.text.encode()
    yield urls.MANIFEST, _manifest()
    build = {
        "offline": urls.OFFLINE,
        "rules": [*current_pages(index), *sorted(filter(_is_of_search, files))],
        "shell": sorted(
            [urls.OFFLINE, urls.MANIFEST, *(file for file in files if file.startswith("static/"))]
        ),
        # The digest also covers the worker itself, because it includes the whole program.
        "version": inputs,
        "visited": VISITED,
    }
    yield urls.WORKER, f"const BUILD = {encoded(build)};\n{source('script/worker.js')}".encode()


def _is_of_search(file: str) -> bool:
    return file in {"search/current.js", "search/numbers.js"}


def current_pages(index: PageIndex) -> list[urls.Page]:
    """Return the pages of the current rules, the most wanted first."""
    outline = index.outline(index.current.place)
    sections = [urls.rule(number) for number in outline.sections]
    known = [page for page in sections if index.has_page(page)]
    return [urls.HOME, urls.RULES, *known, urls.GLOSSARY, urls.SEARCH]


def _page(index: PageIndex) -> PageFile:
    return render("offline", urls.OFFLINE, current=index.current)


def _manifest() -> bytes:
    manifest = {
        "name": "Variorum: the Comprehensive Rules in all their editions",
        "short_name": "Variorum",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": "#ffffff",
        "theme_color": "#ffffff",
        "icons": [
            {"src": urls.ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            {"src": urls.PHONE_ICON, "sizes": "180x180", "type": "image/png", "purpose": "any"},
            {"src": urls.LARGE_ICON, "sizes": "512x512", "type": "image/png", "purpose": "any"},
        ],
    }
    return json.dumps(manifest, indent=1).encode() + b"\n"
