"""The sitemap: the list of all pages, for search engines."""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from variorum_site import urls
from variorum_site.render import templates

# The protocol allows this many addresses in a file. Its limit of 50 MB is never reached.
_MOST = 50_000
# Pages that are useless to visitors from other sites.
_LEFT_OUT: set[str] = {urls.OFFLINE}


def sitemap_files(base_url: str, files: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the sitemap of a site, in several parts if it is long, and robots.txt.

    It has no dates, because a page may also change without a new edition.

    Args:
        base_url: The address of the site.
        files: All files of the site.
    """
    pages = pages_of(files)
    if len(pages) <= _MOST:
        yield urls.SITEMAP, _listed("urlset", "url", base_url, pages)
    else:
        parts = [pages[start : start + _MOST] for start in range(0, len(pages), _MOST)]
        names = [urls.sitemap_part(place) for place in range(1, len(parts) + 1)]
        yield urls.SITEMAP, _listed("sitemapindex", "sitemap", base_url, names)
        for name, part in zip(names, parts, strict=True):
            yield name, _listed("urlset", "url", base_url, part)
    # Crawlers read robots.txt only at the root of a host.
    if urlsplit(base_url).path == "/":
        yield (
            urls.ROBOTS,
            f"User-agent: *\nAllow: /\n\nSitemap: {base_url}{urls.SITEMAP}\n".encode(),
        )


def pages_of(files: Iterable[str]) -> Sequence[str]:
    """Return the addresses of the pages among files, sorted."""
    pages = {
        file.removesuffix("index.html") for file in files if f"/{file}".endswith("/index.html")
    }
    return sorted(pages - _LEFT_OUT)


def _listed(root: str, item: str, base_url: str, names: Sequence[str]) -> bytes:
    text = (
        templates()
        .get_template("sitemap.xml")
        .render(root=root, item=item, addresses=[base_url + name for name in names])
    )
    return text.encode()
