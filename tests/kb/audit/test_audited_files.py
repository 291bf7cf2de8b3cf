"""The files of a tree, without those that git ignores."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from variorum_kb.audit import audited_files
from variorum_kb.audit.audited_files import files_below, read_text_file
from variorum_kb.audit.text_file import TextFile
from variorum_kb.errors import NotReadableError, SettingsError

GIT = shutil.which("git") or ""
needs_git = pytest.mark.skipif(not GIT, reason="git is not installed")


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files and their folders."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def git(folder: Path, *arguments: str) -> str:
    """Run git without the user's own settings; return its output."""
    none = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(
        [GIT, "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | none,
    ).stdout


def below(folder: Path, *exclude: str) -> list[str]:
    """Return the files below a folder, relative to it."""
    return [file.relative_to(folder).as_posix() for file in files_below([folder], exclude, folder)]


def by_git(folder: Path) -> list[str]:
    """Return the files that git would add, sorted in the same way."""
    printed = git(folder, "ls-files", "-z", "-co", "--exclude-standard")
    return sorted(printed.split("\0")[:-1], key=lambda name: name.split("/"))


TREES: dict[str, dict[str, str]] = {
    "plain": {".gitignore": "*.log\n", "a.log": "", "b.txt": "", "in/c.log": ""},
    "anchored": {".gitignore": "/a.txt\n/in/b.txt\n", "a.txt": "", "in/a.txt": "", "in/b.txt": ""},
    "slash within": {".gitignore": "in/b.txt\n", "in/b.txt": "", "far/in/b.txt": ""},
    "folders only": {".gitignore": "out/\n", "out/a": "", "in/out/a": "", "far/out": ""},
    "negated": {".gitignore": "*.txt\n!keep.txt\n", "a.txt": "", "keep.txt": "", "in/keep.txt": ""},
    "negated too late": {".gitignore": "out/\n!out/keep.txt\n", "out/keep.txt": ""},
    "negated in time": {".gitignore": "out/*\n!out/keep.txt\n", "out/keep.txt": "", "out/a": ""},
    "negated folder": {".gitignore": "*\n!*/\n!*.txt\n", "a.txt": "", "in/b.txt": "", "in/c": ""},
    "nested": {".gitignore": "*.txt\n", "in/.gitignore": "!b.txt\n", "in/b.txt": "", "b.txt": ""},
    "nested, anchored": {"in/.gitignore": "/a\n", "in/a": "", "in/in/a": "", "a": ""},
    "nested in what is ignored": {
        ".gitignore": "out/\n",
        "out/.gitignore": "!a\n",
        "out/a": "",
        "b": "",
    },
    "two stars": {
        ".gitignore": "**/x/**\na/**/z\n",
        "x/q": "",
        "in/x/q": "",
        "a/z": "",
        "a/b/z": "",
    },
    "signs": {
        ".gitignore": "[ab].txt\nc?.txt\n\\#d\n\\!e\n",
        "a.txt": "",
        "cc.txt": "",
        "#d": "",
        "!e": "",
    },
    "blanks": {".gitignore": "a \nb\\ \n c\n", "a": "", "b ": "", " c": "", "c": ""},
    "comments": {".gitignore": "# a\n\n   \na#b\n", "# a": "", "a": "", "a#b": ""},
    "carriage returns": {".gitignore": "a\r\nb/\r\n", "a": "", "b/c": "", "d": ""},
    "byte order mark": {".gitignore": "\ufeffa\nb\n", "a": "", "b": "", "c": ""},
    "no line feed": {".gitignore": "x\x0ca\ny\u2028b\n", "a": "", "b": "", "c": ""},
    "other letters": {".gitignore": "é*\n第/\n", "été": "", "第/a": "", "e": ""},
    "everything": {".gitignore": "*\n", "a": "", "in/b": ""},
    "itself": {".gitignore": ".gitignore\n", "a": ""},
    "capitals": {".gitignore": "A.txt\n", "a.txt": ""},
    "slash alone": {".gitignore": "/\n//\n", "a": "", "in/b": ""},
    "dotted": {".gitignore": "./a\n../b\n", "a": "", "b": ""},
    "unclosed": {".gitignore": "[a\n[\n", "[a": "", "a": "", "[": ""},
    "hidden": {".gitignore": ".*\n!.gitignore\n", ".a": "", "b": "", ".c/d": ""},
}


@needs_git
@pytest.mark.parametrize("name", TREES)
def test_as_git(tmp_path: Path, name: str) -> None:
    """The files that git ignores are left out, and no others."""
    git(tmp_path, "init", "-q")
    write(tmp_path, TREES[name])

    assert below(tmp_path) == by_git(tmp_path)


@needs_git
@pytest.mark.parametrize("name", list(TREES)[::3])
def test_as_git_from_within(tmp_path: Path, name: str) -> None:
    """Ignore files above a folder also apply to it."""
    git(tmp_path, "init", "-q")
    write(tmp_path, {**TREES[name], "in/kept/more.txt": ""})

    if git(tmp_path, "ls-files", "-co", "--exclude-standard", "in"):
        texts = [f"in/{file}" for file in below(tmp_path / "in")]
        assert texts == [file for file in by_git(tmp_path) if file.startswith("in/")]


@needs_git
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b/",
                "/a",
                "!a",
                "a/b",
                "*",
                "!*/",
                "**/b",
                "a/**",
                "!b",
                "/*/b",
                "!/a/",
                "a*",
                "?",
            ]
        ),
        max_size=5,
    ),
    st.lists(st.sampled_from(["a", "!a", "/b", "!b/", "*", "!*"]), max_size=3),
)
def test_as_git_whatever_it_says(
    tmp_path_factory: pytest.TempPathFactory, above: list[str], within: list[str]
) -> None:
    """As in git, the nearest ignore file decides, and within a file the last pattern."""
    folder = tmp_path_factory.mktemp("tree")
    git(folder, "init", "-q")
    names = ["c", "ab", "b", "d/a", "d/b", "d/c", "a/a", "a/b/a", "a/b/b", "a/c"]
    write(folder, dict.fromkeys(names, ""))
    write(folder, {".gitignore": "\n".join(above), "a/.gitignore": "\n".join(within)})

    assert below(folder) == by_git(folder)


