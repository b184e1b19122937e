"""Hokm by RULES.md section 1, slow and plain: the referee that the fast engine is held to.

Cards are names such as "QS", trump choices the letters of the suits. A rule is a pure function on
names; `HokmReferee` plays one deal with them. The second half finds other deals that one seat
cannot tell from the one it sits in.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

SUITS = "CDSH"
RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
SEATS = range(4)
TEAMS = range(2)
CARDS_IN_HAND = 13
TRICKS = 13
TRICKS_TO_WIN = 7
TIE_ORDER = "SHDC"  # of the suits, where the heuristic finds two equal
PACKETS = ((0, 5), (20, 4), (36, 4))  # where each round of packets starts, and their size

MOST_DEALS = 20_000
"""`every_deal_with_the_same_view` refuses to list more."""
MOST_DRAWS = 2_000
"""Hands drawn before a search for some with the trump that the heuristic named gives up."""

DEFAULT_OPTIONS: Mapping[str, Any] = {
    "trump_choice_cards": 5,
    "kot_points": 2,
    "hakem_kot_points": 2,
    "stop_at_seven": True,
    "target": 7,
    "first_hakem": "random",
    "next_hakem": "winner_keeps",
    "trump_policy": "agent",
}
LISTED_VALUES: Mapping[str, Collection[object]] = {
    "trump_choice_cards": (5, 13),
    "hakem_kot_points": (2, 3),
    "first_hakem": ("random", "0", "1", "2", "3"),
    "next_hakem": ("winner_keeps", "rotate"),
    "trump_policy": ("agent", "heuristic"),
}

Hands = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]


def checked_options(options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All the options of RULES 1.3, defaults filled in; a wrong name or value is refused."""
    rules = {**DEFAULT_OPTIONS, **(options or {})}
    unknown = sorted(set(rules) - set(DEFAULT_OPTIONS))
    if unknown:
        raise ValueError(f"hokm: no such option: {', '.join(unknown)}")
    for name, value in rules.items():
        if not is_allowed(name, value):
            raise ValueError(f"hokm: option {name} cannot be {value!r}")
    return rules


def is_allowed(name: str, value: Any) -> bool:
    """Whether an option may have this value; it must have the type of the default, too."""
    if type(value) is not type(DEFAULT_OPTIONS[name]):
        return False
    if name in LISTED_VALUES:
        return value in LISTED_VALUES[name]
    return isinstance(value, bool) or value >= 1


# The rules, one function each.


def suit_of(card: str) -> str:
    return card[1]


def rank_of(card: str) -> int:
    """2 for a two up to 14 for an ace."""
    return RANKS.index(card[0]) + 2


def team_of(seat: int) -> int:
    """0 for seats 0 and 2, 1 for seats 1 and 3."""
    return seat % 2


def heuristic_trump(seen: Collection[str]) -> str:
    """The suit with most of the cards seen; ties by the sum of ranks, then S, H, D, C."""

    def merit(suit: str) -> tuple[int, int, int]:
        ranks = [rank_of(card) for card in seen if suit_of(card) == suit]
        return len(ranks), sum(ranks), -TIE_ORDER.index(suit)

    return max(SUITS, key=merit)


def legal_cards(hand: Collection[str], trick: Sequence[str]) -> set[str]:
    """The cards of `hand` that may be played to `trick`, its cards so far."""
    if not trick:
        return set(hand)
    return {card for card in hand if suit_of(card) == suit_of(trick[0])} or set(hand)


def trick_winner(trick: Sequence[str], trump: str) -> int:
    """The position in the trick (0 = leader) of the highest trump, else of the suit led."""
    trumps = [card for card in trick if suit_of(card) == trump]
    following = [card for card in trick if suit_of(card) == suit_of(trick[0])]
    return trick.index(max(trumps or following, key=rank_of))


def deal_value(
    hakem_team: int, winner: int, loser_tricks: int, options: Mapping[str, Any] | None = None
) -> int:
    """What the deal is worth to team `winner`, by the tricks the losers had when it was won."""
    rules = checked_options(options)
    if loser_tricks > 0:
        return 1
    return int(rules["kot_points"] if winner == hakem_team else rules["hakem_kot_points"])


