"""Types of arguments that several commands take."""

from pathlib import Path

import click


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
