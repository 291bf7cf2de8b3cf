"""What pages call provisions and editions, and the pages of what is called so."""

from variorum.rows import EditionRow, State, headword_of
from variorum_site import urls
from variorum_site.pages.markup import unmarked
from variorum_site.render import in_words

GLOSSARY = "glossary"
HEADS = {"chapter", "section"}


def page_of(state: State) -> urls.Page:
    """Return the page of a state's number or headword."""
    return urls.entry(state.heading) if state.kind == GLOSSARY else urls.rule(state.number)


def page_of_name(name: str) -> urls.Page:
    """Return the page of a name in an answer: an address, or "glossary: " and a headword."""
    headword = headword_of(name)
    return urls.entry(headword) if headword else urls.rule(name.partition("#")[0])


def for_readers(name: str) -> str:
    """Return a number, or how readers call an entry of the glossary."""
    headword = headword_of(name)
    return f"the entry “{unmarked(headword)}”" if headword else name


def called(state: State) -> str:
    """Return the address of a provision, or its headword."""
    return state.heading if state.kind == GLOSSARY else state.address


def titled(number: str, heading: str, between: str = ". ") -> str:
    """Return the number of a provision with its heading, if there is one."""
    return f"{number}{between}{heading}" if heading else number


def of_edition(edition: EditionRow) -> str:
    """Return the usual name of an edition: its set, else its day."""
    return edition.set_name or in_words(edition.label)
