"""What every game owes the house, as tests that any package can run on its own game.

    tests of the house ──┐
                         ├──▶ contract.py   cards, choices, payoffs, matches, batches
    tests of a package ──┤    worlds.py     every world drawn explains the view, all equally often
      by suite.py        │    peeking.py    nothing that a seat has not been shown is in its view
                         └    telling.py    a view is read back from what the seat saw

Each is a module of pytest's tests that ask for the fixture `game`. The tests of a package outside
import everything from `overtrick.testing.suite` and have such a fixture; see docs/add-a-game.md.
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{part}" for part in ("contract", "worlds", "peeking", "telling", "positions"))
)
