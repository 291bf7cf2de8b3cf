"""Types of arguments that several commands take."""

from pathlib import Path

import click

from variorum_kb.permalinks import base_url_of


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
        try:
            return base_url_of(value) if value else ""
        except ValueError as error:
            self.fail(str(error), param, ctx)
