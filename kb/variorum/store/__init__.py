"""The knowledge base on disk: one SQLite file, written at once and read often."""
