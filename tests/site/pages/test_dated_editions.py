"""Tests of editions as they were."""

from pathlib import Path

from tests.site.building import site_of
from tests.site.reading import Site
from tests.support.edition_texts import RULES, page
from tests.support.small_bases import DAYS, edition


def test_past_and_present(sample_site: Site) -> None:
    """An edition that was replaced says so; the newest does not."""
    assert "since replaced" in sample_site.pages["2008-06-20/511/index.html"].plain
    assert "since replaced" not in sample_site.pages["2025-05-30/705/index.html"].plain


def test_links_stay_in_the_edition(sample_site: Site) -> None:
    """Citations lead into the edition that prints them, numbers to their own pages."""
    for name, one in sample_site.pages.items():
        if name.startswith("2008-06-20/") and name.count("/") == 2:
            ours = [
                href for _, href in one.links if href.startswith("../") and ".." not in href[3:]
            ]
            assert all("2010" not in href for href in ours)
    section = sample_site.pages["2008-06-20/511/index.html"]
    assert ("a", "../../rule/511.2/index.html") in section.links


def test_what_is_gone_is_told(sample_site: Site) -> None:
    """A section says what the edition before had there."""
    said = "Gone since the edition before"
    pages = [one for one in sample_site.pages.values() if said in one.plain]

    assert pages
    assert all("#was-" in one.text for one in pages)


def test_index_of_1999(sample_site: Site) -> None:
    """What else an edition prints has its page."""
    kinds = {name.split("/")[1] for name in sample_site.files if name.startswith("1999-05-14/")}

    assert {"introduction", "credits", "glossary"} <= kinds


def test_misplaced_number(tmp_path: Path) -> None:
    """A number that is printed in another section is found under its own, too."""
    rules = RULES.replace("100.2. The", "432.2. The")
    site = site_of(tmp_path, {"one.txt": page(rules=rules)})

    printed, own = (site.pages[f"2020-06-05/{name}/index.html"] for name in ("100", "432"))
    assert "432.2" in printed.ids
    assert own.ids[-1:] == ["432.2"]
    assert "This edition prints 432.2 in section 100." in own.plain
    assert list(site.broken()) == []


def test_neighbouring_editions(tmp_path: Path) -> None:
    """A section leads to itself in the edition before and in the next."""
    site = site_of(tmp_path, {f"{day}.txt": edition(day) for day in DAYS[:3]})

    hrefs = {href for _, href in site.pages["2021-07-06/100/index.html"].links}
    assert {"../../2020-06-05/100/index.html", "../../2022-08-07/100/index.html"} <= hrefs
    assert "Nothing here changed" in site.pages["2021-07-06/100/index.html"].plain