def next_hakem(hakem: int, winner_team: int, options: Mapping[str, Any] | None = None) -> int:
    """The hakem of the next deal."""
    keeps = checked_options(options)["next_hakem"] == "winner_keeps"
    return hakem if keeps and team_of(hakem) == winner_team else (hakem + 1) % 4


def match_after(scores: Sequence[int], winner_team: int, value: int) -> list[int]:
    """The match scores of the two teams after a deal worth `value` to `winner_team`."""
    return [scores[team] + (value if team == winner_team else 0) for team in TEAMS]


def match_winner(scores: Sequence[int], target: int = 7) -> int | None:
    """The team that has reached `target`; None while the match goes on."""
    return next((team for team in TEAMS if scores[team] >= target), None)


# One deal.


class View(NamedTuple):
    """All that one seat has been shown, and nothing else; equal views cannot be told apart."""

    seat: int
    options: tuple[tuple[str, Any], ...]
    hakem: int
    first: frozenset[str]  # what the hakem saw when trump was chosen; empty for all others
    dealt: frozenset[str]  # all thirteen; empty for a hakem who has not been given the rest
    trump: str | None
    record: tuple[tuple[int, str], ...]  # who chose what, first to last
    seat_to_act: int | None
    phase: str


class HokmReferee:
    """One deal of Hokm, all hands known, changed in place by `play`.

    `hands` are whole from the start, also that of the hakem who has yet to see most of his;
    `dealt` has each in the order it was dealt, so the first packet of five comes first.
    """

    def __init__(
        self, order: Sequence[str], *, hakem: int, options: Mapping[str, Any] | None = None
    ) -> None:
        if sorted(order) != sorted(DECK):
            raise ValueError(f"hokm: expected each of the 52 cards once, got {list(order)}")
        if hakem not in SEATS:
            raise ValueError(f"hokm: the hakem is a seat from 0 to 3, got {hakem}")
        self.options = checked_options(options)
        self.hakem = hakem
        self.dealt = dealt_from(order, hakem)
        self.hands = [set(hand) for hand in self.dealt]
        self.trump: str | None = None
        if self.options["trump_policy"] == "heuristic":
            self.trump = heuristic_trump(self.first_cards())
        self.leader = hakem  # led the trick on the table, or is to lead it
        self.trick: list[tuple[int, str]] = []
        self.tricks = [0, 0]  # complete ones, by the team that took them
        self.won_with: list[int] | None = None  # `tricks` at the moment a team had seven
        self.history: list[tuple[int, str]] = []

    def first_cards(self) -> list[str]:
        """The cards of the hakem on which trump is chosen."""
        return self.dealt[self.hakem][: self.options["trump_choice_cards"]]

    @property
    def phase(self) -> str:
        """One of "trump", "play" and "over"."""
        if self.trump is None:
            return "trump"
        if sum(self.tricks) == TRICKS or (self.won_with and self.options["stop_at_seven"]):
            return "over"
        return "play"

    @property
    def seat(self) -> int:
        """The seat to act; an error once the deal is over."""
        if self.phase == "over":
            raise ValueError("hokm: the deal is over, nobody is to act")
        return (self.leader + len(self.trick)) % 4

    def legal(self) -> set[str]:
        """What the seat to act may choose; empty only once the deal is over.

        Sort it before drawing from it: the order of a set of names differs from run to run.
        """
        if self.phase == "over":
            return set()
        if self.phase == "trump":
            return set(SUITS)
        return legal_cards(self.hands[self.seat], [card for _, card in self.trick])

    def play(self, choice: str) -> None:
        """Name trump or play one card for the seat to act, in place."""
        if choice not in self.legal():
            raise ValueError(
                f"hokm: may not choose {choice} in phase {self.phase}; legal are "
                f"{' '.join(sorted(self.legal()))}; hakem {self.hakem}, dealt {self.dealt}, "
                f"choices {self.history}, options {self.options}"
            )
        seat = self.seat
        self.history.append((seat, choice))
        if self.trump is None:
            self.trump = choice
        else:
            self.hands[seat].remove(choice)
            self.trick.append((seat, choice))
            if len(self.trick) == 4:
                self._take_trick(self.trump)

    def _take_trick(self, trump: str) -> None:
        self.leader = self.trick[trick_winner([card for _, card in self.trick], trump)][0]
        self.trick = []
        self.tricks[team_of(self.leader)] += 1
        if self.won_with is None and max(self.tricks) == TRICKS_TO_WIN:
            self.won_with = list(self.tricks)

    def plays(self) -> list[tuple[int, str]]:
        """(seat, card) of every card played so far."""
        return [(seat, choice) for seat, choice in self.history if choice in DECK]

    def winner(self) -> int:
        """The team that won; an error before the deal is over."""
        if self.phase != "over" or self.won_with is None:
            raise ValueError(f"hokm: no winner in phase {self.phase}")
        return self.won_with.index(TRICKS_TO_WIN)

    def value(self) -> int:
        """What the deal was worth to its winners; an error before it is over."""
        winner = self.winner()
        assert self.won_with is not None
        loser_tricks = self.won_with[1 - winner]
        return deal_value(team_of(self.hakem), winner, loser_tricks, self.options)

    def payoffs(self) -> list[int]:
        """The returns of RULES 1.3; an error before the deal is over."""
        winner, value = self.winner(), self.value()
        return [value if team_of(seat) == winner else -value for seat in SEATS]

    def view(self, seat: int) -> View:
        """What `seat` knows now."""
        is_hakem = seat == self.hakem
        sees_all = not is_hakem or self.phase != "trump" or len(self.first_cards()) == 13
        return View(
            seat=seat,
            options=tuple(sorted(self.options.items())),
            hakem=self.hakem,
            first=frozenset(self.first_cards() if is_hakem else ()),
            dealt=frozenset(self.dealt[seat] if sees_all else ()),
            trump=self.trump,
            record=tuple(self.history),
            seat_to_act=None if self.phase == "over" else self.seat,
            phase=self.phase,
        )

    def copy(self) -> HokmReferee:
        """A deal of its own at the same position."""
        return copy.deepcopy(self)


