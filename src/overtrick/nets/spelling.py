"""A view as a pointer net reads it: tokens, each the sum of some rows of its embeddings.

The same rules spell for learning and for play. One view gives three sequences, one after another:
the public one, which begins with the token that sums up; the viewer's hand, with the legal choices
that are no cards in it; and all hands, if they are shown.

What a token is marked with (its segment, player and phase) is added to it. A net with separators
is told the same by tokens of their own, wherever one of these changes.
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
    trump_cards,
)
from overtrick.jit import kernel, lowest, popcount, rule
from overtrick.nets.pointer_spec import BITS, PointerSpec, score_features

__all__ = ["Reading", "Sheets", "reading_of", "spell"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
Reading = tuple[Row, Row, Row, Row, Row]
"""layout of the table, cards and offset of each phase, score features, widths of all features"""

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


def reading_of(game: Game, spec: PointerSpec) -> Reading:
    """What the rules below need to know to spell a game's views for a net."""
    sizes = spec.sections().values()
    begins = [0, *accumulate(sizes)][:-1]
    phases = range(len(game.phases))
    layout = [*begins, spec.positions, spec.facts, spec.separators]
    return (
        np.array(layout, dtype=np.int64),
        np.array([game.card_choices(phase) for phase in phases], dtype=np.int64),
        np.array(game.action_offsets, dtype=np.int64),
        np.array(score_features(game), dtype=np.int64),
        game.encodings[0].widths,
    )


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
    tokens, entries = _most(game, spec)
    sheets = Sheets(  # room for the longest; only what is used is ever touched
        np.empty(len(views) * entries, dtype=np.int64),
        np.empty(len(views) * entries, dtype=np.float32),
        np.empty(len(views) * tokens + 1, dtype=np.int64),
        np.empty(len(views) * tokens, dtype=np.int64),
        np.empty(len(views) * tokens, dtype=np.int64),
        np.zeros((len(views), 3), dtype=np.int64),
    )
    cursor = np.zeros(6, dtype=np.int64)
    book = (sheets.rows, sheets.amounts, sheets.begins, sheets.choices, sheets.actions, cursor)
    room = np.zeros((most_tokens(game), len(TOKEN_COLUMNS)), dtype=np.int16)
    reading = reading_of(game, spec)
    whole = views if deals is None else deals
    spell_all(whole, views, legals, orders, opens, reading, book, room, sheets.lengths)
    used, told = int(cursor[TOKENS]), int(cursor[ENTRIES])
    return Sheets(
        sheets.rows[:told],
        sheets.amounts[:told],
        sheets.begins[: used + 1],
        sheets.choices[:used],
        sheets.actions[:used],
        sheets.lengths,
    )


def _most(game: Game, spec: PointerSpec) -> tuple[int, int]:
    """No view has more tokens, nor entries, than this."""
    tokens = 1 + most_tokens(game) + MOST_CHOICES + len(game.deck)
    tokens *= 4 if spec.separators else 1  # at most three separators before each
    return tokens, 6 * tokens + (BITS + 1) * most_tokens(game) + spec.scores


# ---------------------------------------------------------------------------- writing


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
def begin_token(
    book: Any, layout: Row, segment: int, player: int, phase: int, position: int, status: int
) -> None:
    """Mark a token and tell its position; NOTHING for one without."""
    mark(book, layout, SEGMENT, segment, SEGMENT_NOW)
    mark(book, layout, PLAYER, player + 1, PLAYER_NOW)
    mark(book, layout, PHASE, phase + 1, PHASE_NOW)
    if layout[SEPARATORS]:
        put_place(book, layout)
        return
    if position != NOTHING:
        put(book, layout[POSITION] + min(position, layout[POSITIONS] - 1), 1.0)
    if status:
        put(book, layout[STATUS], 1.0)


@rule
def begin_sequence(book: Any) -> None:
    """No mark is in force."""
    cursor = book[5]
    cursor[PLACE] = 0
    cursor[SEGMENT_NOW] = NOTHING
    cursor[PLAYER_NOW] = NOTHING
    cursor[PHASE_NOW] = NOTHING


# ---------------------------------------------------------------------------- sequences


@rule
def spell_start(view: State, order: int, reading: Any, features: Row, book: Any) -> None:
    """The token that sums up; it is told the scores, as shares of the most there can be."""
    layout, scores, widths = reading[0], reading[3], reading[4]
    put(book, layout[START], 1.0)
    if len(scores):
        observe(view, 0, order, features)
    for number in range(len(scores)):
        feature = scores[number]
        put(book, layout[SCORE] + number, popcount(features[feature]) / widths[feature])
    end_token(book, NOTHING, NOTHING)


