"""`cr sync` against a server on loopback: a scenario, and all that the command says in it.

A golden file of `sync/` records each run of a scenario: options, exit code, output, and what was asked.
"""

import gzip
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import SAMPLE as FOLDER
from tests.conftest import MakeOnce
from tests.crawler.mirror import (
    LONG_AGO,
    Behaviour,
    Hang,
    Mirror,
    Page,
    Raw,
    Redirect,
    Status,
    bomb,
)
from tests.support.command import run
from tests.support.edition_texts import CREDITS, HEAD, page
from tests.test_transcripts import laid_out

SAMPLE = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.txt"))}
NAMES = list(SAMPLE)
BEFORE, NEWEST = NAMES[-2:]
TEXT = SAMPLE[NEWEST]
SOON = datetime.now(UTC).date() + timedelta(days=30)
QUICK = ("--pause", "0", "--timeout", "5", "--retries", "0", "--jobs", "1")


def good(body: bytes) -> Page:
    """Return a document as a good server serves it."""
    return Page(body, etag=f'"{hashlib.sha256(body).hexdigest()[:16]}"', last_modified=LONG_AGO)


class Place:
    """A base, its file of sources, and a record of all that was run."""

    def __init__(self, folder: Path, mirror: Mirror) -> None:
        self.folder, self.mirror = folder, mirror
        self.kb, self.record = folder / "kb", list[str]()
        self._masks = {
            mirror.host: "MIRROR",
            str(folder): "HERE",
            str(FOLDER): "SAMPLE",
            str(sys.executable): "PYTHON",
        }

    def offer(self, *sources: str) -> None:
        """Write the file of sources."""
        (self.folder / "sources.toml").write_text("\n".join(["replace = true", *sources]), "utf-8")

    def known(self, *documents: str | list[str], name: str = "mirror", more: str = "") -> str:
        """Return a source of known addresses; of a document, one or more paths."""
        lines = [source(name, "addresses")]
        for paths in documents:
            every = [paths] if isinstance(paths, str) else paths
            urls = [path if "://" in path else self.mirror.url(path) for path in every]
            lines += ["[[source.document]]", f"addresses = {json.dumps(urls)}", more]
        return "\n".join(lines)

    def serve(self, pages: Mapping[str, bytes | Behaviour]) -> None:
        """Serve documents with their validators, and whatever else behaves in another way."""
        for path, body in pages.items():
            self.mirror.serve(path, good(body) if isinstance(body, bytes) else body)

    def sync(self, *options: str, shown: str = "") -> str:
        """Run `cr sync`, as JSON unless options say otherwise; record and return its output."""
        return self.cr(
            "sync",
            "--sources",
            str(self.folder / "sources.toml"),
            *QUICK,
            *(options or ["--json"]),
            shown=shown or " ".join(["sync", *(options or ["--json"])]),
        )

    def cr(self, *arguments: str, shown: str = "") -> str:
        """Run a command on the base; record and return its output."""
        self.mirror.requests.clear()
        result = run([*arguments, "--kb", str(self.kb)], folder=self.folder)
        lines = [f"$ cr {self.masked(shown or ' '.join(arguments))}"]
        lines += [f"  {line}" for line in laid_out(self.masked(result.out)).splitlines()]
        lines += [f"! {line}" for line in self.masked(result.err).splitlines()]
        for request in self.mirror.requests:
            conditions = [name for name in request.headers if name.startswith("if-")]
            lines.append(f"> {' '.join([self.masked(request.path), *sorted(conditions)])}")
        self.record += [*lines, f"= {result.code}", ""]
        return result.out

    def masked(self, text: str) -> str:
        """Return a text without what differs from run to run."""
        for wanted, name in self._masks.items():
            text = text.replace(wanted, name)
        text = text.replace(SOON.isoformat(), "SOON")
        text = re.sub(r"lies [\d,]+ days ahead", "lies N days ahead", text)
        text = re.sub(r"\b[\d.,]+ (s\b|GB|bytes|days ago)", r"N \1", text)
        text = re.sub(r"Python: [\d.]+", "Python: VERSION", text)
        text = re.sub(r"\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b", "SHA256", text)
        return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "TIME", text)

    def note(self, text: str) -> None:
        """Record a line of our own."""
        self.record.append(f"# {self.masked(text)}")

    def files(self) -> dict[str, bytes]:
        """Return all files of the base."""
        paths = (path for path in sorted(self.kb.rglob("*")) if path.is_file())
        return {path.relative_to(self.kb).as_posix(): path.read_bytes() for path in paths}


