"""Sheephead by RULES.md section 2, slow and plain: the referee that the fast engine is held to.

Cards are names such as "QS", the joker is "JO". A rule is a pure function on names;
`SheepheadReferee` plays one deal with them. The second half finds other deals that one seat cannot
tell from the one it sits in.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

FAIL_SUITS = "CSH"
FAIL_RANKS = "789KTA"  # ascending
TRUMPS = ["8D", "9D", "KD", "TD", "AD", "JD", "JH", "JS", "JC", "QD", "QH", "QS", "JO", "QC"]
DECK = [rank + suit for suit in FAIL_SUITS for rank in FAIL_RANKS] + TRUMPS
TRUMP = "trump"
SUITS = {card: TRUMP if card in TRUMPS else card[1] for card in DECK}
JOKER = "JO"
ACES = [f"A{suit}" for suit in FAIL_SUITS]
TENS = [f"T{suit}" for suit in FAIL_SUITS]
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
NOLA_RANKS = "789TJQKA"  # ascending; the joker stands for the missing 7D
SEATS = range(5)
TRICKS = 6
POINTS_IN_DECK = 120
EVEN = 60
PICK, PASS, ALONE = "pick", "pass", "alone"

DEFAULT_OPTIONS: Mapping[str, object] = {
    "all_pass": "nola",
    "called_obligations": "standard",
    "unknown_shown": "on_play",
    "zero_tier": "tricks",
    "allow_self_call": False,
    "double_hands": 5,
    "double_restart": "reset",
}
WORDS = {
    "all_pass": ("nola", "redeal"),
    "called_obligations": ("standard", "free"),
    "unknown_shown": ("on_play", "at_end"),
    "zero_tier": ("tricks", "points"),
    "double_restart": ("reset", "add"),
}


def checked_options(options: Mapping[str, object] | None = None) -> dict[str, object]:
    """All the options of RULES 2.5, defaults filled in; a wrong name or value is refused."""
    rules = {**DEFAULT_OPTIONS, **(options or {})}
    unknown = sorted(set(rules) - set(DEFAULT_OPTIONS))
    if unknown:
        raise ValueError(f"sheephead: no such option: {', '.join(unknown)}")
    for name, value in rules.items():
        if not is_allowed(name, value):
            raise ValueError(f"sheephead: option {name} cannot be {value!r}")
    return rules


def is_allowed(name: str, value: object) -> bool:
    """Whether an option may have this value."""
    if name in WORDS:
        return value in WORDS[name]
    if name == "double_hands":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, bool)


# The cards.


def suit_of(card: str) -> str:
    """The suit in a normal hand: one of C, S, H, or trump; what is no card has none of them."""
    return SUITS.get(card, "none")


def is_fail(card: str) -> bool:
    return suit_of(card) != TRUMP


def card_points(card: str) -> int:
    """What the card counts in a normal hand; the joker counts nothing, though it reads J."""
    return 0 if card == JOKER else CARD_POINTS.get(card[0], 0)


def total_points(cards: Iterable[str]) -> int:
    return sum(card_points(card) for card in cards)


def nola_suit(card: str) -> str:
    """The printed suit, the joker being a diamond."""
    return "D" if card == JOKER else card[1]


def nola_rank(card: str) -> int:
    return -1 if card == JOKER else NOLA_RANKS.index(card[0])


# The picker's calls. "Owned" is kept in the hand or buried.


def calling_rule(hand: Collection[str], bury: Collection[str]) -> str:
    """Which of "R1", "R2" and "R3" of RULES 2.3 the six kept cards and the bury fall under."""
    owned = {*hand, *bury}
    if aces_to_call(hand, owned):
        return "R1"
    return "R3" if owned.issuperset(ACES) else "R2"


def aces_to_call(hand: Collection[str], owned: Collection[str]) -> set[str]:
    """Aces not owned of the suits with a fail card in the hand."""
    return {ace for ace in ACES if ace not in owned and holds_suit(hand, suit_of(ace))}


def holds_suit(hand: Collection[str], suit: str) -> bool:
    return any(suit_of(card) == suit for card in hand)


def cards_of_others_to_call(hand: Collection[str], bury: Collection[str]) -> set[str]:
    """The cards of other seats that the picker may call."""
    owned = {*hand, *bury}
    rule = calling_rule(hand, bury)
    if rule == "R1":
        return aces_to_call(hand, owned)
    if rule == "R2":
        return set(ACES) - owned
    return {ten for ten in TENS if ten not in owned and holds_suit(hand, suit_of(ten))}


def calls(hand: Collection[str], bury: Collection[str], allow_self_call: bool = False) -> set[str]:
    """What the picker may declare: "alone", or a card to call."""
    own = {card for card in hand if card in ACES or card in TENS} if allow_self_call else set()
    return {ALONE} | cards_of_others_to_call(hand, bury) | own


def needs_unknown(hand: Collection[str], bury: Collection[str], called: str) -> bool:
    """Whether an unknown card is laid after this call: an ace of others by R2."""
    return calling_rule(hand, bury) == "R2" and called not in hand


def unknown_choices(hand: Collection[str]) -> set[str]:
    """The cards that may be laid as the unknown card: fail cards, or any if there are none."""
    return {card for card in hand if is_fail(card)} or set(hand)


# The play of a normal hand. `called` is None where the picker is alone; `unknown` is the card laid
# as the unknown card, played or not, and None where there is none.


def suit_in_play(card: str, called: str | None = None, unknown: str | None = None) -> str:
    """The suit the card counts as: that of the called card for the unknown card (P5)."""
    if called is not None and card == unknown:
        return suit_of(called)
    return suit_of(card)


def legal_cards(
    hand: Collection[str],
    trick: Sequence[str],
    *,
    is_picker: bool = False,
    called: str | None = None,
    led_before: bool = False,
    unknown: str | None = None,
    obligations: str = "standard",
) -> set[str]:
    """The cards of `hand` that may be played to `trick`, its cards so far.

    A hand with the called card is the partner's, or that of a picker who called himself.
    `led_before` tells whether the called suit was led in an earlier trick.
    """
    duty = called if not led_before and obligations == "standard" else None
    if not trick:
        return set(hand) if duty is None or is_picker else may_lead(hand, duty)
    led = suit_in_play(trick[0], called, unknown)
    following = {card for card in hand if suit_in_play(card, called, unknown) == led}
    if following:
        return {duty} if duty is not None and duty in following else following  # P1
    if len(hand) == 1:
        return set(hand)
    kept = set() if duty is None else kept_back(hand, duty, is_picker)
    return {card for card in hand if card not in kept and card != unknown}  # P5


def may_lead(hand: Collection[str], called: str) -> set[str]:
    """P2: the partner leads no other card of the called suit before it was led."""
    if called not in hand:
        return set(hand)
    return {card for card in hand if card == called or suit_of(card) != suit_of(called)}


def kept_back(hand: Collection[str], called: str, is_picker: bool) -> set[str]:
    """The cards not to be discarded before the called suit is led, unless as the last card."""
    if called in hand:
        return {called}  # P3
    of_called_suit = {card for card in hand if suit_of(card) == suit_of(called)}
    return of_called_suit if is_picker and len(of_called_suit) == 1 else set()  # P4


def trick_winner(
    trick: Sequence[str], called: str | None = None, unknown: str | None = None
) -> int:
    """The position in the trick (0 = leader) of the highest trump, else of the suit led.

    The unknown card is below all others of the called suit; led, it takes the trick only if
    nobody plays a trump or a card of that suit.
    """
    led = suit_in_play(trick[0], called, unknown)

    def strength(card: str) -> tuple[int, int]:
        suit = suit_in_play(card, called, unknown)
        if card == unknown:
            return (1 if suit == led else 0, -1)
        if suit == TRUMP:
            return (2, TRUMPS.index(card))
        return (1 if suit == led else 0, FAIL_RANKS.index(card[0]))

    return max(range(len(trick)), key=lambda position: strength(trick[position]))


# The play of Nola.


def nola_legal(hand: Collection[str], trick: Sequence[str]) -> set[str]:
    """Follow the printed suit when able; otherwise any card."""
    if not trick:
        return set(hand)
    return {card for card in hand if nola_suit(card) == nola_suit(trick[0])} or set(hand)


def nola_winner(trick: Sequence[str]) -> int:
    """The position in the trick (0 = leader) of the highest card of the suit led."""
    following = [card for card in trick if nola_suit(card) == nola_suit(trick[0])]
    return trick.index(max(following, key=nola_rank))


# Money, in cents.


class Pay(NamedTuple):
    """What each gets: the picker, the partner if there is one, and each of the rest."""

    picker: int
    partner: int | None
    other: int


WITH_PARTNER = {
    "all points": Pay(30, 15, -15),
    "91 to 119": Pay(20, 10, -10),
    "61 to 90": Pay(10, 5, -5),
    "nothing": Pay(-40, -20, 20),
    "31 to 60": Pay(-20, -10, 10),
    "0 to 30": Pay(-30, -15, 15),
}
PICKER_ALONE = {
    "all points": Pay(100, None, -25),
    "91 to 119": Pay(80, None, -20),
    "61 to 90": Pay(60, None, -15),
    "nothing": Pay(-120, None, 30),
    "31 to 60": Pay(-80, None, 20),
    "0 to 30": Pay(-100, None, 25),
}


def tier(side_points: int, side_tricks: int, zero_tier: str = "tricks") -> str:
    """The row of RULES 2.4, first that fits."""
    took_nothing = side_points == 0 if zero_tier == "points" else side_tricks == 0
    if side_points == POINTS_IN_DECK:
        return "all points"
    if side_points > 90:
        return "91 to 119"
    if side_points > EVEN:
        return "61 to 90"
    if took_nothing:
        return "nothing"
    return "31 to 60" if side_points > 30 else "0 to 30"


def pay(
    is_alone: bool,
    side_points: int,
    side_tricks: int,
    multiplier: int = 1,
    zero_tier: str = "tricks",
) -> Pay:
    """What a normal hand pays; `side_points` with the bury."""
    table = PICKER_ALONE if is_alone else WITH_PARTNER
    row = table[tier(side_points, side_tricks, zero_tier)]
    partner = None if row.partner is None else row.partner * multiplier
    return Pay(row.picker * multiplier, partner, row.other * multiplier)


def nola_payoffs(tricks_taken: Sequence[int], last_taker: int, multiplier: int = 1) -> list[int]:
    """All six tricks win 20; otherwise the last trick loses 20."""
    if TRICKS in tricks_taken:
        return [multiplier * (20 if taken == TRICKS else -5) for taken in tricks_taken]
    return [multiplier * (-20 if seat == last_taker else 5) for seat in SEATS]


# The match: how many hands are still to be doubled.


def multiplier_of(double_left: int) -> int:
    return 2 if double_left > 0 else 1


def match_after(
    double_left: int, end: int | str, options: Mapping[str, object] | None = None
) -> int:
    """The hands left to double after a hand that ended so, as `SheepheadReferee.end` tells it.

    `end` is the points of the picker's side, "nola" or "redeal"; a redeal is not scored and
    counts for nothing.
    """
    rules = checked_options(options)
    if end == "redeal":
        return double_left
    left = max(0, double_left - 1)
    if end != EVEN:
        return left
    hands = int(str(rules["double_hands"]))
    return left + hands if rules["double_restart"] == "add" else hands


def doubling(ends: Iterable[int | str], options: Mapping[str, object] | None = None) -> list[int]:
    """The multiplier of each hand of a match whose hands ended so."""
    multipliers, double_left = [], 0
    for end in ends:
        multipliers.append(multiplier_of(double_left))
        double_left = match_after(double_left, end, options)
    return multipliers


# One deal.


class View(NamedTuple):
    """All that one seat has been shown, and nothing else; equal views cannot be told apart."""

    seat: int
    options: tuple[tuple[str, object], ...]
    dealer: int
    multiplier: int
    dealt: frozenset[str]
    blind: frozenset[str]  # empty but for the picker
    record: tuple[tuple[int, str], ...]  # who chose what, first to last; "?" is a hidden card
    unknown_play: int | None  # where in the record the unknown card was played
    seat_to_act: int | None
    phase: str


class SheepheadReferee:
    """One deal of Sheephead, all hands known, changed in place by `play`.

    `unknown` keeps its card after it was played. `partner` is the seat that was dealt the called
    card; a picker who called a card of his own has none.
    """

    def __init__(
        self,
        order: Sequence[str],
        *,
        dealer: int,
        multiplier: int = 1,
        options: Mapping[str, object] | None = None,
    ) -> None:
        if sorted(order) != sorted(DECK):
            raise ValueError(f"sheephead: expected each of the 32 cards once, got {list(order)}")
        if dealer not in SEATS or multiplier < 1:
            raise ValueError(f"sheephead: no dealer {dealer} or no multiplier {multiplier}")
        self.options = checked_options(options)
        self.dealer = dealer
        self.multiplier = multiplier
        self.dealt, self.blind = dealt_from(order, dealer)
        self.hands = [set(hand) for hand in self.dealt]
        self.picker: int | None = None
        self.buried: list[str] = []
        self.declared: str | None = None  # "alone" or the called card
        self.lays_unknown = False  # whether the call asks for an unknown card
        self.unknown: str | None = None
        self.partner: int | None = None
        self.tricks: list[list[tuple[int, str]]] = []  # complete ones
        self.trick: list[tuple[int, str]] = []
        self.tricks_taken = [0, 0, 0, 0, 0]
        self.points = [0, 0, 0, 0, 0]  # in complete tricks, without the bury; none in Nola
        self.history: list[tuple[int, str]] = []
        self.phases: list[str] = []  # of each choice in the history

    @property
    def first_seat(self) -> int:
        """The seat after the dealer, which bids first and leads first."""
        return (self.dealer + 1) % 5

    @property
    def called(self) -> str | None:
        """The called card; None before the declaration, when alone and in Nola."""
        return None if self.declared == ALONE else self.declared

    @property
    def all_passed(self) -> bool:
        return self.picker is None and len(self.history) >= 5

    @property
    def nola(self) -> bool:
        return self.all_passed and self.options["all_pass"] == "nola"

    @property
    def phase(self) -> str:
        """One of "bid", "bury", "declare", "unknown", "play" and "over"."""
        if self.picker is None and not self.all_passed:
            return "bid"
        if self.all_passed and not self.nola:
            return "over"
        if self.picker is not None:
            if len(self.buried) < 2:
                return "bury"
            if self.declared is None:
                return "declare"
            if self.lays_unknown and self.unknown is None:
                return "unknown"
        return "over" if len(self.tricks) == TRICKS else "play"

    @property
    def seat(self) -> int:
        """The seat to act; an error once the deal is over."""
        if self.phase == "over":
            raise ValueError("sheephead: the deal is over, nobody is to act")
        if self.phase == "bid":
            return (self.first_seat + len(self.history)) % 5
        if self.phase == "play":
            return (self.leader() + len(self.trick)) % 5
        assert self.picker is not None
        return self.picker

    def leader(self) -> int:
        """The seat that led the trick on the table, or is to lead it."""
        if self.trick:
            return self.trick[0][0]
        return self.taken_by(self.tricks[-1]) if self.tricks else self.first_seat

    def taken_by(self, trick: Sequence[tuple[int, str]]) -> int:
        """The seat that takes a complete trick of (seat, card)."""
        cards = [card for _, card in trick]
        if self.nola:
            return trick[nola_winner(cards)][0]
        return trick[trick_winner(cards, self.called, self.unknown)][0]

    def called_suit_was_led(self) -> bool:
        """Whether the called suit was led in an earlier trick than the one on the table."""
        if self.called is None:
            return False
        leads = [trick[0][1] for trick in self.tricks]
        suit = suit_of(self.called)
        return any(suit_in_play(card, self.called, self.unknown) == suit for card in leads)

    def legal(self) -> set[str]:
        """What the seat to act may choose; empty only once the deal is over.

        Sort it before drawing from it: the order of a set of names differs from run to run.
        """
        if self.phase == "over":
            return set()
        hand = self.hands[self.seat]
        if self.phase == "bid":
            return {PICK, PASS}
        if self.phase == "bury":
            return set(hand)
        if self.phase == "declare":
            return calls(hand, self.buried, bool(self.options["allow_self_call"]))
        if self.phase == "unknown":
            return unknown_choices(hand)
        cards = [card for _, card in self.trick]
        if self.nola:
            return nola_legal(hand, cards)
        return legal_cards(
            hand,
            cards,
            is_picker=self.seat == self.picker,
            called=self.called,
            led_before=self.called_suit_was_led(),
            unknown=self.unknown,
            obligations=str(self.options["called_obligations"]),
        )

    def play(self, choice: str) -> None:
        """Make one choice of the seat to act, in place."""
        if choice not in self.legal():
            raise ValueError(
                f"sheephead: may not choose {choice} in phase {self.phase}; legal are "
                f"{' '.join(sorted(self.legal()))}; dealer {self.dealer}, dealt {self.dealt}, "
                f"blind {self.blind}, choices {self.history}, options {self.options}"
            )
        seat, phase = self.seat, self.phase
        self.history.append((seat, choice))
        self.phases.append(phase)
        if phase == "bid" and choice == PICK:
            self.picker = seat
            self.hands[seat].update(self.blind)
        elif phase == "bury":
            self.hands[seat].remove(choice)
            self.buried.append(choice)
        elif phase == "declare":
            self._declare(seat, choice)
        elif phase == "unknown":
            self.unknown = choice
        elif phase == "play":
            self._put_on_table(seat, choice)

    def _declare(self, picker: int, choice: str) -> None:
        self.declared = choice
        if choice == ALONE:
            return
        self.lays_unknown = needs_unknown(self.hands[picker], self.buried, choice)
        holder = next(seat for seat in SEATS if choice in self.hands[seat])
        self.partner = None if holder == picker else holder

    def _put_on_table(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == 5:
            taker = self.taken_by(self.trick)
            self.tricks_taken[taker] += 1
            if not self.nola:
                self.points[taker] += total_points(card for _, card in self.trick)
            self.tricks.append(self.trick)
            self.trick = []

    def plays(self) -> list[tuple[int, str]]:
        """(seat, card) of every card played to a trick so far."""
        return [
            entry for entry, phase in zip(self.history, self.phases, strict=True) if phase == "play"
        ]

    def unknown_was_played(self) -> bool:
        return self.unknown is not None and (self.picker, self.unknown) in self.plays()

    def side(self) -> list[int]:
        """The picker and his partner if he has one; nobody without a picker."""
        return [seat for seat in (self.picker, self.partner) if seat is not None]

    def side_points(self) -> int:
        """The points of the picker's side in complete tricks and in the bury."""
        return sum(self.points[seat] for seat in self.side()) + total_points(self.buried)

    def end(self) -> int | str:
        """How the deal ended, for the match: the side's points, "nola" or "redeal"."""
        if self.phase != "over":
            raise ValueError(f"sheephead: no end in phase {self.phase}")
        if self.picker is not None:
            return self.side_points()
        return "nola" if self.nola else "redeal"

    def payoffs(self) -> list[int]:
        """The returns in cents, times the multiplier; an error before the deal is over."""
        if self.end() == "redeal":
            return [0, 0, 0, 0, 0]
        if self.nola:
            return nola_payoffs(self.tricks_taken, self.leader(), self.multiplier)
        row = pay(
            self.partner is None,
            self.side_points(),
            sum(self.tricks_taken[seat] for seat in self.side()),
            self.multiplier,
            str(self.options["zero_tier"]),
        )
        paid = [row.other] * 5
        assert self.picker is not None
        paid[self.picker] = row.picker
        if self.partner is not None and row.partner is not None:
            paid[self.partner] = row.partner
        return paid

    def sees_unknown(self, seat: int) -> bool:
        """Whether `seat` has been shown the face of the unknown card."""
        if self.unknown is None:
            return False
        if seat == self.picker or self.phase == "over":
            return True
        return self.options["unknown_shown"] == "on_play" and self.unknown_was_played()

    def shown(self, number: int, seat: int) -> str:
        """The choice of that number in the history as `seat` saw it."""
        actor, choice = self.history[number]
        phase = self.phases[number]
        if actor == seat or phase in ("bid", "declare"):
            return choice
        if phase == "play" and (choice != self.unknown or self.sees_unknown(seat)):
            return choice
        return "?"

    def view(self, seat: int) -> View:
        """What `seat` knows now."""
        unknown_plays = [
            number
            for number, (_, choice) in enumerate(self.history)
            if self.phases[number] == "play" and choice == self.unknown
        ]
        return View(
            seat=seat,
            options=tuple(sorted(self.options.items())),
            dealer=self.dealer,
            multiplier=self.multiplier,
            dealt=frozenset(self.dealt[seat]),
            blind=frozenset(self.blind if seat == self.picker else ()),
            record=tuple(
                (actor, self.shown(number, seat)) for number, (actor, _) in enumerate(self.history)
            ),
            unknown_play=unknown_plays[0] if unknown_plays else None,
            seat_to_act=None if self.phase == "over" else self.seat,
            phase=self.phase,
        )

    def copy(self) -> SheepheadReferee:
        """A deal of its own at the same position."""
        return copy.deepcopy(self)


