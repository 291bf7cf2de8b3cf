"""`cr watch`: remember rules and files, so that `cr sync` says what changed in them."""

from pathlib import Path

import click

from variorum.cli.options import json_option, kb_option, open_asked
from variorum.cli.pages.watch import set_report, set_watched
from variorum.cli.printing import print_json
from variorum.records.watch import Watched
from variorum.terminal import page_width
from variorum.watch.report import report_since, watched_by
from variorum.watch.watch_list import load_watched, save_watched, with_more


@click.command()
@click.argument("names", metavar="[NUMBER|TERM|PATH]...", nargs=-1)
@click.option(
    "--remove",
    is_flag=True,
    help="Stop watching these. If none are given, stop watching everything.",
)
@click.option(
    "--since",
    metavar="EDITION",
    help="Show what has changed since EDITION in everything that is watched.",
)
@json_option
@kb_option
def watch(
    names: tuple[str, ...], *, remove: bool, since: str | None, as_json: bool, kb: Path | None
) -> None:
    """Watch rules, terms, and files that cite rules.

    With each new edition, cr sync says what changed in the watched rules and terms, and in the rules
    that the watched files cite. It does not report rules of which only the number changed. Without
    arguments, list what is watched.

    \b
    cr watch 704.5k 702.19 src/
    cr watch
    cr watch --since M10
    cr watch 702.19 --remove
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        watched = load_watched(base.folder)
        if names or remove:
            asked = [each for name in names for each in watched_by(base, name)]
            gone = {(item.kind, item.name) for item in asked}
            if remove:
                watched = [item for item in watched if names and (item.kind, item.name) not in gone]
            else:
                watched = with_more(watched, asked)
            save_watched(base.folder, watched)
        if since is None:
            _list(watched, as_json=as_json)
            return
        report = report_since(base, watched, since)
    if as_json:
        print_json(report)
    else:
        click.echo(set_report(report, width=page_width()), nl=False)


def _list(watched: list[Watched], *, as_json: bool) -> None:
    if as_json:
        print_json([item.as_json() for item in watched])
    else:
        click.echo(set_watched(watched), nl=False)