def dealt_from(order: Sequence[str], hakem: int) -> list[list[str]]:
    """The four hands, each in the order it was dealt: packets of 5, 4 and 4 from the hakem on."""
    hands: list[list[str]] = []
    for seat in SEATS:
        turn = (seat - hakem) % 4
        packets = [order[at + size * turn :][:size] for at, size in PACKETS]
        hands.append([card for packet in packets for card in packet])
    return hands


def order_of(hands: Sequence[Sequence[str]], hakem: int) -> list[str]:
    """The shuffled deck that deals these four hands of thirteen: `dealt_from` undone."""
    from_hakem = [hands[(hakem + turn) % 4] for turn in range(4)]
    rounds = [
        [hand[start:stop] for hand in from_hakem] for start, stop in ((0, 5), (5, 9), (9, 13))
    ]
    return [card for packets in rounds for packet in packets for card in packet]


def random_deal(
    rng: random.Random, options: Mapping[str, Any] | None = None, hakem: int | None = None
) -> HokmReferee:
    """A fresh deal, nothing chosen yet; without `hakem` any seat is."""
    if hakem is None:
        hakem = rng.randrange(4)
    return HokmReferee(rng.sample(DECK, 52), hakem=hakem, options=options)


# Other deals with the same view.


def another_deal_with_the_same_view(
    deal: HokmReferee, seat: int, rng: random.Random
) -> HokmReferee:
    """A deal that `seat` cannot tell from `deal`, with other hands wherever there are any.

    Only where the view proves every card are the present hands equal. With
    `trump_policy=heuristic` that proof is not looked for: after 200 draws it is taken as given.
    """
    loose = LooseCards(deal, seat)
    other = draw_world(deal, seat, loose, rng)
    for _ in range(0 if loose.arrangements() == 1 else 200):
        if other.hands != deal.hands:
            break
        other = draw_world(deal, seat, loose, rng)
    return other


