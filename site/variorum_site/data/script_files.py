"""The scripts of the website with the files that they load, and the service worker.

Browsers load modules and data only from a server, but the site must also open from the file system. So
the scripts are plain ones that share their names, and data files are scripts that call a function.
"""

import json
from collections.abc import Collection, Iterator
from importlib import resources

from variorum_site import urls
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile

# The parts of the script that every page loads, and the others, which are loaded on demand.
_PARTS = ("core", "numbers", "sections", "box", "dated", "start")
_ON_DEMAND = {
    "static/search.js": "script/search.js",
    "static/compare.js": "script/compare.js",
    "static/minisearch.js": "vendor/minisearch-7.2.0.cjs",
    "static/minisearch-LICENSE.txt": "vendor/minisearch-LICENSE.txt",
    "static/diff.js": "vendor/diff-9.0.0.min.cjs",
    "static/diff-LICENSE.txt": "vendor/diff-LICENSE.txt",
}
# How many other visited pages are kept for reading without a network.
VISITED = 150


def _encoded(value: object) -> str:
    """Return JSON that may also be a part of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # Older browsers treat these characters as line ends in a script; JSON does not.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def script_file(file: str, value: object) -> PageFile:
    r"""Return a data file.

    >>> script_file("search/numbers.js", {"7": []}).data
    b'variorum.take("search/numbers.js",{"7":[]});\n'
    """
    return PageFile(file, f'variorum.take("{file}",{_encoded(value)});\n'.encode())


def static_files(index: PageIndex, base_url: str) -> Iterator[PageFile]:
    """Yield style, icons and all scripts but the service worker."""
    for file in (urls.STYLE, urls.ICON, urls.PHONE_ICON, urls.LARGE_ICON):
        yield PageFile(file, _source(f"assets/{file.partition('/')[2]}"))
    facts = {
        "base": base_url,
        "current": index.current.place,
        "editions": [
            (
                *(edition.label, edition.effective, edition.issue),
                *(int(edition.is_chosen), edition.set_code, edition.set_name),
                index.last_day(edition.place).isoformat(),
            )
            for edition in index.editions
        ],
        "former": urls.FORMER,
    }
    parts = [_source(f"script/{name}.js") for name in _PARTS]
    begin = f'"use strict";\nconst SITE = {_encoded(facts)};'.encode()
    yield PageFile(urls.SCRIPT, b"\n".join([begin, *parts]))
    for file, path in _ON_DEMAND.items():
        yield PageFile(file, _source(path))


def _source(path: str) -> bytes:
    return (resources.files("variorum_site") / path).read_bytes()


def offline_files(index: PageIndex, files: Collection[str], inputs: str) -> Iterator[PageFile]:
    """Yield the manifest and the service worker, which keeps the current rules.

    `files` are all files of the site, `inputs` a digest of them.
    """
    yield PageFile(urls.MANIFEST, _source("assets/manifest.webmanifest"))
    sections = [urls.rule(number) for number in index.outline(index.current.place).sections]
    known = [page for page in sections if page in index.pages]
    shell = [file for file in files if file.startswith("static/")]
    build = {
        "offline": urls.OFFLINE,
        # The most wanted first.
        "rules": [
            *(urls.HOME, urls.RULES, *known, urls.GLOSSARY, urls.SEARCH),
            *("search/current.js", "search/numbers.js"),
        ],
        "shell": sorted([urls.OFFLINE, urls.MANIFEST, *shell]),
        "version": inputs,
        "visited": VISITED,
    }
    worker = f"const BUILD = {_encoded(build)};\n".encode() + _source("script/worker.js")
    yield PageFile(urls.WORKER, worker)
