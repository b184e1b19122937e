"""A view as a pointer net reads it: tokens, each the sum of some rows of its embeddings.

The same rules spell for learning and for play. One view gives three sequences, one after another:
the public one, which begins with the token that sums up; the viewer's hand, with the legal choices
that are no cards in it; and all hands, if they are shown.

What a token is marked with (its segment, player and phase) is added to it. A net with separators
is told the same by tokens of their own, wherever one of these changes.

A game tells its tokens (`tell_all`); how they are spelled is the same for all games (`spell_all`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from overtrick.engine.observations import most_tokens, tell_events
from overtrick.games.game import HIDDEN, Game, Row, State
from overtrick.games.observing import (
    AS_CARDS,
    CONTEXT,
    HAND,
    TABLE,
    TOKEN_COLUMNS,
    observe,
    relabel,
    seat_after,
    tell,
    tell_card_set,
    write_token,
)
from overtrick.jit import kernel, lowest, popcount, rule
from overtrick.nets.pointer_spec import BITS, PointerSpec, score_features

__all__ = ["Sheets", "spell"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

# The layout of a table: where its sections begin, how many positions and facts it knows, and
# whether there are separators.
CARD, ACTION, UNSEEN, PHASE, SEGMENT, PLAYER, POSITION, STATUS, FACT, BIT, SCORE, START = range(12)
POSITIONS, FACTS, SEPARATORS = range(12, 15)

# The columns of a cursor: what has been written, the place in the sequence, the marks in force.
TOKENS, ENTRIES, PLACE, SEGMENT_NOW, PLAYER_NOW, PHASE_NOW = range(6)

CHOICE = TABLE + 1  # the segment of choices that are no cards in hand
NOTHING = -1
MOST_CHOICES = 64


@dataclass(frozen=True)
class Sheets:
    """Views spelled, the tokens of all of them one after another."""

    rows: Row  # [entries] of the table
    amounts: Floats  # [entries] how often each is added
    begins: Row  # [tokens + 1] the first entry of each token
    choices: Row  # [tokens] the choice that a token stands for, if it is legal; else -1
    actions: Row  # [tokens] the same in the flat action space, as it is called under the order
    lengths: Row  # [views, 3] tokens of the public sequence, of the hand, of all hands

    def __len__(self) -> int:
        return len(self.lengths)

    def firsts(self) -> Row:
        """[views, 3] the first token of every sequence."""
        ends = np.cumsum(self.lengths.reshape(-1))
        return (ends - self.lengths.reshape(-1)).reshape(-1, 3)

    def legal(self, actions: int) -> Records:
        """[views, actions] which of them are legal."""
        found = np.zeros((len(self), actions), dtype=np.bool_)
        owners = np.repeat(np.arange(len(self)), self.lengths.sum(axis=1))
        can = self.actions >= 0
        found[owners[can], self.actions[can]] = True
        return found


def spell(
    game: Game,
    spec: PointerSpec,
    views: Records,
    legals: Row,
    orders: Row,
    *,
    deals: Records | None = None,
    shown: Records | None = None,
) -> Sheets:
    """Views with their legal choices, suits in these orders, as a net reads them.

    Whole deals add all hands, where `shown` says so, if the net may be shown them.
    """
    opens = np.zeros(len(views), dtype=np.bool_)
    if deals is not None and "open" in spec.encoders():
        opens[:] = True if shown is None else shown
    whole = views if deals is None else deals
    told = _tell(game, whole, views, legals, orders, opens)
    return _spell(game, spec, told)


# ---------------------------------------------------------------------------- tokens of a game


@dataclass(frozen=True)
class _Told:
    """The tokens of views, one after another, before they are spelled."""

    tokens: Records  # [tokens, columns] int16
    choices: Row  # [tokens] as in `Sheets`
    actions: Row
    shares: Floats  # [views, scores] of the most there can be
    counts: Row  # [views, 3] tokens of the view, of choices, of all hands


def _tell(
    game: Game, deals: Records, views: Records, legals: Row, orders: Row, shown: Records
) -> _Told:
    most = most_tokens(game) + MOST_CHOICES + len(game.deck)
    scores = np.array(score_features(game), dtype=np.int64)
    cards = [game.card_choices(phase) for phase in range(len(game.phases))]
    told = _Told(  # room for the longest; only what is used is ever touched
        np.empty((len(views) * most, len(TOKEN_COLUMNS)), dtype=np.int16),
        np.empty(len(views) * most, dtype=np.int64),
        np.empty(len(views) * most, dtype=np.int64),
        np.zeros((len(views), len(scores)), dtype=np.float32),
        np.zeros((len(views), 3), dtype=np.int64),
    )
    phases = np.array(cards, dtype=np.int64), np.array(game.action_offsets, dtype=np.int64)
    numbers = scores, game.encodings[0].widths
    out = told.tokens, told.choices, told.actions, told.shares, told.counts
    tell_all(deals, views, legals, orders, shown, phases, numbers, out)
    return told


@rule
def name_choices(view: State, rest: int, order: int, named: Row) -> None:
    """Write which choice has each name under the order; NOTHING for a name that none has."""
    named[:] = NOTHING
    while rest:
        choice = lowest(rest)
        named[lowest(relabel(view, view.phase, 1 << choice, order))] = choice
        rest &= rest - 1


@rule
def tell_choices(
    phase: int,
    cards: int,
    offset: int,
    tokens: Any,
    at: int,
    named: Row,
    choices: Row,
    actions: Row,
) -> int:
    """Write what each token stands for, and a token for every other choice; gives their end."""
    for number in range(at):
        card = int(tokens[number, 3])
        choices[number] = NOTHING
        actions[number] = NOTHING
        if tokens[number, 0] == HAND and card < cards and named[card] != NOTHING:
            choices[number] = named[card]
            actions[number] = offset + card
            named[card] = NOTHING
    for name in range(MOST_CHOICES):
        if named[name] != NOTHING:
            choices[at] = named[name]
            actions[at] = offset + name
            at = write_token(tokens, at, CHOICE, NOTHING, phase, name, NOTHING)
    return at


@rule
def tell_hands(
    state: State, view: State, order: int, tokens: Any, at: int, choices: Row, actions: Row
) -> int:
    """Write the cards of all hands, the viewer's first; gives their end."""
    seats, first = len(state.hands), at
    for offset in range(seats):
        hand = state.hands[seat_after(view.viewer, offset, seats)]
        at = tell_card_set(view, order, tokens, at, HAND, offset, hand)
    for number in range(first, at):
        choices[number] = NOTHING
        actions[number] = NOTHING
    return at


