"""The pages of editions."""

import re
from datetime import date
from pathlib import Path

from tests.pages.built_site import Site
from tests.site.building import base_of, build_site, site_of
from tests.support.edition_texts import RULES, page
from tests.support.small_bases import DAYS, edition
from variorum_site.settings import SiteSettings

# A provision on a dated page, up to the link to its own page; a mark may precede a headword.
_PROVISION = (
    r'<(?:div|p)(?: class="(?:section|rule)")? id="[^"]+">(?:<(?:p|h2|h3)>)?'
    r'(?:<a class="m[^>]*>[^<]*</a> )?<a href="\.\./\.\./(?:rule|glossary)/[^"/]+/index\.html">'
)


def test_not_yet_in_force(tmp_path: Path) -> None:
    """An edition that is not yet in force says from when; today's edition is the one before it."""
    documents = {f"{day}.txt": edition(day) for day in DAYS[:2]}
    site_of(tmp_path / "before", documents)
    rule = "A boat floats.\n\n102. Tides\n\n102.1. A tide turns."
    entry = b"Tide\nWhat turns.\n\nCredits\n\nHarborlight"
    new = edition("August 7, 2026", rule=rule).replace(b"Credits\n\nHarborlight", entry)
    kb = base_of(tmp_path, documents | {"new.txt": new})

    build_site(kb, tmp_path / "out", settings=SiteSettings(day=date(2026, 8, 6)))

    site = Site(tmp_path / "out")
    assert list(site.broken()) == []
    for file in ("rule/index.html", "glossary/index.html", "rule/100.1a/index.html"):
        before = (tmp_path / "before/out" / file).read_text("utf-8")
        assert (site.folder / file).read_text("utf-8") == before
    assert "in force from 7 Aug 2026" in site.pages["2026-08-07/1/index.html"].plain
    assert "in force since 6 Jul 2021" in site.pages["2021-07-06/1/index.html"].plain
    for place in ("rule/100.3", "rule/102", "glossary/tide"):
        assert "Not in force yet" in site.pages[f"{place}/index.html"].plain
    assert "floats" not in site.pages["rule/100/index.html"].plain
    assert site.json("data/current.json")["edition"]["effective"] == "2021-07-06"
    assert site.json("data/rule/100.3.json")["bearers"] == []
    assert site.json("data/rule/100.2.json")["bearers"][0]["runs"][0]["to"] is None


def test_links_stay_in_the_edition(sample_site: Site) -> None:
    """Citations lead into the edition that prints them, numbers to their own pages."""
    for name, value in sample_site.pages.items():
        if name.startswith("2008-06-20/") and name.count("/") == 2:
            ours = [
                href for _, href in value.links if href.startswith("../") and ".." not in href[3:]
            ]
            assert all("2010" not in href for href in ours)
    chapter = sample_site.pages["2008-06-20/5/index.html"]
    assert ("a", "../../rule/511.2/index.html") in chapter.links


def test_the_number_is_the_link(sample_site: Site) -> None:
    """Whatever a dated page prints has an anchor, and its number or headword leads to its history."""
    for name, dated in sample_site.pages.items():
        if re.fullmatch(r"\d{4}-.*/(\d|glossary)/index.html", name):
            (text,) = re.findall(
                r'<div class="text dated[ a-z]*">\n(.*?)\n</div>\n', dated.text, re.DOTALL
            )
            for line in text.removesuffix("\n").split("\n"):
                if not line.startswith(('<div class="chapter"', '<p class="note now"')):
                    assert re.match(_PROVISION, line), f"{name}: {line}"


def test_what_is_gone_is_told(sample_site: Site) -> None:
    """A chapter lists the provisions of the edition before that were removed."""
    message = "Removed since the edition before"
    pages = [item for item in sample_site.pages.values() if message in item.plain]

    assert pages
    assert all("#was-" in item.text for item in pages)


def test_misplaced_number(tmp_path: Path) -> None:
    """A number printed in another chapter is also found in its own."""
    rules = RULES.replace("100.2. The", "432.2. The").replace("101.2. A", "100.9. A")
    site = site_of(tmp_path, {"one.txt": page(rules=rules)})

    printed, own = (site.pages[f"2020-06-05/{name}/index.html"] for name in ("1", "4"))
    assert "432.2" in printed.ids
    assert own.ids[-1:] == ["432.2"]
    assert "This edition prints 432.2 in section 100." in own.plain
    assert "This edition prints" not in printed.plain
    assert list(site.broken()) == []


def test_neighbouring_editions(tmp_path: Path) -> None:
    """A chapter links to itself in both adjacent editions."""
    site = site_of(tmp_path, {f"{day}.txt": edition(day) for day in DAYS[:3]})

    hrefs = {href for _, href in site.pages["2021-07-06/1/index.html"].links}
    assert {"../../2020-06-05/1/index.html", "../../2022-08-07/1/index.html"} <= hrefs
    assert "Nothing here changed" in site.pages["2021-07-06/1/index.html"].plain
