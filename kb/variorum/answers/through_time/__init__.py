"""Answers about provisions through time: histories, heirs, blame."""