def dealt_from(order: Sequence[str], dealer: int) -> tuple[list[list[str]], list[str]]:
    """The five hands in the order dealt, and the blind: three each, two aside, three each."""
    hands: list[list[str]] = [[], [], [], [], []]
    for k in SEATS:
        hands[(dealer + 1 + k) % 5] = [*order[3 * k : 3 * k + 3], *order[17 + 3 * k : 20 + 3 * k]]
    return hands, list(order[15:17])


def order_of(hands: Sequence[Sequence[str]], blind: Sequence[str], dealer: int) -> list[str]:
    """The shuffled deck that deals these hands and this blind: `dealt_from` undone."""
    turn = [hands[(dealer + 1 + k) % 5] for k in SEATS]
    first = [card for hand in turn for card in hand[:3]]
    second = [card for hand in turn for card in hand[3:]]
    return [*first, *blind, *second]


def random_deal(
    rng: random.Random, options: Mapping[str, object] | None = None, dealer: int | None = None
) -> SheepheadReferee:
    """A fresh deal, nothing chosen yet; without `dealer` any dealer, and any multiplier."""
    if dealer is None:
        dealer = rng.randrange(5)
    order = rng.sample(DECK, 32)
    return SheepheadReferee(order, dealer=dealer, multiplier=rng.choice([1, 2]), options=options)


