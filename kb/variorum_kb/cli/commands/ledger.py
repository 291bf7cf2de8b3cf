"""`cr ledger`: proof that no line of a document was lost."""

from pathlib import Path

import click

from variorum_kb.answers.exports.export import ledger_of
from variorum_kb.cli.completions import complete_edition
from variorum_kb.cli.options import kb_option, lines_option, open_asked
from variorum_kb.cli.printing import print_json, print_page

_ROW = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"


@click.command()
@click.argument("designators", nargs=-1, metavar="[EDITION]...", shell_complete=complete_edition)
@lines_option
@kb_option
def ledger(designators: tuple[str, ...], *, as_json: bool, kb: Path | None) -> None:
    """Count the lines and characters of each EDITION (default: all), and how many reading lost.

    \b
    cr ledger
    cr ledger 2008-05-01 M10
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        chosen = [base.edition(designator) for designator in designators] or list(base.editions)
        ledgers = [(edition.label, ledger_of(base, edition)) for edition in chosen]
    if as_json:
        print_json([account for _, account in ledgers])
        return
    lines = [_ROW.format("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")]
    for label, account in ledgers:
        accounted = sum(account["accounted"].values())
        lines.append(
            _ROW.format(
                label,
                account["lines"],
                accounted,
                account["blank"],
                len(account["unaccounted"]),
                account["characters"],
                account["characters_kept"],
            )
        )
    print_page("\n".join([*lines, ""]))
