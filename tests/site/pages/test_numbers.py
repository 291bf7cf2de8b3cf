"""The pages of numbers and headwords."""

from tests.pages.built_site import Site


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
