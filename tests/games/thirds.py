"""Thirds: three seats, three suits of five ranks, three tricks; a whole game in one file.

Nobody wrote code for this game outside this file. Tests send it through everything that claims
to serve any game, and whoever adds a game may begin with a copy of it. A rule is one function:

- `deal`: Cards are 1 to 5 of red, green and blue, 5 high. From the seat after the dealer, one
  card at a time, each seat gets four; the three that are left are the talon, which nobody sees.
  Dealer is the number of the deal modulo three.
- `lay_aside`: In turn, from the seat after the dealer, each seat lays one card face down. It is
  out of play, and the others never see it. Any card will do.
- `must_follow`: Then three tricks are played; the seat after the dealer leads to the first.
  Follow suit when able; otherwise play anything.
- `strength`: The highest card of the suit led takes the trick. With the option `trump` the
  highest card of that suit beats them.
- `take_trick`: Who takes a trick leads to the next. After three tricks the deal is over.
- `payoffs`: A deal is worth three for each own trick, less the three tricks there are.
- `score`: Tricks are added up over the match.
- `match_winners`: Once a seat has `target` tricks, the most tricks win the match; ties share it.
- `hide`: A seat sees its own cards, the card it laid aside and every card played.
- `places`: A seat that did not follow holds no card of that suit now. The card it laid aside
  and the talon may still be anything. Hands, cards laid aside and talon together tell what was
  dealt and what was chosen, so every arrangement is one pair (shuffle, hidden choices).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from overtrick.cards import Card, Cards, suit_deck
from overtrick.games.game import (
    HIDDEN,
    NOBODY,
    OVER,
    Choice,
    Choices,
    Game,
    Match,
    PerSeat,
    Places,
    Row,
    Seat,
    State,
    Variant,
    clear,
    hide_choice,
    match_dtype,
    note,
    option,
    seat_of,
    state_dtype,
)
from overtrick.jit import lowest, popcount, rule

__all__ = ["DISCARD", "GAME", "PLAY", "ThirdsVariant"]

DISCARD, PLAY = range(2)
SEATS, HAND_SIZE, TRICKS = 3, 4, 3
SUITS, RANKS = "RGB", "12345"
DECK = suit_deck(SUITS, RANKS)
CARDS = len(DECK)
ALL_CARDS: Cards = DECK.all
ONE_SUIT: Cards = (1 << len(RANKS)) - 1
FIRST_OF_TALON = SEATS * HAND_SIZE
TRUMPS = {
    "none": 0,
    "red": DECK.set("1R 2R 3R 4R 5R"),
    "green": DECK.set("1G 2G 3G 4G 5G"),
    "blue": DECK.set("1B 2B 3B 4B 5B"),
}


@dataclass(frozen=True)
class ThirdsVariant(Variant):
    """The options of Thirds."""

    game: ClassVar[str] = "thirds"

    trump: str = option("none", "the suit that beats the others", values=tuple(TRUMPS))
    target: int = option(7, "the match ends when a seat has this many tricks", at_least=1)

    def pack(self) -> dict[str, int]:
        return {"trump": TRUMPS[self.trump], "target": self.target}


class ThirdsState(State, Protocol):
    """One deal of Thirds."""

    led: Cards  # all cards of the suit led, 0 before the lead
    best: Cards  # the card that is taking the trick, as a set of one; 0 before the lead
    taker: Seat  # who played it, NOBODY before the lead
    dealer: Seat
    talon: Cards
    tricks: PerSeat  # tricks taken so far
    laid: PerSeat  # the card that each seat laid aside, as a set of one; 0 before
    # options
    trump: Cards  # all trumps, 0 if there are none


class ThirdsMatch(Match, Protocol):
    """Several deals of Thirds by the same players, to `target` tricks."""

    target: int


STATE = state_dtype(ThirdsState, "thirds", __file__, seats=SEATS, longest=SEATS + SEATS * TRICKS)
MATCH = match_dtype(ThirdsMatch, "thirds", __file__, seats=SEATS)


@rule
def deck_size(state: ThirdsState) -> int:
    return CARDS


# ---------------------------------------------------------------------------- the deal


@rule
def deal(state: ThirdsState, match: ThirdsMatch, order: Any) -> None:
    """One card at a time, from the seat after the dealer; the rest is the talon."""
    clear(state)
    state.dealer = match.deals % SEATS
    state.phase = DISCARD
    state.seat = (state.dealer + 1) % SEATS
    state.leader = state.seat
    state.talon = ALL_CARDS
    for place in range(FIRST_OF_TALON):
        card = 1 << int(order[place])
        state.hands[(state.dealer + 1 + place) % SEATS] |= card
        state.talon &= ~card
    for seat in range(SEATS):
        state.tricks[seat] = 0
        state.laid[seat] = 0
    clear_table(state)


@rule
def clear_table(state: ThirdsState) -> None:
    state.table = 0
    state.led = 0
    state.best = 0
    state.taker = NOBODY


# ---------------------------------------------------------------------------- choosing


@rule
def legal(state: ThirdsState) -> Choices:
    hand = state.hands[state.seat]
    return must_follow(hand, state.led) if state.phase == PLAY else hand


@rule
def must_follow(hand: Cards, led: Cards) -> Cards:
    """Follow suit when able; otherwise play anything."""
    following = hand & led
    return following if following else hand


@rule
def play(state: ThirdsState, choice: Choice) -> None:
    note(state, choice)
    state.hands[state.seat] ^= 1 << choice
    if state.phase == DISCARD:
        lay_aside(state, 1 << choice)
    else:
        play_card(state, choice, 1 << choice)


@rule
def lay_aside(state: ThirdsState, card: Cards) -> None:
    """One card face down; when every seat has laid one, play begins."""
    state.laid[state.seat] = card
    state.seat = (state.seat + 1) % SEATS
    if state.turn == SEATS:
        state.phase = PLAY


@rule
def play_card(state: ThirdsState, choice: Card, card: Cards) -> None:
    seat = state.seat
    if state.led == 0:
        state.led = suit_of(choice)
    elif card & state.led == 0:
        state.cannot[seat] |= state.led
    if strength(card, state.led, state.trump) > strength(state.best, state.led, state.trump):
        state.best = card
        state.taker = seat
    state.played[seat] |= card
    state.table |= card
    state.seat = (seat + 1) % SEATS
    if state.seat == state.leader:
        take_trick(state)


@rule
def suit_of(card: Card) -> Cards:
    """All cards of a card's suit."""
    suit = ONE_SUIT
    while suit >> card & 1 == 0:
        suit <<= len(RANKS)
    return suit


