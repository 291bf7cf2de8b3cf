"""Tests of the search in a real browser, on the site of the sample rulebook."""

from pathlib import Path

import pytest

from tests.browser.browsing import OpenTab, Tab, served
from tests.support.small_sites import DAYS, build_base, build_site, edition

HOME = "index.html"
PAGE = "search/index.html"
OPTIONS = "#_found [role=option]"
NAMES = "#_found .hit"
RESULTS = ".results > li"
RULES = "2025-05-30/7/index.html"

# Numbers -------------------------------------------------------------------------------------------


def test_a_number_comes_first(tab: Tab) -> None:
    """A number's bearer is the first hit, in any spelling of the number."""
    tab.open(HOME)

    tab.ask("§704.5A.")

    assert tab.texts(NAMES)[0] == "704.5a"


def test_what_stands_below(tab: Tab) -> None:
    """The subrules of a rule follow it directly, in order."""
    tab.open(PAGE)

    tab.ask("704.5")

    names = [name.split()[0] for name in tab.texts(f"{RESULTS} .hit")]
    subrules = [name for name in names if name[:5] == "704.5"]
    assert names[: len(subrules)] == subrules
    assert subrules == sorted(subrules)
    assert subrules[:3] == ["704.5", "704.5a", "704.5b"]


def test_enter_opens_a_number(tab: Tab) -> None:
    """A complete number and Enter lead to its page, even if no provision has the number today."""
    for query, path in (("704.5a", "rule/704.5a/index.html"), ("211.1", "rule/211.1/index.html")):
        tab.open(HOME)
        tab.ask(query)

        tab.press("Enter")

        tab.page.wait_for_url(f"**/{path}")
        assert tab.path == path


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("600.4", "600.4 (1 March 2006 to 21 January 2010) is now 800.4"),
        ("212.3a", "212.3a (14 May 1999 to 21 January 2010) is now 302.1"),
        ("211.1", "211.1 (10 February 2003 to 19 June 2008) was probably removed on 20 June 2008"),
    ],
)
def test_old_numbers(tab: Tab, query: str, message: str) -> None:
    """A former number leads to the provision that had it, and says what happened to it."""
    tab.open(HOME)

    tab.ask(query)

    assert tab.texts(NAMES)[0] == message


def test_an_old_bearer_comes_behind_the_new(tab: Tab) -> None:
    """Today's bearer of a number is first, then former bearers."""
    tab.open(HOME)

    tab.ask("100.3")

    assert tab.texts(NAMES)[:2] == ["100.3", "100.3 (14 May 1999 to 16 April 2015) is now 100.4"]
    assert (tab.attribute(f"{OPTIONS}:nth-child(2)", "href") or "").endswith(
        "rule/100.4/index.html"
    )


def test_a_number_that_never_was(tab: Tab) -> None:
    """If no edition printed a number, the page says so."""
    tab.open(HOME)

    tab.ask("999.9")

    assert tab.texts(".found .notes p") == ["No edition ever printed 999.9."]
    assert tab.texts(OPTIONS) == []


# Words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "first", "note"),
    [
        ("scoop", "104.3", "“scoop”: the rules say “concede”."),
        ("opp", "800.3", "“opp” stands for “opponent”."),
        ("him or her", "509.2", "“him or her”, last printed 19 January 2018, is now “them”."),
        ("duel", "Multiplayer Game", "“duel” is obsolete; the nearest term today is “game”."),
    ],
)
def test_other_words(tab: Tab, query: str, first: str, note: str) -> None:
    """Players' words, abbreviations and former terms find today's rule, and the page says how."""
    tab.open(HOME)

    tab.ask(query)

    assert tab.texts(NAMES)[0].startswith(first)
    assert any(text.startswith(note) for text in tab.texts(".found .notes p"))
    assert note in (tab.texts("[role=status]")[0])


def test_a_word_that_is_not_complete(tab: Tab) -> None:
    """While the user types a word, words that begin with it are found."""
    tab.open(HOME)

    tab.ask("mulli")

    assert tab.texts(NAMES)[0] == "Mulligan"