def random_deal_to_declare(
    rng: random.Random,
    rule: str,
    options: Mapping[str, object] | None = None,
    dealer: int | None = None,
) -> SheepheadReferee:
    """A deal up to the declaration, the picker's cards falling under "R1", "R2" or "R3".

    R2 and R3 are rare in shuffled deals, so the picker's cards are stacked.
    """
    dealer = rng.randrange(5) if dealer is None else dealer
    passes = rng.randrange(5)
    fails = [card for card in DECK if is_fail(card)]
    while True:
        if rule == "R2":
            trumps = rng.randrange(4, 9)
            eight = rng.sample(TRUMPS, trumps) + rng.sample(fails, 8 - trumps)
        elif rule == "R3":
            eight = ACES + rng.sample([card for card in DECK if card not in ACES], 5)
        else:
            eight = rng.sample(DECK, 8)
        rng.shuffle(eight)
        if calling_rule(eight[2:], eight[:2]) == rule:
            break
    others = rng.sample([card for card in DECK if card not in eight], 24)
    held = rng.sample(eight, 8)
    hands = [others[6 * k : 6 * k + 6] for k in range(4)]
    hands.insert((dealer + 1 + passes) % 5, held[:6])
    deal = SheepheadReferee(
        order_of(hands, held[6:], dealer),
        dealer=dealer,
        multiplier=rng.choice([1, 2]),
        options=options,
    )
    for choice in [PASS] * passes + [PICK, *eight[:2]]:
        deal.play(choice)
    return deal


