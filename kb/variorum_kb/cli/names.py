"""The table of commands; imports nothing."""

# Name, the module that holds the command, its one-line help. Modules of the other packages may
# stand here too, since they are imported only when asked for.
COMMANDS = {
    "build": ("variorum_kb.cli.build", "Take documents into the knowledge base."),
    "check": ("variorum_kb.cli.check", "Look for damage in the knowledge base."),
    "completion": ("variorum_kb.cli.completion", "Print the completion script for a shell."),
    "demo": ("variorum_kb.cli.demo", "Take a short tour of the sample rulebook."),
    "editions": ("variorum_kb.cli.editions", "List all editions."),
    "export": ("variorum_kb.cli.export", "Print a whole edition."),
    "glossary": ("variorum_kb.cli.glossary", "List headwords, or show an entry."),
    "ledger": ("variorum_kb.cli.ledger", "Account for every line of editions."),
    "read": ("variorum_kb.cli.read", "Read documents and prove that nothing was lost."),
    "refs": ("variorum_kb.cli.refs", "Show what a rule cites, and what cites it."),
    "show": ("variorum_kb.cli.show", "Show a rule, a section or a term; can be left out."),
    "toc": ("variorum_kb.cli.toc", "List chapters and sections."),
}
