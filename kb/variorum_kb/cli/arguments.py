"""Types of arguments that several commands take."""

from pathlib import Path

import click

from variorum_kb.permalinks import base_url_of


class NamedPath(click.ParamType[Path]):
    """A path; an empty name is none, though `Path` takes it for the current folder."""

    name = "path"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path, or say what is wrong."""
        if isinstance(value, str) and not value.strip():
            self.fail("an empty name is no path", param, ctx)
        return Path(value)


class SiteAddress(click.ParamType[str]):
    """The address of a website of the rules; "" of none."""

    name = "url"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return it with a slash behind, or say what is wrong."""
        try:
            return base_url_of(value) if value else ""
        except ValueError as error:
            self.fail(str(error), param, ctx)
