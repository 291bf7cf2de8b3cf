"""The days of lines, in real repositories."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from variorum_kb.audit.dating.git_blame import line_dates
from variorum_kb.errors import NotReadableError
from variorum_kb.system.git import Git

GIT = shutil.which("git") or ""
pytestmark = pytest.mark.skipif(not GIT, reason="git is not installed")

NOON = "2008-06-20T12:00:00+0000"
LATER = "2015-04-17T12:00:00+0000"


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's git settings, and this repository, out of the tests."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return the folder of an empty repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "config", "core.autocrlf", "false")
    return folder


def git(folder: Path, *arguments: str | Path, day: str = NOON) -> str:
    """Run git on a day; return what it prints."""
    who = {
        "GIT_AUTHOR_NAME": "Nobody",
        "GIT_AUTHOR_EMAIL": "nobody@example.org",
        "GIT_AUTHOR_DATE": day,
        "GIT_COMMITTER_NAME": "Nobody",
        "GIT_COMMITTER_EMAIL": "nobody@example.org",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+0000",
    }
    done = subprocess.run(
        [GIT, "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        env=os.environ | who,
    )
    return done.stdout.decode()


def commit(folder: Path, name: str, data: bytes, day: str = NOON) -> Path:
    """Write a file and commit it on a day."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    git(folder, "add", "-A", "--", name)
    git(folder, "commit", "-q", "-m", "parent 1\n\nauthor-time 5\n\tfilename x", day=day)
    return file


def dates(file: Path) -> list[str] | None:
    """Return the days of a file's lines."""
    return line_dates(Git(), file, file.read_bytes() if file.exists() else b"")


def test_lines_of_two_days(repository: Path) -> None:
    """Each line has the day on which it was written, not that of the last commit."""
    commit(repository, "a.txt", b"one\ntwo\n")
    file = commit(repository, "a.txt", b"one\nmore\ntwo\n", LATER)

    assert dates(file) == ["2008-06-20", "2015-04-17", "2008-06-20"]


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("2008-06-20T00:30:00+0200", "2008-06-20"),
        ("2008-06-20T23:30:00-0800", "2008-06-20"),
        ("2008-06-20T23:59:59+0545", "2008-06-20"),
        ("2008-06-20T00:00:00-0930", "2008-06-20"),
        ("@1213920000 +1400", "2008-06-20"),
        ("@86400 +0000", "1970-01-02"),
        ("@4102444800 +0000", "2100-01-01"),
    ],
)
def test_days_are_those_of_the_author(repository: Path, when: str, day: str) -> None:
    """The day is in the author's calendar and time zone."""
    assert dates(commit(repository, "a.txt", b"one\n", when)) == [day]


def test_not_committed(repository: Path) -> None:
    """An uncommitted line has no day."""
    file = commit(repository, "a.txt", b"one\ntwo\n")

    file.write_bytes(b"one\n2\nthree\n")

    assert dates(file) == ["2008-06-20", "", ""]


def test_only_added(repository: Path) -> None:
    """A file that is staged but not committed has lines without days."""
    commit(repository, "a.txt", b"one\n")
    (repository / "b.txt").write_bytes(b"one\ntwo\n")
    git(repository, "add", "b.txt")

    assert dates(repository / "b.txt") == ["", ""]


@pytest.mark.parametrize("later", [b"    one\n\ttwo\n", b"one\r\ntwo\r\n"])
def test_blanks_do_not_count(repository: Path, later: bytes) -> None:
    """A line that was only indented, or got another line end, keeps its day."""
    commit(repository, "a.txt", b"one\ntwo\n")
    file = commit(repository, "a.txt", later, LATER)

    assert dates(file) == ["2008-06-20", "2008-06-20"]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"one\r\ntwo\r\n", 2),
        (b"one\rtwo\r", 1),
        (b"one\x0ctwo\x85\xe2\x80\xa8three\n", 1),
        (b"one\ntwo", 2),
        (b"\n\n\n", 3),
        (b"\tone\n\tauthor-time 7\nauthor-time 7\nauthor-tz +0000\n", 4),
        (b"0000000000000000000000000000000000000000 1 1 1\n", 1),
        (b"\xff\xfeC\0R\0\n\0C\0R\0", 2),
        (b"", 0),
    ],
)
def test_lines_are_those_of_git(repository: Path, data: bytes, count: int) -> None:
    """Lines end only with line feeds."""
    assert dates(commit(repository, "a.txt", data)) == ["2008-06-20"] * count