def random_choice(deal: SheepheadReferee, rng: random.Random, pick: float = 0.5) -> str:
    """A random legal choice; `pick` is how likely a bidder picks, 0 for Nola alone."""
    if deal.phase == "bid":
        return PICK if rng.random() < pick else PASS
    return rng.choice(sorted(deal.legal()))


# Other deals with the same view. A world says where each card lay once the blind was taken, the
# bury made and the unknown card laid: with a seat, in the bury, in the blind, or as the unknown
# card, which is a place of its own and not among the picker's other cards.

Place = int | str
World = dict[Place, frozenset[str]]
Arrangement = tuple[tuple[frozenset[str], ...], frozenset[str], str | None]

BURY, BLIND, UNKNOWN = "bury", "blind", "unknown"
FACE_DOWN = "?"  # stands for the unknown card, whose face has no part in the play
MOST_ARRANGEMENTS = 50_000


def arrangement_of(deal: SheepheadReferee) -> Arrangement:
    """The present hands, the bury, and the unknown card while it is unplayed."""
    hands = tuple(frozenset(hand) for hand in deal.hands)
    unknown = None if deal.unknown_was_played() else deal.unknown
    return hands, frozenset(deal.buried), unknown


def another_deal_with_the_same_view(
    deal: SheepheadReferee, seat: int, rng: random.Random
) -> SheepheadReferee:
    """A deal that `seat` cannot tell from `deal`, with another arrangement if there is any.

    Only where the view proves every card is the present arrangement equal; what was dealt to
    the picker, and in which order he buried, is drawn afresh even then.
    """
    layouts = possible_layouts(deal, seat)
    is_proven = sum(layout.count for layout in layouts) == 1
    while True:
        other = drawn_deal(deal, seat, layouts, rng)
        if is_proven or arrangement_of(other) != arrangement_of(deal):
            return other


