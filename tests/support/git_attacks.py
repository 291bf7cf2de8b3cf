"""Hostile repositories: if git is used carelessly on them, a program in them runs."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

GIT = shutil.which("git") or ""
FILE = "MagicCompRules.txt"
TEXT = "CR 100.1\n"
WHO = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0")


class Trap(NamedTuple):
    """A program, and the file that it writes when it runs.

    Attributes:
        program: Its path.
        mark: The file.
    """

    program: Path
    mark: Path


def trap_in(folder: Path) -> Trap:
    """Write a program that leaves a mark when it runs."""
    trap = Trap(folder / "trap", folder / "sprung")
    trap.program.write_text(f"#!/bin/sh\necho ran >> '{trap.mark}'\n")
    trap.program.chmod(0o755)
    return trap


class Tree:
    """A stranger's repository, with a committed file whose lines are of two days."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        (path / FILE).write_text("older\n")
        self.commit()
        (path / FILE).write_text(TEXT)
        self.commit()

    def git(self, *arguments: str | Path, folder: Path | None = None) -> str:
        """Run git as the repository's author."""
        done = subprocess.run(
            [GIT, "-C", folder or self.path, *WHO, *arguments],
            check=True,
            capture_output=True,
            text=True,
            env=plain_environment(),
        )
        return done.stdout.strip()

    def commit(self) -> None:
        """Commit all files."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def settings(self, text: str) -> None:
        """Add to the settings of the repository."""
        with (self.path / ".git" / "config").open("a") as file:
            file.write(text)

    def attributes(self, text: str) -> None:
        """Give the tree git attributes, and commit them."""
        (self.path / ".gitattributes").write_text(text)
        self.commit()

    def lose_the_first_version(self) -> None:
        """Remove the object of the file's first version, which git may try to fetch."""
        blob = self.git("rev-parse", f"HEAD~1:{FILE}")
        (self.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def plain_environment() -> dict[str, str]:
    """Return the environment of a careless user, without this machine's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "TERM": "vt100"}


class Attack(NamedTuple):
    """A repository that looks harmless but is not.

    Attributes:
        plant: Makes the attack in a tree with a trap; returns the folder to audit.
        control: Arguments with which plain git runs the program; none if today's git does not.
    """

    plant: Callable[[Tree, Trap], Path]
    control: Sequence[str] = ("blame", "--porcelain", "-w", "--no-textconv", "--", FILE)


def _settings(text: str, attributes: str = "") -> Callable[[Tree, Trap], Path]:
    def plant(tree: Tree, trap: Trap) -> Path:
        if attributes:
            tree.attributes(attributes)
        tree.settings(text.format(run=trap.program))
        return tree.path

    return plant


_FILTERED = f"{FILE} filter=x\n"
_CLEAN = '[filter "x"]\n clean = {run}\n'


def _process(tree: Tree, trap: Trap) -> Path:
    tree.attributes(_FILTERED)
    tree.settings(f'[filter "x"]\n process = {trap.program}\n required = true\n')
    return tree.path


def _included(tree: Tree, trap: Trap) -> Path:
    (tree.path / "harmless.ini").write_text(_CLEAN.format(run=trap.program))
    tree.attributes(_FILTERED)
    tree.settings("[include]\n path = ../harmless.ini\n")
    return tree.path


def _included_if(tree: Tree, trap: Trap) -> Path:
    (tree.path / "harmless.ini").write_text(_CLEAN.format(run=trap.program))
    tree.attributes(_FILTERED)
    tree.settings('[includeIf "gitdir:**"]\n path = ../harmless.ini\n')
    return tree.path


def _settings_of_a_worktree(tree: Tree, trap: Trap) -> Path:
    tree.attributes(_FILTERED)
    parent = tree.path.parent / "worktree"
    tree.git("worktree", "add", "-q", "--detach", parent)
    tree.settings("[core]\n repositoryFormatVersion = 1\n[extensions]\n worktreeConfig = true\n")
    settings = tree.path / ".git" / "worktrees" / "worktree" / "config.worktree"
    settings.write_text(_CLEAN.format(run=trap.program))
    return parent


def _own_attributes(tree: Tree, trap: Trap) -> Path:
    (tree.path / ".git" / "info" / "attributes").write_text(_FILTERED)
    tree.settings(_CLEAN.format(run=trap.program))
    return tree.path


def _attributes_elsewhere(tree: Tree, trap: Trap) -> Path:
    (tree.path / "harmless.txt").write_text(_FILTERED)
    tree.settings("[core]\n attributesFile = harmless.txt\n" + _CLEAN.format(run=trap.program))
    return tree.path


def _promisor(remote: str) -> Callable[[Tree, Trap], Path]:
    def plant(tree: Tree, trap: Trap) -> Path:
        tree.lose_the_first_version()
        shutil.copytree(tree.path / ".git", tree.path.parent / "other.git")
        tree.settings(
            '[core]\n repositoryFormatVersion = 1\n[extensions]\n partialClone = origin\n[remote "origin"]\n'
            " promisor = true\n partialCloneFilter = blob:none\n"
            + remote.format(run=trap.program, other=tree.path.parent / "other.git")
        )
        return tree.path

    return plant


def _embedded(tree: Tree, trap: Trap) -> Path:
    """Hide a repository in tracked files: a folder that looks like a repository."""
    inner = tree.path / "docs"
    shutil.copytree(tree.path / ".git", inner)
    (inner / FILE).write_text(TEXT)
    settings = "[core]\n bare = false\n worktree = .\n" + _CLEAN.format(run=trap.program)
    (inner / "config").write_text(f"[core]\n repositoryFormatVersion = 0\n{settings}")
    (inner / ".gitattributes").write_text(_FILTERED)
    tree.commit()
    return inner


def _git_is_a_file(tree: Tree, trap: Trap) -> Path:
    """Make `.git` of a folder lead to a repository hidden in tracked files."""
    inner = _embedded(tree, trap)
    folder = tree.path / "rules"
    folder.mkdir()
    (folder / FILE).write_text(TEXT)
    (folder / ".gitattributes").write_text(_FILTERED)
    settings = (inner / "config").read_text().replace(" worktree = .\n", "")
    (inner / "config").write_text(settings)
    (folder / ".git").write_text("gitdir: ../docs\n")
    return folder


def _work_tree_elsewhere(tree: Tree, trap: Trap) -> Path:
    parent = tree.path.parent / "elsewhere"
    parent.mkdir()
    (parent / FILE).write_text(TEXT)
    (parent / ".gitattributes").write_text(_FILTERED)
    tree.settings(f"[core]\n worktree = {parent}\n" + _CLEAN.format(run=trap.program))
    return tree.path


def _common_elsewhere(tree: Tree, trap: Trap) -> Path:
    """Make the repository take its settings from a folder of tracked files."""
    _embedded(tree, trap)
    (tree.path / "docs" / "config").write_text(_CLEAN.format(run=trap.program))
    tree.attributes(_FILTERED)
    (tree.path / ".git" / "commondir").write_text("../docs\n")
    return tree.path


def _submodule(tree: Tree, trap: Trap) -> Path:
    Tree(tree.path.parent / "part")
    allowed = ("-c", "protocol.file.allow=always")
    tree.git(*allowed, "submodule", "--quiet", "add", tree.path.parent / "part", "part")
    module = tree.path / ".git" / "modules" / "part"
    with (module / "config").open("a") as file:
        file.write(_CLEAN.format(run=trap.program))
    (module / "info").mkdir(exist_ok=True)
    (module / "info" / "attributes").write_text(_FILTERED)
    return tree.path / "part"


def _hooks(tree: Tree, trap: Trap) -> Path:
    hooks = tree.path / "harmless"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        shutil.copy(trap.program, hooks / name)
    tree.settings("[core]\n hooksPath = harmless\n")
    return tree.path


def _signed(tree: Tree, trap: Trap) -> Path:
    raw = tree.git("cat-file", "commit", "HEAD")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
    head, _, message = raw.partition("\n\n")
    (tree.path / "commit").write_text(f"{head}\n{signature}\n{message}\n")
    signed = tree.git("hash-object", "-t", "commit", "-w", "commit")
    tree.git("update-ref", "HEAD", signed)
    tree.settings(f"[log]\n showSignature = true\n[gpg]\n program = {trap.program}\n")
    return tree.path


def _alternates(tree: Tree, trap: Trap) -> Path:
    second = Tree(tree.path.parent / "other")
    alternates = tree.path / ".git" / "objects" / "info" / "alternates"
    alternates.write_text(f"{second.path / '.git' / 'objects'}\n")
    tree.settings(f"[core]\n alternateRefsCommand = {trap.program}\n")
    return tree.path


def _program_called_git(tree: Tree, trap: Trap) -> Path:
    shutil.copy(trap.program, tree.path / "git")
    return tree.path


ATTACKS = {
    "monitor of files": Attack(_settings("[core]\n fsmonitor = {run}\n"), ("status",)),
    "clean filter": Attack(_settings(_CLEAN, _FILTERED)),
    "process filter": Attack(_process),
    "smudge filter": Attack(
        _settings('[filter "x"]\n smudge = {run}\n', _FILTERED), ("checkout", "HEAD~2", FILE)
    ),
    "include": Attack(_included),
    "include on a condition": Attack(_included_if),
    "settings of a working tree": Attack(_settings_of_a_worktree),
    "attributes of the repository": Attack(_own_attributes),
    "attributes elsewhere": Attack(_attributes_elsewhere),
    "promisor with a transport": Attack(
        _promisor(' url = "ext::{run}"\n[protocol "ext"]\n allow = always\n')
    ),
    "promisor with a pack program": Attack(_promisor(" url = {other}\n uploadpack = {run}\n")),
    "promisor over ssh": Attack(_promisor(" url = ssh://x/y\n[core]\n sshCommand = {run}\n")),
    "promisor over a proxy": Attack(_promisor(" url = git://x/y\n[core]\n gitProxy = {run}\n")),
    "promisor with a hook of packs": Attack(
        _promisor(" url = {other}\n[uploadpack]\n packObjectsHook = {run}\n"), ()
    ),
    "promisor that asks for a password": Attack(
        _promisor(" url = http://127.0.0.1:1/y\n[credential]\n helper = {run}\n"), ()
    ),
    "repository in tracked files": Attack(_embedded),
    "file that leads to a repository": Attack(_git_is_a_file),
    "working tree elsewhere": Attack(_work_tree_elsewhere),
    "common folder elsewhere": Attack(_common_elsewhere),
    "submodule": Attack(_submodule),
    "text for people": Attack(
        _settings('[diff "x"]\n textconv = {run}\n', f"{FILE} diff=x\n"), ("blame", FILE)
    ),
    "external comparison": Attack(
        _settings("[diff]\n external = {run}\n"), ("diff", "HEAD~1", "HEAD")
    ),
    "hooks": Attack(_hooks, ("checkout", "-q", "HEAD")),
    "pager": Attack(_settings("[core]\n pager = {run}\n[pager]\n blame = {run}\n"), ()),
    "editor": Attack(_settings("[core]\n editor = {run}\n"), (*WHO, "commit", "--amend")),
    "signature": Attack(_signed, ("log", "-1")),
    "references of other repositories": Attack(_alternates, ("rev-list", "--alternate-refs")),
    "another meaning of commands": Attack(
        _settings("[alias]\n blame = !{run}\n rev-list = !{run}\n"), ()
    ),
    "program called git": Attack(_program_called_git),
}
