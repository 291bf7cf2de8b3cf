"""The scripts of the website with the files that they load, the service worker, and the sitemap.

Browsers load modules and data only from a server, but the site must also open from the file system. So
the scripts are plain ones that share their names, and data files are scripts that call a function.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib import resources
from urllib.parse import urlsplit

from variorum_site import urls
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile, render_text

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
# The protocol allows this many addresses in a sitemap. Its limit of 50 MB is never reached.
_MOST = 50_000


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
                *(edition.label, edition.effective.isoformat(), edition.issue),
                *(int(edition.is_chosen), edition.set_code, edition.set_name),
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
    yield PageFile(urls.MANIFEST, json.dumps(manifest, indent=1).encode() + b"\n")
    sections = [urls.rule(number) for number in index.outline(index.current.place).sections]
    known = [page for page in sections if index.has_page(page)]
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


def sitemap_files(base_url: str, files: Iterable[str]) -> Iterator[PageFile]:
    """Yield the list of all pages for search engines, in several parts if it is long, and robots.txt.

    It has no dates, because a page may also change without a new edition.
    """
    pages = sorted(
        file.removesuffix("index.html")
        for file in files
        if f"/{file}".endswith("/index.html") and not file.startswith(urls.OFFLINE)
    )
    if len(pages) <= _MOST:
        yield _listed(urls.SITEMAP, "urlset", "url", base_url, pages)
    else:
        parts = [pages[start : start + _MOST] for start in range(0, len(pages), _MOST)]
        names = [f"sitemap-{place}.xml" for place in range(1, len(parts) + 1)]
        yield _listed(urls.SITEMAP, "sitemapindex", "sitemap", base_url, names)
        for name, part in zip(names, parts, strict=True):
            yield _listed(name, "urlset", "url", base_url, part)
    # Crawlers read robots.txt only at the root of a host.
    if urlsplit(base_url).path == "/":
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {base_url}{urls.SITEMAP}\n"
        yield PageFile(urls.ROBOTS, robots.encode())


def _listed(file: str, root: str, item: str, base_url: str, names: Sequence[str]) -> PageFile:
    addresses = [base_url + name for name in names]
    return PageFile(file, render_text("sitemap.xml", root=root, item=item, addresses=addresses))