@rule
def strength(card: Cards, led: Cards, trump: Cards) -> int:
    """Trumps above cards of the suit led, all other cards worth nothing."""
    return card << CARDS if card & trump else card & led


@rule
def take_trick(state: ThirdsState) -> None:
    """Who takes the trick leads to the next; without cards the deal is over."""
    taker = state.taker
    state.tricks[taker] += 1
    state.leader = taker
    state.seat = taker
    clear_table(state)
    if state.hands[taker] == 0:
        state.phase = OVER
        state.seat = NOBODY


# ---------------------------------------------------------------------------- what it is worth


@rule
def payoffs(state: ThirdsState, out: Row) -> None:
    """Three for each own trick, less the three tricks there are."""
    for seat in range(SEATS):
        out[seat] = SEATS * state.tricks[seat] - TRICKS


@rule
def new_match(match: ThirdsMatch, stream: Any) -> None:
    match.deals = 0
    for seat in range(SEATS):
        match.scores[seat] = 0


@rule
def score(match: ThirdsMatch, state: ThirdsState) -> None:
    match.deals += 1
    for seat in range(SEATS):
        match.scores[seat] += state.tricks[seat]


@rule
def match_winners(match: ThirdsMatch) -> int:
    """Once a seat has reached the target: everybody with the most tricks."""
    most = 0
    winners = 0
    for seat in range(SEATS):
        if match.scores[seat] > most:
            most = match.scores[seat]
            winners = 0
        if match.scores[seat] == most:
            winners |= 1 << seat
    return winners if most >= match.target else 0


