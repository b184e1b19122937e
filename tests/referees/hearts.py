"""Hearts by RULES.md section 5, slow and plain: the referee that the fast engine is held to.

Cards are names such as "QS". A rule is a pure function on names; `HeartsReferee` plays one deal
with them. The second half finds other deals that one seat cannot tell from the one it sits in.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

SUITS = "CDSH"
RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
SEATS = range(4)
TRICKS = 13
CARDS_PASSED = 3
POINTS_IN_DECK = 26
LOWEST_CLUB = "2C"
BLACK_LADY = "QS"
RECEIVER_OFFSET = {"L": 1, "R": 3, "A": 2}
HOLD = "H"
MOONS = ("add_others", "subtract_self", "auto")

DEFAULT_OPTIONS: Mapping[str, object] = {
    "pass_cycle": "LRAH",
    "no_points_first_trick": True,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "hearts_instead_of_forced_qs": False,
    "moon": "add_others",
    "target": 100,
    "stop_when_decided": False,
}

Hands = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]


def checked_options(options: Mapping[str, object] | None = None) -> dict[str, object]:
    """All the options of RULES 5.4, defaults filled in; a wrong name or value is refused."""
    rules = {**DEFAULT_OPTIONS, **(options or {})}
    unknown = sorted(set(rules) - set(DEFAULT_OPTIONS))
    if unknown:
        raise ValueError(f"hearts: no such option: {', '.join(unknown)}")
    for name, value in rules.items():
        if not is_allowed(name, value):
            raise ValueError(f"hearts: option {name} cannot be {value!r}")
    return rules


def is_allowed(name: str, value: object) -> bool:
    """Whether an option may have this value; `pass_cycle` is a string such as "LRAH"."""
    if name == "pass_cycle":
        return isinstance(value, str) and value != "" and set(value) <= {*RECEIVER_OFFSET, HOLD}
    if name == "moon":
        return value in MOONS
    if name == "target":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    return isinstance(value, bool)


# The rules, one function each.


def suit_of(card: str) -> str:
    return card[1]


def card_points(card: str) -> int:
    """What the card counts for whoever takes it: a heart 1, the queen of spades 13."""
    if card == BLACK_LADY:
        return 13
    return 1 if suit_of(card) == "H" else 0


def receiver(seat: int, direction: str) -> int:
    """The seat that gets what `seat` passes; direction is "L", "R" or "A", never "H"."""
    return (seat + RECEIVER_OFFSET[direction]) % 4


def legal_cards(
    hand: Collection[str],
    trick: Sequence[str],
    trickno: int,
    broken: bool,
    options: Mapping[str, object] = DEFAULT_OPTIONS,
) -> set[str]:
    """The cards of `hand` that may be played to `trick`, its cards so far; `trickno` is from 0.

    `options` must be whole, as `checked_options` gives them.
    """
    if not trick:
        return may_lead(hand, trickno, broken, options)
    playable = {card for card in hand if suit_of(card) == suit_of(trick[0])} or set(hand)
    if trickno == 0 and options["no_points_first_trick"]:
        return {card for card in playable if card_points(card) == 0} or playable
    return playable


def may_lead(
    hand: Collection[str], trickno: int, broken: bool, options: Mapping[str, object]
) -> set[str]:
    """First the 2C; later no heart before hearts are broken, unless nothing else is held.

    With `hearts_instead_of_forced_qs` a seat whose only card beside hearts is the queen of
    spades may lead any of its cards.
    """
    if trickno == 0:
        return set(hand) & {LOWEST_CLUB}
    if broken or not options["must_break_hearts"]:
        return set(hand)
    others = {card for card in hand if suit_of(card) != "H"}
    if others == {BLACK_LADY} and options["hearts_instead_of_forced_qs"]:
        return set(hand)
    return others or set(hand)


def breaks_hearts(card: str, options: Mapping[str, object]) -> bool:
    """Whether hearts are broken once this card has been played."""
    return suit_of(card) == "H" or (card == BLACK_LADY and bool(options["qs_breaks_hearts"]))


def trick_winner(trick: Sequence[str]) -> int:
    """The position in the trick (0 = leader) of the highest card of the suit led."""
    following = [card for card in trick if suit_of(card) == suit_of(trick[0])]
    return trick.index(max(following, key=lambda card: RANKS.index(card[0])))


def trick_points(trick: Sequence[str]) -> int:
    return sum(card_points(card) for card in trick)


def deal_scores(points: Sequence[int], match_scores: Sequence[int], moon: str) -> list[int]:
    """What each seat adds to its match score (`s_i` in RULES 5.4) for the points it took.

    `match_scores` are those before the deal; only `moon="auto"` looks at them.
    """
    if sum(points) != POINTS_IN_DECK:
        raise ValueError(f"hearts: a whole deal has 26 points, got {list(points)}")
    if POINTS_IN_DECK not in points:
        return list(points)
    shooter = points.index(POINTS_IN_DECK)
    added = [0 if seat == shooter else POINTS_IN_DECK for seat in SEATS]
    subtracted = [-POINTS_IN_DECK if seat == shooter else 0 for seat in SEATS]
    if moon == "subtract_self":
        return subtracted
    after = [score + extra for score, extra in zip(match_scores, added, strict=True)]
    if moon == "auto" and after[shooter] > min(after):
        return subtracted
    return added


def payoffs_of(points: Sequence[int], moon: str = "add_others") -> list[Fraction]:
    """For each seat the mean score of the three others minus its own: more is better."""
    scores = deal_scores(points, [0, 0, 0, 0], moon)
    return [Fraction(sum(scores) - score, 3) - score for score in scores]


def match_after(
    points: Sequence[int],
    match_scores: Sequence[int],
    options: Mapping[str, object] | None = None,
) -> list[int]:
    """The match scores after a deal in which the seats took `points`."""
    scores = deal_scores(points, match_scores, str(checked_options(options)["moon"]))
    return [before + score for before, score in zip(match_scores, scores, strict=True)]


def match_winners(scores: Sequence[int], target: int = 100) -> list[int]:
    """The seats with the lowest score, once any seat has reached `target`; before that none."""
    if max(scores) < target:
        return []
    return [seat for seat in SEATS if scores[seat] == min(scores)]


# One deal.


class View(NamedTuple):
    """All that one seat has been shown, and nothing else; equal views cannot be told apart."""

    seat: int
    options: tuple[tuple[str, object], ...]
    deal_index: int
    dealt: frozenset[str]
    own_choices: tuple[str, ...]
    received: frozenset[str]  # empty before the exchange
    record: tuple[tuple[int, str], ...]  # who chose what, first to last; "?" is a hidden pass
    seat_to_act: int | None  # public: at the first lead it tells who holds the 2C
    phase: str


class HeartsReferee:
    """One deal of Hearts, all hands known, changed in place by `play`.

    A card chosen to be passed leaves `hands` at once and lies in `passed` until the twelfth is
    chosen; then all twelve move. `received` is empty before that, and in a hold deal.
    """

    def __init__(
        self,
        order: Sequence[str],
        deal_index: int = 0,
        options: Mapping[str, object] | None = None,
    ) -> None:
        if sorted(order) != sorted(DECK):
            raise ValueError(f"hearts: expected each of the 52 cards once, got {list(order)}")
        if deal_index < 0:
            raise ValueError(f"hearts: deals are counted from 0, got {deal_index}")
        self.options = checked_options(options)
        self.deal_index = deal_index
        self.dealer = deal_index % 4
        cycle = str(self.options["pass_cycle"])
        self.direction = cycle[deal_index % len(cycle)]
        self.dealt = dealt_from(order, self.dealer)
        self.hands = [set(hand) for hand in self.dealt]
        self.passed: list[list[str]] = [[], [], [], []]
        self.received: list[frozenset[str]] = [frozenset()] * 4
        self.tricks: list[list[tuple[int, str]]] = []  # complete ones
        self.trick: list[tuple[int, str]] = []
        self.taken = [0, 0, 0, 0]  # points in complete tricks
        self.broken = False
        self.history: list[tuple[int, str]] = []

    @property
    def passes_due(self) -> int:
        """How many choices of this deal are passes: 12, or 0 in a hold deal."""
        return 0 if self.direction == HOLD else 4 * CARDS_PASSED

    @property
    def phase(self) -> str:
        """One of "pass", "play" and "over"."""
        if len(self.history) < self.passes_due:
            return "pass"
        return "over" if self.is_finished() else "play"

    @property
    def seat(self) -> int:
        """The seat to act; an error once the deal is over."""
        if self.phase == "pass":
            return (self.dealer + 1 + len(self.history) // CARDS_PASSED) % 4
        if self.phase == "over":
            raise ValueError("hearts: the deal is over, nobody is to act")
        return (self.leader() + len(self.trick)) % 4

    def leader(self) -> int:
        """The seat that led the trick on the table, or is to lead it; not while passing."""
        if self.trick:
            return self.trick[0][0]
        if self.tricks:
            return taken_by(self.tricks[-1])
        return next(seat for seat in SEATS if LOWEST_CLUB in self.hands[seat])

    def is_finished(self) -> bool:
        """Whether no card is left to play, or with `stop_when_decided` no point to take."""
        if len(self.tricks) == TRICKS:
            return True
        if self.trick or not self.options["stop_when_decided"]:
            return False
        return sum(self.taken) == POINTS_IN_DECK

    def legal(self) -> set[str]:
        """What the seat to act may choose; empty only once the deal is over.

        Sort it before drawing from it: the order of a set of names differs from run to run.
        """
        if self.phase == "over":
            return set()
        hand = self.hands[self.seat]
        if self.phase == "pass":
            return set(hand)
        cards = [card for _, card in self.trick]
        return legal_cards(hand, cards, len(self.tricks), self.broken, self.options)

    def play(self, card: str) -> None:
        """Pass or play one card of the seat to act, in place."""
        if card not in self.legal():
            raise ValueError(
                f"hearts: may not choose {card} in phase {self.phase}; legal are "
                f"{' '.join(sorted(self.legal()))}; deal {self.deal_index}, dealt {self.dealt}, "
                f"choices {self.history}, options {self.options}"
            )
        seat, phase = self.seat, self.phase
        self.hands[seat].remove(card)
        self.history.append((seat, card))
        if phase == "pass":
            self._set_aside(seat, card)
        else:
            self._put_on_table(seat, card)

    def _set_aside(self, seat: int, card: str) -> None:
        self.passed[seat].append(card)
        if len(self.history) < self.passes_due:
            return
        for giver in SEATS:
            taker = receiver(giver, self.direction)
            self.received[taker] = frozenset(self.passed[giver])
            self.hands[taker].update(self.passed[giver])

    def _put_on_table(self, seat: int, card: str) -> None:
        self.broken = self.broken or breaks_hearts(card, self.options)
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            self.taken[taken_by(self.trick)] += trick_points([card for _, card in self.trick])
            self.tricks.append(self.trick)
            self.trick = []

    def plays(self) -> list[tuple[int, str]]:
        """(seat, card) of every card played to a trick so far."""
        return self.history[self.passes_due :]

    def points(self) -> list[int]:
        """Points each seat took in complete tricks, before any moon."""
        return list(self.taken)

    def payoffs(self) -> list[Fraction]:
        """The returns of RULES 5.4, exact; an error before the deal is over."""
        if self.phase != "over":
            raise ValueError(f"hearts: no payoffs in phase {self.phase}")
        return payoffs_of(self.points(), str(self.options["moon"]))

    def view(self, seat: int) -> View:
        """What `seat` knows now."""
        hidden = self.passes_due
        return View(
            seat=seat,
            options=tuple(sorted(self.options.items())),
            deal_index=self.deal_index,
            dealt=frozenset(self.dealt[seat]),
            own_choices=tuple(card for actor, card in self.history if actor == seat),
            received=self.received[seat],
            record=tuple(
                (actor, "?" if number < hidden and actor != seat else card)
                for number, (actor, card) in enumerate(self.history)
            ),
            seat_to_act=None if self.phase == "over" else self.seat,
            phase=self.phase,
        )

    def copy(self) -> HeartsReferee:
        """A deal of its own at the same position."""
        return copy.deepcopy(self)


def taken_by(trick: Sequence[tuple[int, str]]) -> int:
    """The seat that takes a complete trick of (seat, card)."""
    return trick[trick_winner([card for _, card in trick])][0]


def dealt_from(order: Sequence[str], dealer: int) -> list[list[str]]:
    """The four hands, each in the order it was dealt: one card at a time, dealer last."""
    return [[*order[(seat - dealer - 1) % 4 :: 4]] for seat in SEATS]


def order_of(hands: Sequence[Sequence[str]], dealer: int) -> list[str]:
    """The shuffled deck that deals these four hands of thirteen: `dealt_from` undone."""
    return [hands[(dealer + 1 + k) % 4][k // 4] for k in range(52)]


def random_deal(
    rng: random.Random,
    options: Mapping[str, object] | None = None,
    deal_index: int | None = None,
) -> HeartsReferee:
    """A fresh deal, nothing chosen yet; without `deal_index` any dealer and direction."""
    cycle = str(checked_options(options)["pass_cycle"])
    if deal_index is None:
        deal_index = rng.randrange(math.lcm(4, len(cycle)))
    return HeartsReferee(rng.sample(DECK, 52), deal_index, options)


# Other deals with the same view.


def another_deal_with_the_same_view(
    deal: HeartsReferee, seat: int, rng: random.Random
) -> HeartsReferee:
    """A deal that `seat` cannot tell from `deal`, with other hands wherever there are any.

    Only where the view proves every card are the present hands equal; the hidden passes are
    drawn afresh even then.
    """
    is_proven = deal.phase != "pass" and arrangements(deal, seat) == 1
    while True:
        other = any_deal_with_the_same_view(deal, seat, rng)
        if is_proven or other.hands != deal.hands:
            return other


def any_deal_with_the_same_view(
    deal: HeartsReferee, seat: int, rng: random.Random
) -> HeartsReferee:
    """A deal that `seat` cannot tell from `deal`, drawn uniformly; `deal` itself may come back.

    All pairs of (dealt hands, hidden passes) that give the view are equally likely. It is
    replayed from its first choice by `play`, so each of its choices is legal.
    """
    dealt: Sequence[Collection[str]]
    if deal.phase == "pass":
        dealt = shuffled_among_others(deal, seat, rng)
        passed = [rng.sample(sorted(dealt[who]), len(deal.passed[who])) for who in SEATS]
        passed[seat] = deal.passed[seat]
    else:
        held = LooseCards(deal, seat).draw(rng)
        passed = draw_passes(deal, seat, held, rng)
        dealt = before_the_exchange(held, passed, deal.direction)
    return retold(deal, seat, dealt, passed, rng)


def every_deal_with_the_same_view(deal: HeartsReferee, seat: int) -> Iterator[tuple[Hands, int]]:
    """Every way the present hands can lie for `seat`, with the number of deals behind it.

    For endings only: it tries each split of the unseen cards, and replays each that it gives
    from the first choice. Refused while passing, when the unseen cards are 39.

    The number counts pairs of (dealt hands of the others, their passes in order). Present
    hands and plays fix the hands at the first trick. The three cards a seat passed lie in its
    receiver's hand then, and any three of those thirteen could be they: taken back, they make
    dealt hands of thirteen from which just these passes were legal, and nothing that `seat`
    saw depends on them. So two hidden givers have C(13, 3) sets each, the giver of `seat` has
    the one set it received, and each of the three sets was chosen in one of 3! orders. That is
    286 * 286 * 6**3 for every arrangement, or 1 in a hold deal: all are equally likely.
    """
    if deal.phase == "pass":
        raise ValueError("hearts: too many deals to list while passing")
    weight = 1 if deal.direction == HOLD else math.comb(13, 3) ** 2 * math.factorial(3) ** 3
    for hands in hands_that_fit(deal, seat):
        rng = random.Random(0)  # one set of hidden passes serves for the replay
        held = [set(hands[who]) | played_by(deal, who) for who in SEATS]
        passed = draw_passes(deal, seat, held, rng)
        dealt = before_the_exchange(held, passed, deal.direction)
        world = retold(deal, seat, dealt, passed, rng)
        a, b, c, d = (frozenset(hand) for hand in world.hands)
        yield (a, b, c, d), weight


def arrangements(deal: HeartsReferee, seat: int) -> int:
    """How many ways the present hands can lie for `seat`, counted without listing them.

    Not while passing.
    """
    loose = LooseCards(deal, seat)
    return loose.ways(0, loose.room)


def retold(
    deal: HeartsReferee,
    seat: int,
    dealt: Sequence[Collection[str]],
    passed: Sequence[Sequence[str]],
    rng: random.Random,
) -> HeartsReferee:
    """The deal with these hands and passes, replayed to where `deal` is and checked.

    An illegal choice is a ValueError, a view other than that of `deal` an AssertionError.
    """
    hands = [rng.sample(sorted(hand), 13) for hand in dealt]
    world = HeartsReferee(order_of(hands, deal.dealer), deal.deal_index, deal.options)
    to_pass = [iter(cards) for cards in passed]
    for number, (actor, card) in enumerate(deal.history):
        world.play(next(to_pass[actor]) if number < deal.passes_due else card)
    if world.view(seat) != deal.view(seat):
        raise AssertionError(f"seat {seat} sees {world.view(seat)}, not {deal.view(seat)}")
    return world


def shuffled_among_others(deal: HeartsReferee, seat: int, rng: random.Random) -> list[list[str]]:
    """Dealt hands with the 39 cards not dealt to `seat` shuffled; nothing is known of them."""
    unseen = sorted(set(DECK) - set(deal.dealt[seat]))
    rng.shuffle(unseen)
    hands = [unseen[:13], unseen[13:26], unseen[26:]]
    hands.insert(seat, deal.dealt[seat])
    return hands


def draw_passes(
    deal: HeartsReferee, seat: int, held: Sequence[Collection[str]], rng: random.Random
) -> list[list[str]]:
    """Passes in order that lead to the hands `held` at the first trick; those seen stay."""
    if deal.direction == HOLD:
        return [[], [], [], []]
    passed = []
    for giver in SEATS:
        taker = receiver(giver, deal.direction)
        taken = deal.received[seat] if taker == seat else held[taker]
        passed.append(rng.sample(sorted(taken), CARDS_PASSED))
    passed[seat] = deal.passed[seat]
    return passed


def before_the_exchange(
    held: Sequence[Collection[str]], passed: Sequence[Sequence[str]], direction: str
) -> list[set[str]]:
    """The dealt hands, from those at the first trick and what each seat passed."""
    dealt = [set(hand) for hand in held]
    if direction != HOLD:
        for giver in SEATS:
            dealt[receiver(giver, direction)] -= set(passed[giver])
        for giver in SEATS:
            dealt[giver] |= set(passed[giver])
    return dealt


def played_by(deal: HeartsReferee, who: int) -> set[str]:
    return {card for actor, card in deal.plays() if actor == who}


def first_leader(deal: HeartsReferee) -> int:
    """The seat that held the 2C at the first trick: everyone sees it led, or due to lead."""
    return deal.plays()[0][0] if deal.plays() else deal.seat


def proven_cards(deal: HeartsReferee, seat: int, who: int) -> set[str]:
    """Cards that `who` held at the first trick, as `seat` knows by having seen or passed them."""
    cards = played_by(deal, who)
    if who == first_leader(deal):
        cards.add(LOWEST_CLUB)
    if deal.direction != HOLD and who == receiver(seat, deal.direction):
        cards.update(deal.passed[seat])
    return cards


def could_have_held(deal: HeartsReferee, who: int, held: Collection[str]) -> bool:
    """Whether `who`, with this hand at the first trick, might have played as it did."""
    if (LOWEST_CLUB in held) != (who == first_leader(deal)):
        return False
    hand, trick, broken = set(held), list[str](), False
    for number, (actor, card) in enumerate(deal.plays()):
        if actor == who:
            if card not in legal_cards(hand, trick, number // 4, broken, deal.options):
                return False
            hand.remove(card)
        trick = [] if len(trick) == 3 else [*trick, card]
        broken = broken or breaks_hearts(card, deal.options)
    return True


def hands_that_fit(deal: HeartsReferee, seat: int) -> Iterator[list[frozenset[str]]]:
    """Every split of the unseen cards into present hands that explains the play of each seat."""
    first, second, third = (who for who in SEATS if who != seat)
    unseen = frozenset().union(*(deal.hands[who] for who in SEATS if who != seat))
    must = {who: proven_cards(deal, seat, who) - played_by(deal, who) for who in SEATS}

    @cache
    def fits(who: int, hand: frozenset[str]) -> bool:
        return must[who] <= hand and could_have_held(deal, who, hand | played_by(deal, who))

    def choices(who: int, cards: frozenset[str]) -> Iterator[frozenset[str]]:
        for chosen in itertools.combinations(sorted(cards), len(deal.hands[who])):
            if fits(who, frozenset(chosen)):
                yield frozenset(chosen)

    for one in choices(first, unseen):
        for two in choices(second, unseen - one):
            rest = unseen - one - two
            if fits(third, rest):
                found = {seat: frozenset(deal.hands[seat]), first: one, second: two, third: rest}
                yield [found[who] for who in SEATS]


class LooseCards:
    """The unseen cards that nothing proves to be with one seat, and the room there is for them.

    Every rule of play that tells something of a hand forbids cards one by one: no card of the
    suit led, no card but hearts, no card but points. So where a card may lie does not depend on
    what else lies there, and the ways they all can lie are counted card by card.
    """

    def __init__(self, deal: HeartsReferee, seat: int) -> None:
        self.proven = [proven_cards(deal, seat, who) for who in SEATS]
        self.proven[seat] = deal.hands[seat] | played_by(deal, seat)
        self.room = tuple(13 - len(cards) for cards in self.proven)
        self.bound: list[tuple[str, list[int]]] = []  # with the seats that may hold it
        self.free: list[str] = []  # any of the three others may hold it
        for card in sorted(set(DECK).difference(*self.proven)):
            seats = [
                who
                for who in SEATS
                if who != seat and could_have_held(deal, who, self.proven[who] | {card})
            ]
            if len(seats) == 3:
                self.free.append(card)
            else:
                self.bound.append((card, seats))
        self.ways = cache(self._ways)

    def _ways(self, number: int, room: tuple[int, ...]) -> int:
        """How many ways the bound cards from `number` on and all free ones fill the room."""
        if number == len(self.bound):
            return math.factorial(sum(room)) // math.prod(map(math.factorial, room))
        seats = [who for who in self.bound[number][1] if room[who]]
        return sum(self.ways(number + 1, less_one(room, who)) for who in seats)

    def draw(self, rng: random.Random) -> list[set[str]]:
        """Hands at the first trick, each way the loose cards can lie being equally likely."""
        hands = [set(cards) for cards in self.proven]
        room = self.room
        for number, (card, seats) in enumerate(self.bound):
            with_room = [who for who in seats if room[who]]
            weights = [self.ways(number + 1, less_one(room, who)) for who in with_room]
            who = rng.choices(with_room, weights)[0]
            hands[who].add(card)
            room = less_one(room, who)
        free = iter(rng.sample(self.free, len(self.free)))
        for who in SEATS:
            hands[who].update(itertools.islice(free, room[who]))
        return hands


def less_one(room: tuple[int, ...], who: int) -> tuple[int, ...]:
    """The room left once `who` has one more card."""
    return (*room[:who], room[who] - 1, *room[who + 1 :])
