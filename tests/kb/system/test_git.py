"""Git on a stranger's repository: it reads objects, and runs none of the programs named there."""

import contextlib
import os
from pathlib import Path

import pytest

from tests.support.git_attacks import ATTACKS, FILE, GIT, TEXT, Attack, Tree, trap_in
from variorum_kb.errors import NoGitError, NotReadableError
from variorum_kb.system.git import Git, Repository, repository_around, repository_at

pytestmark = pytest.mark.skipif(not GIT, reason="git is not installed")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a repository with two commits."""
    return Tree(tmp_path / "tree")


def opened(folder: Path) -> Repository:
    """Return the repository of a folder that has one."""
    repository = repository_at(folder)
    assert repository is not None
    return repository


def output(folder: Path, *arguments: str) -> bytes:
    """Return what git prints about a repository; it must not fail."""
    done = Git().run(opened(folder), *arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.strip()


# Repositories and their references -----------------------------------------------------------


def test_places(tree: Tree, tmp_path: Path) -> None:
    """Ordinary and bare repositories and further working trees are found."""
    git, bare, more = tree.path / ".git", tmp_path / "bare", tmp_path / "more"
    tree.git("clone", "-q", "--bare", tree.path, bare)
    tree.git("worktree", "add", "-q", "--detach", more)

    assert opened(tree.path) == opened(git) == Repository(git, git)
    assert opened(bare) == Repository(bare, bare)
    further = opened(more)
    assert (further.own.resolve(), further.common.resolve()) == (git / "worktrees" / "more", git)
    assert repository_around(more / "a" / FILE) == (more, further)
    assert repository_around(bare / "a" / FILE) is None


@pytest.mark.parametrize("name", ["HEAD", "objects"])
def test_no_repository(tree: Tree, name: str) -> None:
    """A folder that lacks a part of a repository is none."""
    (tree.path / ".git" / name).rename(tree.path / ".git" / "other")

    assert repository_at(tree.path) is None


def test_what_looks_like_a_repository(tree: Tree) -> None:
    """A folder like a repository without a working tree is an ordinary folder."""
    inner = tree.path / "docs"
    tree.git("clone", "-q", "--bare", tree.path, inner)
    (inner / ".git").mkdir()

    around = repository_around(inner / FILE)

    assert around == (tree.path, opened(tree.path))


@pytest.mark.parametrize("is_packed", [False, True])
def test_names(tree: Tree, *, is_packed: bool) -> None:
    """Branches, tags and remote branches are replaced by their commits, whatever follows them."""
    first = tree.git("rev-parse", "HEAD~1")
    tree.git("tag", "old", first)
    tree.git("update-ref", "refs/remotes/origin/side", first)
    tree.git("update-ref", "refs/notes/odd", first)
    if is_packed:
        tree.git("pack-refs", "--all")
    repository = opened(tree.path)

    for name in ("main", "old", "origin/side", "refs/notes/odd"):
        for tail in ("", "~1", "^", "@{0}"):
            assert repository.named(name + tail) == tree.git("rev-parse", name) + tail
    for name in ("HEAD", "HEAD~1", "none", "../main", first):
        assert repository.named(name) == name


def test_heads(tree: Tree) -> None:
    """The commits checked out are HEAD and, during a merge, those that are merged."""
    tree.git("checkout", "-q", "-b", "side", "HEAD~1")
    (tree.path / "other").write_text("x")
    tree.commit()
    heads = [tree.git("rev-parse", name) for name in ("main", "side")]
    tree.git("checkout", "-q", "main")
    alone = opened(tree.path).heads()
    tree.git("merge", "-q", "--no-commit", "--no-ff", "side")

    assert alone == heads[:1]
    assert opened(tree.path).heads() == heads
    assert output(tree.path, "rev-parse", "HEAD", "MERGE_HEAD").decode().split() == heads


@pytest.mark.parametrize(("names", "is_found"), [(4, True), (5, False)])
def test_names_of_names(tree: Tree, names: int, *, is_found: bool) -> None:
    """A reference may name another one, four in a row at most; so a circle ends."""
    folder, commit = tree.path / ".git", tree.git("rev-parse", "HEAD")
    for number in range(1, names):
        (folder / "refs" / "heads" / str(number)).write_text(f"ref: refs/heads/{number + 1}\n")
    (folder / "refs" / "heads" / str(names)).write_text(commit)
    (folder / "HEAD").write_text("ref: refs/heads/1\n")

    assert opened(tree.path).heads() == [commit] * is_found


@pytest.mark.parametrize("head", ["ref: ../outside", "ref: refs/../../outside", "x" * 40, ""])
def test_heads_that_lead_nowhere(tree: Tree, head: str) -> None:
    """A reference leads to no file outside the references, and names nothing but a commit."""
    (tree.path / "outside").write_text(tree.git("rev-parse", "HEAD"))
    (tree.path / ".git" / "HEAD").write_text(head)

    assert opened(tree.path).heads() == []


def test_attributes_play_no_part(tree: Tree) -> None:
    """A tree's attributes do not change how files are compared."""
    tree.attributes(f"{FILE} -diff\n")

    assert f"\n+{TEXT}".encode() in output(tree.path, "log", "--patch", "--", FILE) + b"\n"


