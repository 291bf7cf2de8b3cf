"""Turns the answers of the knowledge base into a static website."""
