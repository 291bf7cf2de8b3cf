"""Search: an index written by Whoosh, and the queries on it. No other room imports Whoosh."""
