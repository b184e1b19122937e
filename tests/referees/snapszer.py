"""Snapszer by RULES.md section 3, slow and plain: the referee that the fast engine is held to.

Cards are names such as "Ta"; other choices are "close", "marry:h" and, where it is one,
"exchange". A rule is a pure function on names; `SnapszerReferee` plays one deal with them. The
second half finds other deals that one seat cannot tell from the one it sits in.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

SUITS = "hbla"
RANKS = "JQKTA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
SEATS = range(2)
CARD_POINTS = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
CARDS_IN_HAND = 5
TALON_AT = 10  # where the talon starts in the shuffled deck
UPCARD_AT = 19
TO_WIN = 66
CLOSE = "close"
EXCHANGE = "exchange"

MOST_DEALS = 20_000
"""`every_deal_with_the_same_view` refuses to try or to list more."""
MOST_DRAWS = 5_000
"""Deals tried before a search for one with the same view gives up."""

DEFAULT_OPTIONS: Mapping[str, Any] = {
    "exchange": "auto",
    "exchange_min_talon": 2,
    "close_min_talon": 4,
    "auto_66": True,
    "close_success_basis": "final",
    "target": 7,
}
LISTED_VALUES: Mapping[str, Collection[object]] = {
    "exchange": ("auto", "action"),
    "exchange_min_talon": (2, 4),
    "close_min_talon": (2, 4),
    "auto_66": (True,),
    "close_success_basis": ("final", "at_close"),
}

Arrangement = tuple[frozenset[str], tuple[str, ...]]
"""The opponent's hand and the face-down talon, the card to be drawn next first."""


