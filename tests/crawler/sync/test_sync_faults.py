"""Faults of servers and their effects: each line of the table in docs/crawler.md has tests."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path

import pytest

from tests.crawler.mirror import Behaviour, Hang, Mirror, Page, Raw, Redirect, Status, bomb
from tests.crawler.syncing import NAMES, NEWEST, SAMPLE, Place, at, good, known, serve, source
from tests.support.small_bases import edition
from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.build.build import Builder
from variorum_kb.documents.archive import Archive
from variorum_kb.model import sha256_of

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_indexes")]

ROOT = Path(__file__).resolve().parents[3]
HELD = NAMES[:-1]
BEFORE = "2022-02-11.txt"
TEXT = SAMPLE[NEWEST]


@pytest.fixture
def place(tmp_path: Path, mirror: Mirror) -> Place:
    """Return a base with the edition before the newest."""
    made = Place(tmp_path)
    serve(mirror, [BEFORE])
    made.offer_known(mirror, [BEFORE])
    made.sync()
    made.offer_known(mirror, [BEFORE, NEWEST])
    return made


def quarantined(place: Place, mirror: Mirror, *behaviours: Behaviour) -> str:
    """Return why a document is quarantined; the base stays, and a second run changes no byte."""
    before = place.contents()
    mirror.serve(f"/{NEWEST}", *behaviours)

    (entry,) = place.sync(code=1)["quarantined"]

    assert entry["address"] == mirror.url(f"/{NEWEST}")
    assert place.contents() == before
    after = place.snapshot()
    again = place.sync()
    assert (again["quarantined"], again["in_quarantine"]) == ([], 1)
    assert place.snapshot() == after
    reason: str = entry["reason"]
    return reason


def failed(place: Place, mirror: Mirror, *behaviours: Behaviour, options: str = "") -> str:
    """Return why an address fails; the base stays, and the next run succeeds."""
    before = place.contents()
    mirror.serve(f"/{NEWEST}", *behaviours)

    (entry,) = place.sync(*options.split())["failed"]

    assert place.contents() == before
    mirror.serve(f"/{NEWEST}", good(TEXT))
    assert place.sync()["new"] == ["2025-05-30"]
    reason: str = entry["reason"]
    return reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            b"<!DOCTYPE html>\n<html><head><title>Not found</title></head></html>",
            'a web page instead of a document: "Not found"',
        ),
        (b"\r\n", "empty"),
        (TEXT[: len(TEXT) * 3 // 4], r"line \d+: ends without a glossary"),
        (b"Lamps are lit. Boats are rowed.\n" * 500, ".+"),
        # Replacement characters for quotes and dashes.
        (
            re.sub(r"[^\x00-\x7f]|'", "\ufffd", TEXT.decode("utf-8-sig")).encode(),
            "characters of its text are lost",
        ),
        (bytes(range(256)) * 40, ".+"),
    ],
    ids=["web page", "empty", "truncated", "other text", "characters lost", "binary"],
)
def test_error_no_edition(place: Place, mirror: Mirror, data: bytes, reason: str) -> None:
    """A document that is no whole edition goes to quarantine, whatever the server says of it."""
    assert re.fullmatch(reason, quarantined(place, mirror, good(data)))


def test_error_captive_portal(place: Place, mirror: Mirror) -> None:
    """A page to which a captive portal redirects goes to quarantine with its host."""
    portal = mirror.address.replace("127.0.0.1", "localhost")
    mirror.serve("/welcome", good(b"<html><title>Log in</title><body>Room?</html>"))
    place.offer(
        known("mirror", *(at(mirror, entry) for entry in (BEFORE, NEWEST))),
        known("hotel", [f"{portal}/nothing"]) + "\neffective = 2022-02-11",
    )
    mirror.serve(f"/{NEWEST}", Redirect(f"{portal}/welcome"))

    report = place.sync(code=1)

    assert [entry["reason"] for entry in report["quarantined"]] == [
        'a web page instead of a document, sent by localhost: "Log in"'
    ]


def test_error_page_goes_away(place: Place, mirror: Mirror) -> None:
    """A document that replaces an error page is fetched, whatever its modification date."""
    mirror.serve(f"/{NEWEST}", Page(b"<html>Sorry</html>"))
    place.sync(code=1)
    mirror.serve(f"/{NEWEST}", Page(TEXT, last_modified="Wed, 01 Jan 2020 00:00:00 GMT"))

    assert place.sync()["new"] == ["2025-05-30"]


def shorter(text: bytes) -> bytes:
    """Remove a section from an edition, and its line from the contents."""
    words = text.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    numbers = re.findall(r"^(\d{3})\. ", words, re.MULTILINE)
    sizes = {
        section: len(re.findall(rf"^{section}\.\d", words, re.MULTILINE))
        for section in set(numbers)
    }
    for number in sorted(sizes, key=lambda section: -sizes[section])[:2]:
        words = re.sub(
            rf"^{number}\.[\s\S]*?(?=^\d\d?\. |^\d{{3}}\. |^Glossary)",
            "",
            words,
            flags=re.MULTILINE,
        )
    return words.encode()


def test_error_rules_lost(place: Place, mirror: Mirror) -> None:
    """An edition that lacks many rules of the one before goes to quarantine."""
    reason = quarantined(place, mirror, good(shorter(TEXT)))

    assert re.fullmatch(r"\d+ rules missing: \d.* to .*", reason)


def test_error_rules_lost_against_what_came_along(
    tmp_path: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text is also compared with a known edition of the same run."""
    days = {sha256_of(SAMPLE[name]): date.fromisoformat(name.removesuffix(".txt")) for name in HELD}
    for module in ("sync", "judging"):
        monkeypatch.setattr(f"variorum_crawler.sync.{module}.known_days", lambda: dict(days))
    place = Place(tmp_path)
    serve(mirror, HELD)
    mirror.serve(f"/{NEWEST}", good(shorter(TEXT)))
    place.offer_known(mirror)

    report = place.sync(code=1)

    assert report["new"] == [name.removesuffix(".txt") for name in HELD]
    (entry,) = report["quarantined"]
    assert re.fullmatch(r"\d+ rules missing: \d.* to .*", entry["reason"])


