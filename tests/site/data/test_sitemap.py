"""The sitemap, and the address that it needs."""

from itertools import chain
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from tests.pages.built_site import Site
from tests.site.building import BASE_URL, base_of, build_site, contents
from tests.support.small_bases import edition
from variorum_kb.cli.main import main
from variorum_kb.permalinks import base_url_of
from variorum_site import urls
from variorum_site.data.sitemap import sitemap_files
from variorum_site.settings import SiteSettings

SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def addresses(data: bytes, kind: str) -> list[str]:
    """Return the addresses in a sitemap, or in a list of sitemaps."""
    root = ET.fromstring(data)  # noqa: S314 - ours
    assert root.tag == f"{SITEMAPS}{kind}"
    return [element.text or "" for element in root.iter(f"{SITEMAPS}loc")]


def test_all_pages(sample_site: Site, published_site: Site) -> None:
    """The sitemap has the full permalink of every page except the offline page."""
    result = addresses((published_site.folder / "sitemap.xml").read_bytes(), "urlset")

    pages = set(sample_site.pages) - {urls.file_of(urls.OFFLINE)}
    assert result == sorted(BASE_URL + name.removesuffix("index.html") for name in pages)
    assert BASE_URL in result
    assert "robots.txt" not in published_site.files


def test_none_without_an_address(sample_site: Site) -> None:
    """A site without a base URL has no sitemap."""
    assert not {"sitemap.xml", "robots.txt"} & sample_site.files


@pytest.mark.parametrize(("count", "sizes"), [(50_000, []), (50_001, [50_000, 1])])
def test_long_ones_are_split(count: int, sizes: list[int]) -> None:
    """A sitemap of more than 50,000 pages is split into parts, which together have each page once."""
    files = [f"rule/{number}/index.html" for number in range(100_000, 100_000 + count)]
    root = "https://rules.example/"

    results = dict(sitemap_files(root, [*files, "a.json", "rule/subindex.html"]))

    parts = [f"sitemap-{place + 1}.xml" for place in range(len(sizes))]
    assert list(results) == ["sitemap.xml", *parts, "robots.txt"]
    if parts:
        assert addresses(results["sitemap.xml"], "sitemapindex") == [root + part for part in parts]
    listed = [addresses(results[part], "urlset") for part in parts or ["sitemap.xml"]]
    assert [len(pages) for pages in listed] == (sizes or [count])
    assert [*chain(*listed)] == [root + file.removesuffix("index.html") for file in files]


def test_robots() -> None:
    """At the root of a host, robots.txt names the sitemap."""
    results = dict(sitemap_files("https://rules.example/", ["index.html"]))

    assert addresses(results["sitemap.xml"], "urlset") == ["https://rules.example/"]
    assert results["robots.txt"].decode().splitlines() == [
        "User-agent: *",
        "Allow: /",
        "",
        "Sitemap: https://rules.example/sitemap.xml",
    ]


def test_addresses_are_escaped() -> None:
    """An address with XML's special characters is escaped in the sitemap."""
    results = dict(sitemap_files(base_url_of("https://rules.example/a&b"), ["index.html"]))

    assert addresses(results["sitemap.xml"], "urlset") == ["https://rules.example/a&b/"]


def test_error_base_url(tmp_path: Path) -> None:
    """An invalid base URL is refused in a line before anything is built."""
    result = CliRunner().invoke(main, ["site", str(tmp_path / "out"), "--base-url", "ftp://a/"])

    assert result.exit_code == 2
    assert "'ftp://a/': takes https://host" in result.stderr
    assert not (tmp_path / "out").exists()


def test_every_process_knows_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of processes, all files that depend on the address are there."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    monkeypatch.setattr("variorum_site.build._WORTH_A_POOL", 1)
    for jobs in (1, 2):
        build_site(kb, tmp_path / f"{jobs}", jobs, SiteSettings(base_url=BASE_URL))

    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert (tmp_path / "2/opensearch.xml").exists()
