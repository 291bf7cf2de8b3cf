"""Judges citations by number, date and the words beside them."""
