"""Finds the days of known editions, including editions whose text has not been read.

Look-ups use this module, so it imports nothing, and reads only the days in the tables.
"""


def missing_day(held: str, until: str) -> str:
    """Return the day of the newest known edition between an edition and a day; "" if none.

    Args:
        held: The effective date of the edition. The result is "" if the edition is unknown.
        until: The last day that counts.

    >>> missing_day("2006-02-01", "2006-06-30"), missing_day("2006-02-01", "2006-04-30")
    ('2006-05-01', '')
    """
    path = f"{__file__.rpartition('known_days')[0]}editions.tsv"
    with open(path, encoding="utf-8") as table:  # noqa: PTH123 - pathlib is slow to import
        days = {line[:10]: line.split("\t")[3] for line in table if line[0].isdigit()}
    if not days.get(held):  # unknown, or its text has not been read
        return ""
    return max([day for day in days if held < day <= until], default="")