def any_deal_with_the_same_view(
    deal: SheepheadReferee, seat: int, rng: random.Random
) -> SheepheadReferee:
    """A deal that `seat` cannot tell from `deal`, drawn uniformly; `deal` itself may come back.

    All pairs of (dealt hands and blind, hidden choices) that give the view are equally likely.
    It is replayed from its first choice by `play`, so each of its choices is legal.
    """
    return drawn_deal(deal, seat, possible_layouts(deal, seat), rng)


def drawn_deal(
    deal: SheepheadReferee, seat: int, layouts: Sequence[Layout], rng: random.Random
) -> SheepheadReferee:
    layout = rng.choices(layouts, [layout.count for layout in layouts])[0]
    world = whole_world(deal, seat, layout.draw(rng))
    blind, buried = draw_hidden_choices(deal, seat, world, rng)
    return retold(deal, seat, world, blind, buried, rng)


def every_deal_with_the_same_view(
    deal: SheepheadReferee, seat: int
) -> Iterator[tuple[Arrangement, int]]:
    """Every present arrangement that `seat` holds possible, with the number of deals behind it.

    For endings only, refused beyond 50,000: it tries each split of the unseen cards, and replays
    each that it gives from the first choice.

    The number counts pairs of (dealt hands and blind, hidden choices in order). An arrangement
    and what `seat` saw fix the picker's eight cards, the bury, and the unknown card even if it
    was played face down: it is the one card not accounted for. To a seat that is not the picker
    any two of the eight may have been the blind, since bids prove nothing, and the cards buried
    so far were buried in any order, since any card may be buried. So it is C(8, 2) times the
    orders, 56 once both are buried, or 1 for the picker and where nobody picked: all
    arrangements are equally likely.
    """
    if arrangements(deal, seat) > MOST_ARRANGEMENTS:
        raise ValueError(f"sheephead: {arrangements(deal, seat)} arrangements are too many to list")
    rng = random.Random(0)  # one set of hidden choices serves for the replay
    for world in worlds_that_fit(deal, seat):
        blind, buried = draw_hidden_choices(deal, seat, world, rng)
        told = retold(deal, seat, world, blind, buried, rng)
        yield arrangement_of(told), deals_behind_an_arrangement(deal, seat)


