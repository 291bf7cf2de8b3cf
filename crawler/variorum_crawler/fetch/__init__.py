"""Fetch documents from the web politely, and trust no server."""
