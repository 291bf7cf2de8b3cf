"""The table of commands; imports nothing."""

# Name, the module that holds the command, its one-line help. Modules of the other packages may
# stand here too, since they are imported only when asked for.
COMMANDS = {
    "audit": ("variorum_kb.cli.audit", "Find citations in files that the rules outgrew."),
    "blame": ("variorum_kb.cli.blame", "Show since when each word of a rule stands there."),
    "build": ("variorum_kb.cli.build", "Take documents into the knowledge base."),
    "changes": ("variorum_kb.cli.diff", "Show what an edition changed."),
    "check": ("variorum_kb.cli.check", "Look for damage in the knowledge base."),
    "completion": ("variorum_kb.cli.completion", "Print the completion script for a shell."),
    "crosswalk": ("variorum_kb.cli.where", "Say what became of all numbers of an edition."),
    "demo": ("variorum_kb.cli.demo", "Take a short tour of the sample rulebook."),
    "diff": ("variorum_kb.cli.diff", "Show what changed between two editions."),
    "editions": ("variorum_kb.cli.editions", "List all editions."),
    "export": ("variorum_kb.cli.export", "Print a whole edition."),
    "glossary": ("variorum_kb.cli.glossary", "List headwords, or show an entry."),
    "history": ("variorum_kb.cli.history", "Show the whole life of a rule."),
    "ledger": ("variorum_kb.cli.ledger", "Account for every line of editions."),
    "identify": ("variorum_kb.cli.identify", "Say which editions a document can come from."),
    "lint": ("variorum_kb.cli.lint", "Show what is wrong in an edition by its own measure."),
    "read": ("variorum_kb.cli.read", "Read documents and prove that nothing was lost."),
    "refs": ("variorum_kb.cli.refs", "Show what a rule cites, and what cites it."),
    "resolve": ("variorum_kb.cli.resolve", "Find the rule that quoted words come from."),
    "search": ("variorum_kb.cli.search", "Search rules and glossary by words."),
    "since": ("variorum_kb.cli.diff", "Show what changed since a day."),
    "serve": ("variorum_site.cli", "Look at the website in a browser."),
    "show": ("variorum_kb.cli.show", "Show a rule, a section or a term; can be left out."),
    "site": ("variorum_site.cli", "Build the website of all editions."),
    "toc": ("variorum_kb.cli.toc", "List chapters and sections."),
    "where": ("variorum_kb.cli.where", "Say what a number of one edition is in another."),
    "why": ("variorum_kb.cli.why", "Say why we believe where a rule came from."),
}
