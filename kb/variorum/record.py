"""Tuples whose columns have names; imports next to nothing.

`typing.NamedTuple` and dataclasses take longer to import than a look-up takes.
"""

try:  # what `collections.namedtuple` is made of, where Python has it: twice as fast
    from _collections import _tuplegetter as column  # type: ignore[import-not-found]
except ImportError:
    from operator import itemgetter

    def column(place: int, _: str) -> property:
        """Return the property that reads a column."""
        return property(itemgetter(place))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar, Self, TypeVar, dataclass_transform

    Made = TypeVar("Made", bound=tuple[object, ...])

    def unchecked(kind: type[Made], cells: Iterable[object]) -> Made:
        """Return a tuple class with named columns; it does not check cells, which halves the time."""
        raise NotImplementedError

else:
    unchecked = tuple.__new__

    def dataclass_transform(**_: object) -> object:  # noqa: D103
        return lambda decorated: decorated


@dataclass_transform(frozen_default=True)
class Record(tuple[object, ...]):
    """A tuple whose columns are read by the names that its class annotates.

    A subclass of a record has the columns of its base first. A record equals a plain tuple of the
    same cells.

    Attributes:
        columns: The names, in order.
    """

    __slots__ = ()
    columns: "ClassVar[tuple[str, ...]]" = ()

    def __init_subclass__(cls) -> None:
        """Give each column its name."""
        inherited = cls.columns
        cls.columns = (*inherited, *cls.__annotations__)
        for place in range(len(inherited), len(cls.columns)):
            setattr(cls, cls.columns[place], column(place, ""))

    def __new__(cls, *cells: object) -> "Self":
        """Make a record of its cells, in the order of its columns."""
        return super().__new__(cls, cells)

    def __getnewargs__(self) -> tuple[object, ...]:
        """Return the arguments from which `__new__` makes it again when it is unpickled."""
        return tuple(self)

    def __repr__(self) -> str:
        """Return its constructor call with the names of its columns."""
        cells = [f"{name}={cell!r}" for name, cell in self.named().items()]
        return f"{type(self).__name__}({', '.join(cells)})"

    @classmethod
    def of(cls, cells: "Iterable[object]") -> "Self":
        """Return a record of some cells without checking them."""
        return super().__new__(cls, cells)

    def changed(self, **cells: object) -> "Self":
        """Return it with other cells in some columns.

        Raises:
            KeyError: It has no such column.
        """
        own = self.named()
        for name in cells:
            own[name]
        return self.of((own | cells).values())

    def named(self) -> "dict[str, object]":
        """Return the cells by the names of their columns."""
        return dict(zip(self.columns, self, strict=True))