@needs_git
def test_exclude_of_the_repository(tmp_path: Path) -> None:
    """Files that only this clone excludes are left out, unless .gitignore includes them."""
    git(tmp_path, "init", "-q")
    write(tmp_path, {".git/info/exclude": "a\nb\nin/c\n", ".gitignore": "!b\n"})
    write(tmp_path, {"a": "", "b": "", "in/a": "", "in/c": "", "in/d": ""})

    assert below(tmp_path) == by_git(tmp_path) == [".gitignore", "b", "in/d"]
    assert below(tmp_path / "in") == ["d"]


@needs_git
def test_repository_within(tmp_path: Path) -> None:
    """An outer repository's ignore file does not apply in an inner repository."""
    git(tmp_path, "init", "-q")
    (tmp_path / "in").mkdir()
    git(tmp_path / "in", "init", "-q")
    write(tmp_path, {".gitignore": "a\n", "in/a": "", "in/b": ""})

    assert below(tmp_path / "in") == ["a", "b"]


@needs_git
def test_worktree(tmp_path: Path) -> None:
    """In a worktree, where .git is a file, the clone's exclude file applies."""
    main, second = tmp_path / "main", tmp_path / "other"
    main.mkdir()
    git(main, "init", "-q")
    write(main, {"b": ""})
    git(main, "add", "b")
    git(main, "-c", "user.name=N", "-c", "user.email=n@example.org", "commit", "-qm", "b")
    git(main, "worktree", "add", "-q", str(second))
    write(main, {".git/info/exclude": "a\n"})
    write(second, {"a": ""})

    assert below(second) == [file for file in [".git", "b"] if file in by_git(second)]


