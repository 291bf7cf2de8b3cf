"""Decides whether a fetched document may be built in: judge, quarantine and held editions."""
