"""The days of all known editions, those whose text has not been read included; imports nothing.

Look-ups ask for them, so the table of editions is only scanned for its days.
"""

_READ = "effective = "


def missing_day(held: str, until: str) -> str:
    """Return the day of the last known edition after one and until a day; "" if there is none.

    Args:
        held: The effective date of an edition; after an unknown edition, nothing is missing.
        until: A day.

    >>> missing_day("2006-02-01", "2006-06-30"), missing_day("2006-02-01", "2006-04-30")
    ('2006-05-01', '')
    """
    folder = __file__.rpartition("known_days")[0]
    with open(f"{folder}editions.toml", encoding="utf-8") as table:  # noqa: PTH123 - pathlib is slow to import
        read = [line.removeprefix(_READ).strip() for line in table if line.startswith(_READ)]
    if held not in read:
        return ""
    with open(f"{folder}unread.tsv", encoding="utf-8") as table:  # noqa: PTH123 - likewise
        unread = [line.partition("\t")[0] for line in table if line[0].isdigit()]
    return max([day for day in (*read, *unread) if held < day <= until], default="")
