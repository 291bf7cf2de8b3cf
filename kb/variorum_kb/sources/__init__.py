"""Recognises documents that are not editions, reads them and compares them with the editions."""