# Running git ---------------------------------------------------------------------------------


def test_objects_are_read(tree: Tree) -> None:
    """Git reads objects and, on request, the index, whole or split; names are not quoted."""
    (tree.path / "é").write_text("x")
    tree.commit()

    def index() -> list[str]:
        done = Git().run(opened(tree.path), "ls-files", with_index=True)
        return done.stdout.decode().splitlines()

    listed = [FILE, "é"]
    assert output(tree.path, "show", f"HEAD:{FILE}") == TEXT.strip().encode()
    assert output(tree.path, "ls-tree", "--name-only", "HEAD").decode().splitlines() == listed
    assert output(tree.path, "ls-files") == b""
    assert index() == listed
    tree.git("update-index", "--split-index")
    assert index() == listed


def test_other_hashes(tmp_path: Path) -> None:
    """Repositories with SHA-256 are read, and those without a commit."""
    empty, other = Tree.__new__(Tree), tmp_path / "other"
    empty.path = other
    other.mkdir()
    empty.git("init", "-q", "--object-format=sha256")
    before = Git().run(opened(other), "rev-parse", "--verify", "-q", "HEAD")
    (other / FILE).write_text(TEXT)
    empty.commit()

    assert (before.returncode, before.stdout) == (1, b"")
    assert output(other, "rev-parse", "HEAD").decode() == empty.git("rev-parse", "HEAD")


def test_lines(tree: Tree) -> None:
    """Lines come without their ends; what is given to git is its input."""
    git, repository = Git(), opened(tree.path)
    commits = tree.git("rev-list", "HEAD")

    assert [line.decode() for line in git.lines(repository, "rev-list", "HEAD")] == commits.split()
    assert list(git.lines(repository, "ls-files")) == []
    done = git.run(repository, "cat-file", "--batch-check", given=commits.encode())
    assert len(done.stdout.splitlines()) == 2


def test_error_lines(tree: Tree) -> None:
    """If git fails, the error says how."""
    with pytest.raises(NotReadableError) as caught:
        list(Git().lines(opened(tree.path), "rev-list", "none"))

    assert str(caught.value) == "git rev-list ended with exit code 128"


def test_error_no_git(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git in the current folder is not run."""
    monkeypatch.setenv("PATH", os.pathsep.join([".", ""]))
    monkeypatch.chdir(Path(GIT).parent)

    with pytest.raises(NoGitError):
        Git().run(opened(tree.path), "version")


def test_private_folders(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each state of a repository has a private folder, removed with the object if nobody else does."""
    room, own = tmp_path / "room", tmp_path / "own"
    for folder in (room, own):
        folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(room))
    git, kept = Git(), Git(own)
    repository = opened(tree.path)
    for _ in range(2):
        git.run(repository, "version")
    assert [path.name for path in git.folder.iterdir()] == ["0"]
    (tree.path / FILE).write_text("newer\n")
    tree.commit()
    git.run(repository, "version")
    assert sorted(path.name for path in git.folder.iterdir()) == ["0", "1"]
    assert list(room.iterdir()) == [git.folder]

    del git
    folder = kept.folder
    del kept

    assert list(room.iterdir()) == []
    assert list(own.iterdir()) == [folder]


@pytest.mark.skipif(os.name == "nt", reason="the traps are shell scripts")
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Attack) -> None:
    """No program that a repository names is run, in any operation."""
    trap = trap_in(tmp_path)
    folder = attack.plant(Tree(tmp_path / "tree"), trap)
    trap.mark.unlink(missing_ok=True)
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", os.environ["PATH"]]))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap.program))
    monkeypatch.chdir(folder)
    git, repository = Git(), opened(folder)

    git.run(repository, "blame", "--porcelain", "HEAD", "--", FILE, with_index=True)
    git.run(repository, "log", "--patch", "--ext-diff", "--textconv", "--show-signature", "--all")
    git.run(repository, "status", with_index=True)
    with contextlib.suppress(NotReadableError):
        assert list(git.lines(repository, "show", f"HEAD:{FILE}")) == [TEXT.strip().encode()]

    assert not trap.mark.exists()
