"""Checks of the options of `cr audit`, before any file is read."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from msgspec.structs import replace

from variorum.audit.baseline import Baseline, relative_to_baseline, remembered, still_there
from variorum.audit.settings import Settings, find_settings, load_settings
from variorum.cli.layout import print_note
from variorum.errors import NoEditionError, NotReadableError, SettingsError
from variorum.paths import cache_folder

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

STANDARD_INPUT = "-"


def check_options(
    settings: Settings, *, write_baseline: bool, fix: str | None, as_diff: bool, is_page: bool
) -> None:
    """Refuse options that contradict each other.

    Raises:
        UsageError: Two options contradict each other.
    """
    if write_baseline and settings.baseline is None:
        raise click.UsageError("--write-baseline needs --baseline FILE, or one in the settings")
    if write_baseline and (fix or as_diff):
        raise click.UsageError("--write-baseline cannot be combined with --fix or --diff")
    if settings.changed_since and (write_baseline or fix or as_diff):
        raise click.UsageError(
            "--changed-since cannot be combined with --fix, --diff or --write-baseline"
        )
    if as_diff and not is_page:
        raise click.UsageError("--diff prints a patch; leave out --json or --format")


def check_piped(paths: Sequence[Path], settings: Settings, *, is_fixed: bool) -> None:
    """Refuse options that need a file.

    Raises:
        UsageError: An option needs a file.
    """
    if len(paths) > 1:
        raise click.UsageError("- is standard input and cannot be combined with other paths")
    if is_fixed or settings.blame or settings.since:
        raise click.UsageError(
            "standard input cannot be rewritten or dated by git; leave out --fix, --diff, --blame "
            "and --since"
        )


def settings_for(
    config: Path | None, paths: Sequence[Path], chosen: Mapping[str, object], edition: str | None
) -> Settings:
    """Combine the settings of a file with the options given.

    Raises:
        UsageError: Options contradict each other.
    """
    if edition is not None:
        if chosen["as_of"] or chosen["to"] or chosen["blame"]:
            raise click.UsageError("--edition cannot be combined with --as-of, --to or --blame")
        chosen = {**chosen, "as_of": edition, "to": edition, "blame": False}
    if chosen["changed_since"] and not (chosen["as_of"] or chosen["blame"]):
        chosen = {**chosen, "as_of": chosen["changed_since"]}
    start = paths[0] if paths[0].is_dir() else paths[0].absolute().parent
    settings = load_settings(config) if config else find_settings(start)
    if settings.blame and not config:
        # The settings may come from a stranger's repository.
        settings = settings.given(blame=False)
        if chosen["blame"] is None:
            print_note(
                f"{settings.folder}: blame = true is ignored unless --config names the settings; "
                "give --blame"
            )
    # The command line's patterns are added to the settings' patterns; its other values replace
    # theirs.
    more: dict[str, object] = {}
    for name in ("prefixes", "exclude", "ignore"):
        more[name] = (*getattr(settings, name), *cast("tuple[str, ...]", chosen[name]))
    settings = settings.given(**{**chosen, **more})
    return settings if edition is None else replace(settings, dated=())


def look_for(paths: Sequence[Path]) -> None:
    """Check that files and folders exist.

    Raises:
        NotReadableError: A path does not exist or cannot be read.
    """
    for path in paths:
        if str(path) == STANDARD_INPUT:
            continue
        try:
            path.stat()
        except OSError as error:
            raise NotReadableError(f"{path}: {error.strerror}") from None


def check_editions(base: "KnowledgeBase", settings: Settings) -> None:
    """Check the designators of editions before anything is audited.

    Raises:
        SettingsError: A designator names no edition.
    """
    followed = [edition for _, edition in settings.follows]
    for designator in (
        settings.to,
        settings.as_of,
        settings.changed_since,
        *[dated.as_of for dated in settings.dated],
        *followed,
    ):
        try:
            base.edition(designator or "current")
        except NoEditionError as error:
            raise SettingsError(str(error)) from None


def refuse_twice(
    base: "KnowledgeBase", settings: Settings, paths: Sequence[Path], known: Baseline
) -> None:
    """Refuse to rewrite numbers that an earlier run has rewritten.

    Raises:
        UsageError: The baseline lacks a number that an earlier run rewrote.
    """
    numbers = remembered(cache_folder())
    edition = base.edition(settings.as_of).label
    for number in still_there(numbers, paths, edition):
        file = relative_to_baseline(Path(number.file), settings)
        if known.rewritten.edition(file, number.mark, number.number):
            continue
        raise click.UsageError(
            f"{number.file}: {number.number} in it is already the result of a rewrite, to the edition of {number.edition}; "
            f"another --fix with --as-of {settings.as_of} would change it again. Record rewritten numbers "
            "with --baseline FILE --write-baseline, or leave the file out"
        )