def test_error_past_date(place: Place, mirror: Mirror) -> None:
    """An unknown edition of the past goes to quarantine."""
    assert quarantined(place, mirror, good(edition("June 5, 2020"))) == (
        "its date, 2020-06-05, is neither that of a known edition nor later than 2022-02-11, "
        "the newest one"
    )


def test_error_far_future(place: Place, mirror: Mirror) -> None:
    """An edition of the far future goes to quarantine; otherwise all later ones would be in the past."""
    far = date(2099, 6, 5)
    ahead = (far - datetime.now(UTC).date()).days
    assert quarantined(place, mirror, good(edition("June 5, 2099"))) == (
        f"its date, {far}, lies {ahead:,} days ahead, farther than any announced"
    )


def test_error_quarantined_then_another_address(place: Place, mirror: Mirror) -> None:
    """If an address's document is not trusted, the next address is asked."""
    mirror.serve("/bad.txt", good(TEXT[: len(TEXT) // 2]))
    mirror.serve("/page.txt", good(b"<html>no</html>"))
    serve(mirror, [NEWEST])
    place.offer(known("mirror", at(mirror, "bad.txt", "page.txt", NEWEST)))

    report = place.sync(code=1)

    assert report["new"] == ["2025-05-30"]
    assert [entry["address"] for entry in report["quarantined"]] == at(
        mirror, "bad.txt", "page.txt"
    )
    mirror.requests.clear()
    place.sync()
    assert mirror.paths == [f"/{NEWEST}"]


def test_quarantine_is_let_go(place: Place, mirror: Mirror) -> None:
    """A document that a person built in leaves the quarantine."""
    odd = place.folder / "odd.txt"
    odd.write_bytes(edition("June 5, 2020"))
    quarantined(place, mirror, good(odd.read_bytes()))
    list(Builder(place.kb, "2030-01-02T03:04:05+00:00", jobs=1).build([odd]))

    report = place.sync()

    assert (report["in_quarantine"], report["editions"]) == (0, 2)


def test_quarantine_is_judged_anew(place: Place, mirror: Mirror) -> None:
    """A document that another judge version refused is judged again, and built in if it is good."""
    address = mirror.url("/elsewhere.txt")
    copy = Received(NEWEST, address, sha256_of(TEXT))
    Quarantine(place.kb, "judge 0", "2030-01-02T03:04:05+00:00").put(copy, "odd", TEXT)
    place.offer_known(mirror, [BEFORE])

    report = place.sync()

    assert (report["new"], report["in_quarantine"]) == (["2025-05-30"], 0)
    assert sorted(item.name for item in (place.kb / "quarantine").iterdir()) == ["quarantine.json"]
    assert [item.address for item in Archive(place.kb / "documents").sources(copy.sha256)] == [
        address
    ]


def test_error_damaged_quarantine(place: Place) -> None:
    """For a damaged quarantine list, one line says what to do."""
    path = place.kb / "quarantine" / "quarantine.json"
    path.parent.mkdir()
    path.write_text('{"documents": [{}]}', "utf-8")

    result = place.run()

    assert result.stderr == (
        f"cr: {path}: not a list of documents: KeyError('sha256'); "
        "remove it, and cr sync begins another\n"
    )
    assert result.exit_code == 3


@pytest.mark.parametrize("offer", ["page", "ruins"])
def test_error_list(place: Place, mirror: Mirror, offer: str) -> None:
    """If a list of editions is replaced by a page, the source fails and the page is not kept."""
    place.offer(source("lists", offer, address=mirror.url("/list")))
    mirror.serve("/list", good(b"<html>Log in</html>"))
    mirror.serve("/list/metadata/cr", good(b"<html>Log in</html>"))

    report = place.sync(code=1)

    assert report["failed_sources"] == ["lists"]
    assert report["editions"] == 1
    assert not (place.kb / "crawl" / "pages").exists()


PASSING: list[tuple[str, Callable[[], Behaviour]]] = [
    ("cut off", lambda: Page(TEXT, cut_after=1000)),
    ("hangs in the body", lambda: Hang(TEXT[:1000])),
    ("no HTTP", lambda: Raw(b"220 ready\r\n")),
    ("busy", lambda: Status(503)),
    ("a bomb", lambda: bomb(80 * 2**20)),
    ("gone", lambda: Status(404)),
    ("a private address", lambda: Redirect("http://10.0.0.1/cr.txt")),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour", [item for _, item in PASSING], ids=[name.replace(" ", "-") for name, _ in PASSING]
)
def test_error_server(place: Place, mirror: Mirror, behaviour: Callable[[], Behaviour]) -> None:
    """Whatever a server does, the base stays as it was, and the next run succeeds."""
    assert failed(place, mirror, behaviour(), options="--timeout 0.2")


def test_server_is_slow(place: Place, mirror: Mirror) -> None:
    """A server that is busy once is asked again in the same run."""
    mirror.serve(f"/{NEWEST}", Status(503, {"Retry-After": "0"}), good(TEXT))

    report = place.sync("--retries", "1")

    assert report["new"] == ["2025-05-30"]


def test_server_changes_between_requests(place: Place, mirror: Mirror) -> None:
    """A page that names a missing document fails; the next run succeeds."""
    mirror.serve("/rules", good(b'<a href="/MagicCompRules20250530.txt">TXT</a>'))
    place.offer(source("official", "page", address=mirror.url("/rules")))
    first = place.sync(code=1)
    mirror.serve("/MagicCompRules20250530.txt", good(TEXT))

    second = place.sync()

    assert [failure["reason"] for failure in first["failed"]] == [
        "404 Not Found",
        "none of its documents could be fetched",
    ]
    assert second["new"] == ["2025-05-30"]


def test_dead_host_is_left_alone(place: Place, mirror: Mirror) -> None:
    """A host that fails four times in a row is not asked again in this run."""
    names = [f"{number}.txt" for number in range(9)]
    for name in names:
        mirror.serve(f"/{name}", Status(503))
    place.offer(known("mirror", *(at(mirror, name) for name in names)))
    mirror.requests.clear()

    report = place.sync(code=1)

    assert mirror.paths == [f"/{name}" for name in names[:4]]
    assert report["failed"][-2]["reason"] == f"not asked: {mirror.host} failed 4 times in a row"


def test_robots_are_obeyed(place: Place, mirror: Mirror) -> None:
    """An address that robots.txt forbids is not requested."""
    mirror.serve("/robots.txt", b"User-agent: *\nDisallow: /2025")
    serve(mirror, [NEWEST])
    mirror.requests.clear()

    (entry,) = place.sync()["failed"]

    assert entry["reason"] == "robots.txt of the host asks us to stay away"
    assert mirror.paths == [f"/{BEFORE}"]


# The tests of each fault in the table of docs/crawler.md, by the beginning of its line; "" for
# faults outside the table.
FAULTS = {
    "a web page, or an empty": ("no_edition", "captive_portal"),
    "a web page instead of a list": ("page_goes_away", "list"),
    "a date too far ahead": (
        *("rules_lost", "rules_lost_against_what_came_along", "far_future", "past_date"),
        *("test_poisoned", "test_further_issue"),
    ),
    "an edition of another day": ("test_address_of_another_edition",),
    "a body cut off": ("server", "test_server_changes_between_requests"),
    "a server that hangs": ("server", "drip"),
    "429 or 503": ("server", "test_server_is_slow"),
    "a document that unpacks": ("server",),
    "a host is down": ("test_dead_host_is_left_alone",),
    "an address is gone": ("test_gone_address_is_spared",),
    "a full disk": ("full_disk", "not_writable", "two_syncs", "test_build_meanwhile"),
    "a damaged document": ("verify", "test_bit_rot_is_mended"),
    "the base is missing": ("test_lost_state", "test_base_of_an_older_program"),
    "the hook fails": ("hook",),
    "": (
        *("quarantined_then_another_address", "interrupted"),
        *("test_converted_copy", "test_page_that_always_changes", "test_robots_are_obeyed"),
        *("test_server_without_validators", "test_server_without_a_clock"),
        *("test_killed_syncs_do_no_harm", "test_verify_what_was_cut_short"),
        "test_quarantine_is_judged_anew",
    ),
}


def test_every_fault_has_its_test() -> None:
    """Each fault, in the table or not, has tests that exist."""
    page = (ROOT / "docs" / "crawler.md").read_text("utf-8")
    table = page.partition("## Faults")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    sources = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests" / "crawler").rglob("test_*.py")
    )
    there = set(re.findall(r"^def (test_\w+)", sources, re.MULTILINE))

    beginnings = [key for key in FAULTS if key]
    assert len(rows) == len(beginnings)
    for row, beginning in zip(rows, beginnings, strict=True):
        assert row.startswith(f"| {beginning}")
    named = {
        name if name[:5] == "test_" else f"test_error_{name}" for name in chain(*FAULTS.values())
    }
    assert len(named) == 36
    assert named - there == set()