@kernel
def tell_all(
    states: Any,
    views: Any,
    legals: Row,
    orders: Row,
    shown: Any,
    phases: Any,
    numbers: Any,
    out: Any,
) -> None:
    """Write the tokens of every view, of its choices and, where they are shown, of all hands."""
    (cards, offsets), (scores, widths) = phases, numbers
    all_tokens, all_choices, all_actions, shares, counts = out
    features = np.zeros(len(widths), dtype=np.int64)
    named = np.zeros(MOST_CHOICES, dtype=np.int64)
    first = 0
    for number in range(len(views)):
        view, order = views[number], orders[number]
        tokens, choices, actions = all_tokens[first:], all_choices[first:], all_actions[first:]
        known = tell_events(view, order, cards, tokens, tell(view, order, tokens))
        phase = max(view.phase, 0)
        name_choices(view, legals[number], order, named)
        end = tell_choices(
            phase, cards[phase], offsets[phase], tokens, known, named, choices, actions
        )
        counts[number, 0] = known
        counts[number, 1] = end - known
        if shown[number]:
            last = tell_hands(states[number], view, order, tokens, end, choices, actions)
            counts[number, 2] = last - end
            end = last
        first += end
        if len(scores):
            observe(view, 0, order, features)
        for place in range(len(scores)):
            flags, width = features[scores[place]], widths[scores[place]]
            shares[number, place] = popcount(flags) / width


# ---------------------------------------------------------------------------- spelling


def _spell(game: Game, spec: PointerSpec, told: _Told) -> Sheets:
    views, used = len(told.counts), int(told.counts.sum())
    tokens = (views + used) * (4 if spec.separators else 1)  # at most three separators a token
    entries = 6 * tokens + (BITS + 1) * used + spec.scores * views
    sheets = Sheets(
        np.empty(entries, dtype=np.int64),
        np.empty(entries, dtype=np.float32),
        np.zeros(tokens + 1, dtype=np.int64),
        np.empty(tokens, dtype=np.int64),
        np.empty(tokens, dtype=np.int64),
        np.zeros((views, 3), dtype=np.int64),
    )
    cursor = np.zeros(6, dtype=np.int64)
    book = (sheets.rows, sheets.amounts, sheets.begins, sheets.choices, sheets.actions, cursor)
    cards = [game.card_choices(phase) for phase in range(len(game.phases))]
    reading = (
        _layout(spec),
        np.array(cards, dtype=np.int64),
        np.array(game.action_offsets, dtype=np.int64),
    )
    lists = told.tokens, told.choices, told.actions, told.shares, told.counts
    spell_all(lists, reading, book, sheets.lengths)
    used, entries = int(cursor[TOKENS]), int(cursor[ENTRIES])
    return Sheets(
        sheets.rows[:entries],
        sheets.amounts[:entries],
        sheets.begins[: used + 1],
        sheets.choices[:used],
        sheets.actions[:used],
        sheets.lengths,
    )


def _layout(spec: PointerSpec) -> Row:
    begins = [0, *accumulate(spec.sections().values())][:-1]
    return np.array([*begins, spec.positions, spec.facts, spec.separators], dtype=np.int64)