def test_without_git(tmp_path: Path) -> None:
    """Without a repository, only .gitignore files in and below the folder apply."""
    write(
        tmp_path, {".gitignore": "a\n", "in/.gitignore": "b\n", "in/a": "", "in/b": "", "in/c": ""}
    )

    assert below(tmp_path) == [".gitignore", "in/.gitignore", "in/c"]
    assert below(tmp_path / "in") == [".gitignore", "a", "c"]


def test_named(tmp_path: Path) -> None:
    """An ignored file that the user names is audited."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path, {".gitignore": "out/\n*.log\n", "out/a.txt": "", "out/in/b.txt": "", "c.log": ""}
    )
    out, log = tmp_path / "out", tmp_path / "c.log"

    assert list(files_below([log])) == [log]
    assert below(out) == ["a.txt", "in/b.txt"]
    assert below(out / "in") == ["b.txt"]


def test_private(tmp_path: Path) -> None:
    """Folders of version control are left out."""
    write(tmp_path, {f"{name}/a": "" for name in (".git", ".hg", ".svn", ".jj", ".github")})

    assert below(tmp_path) == [".github/a"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ([], ["a.txt", "in/a.txt", "in/b.md"]),
        (["*.txt"], ["in/b.md"]),
        (["/a.txt"], ["in/a.txt", "in/b.md"]),
        (["in/"], ["a.txt"]),
        (["*", "!*/", "!b.md"], ["in/b.md"]),
        (["in/*", "!in/b.md"], ["a.txt", "in/b.md"]),
        (["# a.txt", ""], ["a.txt", "in/a.txt", "in/b.md"]),
    ],
)
def test_excluded(tmp_path: Path, patterns: list[str], left: list[str]) -> None:
    """Files excluded by the user are left out."""
    write(tmp_path, {"a.txt": "", "in/a.txt": "", "in/b.md": ""})

    assert below(tmp_path, *patterns) == left


def test_excluded_after_all(tmp_path: Path) -> None:
    """Files excluded by the user are left out even if .gitignore includes them."""
    write(tmp_path, {".gitignore": "!a.txt\n", "a.txt": "", "b.txt": ""})

    assert below(tmp_path, "a.txt") == [".gitignore", "b.txt"]


def test_paths_are_shown_as_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths below a relative folder are relative."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"in/a": ""})

    for named, shown in (
        (".", "in/a"),
        ("in", "in/a"),
        ("./in/", "in/a"),
        ("../" + tmp_path.name, ""),
    ):
        (path,) = files_below([Path(named)])
        assert path == Path(shown or f"../{tmp_path.name}/in/a")


def test_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is listed once, even if several paths lead to it."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"in/a": "", "in/b": ""})
    (tmp_path / "link").symlink_to("in")
    (tmp_path / "also").symlink_to("in/a")
    paths = [
        Path(),
        Path("in"),
        tmp_path,
        Path("in/a"),
        Path("in/../in"),
        Path("link"),
        Path("also"),
    ]

    resolves = [file.resolve() for file in files_below(paths)]

    assert resolves == [tmp_path.resolve() / "in" / name for name in "ab"]


def test_order(tmp_path: Path) -> None:
    """Files are sorted by name, folder by folder."""
    write(tmp_path, dict.fromkeys(["b", "a/z", "a.b", "a/B", "a/a"], ""))

    assert below(tmp_path) == ["a/B", "a/a", "a/z", "a.b", "b"]


def test_links(tmp_path: Path) -> None:
    """Links are not followed, since they may lead out of the tree or in circles."""
    write(tmp_path, {"in/a": "", "far/b": ""})
    folder = tmp_path / "in"
    (folder / "loop").symlink_to(folder)
    (folder / "out").symlink_to(tmp_path / "far")
    (folder / "file").symlink_to(tmp_path / "far" / "b")
    (folder / "dead").symlink_to("nowhere")
    (folder / "self").symlink_to("self")

    assert below(folder) == ["a"]


def test_named_link(tmp_path: Path) -> None:
    """A link that the user names is followed."""
    write(tmp_path, {"far/b": ""})
    (tmp_path / "link").symlink_to("far")

    assert [file.name for file in files_below([tmp_path / "link"])] == ["b"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only Unix has pipes with names")
def test_pipes(tmp_path: Path) -> None:
    """Pipes are skipped."""
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path, {"a": ""})

    assert below(tmp_path) == ["a"]


def test_odd_names(tmp_path: Path) -> None:
    """Names may have blanks, line feeds, dashes and stars."""
    names = ["-a", "a b", "a\nb", "[a]", "*", "é", "\udcff"]
    for name in names:
        (tmp_path / os.fsencode(name).decode("utf-8", "surrogateescape")).write_bytes(b"")

    assert sorted(below(tmp_path)) == sorted(names)


def test_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be read, or that vanishes, is reported, and the rest is read."""
    write(tmp_path, {"a/b": "", "c/d": "", "e": ""})
    real = os.scandir

    def scan(folder: Path) -> object:
        if Path(folder).name == "c":
            raise PermissionError(13, "Permission denied", str(folder))
        return real(folder)

    monkeypatch.setattr(os, "scandir", scan)

    assert below(tmp_path) == ["a/b", "c", "e"]


