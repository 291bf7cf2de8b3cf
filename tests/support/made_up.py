# ruff: noqa: T201 - a program that prints
"""Print texts with citations put together by chance from the sample rulebook; a program for transcripts.

`made_up.py SEED COUNT` prints a text a line, in which ⏎ is a line feed: most pair the number of a rule
with the words of another one, which an audit has to notice.
"""

import random
import sys

import variorum

FORMS = """\
// CR {a}: {b_words}
// CR {a} / CR {b}: {a_words}
// {b_words}⏎// {a_few} (CR {a}), see CR {b}.
| CR {a} | {b_words} | {a_words} |
| {b_words} (CR {a}) | {a_few} |
/**⏎ * CR {a}⏎ * {b_words}⏎ * {a_words}⏎ */
x = 1;  // CR {a}: {b_few}⏎        // {b_words}⏎let {a_few} = 2;
Per CR {a}-{b}, {a_words}
{b_name} and {a_name}: CR {a}, CR {b}. {b_few}
“{b_words}” (CR {a}); {a_few}
{b_name} (CR {a})⏎⏎# CR {a}: {a_few}
.push("{b_few} (CR {a})".to_string()); // {a_words}
- CR {a}⏎  {b_words}⏎- CR {b}⏎  {b_few}
# {b_words} CR {a}. {a_words}
CR {a} ({b_name}), CR {b} ({a_name})
// CR {a}: {b_name}; Keeper::{b_few}. {b_words}
CR {a} (of 2003-02): {b_words} CR {b}: {b_name}
rules {a}, {b} and 999.9: {b_words}
CR {a}: {b_few}
# {a_few}, CR {a}, unless boats leave oil for cards of another turn""".splitlines()


def main() -> None:
    """Print the texts."""
    chance, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    with variorum.open() as base:
        days = [edition.label for edition in base.editions][::2]
        rules = [
            rule
            for day in days
            for chapter in "123456789"
            for rule in below(base, chapter, day)
            if "." in rule.number and "#" not in rule.address and rule.text
        ]
    for place in range(count):
        a, b = chance.sample(range(len(rules)), 2)
        b = (a + 1) % len(rules) if place % 3 == 0 else b  # a subrule's neighbour
        print(text_of(FORMS[place % len(FORMS)], rules[a], rules[b], chance))


def below(base: variorum.Base, chapter: str, day: str) -> list[variorum.Provision]:
    """Return the rules of a chapter, or none if an edition has no such chapter."""
    try:
        return base.below(chapter, day)
    except variorum.NotFoundError:
        return []


def text_of(form: str, a: variorum.Provision, b: variorum.Provision, chance: random.Random) -> str:
    """Return a text of a form about two rules."""
    a_words, b_words = a.text.split(), b.text.split()
    start = chance.randrange(max(1, len(b_words) - 9))
    return form.format(
        a=a.number,
        b=b.number,
        a_words=" ".join(a_words[:8]),
        b_words=" ".join(b_words[start : start + 9]),
        a_few=" ".join(a_words[1:6:2]),
        b_few=" ".join(b_words[1:9:2]),
        a_name=a.heading or "Keeper",
        b_name=b.heading or "Escort",
    )


if __name__ == "__main__":
    main()
