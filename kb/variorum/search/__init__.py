"""Search: an index of words, the queries on it, and the passages that answer a question."""