def deals_behind_an_arrangement(deal: SheepheadReferee, seat: int) -> int:
    """The same for each arrangement; see `every_deal_with_the_same_view`."""
    if deal.picker is None or seat == deal.picker:
        return 1
    return math.comb(8, 2) * math.factorial(len(deal.buried))


def arrangements(deal: SheepheadReferee, seat: int) -> int:
    """How many present arrangements `seat` holds possible, counted without listing them."""
    return sum(layout.count for layout in possible_layouts(deal, seat))


def draw_hidden_choices(
    deal: SheepheadReferee, seat: int, world: World, rng: random.Random
) -> tuple[list[str], list[str]]:
    """A blind and a bury in order that lead to this world; those that `seat` saw stay."""
    if deal.picker is None:
        return sorted(world[BLIND]), []
    if seat == deal.picker:
        return deal.blind, deal.buried
    eight = sorted(world[deal.picker] | world[BURY] | world[UNKNOWN])
    return rng.sample(eight, 2), rng.sample(sorted(world[BURY]), len(deal.buried))


def retold(
    deal: SheepheadReferee,
    seat: int,
    world: World,
    blind: Sequence[str],
    buried: Sequence[str],
    rng: random.Random,
) -> SheepheadReferee:
    """The deal with this world, blind and bury, replayed to where `deal` is and checked.

    An illegal choice is a ValueError, a view other than that of `deal` an AssertionError.
    """
    held = {who: set(world[who]) for who in SEATS}
    if deal.picker is not None:
        held[deal.picker] = (held[deal.picker] | world[BURY] | world[UNKNOWN]) - set(blind)
    hands = [rng.sample(sorted(held[who]), 6) for who in SEATS]
    order = order_of(hands, rng.sample(list(blind), 2), deal.dealer)
    told = SheepheadReferee(
        order, dealer=deal.dealer, multiplier=deal.multiplier, options=deal.options
    )
    to_bury = iter(buried)
    for (_, choice), phase in zip(deal.history, deal.phases, strict=True):
        if phase == "bury":
            told.play(next(to_bury))
        elif phase == "unknown" or (phase == "play" and choice == deal.unknown):
            told.play(*world[UNKNOWN])
        else:
            told.play(choice)
    if told.view(seat) != deal.view(seat):
        raise AssertionError(f"seat {seat} sees {told.view(seat)}, not {deal.view(seat)}")
    return told


def place_sizes(deal: SheepheadReferee) -> dict[Place, int]:
    """How many cards each place holds in a world; all places are named, empty ones too."""
    sizes: dict[Place, int] = dict.fromkeys(SEATS, 6)
    sizes[BURY] = len(deal.buried)
    sizes[UNKNOWN] = 0 if deal.unknown is None else 1
    sizes[BLIND] = 2 if deal.picker is None else 0
    if deal.picker is not None:
        sizes[deal.picker] = 8 - sizes[BURY] - sizes[UNKNOWN]
    return sizes


def seen_places(deal: SheepheadReferee, seat: int) -> dict[str, Place]:
    """The cards whose place `seat` knows from having seen them."""
    places: dict[str, Place] = {card: actor for actor, card in deal.plays() if card != deal.unknown}
    places.update(dict.fromkeys(deal.dealt[seat], seat))
    if seat == deal.picker:
        places.update(dict.fromkeys(deal.blind, seat))
        places.update(dict.fromkeys(deal.buried, BURY))
    if deal.unknown is not None and deal.sees_unknown(seat):
        places[deal.unknown] = UNKNOWN
    return places


def whole_world(
    deal: SheepheadReferee, seat: int, hidden: Mapping[Place, Collection[str]]
) -> World:
    """The world in which the unseen cards lie as in `hidden`."""
    world = {place: set(hidden.get(place, ())) for place in place_sizes(deal)}
    for card, place in seen_places(deal, seat).items():
        world[place].add(card)
    return {place: frozenset(cards) for place, cards in world.items()}


class Play(NamedTuple):
    """One play as everybody saw it, the unknown card being FACE_DOWN."""

    seat: int
    card: str
    trick: tuple[str, ...]  # on the table before
    led_before: bool  # the called suit, in an earlier trick


def plays_as_seen(deal: SheepheadReferee) -> list[Play]:
    """Every play with what the rules of play ask for besides the player's own hand."""
    found: list[Play] = []
    trick: tuple[str, ...] = ()
    led_before = False
    for seat, played in deal.plays():
        card = FACE_DOWN if played == deal.unknown else played
        found.append(Play(seat, card, trick, led_before))
        trick = (*trick, card)
        if len(trick) == 5:
            if deal.called is not None:
                led = suit_in_play(trick[0], deal.called, FACE_DOWN)
                led_before = led_before or led == suit_of(deal.called)
            trick = ()
    return found


def could_have_played(
    deal: SheepheadReferee, plays: Sequence[Play], who: int, held: Collection[str]
) -> bool:
    """Whether `who` might have played as seen with `held`, or with these and others of no suit.

    For a picker with an unknown card that is to be FACE_DOWN among the held cards.
    """
    hand = {*held, *(f"no suit {number}" for number in range(6 - len(held)))}
    for play in plays:
        if play.seat != who:
            continue
        if deal.nola:
            legal = nola_legal(hand, play.trick)
        else:
            legal = legal_cards(
                hand,
                play.trick,
                is_picker=who == deal.picker,
                called=deal.called,
                led_before=play.led_before,
                unknown=FACE_DOWN,
                obligations=str(deal.options["called_obligations"]),
            )
        if play.card not in legal:
            return False
        hand.remove(play.card)
    return True


