"""A project's settings for its citations."""

import os
from pathlib import Path

import pytest

from variorum_kb.audit.settings import DatedFiles, Settings, find_settings, load_settings
from variorum_kb.errors import NotReadableError, SettingsError

WHOLE = """
[audit]
as-of = "M10"
to = "latest"
blame = true
prefixes = ["MTR", "#"]
own-prefixes = false
bare = true
exclude = ["vendor/", "*.min.js"]
ignore = ["uncertain", "never existed"]
baseline = "in/known.json"
dated = [
  { paths = ["/old"], as-of = "first" },
  { paths = [], as-of = "2010-01-22" },
]
"""


def test_whole(tmp_path: Path) -> None:
    """Every setting is read."""
    file = tmp_path / "variorum.toml"
    file.write_text(WHOLE, "utf-8")

    assert load_settings(file) == Settings(
        folder=tmp_path,
        as_of="M10",
        to="latest",
        blame=True,
        prefixes=("MTR", "#"),
        own_prefixes=False,
        bare=True,
        exclude=("vendor/", "*.min.js"),
        ignore=("uncertain", "never existed"),
        baseline=tmp_path / "in" / "known.json",
        dated=(DatedFiles(("/old",), "first"), DatedFiles((), "2010-01-22")),
    )


def test_in_pyproject(tmp_path: Path) -> None:
    """Only our table of pyproject.toml is read."""
    file = tmp_path / "pyproject.toml"
    file.write_text('[audit]\nto = "first"\n[tool.variorum.audit]\nas-of = "M10"\n', "utf-8")

    assert load_settings(file) == Settings(folder=tmp_path, as_of="M10")


def test_absolute_baseline(tmp_path: Path) -> None:
    """A baseline may be anywhere."""
    file, known = tmp_path / "variorum.toml", tmp_path.parent / "known.json"
    file.write_text(f"[audit]\nbaseline = '{known}'\n", "utf-8")

    assert load_settings(file).baseline == known


def test_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is relative to the current folder; the settings' folder is absolute."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "variorum.toml").write_text("[audit]\nbare = true\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    assert load_settings(Path("in/variorum.toml")).folder == tmp_path / "in"


def test_nearest(tmp_path: Path) -> None:
    """The nearest file with our table counts, variorum.toml before pyproject.toml."""
    below = tmp_path / "a" / "b" / "c"
    below.mkdir(parents=True)
    (tmp_path / "variorum.toml").write_text('[audit]\nto = "first"\n', "utf-8")
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.variorum.audit]\nto = "M10"\n', "utf-8")
    (tmp_path / "a" / "b" / "pyproject.toml").write_text('[project]\nname = "x"\n', "utf-8")
    (tmp_path / "a" / "b" / "variorum.toml").write_text("", "utf-8")

    assert find_settings(below) == Settings(folder=tmp_path / "a", to="M10")
    (tmp_path / "a" / "variorum.toml").write_text("[audit]\n", "utf-8")
    assert find_settings(below) == Settings(folder=tmp_path / "a")


def test_given() -> None:
    """Command-line options replace those of the file; missing options do not."""
    settings = Settings(as_of="M10", blame=True, exclude=("a",), bare=True)

    assert settings.given(as_of=None, blame=None, exclude=(), bare=None) == settings
    assert settings.given(as_of="first", blame=False, exclude=("b",)) == Settings(
        as_of="first", blame=False, exclude=("b",), bare=True
    )


