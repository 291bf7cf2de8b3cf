"""Reads the shown lines of HTML, Markdown, wikitext and plain text."""