def could_have_declared(
    deal: SheepheadReferee, kept: Collection[str], bury: Collection[str], unknown: str | None
) -> bool:
    """Whether a picker who kept and buried these might have declared and laid as he did."""
    if deal.declared is None:
        return True
    if deal.declared not in calls(kept, bury, bool(deal.options["allow_self_call"])):
        return False
    if deal.called is not None and deal.lays_unknown != needs_unknown(kept, bury, deal.called):
        return False
    return unknown is None or unknown in unknown_choices(kept)


def worlds_that_fit(deal: SheepheadReferee, seat: int) -> Iterator[World]:
    """Every split of the unseen cards that explains what each seat did, tried one by one."""
    seen = seen_places(deal, seat)
    plays = plays_as_seen(deal)
    known = {place: {card for card in seen if seen[card] == place} for place in place_sizes(deal)}
    room = {place: size - len(known[place]) for place, size in place_sizes(deal).items()}
    others = [who for who in SEATS if who not in (seat, deal.picker)]

    @cache
    def fits(who: int, hidden: frozenset[str]) -> bool:
        return could_have_played(deal, plays, who, known[who] | hidden)

    def picker_fits(world: World) -> bool:
        if deal.picker is None:
            return True
        unknown = next(iter(world[UNKNOWN]), None)
        kept = world[deal.picker] | world[UNKNOWN]
        held = world[deal.picker] | ({FACE_DOWN} if unknown is not None else set())
        return could_have_declared(deal, kept, world[BURY], unknown) and could_have_played(
            deal, plays, deal.picker, held
        )

    def split(
        places: Sequence[Place], cards: frozenset[str]
    ) -> Iterator[dict[Place, frozenset[str]]]:
        if not places:
            yield {}
            return
        for chosen in itertools.combinations(sorted(cards), room[places[0]]):
            hidden = frozenset(chosen)
            if isinstance(places[0], int) and places[0] in others and not fits(places[0], hidden):
                continue
            for rest in split(places[1:], cards - hidden):
                yield {places[0]: hidden, **rest}

    places = [*others, *(place for place in room if place not in others)]
    for hidden in split(places, frozenset(DECK) - set(seen)):
        world = whole_world(deal, seat, hidden)
        if picker_fits(world):
            yield world


# The same worlds, counted and drawn without trying them one by one. Nothing that a seat has done
# proves more of its hand than cards it has not, but for the picker's call, which may prove that he
# has one of several. So the worlds fall into a few cases, none in two of them, in each of which the
# places a card may lie in do not depend on where the others lie.

Doors = dict[str, frozenset[Place]]  # the places each unseen card may lie in


class Layout:
    """One case: the unseen cards, the places each may lie in, and the room there is.

    Places open to the same cards are one group of places. Cards that few others are like come
    first, so that soon those left may all lie in all places left and need no counting one by one.
    """

    def __init__(self, doors: Doors, room: Mapping[Place, int]) -> None:
        self.room = room
        alike: dict[frozenset[str], list[Place]] = {}
        for place in room:
            cards = frozenset(card for card in doors if place in doors[card])
            alike.setdefault(cards, []).append(place)
        self.groups = list(alike.values())
        like = Counter(doors.values())
        self.cards = sorted(doors, key=lambda c: (like[doors[c]], sorted(map(str, doors[c])), c))
        self.groups_of = [
            [number for number, places in enumerate(self.groups) if places[0] in doors[card]]
            for card in self.cards
        ]
        every_group = set(range(len(self.groups)))
        later = [self.groups_of[number:] for number in range(len(self.cards) + 1)]
        self.open_to_all = [every_group.intersection(*groups) for groups in later]
        self.open_to_any = [set[int]().union(*groups) for groups in later]
        self.ways = cache(self._ways)
        self.group_room = tuple(sum(room[place] for place in group) for group in self.groups)
        self.count = self.ways(0, self.group_room) * math.prod(
            shares([room[place] for place in group]) for group in self.groups
        )

    def _ways(self, number: int, room: tuple[int, ...]) -> int:
        """How many ways the cards from `number` on fill the room in the groups of places."""
        left = {group for group, size in enumerate(room) if size}
        if left <= self.open_to_all[number]:
            return shares(room)
        if not left <= self.open_to_any[number]:
            return 0
        groups = [group for group in self.groups_of[number] if room[group]]
        return sum(self.ways(number + 1, less_one(room, group)) for group in groups)

    def draw(self, rng: random.Random) -> dict[Place, set[str]]:
        """Where the unseen cards lie, each way being equally likely."""
        filled: list[list[str]] = [[] for _ in self.groups]
        room = self.group_room
        for number, card in enumerate(self.cards):
            groups = [group for group in self.groups_of[number] if room[group]]
            weights = [self.ways(number + 1, less_one(room, group)) for group in groups]
            group = rng.choices(groups, weights)[0]
            filled[group].append(card)
            room = less_one(room, group)
        hidden: dict[Place, set[str]] = {}
        for places, cards in zip(self.groups, filled, strict=True):
            rng.shuffle(cards)
            each = iter(cards)
            for place in places:
                hidden[place] = set(itertools.islice(each, self.room[place]))
        return hidden


