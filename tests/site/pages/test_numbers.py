"""The pages of numbers and headwords."""

import re
from pathlib import Path

from tests.site.building import site_of
from tests.site.reading import Site
from tests.support.small_bases import DAYS, edition


def test_former_bearer_in_other_words(sample_site: Site) -> None:
    """A former bearer of a number is linked in the named edition, whatever its words were there."""
    for name, page in sample_site.pages.items():
        if name.startswith(("rule/", "glossary/")):
            runs = page.text.split('<span class="run">')[1:]
            hrefs = [run.split('"')[1] for run in runs]
            # Sections, and chapters in an edition's contents, have no anchor.
            bare = [href for href in hrefs if "#" not in href and href.count("/") < 4]
            assert not bare, name


def test_terms_are_linked_once(sample_site: Site) -> None:
    """On a number's page, the first mention of each term links to the glossary."""
    page = sample_site.pages["rule/702.9/index.html"]
    linked = [line.partition('"')[0] for line in page.text.split('class="t" href="')[1:]]

    assert "../../glossary/boat/index.html" in linked
    assert len(linked) == len(set(linked))


def test_limits(tmp_path: Path) -> None:
    """The first 25 citing sentences are quoted up to 240 characters, former words up to 480."""
    cites = [f"See rule 101.2 {'x' * size}" for size in (225, 226, *range(1, 26))]
    words = [f"A tide {'turns ' * 20}{'y' * size}" for size in (353, 354)]
    rule = "\n\n".join([cites[0], *(f"100.{place}. {cites[place - 3]}" for place in range(4, 30))])
    old = f"\n\n101.3. {words[0]}\n\n101.4. {words[1]}\n"
    new = f"\n\n102. Tides\n\n102.1. {words[0]}\n\n102.2. {words[1]}\n"
    documents = {
        day: edition(day, rule=first).replace(b" dark.\n", f" dark.{added}".encode())
        for day, first, added in ((DAYS[0], "", old), (DAYS[1], rule, new))
    }

    site = site_of(tmp_path, documents)

    text = site.pages["rule/101.2/index.html"].text
    quoted = re.findall(r"<dd>(.*?)</dd>", text)
    assert quoted == [cites[0], "See rule 101.2 …", *cites[2:25]]
    assert "<p>Also" in text
    pages = [site.pages[f"rule/{number}/index.html"].plain for number in ("101.3", "101.4")]
    assert f"102.1 today: {words[0]}" in pages[0]
    assert "102.2 today: A tide turns" in pages[1]
    assert words[1] not in pages[1]
