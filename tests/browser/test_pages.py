"""One page of each kind, on a phone, with a screen reader or with the keyboard alone."""

import pytest

from tests.browser.browsing import Tab, axe
from tests.browser.kinds import AXE, COLOURS, KINDS, OPEN, TAGS

# On the page for searching, the box has the focus.
_SEARCH = "search"

each_kind = pytest.mark.parametrize("page", KINDS.values(), ids=KINDS)
each_other_kind = pytest.mark.parametrize(
    "page",
    [page for kind, page in KINDS.items() if kind != _SEARCH],
    ids=[kind for kind in KINDS if kind != _SEARCH],
)

# The text sizes tested, as multiples of a browser's default.
_LETTERS = """(times) => {
  document.documentElement.style.fontSize = times === 1 ? "" : `${times * 106.25}%`;
}"""
# Elements that are wider than the screen and cannot be scrolled.
_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")].filter((one) =>
    !one.closest(".scroll, .unseen, .skip") && one.getBoundingClientRect().right > innerWidth + 1
  ).map((one) => one.outerHTML.slice(0, 120)).slice(-3).concat("too wide")"""
# Elements that the keyboard can reach, in page order.
_STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && one.checkVisibility())"""
# Focused elements without a frame, covered, or out of sight.
_UNSEEN = f"""() => ({_STOPS})().filter((one) => {{
  one.focus();
  const style = getComputedStyle(one);
  if (document.activeElement !== one || !one.matches(":focus-visible")) return true;
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return true;
  const box = one.getClientRects()[0] ?? one.getBoundingClientRect();
  if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0) return true;
  if (one.matches(".scroll")) return false;
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return there && !one.contains(there) && !there.contains(one);
}}).map((one) => one.outerHTML.slice(0, 120))"""
# The place of the focused element among these.
_PLACE = f"() => ({_STOPS})().indexOf(document.activeElement)"
_IN_MAIN = "() => document.activeElement.closest('main') !== null"


@each_kind
def test_everybody_can_read_it(tab: Tab, page: str) -> None:
    """Axe finds no problem, on a phone and a desktop screen, in light and dark."""
    tab.open(page)
    tab.value(OPEN)
    tab.value(axe())

    on_desktop = tab.value(AXE, TAGS)
    tab.page.emulate_media(color_scheme="dark")
    in_dark = tab.value(AXE, COLOURS)
    tab.page.emulate_media(color_scheme="light")
    tab.page.set_viewport_size({"width": 360, "height": 640})
    on_phone = tab.value(AXE, TAGS)

    assert on_desktop == in_dark == on_phone == []


def test_error_what_nobody_can_read_is_found(tab: Tab) -> None:
    """Axe finds the faults of a broken page, so the check works."""
    tab.open("rule/704.5k/")
    tab.value(axe())
    tab.value(
        """() => {
          document.documentElement.lang = "";
          document.querySelector("h1 .n").style.color = "#ddd";
          document.querySelector("footer a").textContent = "";
          document.querySelector("footer a").removeAttribute("aria-label");
        }"""
    )

    texts: list[str] = tab.value(AXE, TAGS)

    assert {"html-has-lang", "color-contrast", "link-name"} <= {
        text.split(":")[0] for text in texts
    }


@each_kind
def test_nothing_is_too_wide(tab: Tab, page: str) -> None:
    """Only boxes scroll sideways, not the page: on small screens, at 200 %, with large text."""
    # A screen 1280 wide has a page of 640 at 200 %, and of 320 at 400 %.
    sizes = ((320, 1), (360, 1), (640, 1), (1280, 1), (1280, 2))
    tab.open(page)
    tab.value(OPEN)

    answer: dict[tuple[int, int], list[str]] = {}
    for width, times in sizes:
        tab.page.set_viewport_size({"width": width, "height": 800})
        tab.value(_LETTERS, times)
        answer[width, times] = tab.value(_WIDE)

    assert {key: value for key, value in answer.items() if value} == {}


@each_kind
def test_focus_is_seen(tab: Tab, page: str) -> None:
    """A focused element is visible, with a frame around it."""
    tab.open(page)
    tab.value(OPEN)
    tab.press("Tab")

    assert tab.value(_UNSEEN) == []


@each_other_kind
def test_keys_go_through_it(tab: Tab, page: str) -> None:
    """Tab leads from the skip link through header and search box to the text, in page order."""
    tab.open(page)

    places: list[int] = []
    for _ in range(25):
        tab.press("Tab")
        places.append(tab.value(_PLACE))
        if tab.value(_IN_MAIN):
            break

    assert places == list(range(len(places)))
    assert len(places) > 3
    assert tab.value(_IN_MAIN)


@each_other_kind
def test_skip_link(tab: Tab, page: str) -> None:
    """The first focusable element skips the header, and is visible when focused."""
    tab.open(page)
    where = tab.page.locator(".skip")
    assert (where.bounding_box() or {"x": 0})["x"] < 0

    tab.press("Tab")
    box = where.bounding_box()
    tab.press("Enter")
    tab.page.wait_for_url("**#_main")

    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    tab.press("Tab")
    assert tab.value(_IN_MAIN)


def test_search_begins_in_its_box(tab: Tab) -> None:
    """On the search page the box has the focus, and the keyboard leads back to the header."""
    tab.open(KINDS[_SEARCH])
    box = tab.focused()
    place: int = tab.value(_PLACE)

    tab.press(*["Shift+Tab"] * place)

    assert box == "_q"
    assert tab.value(_PLACE) == 0


def test_keys_open_what_is_folded(tab: Tab) -> None:
    """The keyboard opens and closes folded sections."""
    tab.open("search/numbers/")
    first = tab.page.locator("main details").first
    first.locator("summary").focus()

    tab.press("Enter")
    assert first.get_attribute("open") is not None
    tab.press("Space")

    assert first.get_attribute("open") is None