def source(name: str, kind: str, **settings: object) -> str:
    """Return a source, with settings that JSON and TOML write alike."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    return "\n".join(["[[source]]", f'name = "{name}"', f'kind = "{kind}"', *lines])


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    """Return a server."""
    with Mirror() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def _held(folder: Path) -> None:
    """Build a base of the edition before the newest."""
    built = run(["build", str(FOLDER / BEFORE), "--kb", str(folder)])
    assert built.code == 0


SCENARIOS: dict[str, Callable[[Place], None]] = {}


def scenario(function: Callable[[Place], None]) -> Callable[[Place], None]:
    """Add a scenario to the table, under its name."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


def edition(day: str, *, rule: str = "") -> bytes:
    """Return a small edition of a day."""
    old = "June 5, 2020"
    made = page(head=HEAD.replace(old, day), credits_=CREDITS.replace(old, day)).decode()
    return made.replace("101. Lamps\n\n101.1.", f"{rule}101. Lamps\n\n101.1.").encode()


@scenario
def everything_then_nothing(place: Place) -> None:
    """All editions come, then only conditional requests, then one edition more."""
    place.serve({f"/{name}": SAMPLE[name] for name in NAMES[:-1]})
    place.offer(place.known(*(f"/{name}" for name in NAMES[:-1])))
    place.sync()
    before = place.files()
    place.sync()
    assert place.files() == before
    place.sync("--exit-code")
    place.serve({f"/{NEWEST}": TEXT})
    place.offer(place.known(*(f"/{name}" for name in NAMES)))
    place.sync("--exit-code")
    place.cr("editions")
    place.cr("archive", "list")


@scenario
def faults_of_servers(place: Place) -> None:
    """Whatever a server does, the base stays, the reason is told, and the next run succeeds."""
    words = TEXT
    faults: list[Behaviour] = [
        *(Status(code) for code in (401, 403, 404, 410, 204, 206, 304, 302, 799, 408, 425, 429)),
        *(Status(code) for code in (500, 502, 503, 504)),
        Page(words, cut_after=50),
        Page(words, cut_after=0),
        Page(words, is_chunked=True, cut_after=50),
        Page(words, length=len(words) + 1),
        Page(words, length=5, headers={"Content-Length": "5, 6"}),
        Page(words, is_packed=True, headers={"Content-Length": ""}, cut_after=60),
        Page(gzip.compress(b"words") + b"more", {"Content-Encoding": "gzip"}),
        Page(words, {"Content-Encoding": "gzip"}),
        Page(words, {"Content-Encoding": "br"}),
        Page(words, {"Content-Encoding": "gzip, gzip"}),
        Raw(b""),
        Raw(b"", is_reset=True),
        Raw(b"220 ready\r\n"),
        Raw(b"\0" * 99 + b"\r\n\r\n"),
        Raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"),
        Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab"),
        Raw(b"HTTP/1.1 200 OK\r\nA: b\r\nCont"),
        Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nA"),
        bomb(80 * 2**20),
        replace(bomb(80 * 2**20), is_chunked=True),
        Hang(),
        Hang(b"abc"),
        Redirect("http://10.0.0.1/cr.txt"),
        Redirect("file:///etc/passwd"),
        Redirect("/fault-0.txt"),
        Redirect("/circle.txt"),
        Redirect("http://[::1/"),
    ]
    place.serve({f"/fault-{n}.txt": fault for n, fault in enumerate(faults)})
    place.serve({"/circle.txt": Redirect("/circle.txt"), "/good.txt": SAMPLE[BEFORE]})
    # An address that answers keeps the host from being left alone after four failures.
    paths = [path for n in range(len(faults)) for path in (f"/fault-{n}.txt", f"/good.txt?{n}")]
    place.serve(dict.fromkeys(paths[1::2], SAMPLE[BEFORE]))
    place.offer(place.known(*paths))
    before = place.files()["kb.sqlite"]
    place.sync("--json", "--timeout", "0.3", "--retries", "1")
    assert place.files()["kb.sqlite"] == before
    place.serve(dict.fromkeys(paths[::2], TEXT))
    place.sync("--exit-code")


