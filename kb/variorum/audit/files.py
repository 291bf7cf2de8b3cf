"""Decides which files of a tree are audited, and reads and writes them.

Left out are files that git ignores or the settings exclude, links, binary and large files, and our
own reports and baselines. Nobody wrote the citations in lock files, generated files and the rules
themselves for today's numbers, so such files are named and left alone.
"""

import codecs
import os
import re
import shutil
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import cast

from pathspec import GitIgnoreSpec, RegexPattern

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.git import repository_around
from variorum.errors import DocumentError, FileError, WrongUsageError
from variorum.files import LARGEST_OTHER, read_file, replaced

# Which files there are -----------------------------------------------------------------------------

# Folders of version control.
_PRIVATE = {".git", ".hg", ".svn", ".jj"}
# Folders with the patterns for what is in them, in the order in which git reads them.
_Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


def files_below(
    paths: Sequence[Path], exclude: Sequence[str] = (), folder: Path = Path()
) -> Iterator[Path]:
    """Yield the files that paths name or contain, each once, in sorted order.

    Files that .gitignore ignores are left out, unless a path names them. Links in folders are left
    out, because they might lead to a file twice or out of the tree.
    """
    for line in exclude:
        if not _is_pattern(line):
            raise WrongUsageError(f"exclude: {line!r} is not a pattern as in .gitignore")
    excluded = ((folder.absolute(), GitIgnoreSpec.from_lines(exclude)),) if exclude else ()
    seen: set[Path] = set()
    for path in paths:
        for file in _below(path, excluded):
            # Only if one path lies in another can a file occur twice.
            if len(paths) == 1:
                yield file
            elif (real := file.resolve()) not in seen:
                seen.add(real)
                yield file


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


def _below(path: Path, excluded: _Specs) -> Iterator[Path]:
    here = path.absolute()
    if _is_within_ignored(here, excluded):
        return
    if not path.is_dir():
        yield path
        return
    above = _above(here)
    # The path was named, so git's patterns for it do not count; those for what it contains do.
    specs = (*(() if _is_within_ignored(here, above) else above), *excluded)
    # Trees may be deeper than Python's stack.
    ahead = [_entries(path, here, specs, len(excluded))]
    while ahead:
        entry = next(ahead[-1], None)
        if entry is None:
            ahead.pop()
        elif isinstance(entry, Path):
            yield entry
        else:
            ahead.append(_entries(*entry, len(excluded)))


def _entries(
    shown: Path, folder: Path, specs: _Specs, last: int
) -> Iterator[Path | tuple[Path, Path, _Specs]]:
    """Yield the files and folders in a folder that are not left out; the `last` specs go last."""
    inner = len(specs) - last
    specs = (*specs[:inner], *_spec(folder, folder / ".gitignore"), *specs[inner:])
    try:
        with os.scandir(folder) as entries:
            sorted_entries = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield shown  # opening it will fail with the reason
        return
    for entry in sorted_entries:
        if entry.is_symlink() or entry.name in _PRIVATE:
            continue
        if entry.is_dir():
            if not _is_ignored(f"{entry.path}{os.sep}", specs):
                yield shown / entry.name, folder / entry.name, specs
        elif entry.is_file() and not _is_ignored(entry.path, specs):
            yield shown / entry.name


def _above(here: Path) -> _Specs:
    root = next((place for place in (here, *here.parents) if (place / ".git").exists()), None)
    if root is None:
        return ()
    repository = repository_around(root / "it")
    specs = [*_spec(root, repository.common / "info" / "exclude")] if repository else []
    for folder in reversed(here.parents):
        if folder == root or root in folder.parents:
            specs += _spec(folder, folder / ".gitignore")
    return tuple(specs)


def _spec(folder: Path, file: Path) -> _Specs:
    try:
        text = read_file(file).decode("utf-8-sig", "replace")
    except FileError:
        return ()
    # Git ends a pattern at a line feed, and nowhere else; it skips what is none, such as a lone "!".
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return ((folder, GitIgnoreSpec.from_lines(filter(_is_pattern, lines))),)


def _is_within_ignored(path: Path, specs: _Specs) -> bool:
    own = f"{path}{os.sep}" if path.is_dir() else str(path)
    folders = [f"{folder}{os.sep}" for folder in path.parents]
    return any(_is_ignored(above, specs) for above in (*folders, own)) if specs else False


def _is_ignored(path: str, specs: _Specs) -> bool:
    """Say whether a file, or a folder whose name ends with a separator, is left out.

    The last pattern that matches counts. The walk has already tested the folders above.
    """
    for folder, spec in reversed(specs):
        root = f"{folder}{os.sep}".replace(f"{os.sep}{os.sep}", os.sep)
        if path.startswith(root) and path != root:
            within = path[len(root) :].replace(os.sep, "/")
            for pattern in reversed(list(spec.patterns)):
                if _matches(pattern, within):
                    return bool(pattern.include)
    return False


