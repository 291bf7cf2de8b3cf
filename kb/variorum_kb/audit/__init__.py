"""Finds citations of rules in files of any kind, dates, judges and rewrites them."""