@rule
def put(book: Any, row: int, amount: float) -> None:
    """Add a row of the table to the token at hand."""
    at = book[5][ENTRIES]
    book[0][at] = row
    book[1][at] = amount
    book[5][ENTRIES] = at + 1


@rule
def end_token(book: Any, choice: int, action: int) -> None:
    """The token at hand is complete; what it stands for, if that is a legal choice."""
    cursor = book[5]
    at = cursor[TOKENS]
    book[3][at] = choice
    book[4][at] = action
    book[2][at + 1] = cursor[ENTRIES]
    cursor[TOKENS] = at + 1
    cursor[PLACE] += 1


@rule
def put_place(book: Any, layout: Row) -> None:
    """Add the place in the sequence."""
    put(book, layout[POSITION] + min(book[5][PLACE], layout[POSITIONS] - 1), 1.0)


@rule
def mark(book: Any, layout: Row, section: int, number: int, now: int) -> None:
    """Mark the token to come: by a row of its own, or by a separator if the mark is a new one."""
    if not layout[SEPARATORS]:
        put(book, layout[section] + number, 1.0)
    elif book[5][now] != number:
        book[5][now] = number
        put(book, layout[section] + number, 1.0)
        put_place(book, layout)
        end_token(book, NOTHING, NOTHING)


@rule
def put_marks(book: Any, layout: Row, token: Any) -> None:
    """Mark a token, and tell its position and status. Hands and facts are in no order."""
    segment = int(token[0])
    mark(book, layout, SEGMENT, segment, SEGMENT_NOW)
    mark(book, layout, PLAYER, int(token[1]) + 1, PLAYER_NOW)
    mark(book, layout, PHASE, int(token[2]) + 1, PHASE_NOW)
    if layout[SEPARATORS]:
        put_place(book, layout)
        return
    if segment not in (CONTEXT, HAND, CHOICE):
        put(book, layout[POSITION] + min(int(token[4]), layout[POSITIONS] - 1), 1.0)
    if token[5]:
        put(book, layout[STATUS], 1.0)


@rule
def put_meaning(book: Any, reading: Any, token: Any) -> None:
    """Tell what a token is: a fact with the bits of its value, a card, or another choice."""
    layout, cards, offsets = reading
    phase, choice = int(token[2]), int(token[3])
    if token[0] == CONTEXT:
        put(book, layout[FACT] + min(choice, layout[FACTS] - 1), 1.0)
        value = int(token[4])
        for bit in range(BITS):
            if value >> bit & 1:
                put(book, layout[BIT] + bit, 1.0)
    elif choice == HIDDEN:
        put(book, layout[UNSEEN], 1.0)
    elif token[0] != CHOICE and (phase == AS_CARDS or choice < cards[phase]):
        put(book, layout[CARD] + choice, 1.0)
    else:
        put(book, layout[ACTION] + offsets[phase] + choice, 1.0)


@rule
def begin_sequence(book: Any) -> None:
    """No mark is in force."""
    cursor = book[5]
    cursor[PLACE] = 0
    cursor[SEGMENT_NOW] = NOTHING
    cursor[PLAYER_NOW] = NOTHING
    cursor[PHASE_NOW] = NOTHING


@rule
def spell_start(shares: Floats, layout: Row, book: Any) -> None:
    """The token that sums up; it is told the scores."""
    put(book, layout[START], 1.0)
    for number in range(len(shares)):
        put(book, layout[SCORE] + number, shares[number])
    end_token(book, NOTHING, NOTHING)


@rule
def spell_some(lists: Any, first: int, end: int, hand: bool, reading: Any, book: Any) -> int:
    """Spell those tokens that belong to hands, or those that do not; how many come of them."""
    tokens, choices, actions = lists[0], lists[1], lists[2]
    before = book[5][TOKENS]
    for number in range(first, end):
        token = tokens[number]
        if hand == (token[0] == HAND or token[0] == CHOICE):
            put_marks(book, reading[0], token)
            put_meaning(book, reading, token)
            end_token(book, choices[number], actions[number])
    written: int = book[5][TOKENS] - before
    return written


@kernel
def spell_all(lists: Any, reading: Any, book: Any, lengths: Any) -> None:
    """Write the sequences of every view into a book, and how many tokens each has."""
    shares, counts = lists[3], lists[4]
    first = 0
    for number in range(len(counts)):
        end = first + counts[number, 0] + counts[number, 1]
        last = end + counts[number, 2]
        begin_sequence(book)
        spell_start(shares[number], reading[0], book)
        lengths[number, 0] = 1 + spell_some(lists, first, end, False, reading, book)
        begin_sequence(book)
        lengths[number, 1] = spell_some(lists, first, end, True, reading, book)
        begin_sequence(book)
        lengths[number, 2] = spell_some(lists, end, last, True, reading, book)
        first = last
