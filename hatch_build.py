"""Makes the man pages when the wheel is built; the project does not hold them."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReferenceHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes them into the checkout, where git ignores them, before files are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write what changed; the wheel takes it as artifacts."""
        del version, build_data
        root = Path(self.root)
        sys.path[:0] = [str(root / folder) for folder in ("", "crawler", "kb", "site")]
        from lab.reference.generate import shipped, write  # noqa: PLC0415 - found there alone

        write(root, shipped())
