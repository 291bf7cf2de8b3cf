"""Finds the rules that answer questions in plain words about cards, names and stories."""
