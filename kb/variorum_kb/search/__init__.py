"""Search: the index that Whoosh writes and queries on it; no other room imports Whoosh."""