@pytest.mark.parametrize("odd", ["!", "! ", "\\", "a\\", "[z-a]"])
def test_lines_that_are_no_patterns(tmp_path: Path, odd: str) -> None:
    """As in git, an invalid line of .gitignore is ignored; the others apply."""
    write(tmp_path, {".gitignore": f"*.log\n{odd}\n/b\n", "a.log": "", "b": "", "c": ""})

    assert below(tmp_path) == [".gitignore", "c"]


def test_error_exclude_is_no_pattern(tmp_path: Path) -> None:
    """An invalid pattern of the user is an error."""
    with pytest.raises(SettingsError) as caught:
        below(tmp_path, "*.log", "!")

    assert str(caught.value) == "exclude: '!' is not a pattern as in .gitignore"


def test_unreadable_ignore_file(tmp_path: Path) -> None:
    """A .gitignore that is a folder, or not text, ignores nothing."""
    write(tmp_path, {"a/.gitignore/x": "", "a/y": ""})
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".gitignore").write_bytes(b"\xff\xfe\0*\0\n*.log\n")
    write(tmp_path, {"b/c.log": "", "b/d": ""})

    assert below(tmp_path) == ["a/.gitignore/x", "a/y", "b/.gitignore", "b/d"]


def test_nothing(tmp_path: Path) -> None:
    """An empty folder has no files; neither has an empty list of paths."""
    assert list(files_below([tmp_path])) == []
    assert list(files_below([])) == []


def test_error_folder_that_nobody_may_look_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreadable folder raises an error with the reason."""

    def scan(folder: Path) -> object:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(os, "scandir", scan)
    with pytest.raises(NotReadableError, match="Permission denied"):
        read_text_file(tmp_path)


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file too large to have been written by people is passed over."""
    monkeypatch.setattr(audited_files, "LARGEST_AUDITED", 8)
    file = tmp_path / "a.txt"

    file.write_bytes(b"CR 702.9")
    fits = read_text_file(file)
    file.write_bytes(b"CR 702.9a")

    assert (fits, read_text_file(file)) == (TextFile("CR 702.9"), None)


def test_error_cannot_be_read(tmp_path: Path) -> None:
    """A missing file is an error."""
    with pytest.raises(NotReadableError):
        read_text_file(tmp_path / "none.txt")
