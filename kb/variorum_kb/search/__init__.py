"""Search: the index of Whoosh and queries on it; no other room imports Whoosh."""
