"""Rewrites citations, and remembers what was rewritten."""