def test_a_word_that_nothing_has(tab: Tab) -> None:
    """Misspelt words are answered directly, and the page says what they were read as."""
    tab.open(PAGE)

    tab.ask("flotila variamt")

    assert tab.texts("#_results .notes p") == [
        "No text has “flotila”; here is “flotilla”.",
        "No text has “variamt”; here is “variant”.",
    ]
    assert tab.texts(f"{RESULTS} .hit")[0] == "808 Flotilla Variant"


def test_matches_are_marked(tab: Tab) -> None:
    """A snippet marks the matching words, in any of their forms."""
    tab.open(PAGE)

    tab.ask("boats sail")

    marked = {text.lower() for text in tab.texts(f"{RESULTS} mark")}
    assert {"boat", "sail"} & {word for text in marked for word in text.split()}
    assert not tab.texts(f"{RESULTS} mark mark")


# Keys and screen readers ---------------------------------------------------------------------------


def test_keyboard(tab: Tab) -> None:
    """Slash focuses the box, arrows cycle through the hits, Enter opens one."""
    tab.open(HOME)

    tab.press("/")
    assert tab.focused() == "_q"
    tab.ask("tide check")
    count = len(tab.texts(OPTIONS))
    hrefs = [option.get_attribute("href") or "" for option in tab.page.locator(OPTIONS).all()]
    tab.press("ArrowDown", "ArrowDown")
    assert tab.attribute("#_q", "aria-activedescendant") == "_found-1"
    tab.press("ArrowUp", "ArrowUp")
    assert tab.attribute("#_q", "aria-activedescendant") is None
    tab.press("ArrowUp")
    assert tab.attribute("#_q", "aria-activedescendant") == f"_found-{count - 1}"
    tab.press("ArrowDown", "ArrowDown", "Enter")

    tab.page.wait_for_url(hrefs[0])


def test_escape(tab: Tab) -> None:
    """Escape closes the list; pressed again, it empties the box."""
    tab.open(HOME)
    tab.ask("flame")

    tab.press("Escape")
    assert (tab.attribute("#_q", "aria-expanded"), tab.page.input_value("#_q")) == (
        "false",
        "flame",
    )
    assert not tab.page.is_visible("#_found")
    tab.press("Escape")

    assert tab.page.input_value("#_q") == ""


def test_combobox(tab: Tab) -> None:
    """The box is a combobox: assistive technology gets its list, the chosen hit and the count."""
    tab.open(HOME)
    names = ("role", "aria-controls", "aria-autocomplete", "aria-expanded")
    assert [tab.attribute("#_q", name) for name in names] == [
        "combobox",
        "_found",
        "list",
        "false",
    ]

    tab.ask("flame")
    tab.press("ArrowDown")

    assert tab.attribute("#_q", "aria-expanded") == "true"
    assert tab.attribute("#_found", "role") == "listbox"
    selected = [option.get_attribute("aria-selected") for option in tab.page.locator(OPTIONS).all()]
    assert selected == ["true"] + ["false"] * (len(selected) - 1)
    assert " results." in tab.texts("[role=status]")[0]


def test_leaving_closes_the_list(tab: Tab) -> None:
    """Leaving the box with Tab closes the list."""
    tab.open(HOME)
    tab.ask("flame")

    tab.press("Tab")

    assert tab.attribute("#_q", "aria-expanded") == "false"


def test_words_and_enter_open_the_search_page(tab: Tab) -> None:
    """Words and Enter lead to the search page, whose address keeps them."""
    tab.open(RULES)
    tab.ask("tide check")

    tab.press("Enter")

    tab.page.wait_for_url("**/search/index.html?q=tide+check")
    tab.until("() => document.querySelectorAll('.results > li').length > 0")
    assert tab.page.input_value("#_q") == "tide check"
    tab.ask("boats & lamps")
    assert tab.path == "search/index.html?q=boats+%26+lamps"


def test_stepping_through_results(tab: Tab) -> None:
    """Arrows move from the box into the results, through them and back; letters do nothing."""
    tab.open(f"{PAGE}?q=704.5")
    tab.until("() => document.querySelectorAll('.results > li').length > 3")

    steps: list[str] = []
    for key in ("ArrowDown", "ArrowDown", "j", "k", "ArrowUp", "ArrowUp"):
        tab.press(key)
        steps.append(tab.focused())

    assert steps == ["704.5", "704.5a", "704.5a", "704.5a", "704.5", "_q"]


