"""The kinds of documents that attest rules: each recognises, reads and compares its own."""
