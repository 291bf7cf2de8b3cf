"""`cr sync` with a server on loopback: what is built in, and what stays."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawler.mirror import Mirror, Page
from tests.crawler.syncing import (
    NAMES,
    NEWEST,
    SAMPLE,
    Place,
    at,
    built,
    good,
    known,
    serve,
    source,
)
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.documents.archive import Archive

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_indexes")]

LABELS = [name.removesuffix(".txt") for name in NAMES]
# Enough editions to notice one that differs.
SOME = NAMES[-3:]
OTHER = "2022-02-11.txt"


@pytest.mark.slow
def test_mirror_gives_what_a_build_gives(place: Place, mirror: Mirror) -> None:
    """Into an empty folder, a sync from a mirror builds the same bytes as a build from its files."""
    serve(mirror)
    place.offer_known(mirror)

    report = place.sync()

    assert report["new"] == LABELS
    assert report["editions"] == len(LABELS)
    assert place.contents() == built(place.folder, SAMPLE)


def test_second_run_is_conditional(place: Place, mirror: Mirror) -> None:
    """A second run makes only conditional requests and changes no byte."""
    serve(mirror, SOME)
    place.offer_known(mirror, SOME)
    place.sync()
    before = place.snapshot()
    mirror.requests.clear()

    report = place.sync()

    assert place.snapshot() == before
    assert report["new"] == []
    assert report["requests"] == report["conditional"] == report["unchanged"] == len(SOME)
    asked = [request for request in mirror.requests if request.path != "/robots.txt"]
    assert len(asked) == len(SOME)
    assert all("if-none-match" in request.headers for request in asked)


def test_server_without_validators(place: Place, mirror: Mirror) -> None:
    """Without validators, the next request has the time of the last answer; no byte changes."""
    mirror.serve(f"/{NEWEST}", SAMPLE[NEWEST])
    place.offer_known(mirror, [NEWEST])
    place.sync()
    before = place.snapshot()

    report = place.sync()

    assert place.snapshot() == before
    assert report["conditional"] == 1
    assert report["unchanged"] == 0
    assert "if-modified-since" in mirror.asked_for(f"/{NEWEST}")[-1].headers


def test_server_without_a_clock(place: Place, mirror: Mirror) -> None:
    """If a server sends no date either, our own clock counts."""
    mirror.serve(f"/{NEWEST}", Page(SAMPLE[NEWEST], {"Date": ""}))
    mirror.serve(
        "/rules", Page(f'<a href="{NEWEST}">Comprehensive Rules</a>'.encode(), {"Date": ""})
    )
    place.offer(source("official", "page", address=mirror.url("/rules")))
    place.sync()
    before = place.snapshot()

    report = place.sync()

    assert place.snapshot() == before
    assert report["requests"] == report["conditional"] == 2
    (place.kb / "crawl" / "state.json").unlink()
    assert place.sync()["conditional"] == 1


def test_page_that_always_changes(place: Place, mirror: Mirror) -> None:
    """If a page differs each time, no byte changes, and new links on it are found."""
    serve(mirror, [OTHER, NEWEST])
    pages = [f'<i>{i}</i><a href="{OTHER}">Comprehensive Rules</a>' for i in range(2)]
    newer = f'<i>3</i><a href="{NEWEST}">Comprehensive Rules</a>'
    mirror.serve("/rules", *(Page(html.encode()) for html in [*pages, newer]))
    place.offer(source("official", "page", address=mirror.url("/rules")))
    place.sync()
    before = place.snapshot()

    second = place.sync()

    assert second["new"] == []
    assert place.snapshot() == before
    assert place.sync()["new"] == ["2025-05-30"]


def test_provenance(place: Place, mirror: Mirror) -> None:
    """The manifest has the time, source and server headers of each document."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    place.sync()

    archive = Archive(place.kb / "documents")

    (sha256,) = archive
    (source,) = archive.sources(sha256)
    assert (source.name, source.address) == (NEWEST, mirror.url(f"/{NEWEST}"))
    assert dict(source.headers)["etag"] == good(SAMPLE[NEWEST]).etag
    assert source.added


def test_new_edition(place: Place, mirror: Mirror) -> None:
    """The next edition is built in, and nothing else is fetched for it."""
    serve(mirror, SOME[:-1])
    place.offer_known(mirror, SOME[:-1])
    place.sync()
    serve(mirror, [NEWEST])
    place.offer_known(mirror, SOME)

    result = place.run()

    assert result.stdout == (
        f"{place.kb}: 1 new (2025-05-30), {len(SOME)} editions; "
        f"{len(SOME)} requests, {len(SOME) - 1} unchanged\n"
    )
    assert result.stderr == ""
    assert place.contents() == built(place.folder, {name: SAMPLE[name] for name in SOME})