KNOWN = (
    "its settings are as-of, bare, baseline, blame, dated, exclude, follows, ignore, own-prefixes, prefixes, "
    "to"
)
DATED = 'dated must be a list of tables, each with paths = ["…"] and as-of = "…"'
STATUSES = (
    "renumbered, another provision, split, merged, gone, uncertain, says something else, "
    "never existed"
)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("as_of = 'M10'", f"as_of is not a setting of cr audit; {KNOWN}"),
        ("folder = '.'", f"folder is not a setting of cr audit; {KNOWN}"),
        ("z = 1\ny = 2", f"y is not a setting of cr audit; {KNOWN}"),
        ("as-of = 2010-01-22", "as-of must be a string"),
        ("to = 1", "to must be a string"),
        ("baseline = true", "baseline must be a string"),
        ("blame = 'yes'", "blame must be true or false"),
        ("bare = 1", "bare must be true or false"),
        ("own-prefixes = []", "own-prefixes must be true or false"),
        ("prefixes = 'MTR'", "prefixes must be a list of strings"),
        ("exclude = [1]", "exclude must be a list of strings"),
        ("ignore = {}", "ignore must be a list of strings"),
        ("ignore = ['Gone']", f"'Gone' cannot be ignored; statuses are {STATUSES}"),
        ("ignore = ['current']", f"'current' cannot be ignored; statuses are {STATUSES}"),
        ("dated = 'old'", DATED),
        ("dated = ['old']", DATED),
        ("dated = [{ paths = ['old'] }]", DATED),
        ("dated = [{ paths = 'old', as-of = 'M10' }]", DATED),
        ("dated = [{ paths = ['old'], as-of = 10 }]", DATED),
        ("dated = [{ paths = [1], as-of = 'M10' }]", DATED),
        ("dated = [{ paths = [], as-of = 'M10', to = 'first' }]", DATED),
    ],
)
def test_error_settings(tmp_path: Path, line: str, message: str) -> None:
    """For a wrong setting, the error names it and its file."""
    file = tmp_path / "variorum.toml"
    file.write_text(f"[audit]\n{line}\n", "utf-8")

    with pytest.raises(SettingsError) as named:
        load_settings(file)
    with pytest.raises(SettingsError) as caught:
        find_settings(tmp_path)

    assert str(named.value) == str(caught.value) == f"{file}: {message}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[audit\n", "Expected ']' at the end of a table declaration (at line 1, column 7)"),
        (b"[audit]\nto = \n", "Invalid value (at line 2, column 6)"),
        (
            b"[audit]\nto = '\xff'\n",
            "'utf-8' codec can't decode byte 0xff in position 14: invalid start byte",
        ),
    ],
)
def test_error_no_toml(tmp_path: Path, data: bytes, message: str) -> None:
    """For a file that is no TOML, the error gives the place."""
    file = tmp_path / "pyproject.toml"
    file.write_bytes(data)

    with pytest.raises(SettingsError) as caught:
        find_settings(tmp_path)

    assert str(caught.value) == f"{file}: {message}"


@pytest.mark.parametrize(
    ("name", "table"), [("variorum.toml", "[audit]"), ("pyproject.toml", "[tool.variorum.audit]")]
)
def test_error_no_table(tmp_path: Path, name: str, table: str) -> None:
    """A file named with an option must have our table."""
    file = tmp_path / name
    file.write_text("", "utf-8")

    with pytest.raises(SettingsError) as caught:
        load_settings(file)

    assert str(caught.value) == f"{file}: no settings of cr audit; they belong in {table}"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("variorum.toml", "[audi]\n", "[audi] is not a table of cr audit; [audit] is"),
        (
            "variorum.toml",
            "[tool.variorum.audit]\n",
            "[tool] is not a table of cr audit; [audit] is",
        ),
        (
            "pyproject.toml",
            "[tool.variorum.audits]\n",
            "[tool.variorum.audits] is not a table of cr audit; [tool.variorum.audit] is",
        ),
    ],
)
def test_error_misspelt_table(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A misspelt table name is an error, and defaults are not used."""
    file = tmp_path / name
    file.write_text(text, "utf-8")

    with pytest.raises(SettingsError) as caught:
        find_settings(tmp_path)

    assert str(caught.value) == f"{file}: {message}"


def test_error_baseline_without_name(tmp_path: Path) -> None:
    """A baseline needs a file name."""
    file = tmp_path / "variorum.toml"
    file.write_text('[audit]\nbaseline = ""\n', "utf-8")

    with pytest.raises(SettingsError) as caught:
        load_settings(file)

    assert str(caught.value) == f"{file}: baseline must be the name of a file"


@pytest.mark.parametrize("text", ["audit = 3\n", "audit = ['x']\n", "[[audit]]\nto = 'first'\n"])
def test_error_table_of_another_kind(tmp_path: Path, text: str) -> None:
    """If audit is a value and not a table, this is an error, and defaults are not used."""
    file = tmp_path / "variorum.toml"
    file.write_text(text, "utf-8")

    with pytest.raises(SettingsError):
        load_settings(file)


def test_error_no_such_file(tmp_path: Path) -> None:
    """If a named file does not exist, the message says so."""
    file = tmp_path / "none.toml"

    with pytest.raises(NotReadableError) as caught:
        load_settings(file)

    assert str(caught.value) == f"{file}: {os.strerror(2)}"
