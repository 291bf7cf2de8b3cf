"""Finds, dates, judges and rewrites citations of rules in files of any kind."""
