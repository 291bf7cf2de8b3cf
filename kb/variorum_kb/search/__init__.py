"""Search: the index of Whoosh, and what is asked of it; no other room imports Whoosh."""
