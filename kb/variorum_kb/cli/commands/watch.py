"""`cr watch`: remember rules and files, so that `cr sync` says what changed in them."""

from pathlib import Path

import click

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.questions import NUMBER, RANGE, parse_questions
from variorum_kb.cli.options import json_option, kb_option, open_asked, print_json
from variorum_kb.cli.pages.watch import set_report, set_watched
from variorum_kb.errors import NotFoundError
from variorum_kb.system.terminal import is_coloured, page_width
from variorum_kb.watch.report import report_on
from variorum_kb.watch.watched import FILES, RULE, Watched, load_watched, save_watched, with_more


@click.command()
@click.argument("what", metavar="[NUMBER|TERM|PATH]...", nargs=-1)
@click.option("--remove", is_flag=True, help="Stop watching these; without any, everything.")
@click.option(
    "--since", metavar="EDITION", help="Show what changed in all that is watched since EDITION."
)
@json_option
@kb_option
def watch(
    what: tuple[str, ...], *, remove: bool, since: str | None, as_json: bool, kb: Path | None
) -> None:
    """Watch rules, terms, and files that cite rules.

    From then on, cr sync says what a new edition changed in these rules, and in the rules that these
    files cite. It says nothing where only numbers moved. Without arguments, lists what is watched.

    \b
    cr watch 704.5k 702.19 src/
    cr watch
    cr watch --since M10
    cr watch 702.19 --remove
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        watched = load_watched(base.folder)
        if what or remove:
            asked = [each for one in what for each in _watched(base, one)]
            gone = {(one.kind, one.name) for one in asked}
            if remove:
                watched = [one for one in watched if what and (one.kind, one.name) not in gone]
            else:
                watched = with_more(watched, asked)
            save_watched(base.folder, watched)
        if since is None:
            _list(watched, as_json=as_json)
            return
        start, stop = base.edition(since), base.edition("latest")
        former = [_as_of(base, one, start.label) for one in watched]
        report, _ = report_on(base, [one for one in former if one is not None], stop)
    if as_json:
        print_json(report)
    else:
        click.echo(set_report(report, width=page_width(), is_coloured=is_coloured()), nl=False)


def _list(watched: list[Watched], *, as_json: bool) -> None:
    if as_json:
        print_json([one.as_json() for one in watched])
    else:
        click.echo(set_watched(watched), nl=False)


def _watched(base: KnowledgeBase, words: str) -> list[Watched]:
    """Return what an argument names: a file or folder that is there, else rules of the latest edition.

    Raises:
        NotFoundError: It names neither.
    """
    label = base.edition("latest").label
    (one, *others) = parse_questions(words)
    if Path(words).exists() and (one.question[0] not in {NUMBER, RANGE} or "/" in words):
        return [Watched(FILES, str(Path(words).resolve()), label)]
    if one.edition or others:
        raise NotFoundError(f"{words}: name one number, range, term or path at a time")
    found = base.subjects.find_anywhere(one, label)
    return [Watched(RULE, each.name, label) for each in found]


def _as_of(base: KnowledgeBase, one: Watched, label: str) -> Watched | None:
    """Return something that is watched as if an older edition had been told last; None if that lacks it."""
    if one.kind == FILES:
        return Watched(FILES, one.name, label)
    heir = base.subject(one.name, one.edition).destination(base.edition(label)).heir
    if heir is None:
        return None
    return Watched(RULE, base.subjects.at(heir, base.edition(label).place).name, label)
