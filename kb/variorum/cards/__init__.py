"""The user's cards, kept beside a base and found by name in any text."""
