"""What commands are made of: shared options, what their words ask for, and one way to answer.

A command is a function that gets the open base and its options, and returns an `Answer`: the record
that `--json` prints, and the lines of the page. Its docstring is its help, and declares its options: a
summary, examples, paragraphs and options. An example is a line that begins with a command, two blanks or
more, and what it does; an option is a line of the same kind.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import date
from inspect import cleandoc
from keyword import iskeyword
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from variorum import errors, files, terminal
from variorum.answers.crosswalk import meanings
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, WORDS, Asked, days_of, parse_questions, split_pair
from variorum.cli.wording import earlier_lines, fitted, print_note
from variorum.records.answer import json_text
from variorum.rows import EditionRow
from variorum.text import plain_words

_Function = Callable[..., Any]
_Settings = dict[str, dict[str, Any]]
Ends = tuple[EditionRow, EditionRow]
STANDARD_INPUT = ("-",)
_MOST_WORDS = 9  # in the name of a set
# What may stand before an edition or a term.
_JOINING = {"and", "between", "from", "in", "of", "on", "since", "the", "to", "vs", "vs."}
# The commands that would change a base, and those that answer without words.
_CHANGING = {"accept", "build", "cards", "sync"}
_ANSWER_FROM_NUMBERS = {"show", "where", "history", "editions", "crosswalk", "toc", "audit"}


class Answer(NamedTuple):
    """The answer of a command: its JSON, the lines of its page, the items of `--jsonl` if it is no list.

    Yielded lines are asked for only if the page is printed. `failed` are the errors of other questions.
    """

    record: object
    page: Iterable[str]
    items: Iterable[object] | None = None
    code: int = 0
    failed: Sequence[errors.VariorumError] = ()


class HelpText(NamedTuple):
    """The parts of a help page; an example and an option are a line, and what it does or means."""

    summary: str
    examples: list[tuple[str, str]]
    paragraphs: list[str]
    options: list[tuple[str, str]]


def parse_help(text: str) -> HelpText:
    r"""Return the parts of a command's help.

    >>> parse_help("Show a rule.\n\ncr 1   the first\ncr 2\n\n--on EDITION  The edition: a day\n  or a set.")[1::2]
    ([('cr 1', 'the first'), ('cr 2', '')], [('--on EDITION', 'The edition: a day or a set.')])
    """
    summary, *parts = cleandoc(text).split("\n\n")
    page = HelpText(" ".join(summary.split()), [], [], [])
    for part in parts:
        lines = re.sub(r"\n\s+", " ", part.removeprefix("\b\n").strip()).split("\n")
        if lines[0].startswith(("cr ", "eval ", "-")):
            rows = page.options if lines[0][0] == "-" else page.examples
            rows += [(name, said.strip()) for name, _, said in (it.partition("  ") for it in lines)]
        else:
            page.paragraphs.append(" ".join(part.split()))
    return page


class HelpFormatter(click.HelpFormatter):
    """Click's own, with examples in a section after the summary."""

    def write_text(self, text: str) -> None:
        """Write the text of a help page."""
        page = parse_help(text)
        super().write_text(page.summary)
        if page.examples:
            with self.section("Examples" if len(page.examples) > 1 else "Example"):
                self.write_dl(page.examples, col_max=40)
        for paragraph in page.paragraphs:
            self.write_paragraph()
            super().write_text(paragraph)


def today() -> date:
    """Return the user's own day; only commands read the clock."""
    return date.fromisoformat(time.strftime("%Y-%m-%d"))


def now_words() -> str:
    """Return the moment in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


def open_base(folder: Path | None) -> KnowledgeBase:
    """Open the base of a command; before there is one, some commands answer from numbers alone."""
    try:
        return KnowledgeBase.open(folder, today=today())
    except errors.NoBaseError:
        ctx = click.get_current_context(silent=True)
        if folder or ctx is None or ctx.command.name not in _ANSWER_FROM_NUMBERS:
            raise
    from variorum.build.numbers import numbers_folder

    note = "no knowledge base yet: numbers, days and titles alone; cr sync brings the words"
    ctx.call_on_close(lambda: print_note(note))
    return KnowledgeBase.open(numbers_folder(), today=today())


def open_asked(folder: Path | None) -> KnowledgeBase:
    """Open the base for a question; at exit, print which editions were in force on its days."""
    base, ctx = open_base(folder), click.get_current_context()
    if not (ctx.params.get("as_json") or ctx.params.get("as_lines")):
        ctx.call_on_close(lambda: [*map(print_note, base.day_notes())])
    return base


def file_names(base: KnowledgeBase) -> dict[str, str]:
    """Return the names of the archive's files, by hash; a witness without a title is called so."""
    from variorum.documents.archive import Archive

    with suppress(errors.BaseError):
        return Archive(base.folder / files.DOCUMENTS).names()
    return {}