def test_checked_out_with_other_line_ends(repository: Path) -> None:
    """A file whose line ends git converted at checkout is not new."""
    commit(repository, "a.txt", b"one\ntwo\n")
    git(repository, "config", "core.autocrlf", "true")
    (repository / "a.txt").write_bytes(b"one\r\ntwo\r\n")

    assert dates(repository / "a.txt") == ["2008-06-20", "2008-06-20"]


@pytest.mark.parametrize(
    "name",
    [
        "a b.txt",
        "-a.txt",
        "é.txt",
        "in/far/a.txt",
        ":a.txt",
        ":(top)a",
        "[a].txt",
        "*.txt",
        "a\nb",
        "HEAD",
    ],
)
def test_names(repository: Path, name: str) -> None:
    """A file with any name gets days."""
    commit(repository, "other.txt", b"", LATER)
    file = repository / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"one\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "add")

    assert dates(file) == ["2008-06-20"]


def test_renamed(repository: Path) -> None:
    """A renamed file keeps its days."""
    commit(repository, "a.txt", b"one\ntwo\nthree\nfour\n")
    git(repository, "mv", "a.txt", "b.txt")
    git(repository, "commit", "-qm", "rename", day=LATER)

    assert dates(repository / "b.txt") == ["2008-06-20"] * 4