def test_letters_belong_to_the_box(tab: Tab) -> None:
    """In the box, letters and slashes are typed, not commands."""
    tab.open(RULES)

    tab.ask("j/k")

    assert tab.page.input_value("#_q") == "j/k"
    assert tab.focused() == "_q"


def test_more_results(tab: Tab) -> None:
    """The page shows some results, and a button for more."""
    tab.open(PAGE)
    tab.ask("player")
    few = len(tab.texts(RESULTS))

    tab.page.click("text=More results")

    tab.until("few => document.querySelectorAll('.results > li').length > few", few)
    assert tab.texts(f"{RESULTS}:nth-child({few + 1}) a")[0].startswith(tab.focused())


# Without a script or a server, and hostile input
# -----------------------------------------------------


def test_without_script(open_tab: OpenTab) -> None:
    """Without scripts, the box leads to a page with other links."""
    tab = open_tab(java_script_enabled=False)
    tab.open(HOME)

    tab.page.fill("#_q", "flame")
    tab.press("Enter")

    tab.page.wait_for_url("**/search/index.html?q=flame")
    note = " ".join((tab.page.text_content("noscript") or "").split())
    assert "needs JavaScript" in note
    assert "list of all numbers" in note


def test_from_the_file_system(open_tab: OpenTab, site_folder: Path) -> None:
    """Search works in pages from the file system."""
    tab = open_tab(f"{site_folder.as_uri()}/")
    tab.open(RULES)

    tab.ask("600.4")
    assert tab.texts(NAMES)[0] == "600.4 (1 March 2006 to 21 January 2010) is now 800.4"
    tab.ask("tide check")
    tab.press("Enter")

    tab.until("() => document.querySelectorAll('.results > li').length > 0")
    assert tab.path.startswith("search/index.html?q=tide")


def test_without_an_index(open_tab: OpenTab) -> None:
    """If the index cannot be fetched, the page says so."""
    tab = open_tab(service_workers="block")
    tab.page.route("**/search/current.js", lambda route: route.fulfill(status=404, body=""))
    tab.open(PAGE)

    tab.page.fill("#_q", "flame")

    tab.until("() => document.querySelector('#_results [role=status]').textContent !== ''")
    assert tab.texts("#_results [role=status]") == [
        "Search cannot work: search/current.js could not be loaded."
    ]
    tab.complaints.clear()  # the browser's own message about the file


HOSTILE = '<img src=x onerror="document.title=1"> <b>bold</b> mischief'


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site with a malicious document."""
    folder = tmp_path_factory.mktemp("hostile")
    documents = {"one.txt": edition(), "two.txt": edition(DAYS[1], rule=HOSTILE)}
    build_site(build_base(folder, documents), folder / "out")
    return folder / "out"


def test_hostile_rules(open_tab: OpenTab, hostile: Path) -> None:
    """A document's markup is shown as words, in the box and on the page."""
    with served(hostile) as root:
        for path, where in ((HOME, ".found"), (PAGE, "#_results")):
            tab = open_tab(root)
            tab.open(path)

            tab.ask("mischief")

            assert any(HOSTILE in text for text in tab.texts(f"{where} .said"))
            assert tab.page.locator(f"{where} img, {where} b").count() == 0
            assert tab.page.title() != "1"


@pytest.mark.parametrize(
    "query",
    [
        '<img src=x onerror="document.title=1">',
        "</script><script>document.title=1</script>",
        "constructor __proto__ toString",
        '((("AND OR NOT" ) "',
        "NOT NOT AND",
        "{{7*7}} ${7*7} %00 \\",
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE} \N{CJK UNIFIED IDEOGRAPH-4E00} \N{PILE OF POO}",
        "a" * 300,
    ],
)
def test_hostile_queries(tab: Tab, query: str) -> None:
    """Any query is treated as words, and breaks nothing."""
    tab.open(PAGE)
    tab.page.fill("#_q", query)
    tab.until("query => document.querySelector('form').dataset.answered === query", query)

    tab.page.reload()

    tab.until("query => document.querySelector('form').dataset.answered === query", query)
    assert tab.page.input_value("#_q") == query
    assert tab.page.locator("#_results img, #_results script").count() == 0
    assert tab.page.title().startswith("Search")
