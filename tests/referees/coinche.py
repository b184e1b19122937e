"""Coinche by RULES.md section 4, slow and plain: the referee that the fast engine is held to.

Cards are names such as "QS"; calls are "P", "80S", "250H" (capot), "X" and "XX". A rule is a pure
function on names; `CoincheReferee` plays one deal with them. The last part finds other deals that
one seat cannot tell from the one it sits in.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

SUITS = "SHDC"
RANKS = "789JQKTA"  # plain order, low to high
TRUMP_RANKS = "78QKTA9J"  # trump order, low to high
DECK = [rank + suit for suit in SUITS for rank in RANKS]
SEATS = range(4)
TEAMS = range(2)
TRICKS = 8
CARDS_PER_HAND = 8

PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
LAST_TRICK_POINTS = 10
BELOTE_POINTS = 20

PASS = "P"
COINCHE = "X"
SURCOINCHE = "XX"
CAPOT = 250
VALUES = [*range(80, 161, 10), CAPOT]
BIDS = [f"{value}{suit}" for value in VALUES for suit in SUITS]
CALLS = [PASS, *BIDS, COINCHE, SURCOINCHE]

MOST_LISTED = 50_000  # deals that `every_deal_with_the_same_view` is willing to list

DEFAULT_OPTIONS: Mapping[str, object] = {
    "reward_matrix": "mirror",
    "undertrump": "free",
    "partner_ruff": "free",
    "belote": "ffb",
    "belote_in_reward": False,
    "coinche_fail": "stake",
    "surcoinche_mult": 4,
    "trick_reward": 0,
    "target": 1000,
}
CHOICES: Mapping[str, tuple[object, ...]] = {
    "reward_matrix": ("classic", "mirror", "no_defense", "good"),
    "undertrump": ("free", "must"),
    "partner_ruff": ("free", "no_underruff"),
    "belote": ("ffb", "off"),
    "coinche_fail": ("stake", "bid"),
    "surcoinche_mult": (3, 4),
}

Hands = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]
Record = Sequence[tuple[int, str]]  # who chose what, first to last


def checked_options(options: Mapping[str, object] | None = None) -> dict[str, object]:
    """All the options of RULES 4.5, defaults filled in; a wrong name or value is refused."""
    rules = {**DEFAULT_OPTIONS, **(options or {})}
    unknown = sorted(set(rules) - set(DEFAULT_OPTIONS))
    if unknown:
        raise ValueError(f"coinche: no such option: {', '.join(unknown)}")
    for name, value in rules.items():
        if not is_allowed(name, value):
            raise ValueError(f"coinche: option {name} cannot be {value!r}")
    return rules


def is_allowed(name: str, value: object) -> bool:
    """Whether an option may have this value; `trick_reward` is any finite number from 0."""
    if name == "belote_in_reward":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if name == "trick_reward":
        return isinstance(value, int | float | Fraction) and 0 <= value < math.inf
    if name == "target":
        return isinstance(value, int) and value >= 1
    return value in CHOICES[name]


# Cards and tricks.


def suit_of(card: str) -> str:
    return card[1]


def card_points(card: str, trump: str) -> int:
    return (TRUMP_POINTS if suit_of(card) == trump else PLAIN_POINTS)[card[0]]


def total_points(trump: str) -> int:
    """The points of all 32 cards, without those for the last trick."""
    return sum(card_points(card, trump) for card in DECK)


def trick_points(trick: Sequence[str], trump: str, last: bool) -> int:
    """What a complete trick counts; ten more if it is the last one of the deal."""
    return sum(card_points(card, trump) for card in trick) + (LAST_TRICK_POINTS if last else 0)


def trick_winner(trick: Sequence[str], trump: str) -> int:
    """The position (0 = leader) of the highest trump, else of the highest card of the suit led."""
    trumps = [card for card in trick if suit_of(card) == trump]
    following = [card for card in trick if suit_of(card) == suit_of(trick[0])]
    if trumps:
        return trick.index(max(trumps, key=lambda card: TRUMP_RANKS.index(card[0])))
    return trick.index(max(following, key=lambda card: RANKS.index(card[0])))


def partner_wins(trick: Sequence[str], trump: str) -> bool:
    """Whether the trick so far is won by the partner of the seat to play to it."""
    return (len(trick) - trick_winner(trick, trump)) % 2 == 0


def trumps_above(card: str, trump: str) -> set[str]:
    """The trumps that beat this card: for a plain card, all of them."""
    if suit_of(card) != trump:
        return {rank + trump for rank in TRUMP_RANKS}
    return {rank + trump for rank in TRUMP_RANKS[TRUMP_RANKS.index(card[0]) + 1 :]}


def legal_cards(
    hand: Collection[str],
    trick: Sequence[str],
    trump: str,
    options: Mapping[str, object] = DEFAULT_OPTIONS,
) -> set[str]:
    """The cards of `hand` that may be played to `trick`, its cards so far from the leader.

    `options` must be whole, as `checked_options` gives them.
    """
    held = set(hand)
    if not trick:
        return held
    winning = trick[trick_winner(trick, trump)]
    trumps = {card for card in held if suit_of(card) == trump}
    higher = trumps & trumps_above(winning, trump)
    following = {card for card in held if suit_of(card) == suit_of(trick[0])}
    if following:
        if suit_of(trick[0]) == trump:
            return higher or following
        return following
    if partner_wins(trick, trump):
        if options["partner_ruff"] == "no_underruff" and suit_of(winning) == trump and higher:
            return held - (trumps - higher)
        return held
    if not trumps:
        return held
    if higher:  # every trump is higher than a plain card
        return higher
    return trumps if options["undertrump"] == "must" else held


# The auction.


def bid_value(call: str) -> int:
    """80 to 160, or 250 for capot; for bids only."""
    return int(call[:-1])


def bid_suit(call: str) -> str:
    return call[-1]


def standing_bid(calls: Record) -> tuple[int, str] | None:
    """Who made the last bid, and the bid; None before any."""
    others = (PASS, COINCHE, SURCOINCHE)
    bids = [(seat, call) for seat, call in calls if call not in others]
    return bids[-1] if bids else None


def legal_calls(calls: Record, seat: int) -> set[str]:
    """What `seat`, whose turn it is, may call after these calls of (seat, call)."""
    said = {call for _, call in calls}
    standing = standing_bid(calls)
    if standing is None:
        return {PASS, *BIDS}
    bidder, bid = standing
    is_own = bidder % 2 == seat % 2
    if SURCOINCHE in said:
        return {PASS}
    if COINCHE in said:
        return {PASS, SURCOINCHE} if is_own else {PASS}
    value = bid_value(bid)
    higher = {call for call in BIDS if bid_value(call) > value}
    return {PASS, *higher} if is_own else {PASS, COINCHE, *higher}


def trailing_passes(calls: Record) -> int:
    """How many passes have been made since the last other call."""
    said = [call for _, call in calls]
    count = 0
    while count < len(said) and said[-1 - count] == PASS:
        count += 1
    return count


def auction_over(calls: Record) -> bool:
    """Four passes at the start, three after a bid or coinche, or a surcoinche."""
    if any(call == SURCOINCHE for _, call in calls):
        return True
    return trailing_passes(calls) == (4 if standing_bid(calls) is None else 3)


def multiplier(calls: Record, options: Mapping[str, object] = DEFAULT_OPTIONS) -> int:
    """1, or 2 once coinched, or `surcoinche_mult` once surcoinched."""
    said = {call for _, call in calls}
    if SURCOINCHE in said:
        return 4 if options["surcoinche_mult"] == 4 else 3
    return 2 if COINCHE in said else 1


def max_calls() -> int:
    """The length of the longest auction, found by trying all; suits make no difference to it."""
    found: dict[object, int] = {}

    def left(calls: list[tuple[int, str]]) -> int:
        if auction_over(calls):
            return 0
        seat = len(calls) % 4
        position = (seat, standing_bid(calls), multiplier(calls), trailing_passes(calls))
        if position not in found:
            words = [call for call in legal_calls(calls, seat) if call[-1] in "PXS"]
            found[position] = 1 + max(left([*calls, (seat, call)]) for call in words)
        return found[position]

    return left([])


# Score.


def is_made(
    bid: int,
    attack: int,
    tricks: int,
    belote: str | None,
    options: Mapping[str, object] = DEFAULT_OPTIONS,
) -> bool:
    """Whether attackers with `attack` trick points and so many tricks made their bid.

    `belote` is the side that has it: "attack", "defence" or None.
    """
    if bid == CAPOT:
        return tricks == TRICKS
    has_belote = belote == "attack" and options["belote"] == "ffb"
    return attack + (BELOTE_POINTS if has_belote else 0) >= bid


def stake(bid: int, mult: int, options: Mapping[str, object] = DEFAULT_OPTIONS) -> int:
    """What a failed contract costs before the multiplier (`F` in RULES 4.5)."""
    if bid == CAPOT or (mult > 1 and options["coinche_fail"] == "bid"):
        return bid
    return 160


def score(
    bid: int,
    mult: int,
    attack: int,
    *,
    tricks: int = 0,
    belote: str | None = None,
    matrix: str = "mirror",
    options: Mapping[str, object] = DEFAULT_OPTIONS,
) -> tuple[int, int]:
    """What attackers and defenders get by this matrix, multiplied, without belote.

    `attack` is trick points without belote; `tricks`, those of the attackers, only matter to
    capot. `matrix` is used, not that of the options.
    """
    lost = stake(bid, mult, options)
    made, failed = {
        "classic": ((bid, 0), (0, lost)),
        "mirror": ((bid, -bid), (-lost, lost)),
        "no_defense": ((bid, -bid), (-lost, 0)),
        "good": ((bid, -bid), (-bid, lost)),
    }[matrix]
    for_attack, for_defence = made if is_made(bid, attack, tricks, belote, options) else failed
    return for_attack * mult, for_defence * mult


def belote_points(
    belote: str | None, made: bool, options: Mapping[str, object] = DEFAULT_OPTIONS
) -> tuple[int, int]:
    """What belote adds to the match points of attackers and defenders; never multiplied."""
    if belote is None or options["belote"] == "off":
        return 0, 0
    return (BELOTE_POINTS, 0) if belote == "attack" and made else (0, BELOTE_POINTS)


def match_after(scores: Sequence[int], match_points: Sequence[int]) -> list[int]:
    """The match score of each team after a deal that gave these match points."""
    return [before + points for before, points in zip(scores, match_points, strict=True)]


def match_winner(scores: Sequence[int], target: int = 1000) -> int | None:
    """The team that has won the match after a deal, if one has; both there and equal: none."""
    if max(scores) < target or scores[0] == scores[1]:
        return None
    return 0 if scores[0] > scores[1] else 1


# One deal.


class Contract(NamedTuple):
    """What the attackers undertook, doubling included; the trump suit is kept apart."""

    value: int  # 250 for capot
    seat: int  # made the last bid
    multiplier: int


class View(NamedTuple):
    """All that one seat has been shown, and nothing else; equal views cannot be told apart.

    Contract, tricks and points follow from the record.
    """

    seat: int
    options: tuple[tuple[str, object], ...]
    dealer: int
    dealt: frozenset[str]
    record: tuple[tuple[int, str], ...]  # every call and card, all public
    announcements: tuple[tuple[int, str, str], ...]
    seat_to_act: int | None
    phase: str


class CoincheReferee:
    """One deal of Coinche, all hands known, changed in place by `play`.

    `contract` and `trump` are None until the auction has ended in a contract, and so is `belote`,
    the seat that was dealt king and queen of trump. Teams are numbered by `seat % 2`.
    """

    def __init__(
        self, order: Sequence[str], *, dealer: int, options: Mapping[str, object] | None = None
    ) -> None:
        if sorted(order) != sorted(DECK):
            raise ValueError(f"coinche: expected each of the 32 cards once, got {list(order)}")
        if dealer not in SEATS:
            raise ValueError(f"coinche: expected a dealer 0 to 3, got {dealer}")
        self.options = checked_options(options)
        self.dealer = dealer
        self.dealt = dealt_from(order, dealer)
        self.hands = [set(hand) for hand in self.dealt]
        self.phase = "bid"  # then "play", then "over"
        self.history: list[tuple[int, str]] = []
        self.calls: list[tuple[int, str]] = []
        self.contract: Contract | None = None
        self.trump: str | None = None
        self.belote: int | None = None
        self.trick: list[tuple[int, str]] = []
        self.past_tricks: list[list[tuple[int, str]]] = []  # complete ones
        self.points = [0, 0]  # of each team in complete tricks, dix de der included
        self.tricks = [0, 0]  # taken by each team
        self.announcements: list[tuple[int, str, str]] = []  # (seat, card, word)

    @property
    def seat(self) -> int:
        """The seat to act; an error once the deal is over."""
        if self.phase == "bid":
            return (self.dealer + 1 + len(self.calls)) % 4
        if self.phase == "over":
            raise ValueError("coinche: the deal is over, nobody is to act")
        return (self.leader() + len(self.trick)) % 4

    def leader(self) -> int:
        """The seat that led the trick on the table, or is to lead it; not in the auction."""
        if self.trick:
            return self.trick[0][0]
        if self.past_tricks:
            return taken_by(self.past_tricks[-1], str(self.trump))
        return (self.dealer + 1) % 4

    def legal(self) -> set[str]:
        """What the seat to act may choose; empty only once the deal is over.

        Sort it before drawing from it: the order of a set of names differs from run to run.
        """
        if self.phase == "over":
            return set()
        if self.phase == "bid":
            return legal_calls(self.calls, self.seat)
        cards = [card for _, card in self.trick]
        return legal_cards(self.hands[self.seat], cards, str(self.trump), self.options)

    def play(self, choice: str) -> None:
        """Make one call or play one card for the seat to act, in place."""
        if choice not in self.legal():
            raise ValueError(
                f"coinche: may not choose {choice} in phase {self.phase}; legal are "
                f"{' '.join(sorted(self.legal()))}; dealer {self.dealer}, dealt {self.dealt}, "
                f"choices {self.history}, options {self.options}"
            )
        seat, phase = self.seat, self.phase
        self.history.append((seat, choice))
        if phase == "bid":
            self._call(seat, choice)
        else:
            self._put_on_table(seat, choice)

    def _call(self, seat: int, call: str) -> None:
        self.calls.append((seat, call))
        if not auction_over(self.calls):
            return
        standing = standing_bid(self.calls)
        if standing is None:
            self.phase = "over"
            return
        self.phase = "play"
        bidder, bid = standing
        self.contract = Contract(bid_value(bid), bidder, multiplier(self.calls, self.options))
        self.trump = bid_suit(bid)
        for who in SEATS:
            if has_belote(self.dealt[who], self.trump):
                self.belote = who

    def _put_on_table(self, seat: int, card: str) -> None:
        trump = str(self.trump)
        if seat == self.belote and card in belote_cards(trump):
            self.announcements.append((seat, card, "rebelote" if self.announcements else "belote"))
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            team = taken_by(self.trick, trump) % 2
            last = len(self.past_tricks) == TRICKS - 1
            self.points[team] += trick_points([card for _, card in self.trick], trump, last)
            self.tricks[team] += 1
            self.past_tricks.append(self.trick)
            self.trick = []
            if last:
                self.phase = "over"

    def plays(self) -> list[tuple[int, str]]:
        """(seat, card) of every card played so far."""
        return self.history[len(self.calls) :]

    def belote_side(self) -> str | None:
        """The side that was dealt belote, "attack" or "defence", if a seat was."""
        if self.contract is None or self.belote is None:
            return None
        return "attack" if self.belote % 2 == self.contract.seat % 2 else "defence"

    def payoffs(self) -> list[int]:
        """The returns of RULES 4.5, one per seat: the mirror row, multiplied, without belote."""
        for_team = self._scores_of_teams("mirror")
        return [for_team[seat % 2] for seat in SEATS]

    def match_points(self) -> list[int]:
        """What each team adds to its match score, belote included."""
        plain, belote = self._scores_of_teams("classic"), self._belote_of_teams()
        return [plain[team] + belote[team] for team in TEAMS]

    def rewards(self) -> list[Fraction]:
        """The rewards of RULES 4.5 that each seat has got so far, exact.

        Before the deal is over these are its team's `trick_reward` for complete tricks. A float
        `trick_reward` is taken as the decimal it prints as: 0.1 is one tenth.
        """
        rate = Fraction(str(self.options["trick_reward"]))
        for_team = [rate * points for points in self.points]
        if self.phase == "over":
            row = self._scores_of_teams(str(self.options["reward_matrix"]))
            belote = self._belote_of_teams() if self.options["belote_in_reward"] else [0, 0]
            for team in TEAMS:
                for_team[team] += row[team] + belote[team] - belote[1 - team]
        return [for_team[seat % 2] for seat in SEATS]

    def is_made(self) -> bool:
        """Whether the attackers made their contract; an error unless it has been played."""
        if self.contract is None or self.phase != "over":
            raise ValueError(f"coinche: no contract has been played in phase {self.phase}")
        team = self.contract.seat % 2
        return is_made(
            self.contract.value,
            self.points[team],
            self.tricks[team],
            self.belote_side(),
            self.options,
        )

    def _scores_of_teams(self, matrix: str) -> list[int]:
        """By this matrix, multiplied, without belote; an error before the deal is over."""
        if self.phase != "over":
            raise ValueError(f"coinche: no scores in phase {self.phase}")
        if self.contract is None:
            return [0, 0]
        team = self.contract.seat % 2
        attack, defence = score(
            self.contract.value,
            self.contract.multiplier,
            self.points[team],
            tricks=self.tricks[team],
            belote=self.belote_side(),
            matrix=matrix,
            options=self.options,
        )
        return [attack, defence] if team == 0 else [defence, attack]

    def _belote_of_teams(self) -> list[int]:
        if self.contract is None:
            return [0, 0]
        attack, defence = belote_points(self.belote_side(), self.is_made(), self.options)
        return [attack, defence] if self.contract.seat % 2 == 0 else [defence, attack]

    def view(self, seat: int) -> View:
        """What `seat` knows now."""
        return View(
            seat=seat,
            options=tuple(sorted(self.options.items())),
            dealer=self.dealer,
            dealt=frozenset(self.dealt[seat]),
            record=tuple(self.history),
            announcements=tuple(self.announcements),
            seat_to_act=None if self.phase == "over" else self.seat,
            phase=self.phase,
        )

    def copy(self) -> CoincheReferee:
        """A deal of its own at the same position."""
        return copy.deepcopy(self)


def belote_cards(trump: str) -> set[str]:
    return {"K" + trump, "Q" + trump}


def has_belote(hand: Collection[str], trump: str) -> bool:
    return belote_cards(trump) <= set(hand)


def taken_by(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """The seat that takes a complete trick of (seat, card)."""
    return trick[trick_winner([card for _, card in trick], trump)][0]


def dealt_from(order: Sequence[str], dealer: int) -> list[list[str]]:
    """The four hands, each in the order it was dealt: eight cards at a time, dealer last."""
    packets = [[*order[8 * k : 8 * k + 8]] for k in range(4)]
    return [packets[(seat - dealer - 1) % 4] for seat in SEATS]


def order_of(hands: Sequence[Sequence[str]], dealer: int) -> list[str]:
    """The shuffled deck that deals these four hands of eight: `dealt_from` undone."""
    return [card for k in range(4) for card in hands[(dealer + 1 + k) % 4]]


def random_deal(
    rng: random.Random,
    options: Mapping[str, object] | None = None,
    dealer: int | None = None,
) -> CoincheReferee:
    """A fresh deal, nothing called yet; without `dealer` any dealer."""
    if dealer is None:
        dealer = rng.randrange(4)
    return CoincheReferee(rng.sample(DECK, 32), dealer=dealer, options=options)


def random_choice(deal: CoincheReferee, rng: random.Random, bid_chance: float = 0.4) -> str:
    """A legal choice of the seat to act: any card, or with `bid_chance` a call other than pass.

    One such call in four is a coinche or surcoinche where these are legal. Half the bids are of
    the lowest value left, so that auctions of many calls occur, the others of any value left.
    """
    legal = deal.legal()
    if deal.phase == "play":
        return rng.choice(sorted(legal))
    doubles = sorted(legal & {COINCHE, SURCOINCHE})
    values = sorted({bid_value(call) for call in legal.intersection(BIDS)})
    if rng.random() >= bid_chance or not (doubles or values):
        return PASS
    if doubles and (not values or rng.random() < 0.25):
        return rng.choice(doubles)
    value = values[0] if rng.random() < 0.5 else rng.choice(values)
    return f"{value}{rng.choice(SUITS)}"


# What the record proves: RULES 4.8.


def ruled_out_by_play(
    card: str,
    trick: Sequence[str],
    trump: str,
    options: Mapping[str, object] = DEFAULT_OPTIONS,
) -> set[str]:
    """Cards that a seat does not hold, as it plays `card` to `trick`: constraints 2 to 6."""
    none: set[str] = set()
    if not trick:
        return none
    led = suit_of(trick[0])
    winning = trick[trick_winner(trick, trump)]
    above = trumps_above(winning, trump)
    is_void = suit_of(card) != led
    out = {other for other in DECK if is_void and suit_of(other) == led}  # 2
    if led == trump:
        return out | (above if not is_void and card not in above else none)  # 3
    if not is_void:
        return out
    if not partner_wins(trick, trump):
        if suit_of(winning) != trump:
            return out | (above if suit_of(card) != trump else none)  # 4: `above` is every trump
        if options["undertrump"] == "must" and suit_of(card) != trump:
            return out | {other for other in DECK if suit_of(other) == trump}  # 5
        return out | (above if card not in above else none)  # 5
    is_underruff = suit_of(card) == trump == suit_of(winning) and card not in above
    if options["partner_ruff"] == "no_underruff" and is_underruff:
        return out | above  # 6
    return out


def ruled_out(deal: CoincheReferee) -> list[set[str]]:
    """For each seat, cards not in its present hand, by the public record and RULES 4.8 alone."""
    out: list[set[str]] = [set(), set(), set(), set()]
    for trick in [*deal.past_tricks, deal.trick]:
        cards = [card for _, card in trick]
        for number, (who, card) in enumerate(trick):
            out[who] |= ruled_out_by_play(card, cards[:number], str(deal.trump), deal.options)
    for who, card in deal.plays():
        for others in out:
            others.add(card)
        if card in belote_cards(str(deal.trump)) and who not in announcers(deal):
            out[who] |= belote_cards(str(deal.trump))  # 7
    return out


def ruled_in(deal: CoincheReferee) -> list[set[str]]:
    """For each seat, cards in its present hand, by the public record: constraint 7."""
    held: list[set[str]] = [set(), set(), set(), set()]
    for who in announcers(deal):
        held[who] = belote_cards(str(deal.trump)) - {card for _, card in deal.plays()}
    return held


def announcers(deal: CoincheReferee) -> set[int]:
    return {who for who, _, _ in deal.announcements}


# Other deals with the same view.


def another_deal_with_the_same_view(
    deal: CoincheReferee, seat: int, rng: random.Random
) -> CoincheReferee:
    """A deal that `seat` cannot tell from `deal`, with as many hidden cards moved as can be.

    All deals that move so many are equally likely. Only where the view proves every card is it
    `deal` again.
    """
    return retold(deal, seat, LooseCards(deal, seat, moving=True).draw(rng), rng)


def any_deal_with_the_same_view(
    deal: CoincheReferee, seat: int, rng: random.Random
) -> CoincheReferee:
    """A deal that `seat` cannot tell from `deal`, drawn uniformly; `deal` itself may come back.

    It is replayed from its first call by `play`, so each of its choices is legal.
    """
    return retold(deal, seat, LooseCards(deal, seat).draw(rng), rng)


def every_deal_with_the_same_view(deal: CoincheReferee, seat: int) -> Iterator[tuple[Hands, int]]:
    """Every way the present hands can lie for `seat`, with the number of deals behind it.

    For endings only: more than `MOST_LISTED` are refused. Each is replayed from the first call.

    The number is always 1. Every choice is public, so present hands and record give the dealt
    hands in one way, and a shuffle makes all dealt hands equally likely: so are all of these.
    """
    loose = LooseCards(deal, seat)
    if loose.ways() > MOST_LISTED:
        raise ValueError(f"coinche: {loose.ways()} deals are too many to list, at {deal.history}")
    return replayed(deal, seat, loose)


def replayed(deal: CoincheReferee, seat: int, loose: LooseCards) -> Iterator[tuple[Hands, int]]:
    """The present hands of each deal in `loose`, once it has been replayed, and 1."""
    for dealt in loose.each():
        world = retold(deal, seat, dealt, random.Random(0))
        a, b, c, d = (frozenset(hand) for hand in world.hands)
        yield (a, b, c, d), 1


def arrangements(deal: CoincheReferee, seat: int) -> int:
    """How many ways the present hands can lie for `seat`, counted without listing them."""
    return LooseCards(deal, seat).ways()


def retold(
    deal: CoincheReferee, seat: int, dealt: Sequence[Collection[str]], rng: random.Random
) -> CoincheReferee:
    """The deal with these hands, replayed to where `deal` is and checked.

    An illegal choice is a ValueError, a view other than that of `deal` an AssertionError.
    """
    hands = [rng.sample(sorted(hand), CARDS_PER_HAND) for hand in dealt]
    world = CoincheReferee(order_of(hands, deal.dealer), dealer=deal.dealer, options=deal.options)
    for _, choice in deal.history:
        world.play(choice)
    if world.view(seat) != deal.view(seat):
        raise AssertionError(f"seat {seat} sees {world.view(seat)}, not {deal.view(seat)}")
    return world


def played_by(deal: CoincheReferee, who: int) -> set[str]:
    return {card for actor, card in deal.plays() if actor == who}


def could_have_held(deal: CoincheReferee, who: int, held: Collection[str]) -> bool:
    """Whether `who`, dealt these cards, might have played and announced as it did."""
    hand, trick, trump = set(held), list[str](), str(deal.trump)
    for actor, card in deal.plays():
        if actor == who:
            if card not in legal_cards(hand, trick, trump, deal.options):
                return False
            if card in belote_cards(trump) and has_belote(held, trump) != (who in announcers(deal)):
                return False
            hand.remove(card)
        trick = [] if len(trick) == 3 else [*trick, card]
    return True


class LooseCards:
    """The unseen cards that nothing proves to be with one seat, and the room there is for them.

    Every rule that tells something of a hand forbids or places cards one by one: no card of the
    suit led, no trump above another, the other card of a belote here or not here. So where a
    card may lie does not depend on what else lies there, and the ways they all can lie are
    counted card by card. With `moving` only those ways count that leave the fewest cards where
    they are in `deal`.
    """

    def __init__(self, deal: CoincheReferee, seat: int, *, moving: bool = False) -> None:
        self.moving = moving
        self.proven = [played_by(deal, who) | ruled_in(deal)[who] for who in SEATS]
        self.proven[seat] = set(deal.dealt[seat])
        self.room = tuple(CARDS_PER_HAND - len(cards) for cards in self.proven)
        self.loose: list[tuple[str, int, list[int]]] = []  # card, its holder, its possible holders
        for card in sorted(set(DECK).difference(*self.proven)):
            holder = next(who for who in SEATS if card in deal.hands[who])
            seats = [
                who
                for who in SEATS
                if who != seat and could_have_held(deal, who, self.proven[who] | {card})
            ]
            self.loose.append((card, holder, seats))
        self.count = cache(self._count)

    def _count(self, number: int, room: tuple[int, ...]) -> tuple[int, int]:
        """Of the cards from `number` on, how many can move, and in how many ways so many do."""
        if number == len(self.loose):
            return 0, 1
        counts = [count for _, count in self._places(number, room)]
        most = max((moved for moved, _ in counts), default=0)
        return most, sum(ways for moved, ways in counts if moved == most)

    def _places(self, number: int, room: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, int]]]:
        """The seats card `number` may lie with, and the count if it does; dead ends left out."""
        _, holder, seats = self.loose[number]
        for who in seats:
            if room[who]:
                moved, ways = self.count(number + 1, less_one(room, who))
                if ways:
                    yield who, (moved + (self.moving and who != holder), ways)

    def ways(self) -> int:
        return self.count(0, self.room)[1]

    def draw(self, rng: random.Random) -> list[set[str]]:
        """Dealt hands, each way that counts being equally likely."""
        hands, room = [set(cards) for cards in self.proven], self.room
        for number, (card, _, _) in enumerate(self.loose):
            most, _ = self.count(number, room)
            places = [
                (who, ways) for who, (moved, ways) in self._places(number, room) if moved == most
            ]
            who = rng.choices([who for who, _ in places], [ways for _, ways in places])[0]
            hands[who].add(card)
            room = less_one(room, who)
        return hands

    def each(self) -> Iterator[list[set[str]]]:
        """Dealt hands, every way there is; not for `moving`."""

        def rest(
            number: int, room: tuple[int, ...], hands: list[set[str]]
        ) -> Iterator[list[set[str]]]:
            if number == len(self.loose):
                yield hands
                return
            for who, _ in self._places(number, room):
                more = [set(hand) for hand in hands]
                more[who].add(self.loose[number][0])
                yield from rest(number + 1, less_one(room, who), more)

        yield from rest(0, self.room, self.proven)


def less_one(room: tuple[int, ...], who: int) -> tuple[int, ...]:
    """The room left once `who` has one more card."""
    return (*room[:who], room[who] - 1, *room[who + 1 :])
