"""What addresses served, which makes the next requests conditional."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from variorum_crawler.fetch.fetched import Fetched, Validators
from variorum_crawler.sync.crawl_state import CrawlState, Seen, seen_of
from variorum_kb.model import Sha256, sha256_of

URL, DAY = "https://example.org/rules", date(2026, 1, 2)


@pytest.mark.parametrize(
    ("at", "asked_since"),
    [
        ("2026-01-02T03:04:05+00:00", "Fri, 02 Jan 2026 03:04:05 GMT"),
        ("0001-01-01T00:00:00+14:00", ""),
        ("yesterday", ""),
    ],
)
def test_own_clock(at: str, asked_since: str) -> None:
    """For a server without validators, our own clock's date is sent, if HTTP can express it."""
    seen = seen_of(Sha256("0a"), (), at)

    assert (seen.validators.last_modified, seen.is_dated_by_us) == (asked_since, True)


@pytest.mark.parametrize(
    ("sha256", "is_dated_by_us", "is_remembered"),
    [("0a", True, False), ("0a", False, True), ("0b", True, True), ("0b", False, True)],
)
def test_saw_document(
    tmp_path: Path, sha256: str, is_dated_by_us: bool, is_remembered: bool
) -> None:
    """If the same bytes are served again, only a date from the server changes the record."""
    state = CrawlState(tmp_path)
    before = Seen(Sha256("0a"), Validators("", "Fri, 02 Jan 2026 03:04:05 GMT"))
    after = Seen(Sha256(sha256), Validators("", "Sat, 03 Jan 2026 03:04:05 GMT"), is_dated_by_us)
    state.saw_document(URL, before)

    state.saw_document(URL, after)

    assert state.document(URL) == (after if is_remembered else before)


def page(body: bytes, **headers: str) -> Fetched:
    """Return a page that lists editions."""
    return Fetched(
        url=URL, final_url=URL, is_modified=True, headers=tuple(headers.items()), body=body
    )


def test_saved(tmp_path: Path) -> None:
    """Everything remembered is loaded again in the next run."""
    state = CrawlState(tmp_path, "2026-01-02T03:04:05+00:00")
    seen = state.seen_of(Sha256("0a"), (("etag", '"1"'),))
    state.saw_document(URL, seen)
    state.keep_page(URL, page(b"a list", etag='"2"'))
    state.found_gone(f"{URL}/gone", DAY)
    state.saw_copy("0b", "0a")

    state.save()

    again = CrawlState(tmp_path)
    assert again.document(URL) == Seen(Sha256("0a"), Validators('"1"')) == seen
    assert again.page(URL) == (Seen(sha256_of(b"a list"), Validators('"2"')), b"a list")
    assert again.is_lately_gone(f"{URL}/gone", DAY)
    assert (again.copy_of("0b"), again.copy_of("0a")) == ("0a", "")


def test_nothing_to_save(tmp_path: Path) -> None:
    """A run that learns nothing writes nothing; a single fact is saved."""
    CrawlState(tmp_path).save()
    before = list(tmp_path.iterdir())
    state = CrawlState(tmp_path)
    state.found_gone(URL, DAY)
    state.save()

    assert before == []
    assert CrawlState(tmp_path).is_lately_gone(URL, DAY)


def test_gone(tmp_path: Path) -> None:
    """An address is asked again after 30 days, and is no longer gone if it serves a document."""
    state = CrawlState(tmp_path)

    for later, is_lately in ((0, False), (29, True), (30, False), (59, True), (60, False)):
        day = DAY + timedelta(days=later)
        assert state.is_lately_gone(URL, day) == is_lately
        state.found_gone(URL, day)
    state.saw_document(URL, Seen(Sha256("0a"), Validators()))

    assert not state.is_lately_gone(URL, day)


@pytest.mark.parametrize(
    ("headers", "kept"), [({"etag": '"2"'}, b"second"), ({"date": "today"}, b"first")]
)
def test_pages(tmp_path: Path, headers: dict[str, str], kept: bytes) -> None:
    """A changed page replaces the stored one, unless its server cannot say "not modified"."""
    state = CrawlState(tmp_path)

    state.keep_page(URL, page(b"first", **headers))
    state.keep_page(URL, page(b"second", **headers))
    state.save()

    stored = state.page(URL)
    assert stored is not None
    assert stored[1] == kept
    assert [path.read_bytes() for path in (state.folder / "pages").iterdir()] == [kept]
    (state.folder / "pages" / stored[0].sha256).write_bytes(b"rot")
    assert state.page(URL) is None
    state.keep_page(URL, page(kept, **headers))
    assert state.page(URL) == stored


@pytest.mark.parametrize(
    "text",
    ["[]", '{"documents": 1}', '{"pages": {"a": {}}}', '{"gone": {"a": "?"}}', '{"copies": 1}'],
)
def test_damaged(tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str) -> None:
    """A damaged state is empty, and a warning says so."""
    path = tmp_path / "crawl" / "state.json"
    path.parent.mkdir()
    path.write_text(text)

    CrawlState(tmp_path)

    (message,) = caplog.messages
    assert message.startswith(f"{path}: ")
    assert message.endswith("; every address is asked again")