def _kb(ctx: click.Context, _: object, value: Path | None) -> Path | None:
    if not ctx.find_root().params.get("sample"):
        return value
    refuse_together(("--sample", True), ("--kb", value))
    if ctx.info_name in _CHANGING:
        raise click.UsageError("--sample cannot be changed; --kb FOLDER names your own base")
    from variorum.files import current_meta

    ctx.call_on_close(lambda: print_note("--sample: an invented rulebook, not the real rules"))
    folder = files.cache_folder() / "sample" / current_meta()["base"]
    if not (folder / "kb.sqlite").exists():
        from variorum.build.build import Builder

        list(Builder(folder, now="", jobs=1).build([files.SAMPLE_RULEBOOK]))
    return folder


def complete(ctx: click.Context, _: object, begun: str) -> list[str]:
    """Return the editions, and numbers and headwords of any of them, that begin with some letters."""
    folder = ctx.params.get("kb")
    with suppress(errors.VariorumError), ctx.scope(cleanup=False), open_base(folder) as base:
        return base.designators(begun) + (base.words_with(begun.casefold()) if begun else [])
    return []


def named_path(value: str | Path) -> Path:
    """Return a path; an empty name is refused, although `Path` would read it as the current folder."""
    if not str(value).strip():
        raise click.BadParameter("a path cannot be empty")
    return Path(value)


def is_file_name(word: str | Path) -> bool:
    """Return whether a word names a file rather than an edition, a rule or quoted words.

    >>> is_file_name("new/rules"), is_file_name("rules.txt"), is_file_name("702.19b")
    (True, True, False)
    """
    path = Path(word)
    is_path = path.name != str(word) or bool(re.search(r"\.[A-Za-z]\w*\Z", path.name))
    with suppress(OSError, ValueError):  # too long a name, or no name
        return path.exists() or (is_path and " " not in str(word))
    return False


def site_address(value: str) -> str:
    """Return the address of a copy of the website: small letters before the path, a final slash; or ""."""
    match = re.fullmatch(r"(?i)(https?://[^/?#\s\"<>]+)((?:/[^/?#\s\"<>]+)*)/?", value.strip())
    if value and not match:
        how = "as a browser shows it, without ? and #"
        raise click.BadParameter(f"{value!r}: takes https://host or https://host/path, {how}")
    return f"{match[1].lower()}{match[2]}/" if match else ""


# What the name of a value says of it.
_COMPLETED = ("A", "DATE", "EDITION", "FILES", "NUMBER", "QUESTION")
_BY_METAVAR: _Settings = {
    **{name: {"type": named_path} for name in ("FILE", "FOLDER", "PATHS")},
    **{name: {"shell_complete": complete} for name in _COMPLETED},
    "N": {"type": click.IntRange(1)},
    "URL": {"type": site_address, "default": ""},
}


def option(declared: str, words: str, settings: _Settings) -> click.Option:
    """Return an option declared as in a help page, "-o, --output FILE", with settings of click by name."""
    names, _, metavar = declared.rpartition(" ") if declared[-1].isupper() else (declared, "", "")
    flags = names.split(", ")
    name = flags[-1].lstrip("-").replace("-", "_")
    kind: dict[str, Any] = {"name": f"{name}_" if iskeyword(name) else name}
    kind |= {"metavar": metavar} if metavar else {"is_flag": True}
    kind |= {"multiple": True} if "May be repeated." in words else {}
    if metavar in {"KIND", "STATUS", "FORM"}:  # help lists the choices
        kind["type"] = click.Choice(words.partition(": ")[2].partition(".")[0].split(", "))
    kind |= _BY_METAVAR.get(metavar, {}) | settings.get(kind["name"], {})
    return click.Option([*flags, kind.pop("name")], help=words, **kind)


