"""Git repositories with a history of the rules, friendly and hostile."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.git_attacks import Trap, trap_in
from variorum_crawler.errors import SourceError
from variorum_crawler.places import git_repositories
from variorum_crawler.places.git_repositories import find_offers
from variorum_crawler.places.published_file_names import printable

RULES = "MagicCompRules.txt"


class Repository:
    """A repository in which tests commit; each commit is a day later than the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.days = 0
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        """Run git; return its output."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        day = f"2020-01-{self.days % 28 + 1:02} 12:00:00 +0000"
        dates = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
        names = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0")
        return subprocess.run(
            ["git", "-C", str(self.path), *names, *arguments],  # noqa: S607 - the user's git
            check=True,
            capture_output=True,
            text=True,
            env=clean | dates | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        ).stdout.strip()

    def commit(self, **files: str | None) -> str:
        """Commit files by name (None removes a file); return the commit's short name."""
        self.days += 1
        for name, text in files.items():
            self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")[:12]

    def write(self, name: str, text: str | None) -> None:
        """Write a file, or remove it."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_text(text)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "history")


def offers(path: Path, *files: str) -> list[tuple[str, str, bytes | None]]:
    """Return the name, the place in the repository and the bytes of each offer."""
    offered = list(find_offers("git", path, files))
    return [
        (offer.name, offer.addresses[0].removeprefix(f"{path}@"), offer.body) for offer in offered
    ]


def test_every_version_once(repository: Repository) -> None:
    """Each distinct version is an offer at the commit that first has it, oldest first."""
    first_commit = repository.commit(**{RULES: "one", "README.txt": "x"})
    two = repository.commit(**{RULES: "two"})
    repository.commit(**{RULES: "one"})
    repository.commit(**{RULES: None})
    five = repository.commit(**{"old/Comprehensive Rules é.txt": "five", "again/" + RULES: "two"})

    assert offers(repository.path) == [
        (RULES, f"{first_commit}:{RULES}", b"one"),
        (RULES, f"{two}:{RULES}", b"two"),
        ("Comprehensive Rules é.txt", f"{five}:old/Comprehensive Rules é.txt", b"five"),
    ]


def test_all_branches_count(repository: Repository) -> None:
    """Files only in a branch, a tag or a merge are also offered."""
    repository.commit(**{RULES: "one"})
    repository.git("checkout", "-q", "-b", "side")
    repository.commit(**{RULES: "side", "other.txt": "x"})
    repository.git("checkout", "-q", "main")
    repository.commit(**{"third.txt": "x"})
    repository.git("merge", "-q", "--no-commit", "--no-ff", "side")
    repository.commit(**{RULES: "merged"})
    repository.git("checkout", "-q", "--orphan", "alone")
    repository.commit(**{RULES: "alone"})
    repository.git("tag", "kept")
    repository.git("checkout", "-q", "main")
    repository.git("branch", "-q", "-D", "alone")

    bodies = [body for _, _, body in offers(repository.path)]
    assert bodies == [b"one", b"side", b"merged", b"alone"]


@pytest.mark.parametrize("pattern", ["rules/cr.txt", "rules/*", "*.txt", "*/c?.txt"])
def test_patterns_choose(repository: Repository, pattern: str) -> None:
    """Patterns of paths choose a file whose name is unlike the rules."""
    repository.commit(**{"rules/cr.txt": "one", "docs/notes.md": "x"})

    assert [body for _, _, body in offers(repository.path, pattern)] == [b"one"]


def test_odd_names(repository: Repository) -> None:
    """Names with line ends, quotes or colons, or like options, are read as names and escaped."""
    names = ["--output=CompRules.txt", ':CompRules"\n:100644.txt', "\tCompRules.txt"]
    for place, name in enumerate(names):
        repository.commit(**{name: str(place)})

    assert [(name, body) for name, _, body in offers(repository.path)] == [
        (printable(name), str(place).encode()) for place, name in enumerate(names)
    ]


def test_bytes_are_raw(repository: Repository) -> None:
    """Line ends and filters of a checkout have no effect."""
    repository.write(".gitattributes", "*.txt text eol=crlf filter=x working-tree-encoding=UTF-16")
    (repository.path / RULES).write_bytes(b"")
    blob = repository.git("hash-object", "-w", "--no-filters", "--", ".gitattributes")
    repository.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{RULES}")
    repository.git("commit", "-q", "-m", "x")

    ((_, _, body),) = offers(repository.path)
    assert body == (repository.path / ".gitattributes").read_bytes()


def test_links_are_no_versions(repository: Repository) -> None:
    """A symbolic link of the name is no document."""
    repository.write("x", "x")
    (repository.path / "MagicCompRules 2.txt").symlink_to("x")
    repository.commit(**{RULES: "one"})

    assert len(offers(repository.path)) == 1


def test_bare_repository(repository: Repository, tmp_path: Path) -> None:
    """Bare repositories, worktrees and ordinary repositories are read."""
    repository.commit(**{RULES: "one"})
    repository.git("clone", "-q", "--bare", str(repository.path), str(tmp_path / "bare.git"))
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))

    assert len(offers(tmp_path / "bare.git")) == len(offers(tmp_path / "tree")) == 1


def test_surroundings_play_no_part(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Git's environment variables, as hooks and shells set them, do not change the repository."""
    repository.commit(**{RULES: "one"})
    surroundings = Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(surroundings.path / ".git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "broken")

    assert len(offers(repository.path)) == 1


def test_replaced_objects_are_not_followed(repository: Repository) -> None:
    """Replaced objects in the repository are ignored: bytes are those that its commits name."""
    repository.commit(**{RULES: "one"})
    repository.write("other", "two")
    replacement = repository.git("hash-object", "-w", "other")
    repository.git("replace", repository.git("rev-parse", f"HEAD:{RULES}"), replacement)

    assert [body for _, _, body in offers(repository.path)] == [b"one"]


def test_offers_may_be_left(repository: Repository) -> None:
    """If the caller stops early, git ends."""
    repository.commit(**{RULES: "one"})
    repository.commit(**{RULES: "two"})
    offered = find_offers("git", repository.path, ())

    assert next(offered).body == b"one"
    offered.close()


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """Return a program that must not run, and the file that it would write."""
    return trap_in(tmp_path)


def test_error_nothing_is_fetched(repository: Repository, trap: Trap) -> None:
    """A version that a partial clone lacks is reported after the others are offered."""
    program, mark = trap
    first = repository.commit(**{RULES: "one"})
    repository.commit(**{RULES: "two"})
    blob = repository.git("rev-parse", f"{first}:{RULES}")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with (repository.path / ".git" / "config").open("a") as config:
        config.write(
            f'[remote "origin"]\n url = "ext::{program}"\n promisor = true\n'
            " partialclonefilter = blob:none\n"
            '[extensions]\n partialClone = origin\n[protocol "ext"]\n allow = always\n'
            "[core]\n repositoryformatversion = 1\n"
        )
    offered = find_offers("git", repository.path, ())

    assert next(offered).body == b"two"
    with pytest.raises(SourceError) as caught:
        next(offered)
    assert str(caught.value) == (f"git: {repository.path}: {first}:{RULES}: not in this repository")
    assert not mark.exists()


def test_error_too_large(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version far larger than any edition is not read."""
    monkeypatch.setattr(git_repositories, "LARGEST_EDITION", 3)
    commit = repository.commit(**{RULES: "four"})
    repository.commit(**{RULES: "two"})
    offered = find_offers("git", repository.path, ())

    assert next(offered).body == b"two"
    with pytest.raises(SourceError) as caught:
        next(offered)
    assert str(caught.value) == (
        f"git: {repository.path}: {commit}:{RULES}: too large for an edition"
    )


def test_error_damaged_version(repository: Repository) -> None:
    """Versions with damaged objects are reported after the others are offered."""
    first = repository.commit(**{RULES: "one"})
    for text in ("two", "three"):
        repository.commit(**{RULES: text})
    for commit in ("HEAD~2", "HEAD~1"):
        blob = repository.git("rev-parse", f"{commit}:{RULES}")
        file = repository.path / ".git" / "objects" / blob[:2] / blob[2:]
        file.chmod(0o644)
        file.write_bytes(file.read_bytes()[:-6] + b"damage")
    offered = find_offers("git", repository.path, ())

    assert next(offered).body == b"three"
    with pytest.raises(SourceError) as caught:
        next(offered)
    assert str(caught.value) == (f"git: {repository.path}: {first}:{RULES}: damaged; and 1 more")


def reason(path: Path, *files: str) -> str:
    """Return the error of reading a repository, without the source and the path."""
    with pytest.raises(SourceError) as caught:
        list(find_offers("git", path, files))
    return str(caught.value).removeprefix(f"git: {path}: ")


def test_error_no_folder(tmp_path: Path) -> None:
    """For a missing folder, the error says so."""
    assert reason(tmp_path / "none") == "no such folder"


def test_error_no_repository(repository: Repository) -> None:
    """A folder inside a repository is not one, because the user did not name the outer folder."""
    repository.commit(**{f"inner/{RULES}": "one"})

    assert reason(repository.path / "inner") == "no git repository"


def test_error_no_commit(repository: Repository) -> None:
    """For a repository without commits, the error says so."""
    assert reason(repository.path) == "a repository without a commit"


def test_error_shallow(repository: Repository, tmp_path: Path) -> None:
    """For a clone without its history, the error says how to get it."""
    repository.commit(**{RULES: "one"})
    repository.commit(**{RULES: "two"})
    shallow = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth=1", f"file://{repository.path}", str(shallow))

    assert reason(shallow) == (
        "a shallow clone, whose history is not all there; git fetch --unshallow"
    )


def test_error_no_such_file(repository: Repository) -> None:
    """If the history lacks the file, the error names it."""
    repository.commit(**{"README.md": "x", "cr.txt": "one"})

    assert reason(repository.path) == "no file in its history has a name like the rules"
    assert reason(repository.path, "a.txt", "b.txt") == (
        "no file in its history has a name like a.txt or b.txt"
    )


def test_error_damaged(repository: Repository) -> None:
    """For a damaged history, git's message is printed in one line."""
    commit = repository.commit(**{RULES: "one"})
    full = repository.git("rev-parse", commit)
    (repository.path / ".git" / "objects" / full[:2] / full[2:]).unlink()

    message = reason(repository.path)
    assert message.startswith("git rev-list: ")
    assert "\n" not in message


def test_error_no_git(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If git is not installed, the error says so."""
    repository.commit(**{RULES: "one"})
    monkeypatch.setenv("PATH", str(tmp_path))

    assert reason(repository.path) == "git is not installed"


def test_error_reftable(repository: Repository) -> None:
    """References in git's own table format are not read, and the error says so."""
    repository.commit(**{RULES: "one"})
    (repository.path / ".git" / "reftable").mkdir()

    where = repository.path / ".git"
    assert reason(repository.path) == f"{where}: references kept as reftable are not read"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (b"fatal: x\xff\nhint: y", "git rev-list: x\ufffd"),
        (b"", "git rev-list: ended with 128"),
    ],
)
def test_error_what_git_says_is_one_line(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, message: bytes, shown: str
) -> None:
    """If git fails, its message is shown as one line."""
    repository.commit(**{RULES: "one"})

    def fail(*_: object, **__: object) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.CompletedProcess([], 128, b"", message)

    monkeypatch.setattr(subprocess, "run", fail)

    assert reason(repository.path) == shown
