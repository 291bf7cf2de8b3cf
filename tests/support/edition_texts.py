"""Small editions as text; tests change a line of them."""

LONG = "This rulebook explains a small game of lamps and boats to people who like to be sure. " * 5

HEAD = """\
Harborlight Comprehensive Rules

These rules are effective as of June 5, 2020.

Introduction

{long}

Contents

1. Game Concepts
100. General
101. Lamps

Glossary

Credits

"""

RULES = """\
1. Game Concepts

100. General

100.1. Two keepers play.

100.1a A keeper has a boat.

100.1b A boat has a lamp.

100.2. The tide turns.
Example: A keeper lights a lamp.
Example: Another keeper puts it out.

101. Lamps

101.1. Wick

101.1a A wick burns.

101.2. A lamp with no wick stays dark.

"""

GLOSSARY = """\
Boat
What a keeper has. See rule 100.1a.

Lamp
1. What a boat has.
2. What a keeper lights.

"""

CREDITS = """\
Harborlight Original Game Design: Nobody

These rules are effective as of June 5, 2020.
"""


def page(
    *, head: str = HEAD, rules: str = RULES, glossary: str = GLOSSARY, credits_: str = CREDITS
) -> bytes:
    """Return a small edition in the plain layout, with some part replaced."""
    text = f"{head.format(long=LONG)}{rules}Glossary\n\n{glossary}Credits\n\n{credits_}"
    return text.encode()