def any_deal_with_the_same_view(deal: HokmReferee, seat: int, rng: random.Random) -> HokmReferee:
    """A deal that `seat` cannot tell from `deal`, drawn uniformly; `deal` itself may come back.

    All shuffles that give the view are equally likely. It is replayed from its first choice by
    `play`, so each of its choices is legal.
    """
    return draw_world(deal, seat, LooseCards(deal, seat), rng)


def draw_world(deal: HokmReferee, seat: int, loose: LooseCards, rng: random.Random) -> HokmReferee:
    """What `any_deal_with_the_same_view` gives, with the loose cards known already."""
    for _ in range(MOST_DRAWS):
        dealt = [rng.sample(sorted(hand), CARDS_IN_HAND) for hand in loose.draw(rng)]
        if seat == deal.hakem:
            first = deal.first_cards()
            rest = [card for card in dealt[seat] if card not in first]
            dealt[seat] = rng.sample(first, len(first)) + rest
        if names_the_trump(deal, dealt):
            return retold(deal, seat, dealt)
    return deal.copy()


def every_deal_with_the_same_view(deal: HokmReferee, seat: int) -> Iterator[tuple[Hands, int]]:
    """Every way the present hands can lie for `seat`, with the number of deals behind it.

    For endings only: more than `MOST_DEALS` are refused. Each is replayed from the first choice.

    Present hands and plays fix the four hands of thirteen, and there are no hidden choices. What
    is left open is the order of the cards inside a hand: 13! for each, or 5! * 8! for a hakem
    who knows his first five. As a rule nothing depends on that order, so it counts for nothing
    and every number is 1: all arrangements are equally likely.

    With `trump_policy=heuristic` trump depends on the first cards of the hakem. Then the number
    counts the sets they may have been, for a seat other than the hakem: of 13 cards, the sets of
    5 on which the heuristic names this trump. Arrangements without any are left out.
    """
    loose = LooseCards(deal, seat)
    if loose.arrangements() > MOST_DEALS:
        raise ValueError(f"hokm: {loose.arrangements()} ways to lie are too many to list")

    @cache
    def first_sets(held: frozenset[str]) -> list[tuple[str, ...]]:
        return sets_to_choose_on(deal, seat, held)

    for held in loose.every():
        firsts = first_sets(frozenset(held[deal.hakem]))
        if firsts:
            dealt = [sorted(hand) for hand in held]
            rest = [card for card in dealt[deal.hakem] if card not in firsts[0]]
            dealt[deal.hakem] = [*firsts[0], *rest]
            a, b, c, d = (frozenset(hand) for hand in retold(deal, seat, dealt).hands)
            yield (a, b, c, d), len(firsts)


def arrangements(deal: HokmReferee, seat: int) -> int:
    """How many ways the present hands can lie for `seat`, counted without listing them.

    With `trump_policy=heuristic` no more than that many: what trump tells is not counted.
    """
    return LooseCards(deal, seat).arrangements()


def sets_to_choose_on(deal: HokmReferee, seat: int, held: frozenset[str]) -> list[tuple[str, ...]]:
    """The sets of first cards that `seat` must tell apart, if the hakem was dealt `held`.

    One is as good as any other unless the heuristic chose; a hakem knows his own.
    """
    if seat == deal.hakem:
        return [tuple(deal.first_cards())]
    size = len(deal.first_cards())
    if deal.options["trump_policy"] == "agent":
        return [tuple(sorted(held)[:size])]
    sets = itertools.combinations(sorted(held), size)
    return [first for first in sets if heuristic_trump(first) == deal.trump]


def names_the_trump(deal: HokmReferee, dealt: Sequence[Sequence[str]]) -> bool:
    """Whether trump would be the same with these hands, in so far as it follows from them."""
    if deal.options["trump_policy"] == "agent":
        return True
    first = dealt[deal.hakem][: deal.options["trump_choice_cards"]]
    return heuristic_trump(first) == deal.trump


