"""`cr sync` against a server on loopback: a scenario, and all that the command says in it.

A golden file of `sync/` records each run of a scenario: options, exit code, output, and what was asked.
"""

import gzip
import hashlib
import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
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
from tests.test_transcripts import laid_out

SAMPLE = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.txt"))}
NAMES = list(SAMPLE)
BEFORE, NEWEST = NAMES[-2:]
TEXT = SAMPLE[NEWEST]
SOON, LATER = (datetime.now(UTC).date() + timedelta(days=days) for days in (30, 50))
QUICK = ("--pause", "0", "--timeout", "5", "--retries", "0", "--jobs", "1")


def good(body: bytes) -> Page:
    """Return a document as a good server serves it."""
    return Page(body, etag=f'"{hashlib.sha256(body).hexdigest()[:16]}"', last_modified=LONG_AGO)


class Place:
    """A base, its file of sources, and a record of all that was run."""

    def __init__(self, folder: Path, mirror: Mirror) -> None:
        self.folder, self.mirror = folder, mirror
        self.kb, self.record, self.proxy = folder / "kb", list[str](), ""
        self._masks = {
            mirror.host: "MIRROR",
            str(folder): "HERE",
            str(FOLDER): "SAMPLE",
            str(sys.executable): "PYTHON",
        }

    def offer(self, *sources: str) -> None:
        """Write the table of sources."""
        (self.folder / "sources.tsv").write_text("\n".join(sources), "utf-8")

    def known(self, *paths: str, name: str = "mirror", day: str = "") -> str:
        """Return a source of known addresses."""
        urls = [path if "://" in path else self.mirror.url(path) for path in paths]
        return "\n".join(row(name, "document", url, day) for url in urls)

    def serve(self, pages: Mapping[str, bytes | Behaviour]) -> None:
        """Serve documents with their validators, and whatever else behaves in another way."""
        for path, body in pages.items():
            self.mirror.serve(path, good(body) if isinstance(body, bytes) else body)

    def sync(self, *options: str) -> str:
        """Run `cr sync`, as JSON unless options say otherwise; record and return its output."""
        options = options or ("--json",)
        table = ["--sources", str(self.folder / "sources.tsv")]
        return self.cr("sync", *table, *QUICK, *options, shown=" ".join(["sync", *options]))

    def cr(self, *arguments: str, shown: str = "") -> str:
        """Run a command on the base; record and return its output."""
        self.mirror.requests.clear()
        slept: list[float] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "sleep", slept.append)
            for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
                patch.delenv(name, raising=False)
                patch.delenv(name.lower(), raising=False)
            if self.proxy:
                patch.setenv("http_proxy", self.proxy)
            result = run([*arguments, "--kb", str(self.kb)], folder=self.folder)
        lines = [f"$ cr {self.masked(shown or ' '.join(arguments))}"]
        lines += [f"  {line}" for line in laid_out(self.masked(result.out)).splitlines()]
        lines += [f"! {line}" for line in self.masked(result.err).splitlines()]
        for request in self.mirror.requests:
            conditions = [name for name in request.headers if name.startswith("if-")]
            lines.append(f"> {' '.join([self.masked(request.path), *sorted(conditions)])}")
        if waits := [f"{seconds:.0f} s" for seconds in slept if seconds > 0.5]:
            lines.append(f"~ {', '.join(waits)}")
        self.record += [*lines, f"= {result.code}", ""]
        return result.out

    def masked(self, text: str) -> str:
        """Return a text without what differs from run to run."""
        for wanted, name in self._masks.items():
            text = text.replace(wanted, name)
        text = text.replace(SOON.isoformat(), "SOON").replace(LATER.isoformat(), "LATER")
        text = re.sub(r"lies [\d,]+ days ahead", "lies N days ahead", text)
        text = re.sub(r"\b[\d.,]+ (s\b|GB|bytes|days ago)", r"N \1", text)
        text = re.sub(r"Python: [\d.]+", "Python: VERSION", text)
        text = re.sub(r"\b(?:[0-9a-f]{64}|[0-9a-f]{12})\b(?:  \d{4}-\d\d-\d\d\b)?", "SHA256", text)
        return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "TIME", text)

    def table(self, answers: Mapping[str, bytes | Behaviour], *options: str) -> None:
        """Sync from a source for each answer; record its line, its state in the table, its failure."""
        self.serve({f"/{name}.txt": answer for name, answer in answers.items()})
        # An address that answers keeps the host from being left alone after four failures.
        self.serve({f"/good.txt?{name}": SAMPLE[BEFORE] for name in answers})
        self.offer(
            *(self.known(f"/{name}.txt", f"/good.txt?{name}", name=name) for name in answers)
        )
        before, start = self.files()["kb.sqlite"], len(self.record)
        report = json.loads(self.sync(*(options or ["--json"])))
        lines = [line for line in "\n".join(self.record[start:]).splitlines() if line[:2] == "! "]
        code = self.record[-2]
        self.record[start:] = self.record[start : start + 1]
        assert self.files()["kb.sqlite"] == before
        seen = json.loads((self.kb / "crawl" / "seen.json").read_bytes())
        states = {row["address"]: row["state"] for row in seen}
        quarantined = {entry["address"] for entry in report["quarantined"]}
        for name in answers:
            url = self.mirror.url(f"/{name}.txt")
            fails = int(url in quarantined or name in report["failed_sources"])
            self.record.append(f"{name} ({states.get(url, 'not seen')}, {fails})")
            told = re.compile(rf"! cr: ({name}[ :]|quarantined \w+ of \S+/{name}\.txt: )")
            self.record += [
                f"  {line[6:].replace(self.masked(url), '…')}" for line in lines if told.match(line)
            ]
        self.record += [code, ""]

    def note(self, text: str) -> None:
        """Record a line of our own."""
        self.record.append(f"# {self.masked(text)}")

    def files(self) -> dict[str, bytes]:
        """Return all files of the base."""
        paths = (path for path in sorted(self.kb.rglob("*")) if path.is_file())
        return {path.relative_to(self.kb).as_posix(): path.read_bytes() for path in paths}


