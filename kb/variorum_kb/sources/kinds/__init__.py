"""The kinds of witnesses: each module recognises, reads and compares one kind."""