def test_nothing_new_in_a_line(place: Place, mirror: Mirror) -> None:
    """A run that finds nothing new prints one line."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    place.sync()

    result = place.run("--exit-code")

    assert result.output == f"{place.kb}: nothing new, 1 edition; 1 request, 1 unchanged\n"
    assert result.exit_code == 0


def test_changed_document(place: Place, mirror: Mirror) -> None:
    """If an address serves a new edition, it is built in, and the old one stays."""
    mirror.serve("/current.txt", good(SAMPLE[OTHER]))
    place.offer_known(mirror, ["current.txt"])
    place.sync()
    mirror.serve("/current.txt", good(SAMPLE[NEWEST]))

    report = place.sync()

    assert report["new"] == ["2025-05-30"]
    assert report["editions"] == 2


def test_next_address(place: Place, mirror: Mirror) -> None:
    """If an address fails, the next one is asked; a second run asks only the working one."""
    serve(mirror, [NEWEST])
    place.offer(known("mirror", at(mirror, "gone.txt", NEWEST)))

    first = place.sync()
    mirror.requests.clear()
    second = place.sync()

    assert first["new"] == ["2025-05-30"]
    assert [failure["reason"] for failure in first["failed"]] == ["404 Not Found"]
    assert second["failed"] == []
    assert mirror.paths == [f"/{NEWEST}"]


@pytest.mark.parametrize("is_known", [True, False])
def test_address_of_another_edition(place: Place, mirror: Mirror, is_known: bool) -> None:
    """If an address serves another day's edition, the next address is asked."""
    serve(mirror, [OTHER, NEWEST])
    if is_known:
        place.offer_known(mirror, [OTHER])
        place.sync()
    document = known("mirror", at(mirror, OTHER, NEWEST))
    place.offer(f"{document}\neffective = 2025-05-30")

    report = place.sync()
    mirror.requests.clear()
    again = place.sync()

    assert report["editions"] == 2
    assert (again["new"], mirror.paths) == ([], [f"/{NEWEST}"])


def test_agreement_is_recorded(place: Place, mirror: Mirror) -> None:
    """If two sources serve a document, the manifest names both."""
    serve(mirror, [NEWEST])
    mirror.serve("/copy.txt", good(SAMPLE[NEWEST]))
    place.offer(known("one", at(mirror, NEWEST)), known("two", at(mirror, "copy.txt")))

    report = place.sync()

    archive = Archive(place.kb / "documents")
    assert report["agreements"] == 1
    assert [source.address for sha256 in archive for source in archive.sources(sha256)] == at(
        mirror, NEWEST, "copy.txt"
    )
    before = place.snapshot()
    assert place.sync()["agreements"] == 0
    assert place.snapshot() == before


def test_address_of_two_sources(place: Place, mirror: Mirror) -> None:
    """An address in two sources is asked once, and is not an agreement."""
    serve(mirror, [NEWEST])
    both = at(mirror, NEWEST), at(mirror, "gone.txt")
    place.offer(known("one", *both), known("two", *both))

    first = place.sync()
    asked = list(mirror.paths)
    second = place.sync()

    assert asked == [f"/{NEWEST}", "/gone.txt"]
    assert first["agreements"] == 0
    assert (second["requests"], second["unchanged"]) == (2, 1)


def test_converted_copy(place: Place, mirror: Mirror) -> None:
    """A copy with the same words in another encoding counts as agreement, not as an issue."""
    mirror.serve(f"/{NEWEST}", good(SAMPLE[NEWEST]))
    text = SAMPLE[NEWEST].decode("utf-8-sig")
    mirror.serve("/copy.txt", good(text.encode("utf-16")))
    place.offer(known("one", at(mirror, NEWEST)), known("two", at(mirror, "copy.txt")))

    report = place.sync()

    assert (report["new"], report["further"], report["agreements"]) == (["2025-05-30"], [], 1)
    before = place.snapshot()
    assert place.sync()["unchanged"] == 2
    assert place.snapshot() == before