# ---------------------------------------------------------------------------- what a seat knows


@rule
def hide(state: ThirdsState, seat: Seat) -> None:
    """Erase the talon, the others' hands, and what they laid aside."""
    state.viewer = seat
    state.talon = 0
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = 0
            state.laid[other] = 0
    for turn in range(min(state.turn, SEATS)):
        if seat_of(state.history[turn]) != seat:
            hide_choice(state, turn)


@rule
def discards_before(state: ThirdsState, seat: Seat) -> int:
    """How many seats lay a card aside before this one: the turn in which it does."""
    return (seat - state.dealer - 1) % SEATS


@rule
def has_laid(state: ThirdsState, seat: Seat) -> int:
    """1 once a seat has laid a card aside."""
    return 1 if state.turn > discards_before(state, seat) else 0


@rule
def places(view: ThirdsState, where: Places) -> None:
    """For each of the others a hand and a card laid aside, and the talon."""
    unseen = ALL_CARDS & ~(view.hands[view.viewer] | view.laid[view.viewer])
    for seat in range(SEATS):
        unseen &= ~view.played[seat]
    where.cases = 1
    where.count = 5
    where.weight[0] = 1
    for number in range(SEATS - 1):
        seat = (view.viewer + 1 + number) % SEATS
        laid = has_laid(view, seat)
        where.room[0, number] = HAND_SIZE - laid - popcount(view.played[seat])
        where.allowed[0, number] = unseen & ~view.cannot[seat]
        where.room[0, 2 + number] = laid
        where.allowed[0, 2 + number] = unseen
    where.room[0, 4] = CARDS - FIRST_OF_TALON
    where.allowed[0, 4] = unseen


@rule
def settle(view: ThirdsState, found: Row, stream: Row) -> None:
    for number in range(SEATS - 1):
        seat = (view.viewer + 1 + number) % SEATS
        view.hands[seat] = found[number]
        view.laid[seat] = found[2 + number]
        if view.laid[seat]:
            turn = discards_before(view, seat)
            view.history[turn] &= ~HIDDEN
            view.history[turn] |= lowest(view.laid[seat])
    view.talon = found[4]
    view.viewer = NOBODY


@rule
def dealt(state: ThirdsState, order: Any) -> None:
    """Undo plays and discards, then lay hands and talon into the deck as they were dealt."""
    for seat in range(SEATS):
        hand = state.hands[seat] | state.laid[seat] | state.played[seat]
        lay(hand, order, discards_before(state, seat), SEATS)
    lay(state.talon, order, FIRST_OF_TALON, 1)


@rule
def lay(cards: Cards, order: Any, place: int, step: int) -> None:
    """Put cards into the deck, lowest first."""
    while cards:
        order[place] = lowest(cards)
        cards &= cards - 1
        place += step


# ---------------------------------------------------------------------------- the game


def _layout(match: ThirdsMatch) -> dict[str, list[int]]:
    first = (int(match.deals) + 1) % SEATS
    hands = {
        str(seat): [*range((seat - first) % SEATS, FIRST_OF_TALON, SEATS)] for seat in range(SEATS)
    }
    return {**hands, "talon": [*range(FIRST_OF_TALON, CARDS)]}


def _complaint(match: ThirdsMatch) -> str | None:
    return None if match.deals >= 0 else "deals count from 0"


def _describe(state: ThirdsState) -> list[tuple[str, str]]:
    trump = next(name for name, cards in TRUMPS.items() if cards == state.trump)
    return [("trump", trump), ("tricks", " ".join(map(str, state.tricks)))]


GAME = Game(
    name="thirds",
    title="Thirds",
    summary="three players, fifteen cards, one card laid aside, three tricks",
    deck=DECK,
    seats=SEATS,
    phases=("discard", "play"),
    state=STATE,
    match=MATCH,
    variant=ThirdsVariant,
    rules=globals(),
    layout=_layout,
    choice_names=(DECK.names, DECK.names),
    action_offsets=(0, CARDS),
    describe=_describe,
    check_match=_complaint,
    payoff_scale=SEATS * TRICKS - TRICKS,
    hidden=True,
)
