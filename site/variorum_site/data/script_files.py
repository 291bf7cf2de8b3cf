"""The scripts of the website, and the files that they load.

Browsers load modules and data only from a server, but the site must also open from the file system. So
the scripts are plain ones that share their names, and data files are scripts that call a function.
"""

import json
from collections.abc import Iterator
from importlib import resources

from variorum_site import urls
from variorum_site.page_index import PageIndex

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


def encoded(value: object) -> str:
    """Return JSON that may also be a part of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # Older browsers treat these characters as line ends in a script; JSON does not.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def script_file(file: str, value: object) -> bytes:
    r"""Return the content of a data file.

    >>> script_file("search/numbers.js", {"7": []}).decode()
    'variorum.take("search/numbers.js",{"7":[]});\n'
    """
    return f'variorum.take("{file}",{encoded(value)});\n'.encode()


def scripts(index: PageIndex, base_url: str) -> Iterator[tuple[str, bytes]]:
    """Yield all scripts but the service worker."""
    facts = {
        "base": base_url,
        "current": index.current.place,
        "editions": [
            (
                edition.label,
                edition.effective.isoformat(),
                edition.issue,
                int(edition.is_chosen),
                edition.set_code,
                edition.set_name,
            )
            for edition in index.editions
        ],
        "former": urls.FORMER,
    }
    parts = [source(f"script/{name}.js") for name in _PARTS]
    yield (
        urls.SCRIPT,
        "\n".join([f'"use strict";\nconst SITE = {encoded(facts)};', *parts]).encode(),
    )
    for file, path in _ON_DEMAND.items():
        yield file, source(path).encode()


def source(path: str) -> str:
    """Return the text of a file of this package."""
    return (resources.files("variorum_site") / path).read_text("utf-8")
