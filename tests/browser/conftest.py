"""A real browser, and the site of the sample rulebook in it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.browsing import BROWSERS, OpenTab, Tab, served

if TYPE_CHECKING:  # tests skip if it is not installed
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Return a headless Chromium; if there is none, skip the test."""
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - may be missing
    except ModuleNotFoundError:
        pytest.skip("Playwright is not installed; make browser installs what is needed")
    match = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=match)
        except Error as error:
            if match is not None:
                raise
            pytest.skip(f"no browser; make browser installs one: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site_folder(browser: "Browser", sites: Callable[[str], Path]) -> Path:
    """Return the folder of the sample rulebook's site with witnesses; tests must not change it."""
    del browser  # without a browser, do not wait for the site
    return sites("witnesses")


@pytest.fixture(scope="session")
def address(site_folder: Path) -> Iterator[str]:
    """Return the address where the site of the sample rulebook is served."""
    with served(site_folder) as result:
        yield result


@pytest.fixture
def open_tab(browser: "Browser", address: str) -> Iterator[OpenTab]:
    """Return a function that opens a tab on this or another site; browser errors fail the test.

    Pages are kept for offline reading only if the test asks for it, since that takes time.
    """
    tabs: list[Tab] = []
    with ExitStack() as stack:

        def opened(root: str = address, **settings: object) -> Tab:
            settings = {"service_workers": "block"} | settings
            context = browser.new_context(**settings)  # type: ignore[arg-type]  # each as it says
            stack.callback(context.close)
            tabs.append(Tab(context.new_page(), root))
            return tabs[-1]

        yield opened
        assert [tab.complaints for tab in tabs] == [[] for _ in tabs]


@pytest.fixture(scope="session")
def _one_tab(browser: "Browser", address: str) -> Iterator[Tab]:
    context = browser.new_context(service_workers="block")
    yield Tab(context.new_page(), address)
    context.close()


@pytest.fixture
def tab(_one_tab: Tab) -> Iterator[Tab]:
    """Return the tab on the site that most tests share; browser errors fail the test.

    Its size, colours and storage are reset for each test.
    """
    _one_tab.page.set_viewport_size({"width": 1280, "height": 800})
    _one_tab.page.emulate_media(color_scheme="light", media="screen")
    _one_tab.complaints.clear()
    yield _one_tab
    _one_tab.value("() => localStorage.clear()")
    _one_tab.page.goto("about:blank")
    assert _one_tab.complaints == []