def test_relative_path(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path may be relative to the current folder."""
    commit(repository, "in/a.txt", b"one\n")

    for folder, path in ((repository, "in/a.txt"), (repository / "in", "a.txt")):
        monkeypatch.chdir(folder)
        assert dates(Path(path)) == ["2008-06-20"]


def test_link_from_elsewhere(repository: Path, tmp_path: Path) -> None:
    """A link that the user names has the days of its target."""
    file = commit(repository, "a.txt", b"one\n")
    (tmp_path / "link.txt").symlink_to(file)

    assert dates(tmp_path / "link.txt") == ["2008-06-20"]


def test_within_a_hook(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that git sets for its hooks do not change the answer."""
    file = commit(repository, "in/a.txt", b"one\n")
    monkeypatch.chdir(repository)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")

    assert dates(file) == ["2008-06-20"]


def test_settings_of_the_user(repository: Path) -> None:
    """The user's settings for blame have no effect."""
    file = commit(repository, "a.txt", b"one\n")
    for name, value in (
        ("blame.showEmail", "true"),
        ("blame.blankBoundary", "true"),
        ("blame.markUnblamableLines", "true"),
        ("blame.date", "relative"),
        ("log.showSignature", "true"),
        ("color.ui", "always"),
    ):
        git(repository, "config", name, value)

    assert dates(file) == ["2008-06-20"]


def test_settings_of_the_repository(repository: Path) -> None:
    """The repository's own settings have no effect either."""
    file = commit(repository, "a.txt", b"one\n")
    commit(repository, "a.txt", b"two\n", LATER)
    head = git(repository, "rev-parse", "HEAD")
    (repository / "ignored").write_text(head)
    git(repository, "config", "blame.ignoreRevsFile", "ignored")

    assert dates(file) == ["2015-04-17"]


def test_kept_in_another_encoding(repository: Path) -> None:
    """A file in UTF-8 for git, and UTF-16 in the working tree, keeps its days."""
    commit(repository, ".gitattributes", b"*.txt working-tree-encoding=UTF-16LE-BOM\n")
    file = commit(repository, "a.txt", "\ufeffone\ntwo\n".encode("utf-16-le"))
    assert git(repository, "show", "HEAD:a.txt") == "one\ntwo\n"

    file.write_bytes("\ufeffone\n2\n".encode("utf-16-le"))

    assert dates(file) == ["2008-06-20", ""]


def test_in_a_merge(repository: Path) -> None:
    """During a merge, lines of the other branch have their own days."""
    commit(repository, "a.txt", b"one\n")
    git(repository, "checkout", "-qb", "other")
    commit(repository, "a.txt", b"one\ntwo\n", LATER)
    git(repository, "checkout", "-q", "-")
    commit(repository, "b.txt", b"x\n")
    git(repository, "merge", "-q", "--no-commit", "other")

    assert dates(repository / "a.txt") == ["2008-06-20", "2015-04-17"]


def test_index_in_parts(repository: Path) -> None:
    """A staged file is also found in a split index."""
    commit(repository, "a.txt", b"one\n")
    git(repository, "update-index", "--split-index")
    (repository / "b.txt").write_bytes(b"one\n")
    git(repository, "add", "b.txt")

    assert dates(repository / "b.txt") == [""]


@pytest.mark.parametrize("packed", [False, True])
def test_names_of_branches(repository: Path, packed: bool) -> None:
    """HEAD may name a branch that is an alias of another, in loose or packed references."""
    file = commit(repository, "a.txt", b"one\n")
    git(repository, "branch", "-m", "far/in/main")
    git(repository, "symbolic-ref", "refs/heads/other", "refs/heads/far/in/main")
    git(repository, "symbolic-ref", "HEAD", "refs/heads/other")
    if packed:
        git(repository, "pack-refs", "--all")

    assert dates(file) == ["2008-06-20"]


def test_sha256(tmp_path: Path) -> None:
    """A repository with SHA-256 hashes is also read."""
    git(tmp_path, "init", "-q", "--object-format=sha256", "long")

    assert dates(commit(tmp_path / "long", "a.txt", b"one\n")) == ["2008-06-20"]


def test_error_reftable(repository: Path) -> None:
    """References in git's own table format are not read, and the error says so."""
    file = commit(repository, "a.txt", b"one\n")
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    (repository / ".git" / "reftable").mkdir()

    with pytest.raises(NotReadableError) as caught:
        dates(file)

    assert str(caught.value) == (
        f"{file}: {repository / '.git'}: references kept as reftable are not read; or give --as-of"
    )


@pytest.mark.parametrize("kind", ["worktree", "submodule", "apart"])
def test_git_is_a_file(repository: Path, tmp_path: Path, kind: str) -> None:
    """If `.git` is a file, the repository is the folder that it names."""
    commit(repository, "a.txt", b"one\n")
    tree = tmp_path / "tree"
    if kind == "worktree":
        git(repository, "worktree", "add", "-q", "--detach", str(tree))
    elif kind == "apart":
        git(tmp_path, "clone", "-q", f"--separate-git-dir={tmp_path / 'kept'}", repository, tree)
    else:
        allowed = ("-c", "protocol.file.allow=always")
        git(tmp_path, "init", "-q", "tree")
        git(tree, *allowed, "submodule", "--quiet", "add", str(repository), "in/sub")
        tree /= "in/sub"

    assert (tree / ".git").is_file()
    assert dates(tree / "a.txt") == ["2008-06-20"]


def test_filter_for_people(repository: Path) -> None:
    """Lines are those of the file, not the output of a display filter."""
    commit(repository, ".gitattributes", b"*.txt diff=loud\n")
    git(repository, "config", "diff.loud.textconv", "cat /dev/null; echo x; echo y; echo #")
    file = commit(repository, "a.txt", b"one\n")

    assert dates(file) == ["2008-06-20"]


@pytest.mark.parametrize(
    "case", ["untracked", "ignored", "no repository", "no commit", "no folder"]
)
def test_no_dates(repository: Path, tmp_path: Path, case: str) -> None:
    """Lines of untracked files have no days."""
    folder = tmp_path if case == "no repository" else repository
    if case != "no commit":
        commit(repository, ".gitignore", b"ignored.txt\n")
    file = folder / ("none/a.txt" if case == "no folder" else f"{case}.txt")
    if case != "no folder":
        file.write_bytes(b"one\n")

    assert dates(file) is None


def test_error_shallow_clone(repository: Path, tmp_path: Path) -> None:
    """For a clone without its history, there is an error instead of wrong days."""
    commit(repository, "a.txt", b"one\n")
    commit(repository, "a.txt", b"one\ntwo\n", LATER)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", repository.as_uri(), str(clone))

    with pytest.raises(NotReadableError) as caught:
        dates(clone / "a.txt")

    assert str(caught.value) == (
        f"{clone}: a shallow clone does not say when lines were written; fetch all of its history "
        "(git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
    )


def test_error_no_git(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git, there is an error."""
    file = commit(repository, "a.txt", b"one\n")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotReadableError) as caught:
        dates(file)

    assert str(caught.value) == f"{file}: git is not installed; or give --as-of"


def test_repository_of_somebody_else(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository of another owner is read, because none of its programs is run."""
    file = commit(repository, "a.txt", b"one\n")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")

    assert dates(file) == ["2008-06-20"]
