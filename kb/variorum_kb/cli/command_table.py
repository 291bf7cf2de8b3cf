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
        "resolve": "Find the rule that a quotation is from.",
    },
    "Through time": {
        "history": "Show the history of a rule.",
        "where": "Find a rule's number in another edition.",
        "why": "Show the evidence for where a rule came from.",
        "blame": "Show when each word of a rule was added.",
        "witnesses": "Show other documents that attest a rule.",
    },
    "Between editions": {
        "diff": "Show what changed between two editions.",
        "changes": "Show what an edition changed.",
        "since": "Show what changed since a date.",
        "preview": "Show what a draft or a coming edition would change.",
        "crosswalk": "List old and new numbers of all rules.",
        "editions": "List all editions.",
        "export": "Print a whole edition.",
    },
    "Check your files": {
        "audit": "Find stale citations in your files.",
        "identify": "Find the editions a document may come from.",
        "read": "Show how a document is read.",
        "watch": "Watch rules and files; cr sync says what changed.",
        "lint": "Show known errors of an edition.",
        "ledger": "Prove that no line of an edition is lost.",
    },
    "Build and publish": {
        "sync": "Fetch new editions and build them in.",
        "build": "Add documents to the knowledge base.",
        "cards": "Add cards for cr ask and cr card.",
        "accept": "Accept a document as genuine, or revoke that.",
        "archive": "Check, list or export stored documents.",
        "check": "Look for damage in the knowledge base.",
        "doctor": "Find problems with this set-up.",
        "site": "Build the website of all editions.",
        "serve": "Show the website in a browser.",
        "mcp": "Serve the rules to language models.",
        "completion": "Print the completion script for a shell.",
        "demo": "Take a short tour of the sample rulebook.",
    },
}
# The modules of commands without a module of their own in `cli/commands/`. They may be in other packages,
# since they are only imported when called.
_ELSEWHERE = {
    "changes": "variorum_kb.cli.commands.diff",
    "since": "variorum_kb.cli.commands.diff",
    "crosswalk": "variorum_kb.cli.commands.where",
    "sync": "variorum_crawler.cli.sync",
    "accept": "variorum_crawler.cli.accept",
    "archive": "variorum_crawler.cli.archive",
    "doctor": "variorum_crawler.cli.doctor",
    "site": "variorum_site.cli",
    "serve": "variorum_site.cli",
    "mcp": "variorum_mcp.command",
}
# The module of each command.
COMMANDS = {
    name: _ELSEWHERE.get(name, f"variorum_kb.cli.commands.{name}")
    for group in GROUPS.values()
    for name in group
}
# Aliases: names that other tools have for these commands.
_OTHER_NAMES = {"log": "history"}
# Words that are answered with a suggestion.
LIKELY_MEANT = {
    "annotate": "blame",
    "compare": "diff",
    "contents": "toc",
    "find": "search",
    "get": "show",
    "grep": "search",
    "list": "editions",
    "ls": "editions",
    "update": "sync",
    "verify": "check",
}
# Options before a command that take a value.
WITH_VALUE = ("--kb", "--on", "--from", "--to")
_OF_THE_PROGRAM = ("-h", "--help", "--version")


def arranged(arguments: list[str]) -> list[str]:
    """Return arguments in the order that the program expects: a command, then its options.

    >>> arranged(["--kb", "rules", "log", "511"])
    ['history', '511', '--kb', 'rules']
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
        topic = _OTHER_NAMES.get(rest[0], rest[0]) if rest else ""
        return (
            [topic, *rest[1:], "--help"] if topic in COMMANDS else ["--help"] if not rest else words
        )
    name = _OTHER_NAMES.get(name, name)
    if name not in COMMANDS:
        return arguments
    return [name, *options, *rest] if "--" in rest else [name, *rest, *options]
