"""The mark of our database files and the version of their layout; imports nothing.

A base with an older version is refused until a build replaces it, one with a newer version always.
"""

# "vrrm", as SQLite's `application_id`.
APPLICATION = 0x7672726D
# SQLite's `user_version`. It counts up when `store/schema.sql` or the content of a column changes.
SCHEMA = 11