_SHARED_HELP = """Options that a docstring only names.

--on EDITION   Use this edition: a day, a month, a year, a set, first, latest, current or today.
               Default: current.
--only         Leave out subrules.
--json         Print JSON (docs/json.md).
--jsonl        Print JSON lines, one for each item (docs/json.md).
--kb FOLDER    Folder of the knowledge base. Default: VARIORUM_KB, or your data folder.
--site URL     Address of your copy of the website, used in links. Default: VARIORUM_SITE.
"""
_SETTINGS: _Settings = {
    "json": {"name": "as_json"},
    "jsonl": {"name": "as_lines"},
    "kb": {"callback": _kb},
    "site": {"envvar": "VARIORUM_SITE"},
}
_SHARED = {
    head.split()[0]: option(head, said, _SETTINGS)
    for head, said in parse_help(_SHARED_HELP).options
}
KB = _SHARED["--kb"]


def command(
    *params: str | click.Parameter,
    apart: Sequence[str] = (),
    cls: type[click.Command] = click.Command,
    is_alone: bool = False,
    more: str = "",
    context_settings: dict[str, Any] | None = None,
    **settings: Any,  # noqa: ANN401 - as click has it
) -> Callable[[_Function], click.Command]:
    """Return a decorator that makes a command of a function.

    A parameter that is a str is how help names the arguments, which the command gets as `words`. Of each
    group of options in `apart` only one may be given. `more` declares options of several commands;
    `settings` are those of `option`. A command that `is_alone` gets no base.
    """

    def made(function: _Function) -> click.Command:
        def run(**given: object) -> None:
            ctx, typed = click.get_current_context(), set[str]()
            for it in ctx.command.params:
                if ctx.get_parameter_source(it.name or "") is ParameterSource.COMMANDLINE:
                    typed |= {*it.opts, *(["--json"] if it.name == "as_lines" else [])}
            for group in apart:
                refuse_together(*[(flag, flag in typed) for flag in group.split()])
            o = SimpleNamespace(**{"as_json": False, "as_lines": False, **given})
            o.as_json |= o.as_lines
            with ExitStack() as open_:
                base = () if is_alone else (open_.enter_context(open_asked(o.kb)),)
                if answer := function(*base, o):
                    _print(answer, o)

        text = f"{cleandoc(function.__doc__ or '')}\n{more}"
        known = [_words(it) if isinstance(it, str) else it for it in params]
        for head, said in parse_help(text).options:
            named = [] if said else [_SHARED[each] for each in head.split()]
            known += named or [option(head, said, settings)]
        known += [KB] if KB not in known and not is_alone else []
        return cls(function.__name__, context_settings, params=known, callback=run, help=text)

    return made


def _words(metavar: str) -> click.Argument:
    named = _BY_METAVAR.get(re.sub(r"\W*(\w+)(?![\w|]).*", r"\1", metavar), {})
    return click.Argument(["words"], metavar[0] != "[", nargs=-1, metavar=metavar, **named)


def answered(
    base: KnowledgeBase, words: tuple[str, ...], find: _Function
) -> tuple[list[list[Subject]], list[errors.VariorumError]]:
    """Return what each question names, and the errors of others; "-" is for those on standard input."""
    is_listed = words == STANDARD_INPUT
    data = files.read_whole() if is_listed else " ".join(words).encode()
    answers, failed = list[list[Subject]](), list[errors.VariorumError]()
    for place, line in enumerate(data.decode(errors="replace").splitlines() or [""], start=1):
        for asked in parse_questions(line) if line.strip() or not is_listed else ():
            try:
                answers.append(_found(base, asked, find))
            except errors.VariorumError as missing:
                if asked.kind == NUMBER and base.current and type(missing) is errors.NotFoundError:
                    once = meanings(base, asked.word, base.current.place)
                    former = earlier_lines(base, [it for it in once if it.now != asked.word])
                    missing.also = former if len(former) > 1 else missing.also
                missing.args = (f"line {place}: " * is_listed + str(missing), *missing.args[1:])
                failed.append(missing)
    return answers, failed


