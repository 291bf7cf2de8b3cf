"""Types of arguments that several commands take."""

import re
from pathlib import Path

import click

_ENDING = re.compile(r"\.[A-Za-z]\w*\Z")


def is_file_name(word: str | Path) -> bool:
    """Return whether a word names a file rather than an edition or a rule.

    >>> is_file_name("new/rules"), is_file_name("rules.txt"), is_file_name("702.19b")
    (True, True, False)
    """
    path = Path(word)
    return path.exists() or path.name != str(word) or bool(_ENDING.search(path.name))


class NamedPath(click.ParamType[Path]):
    """A path. An empty name is refused, although `Path` would read it as the current folder."""

    name = "path"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path, or fail with what is wrong."""
        if isinstance(value, str) and not value.strip():
            self.fail("a path cannot be empty", param, ctx)
        return Path(value)


class SiteAddress(click.ParamType[str]):
    """The address of a copy of the website, or ""."""

    name = "url"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the address with a final slash, or fail with what is wrong."""
        if not value:
            return ""
        from variorum.permalinks import base_url_of

        try:
            return base_url_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
