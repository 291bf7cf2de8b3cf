"""The kinds of documents that attest rules: each module recognises, reads and compares one kind."""