def checked_options(options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All the options of RULES 3.5, defaults filled in; a wrong name or value is refused."""
    rules = {**DEFAULT_OPTIONS, **(options or {})}
    unknown = sorted(set(rules) - set(DEFAULT_OPTIONS))
    if unknown:
        raise ValueError(f"snapszer: no such option: {', '.join(unknown)}")
    for name, value in rules.items():
        if not is_allowed(name, value):
            raise ValueError(f"snapszer: option {name} cannot be {value!r}")
    return rules


def is_allowed(name: str, value: Any) -> bool:
    """Whether an option may have this value; it must have the type of the default, too."""
    if type(value) is not type(DEFAULT_OPTIONS[name]):
        return False
    if name in LISTED_VALUES:
        return value in LISTED_VALUES[name]
    return bool(value >= 1)


# The rules, one function each. "Talon" is its size with the upcard.


def suit_of(card: str) -> str:
    return card[1]


def rank_of(card: str) -> int:
    """0 for a jack up to 4 for an ace."""
    return RANKS.index(card[0])


def card_points(card: str) -> int:
    return CARD_POINTS[card[0]]


def marriage_points(suit: str, trump: str) -> int:
    """40 for the king and queen of trump, 20 for any others."""
    return 40 if suit == trump else 20


def married_cards(suit: str) -> set[str]:
    """The king and the queen of a suit."""
    return {"K" + suit, "Q" + suit}


def may_exchange(
    hand: Collection[str],
    trump: str,
    talon: int,
    closed: bool,
    options: Mapping[str, Any] = DEFAULT_OPTIONS,
) -> bool:
    """Whether a seat on lead can swap the jack of trump with the upcard."""
    return not closed and talon >= options["exchange_min_talon"] and "J" + trump in hand


def hand_after_exchange(
    hand: Collection[str],
    trump: str,
    upcard: str,
    talon: int,
    closed: bool,
    options: Mapping[str, Any] = DEFAULT_OPTIONS,
) -> set[str]:
    """The hand on lead once it has swapped the jack, if it can."""
    if not may_exchange(hand, trump, talon, closed, options):
        return set(hand)
    return set(hand) - {"J" + trump} | {upcard}


def lead_choices(
    hand: Collection[str],
    talon: int,
    closed: bool,
    married: str | None = None,
    options: Mapping[str, Any] = DEFAULT_OPTIONS,
) -> set[str]:
    """What a seat on lead may choose, apart from exchanging; `married` on this very lead."""
    if married is not None:
        return married_cards(married)
    choices = set(hand)
    if not closed and talon >= options["close_min_talon"]:
        choices.add(CLOSE)
    return choices | {"marry:" + suit for suit in SUITS if married_cards(suit) <= set(hand)}


def follow_choices(hand: Collection[str], lead: str, trump: str, strict: bool) -> set[str]:
    """The cards of `hand` that may be played to `lead`."""
    if not strict:
        return set(hand)
    following = {card for card in hand if suit_of(card) == suit_of(lead)}
    higher = {card for card in following if rank_of(card) > rank_of(lead)}
    trumps = {card for card in hand if suit_of(card) == trump}
    return higher or following or trumps or set(hand)


def follower_wins(lead: str, response: str, trump: str) -> bool:
    """Whether the second card of a trick takes it."""
    if suit_of(response) == suit_of(lead):
        return rank_of(response) > rank_of(lead)
    return suit_of(response) == trump


class AtClose(NamedTuple):
    """What the opponent of the seat that closed had at that moment."""

    tricks: int
    points: int


def deal_result(
    points: Sequence[int],
    tricks: Sequence[int],
    closer: int | None,
    at_close: AtClose | None,
    last: int,
    options: Mapping[str, Any] = DEFAULT_OPTIONS,
) -> tuple[int, int]:
    """The winner of a finished deal and his game points; `last` took the last trick played."""
    if max(points) >= TO_WIN:
        winner = 0 if points[0] >= TO_WIN else 1
    elif closer is not None:
        winner = 1 - closer
    else:
        winner = last
    loser = 1 - winner
    loser_tricks, loser_points = tricks[loser], points[loser]
    if closer is not None:
        assert at_close is not None
        if winner != closer:
            return winner, 3 if at_close.tricks == 0 else 2
        if options["close_success_basis"] == "at_close":
            loser_tricks, loser_points = at_close
    if loser_tricks == 0:
        return winner, 3
    return winner, 2 if loser_points < 33 else 1


def next_leader(leader: int) -> int:
    """The seat that leads the first trick of the next deal."""
    return 1 - leader


def match_after(scores: Sequence[int], winner: int, game_points: int) -> list[int]:
    """The match scores after a deal in which `winner` made so many game points."""
    return [scores[seat] + (game_points if seat == winner else 0) for seat in SEATS]


def match_winner(scores: Sequence[int], target: int = 7) -> int | None:
    """The seat that has reached `target`; None while the match goes on."""
    return next((seat for seat in SEATS if scores[seat] >= target), None)


# One deal.


class Event(NamedTuple):
    """One thing that happened at the table, as the whole table or one seat knows it."""

    seat: int
    what: str  # "play", "draw", "draw upcard", "exchange", "close" or "marry"
    detail: str  # the card played, drawn ("?" if unseen) or taken by exchange; the suit married


class View(NamedTuple):
    """All that one seat has been shown, and nothing else; equal views cannot be told apart."""

    seat: int
    options: tuple[tuple[str, Any], ...]
    leader: int
    dealt: frozenset[str]
    upcard: str  # as turned up at the start
    events: tuple[Event, ...]  # first to last, exchanges and draws with the rest
    seat_to_act: int | None
    phase: str


class SnapszerReferee:
    """One deal of Snapszer, all cards known, changed in place by `play`.

    `leader` leads the first trick. A closed talon stays where it is, upcard last. When a seat
    reaches 66 the deal stops there: nothing is drawn after that trick.
    """

    def __init__(
        self, order: Sequence[str], *, leader: int, options: Mapping[str, Any] | None = None
    ) -> None:
        if sorted(order) != sorted(DECK):
            raise ValueError(f"snapszer: expected each of the 20 cards once, got {list(order)}")
        if leader not in SEATS:
            raise ValueError(f"snapszer: the leader is seat 0 or 1, got {leader}")
        self.options = checked_options(options)
        self.leader = leader
        self.order = list(order)
        self.dealt = [self.order[hand_at(seat, leader) :][:CARDS_IN_HAND] for seat in SEATS]
        self.hands = [set(hand) for hand in self.dealt]
        self.talon = self.order[TALON_AT:]
        self.trump = suit_of(self.order[UPCARD_AT])
        self.points = [0, 0]
        self.tricks = [0, 0]
        self.trick: list[tuple[int, str]] = []
        self.to_lead = leader  # led the trick on the table, or is to lead it
        self.married: str | None = None  # the suit just married, of which a card must be led
        self.closed_by: int | None = None
        self.at_close: AtClose | None = None
        self.history: list[tuple[int, str]] = []
        self.events: list[Event] = []
        self._get_the_lead()

    @property
    def upcard(self) -> str | None:
        """The card face up now, or when the talon was closed; None once it has been drawn."""
        return self.talon[-1] if self.talon else None

    @property
    def is_strict(self) -> bool:
        """Whether the talon is closed or empty."""
        return self.closed_by is not None or not self.talon

    @property
    def phase(self) -> str:
        """One of "lead", "follow" and "over"."""
        if max(self.points) >= TO_WIN or not any(self.hands):
            return "over"
        return "follow" if self.trick else "lead"

    @property
    def seat(self) -> int:
        """The seat to act; an error once the deal is over."""
        if self.phase == "over":
            raise ValueError("snapszer: the deal is over, nobody is to act")
        return 1 - self.to_lead if self.trick else self.to_lead

    def legal(self) -> set[str]:
        """What the seat to act may choose; empty only once the deal is over.

        Sort it before drawing from it: the order of a set of names differs from run to run.
        """
        if self.phase == "over":
            return set()
        hand = self.hands[self.seat]
        if self.phase == "follow":
            return follow_choices(hand, self.trick[0][1], self.trump, self.is_strict)
        talon, closed = len(self.talon), self.closed_by is not None
        choices = lead_choices(hand, talon, closed, self.married, self.options)
        if self.options["exchange"] == "action" and self.married is None and self._can_exchange():
            choices.add(EXCHANGE)
        return choices

    def play(self, choice: str) -> None:
        """Make one choice for the seat to act, in place."""
        if choice not in self.legal():
            raise ValueError(
                f"snapszer: may not choose {choice} in phase {self.phase}; legal are "
                f"{' '.join(sorted(self.legal()))}; leader {self.leader}, order {self.order}, "
                f"choices {self.history}, options {self.options}"
            )
        self._choose(choice)

    def _choose(self, choice: str) -> None:
        seat = self.seat
        self.history.append((seat, choice))
        if choice == EXCHANGE:
            self._exchange()
        elif choice == CLOSE:
            self._close(seat)
        elif choice.startswith("marry:"):
            self._marry(seat, choice[-1])
        else:
            self._play_card(seat, choice)

    def _can_exchange(self) -> bool:
        hand, closed = self.hands[self.to_lead], self.closed_by is not None
        return may_exchange(hand, self.trump, len(self.talon), closed, self.options)

    def _get_the_lead(self) -> None:
        if self.options["exchange"] == "auto" and self._can_exchange():
            self._exchange()

    def _exchange(self) -> None:
        seat, jack, upcard = self.to_lead, "J" + self.trump, self.talon[-1]
        self.hands[seat].remove(jack)
        self.hands[seat].add(upcard)
        self.talon[-1] = jack
        self.events.append(Event(seat, EXCHANGE, upcard))

    def _close(self, seat: int) -> None:
        self.closed_by = seat
        self.at_close = AtClose(self.tricks[1 - seat], self.points[1 - seat])
        self.events.append(Event(seat, CLOSE, ""))

    def _marry(self, seat: int, suit: str) -> None:
        self.points[seat] += marriage_points(suit, self.trump)
        self.married = suit
        self.events.append(Event(seat, "marry", suit))

    def _play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.married = None
        self.events.append(Event(seat, "play", card))
        if len(self.trick) == 2:
            self._take_trick()

    def _take_trick(self) -> None:
        (leader, lead), (follower, response) = self.trick
        winner = follower if follower_wins(lead, response, self.trump) else leader
        self.points[winner] += card_points(lead) + card_points(response)
        self.tricks[winner] += 1
        self.to_lead = winner
        self.trick = []
        if self.points[winner] >= TO_WIN:
            return
        if not self.is_strict:
            self._draw(winner)
            self._draw(1 - winner)
        self._get_the_lead()

    def _draw(self, seat: int) -> None:
        what = "draw upcard" if len(self.talon) == 1 else "draw"
        card = self.talon.pop(0)
        self.hands[seat].add(card)
        self.events.append(Event(seat, what, card))

    def result(self) -> tuple[int, int]:
        """The winner and his game points; an error before the deal is over."""
        if self.phase != "over":
            raise ValueError(f"snapszer: no result in phase {self.phase}")
        last = self.to_lead
        return deal_result(
            self.points, self.tricks, self.closed_by, self.at_close, last, self.options
        )

    def payoffs(self) -> list[int]:
        """The returns of RULES 3.5; an error before the deal is over."""
        winner, game_points = self.result()
        return [game_points if seat == winner else -game_points for seat in SEATS]

    def view(self, seat: int) -> View:
        """What `seat` knows now."""
        return View(
            seat=seat,
            options=tuple(sorted(self.options.items())),
            leader=self.leader,
            dealt=frozenset(self.dealt[seat]),
            upcard=self.order[UPCARD_AT],
            events=tuple(as_seen_by(seat, event) for event in self.events),
            seat_to_act=None if self.phase == "over" else self.seat,
            phase=self.phase,
        )

    def copy(self) -> SnapszerReferee:
        """A deal of its own at the same position."""
        return copy.deepcopy(self)


def hand_at(seat: int, leader: int) -> int:
    """Where the hand of `seat` starts in the shuffled deck."""
    return 0 if seat == leader else CARDS_IN_HAND


def as_seen_by(seat: int, event: Event) -> Event:
    """The event without the face of a card drawn face down by the other seat."""
    hidden = event.what == "draw" and event.seat != seat
    return event._replace(detail="?") if hidden else event


def random_deal(
    rng: random.Random, options: Mapping[str, Any] | None = None, leader: int | None = None
) -> SnapszerReferee:
    """A fresh deal, nothing chosen yet; without `leader` any seat is."""
    if leader is None:
        leader = rng.randrange(2)
    return SnapszerReferee(rng.sample(DECK, 20), leader=leader, options=options)


# Other deals with the same view.


def another_deal_with_the_same_view(
    deal: SnapszerReferee, seat: int, rng: random.Random
) -> SnapszerReferee:
    """A deal that `seat` cannot tell from `deal`, with another hand of the opponent if any.

    If fifty draws find no other hand, the talon may at least lie in another order; failing that,
    the present cards are the same and only the times at which the opponent drew his may differ.
    """
    unseen = Unseen(deal, seat)
    best = draw_world(deal, unseen, rng)
    may_hold_others = bool(unseen.rest) and not deal.hands[1 - seat].isdisjoint(unseen.loose)
    for _ in range(50 if may_hold_others or len(unseen.rest) > 1 else 0):
        if best.hands != deal.hands or (best.talon != deal.talon and not may_hold_others):
            break
        world = draw_world(deal, unseen, rng)
        if world.hands != deal.hands or world.talon != deal.talon:
            best = world
    return best


def any_deal_with_the_same_view(
    deal: SnapszerReferee, seat: int, rng: random.Random
) -> SnapszerReferee:
    """A deal that `seat` cannot tell from `deal`, drawn uniformly; `deal` itself may come back.

    All shuffles that give the view are equally likely. It is replayed from its first choice, and
    each of its choices is legal.
    """
    return draw_world(deal, Unseen(deal, seat), rng)


def draw_world(deal: SnapszerReferee, unseen: Unseen, rng: random.Random) -> SnapszerReferee:
    """What `any_deal_with_the_same_view` gives, with the unseen cards known already."""
    for _ in range(MOST_DRAWS):
        world = retold(deal, unseen.view, unseen.draw(rng))
        if world is not None:
            return world
    return deal.copy()


def every_hand_with_the_same_view(
    deal: SnapszerReferee, seat: int
) -> Iterator[tuple[frozenset[str], int]]:
    """Every hand the opponent may hold, with the number of ways in which he may have got it.

    The number counts pairs of (his first five as a set, his draws in order) for any one order of
    the talon that is left. All are tried in turn by replaying the deal and comparing views; more
    than `MOST_DEALS` are refused.
    """
    unseen = Unseen(deal, seat)
    tried = list(itertools.islice(unseen.every_order(), MOST_DEALS + 1))
    if len(tried) > MOST_DEALS:
        raise ValueError(f"snapszer: more than {MOST_DEALS} deals are too many to try")
    worlds = [retold(deal, unseen.view, order) for order in tried]
    hands = [frozenset(world.hands[1 - seat]) for world in worlds if world is not None]
    yield from Counter(hands).items()


def every_deal_with_the_same_view(
    deal: SnapszerReferee, seat: int
) -> Iterator[tuple[Arrangement, int]]:
    """Every way the unseen cards can lie for `seat`, with the number of deals behind it.

    The number counts the deals that show `seat` what it saw and have come to this: triples of
    (the opponent's first five as a set, his draws in order, the order of the talon), of which
    the last is that of the arrangement. Nothing that happened so far depends on the order of the
    talon that is left, so each order of it has the same number.
    """
    unseen, weights = Unseen(deal, seat), dict(every_hand_with_the_same_view(deal, seat))
    listed = len(weights) * math.factorial(len(unseen.rest))
    if listed > MOST_DEALS:
        raise ValueError(f"snapszer: {listed} ways to lie are too many to list")
    for hand, weight in weights.items():
        left = [card for card in unseen.loose if card not in hand]
        for talon in itertools.permutations(left):
            yield (hand, talon), weight


def retold(deal: SnapszerReferee, view: View, order: Sequence[str]) -> SnapszerReferee | None:
    """The deal of this shuffle with the choices of `deal`, if all are legal and give this view.

    `view` is that of one seat in `deal`.
    """
    world = SnapszerReferee(order, leader=deal.leader, options=deal.options)
    for _, choice in deal.history:
        if choice not in world.legal():
            return None
        world._choose(choice)
    return world if world.view(view.seat) == view else None


class Unseen:
    """Where the cards that the opponent got unseen may lie in the shuffled deck, for one seat.

    He got five at the start and one with each draw from the face-down talon. Cards that he has
    shown since must be among those he had got by then; all others that `seat` has not seen are
    loose: in any place left with him, or in the talon. What else the rules tell of them (the
    exchange not made, the suit not followed) is left to the replay.
    """

    def __init__(self, deal: SnapszerReferee, seat: int) -> None:
        view, other = deal.view(seat), 1 - seat
        self.view = view
        self.order = deal.order  # only what `seat` has seen of it is kept
        self.first = [hand_at(other, deal.leader) + k for k in range(CARDS_IN_HAND)]
        self.draws: list[int] = []  # places in the deck, in the order he drew from them
        self.shown: list[tuple[str, int]] = []  # with his number of draws by then; it never falls
        known = {view.upcard, *view.dealt}
        place = TALON_AT
        for event in view.events:
            if event.what == "draw":
                if event.seat == other:
                    self.draws.append(place)
                else:
                    known.add(event.detail)
                place += 1
            elif event.seat == other:
                for card in sorted(cards_shown_by(event, deal.trump) - known):
                    self.shown.append((card, len(self.draws)))
                    known.add(card)
        self.rest = list(range(place, UPCARD_AT))  # the talon still face down
        self.loose = sorted(set(DECK) - known)

    def draw(self, rng: random.Random) -> list[str]:
        """A shuffle with each shown card got in time and the loose ones anywhere else.

        All such shuffles are equally likely: the places open to a shown card include those of
        all cards shown before it, so how many are left does not depend on where they were laid.
        """
        laid: dict[int, str] = {}
        for card, draws in self.shown:
            places = [at for at in self.first + self.draws[:draws] if at not in laid]
            laid[rng.choice(places)] = card
        places = [at for at in self.first + self.draws + self.rest if at not in laid]
        loose = rng.sample(self.loose, len(self.loose))
        return self._order_with({**laid, **dict(zip(places, loose, strict=True))})

    def every_order(self) -> Iterator[list[str]]:
        """Each shuffle that `draw` may give, once.

        The opponent's first five count as a set, and the talon that is left lies in one order.
        """
        for first, drawn in self._ways_to_lay_the_shown(0, (), {}):
            open_draws = [at for at in self.draws if at not in drawn]
            room = CARDS_IN_HAND - len(first)
            for others in itertools.combinations(self.loose, room):
                left = [card for card in self.loose if card not in others]
                for more in itertools.permutations(left, len(open_draws)):
                    talon = [card for card in left if card not in more]
                    laid = dict(zip(self.first, [*first, *others], strict=True))
                    laid |= drawn | dict(zip(open_draws, more, strict=True))
                    laid |= dict(zip(self.rest, talon, strict=True))
                    yield self._order_with(laid)

    def _ways_to_lay_the_shown(
        self, number: int, first: tuple[str, ...], drawn: dict[int, str]
    ) -> Iterator[tuple[tuple[str, ...], dict[int, str]]]:
        """The shown cards among the first five, and those drawn by their places."""
        if number == len(self.shown):
            yield first, drawn
            return
        card, draws = self.shown[number]
        if len(first) < CARDS_IN_HAND:
            yield from self._ways_to_lay_the_shown(number + 1, (*first, card), drawn)
        for at in self.draws[:draws]:
            if at not in drawn:
                yield from self._ways_to_lay_the_shown(number + 1, first, {**drawn, at: card})

    def _order_with(self, laid: Mapping[int, str]) -> list[str]:
        return [laid.get(at, card) for at, card in enumerate(self.order)]


def cards_shown_by(event: Event, trump: str) -> set[str]:
    """The cards that this choice of a seat proves it held until then."""
    if event.what == "play":
        return {event.detail}
    if event.what == "marry":
        return married_cards(event.detail)
    return {"J" + trump} if event.what == EXCHANGE else set()
