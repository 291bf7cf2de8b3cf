"""Tests of the pages of numbers and headwords."""

from tests.site.reading import Site


def test_today_first(sample_site: Site) -> None:
    """The page begins with today's words, its place, its neighbours and the date."""
    page = sample_site.pages["rule/705.2/index.html"]

    assert page.plain.index("As of 2025-05-30") < page.plain.index("Its life")
    assert "705. Flipping a Coin" in page.plain
    assert ("a", "../705.1/index.html") in page.links
    assert ("a", "../705.3/index.html") in page.links


def test_life_under_other_numbers(sample_site: Site) -> None:
    """A life names the numbers that were borne, each leading to the edition that had it last."""
    page = sample_site.pages["rule/705.2/index.html"]

    assert ("a", "../../2008-06-20/511/index.html#511.2") in page.links
    assert "renumbered" in page.plain


def test_readings_lead_to_their_editions(sample_site: Site) -> None:
    """A reading leads to its first and last edition, and to what changed when it came."""
    links = sample_site.pages["rule/705.2/index.html"].links

    assert ("a", "../../2010-01-22/705/index.html#705.2") in links
    assert ("a", "../../changes/2010-01-22/index.html") in links


def test_subrules_in_short(sample_site: Site) -> None:
    """A rule says since when its subrules stand, and when they were reworded."""
    found = [
        page
        for name, page in sample_site.pages.items()
        if name.startswith("rule/") and 'id="_parts"' in page.text
    ]

    assert found
    for page in found:
        rows = page.text.partition('id="_parts"')[2].partition("</table>")[0]
        assert rows.count("<tr>") - 1 >= 1
        assert "never" in rows or "changes/" in rows


def test_former_bearer_in_other_words(sample_site: Site) -> None:
    """Who bore a number is linked in the edition that is named, in whatever words it stood there."""
    for name, page in sample_site.pages.items():
        if name.startswith(("rule/", "glossary/")):
            runs = page.text.split('<span class="run">')[1:]
            hrefs = [run.split('"')[1] for run in runs]
            # What has no anchor is a section, or a chapter in the contents of its edition.
            bare = [href for href in hrefs if "#" not in href and href.count("/") < 4]
            assert not bare, name


def test_old_number_leads_on(sample_site: Site) -> None:
    """A number that is no more says when it stood, what it is now, and what that says."""
    page = sample_site.pages["rule/511.2/index.html"]

    assert "nothing is called 511.2" in page.plain
    assert "It was last printed in 2008-06-20" in page.plain
    assert ("a", "../705.2/index.html") in page.links
    assert "<blockquote>" in page.text


def test_gone_for_good(sample_site: Site) -> None:
    """What is gone has its last words and its life on the page of its last number."""
    pages = [page for page in sample_site.pages.values() if 'class="gone"' in page.text]

    assert pages
    for page in pages:
        assert "as last printed in" in page.plain
        assert "Its life" in page.plain


def test_printed_twice(sample_site: Site) -> None:
    """A number printed twice has one page, with both bearers and their own anchors."""
    page = sample_site.pages["rule/702.11/index.html"]

    assert {"702.11", "702.11-2"} <= set(page.ids)
    assert "by its place it should be 702.12" in page.plain


def test_malformed_number(sample_site: Site) -> None:
    """A number that was printed wrong has its page, too."""
    page = sample_site.pages["rule/306.b/index.html"]

    assert "306.b" in page.plain


def test_terms_are_linked_once(sample_site: Site) -> None:
    """On a page of a number each term leads to the glossary where it is mentioned first."""
    page = sample_site.pages["rule/702.9/index.html"]
    linked = [line.partition('"')[0] for line in page.text.split('class="t" href="')[1:]]

    assert "../../glossary/boat/index.html" in linked
    assert len(linked) == len(set(linked))


def test_section_holds_its_rules(sample_site: Site) -> None:
    """The page of a section has all that stands in it, to read through."""
    page = sample_site.pages["rule/705/index.html"]

    assert {"705.1", "705.2", "705.3"} <= set(page.ids)


def test_chapter_lists_its_sections(sample_site: Site) -> None:
    """The page of a chapter leads to its sections."""
    page = sample_site.pages["rule/7/index.html"]

    assert ("a", "../705/index.html") in page.links


def test_cited_by(sample_site: Site) -> None:
    """A page says what cites it, with the sentence."""
    page = sample_site.pages["rule/702.9/index.html"]

    assert "Cited by" in page.plain
    assert ("a", "../../glossary/undertow/index.html") in page.links


def test_blame(sample_site: Site) -> None:
    """Words of several editions say since when each stands there."""
    page = sample_site.pages["rule/705.1/index.html"]

    assert "Since when each word stands there" in page.plain
    assert "1999-05-14:" in page.plain
    assert "2022-02-11:" in page.plain


def test_citation_and_permalink(sample_site: Site) -> None:
    """What is copied names the edition, and so does the permalink."""
    text = sample_site.pages["rule/705.2/index.html"].text

    assert 'data-copy="CR 705.2 (2025-05-30)"' in text
    assert 'data-copy-link="../../2025-05-30/705/index.html#705.2"' in text


def test_entry_that_became_a_rule(sample_site: Site) -> None:
    """A headword that became a section leads there."""
    page = sample_site.pages["glossary/flip-a-coin/index.html"]

    assert any(href.startswith("../../rule/") for _, href in page.links)
