"""The table of commands; imports nothing."""

# Name, the module that holds the command, its one-line help. Modules of the other packages may
# stand here too, since they are imported only when asked for.
COMMANDS = {
    "accept": ("variorum_crawler.cli.accept", "Believe a document, or take that back."),
    "archive": ("variorum_crawler.cli.archive", "Check or export the documents of the base."),
    "audit": ("variorum_kb.cli.commands.audit", "Find citations in files that the rules outgrew."),
    "blame": (
        "variorum_kb.cli.commands.blame",
        "Show since when each word of a rule stands there.",
    ),
    "build": ("variorum_kb.cli.commands.build", "Take documents into the knowledge base."),
    "changes": ("variorum_kb.cli.commands.diff", "Show what an edition changed."),
    "check": ("variorum_kb.cli.commands.check", "Look for damage in the knowledge base."),
    "completion": (
        "variorum_kb.cli.commands.completion",
        "Print the completion script for a shell.",
    ),
    "crosswalk": (
        "variorum_kb.cli.commands.where",
        "Say what became of all numbers of an edition.",
    ),
    "demo": ("variorum_kb.cli.commands.demo", "Take a short tour of the sample rulebook."),
    "diff": ("variorum_kb.cli.commands.diff", "Show what changed between two editions."),
    "doctor": ("variorum_crawler.cli.doctor", "Say what is wrong with this set-up."),
    "editions": ("variorum_kb.cli.commands.editions", "List all editions."),
    "export": ("variorum_kb.cli.commands.export", "Print a whole edition."),
    "glossary": ("variorum_kb.cli.commands.glossary", "List headwords, or show an entry."),
    "history": ("variorum_kb.cli.commands.history", "Show the whole life of a rule."),
    "ledger": ("variorum_kb.cli.commands.ledger", "Account for every line of editions."),
    "identify": (
        "variorum_kb.cli.commands.identify",
        "Say which editions a document can come from.",
    ),
    "lint": (
        "variorum_kb.cli.commands.lint",
        "Show what is wrong in an edition by its own measure.",
    ),
    "read": ("variorum_kb.cli.commands.read", "Read documents and prove that nothing was lost."),
    "refs": ("variorum_kb.cli.commands.refs", "Show what a rule cites, and what cites it."),
    "resolve": ("variorum_kb.cli.commands.resolve", "Find the rule that quoted words come from."),
    "search": ("variorum_kb.cli.commands.search", "Search rules and glossary by words."),
    "since": ("variorum_kb.cli.commands.diff", "Show what changed since a day."),
    "serve": ("variorum_site.cli", "Look at the website in a browser."),
    "show": ("variorum_kb.cli.commands.show", "Show a rule, a section or a term; can be left out."),
    "site": ("variorum_site.cli", "Build the website of all editions."),
    "sync": ("variorum_crawler.cli.sync", "Fetch what is published, and build it in."),
    "toc": ("variorum_kb.cli.commands.toc", "List chapters and sections."),
    "where": ("variorum_kb.cli.commands.where", "Say what a number of one edition is in another."),
    "witnesses": (
        "variorum_kb.cli.commands.witnesses",
        "Show who attests a rule besides the editions.",
    ),
    "why": ("variorum_kb.cli.commands.why", "Say why we believe where a rule came from."),
}
