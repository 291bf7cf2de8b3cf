"""Tests of the search through all former words, in a real browser."""

from collections.abc import Callable

from tests.browser.browsing import OpenTab, Tab

PAGE = "search/index.html"
RESULTS = ".results > li"
_ANSWERED = "query => document.querySelector('form').dataset.answered === query"
_SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""


def test_what_ever_stood(tab: Tab) -> None:
    """A word of former rules is found, with its editions and the rule's outcome."""
    tab.open(f"{PAGE}?q=flip+a+coin&ever=1")
    tab.until(_ANSWERED, "flip a coin")

    first = tab.texts(RESULTS)[0]
    stood = tab.texts(f"{RESULTS} .stood")

    assert first.startswith("Flip a Coin Glossary") or "coin" in first.lower()
    assert all(item == "in force" or item[0].isdigit() for item in stood)
    assert any(text.endswith("removed") for text in stood)
    assert "in force" in stood


def test_the_hit_leads_to_its_edition(tab: Tab) -> None:
    """A hit in a removed rule leads to the last edition with these words."""
    tab.open(f"{PAGE}?q=211.1&ever=1")
    tab.until(_ANSWERED, "211.1")

    assert "19 June 2008; probably removed" in tab.texts(f"{RESULTS} .stood")[0]
    tab.page.click(f"{RESULTS} a")

    tab.page.wait_for_url("**/2006-03-01/**#211.1")


def test_from_the_box(tab: Tab) -> None:
    """The list below the box leads to the same words in every edition, and offers corrections."""
    tab.open("index.html")
    tab.ask("flotila variant")

    options = tab.texts("#_found [role=option]")
    assert options[0].startswith("808 Flotilla Variant")
    assert options[-1] == "“flotila variant” in the wording of every edition"
    tab.page.locator("#_found [role=option]").last.click()
    tab.page.wait_for_url("**/search/index.html?q=flotila+variant&ever=1")
    tab.until(_ANSWERED, "flotila variant")


def test_without_a_server(open_tab: OpenTab, site_folder: object) -> None:
    """All editions can also be searched from the file system."""
    tab = open_tab(f"file://{site_folder}/")

    tab.open(f"{PAGE}?q=flip+a+coin&ever=1")

    tab.until(_ANSWERED, "flip a coin")
    assert tab.texts(RESULTS)


def test_nothing_jumps(tab: Tab, record_property: Callable[[str, object], None]) -> None:
    """New hits never move the text that the reader sees."""
    for query in ("q=flame", "q=flotila+variamt", "q=boat&ever=1"):
        tab.open(f"{PAGE}?{query}")
        tab.until("() => document.querySelector('form').dataset.answered")

        shifts = tab.value(_SHIFTS)

        record_property(query, shifts)
        assert shifts < 0.1


def test_a_further_query_is_answered(
    tab: Tab, record_property: Callable[[str, object], None]
) -> None:
    """After the index is loaded, the next query is answered; the milliseconds are recorded."""
    tab.open(f"{PAGE}?q=boat&ever=1")
    tab.until(_ANSWERED, "boat")
    tab.page.fill("#_q", "lighthouse")
    tab.until(_ANSWERED, "lighthouse")

    took = tab.value(
        """() => {
          const input = document.querySelector("#_q"), form = document.querySelector("form");
          const began = performance.now();
          input.value = "wandering moon";
          input.dispatchEvent(new Event("input"));
          return new Promise((done) => {
            const look = () => (form.dataset.answered === "wandering moon"
              ? done(performance.now() - began) : setTimeout(look));
            look();
          });
        }"""
    )

    record_property("milliseconds", took)
    assert tab.value("() => document.querySelector('form').dataset.answered") == "wandering moon"
