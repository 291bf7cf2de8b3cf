"""The table of commands and their aliases; imports nothing."""

# The groups of `cr --help`, with their commands: name, module, one-line help. Modules of the other
# packages may be named here, since they are only imported when called.
GROUPS = {
    "Look up": {
        "show": (
            "variorum_kb.cli.commands.show",
            'Show a rule, a section or a term; "show" is optional.',
        ),
        "search": ("variorum_kb.cli.commands.search", "Search rules and glossary."),
        "ask": ("variorum_kb.cli.commands.ask", "Find the rules that answer a question."),
        "card": ("variorum_kb.cli.commands.card", "Show a card and the rules that govern it."),
        "toc": ("variorum_kb.cli.commands.toc", "List chapters and sections."),
        "glossary": ("variorum_kb.cli.commands.glossary", "List terms, or show an entry."),
        "refs": ("variorum_kb.cli.commands.refs", "Show what a rule cites, and what cites it."),
        "resolve": ("variorum_kb.cli.commands.resolve", "Find the rule that a quotation is from."),
    },
    "Through time": {
        "history": ("variorum_kb.cli.commands.history", "Show the history of a rule."),
        "where": ("variorum_kb.cli.commands.where", "Find a rule's number in another edition."),
        "why": ("variorum_kb.cli.commands.why", "Show the evidence for where a rule came from."),
        "blame": ("variorum_kb.cli.commands.blame", "Show when each word of a rule was added."),
        "witnesses": (
            "variorum_kb.cli.commands.witnesses",
            "Show other documents that attest a rule.",
        ),
    },
    "Between editions": {
        "diff": ("variorum_kb.cli.commands.diff", "Show what changed between two editions."),
        "changes": ("variorum_kb.cli.commands.diff", "Show what an edition changed."),
        "since": ("variorum_kb.cli.commands.diff", "Show what changed since a date."),
        "preview": (
            "variorum_kb.cli.commands.preview",
            "Show what a draft or a coming edition would change.",
        ),
        "crosswalk": ("variorum_kb.cli.commands.where", "List old and new numbers of all rules."),
        "editions": ("variorum_kb.cli.commands.editions", "List all editions."),
        "export": ("variorum_kb.cli.commands.export", "Print a whole edition."),
    },
    "Check your files": {
        "audit": ("variorum_kb.cli.commands.audit", "Find stale citations in your files."),
        "identify": (
            "variorum_kb.cli.commands.identify",
            "Find the editions a document may come from.",
        ),
        "read": ("variorum_kb.cli.commands.read", "Show how a document is read."),
        "watch": (
            "variorum_kb.cli.commands.watch",
            "Watch rules and files; cr sync says what changed.",
        ),
        "lint": ("variorum_kb.cli.commands.lint", "Show known errors of an edition."),
        "ledger": ("variorum_kb.cli.commands.ledger", "Prove that no line of an edition is lost."),
    },
    "Build and publish": {
        "sync": ("variorum_crawler.cli.sync", "Fetch new editions and build them in."),
        "build": ("variorum_kb.cli.commands.build", "Add documents to the knowledge base."),
        "cards": ("variorum_kb.cli.commands.cards", "Add cards for cr ask and cr card."),
        "accept": ("variorum_crawler.cli.accept", "Accept a document as genuine, or revoke that."),
        "archive": ("variorum_crawler.cli.archive", "Check, list or export stored documents."),
        "check": ("variorum_kb.cli.commands.check", "Look for damage in the knowledge base."),
        "doctor": ("variorum_crawler.cli.doctor", "Find problems with this set-up."),
        "site": ("variorum_site.cli", "Build the website of all editions."),
        "serve": ("variorum_site.cli", "Show the website in a browser."),
        "mcp": ("variorum_mcp.command", "Serve the rules to language models."),
        "completion": (
            "variorum_kb.cli.commands.completion",
            "Print the completion script for a shell.",
        ),
        "demo": ("variorum_kb.cli.commands.demo", "Take a short tour of the sample rulebook."),
    },
}
COMMANDS = {name: row for group in GROUPS.values() for name, row in group.items()}
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
_WITH_VALUE = ("--kb", "--on", "--from", "--to")
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
        place += 2 if arguments[place] in _WITH_VALUE else 1
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