def row(name: str, kind: str, address: str, day: str = "") -> str:
    """Return a row of a table of sources."""
    return f"{name}\t{kind}\t{day}\t{address}"


def _held(folder: Path) -> None:
    """Build a base of the edition before the newest."""
    built = run(["build", str(FOLDER / BEFORE), "--kb", str(folder)])
    assert built.code == 0


SCENARIOS: dict[str, Callable[[Place], None]] = {}


def scenario(function: Callable[[Place], None]) -> Callable[[Place], None]:
    """Add a scenario to the table, under its name."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


def next_one(day: date, changed: int) -> bytes:
    """Return an edition after the newest one, with so many rules reworded."""
    text = TEXT.decode("utf-8-sig").replace("May 30, 2025", f"{day:%B} {day.day}, {day.year}")
    rules = re.findall(r"(?m)^10\d\.\d+\. .*$", text[text.rindex("100. General") :])
    for last in rules[-changed:]:
        text = text.replace(last, f"{last} Nobody else may look.")
    return text.encode()


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
    place.cr("archive")


@scenario
def faults_of_servers(place: Place) -> None:
    """Whatever a server does, the base stays, the reason is told, and the next run succeeds."""
    codes = (401, 403, 404, 410, 204, 206, 304, 302, 799, 408, 425, 429, 500, 502, 503, 504)
    faults: dict[str, Behaviour] = {
        **{f"status-{code}": Status(code, {"Retry-After": "9" * 5000}) for code in codes},
        "body-cut": Page(TEXT, cut_after=50),
        "body-missing": Page(TEXT, cut_after=0),
        "chunks-cut": Page(TEXT, is_chunked=True, cut_after=50),
        "length-too-long": Page(TEXT, length=len(TEXT) + 1),
        "gzip-cut": Page(TEXT, is_packed=True, headers={"Content-Length": ""}, cut_after=60),
        "gzip-and-more": Page(gzip.compress(b"words") + b"more", {"Content-Encoding": "gzip"}),
        "gzip-is-none": Page(TEXT, {"Content-Encoding": "gzip"}),
        "brotli": Page(TEXT, {"Content-Encoding": "br"}),
        "no-answer": Raw(b""),
        "reset": Raw(b"", is_reset=True),
        "other-protocol": Raw(b"220 ready\r\n"),
        "many-headers": Raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"),
        "bad-chunk": Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nab"),
        "headers-cut": Raw(b"HTTP/1.1 200 OK\r\nA: b\r\nCont"),
        "oversized": Page(b"x" * (17 * 2**20)),
        "bomb": bomb(80 * 2**20),
        "bomb-in-chunks": replace(bomb(80 * 2**20), is_chunked=True),
        "silent": Hang(),
        "silent-later": Hang(b"abc"),
        "slow-body": Page(TEXT, drip=0.05),
        "slow-headers": Raw(b"HTTP/1.1 200 OK\r\nA: b", drip=0.05),
        "to-private": Redirect("http://10.0.0.1/cr.txt"),
        "to-metadata": Redirect("http://169.254.169.254/latest"),
        "to-file": Redirect("file:///etc/passwd"),
        "to-password": Redirect("http://me:secret@a.example/"),
        "to-missing": Redirect("/status-404.txt"),
        "to-itself": Redirect("/to-itself.txt"),
        "to-no-address": Redirect("http://[::1/"),
        "to-many": Redirect("/way-0.txt"),
    }
    place.serve({f"/way-{n}.txt": Redirect(f"/way-{n + 1}.txt") for n in range(12)})
    place.table(faults, "--json", "--timeout", "0.3")
    place.serve({f"/{name}.txt": TEXT for name in faults})
    place.sync("--exit-code")
    place.record = [line for line in place.record if line[:2] != "> "]


@scenario
def servers_that_are_busy(place: Place) -> None:
    """A passing fault is tried as often as asked, after the time that the server asks for."""
    busy = {
        "twice": [Status(503), Status(500), good(TEXT)],
        "thrice": [Status(502), Status(503), Status(504), good(TEXT)],
        "seven-seconds": [Status(429, {"Retry-After": "7"}), good(TEXT)],
        "too-long": [Status(429, {"Retry-After": "9999"}), good(TEXT)],
        "broken-off": [Page(TEXT, cut_after=50), good(TEXT)],
    }
    for name, behaviours in busy.items():
        place.mirror.serve(f"/{name}.txt", *behaviours)
        place.offer(place.known(f"/{name}.txt", name=name))
        place.sync("--json", "--retries", "1" if name == "thrice" else "2")


@scenario
def bodies_in_all_forms(place: Place) -> None:
    """The same bytes arrive, however a body is encoded, also after redirects."""
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
    paths = ("packed", "chunks", "both", "plain", "moved", "moved-on")
    place.offer(*(place.known(f"/{path}.txt", name=path) for path in paths))
    place.sync("--json")


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
        "past": text.replace("May 30, 2025", "June 5, 2020").encode(),
        "future": text.replace("May 30, 2025", "June 5, 2099").encode(),
        "one-word": text.replace(" may ", " must ", 1).encode(),
        "escape": redated.replace(" may ", " \x1b[2Jmay ", 1).encode(),
        "bidi": redated.replace(" may ", " \u202emay ", 1).encode(),
        "redated": redated.encode(),
        "rules-cut": cut.replace(" may ", " must ", 9).encode(),
        "exchanged": exchanged.encode(),
        "known-day": redated.replace(soon, "July 11, 2009").encode(),
    }
    place.serve({f"/{NEWEST}": TEXT})
    place.offer(place.known(f"/{NEWEST}"))
    place.sync()
    place.table(documents)
    place.note("A second run tells nothing new, and changes no byte.")
    after = place.files()
    place.sync("--exit-code")
    assert place.files() == after
    place.record = [line for line in place.record if line[:2] != "> "]


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
    text = next_one(SOON, 1).decode()
    place.serve({f"/{NEWEST}": TEXT, "/next.txt": text.encode()})
    place.offer(place.known(f"/{NEWEST}", "/next.txt"))
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


def _captures(address: str) -> str:
    fields = "fl=timestamp,original,mimetype,digest&filter=statuscode:200&collapse=digest"
    return f"/cdx/search/cdx?url={address}&{fields}"


@scenario
def every_kind_of_source(place: Place) -> None:
    """Each kind of source provides its edition; a second run only asks, and changes no byte."""
    mirror = place.mirror
    original = "http://a.example/CompRules.txt"
    listed = _captures("http%3A%2F%2Fa.example%2FCompRules.txt")
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
            listed: f"20250601000000 {original} text/plain {'A' * 32}\n".encode(),
            f"/web/20250601000000id_/{original}": TEXT.decode("utf-8-sig").encode("utf-16"),
        }
    )
    place.offer(
        row("official", "page", mirror.url("/en/rules")),
        row("ruins", "ruins", mirror.url("")),
        row("wayback", "captures", mirror.url(f"/web/*/{original}")),
    )
    place.sync("--json")
    before = place.files()
    place.sync("--json")
    assert place.files() == before
    place.note("Lists that are no lists any more.")
    place.serve({"/en/rules": b"<html>Log in</html>", listed: b"<html>Log in</html>"})
    place.serve({"/metadata/cr": b'{"data": [{"creationDay": 7}, {"setCode": "A"}, {}]}'})
    place.sync("--json")
    place.sync("--only", "wayback")
    place.sync("--only", "nobody")


@scenario
def sources_that_are_no_sources(place: Place) -> None:
    """A file of sources that cannot be used is refused with its place."""
    cases = [
        "",
        "x",
        "a b\tdocument\t\thttp://a.example/",
        row("a", "folder", "rules"),
        row("a", "page", ""),
        row("a", "document", "http://a.example/", "yesterday"),
        row("a", "document", "http://me:secret@a.example/"),
    ]
    for text in cases:
        place.note(text)
        place.offer("source\tkind\tday\taddress", "# a remark", text)
        place.sync("--json")
    (place.folder / "sources.tsv").write_bytes(b"\xff")
    place.sync("--json")
    place.cr("sync", "--sources", "missing.tsv")


@scenario
def hosts_that_ask_for_rest(place: Place) -> None:
    """robots.txt is obeyed, and a dead host is left alone."""
    place.serve({f"/{NEWEST}": TEXT})
    place.offer(place.known(f"/{NEWEST}"))
    for fault in (Page(b"User-agent: *\nDisallow: /2025"), *map(Status, (503, 404, 403)), Raw(b"")):
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


@scenario
def captures_in_turn(place: Place) -> None:
    """Of captures of the same bytes, one is fetched, and remembered."""
    rows = [
        (f"2025060100000{n}", f"http://a.example/{name}/CompRules.txt")
        for n, name in enumerate(("gone", "web", "good", "late"))
    ]
    listed = _captures("http%3A%2F%2Fa.example%2F%2A")
    urls = [f"/web/{time}id_/{original}" for time, original in rows]
    lines = [f"{time} {original} text/plain {'A' * 32}\n" for time, original in rows]
    place.serve(
        {
            listed: "".join(lines).encode(),
            urls[1]: b"<html><title>A calendar</title></html>",
            urls[2]: TEXT,
            urls[3]: TEXT,
        }
    )
    place.offer(
        row("wayback", "captures", place.mirror.url("/web/*/http://a.example/*")),
    )
    place.sync("--json")
    place.sync("--json")
    place.note("The same bytes from two sources.")
    place.serve({f"/{NEWEST}": TEXT, "/copy.txt": TEXT})
    place.offer(place.known(f"/{NEWEST}"), place.known("/copy.txt", name="second"))
    place.sync("--json")
    place.cr("archive", "--json")


@scenario
def through_a_proxy(place: Place) -> None:
    """The proxy of the environment is asked for whole addresses, but not for private ones."""
    moved = Redirect("http://2130706433/")
    place.serve({"http://a.example/rules.txt": TEXT, "http://a.example/moved.txt": moved})
    place.offer(place.known("http://a.example/rules.txt", "http://a.example/moved.txt"))
    for proxy in (place.mirror.url("").replace("//", "//me:secret@"), "socks5://a.example"):
        place.proxy = proxy
        place.sync("--json")


@scenario
def without_a_network(place: Place) -> None:
    """A run that reaches no host says so in one line."""
    place.offer(*(place.known(f"http://{name}.invalid/rules.txt", name=name) for name in "abc"))
    place.sync("--exit-code")


@scenario
def runs_that_were_killed(place: Place) -> None:
    """The next run goes on where one was killed, and tells what that one built."""
    place.serve(
        {f"/{NEWEST}": TEXT, "/soon.txt": next_one(SOON, 1), "/later.txt": next_one(LATER, 2)}
    )
    place.offer(place.known("/later.txt", f"/{NEWEST}", "/soon.txt"))
    for killed in ("variorum.store.writer.new_file", "variorum_crawler.sync.Sync.finish"):
        place.note(killed.rpartition(".")[2])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(killed, _be_killed)
            place.sync("--exit-code")
        place.cr("editions")
    place.cr("doctor")
    place.sync("--exit-code")


def _be_killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


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
    place.cr("doctor")
    place.sync("--json")
    assert rotten.read_bytes() == whole
    (place.kb / "crawl" / "seen.json").write_bytes(b'[{"address": "')
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
    for words in ("'a", "/nowhere/hook"):
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


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_sync(
    name: str,
    tmp_path: Path,
    make_once: MakeOnce,
    golden: Callable[[str, str], None],
) -> None:
    """Each run of a scenario says, asks and ends as recorded."""
    with Mirror() as mirror:
        place = Place(tmp_path, mirror)
        shutil.copytree(make_once("held", _held), place.kb)
        SCENARIOS[name](place)

    golden(f"sync/{name}.txt", "\n".join(place.record))