def _matches(pattern: RegexPattern, path: str) -> bool:
    """Say whether a pattern matches a file or folder itself, not a folder above it."""
    # The library does not say whether a pattern is compiled for text or for bytes.
    regex = cast("re.Pattern[str] | None", pattern.regex)
    if pattern.include is None or regex is None:
        return False
    matches = [*regex.finditer(path)]
    name = path.removesuffix("/")
    is_whole = any(not match.groupdict().get("ps_d") for match in regex.finditer(name))
    return is_whole or (name != path and any(match.end() == len(path) for match in matches))


# Reading and writing -------------------------------------------------------------------------------

# Git looks at as many bytes to decide whether a file is text.
_LOOK_AT = 8000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "surrogateescape"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "surrogatepass"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "surrogatepass"),
)


@dataclass(frozen=True)
class TextFile:
    """A text file; lines and columns count from 1."""

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"
    errors: str = "surrogateescape"
    # A whole file may be one line, so its findings share it.
    _lines: dict[int, str] = field(default_factory=dict[int, str])

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text in the encoding of this file."""
        return self.mark + text.encode(self.encoding, self.errors)

    @cached_property
    def _starts(self) -> Sequence[int]:
        # Old Macs ended lines with carriage returns; git, which dates lines, counts only line feeds.
        sign = "\n" if "\n" in self.text else "\r"
        return [0, *[end.end() for end in re.finditer(sign, self.text)], sys.maxsize]

    def line_of(self, offset: int) -> int:
        """Return the line of an offset."""
        return bisect_right(self._starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset."""
        line = self.line_of(offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line."""
        if number not in self._lines:
            start, end = self._starts[number - 1 : number + 1]
            self._lines[number] = self.text[start:end]
        return self._lines[number]


def read_text_file(path: Path) -> TextFile | None:
    """Read a file; return None if it is not text."""
    return text_file_of(read_file(path, LARGEST_OTHER))


def text_file_of(data: bytes) -> TextFile | None:
    r"""Return bytes as text; None if they are not text.

    >>> text_file_of(b"\xff\xfeC\0R\0").text, text_file_of(b"PK\x03\x04\0")
    ('CR', None)
    """
    for mark, encoding, errors in _MARKS:
        if data.startswith(mark) and not data.startswith(codecs.BOM_UTF32_LE):
            try:
                text = data[len(mark) :].decode(encoding, errors)
            except UnicodeDecodeError:  # half a character at the end of UTF-16
                return None
            decoded = TextFile(text, mark, encoding, errors)
            return decoded if decoded.encode(text) == data else None
    if b"\0" in data[:_LOOK_AT]:
        return None
    return TextFile(data.decode("utf-8", "surrogateescape"))


def write_text_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, and keep its permissions."""
    target = path.resolve()
    with replaced(target) as beside:
        beside.write_bytes(data)
        shutil.copymode(target, beside)


# What is left alone --------------------------------------------------------------------------------

# The beginning of a baseline, of a report in JSON or of one in SARIF.
_OURS = re.compile(
    r'\{\s*"(?:(?:version": 1, ")?findings": \[\s*\{\s*"file": '
    r'|\$schema": "[^"]*",\s*"version": "[^"]*",\s*"runs": \[\s*\{\s*"tool": \{\s*"driver": \{\s*'
    r'"name": "cr audit")'
)
# Files by whose names one knows that nobody wrote their citations for today.
_BY_NAME = {
    "is a lock file": r".*\.lock(file)?|.*[-.]lock\.(json|ya?ml)|go\.(sum|work\.sum)"
    r"|npm-shrinkwrap\.json|Package\.resolved",
    "is a log": r".*\.log(\.\d+)?|.*\.jsonl|.*\.ndjson",
    "is minified": r".*[.-]min\.\w+|.*\.(js|css)\.map|.*\.bundle\.js",
    "is a snapshot": r".*\.snap(\.new)?|.*\.ambr|.*\.approved\.\w+|(.*/)?__snapshots__/.*",
    "is generated by its name": r".*\.pb\.\w+|.*_pb2(_grpc)?\.pyi?|.*[._]generated\.\w+"
    r"|.*\.g(enerated)?\.(dart|cs)|.*\.designer\.cs",
}
_NAMED = {why: re.compile(form, re.IGNORECASE) for why, form in _BY_NAME.items()}
# A program of a few endless lines was packed by a program.
_PACKED, _LONGEST_LINE = {".js", ".mjs", ".cjs", ".css"}, 20_000
# What generators write into the first lines of a file. A sentence about mana that is generated is none.
_GENERATED = re.compile(
    r"@generated\b|\bDO NOT (?:EDIT|MODIFY)\b(?! THIS LINE)|\b[Cc]ode generated by\b|<auto-?generated\b"
    r"|(?i:\bdo not (?:edit|modify|change) (?:this|manually|by hand|directly)\b"
    r"|\b(?:file|document|page|module|code|script) (?:is|was|has been) (?:auto(?:matically)?[- ]?)?generated\b"
    r"|^\W*(?:this is )?(?:an? )?(?:auto-?|automatically )generated\b"
    r"|^[\s\"']*\w+[\"']?: *[\"']?generated[\"']?,?$)",
    re.MULTILINE,
)
_GENERATED_BY = re.compile(r"\W*Generated (?:by|from|with|using|on)\b")
_HEAD = 10
_LINGUIST = re.compile(
    r"(?:^|\s)(?P<no>[-!])?linguist-generated(?:=(?:true|(?P<off>false)))?(?:\s|$)"
)
# A line that begins with a rule's number, perhaps in markup or as a key of JSON, and goes on with words.
_RULE_LINE = re.compile(
    r"^[ \t]*(?:#{2,6} |[-*+>] )?(?:<[^>\n]{1,200}>)*[\"'*_`\[(]{0,4}[1-9]\d\d\.\d{1,3}[a-z]{0,2}\b"
    r"(?:</?[a-z][^>\n]*>|[^\w\n|,;]){1,12}[\w“\"'{(][^\n]*? [^\n]*? ",
    re.MULTILINE,
)
# So many of them, and the words are compared with those of the editions; in data of any layout,
# so many numbers with letters, since data has many others.
_LETTERED = re.compile(r"\b[1-9]\d\d\.\d{1,3}[a-z]{1,2}\b", re.ASCII)
_FEWEST_RULE_LINES, _FEWEST_NUMBERS = 8, 50
_DATA = {".json", ".csv", ".tsv", ".xml", ".html", ".htm", ".yaml", ".yml", ".js", ".ts"}
# From this share of its words on, a file is the text of rules.
_MOST_WORDS = 0.5


def is_own_report(text: str) -> bool:
    """Say whether a text is a report of an audit or a baseline."""
    return text.startswith("{") and _OURS.match(text) is not None


def why_left_alone(path: Path, text: str, base: KnowledgeBase) -> str:
    """Return why the citations in a file are nobody's to correct; "" if they are somebody's."""
    for why, form in _NAMED.items():
        if form.fullmatch(path.as_posix()):
            return why
    if _is_generated(path):
        return "is generated, says .gitattributes"
    if "\r" in text:
        text = "\n".join(text.splitlines())
    head = [line[:_LONGEST_LINE] for line in text.split("\n", _HEAD)[:_HEAD]]
    said, small = "\n".join(head), "\n".join(head).casefold()
    # Looking for a word first is a hundred times as fast.
    if ("generated" in small or "do not" in small) and _GENERATED.search(said):
        return "says that it is generated"
    if path.suffix in _PACKED and max(map(len, head)) == _LONGEST_LINE:
        return "is minified"
    for line in head:
        # Code may say of a value what generated it; only the comment at the top speaks of the file.
        if re.match(r"\w", line):
            break
        if _GENERATED_BY.match(line):
            return "says that it is generated"
    return _which_rules(path, text, base)


def _which_rules(path: Path, text: str, base: KnowledgeBase) -> str:
    """Return which rules a file mostly consists of; "" if it is something else."""
    lines = islice(_RULE_LINE.finditer(text), _FEWEST_RULE_LINES)
    if len(list(lines)) < _FEWEST_RULE_LINES:
        numbers = islice(_LETTERED.finditer(text), _FEWEST_NUMBERS)
        if path.suffix.casefold() not in _DATA or len(list(numbers)) < _FEWEST_NUMBERS:
            return ""
    # Imported on first use: most trees have no such file.
    from variorum.quoting.page import read_page  # noqa: PLC0415
    from variorum.quoting.texts import known_texts  # noqa: PLC0415
    from variorum.quoting.verdicts import EDITION, identify  # noqa: PLC0415

    try:
        page = read_page(text.encode("utf-8", "replace"))
        found = identify(page, known_texts(base))
    except DocumentError:
        return ""
    others = sum([end - start for start, end in found.commentary])
    if found.edition is None or others > (1 - _MOST_WORDS) * len(page.words):
        return ""
    kind = "the edition" if found.kind == EDITION else "an excerpt of the edition"
    return f"is {kind} of {base.labels[found.edition]}"


def _is_generated(path: Path) -> bool:
    here = path.absolute()
    return _is_ignored(str(here), _generated_in(here.parent))


@lru_cache(maxsize=1024)
def _generated_in(folder: Path) -> _Specs:
    """Return the patterns for generated files of a folder and of those above."""
    specs: _Specs = ()
    for place in (folder, *folder.parents):
        try:
            text = read_file(place / ".gitattributes").decode("utf-8", "replace")
        except FileError:
            text = ""
        parts = [line.strip().partition(" ") for line in text.splitlines()]
        said = [(each, _LINGUIST.search(attributes)) for each, _, attributes in parts]
        told = [(each, is_no) for each, is_no in said if is_no and _is_pattern(each)]
        lines = [f"!{each}" if is_no["no"] or is_no["off"] else each for each, is_no in told]
        specs = ((place, GitIgnoreSpec.from_lines(lines)), *specs)
        if (place / ".git").exists():
            break
    return specs