@scenario
def bodies_in_all_forms(place: Place) -> None:
    """The same bytes arrive, however a body is encoded, also after redirects and a busy answer."""
    place.serve(
        {
            "/packed.txt": Page(TEXT, is_packed=True),
            "/chunks.txt": Page(TEXT, is_chunked=True),
            "/both.txt": Page(TEXT, is_packed=True, is_chunked=True),
            "/plain.txt": Page(TEXT, {"Content-Encoding": "identity"}),
            "/moved.txt": Redirect("/packed.txt", 301),
            "/moved-on.txt": Redirect("moved.txt", 307),
        }
    )
    place.mirror.serve("/busy.txt", Status(503, {"Retry-After": "0"}), good(TEXT))
    paths = ("packed", "chunks", "both", "plain", "moved", "moved-on", "busy")
    place.offer(*(place.known(f"/{path}.txt", name=path) for path in paths))
    place.sync("--json", "--retries", "1")


@scenario
def what_is_no_edition(place: Place) -> None:
    """A document that is no edition to be believed goes to quarantine, with the reason."""
    text = TEXT.decode("utf-8-sig")
    soon = f"{SOON:%B} {SOON.day}, {SOON.year}"
    redated = text.replace("May 30, 2025", soon)
    rules = re.findall(r"(?m)^10\d\.\d+\. .*$", redated[redated.rindex("100. General") :])
    exchanged = redated
    for one, two in zip(rules[:8:2], rules[1:8:2], strict=True):
        (number, _, words), (second, _, more) = one.partition(" "), two.partition(" ")
        exchanged = exchanged.replace(one, f"{number} {more}", 1)
        exchanged = exchanged.replace(two, f"{second} {words}", 1)
    cut = redated
    for line in re.findall(r"(?m)^704\.5[b-d]\.? .*$", redated):
        cut = cut.replace(f"{line}\n", "", 1)
    documents = {
        "web-page": b"<!DOCTYPE html>\n<html><head><title>Not found</title></head></html>",
        "empty": b"\r\n",
        "truncated": TEXT[: len(TEXT) * 3 // 4],
        "other-words": b"Lamps are lit. Boats are rowed.\n" * 500,
        "lost": re.sub(r"[^\x00-\x7f]|'", "\ufffd", text).encode(),
        "binary": bytes(range(256)) * 40,
        "past": edition("June 5, 2020"),
        "future": edition("June 5, 2099"),
        "one-word": text.replace(" may ", " must ", 1).encode(),
        "escape": redated.replace(" may ", " \x1b[2Jmay ", 1).encode(),
        "bidi": redated.replace(" may ", " \u202emay ", 1).encode(),
        "zero-width": redated.replace(" may ", " ma\u200by ", 1).encode(),
        "redated": redated.encode(),
        "rules-cut": cut.replace(" may ", " must ", 9).encode(),
        "exchanged": exchanged.encode(),
        "older": SAMPLE[NAMES[2]].decode().replace("March 1, 2006", soon).encode(),
        "known-day": redated.replace(soon, "July 11, 2009").encode(),
    }
    place.serve({f"/{NEWEST}": TEXT, **{f"/{name}.txt": body for name, body in documents.items()}})
    place.offer(place.known(f"/{NEWEST}"))
    place.sync()
    before = place.files()["kb.sqlite"]
    place.offer(place.known(*(f"/{name}.txt" for name in documents)))
    place.sync()
    assert place.files()["kb.sqlite"] == before
    place.note("A second run tells nothing new, and changes no byte.")
    after = place.files()
    place.sync()
    assert place.files() == after
    place.sync("-v")


@scenario
def another_text_of_a_day(place: Place) -> None:
    """Other words for a known day wait for a second publisher, or for a person."""
    changed = TEXT.replace(b" may ", b" must ", 1)
    sha256 = hashlib.sha256(changed).hexdigest()
    place.serve({f"/{NEWEST}": TEXT, "/changed.txt": changed})
    place.offer(place.known(f"/{NEWEST}"))
    place.sync("--exit-code")
    place.offer(place.known("/changed.txt"))
    place.sync("--exit-code")
    place.cr("kb", "accept", sha256[:12])
    place.cr("kb", "accept")
    place.cr("editions", "--copies")
    place.cr("kb", "accept", "--revoke", sha256[:12], "--json")
    place.cr("kb", "accept", "--revoke", sha256[:12])
    place.cr("kb", "accept", "ffff")
    place.cr("kb", "accept", "ff")
    with Mirror() as second:
        second.serve("/changed.txt", good(changed))
        place._masks[second.host] = "SECOND"  # noqa: SLF001
        place.offer(place.known(second.url("/changed.txt"), name="second"))
        place.sync("--json")
    place.cr("editions")


@scenario
def the_next_edition(place: Place) -> None:
    """The next genuine edition is added, with one source until a second one has it."""
    text = TEXT.decode("utf-8-sig").replace("May 30, 2025", f"{SOON:%B} {SOON.day}, {SOON.year}")
    last = re.findall(r"(?m)^10\d\.\d+\. .*$", text[text.rindex("100. General") :])[-1]
    text = text.replace(last, f"{last} Nobody else may look.")
    place.serve({f"/{NEWEST}": TEXT, "/next.txt": text.encode()})
    place.offer(place.known(f"/{NEWEST}", "/next.txt"))
    place.cr("watch", "101", "--since", BEFORE.removesuffix(".txt"))
    place.sync("--exit-code")
    place.cr("changes")
    place.cr("editions", "latest")
    with Mirror() as second:
        second.serve("/copy.txt", good(text.replace("\r\n", "\n").encode("utf-16")))
        place._masks[second.host] = "SECOND"  # noqa: SLF001
        place.offer(place.known(second.url("/copy.txt"), name="second"))
        place.sync("--json")
    place.cr("editions", "latest")
    place.sync("--exit-code")


@scenario
def every_kind_of_source(place: Place) -> None:
    """Each kind of source provides its edition; a second run only asks, and changes no byte."""
    mirror = place.mirror
    original = "http://a.example/CompRules.txt"
    row = ["20250601000000", original, "A" * 32]
    asked = "url=http%3A%2F%2Fa.example%2FCompRules.txt"
    listed = f"/cdx/search/cdx?{asked}&output=json&filter=statuscode:200&collapse=digest"
    ruins = {"data": [{"creationDay": "2025-05-30", "setCode": "ABC", "setName": "A Set"}]}
    place.serve(
        {
            "/en/rules": (
                b'<!-- <a href="/MagicCompRules 19990101.txt">TXT</a> -->'
                b'<a href="/MagicCompRules 20250530.docx">DOCX</a>'
                b"<a class=x href='/MagicCompRules&#32;20250530.txt'>TXT</a>"
                b'<a href="/MTG_MTR_2025May30_EN.pdf">Tournament Rules</a>'
            ),
            "/MagicCompRules%2020250530.txt": TEXT,
            "/metadata/cr": json.dumps(ruins).encode(),
            "/file/cr/ABC": TEXT.replace(b"\r\n", b"\n"),
            listed: json.dumps([["timestamp", "original", "digest"], row]).encode(),
            f"/web/20250601000000id_/{original}": TEXT.decode("utf-8-sig").encode("utf-16"),
        }
    )
    place.offer(
        source("official", "page", address=mirror.url("/en/rules")),
        source("ruins", "ruins", address=mirror.address),
        source("wayback", "wayback", address=mirror.address, of=[original]),
    )
    place.sync("--json")
    before = place.files()
    place.sync("--json")
    assert place.files() == before
    place.note("Lists that are no lists any more.")
    for path in ("/en/rules", "/metadata/cr", listed):
        place.serve({path: b"<html>Log in</html>"})
    place.sync("--json")
    place.serve(
        {
            "/metadata/cr": b'{"data": [{"creationDay": 7}, {"setCode": "A"}, {}]}',
            listed: b"[[1, 2], 3]",
        }
    )
    place.sync("--json", "--only", "ruins", "--only", "wayback")
    place.sync("--only", "nobody")


@scenario
def sources_that_are_no_sources(place: Place) -> None:
    """A file of sources that cannot be used is refused with its place."""
    cases = [
        "x",
        "[[source]]",
        '[[source]]\nname = "a"\nkind = "b"',
        source("a", "addresses"),
        source("a", "page"),
        source("a", "page", address="ftp://a.example/"),
        source("a", "page", address="http://a.example/", pages=3),
        source("a", "page", address="http://a.example/") * 2,
        source("a", "wayback", address="http://a.example/", of="x"),
        source("a", "addresses") + "\n[[source.document]]\naddresses = []",
        source("a", "addresses")
        + '\n[[source.document]]\naddresses = ["http://a.example"]\neffective = 7',
        source("a", "folder", path="rules"),
        source("a", "git", path="rules"),
    ]
    for text in cases:
        place.note(text.replace("\n", " / "))
        (place.folder / "sources.toml").write_text(f"replace = true\n{text}", "utf-8")
        place.sync("--json")
    place.cr("sync", "--sources", "missing.toml")


@scenario
def hosts_that_ask_for_rest(place: Place) -> None:
    """robots.txt is obeyed, a dead host is left alone, and a gone address is spared."""
    place.serve({"/robots.txt": b"User-agent: *\nDisallow: /2025", f"/{NEWEST}": TEXT})
    place.offer(place.known(f"/{NEWEST}"))
    place.sync("--json")
    for fault in (Status(503), Status(404), Status(403), Page(b"x" * 600_000), Raw(b"")):
        place.note(f"robots.txt: {type(fault).__name__} {getattr(fault, 'code', '')}")
        place.serve({"/robots.txt": fault})
        place.sync("--json")
    with Mirror() as second:
        place._masks[second.host] = "SECOND"  # noqa: SLF001
        names = [second.url(f"/{n}.txt") for n in range(7)]
        for n in range(7):
            second.serve(f"/{n}.txt", Status(503))
        place.offer(place.known(*names, name="dead"))
        place.sync("--json")
    place.serve({"/robots.txt": Status(404)})
    place.offer(place.known("/gone.txt", more="effective = 2022-02-11"))
    place.sync("--json")
    place.sync("--json")


@scenario
def addresses_in_turn(place: Place) -> None:
    """If an address fails or has another edition, the next is asked, and remembered."""
    place.serve({f"/{NEWEST}": TEXT, f"/{BEFORE}": SAMPLE[BEFORE], "/half.txt": TEXT[:9999]})
    place.offer(
        place.known(
            ["/gone.txt", f"/{BEFORE}", "/half.txt", f"/{NEWEST}"], more="effective = 2025-05-30"
        )
    )
    place.sync("--json")
    place.sync("--json")
    place.note("The same bytes from two sources are an agreement.")
    place.serve({"/copy.txt": TEXT})
    place.offer(place.known(f"/{NEWEST}"), place.known("/copy.txt", name="second"))
    place.sync("--json")
    place.cr("archive", "list", "--json")


@scenario
def state_that_is_lost(place: Place) -> None:
    """A lost or damaged state, document, list or base is mended by the next run."""
    place.serve({f"/{name}": SAMPLE[name] for name in NAMES[-3:]})
    place.offer(place.known(*(f"/{name}" for name in NAMES[-3:])))
    place.sync("--exit-code")
    documents = [path for path in (place.kb / "documents").rglob("*") if path.is_file()]
    rotten = next(path for path in sorted(documents) if path.suffix != ".json")
    whole = rotten.read_bytes()
    rotten.write_bytes(whole.replace(b"e", b"f", 1))
    place.cr("archive", "verify")
    place.sync("--json")
    assert rotten.read_bytes() == whole
    (place.kb / "crawl" / "seen.sqlite").write_bytes(b"SQLite format 3\0" + bytes(999))
    place.sync("--json")
    (place.kb / "kb.sqlite").write_bytes(b"nothing")
    place.sync("--json")
    place.cr("editions")
    place.cr("doctor")


@scenario
def hooks(place: Place) -> None:
    """A hook runs for a new edition alone, without a shell; its failure is told."""
    place.serve({f"/{NEWEST}": TEXT})
    place.offer(place.known(f"/{NEWEST}"))
    log = place.folder / "log"
    (place.folder / "hook.py").write_text(
        "import os, sys\n"
        f"open({str(log)!r}, 'a').write(f\"{{sys.argv[1:]}} {{os.environ['VARIORUM_NEW']}}\\n\")\n"
        "raise SystemExit(int(sys.argv[2]))\n",
        "utf-8",
    )
    command = f'"{sys.executable}" "{place.folder / "hook.py"}" "a b; echo c"'
    for words in ("'a", " ", "/nowhere/hook"):
        place.sync("--hook", words)
    shutil.rmtree(place.kb)
    place.sync("--json", "--hook", f"{command} 3")
    place.sync("--json", "--hook", f"{command} 0")
    place.note(log.read_text("utf-8").strip())


@scenario
def folders_that_cannot_be_written(place: Place) -> None:
    """A folder that cannot be written gives one line."""
    place.offer(place.known(f"/{NEWEST}"))
    (place.kb / "crawl").write_bytes(b"x")
    place.sync("--json")
    (place.kb / "crawl").unlink()
    place.sync("--dry-run")
    place.sync("--offline")
    place.cr("archive", "export", "nowhere/a.zip")
    place.cr("archive", "export", "a.zip")


@scenario
def pages_that_always_change(place: Place) -> None:
    """New links on a page that differs each time are found; servers without validators are asked."""
    pages: Iterable[str] = [
        f'<i>{n}</i><a href="{name}">Comprehensive Rules</a>'
        for n, name in enumerate((BEFORE, BEFORE, NEWEST))
    ]
    place.mirror.serve("/rules", *(Page(html.encode(), {"Date": ""}) for html in pages))
    place.serve({f"/{BEFORE}": Page(SAMPLE[BEFORE]), f"/{NEWEST}": Page(TEXT, {"Date": ""})})
    place.offer(source("official", "page", address=place.mirror.url("/rules")))
    for _ in range(3):
        place.sync("--json")


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_sync(
    name: str,
    tmp_path: Path,
    mirror: Mirror,
    make_once: MakeOnce,
    golden: Callable[[str, object], None],
) -> None:
    """Each run of a scenario says, asks and ends as recorded."""
    place = Place(tmp_path, mirror)
    shutil.copytree(make_once("held", _held), place.kb)

    SCENARIOS[name](place)

    golden(f"sync/{name}.txt", "\n".join(place.record))
