"""The places of provisions on the site."""

from variorum_kb.rows import State
from variorum_site import urls
from variorum_site.page_index import PageIndex, outline_of, page_of_name


def state(kind: str, number: str, heading: str = "") -> State:
    """Return a state with a number."""
    return State(kind, number, number, heading, "", "", "", "")


def test_outline() -> None:
    """Provisions are in the section that prints them, whatever their numbers are."""
    held = [
        state("chapter", "1"),
        state("section", "100", "General"),
        state("rule", "100.1"),
        state("rule", "432.2"),
        state("section", "101", "Lamps"),
        state("rule", "101.1"),
        state("glossary", "", "Boat"),
    ]

    outline = outline_of(list(enumerate(held)))

    assert outline.chapters == (0,)
    assert {number: section.states for number, section in outline.sections.items()} == {
        "100": (1, 2, 3),
        "101": (4, 5),
    }
    assert outline.entries == (6,)
    assert outline.strays == {"432": [(3, "100")]}
    assert outline.sections["100"].heading == "General"


def test_rules_without_a_section() -> None:
    """A rule without a section before it is in the section of its number."""
    outline = outline_of([(0, state("chapter", "1")), (1, state("rule", "100.1"))])

    assert outline.sections["100"].states == (1,)
    assert outline.strays == {}


def test_names() -> None:
    """The names in answers lead to the pages of numbers and headwords."""
    assert page_of_name("702.175#2") == "rule/702.175/"
    assert page_of_name("glossary: Flip a Coin") == "glossary/flip-a-coin/"


def test_pages_in_order(index: PageIndex) -> None:
    """Pages are in the order of numbers, then of headwords."""
    pages = index.pages

    assert pages.index(urls.rule("702.9")) < pages.index(urls.rule("702.9a"))
    assert pages.index(urls.rule("702.9a")) < pages.index(urls.rule("702.11"))
    assert pages[-1].startswith("glossary/")


def test_every_life_has_one_home(index: PageIndex) -> None:
    """The history of each provision is on the page of its last number."""
    for page in index.pages:
        for holder in index.holders(page):
            home = index.home_of(holder.end)
            assert holder.end in {item.end for item in index.holders(home)}