@rule
def spell_fact(token: Any, layout: Row, book: Any) -> None:
    """A fact of the deal: which it is, and its value bit by bit."""
    begin_token(book, layout, CONTEXT, token[1], AS_CARDS, NOTHING, 0)
    put(book, layout[FACT] + min(token[3], layout[FACTS] - 1), 1.0)
    value = int(token[4])
    for bit in range(BITS):
        if value >> bit & 1:
            put(book, layout[BIT] + bit, 1.0)
    end_token(book, NOTHING, NOTHING)


@rule
def spell_known(token: Any, reading: Any, book: Any) -> None:
    """A card that the viewer can locate, or a choice that was made."""
    layout, cards, offsets = reading[0], reading[1], reading[2]
    phase, choice = int(token[2]), int(token[3])
    begin_token(book, layout, token[0], token[1], phase, token[4], token[5])
    if choice == HIDDEN:
        put(book, layout[UNSEEN], 1.0)
    elif phase == AS_CARDS or choice < cards[phase]:
        put(book, layout[CARD] + choice, 1.0)
    else:
        put(book, layout[ACTION] + offsets[phase] + choice, 1.0)
    end_token(book, NOTHING, NOTHING)


@rule
def spell_public(tokens: Any, count: int, reading: Any, book: Any) -> None:
    """All tokens but those of the viewer's hand."""
    for number in range(count):
        token = tokens[number]
        if token[0] == CONTEXT:
            spell_fact(token, reading[0], book)
        elif token[0] != HAND:
            spell_known(token, reading, book)


@rule
def spell_hand(
    view: State,
    legal: int,
    order: int,
    tokens: Any,
    count: int,
    reading: Any,
    named: Row,
    book: Any,
) -> None:
    """The viewer's cards, then every legal choice that is none of them."""
    layout, cards, offsets = reading[0], reading[1], reading[2]
    phase = view.phase
    name_choices(view, legal, order, named)
    for number in range(count):
        token = tokens[number]
        if token[0] == HAND:
            card = int(token[3])
            begin_token(book, layout, HAND, token[1], AS_CARDS, NOTHING, token[5])
            put(book, layout[CARD] + card, 1.0)
            if legal and card < cards[phase] and named[card] != NOTHING:
                end_token(book, named[card], offsets[phase] + card)
                named[card] = NOTHING
            else:
                end_token(book, NOTHING, NOTHING)
    for name in range(MOST_CHOICES):
        if named[name] != NOTHING:
            begin_token(book, layout, CHOICE, NOTHING, phase, NOTHING, 0)
            put(book, layout[ACTION] + offsets[phase] + name, 1.0)
            end_token(book, named[name], offsets[phase] + name)


@rule
def name_choices(view: State, rest: int, order: int, named: Row) -> None:
    """Write which choice has each name under the order; NOTHING for a name that none has."""
    named[:] = NOTHING
    while rest:
        choice = lowest(rest)
        named[lowest(relabel(view, view.phase, 1 << choice, order))] = choice
        rest &= rest - 1


@rule
def spell_open(state: State, view: State, order: int, layout: Row, book: Any) -> None:
    """The cards of all hands, the viewer's first."""
    seats = len(state.hands)
    trumps = relabel(view, AS_CARDS, trump_cards(view), order)
    for offset in range(seats):
        hand = state.hands[seat_after(view.viewer, offset, seats)]
        rest = relabel(view, AS_CARDS, hand, order)
        while rest:
            card = lowest(rest)
            begin_token(book, layout, HAND, offset, AS_CARDS, NOTHING, trumps >> card & 1)
            put(book, layout[CARD] + card, 1.0)
            end_token(book, NOTHING, NOTHING)
            rest &= rest - 1


@kernel
def spell_all(
    states: Any,
    views: Any,
    legals: Row,
    orders: Row,
    shown: Any,
    reading: Any,
    book: Any,
    tokens: Any,
    lengths: Any,
) -> None:
    """Write the sequences of every view into a book, and how many tokens each has."""
    cursor = book[5]
    book[2][0] = 0
    features = np.zeros(len(reading[4]), dtype=np.int64)
    named = np.zeros(MOST_CHOICES, dtype=np.int64)
    for number in range(len(views)):
        view, order = views[number], orders[number]
        at = tell(view, order, tokens)
        count = tell_events(view, order, reading[1], tokens, at)
        first = cursor[TOKENS]
        begin_sequence(book)
        spell_start(view, order, reading, features, book)
        spell_public(tokens, count, reading, book)
        second = cursor[TOKENS]
        begin_sequence(book)
        spell_hand(view, legals[number], order, tokens, count, reading, named, book)
        third = cursor[TOKENS]
        begin_sequence(book)
        if shown[number]:
            spell_open(states[number], view, order, reading[0], book)
        lengths[number, 0] = second - first
        lengths[number, 1] = third - second
        lengths[number, 2] = cursor[TOKENS] - third
