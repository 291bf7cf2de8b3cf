"""Reads partial documents and articles as passages, and accounts for every line."""