def shares(sizes: Sequence[int]) -> int:
    """In how many ways as many cards as there is room for are shared out to places so large."""
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def less_one(room: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The room left once one more card lies in that group of places."""
    return (*room[:number], room[number] - 1, *room[number + 1 :])


class Case(NamedTuple):
    """Places each card may lie in, seen ones too, and a card the picker is taken to hold."""

    doors: Doors
    assumed: frozenset[str]


def possible_layouts(deal: SheepheadReferee, seat: int) -> list[Layout]:
    """The cases that the view of `seat` leaves; each world that fits is in just one of them."""
    seen = seen_places(deal, seat)
    sizes = place_sizes(deal)
    for place in seen.values():
        sizes[place] -= 1
    room = {place: size for place, size in sizes.items() if size}
    anywhere = frozenset(room)
    doors = {card: frozenset({seen[card]}) if card in seen else anywhere for card in DECK}
    plays = plays_as_seen(deal)

    @cache
    def could_have_held(who: int, held: frozenset[str]) -> bool:
        return could_have_played(deal, plays, who, held)

    def is_open(case: Case, place: Place, card: str) -> bool:
        if not isinstance(place, int):
            return True
        return could_have_held(place, proven_hand(deal, plays, place, case, card))

    layouts = []
    for case in cases_of_the_call(deal, plays, doors):
        if all(case.doors.values()):
            unseen = {
                card: frozenset(place for place in places if is_open(case, place, card))
                for card, places in case.doors.items()
                if card not in seen
            }
            layouts.append(Layout(unseen, room))
    return [layout for layout in layouts if layout.count]


def proven_hand(
    deal: SheepheadReferee, plays: Sequence[Play], who: int, case: Case, card: str
) -> frozenset[str]:
    """What `who` held at the first trick for certain, if he held this card."""
    cards = {play.card for play in plays if play.seat == who} | {card}
    if who == deal.picker:
        cards |= case.assumed
        if deal.unknown is not None:
            cards.add(FACE_DOWN)
    return frozenset(cards)


def cases_of_the_call(
    deal: SheepheadReferee, plays: Sequence[Play], doors: Doors
) -> Iterator[Case]:
    """The cases that the picker's call leaves: one if he called nothing."""
    if deal.picker is None or deal.called is None:
        yield Case(doors, frozenset())
        return
    of_others = narrowed(doors, [deal.called], out_of=owned_places(deal))
    if deal.lays_unknown:
        yield from cases_of_the_unknown(deal, of_others)
        return
    if deal.called in TENS:
        of_others = narrowed(of_others, ACES, to=owned_places(deal))
    yield from cases_of_a_suit_kept(deal, plays, of_others)
    if deal.options["allow_self_call"]:
        own = narrowed(doors, [deal.called], to=frozenset({deal.picker}))
        yield Case(own, frozenset({deal.called}))


def owned_places(deal: SheepheadReferee) -> frozenset[Place]:
    assert deal.picker is not None
    return frozenset({deal.picker, UNKNOWN, BURY})


def kept_places(deal: SheepheadReferee) -> frozenset[Place]:
    assert deal.picker is not None
    return frozenset({deal.picker, UNKNOWN})


def narrowed(
    doors: Doors,
    cards: Iterable[str],
    *,
    to: frozenset[Place] | None = None,
    out_of: frozenset[Place] = frozenset(),
) -> Doors:
    """The doors with these cards kept to some places, or out of them."""
    changed = dict(doors)
    for card in cards:
        changed[card] = (doors[card] if to is None else doors[card] & to) - out_of
    return changed


def cases_of_the_unknown(deal: SheepheadReferee, doors: Doors) -> Iterator[Case]:
    """R2: of each suit the ace is owned or no card kept; the unknown card is fail or all trump."""
    assert deal.called is not None
    of_suit = {suit: [card for card in DECK if suit_of(card) == suit] for suit in FAIL_SUITS}
    called_suit = suit_of(deal.called)
    others = [suit for suit in FAIL_SUITS if suit != called_suit]
    fails = [card for card in DECK if is_fail(card)]
    kept, owned = kept_places(deal), owned_places(deal)
    for aces_owned in itertools.product([True, False], repeat=2):
        case = narrowed(doors, of_suit[called_suit], out_of=kept)
        for suit, ace_owned in zip(others, aces_owned, strict=True):
            if ace_owned:
                case = narrowed(case, [f"A{suit}"], to=owned)
            else:
                case = narrowed(case, of_suit[suit], out_of=kept)
                case = narrowed(case, [f"A{suit}"], out_of=owned)
        if deal.unknown is None:
            yield Case(case, frozenset())
        else:
            yield Case(narrowed(case, TRUMPS, out_of=frozenset({UNKNOWN})), frozenset())
            yield Case(narrowed(case, fails, out_of=kept), frozenset())


def cases_of_a_suit_kept(
    deal: SheepheadReferee, plays: Sequence[Play], doors: Doors
) -> Iterator[Case]:
    """R1 and R3: the picker kept a card of the called suit, one case for the first he has now.

    He may have none now if those he has played explain the call and how he played them.
    """
    assert deal.picker is not None and deal.called is not None
    suit = [card for card in DECK if suit_of(card) == suit_of(deal.called)]
    his = {play.card for play in plays if play.seat == deal.picker}
    unplayed = [card for card in suit if card not in his]
    to_picker = frozenset({deal.picker})
    if not his.isdisjoint(suit) and could_have_played(deal, plays, deal.picker, his):
        yield Case(narrowed(doors, unplayed, out_of=to_picker), frozenset())
    for number, card in enumerate(unplayed):
        case = narrowed(doors, unplayed[:number], out_of=to_picker)
        yield Case(narrowed(case, [card], to=to_picker), frozenset({card}))