def _found(base: KnowledgeBase, asked: Asked, find: _Function) -> list[Subject]:
    """Return what a question names; a term may have another form, a number words behind it."""
    kind, text, _, beside = asked
    try:
        return [*find(asked)]
    except errors.NoEditionError as error:
        is_plain = kind != WORDS and beside and not any(map(str.isdigit, beside))
        if not is_plain or ("near:" in str(error) and not base.has(beside)):
            raise
        typed = f"cr search {beside} --in {text.partition('.')[0]}"
        print_note(f"“{beside}” names no edition; {typed} searches there")
        return _found(base, asked._replace(edition=""), find)
    except errors.NotFoundError:
        from variorum.words import stem_of  # it reads a table

        stems = [*map(stem_of, plain_words(text))]
        for word in base.words_with(text[:3]) if kind == WORDS and text[:1].isalpha() else ():
            if word != text and [*map(stem_of, plain_words(word))] == stems:
                return [*find(asked._replace(word=word))]
        raise


def is_number(word: str) -> bool:
    """Return whether a word is a number or a range rather than a term or an edition."""
    return parse_questions(word)[0].kind != WORDS


def take_edition(
    base: KnowledgeBase, words: tuple[str, ...], default: str = "", *, is_start: bool = False
) -> tuple[EditionRow, tuple[str, ...]]:
    """Split words into the edition at their beginning, as many words as name one, and the rest.

    A number or term may also come before the edition, or with a default alone. `is_start` reads a month or a
    year as its first day; a time before the first edition means that one.
    """
    words = _without_joining(base, words)
    begun = [" ".join(words[:count]).lower() for count in range(1, len(words) + 1)]
    if default and all(map(is_number, words)):
        return base.edition(default), words
    turned = [at for at, it in enumerate(begun[:-1], 1) if is_number(it) or base.runs(it)]
    # "first strike" begins with no edition.
    least = max([at for at, it in enumerate(begun, 1) if base.runs(it)], default=1)
    missing: errors.VariorumError = errors.NotFoundError("")
    for at in [0, *turned]:
        turn = _without_joining(base, words[at:] + words[:at])
        for count in range(min(len(turn), _MOST_WORDS), 0 if at else least - 1, -1):
            name = " ".join(turn[:count])
            day = days_of(name, base.today)[0] if is_start else ""
            try:
                edition = base.edition(max(day, base.labels[0][:10]) if day else name)
                return edition, _without_joining(base, turn[count:])
            except (errors.NoEditionError, errors.AmbiguousError) as error:
                missing = missing if at else error
    if default and base.has(" ".join(words)):
        return base.edition(default), words
    if words and "." in words[0] and (is_number(words[0]) or words[0][-1].isalpha()):
        how = "cr where finds a number in other editions, cr identify the edition of a file"
        missing.args = (f"{words[0]}: not an edition; {how}",)
    raise missing


def _without_joining(base: KnowledgeBase, words: tuple[str, ...]) -> tuple[str, ...]:
    while words[1:] and words[0].lower() in _JOINING and not base.runs(" ".join(words).lower()):
        words = words[1:]
    return words


def take_pair(base: KnowledgeBase, words: tuple[str, ...]) -> tuple[Ends, tuple[str, ...]]:
    """Split words into two editions, "A B" or "A..B", and the rest; A alone is compared with current, or what precedes it."""
    names = [it for word in words for it in (not is_number(word) and split_pair(word)) or (word,)]
    first, rest = take_edition(base, tuple(names))
    second, others = take_edition(base, rest, "current")
    if first == second and others == rest:
        first = base.before(first) or first
    return (first, second), others


def _print(answer: Answer, o: SimpleNamespace) -> None:
    record, page, items, code, failed = answer
    is_answered = bool(record) or not failed
    if is_answered and o.as_lines:
        for item in (record if isinstance(record, list) else [record]) if items is None else items:
            click.echo(json_text(item))
    elif is_answered and o.as_json:
        click.echo(json_text(record, indent=1))
    elif is_answered:
        whole = "".join([f"{line}\n" for line in page])
        click.echo(fitted(whole, terminal.page_width()), nl=False)
    for error in failed if is_answered else failed[:-1]:
        print_note(explained(error))
    if not is_answered:
        raise failed[-1]
    if code := max([code, *(error.exit_code for error in failed)]):
        raise click.exceptions.Exit(code)


def explained(error: errors.VariorumError) -> str:
    """Return the line of an error, and further lines of it."""
    return "\n  ".join([str(error), *error.also])


def refuse_together(*options: tuple[str, object]) -> None:
    """Refuse options, each with whether it was given, if more than one was."""
    given = [name for name, is_there in options if is_there]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} cannot be used together; give one of them")
