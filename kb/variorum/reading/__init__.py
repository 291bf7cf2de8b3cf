"""Reads an edition from a document's bytes and accounts for every line; no file, no clock."""
