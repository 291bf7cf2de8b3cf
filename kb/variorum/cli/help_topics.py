"""Help topics: `cr help exit-codes`, `cr help json`, `cr help environment`."""

import click

from variorum.cli.help_pages import HelpFormatter

ENVIRONMENT = (
    ("VARIORUM_KB", "Folder of the knowledge base. Default: the platform's data folder."),
    ("VARIORUM_SITE", "Address of your copy of the website, used in links."),
    ("VARIORUM_CACHE", "Folder of the search indexes. Default: the platform's cache folder."),
    ("CR_PAGER, PAGER", "Command that shows long answers. Default: less. Empty: no pager."),
    ("NO_COLOR", "If set, no colour is used unless --color=always is given."),
    ("TERM", "If dumb, neither colour nor pager is used."),
    ("COLUMNS", "Width to use instead of the one that the terminal reports."),
)
EXIT_CODES = (
    ("0", "Found."),
    ("1", "Not found, or there are findings."),
    ("2", "Wrong usage."),
    ("3", "The knowledge base or a file cannot be read or written."),
    ("10", "Only cr sync --exit-code: there is a new edition."),
    ("130", "Interrupted."),
)
_CODES_TEXT = """Exit codes, the same for every command.

Findings are problems that cr doctor, cr kb, cr audit, cr read, cr build and cr sync report. cr lint,
cr diff, cr changes and cr since exit 0 unless --exit-code is given. If both 1 and 3 apply, the exit code is 3.
"""
_JSON_TEXT = """JSON, for scripts.

\b
cr 704.5k --json             a list of provisions, each with its edition and text
cr editions --jsonl          one edition a line
cr history 704.5k --json

Most commands take --json; lists take --jsonl, one item a line. Keys are never renamed within a
major version. A failure is one object on stdout, {"error": {"kind", "message", "exit_code", ...}},
and its message is also on stderr. docs/json.md explains every key. cr schema prints
a JSON Schema of each answer.
"""
TOPICS = ("environment", "exit-codes", "json")


def topic_page(name: str) -> str:
    """Return the help page of a topic."""
    formatter = HelpFormatter()
    if name == "exit-codes":
        formatter.write_text(_CODES_TEXT)
        with formatter.section("Exit codes"):
            formatter.write_dl(EXIT_CODES)
    elif name == "environment":
        formatter.write_text("Environment variables.")
        with formatter.section("Variables"):
            formatter.write_dl(ENVIRONMENT)
    else:
        formatter.write_text(_JSON_TEXT)
    return formatter.getvalue()


def show_topic(ctx: click.Context, name: str) -> None:
    """Print the help page of a topic and exit.

    Raises:
        click.UsageError: There is no such topic.
    """
    if name not in TOPICS:
        raise click.UsageError(
            f"no command {name!r}; cr --help lists them. Other topics: {', '.join(TOPICS)}", ctx
        )
    click.echo(topic_page(name), nl=False)
    ctx.exit()
