"""The days of lines in many files: one walk gives each file the days of `git blame`."""

import json
import random
from pathlib import Path

import pytest

from tests.kb.audit.audited import GIT, Cr, audit_in, git, write
from variorum_kb.audit.dating.git_blame import line_dates
from variorum_kb.audit.dating.git_log import HistoryReader
from variorum_kb.system.git import Git, repository_at

pytestmark = pytest.mark.skipif(not GIT, reason="git is not installed")
EDITIONS = ("1999-05-14", "2003-02-10", "2006-03-01", "2008-06-20")


@pytest.fixture
def cr(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command on the sample rulebook, in an empty repository."""
    monkeypatch.setenv("VARIORUM_CACHE", str(tmp_path / ".git" / "cache"))
    audit = audit_in(tmp_path, sample_base, monkeypatch)
    git("init", "-q", "-b", "main")
    return audit


def commit(day: str, *arguments: str) -> None:
    """Commit all files as of a day."""
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", day, "--date", f"{day}T12:00:00+0000", *arguments)


@pytest.mark.usefixtures("cr")
def test_walk_says_what_blame_says() -> None:
    """Lines added, changed, moved and merged have the days that git blame gives them."""
    rng = random.Random(20261122)
    names = [f"f{place}.txt" for place in range(6)]
    for step in range(24):
        for name in rng.sample(names, 3):
            path = Path(name)
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            for _ in range(4):
                place = rng.randrange(len(lines) + 1)
                lines[place : place + rng.randrange(3)] = [
                    f"{step} {rng.random()}"
                ] * rng.randrange(3)
            path.write_text("\n".join([*lines, f"end of {name}", ""]), "utf-8")
        commit(f"{2001 + step // 3}-0{step % 3 * 2 + 1}-02")
    git("checkout", "-q", "-b", "topic", "HEAD~2")
    write({"f0.txt": f"topic\n{Path('f0.txt').read_text('utf-8')}"})
    commit("2003-01-01")
    git("checkout", "-q", "main")
    git("merge", "-q", "-X", "ours", "--no-edit", "topic")
    write({"f1.txt": Path("f1.txt").read_text("utf-8") + "new\n"})
    root = Path.cwd()
    repository = repository_at(root)
    assert repository is not None
    reader = HistoryReader(Git(), EDITIONS, root / ".git" / "cache", lambda _read, _of: None)

    history = reader.read(repository, names)

    for name in names:
        data = Path(name).read_bytes()
        days = history.days(Git(), repository, name, data)
        expected = line_dates(Git(), root / name, data)
        assert days is not None
        assert days[: data.count(b"\n")] == expected
    assert reader.read(repository, names) == history
    assert history.days(Git(), repository, "other.txt", b"") is None


def test_many_files(cr: Cr, tmp_path: Path) -> None:
    """One walk dates many files and is cached between runs; uncommitted lines have today's date."""
    write({f"{place}.txt": f"CR 300.1\n{place}\n" for place in range(40)})
    commit("2003-05-01")
    write({"7.txt": "CR 300.1\n7\nCR 300.1\n"})

    findings = json.loads(cr("--blame", "--json", "--all").stdout)["findings"]

    assert len(findings) == 41
    assert [finding["as_of"] for finding in findings if finding["file"] == "7.txt"] == [
        "2003-02-10",
        "2025-05-30",
    ]
    assert {finding["as_of"] for finding in findings if finding["file"] != "7.txt"} == {
        "2003-02-10"
    }
    assert len(list((tmp_path / ".git" / "cache").glob("lines-*.json"))) == 1


def test_follows(cr: Cr) -> None:
    """An edition that a project says it followed is preferred to the one in force."""
    write(
        {
            "a.txt": "CR 300.1\n",
            "variorum.toml": '[audit]\nfollows = [["2010-05-01", "2010-01-22"]]\n',
        }
    )
    commit("2010-03-01")
    early = json.loads(cr("--blame", "--json", "--all").stdout)["findings"]
    write({"variorum.toml": '[audit]\nfollows = [["2000-01-01", "2008-06-20"]]\n'})

    late = json.loads(cr("--blame", "--json", "--all").stdout)["findings"]

    assert [item["as_of"] for item in (*early, *late)] == ["2010-01-22", "2008-06-20"]


def test_learnt(cr: Cr) -> None:
    """A number that only the last three editions had dates citations near it to the last of them."""
    write({"a.txt": "CR 217.2a\n"})
    commit("2003-05-01")
    write({"b.txt": "CR 300.1\nCR 101.4\n", "c.txt": "CR 300.1\n"})
    commit("2010-03-01")
    write({"d.txt": "CR 300.1\nCR 101.4\n"})
    commit("2018-01-01")
    write({"e.txt": "CR 300.1\nCR 101.4\n"})
    commit("2022-03-01")

    findings = json.loads(cr("--blame", "--json", "--all").stdout)["findings"]

    assert [(finding["file"], finding["as_of"]) for finding in findings] == [
        ("a.txt", "1999-05-14"),
        *[("b.txt", "2008-06-20")] * 2,
        ("c.txt", "2010-01-22"),
        *[("d.txt", "2008-06-20")] * 2,
        *[("e.txt", "2022-02-11")] * 2,
    ]


@pytest.mark.parametrize(
    "value", ["1", "['x']", "[['2010']]", "[['2011-01-01','a'],['2010-01-01','b']]"]
)
def test_error_follows(cr: Cr, value: str) -> None:
    """The error asks for pairs of a day and an edition, in order."""
    write({"variorum.toml": f"[audit]\nfollows = {value}\n"})

    assert "follows must be a list of pairs" in cr().stderr
