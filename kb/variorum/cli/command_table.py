"""The table of commands and their aliases; imports nothing."""

# The groups of `cr --help`: the commands of each, with their one-line help.
GROUPS = {
    "Look up": {
        "show": 'Show a rule, a section or a term; "show" is optional.',
        "search": "Search rules and glossary.",
        "ask": "Find the rules that answer a question.",
        "card": "Show a card and the rules that govern it.",
        "toc": "List chapters and sections.",
        "glossary": "List terms, or show an entry.",
        "refs": "Show what a rule cites, and what cites it.",
    },
    "Through time": {
        "history": "Show the history of a rule, its words or its evidence.",
        "where": "Find a rule's number in another edition.",
    },
    "Between editions": {
        "diff": "Show what changed between two editions, or in a draft.",
        "changes": "Show what an edition changed.",
        "since": "Show what changed since a date.",
        "crosswalk": "List old and new numbers of all rules.",
        "editions": "List all editions.",
        "export": "Print a whole edition.",
    },
    "Check your files": {
        "audit": "Find stale citations in your files.",
        "identify": "Find the source of quoted words, or the edition of a document.",
        "read": "Show how a document is read; no line is lost.",
        "watch": "Watch rules and files; cr sync says what changed.",
        "lint": "Show known errors of an edition.",
    },
    "Build and publish": {
        "sync": "Fetch new editions and build them in.",
        "build": "Add documents to the knowledge base.",
        "cards": "Add cards for cr ask and cr card.",
        "kb": "Check, list, export or accept stored documents.",
        "doctor": "Find problems with this set-up, or damage.",
        "site": "Build the website of all editions, or show it.",
        "mcp": "Serve the rules to language models.",
        "schema": "Print the JSON Schema of an answer.",
        "completion": "Print the completion script for a shell.",
        "demo": "Take a short tour of the sample rulebook.",
    },
}
# The modules of commands without a module of their own in `cli/commands/`. They may be in other packages,
# since they are only imported when called.
_ELSEWHERE = {
    "changes": "variorum.cli.commands.diff",
    "since": "variorum.cli.commands.diff",
    "crosswalk": "variorum.cli.commands.where",
    "sync": "variorum_crawler.cli.sync",
    "kb": "variorum_crawler.cli.kb",
    "doctor": "variorum_crawler.cli.doctor",
    "site": "variorum_site.cli",
    "mcp": "variorum.mcp.command",
}
# The module of each command.
COMMANDS = {
    name: _ELSEWHERE.get(name, f"variorum.cli.commands.{name}")
    for group in GROUPS.values()
    for name in group
}
# Aliases, which no help mentions: former names, and names that other tools have.
OTHER_NAMES = {
    "accept": ("kb", "accept"),
    "archive": ("kb", "documents"),
    "blame": ("history", "--words"),
    "check": ("doctor", "--deep"),
    "ledger": ("read", "--ledger"),
    "log": ("history",),
    "preview": ("diff", "current"),
    "resolve": ("identify", "--quoted"),
    "serve": ("site", "--serve"),
    "why": ("history", "--evidence"),
}
# What to use instead of a command that is gone.
GONE = {
    "witnesses": "cr history NUMBER --witnesses shows what other documents quote of a rule, "
    "cr identify FILE what a document quotes",
}
# Words that are answered with a suggestion: what other tools call a command.
LIKELY_MEANT = {
    "annotate": "history --words",
    "compare": "diff",
    "contents": "toc",
    "find": "search",
    "get": "show",
    "grep": "search",
    "list": "editions",
    "ls": "editions",
    "update": "sync",
    "verify": "doctor --deep",
}
# Options before a command that take a value.
WITH_VALUE = ("--kb", "--on", "--from", "--to")
_OF_THE_PROGRAM = ("-h", "--help", "--version")


def arranged(arguments: list[str]) -> list[str]:
    """Return arguments in the order that the program expects: a command, then its options.

    >>> arranged(["--kb", "rules", "blame", "511"])
    ['history', '--words', '511', '--kb', 'rules']
    >>> arranged(["help", "diff"]), arranged(["version"]), arranged(["--on", "M10", "702.19"])
    (['diff', '--help'], ['--version'], ['--on', 'M10', '702.19'])
    """
    place = 0
    while place < len(arguments) and arguments[place][:1] == "-" != arguments[place]:
        place += 2 if arguments[place] in WITH_VALUE else 1
    options, words = arguments[:place], arguments[place:]
    asked = [option for option in options if option in _OF_THE_PROGRAM]
    if not words:
        return asked or arguments
    name, *rest = words
    if name == "version" and not rest:
        return ["--version"]
    if name == "help":
        topic = [*OTHER_NAMES.get(rest[0], rest[:1]), *rest[1:]] if rest else []
        return [*topic, "--help"] if not topic or topic[0] in COMMANDS else words
    name, *more = OTHER_NAMES.get(name, (name,))
    if name not in COMMANDS:
        return arguments
    rest = [*more, *rest]
    return [name, *options, *rest] if "--" in rest else [name, *rest, *options]