def test_further_issue(place: Place, mirror: Mirror) -> None:
    """Other words for a held date go to quarantine, until a second publisher serves them."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    place.sync()
    mirror.serve(f"/{NEWEST}", good(SAMPLE[NEWEST].replace(b" may ", b" must ", 1)))

    result = place.run("--json")

    (entry,) = json.loads(result.stdout)["quarantined"]
    assert entry["reason"].startswith("another text of 2025-05-30: 1 word differs: ")
    assert result.exit_code == 1
    with Mirror() as second:
        second.serve(f"/{NEWEST}", good(SAMPLE[NEWEST].replace(b" may ", b" must ", 1)))
        place.offer(known("other", at(second, NEWEST)))
        report = place.sync()
    assert report["new"] == ["2025-05-30.2"]
    assert report["in_quarantine"] == 0
    assert editions(place.kb) == ["2025-05-30.1", "2025-05-30.2"]


def editions(kb: Path) -> list[str]:
    """Return the labels of the editions in a base."""
    with KnowledgeBase.open(kb) as base:
        return [edition.label for edition in base.editions]


def offer_page(place: Place, mirror: Mirror) -> None:
    """Offer an edition on a page like the publisher's."""
    mirror.serve("/en/rules", good(b'<a href="/MagicCompRules 20250530.txt">TXT</a>'))
    mirror.serve("/MagicCompRules%2020250530.txt", good(SAMPLE[NEWEST]))
    place.offer(source("official", "page", address=mirror.url("/en/rules")))


def offer_ruins(place: Place, mirror: Mirror) -> None:
    """Offer an edition as Academy Ruins does."""
    listed = {"data": [{"creationDay": "2025-05-30", "setCode": "ABC", "setName": "A Set"}]}
    mirror.serve("/metadata/cr", good(json.dumps(listed).encode()))
    mirror.serve("/file/cr/ABC", good(SAMPLE[NEWEST]))
    place.offer(source("ruins", "ruins", address=mirror.address))


def offer_wayback(place: Place, mirror: Mirror) -> None:
    """Offer an edition as the Wayback Machine does."""
    original = "http://a.example/CompRules.txt"
    row = ["20250601000000", original, "A" * 32]
    listed = json.dumps([["timestamp", "original", "digest"], row]).encode()
    asked = "url=http%3A%2F%2Fa.example%2FCompRules.txt"
    end = "&output=json&filter=statuscode:200&collapse=digest"
    mirror.serve(f"/cdx/search/cdx?{asked}{end}", good(listed))
    mirror.serve(f"/web/20250601000000id_/{original}", good(SAMPLE[NEWEST]))
    place.offer(source("wayback", "wayback", address=mirror.address, of=[original]))


OFFERS = [offer_page, offer_ruins, offer_wayback]


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.__name__)
def test_every_kind_of_source(
    place: Place, mirror: Mirror, offer: Callable[[Place, Mirror], None]
) -> None:
    """Each kind of source provides its edition; a second run only asks, and changes no byte."""
    offer(place, mirror)

    first = place.sync()
    before = place.snapshot()
    second = place.sync()

    assert "2025-05-30" in first["new"]
    assert second["requests"] == second["conditional"] == second["unchanged"]
    assert place.snapshot() == before


def test_bit_rot_is_mended(place: Place, mirror: Mirror) -> None:
    """A damaged document in the archive is fetched again."""
    serve(mirror, SOME)
    place.offer_known(mirror, SOME)
    place.sync()
    before = place.snapshot()
    archive = Archive(place.kb / "documents")
    rotten = archive.path(next(iter(archive)))
    rotten.write_bytes(rotten.read_bytes().replace(b"e", b"f", 1))

    report = place.sync()

    assert place.snapshot() == before
    assert report["conditional"] == len(SOME) - 1


def test_lost_state(place: Place, mirror: Mirror) -> None:
    """If the crawl state is lost, validators are taken from the manifest."""
    serve(mirror, SOME)
    place.offer_known(mirror, SOME)
    place.sync()
    (place.kb / "crawl" / "state.json").write_text("{", "utf-8")

    report = place.sync()

    assert report["unchanged"] == len(SOME)


def test_base_of_an_older_program(place: Place, mirror: Mirror) -> None:
    """A missing or damaged base is rebuilt from the archive."""
    serve(mirror, SOME)
    place.offer_known(mirror, SOME)
    place.sync()
    before = place.contents()
    (place.kb / "kb.sqlite").write_bytes(b"nothing")

    report = place.sync()

    assert place.contents() == before
    assert (report["new"], report["unchanged"]) == ([], len(SOME))


def test_gone_address_is_spared(place: Place, mirror: Mirror) -> None:
    """A dead address is not asked every day if its edition is held."""
    serve(mirror, [NEWEST])
    dead = known("dead", at(mirror, "gone.txt")) + "\neffective = 2025-05-30"
    place.offer(known("mirror", at(mirror, NEWEST)), dead)
    place.sync(code=1)
    mirror.requests.clear()

    report = place.sync()

    assert report["failed"] == []
    assert mirror.paths == [f"/{NEWEST}"]