def retold(deal: HokmReferee, seat: int, dealt: Sequence[Sequence[str]]) -> HokmReferee:
    """The deal with these hands, replayed to where `deal` is and checked.

    An illegal choice is a ValueError, a view other than that of `deal` an AssertionError.
    """
    world = HokmReferee(order_of(dealt, deal.hakem), hakem=deal.hakem, options=deal.options)
    for _, choice in deal.history:
        world.play(choice)
    if world.view(seat) != deal.view(seat):
        raise AssertionError(f"seat {seat} sees {world.view(seat)}, not {deal.view(seat)}")
    return world


def shown_voids(deal: HokmReferee) -> list[set[str]]:
    """For each seat the suits that it failed to follow."""
    voids: list[set[str]] = [set(), set(), set(), set()]
    plays = deal.plays()
    for number, (seat, card) in enumerate(plays):
        led = suit_of(plays[number - number % 4][1])
        if suit_of(card) != led:
            voids[seat].add(led)
    return voids


class LooseCards:
    """The cards that `seat` has not seen, and the room there is for them in the four hands.

    Hands are those of thirteen at the first trick. The only rule that tells something of a hand
    forbids cards one by one, by suit, so where a card may lie does not depend on what else lies
    there, and the ways they all can lie are counted card by card. A hakem who has seen five
    cards has room for eight more.
    """

    def __init__(self, deal: HokmReferee, seat: int) -> None:
        view, plays, voids = deal.view(seat), deal.plays(), shown_voids(deal)
        self.proven = [{card for actor, card in plays if actor == who} for who in SEATS]
        self.proven[seat] = set(view.dealt or view.first)
        self.room = tuple(CARDS_IN_HAND - len(cards) for cards in self.proven)
        self.bound: list[tuple[str, list[int]]] = []  # with the seats that may hold it
        self.free: list[tuple[str, list[int]]] = []  # any seat with room may hold it
        with_room = [who for who in SEATS if self.room[who]]
        for card in sorted(set(DECK).difference(*self.proven)):
            seats = [who for who in with_room if suit_of(card) not in voids[who]]
            (self.free if seats == with_room else self.bound).append((card, seats))
        self.ways = cache(self._ways)

    def arrangements(self) -> int:
        """How many ways the loose cards can lie."""
        return self.ways(0, self.room)

    def _ways(self, number: int, room: tuple[int, ...]) -> int:
        """How many ways the bound cards from `number` on and all free ones fill the room."""
        if number >= len(self.bound):
            return math.factorial(sum(room)) // math.prod(map(math.factorial, room))
        seats = [who for who in self.bound[number][1] if room[who]]
        return sum(self.ways(number + 1, less_one(room, who)) for who in seats)

    def draw(self, rng: random.Random) -> list[set[str]]:
        """Hands of thirteen, each way the loose cards can lie being equally likely."""
        hands = [set(cards) for cards in self.proven]
        room = self.room
        for number, (card, seats) in enumerate(self.bound):
            with_room = [who for who in seats if room[who]]
            weights = [self.ways(number + 1, less_one(room, who)) for who in with_room]
            who = rng.choices(with_room, weights)[0]
            hands[who].add(card)
            room = less_one(room, who)
        free = iter(rng.sample([card for card, _ in self.free], len(self.free)))
        for who in SEATS:
            hands[who].update(itertools.islice(free, room[who]))
        return hands

    def every(self) -> Iterator[list[set[str]]]:
        """Hands of thirteen, each way the loose cards can lie once."""
        cards = self.bound + self.free

        def lay(
            number: int, room: tuple[int, ...], laid: tuple[int, ...]
        ) -> Iterator[tuple[int, ...]]:
            if number == len(cards):
                yield laid
                return
            for who in cards[number][1]:
                if room[who] and self.ways(number + 1, less_one(room, who)):
                    yield from lay(number + 1, less_one(room, who), (*laid, who))

        for laid in lay(0, self.room, ()):
            hands = [set(proven) for proven in self.proven]
            for (card, _), who in zip(cards, laid, strict=True):
                hands[who].add(card)
            yield hands


def less_one(room: tuple[int, ...], who: int) -> tuple[int, ...]:
    """The room left once `who` has one more card."""
    return (*room[:who], room[who] - 1, *room[who + 1 :])
