"""How large a file may be that the program reads, in bytes; a larger one is refused or left out.

A reader may have further limits, such as the characters of a wiki page or the parts of a Word file.
`system/workers.py` limits the time and memory for reading a document.
"""

LARGEST_EDITION = 16 * 2**20
"""For a file that `cr build` reads. The longest edition has 1.8 MB, the longest original 2.8 MB."""
LARGEST_ZIP = 2 * 2**30
"""For a ZIP, unpacked. A thousand editions have less; documents are unpacked one at a time."""
LARGEST_WITNESS = 64_000_000
"""For a document that is not an edition."""
LARGEST_AUDITED = 64_000_000
"""For a file in which `cr audit` looks for citations."""
LARGEST_CARD = 16 * 2**20
"""For one entry of a file of cards, unpacked, in characters."""
LARGEST_SETTINGS = 16 * 2**20
"""For settings, baselines, and lists of numbers. A baseline of 10,000 findings has 1.5 MB."""
