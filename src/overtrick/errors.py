"""Everything that can go wrong for a user, as one family.

    OvertrickError
    ├── UnknownName          a game, option or player that nobody has
    ├── BadOption            an option with a value that its variant does not allow
    ├── BadCards             cards that do not make up a deal
    ├── BadNotation          text that is not a card, a choice or a position
    ├── BadSeat              a seat that is not at this table
    ├── IllegalChoice        a choice that the rules do not allow here
    ├── DealOver             a choice in a deal that has ended, or a result of one that has not
    ├── BadBudget            a number of deals, worlds or repetitions that makes no sense
    ├── BadRecord            a record of a deal that is not well formed, or does not hold
    ├── DamagedFile          a file that is not what it should be
    ├── BrokenGame           a game of another package that cannot be loaded
    ├── MissingExtra         a part of the house that is not installed
    ├── NoWorldFound         a view that no deal can explain
    ├── Unsolvable           a position for which the exact solver has no answer
    ├── BotFault             what a program that plays has done wrong
    └── TableError           what the table in the browser refuses
        ├── UnknownTable         a table, or a deal of one, that does not exist
        ├── WrongToken           a secret that opens nothing here
        ├── NotAllowed           something that this seat may not ask for
        ├── NotYourTurn          an act of a seat that is not to act
        ├── TooLate              an act that answers an earlier moment, or comes twice
        ├── TooLarge             more than a request may bring
        ├── TooMany              more requests, tables or pages than there is room for
        ├── NotReady             a game that is still being compiled
        └── StorageFault         a data folder that cannot be read, written or shared

Every message is one line: what was expected, what came, and where. The command line prints it
and exits with status 2; a service turns it into a 4xx answer.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BadBudget",
    "BadCards",
    "BadNotation",
    "BadOption",
    "BadRecord",
    "BadSeat",
    "BotFault",
    "BrokenGame",
    "DamagedFile",
    "DealOver",
    "IllegalChoice",
    "MissingExtra",
    "NoWorldFound",
    "NotAllowed",
    "NotReady",
    "NotYourTurn",
    "OvertrickError",
    "StorageFault",
    "TableError",
    "TooLarge",
    "TooLate",
    "TooMany",
    "UnknownName",
    "UnknownTable",
    "Unsolvable",
    "WrongToken",
]


class OvertrickError(Exception):
    """A mistake in what was asked for, told in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class UnknownName(OvertrickError):
    """A name that nobody has, with the names that exist."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(f"there is no {kind} {name!r}; known are {', '.join(known) or 'none'}")


class BadOption(OvertrickError):
    """An option with a value that its variant does not allow."""


class BadCards(OvertrickError):
    """Cards that do not make up a deal."""


class BadNotation(OvertrickError):
    """Text that is not a card, a choice or a position."""


class BadSeat(OvertrickError):
    """A seat that is not at this table, or whose turn it is not."""


class IllegalChoice(OvertrickError):
    """A choice that the rules do not allow here."""


class DealOver(OvertrickError):
    """A choice in a deal that has ended, or a result of one that has not."""


class BadBudget(OvertrickError):
    """A number of deals, worlds or repetitions that makes no sense."""


class BadRecord(OvertrickError):
    """A record of a deal that is not well formed, or does not hold.

    `choice` is the number of the choice that is to blame, counted from 1, if it is one.
    """

    def __init__(self, message: str, choice: int | None = None) -> None:
        super().__init__(message if choice is None else f"choice {choice}: {message}")
        self.choice = choice


class DamagedFile(OvertrickError):
    """A file that is not what it should be."""


class NoWorldFound(OvertrickError):
    """A view that no deal can explain."""


class Unsolvable(OvertrickError):
    """A position for which the exact solver has no answer: no two sides, or hidden hands."""


class BotFault(OvertrickError):
    """What a program that plays has done wrong; whoever seated it goes on without it.

    `kind` is one of late, ended, nonsense, flood, illegal, error.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class BrokenGame(OvertrickError):
    """A game of another package that cannot be loaded, or is none."""


class MissingExtra(OvertrickError):
    """A part of the house that is not installed, with the words that install it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} need more packages: pip install 'overtrick[{extra}]'")


# ---------------------------------------------------------------------------- the table


class TableError(OvertrickError):
    """What the table in the browser refuses."""


class UnknownTable(TableError):
    """A table, or a deal of one, that does not exist."""


class WrongToken(TableError):
    """A secret that opens nothing here."""


class NotAllowed(TableError):
    """Something that this seat may not ask for."""


class NotYourTurn(TableError):
    """An act of a seat that is not to act."""


class TooLate(TableError):
    """An act that answers an earlier moment, or comes twice."""


class TooLarge(TableError):
    """More than a request may bring."""


class TooMany(TableError):
    """More requests, tables or pages than there is room for."""


class NotReady(TableError):
    """A game that is still being compiled."""


class StorageFault(TableError):
    """A data folder that cannot be read, written or shared."""
