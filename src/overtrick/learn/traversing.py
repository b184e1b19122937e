"""Traversals: many deals side by side, branched where choices are tried, and what that taught.

A traversal is a deal that branches: at some choices all that is legal is tried on the same cards
(or a few choices, drawn), everything else is drawn from what the players do. What a choice paid
more than the players' own mixture is its *regret*, and the regrets of a branched choice are one
sample. Deals of a lot go on together from branching to branching, so that nets are asked about
thousands of views at a time; or, where one net plays all seats, it is asked inside the kernel that
plays them on, and Python is met at branchings only.

Deal number n of a seed is the same wherever it is traversed: its cards, who sits where and all
chance come from (seed, n). The samples of a lot come in an order that depends on the lot alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overtrick.arena.boards import deals_of
from overtrick.engine.batches import payoffs_all, play_all
from overtrick.engine.observations import canonical_orders, observe_all, shuffle_suits
from overtrick.engine.playouts import RANDOM
from overtrick.engine.views import hide_all
from overtrick.errors import BadOption, UnknownName
from overtrick.games import load_game
from overtrick.games.game import Game, Row
from overtrick.jit import fork, kernel, stream
from overtrick.learn.branching import (
    ALL,
    ASK,
    BRANCH,
    BY_NETS,
    CORRECTED,
    NOBODY_ELSE,
    OTHER,
    OVER,
    PAPER,
    advance_all,
    back_up,
    count_children,
    list_children,
    match_all,
    name_suits,
)
from overtrick.learn.regrets import Regrets, blank_regrets
from overtrick.learn.samples import MOST_CHOICES, name_actions
from overtrick.learn.seats import check_seating, forced_by, learners_of, side_of
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, new_desk, reach_of
from overtrick.nets.spec import NetSpec
from overtrick.players import LevelPlayer, Player, make_player
from overtrick.players.levels import level_player

__all__ = [
    "SAMPLING",
    "Found",
    "Traversal",
    "check_traversal",
    "seating_in",
    "traverse",
    "traverse_some",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

SAMPLING = {"all": ALL, "paper": PAPER, "corrected": CORRECTED}
NOBODY = MOST_CHOICES  # no seat
MOST_DEALS = 2_000_000  # that a lot may branch into; a few GB
_OWN = threading.local()


@dataclass(frozen=True)
class Traversal:
    """How deals are traversed; plain data, so that workers anywhere can have it."""

    spec: NetSpec  # of all nets: what samples are shown as
    nets: tuple[Net, ...]  # one for all seats, or one for each
    player: str = ""  # who plays the learners' seats in place of the nets: random, or a rulebook
    iteration: int = 1  # noted in the samples
    in_turn: bool = False  # one seat branches a deal; what the others mixed is kept
    seat: int = -1  # which one; learners in turn if negative
    decay: float = 0.0  # a choice that d came before is branched decay / (decay + d) of the time
    tried: float = 1.0  # and of these, this part
    shuffled: bool = True  # suits that the rules do not tell apart have any names in the samples
    sampling: str = "all"  # own choices tried: all, or some drawn, `paper` or `corrected`
    draws: int = 0  # how many are drawn
    epsilon: float = 0.0  # part of any choice among those drawn
    trust: float = 0.0  # what is told of a choice on top: so much of the reach, times its share
    best: bool = False  # learners make their best choice in place of mixing
    against: str = ""  # who sits where no learner does; nobody if empty
    seating: str = ""  # then L for a learner and O for others; a side, or one seat, if empty
    forced: str = ""  # PHASE:PLAYER, who chooses there for all seats; nothing is learned of it
    variant: str = ""
    batched: bool = False  # ask nets for all deals together, not inside kernels


@dataclass(frozen=True)
class Found:
    """What traversals have found."""

    regrets: Regrets
    shares: Regrets  # what the others mixed, if they are kept: their `told` are shares
    nodes: int  # choices at which something was decided: branchings and nets asked
    asked: int  # views that nets were asked about, inside kernels or together
    together: int  # those of them asked about together
    calls: int  # in so many calls

    @staticmethod
    def joined(parts: list[Found]) -> Found:
        """All that several lots have found."""
        return Found(
            np.concatenate([part.regrets for part in parts]),
            np.concatenate([part.shares for part in parts]),
            sum(part.nodes for part in parts),
            sum(part.asked for part in parts),
            sum(part.together for part in parts),
            sum(part.calls for part in parts),
        )


def check_traversal(game: Game, how: Traversal) -> None:
    """Refuse what cannot be traversed, in one line."""
    if how.player:
        level_player(game, how.player)
    if how.against:
        make_player(how.against, game)
    elif how.seating:
        raise BadOption("a seating tells where no learner sits: tell against whom as well")
    check_seating(game, how.seating)
    forced_by(game, how.forced)
    if not 0 < how.tried <= 1:
        raise BadOption(
            f"the part of choices tried is more than 0 and at most 1, not {how.tried:g}"
        )
    if how.sampling not in SAMPLING:
        raise UnknownName("way to sample choices", how.sampling, SAMPLING)
    if how.trust and (how.sampling != "all" or how.in_turn):
        raise BadOption("trust is for the simple form, in which all choices are tried")


def seating_in(game: Game, how: Traversal) -> str:
    """Who sits where: a side of learners, or one, if others sit there and nothing else is told."""
    return how.seating or (side_of(game) if how.against else "")


# ---------------------------------------------------------------------------- a lot of deals


def traverse(game: Game, how: Traversal, *, seed: int, first: int, count: int) -> Found:
    """Traverse deals `first` to `first + count - 1` of a seed."""
    return _Lot(game, how, seed, first, count).found()


def traverse_some(game: str, how: Traversal, seed: int, first: int, count: int) -> Found:
    """`traverse` for workers anywhere."""
    return traverse(load_game(game), how, seed=seed, first=first, count=count)


@dataclass
class _Generation:
    """Deals where they stopped, and which deals of the next generation are their children.

    All generations of a lot are kept until it is over: views only of those deals that branched.
    """

    stops: Row
    seats: Row  # who is to act
    legals: Row
    values: Floats  # [n, seats] what they pay in the end; a baseline until it is known
    branched: Any = None  # a `_Shown` of those that branched
    parents: Row = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    choices: Row = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    portions: Floats = field(default_factory=lambda: np.zeros(0))  # shares of these choices


@dataclass(frozen=True)
class _Shown:
    """Views that become samples, their suits renamed."""

    rows: Row  # where they are in their generation
    views: Records
    orders: Row


def _in_turn(number: int, first: int, learns: Row) -> int:
    """The learner whose turn it is to branch, counted from the seat that chooses first.

    A learner alone has nobody to keep the mixtures of while it branches, so in every other deal it
    branches nowhere, and its own are kept.
    """
    seats = len(learns)
    own = (first + np.arange(seats)) % seats
    own = own[learns[own] != 0]
    # the dealer, and what follows from it, goes by `number`, and who learns by `number // seats`
    turn = number + number // seats + number // seats**2
    if len(own) == 1:
        return int(own[0]) if turn % 2 == 0 else NOBODY
    return int(own[turn % len(own)])


class _Lot:
    """Some deals on their way."""

    def __init__(self, game: Game, how: Traversal, seed: int, first: int, count: int) -> None:
        self.game, self.how = game, how
        numbers = np.arange(first, first + count)
        self.states = deals_of(
            game, how.variant, stream(seed, "traversals", game.name), first, count
        )
        self.streams = np.empty((count, 2), dtype=np.int64)
        fork_each(stream(seed, "traversal choices", game.name), numbers, self.streams)
        self.learns = learners_of(game, seating_in(game, how), numbers)
        self.branches = np.full(count, how.seat if how.in_turn else -1)
        if how.in_turn and how.seat < 0:
            rows = zip(numbers.tolist(), self.states["seat"], self.learns, strict=True)
            self.branches = np.array([_in_turn(*row) for row in rows])
        self.depths = np.zeros(count, dtype=np.int64)
        self.reach = reach_of(how.nets[0])
        self.evaluators = [NetEvaluator(game, net) for net in how.nets]
        self.inside = not how.batched and not how.in_turn and len(how.nets) == 1
        self.level = level_player(game, how.player).level if how.player else BY_NETS
        self.other = make_player(how.against or "random", game)
        self.facts = self._facts()
        self.draws = how.draws if how.sampling != "all" else 0
        self.epsilon = how.epsilon if how.sampling == "corrected" else 0.0
        self.mixed: list[Regrets] = []  # what others mixed
        self.count = count
        self.nodes = self.asked = self.together = self.calls = 0

    def _facts(self) -> Row:
        other = self.other.level if isinstance(self.other, LevelPlayer) else NOBODY_ELSE
        phase, by = forced_by(self.game, self.how.forced)
        inside = self.inside or (self.level != BY_NETS and not self.how.in_turn)
        facts = [self.level, other, phase, by, inside, self.how.best]
        return np.array(facts, dtype=np.int64)

    def found(self) -> Found:
        """Traverse them all."""
        generations = [self._stop()]
        while len(generations[-1].parents):
            generations.append(self._stop())
        regrets = []
        for one, children in zip(generations[-2::-1], generations[:0:-1], strict=True):
            told = np.zeros((len(one.stops), MOST_CHOICES))
            back_up(
                one.stops,
                one.seats,
                one.legals,
                one.parents,
                one.choices,
                one.portions,
                children.values,
                SAMPLING[self.how.sampling],
                self.draws,
                self.epsilon,
                one.values,
                told,
            )
            if one.branched is not None:
                rows = one.branched.rows
                if self.how.trust:
                    told[one.parents, one.choices] += self.how.trust * self.reach * one.portions
                told = told[rows] / self.reach
                regrets.append(self._samples(one, one.branched, told, one.values[rows]))
        none = blank_regrets(self.game, self.how.spec, 0)
        return Found(
            np.concatenate([none, *regrets]),
            np.concatenate([none, *self.mixed]),
            self.nodes,
            self.asked,
            self.together,
            self.calls,
        )

    def _stop(self) -> _Generation:
        """Let all deals go on to their next stops, and give them children there."""
        size = len(self.states)
        stops, legals = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        net = self.how.nets[0]
        asked = advance_all(
            self.states,
            self.streams,
            self.depths,
            self.learns,
            self.branches,
            self.facts,
            float(self.how.decay),
            float(self.how.tried),
            net,
            _desk(self.game, net),
            stops,
            legals,
        )
        self.asked += asked
        self.nodes += asked + int(np.count_nonzero(stops != OVER))
        won = np.zeros((size, self.game.seats), dtype=np.int64)
        payoffs_all(self.states, won)
        one = _Generation(
            stops,
            self.states["seat"].copy(),
            legals,
            np.where(stops[:, np.newaxis] == OVER, won, 0).astype(np.float64),
        )
        going = np.flatnonzero(stops != OVER)
        shares = np.zeros((size, MOST_CHOICES))
        if len(going):
            views = self.states[going]
            hide_all(views, one.seats[going])
            self._share(one, going, views, shares)
            self._keep(one, going, views, shares)
        self._give_children(one, shares)
        return one

    # ------------------------------------------------------------------ who chooses what

    def _share(self, one: _Generation, going: Row, views: Records, shares: Floats) -> None:
        """Write the shares of all choices where deals have stopped, [n, 64]."""
        theirs = one.stops[going] == OTHER
        if theirs.any():
            rows = going[theirs]
            chosen = self.other.choose(views[theirs], self.streams[rows].copy())
            shares[rows, chosen] = 1.0
        mine = ~theirs
        if self.level != BY_NETS:
            self._share_by_level(one, going[mine], views[mine], shares)
            return
        for number, evaluator in enumerate(self.evaluators):
            own = mine.copy()
            if len(self.evaluators) > 1:
                own &= one.seats[going] == number
            if not own.any():
                continue
            rows = going[own]
            numbers, values = evaluator.weigh(views[own])
            matched = np.zeros(numbers.shape)
            match_all(numbers, one.legals[rows], self.how.best, matched)
            shares[rows] = matched
            if self.how.sampling == "corrected":
                one.values[rows] = values
            self.asked += len(rows)
            self.together += len(rows)
            self.calls += 1

    def _share_by_level(self, one: _Generation, rows: Row, views: Records, shares: Floats) -> None:
        """The same where a rulebook, or chance, sits in the learners' seats."""
        if not len(rows):
            return
        if self.level == RANDOM:
            numbers = np.zeros((len(rows), MOST_CHOICES))
            matched = np.zeros(numbers.shape)
            match_all(numbers, one.legals[rows], False, matched)
            shares[rows] = matched
        else:
            player: Player = level_player(self.game, self.how.player)
            chosen = player.choose(views, self.streams[rows].copy())
            shares[rows, chosen] = 1.0

    def _keep(self, one: _Generation, going: Row, views: Records, shares: Floats) -> None:
        """Keep the views of deals that branched, and what others mixed where that is wanted.

        What the seat that branches mixed elsewhere is not kept: it did not come there by its own
        mixtures.
        """
        branched = one.stops[going] == BRANCH
        if branched.any():
            one.branched = self._name(going[branched], views[branched])
        if self.how.in_turn:
            asked = (one.stops == ASK) & (one.seats != self.branches)
            if asked.any():
                shown = self._name(np.flatnonzero(asked), views[asked[going]])
                mixed = shares[shown.rows]
                self.mixed.append(self._samples(one, shown, mixed, one.values[shown.rows]))

    def _give_children(self, one: _Generation, shares: Floats) -> None:
        """Make the next generation; nobody is in it when all deals are over."""
        counts = np.zeros(len(one.stops), dtype=np.int64)
        size = count_children(one.stops, one.legals, self.draws, counts)
        if size > MOST_DEALS:
            raise BadOption(
                f"a lot of {self.count} deals branches into more than {MOST_DEALS:,}: tell a "
                f"smaller decay than {self.how.decay:g}, or try fewer choices"
            )
        one.parents, one.choices = np.zeros((2, size), dtype=np.int64)
        one.portions = np.zeros(size)
        streams = np.empty((size, 2), dtype=np.int64)
        list_children(
            one.stops,
            one.legals,
            shares,
            self.streams,
            self.draws,
            self.epsilon,
            one.parents,
            one.choices,
            one.portions,
            streams,
        )
        self.states = self.states[one.parents]
        play_all(self.states, one.choices)
        self.streams = streams
        self.learns = self.learns[one.parents]
        self.branches = self.branches[one.parents]
        self.depths = self.depths[one.parents]

    # ------------------------------------------------------------------ samples

    def _name(self, rows: Row, views: Records) -> _Shown:
        """Rename suits at random, if so wanted, for the views that become samples."""
        orders = canonical_orders(views)
        if self.how.shuffled:
            streams = np.empty((len(rows), 2), dtype=np.int64)
            name_suits(self.streams[rows], streams)
            shuffle_suits(views, streams, orders)
        return _Shown(rows, views, orders)

    def _samples(self, one: _Generation, shown: _Shown, told: Floats, values: Floats) -> Regrets:
        """What is told of the choices of these views, [views, 64], and what they pay."""
        game, spec = self.game, self.how.spec
        rows, views, orders = shown.rows, shown.views, shown.orders
        found = blank_regrets(game, spec, len(rows))
        encoding = game.encoding(spec.encoding)
        flags = np.zeros(found["flags"].shape, dtype=np.int64)
        observe_all(views, encoding, orders, game.encodings[encoding].widths, flags)
        legal = np.zeros((len(rows), game.actions), dtype=np.bool_)
        named = np.zeros((len(rows), game.actions), dtype=np.float32)
        offsets = np.array(game.action_offsets, dtype=np.int64)
        name_actions(
            views, one.legals[rows], told.astype(np.float32), orders, offsets, legal, named
        )
        seats = one.seats[rows]
        around = (seats[:, np.newaxis] + np.arange(game.seats)) % game.seats
        found["flags"] = flags
        found["legal"] = np.packbits(legal, axis=1, bitorder="little")
        found["told"] = named
        found["paid"] = np.take_along_axis(values, around, axis=1) / self.reach
        found["iteration"] = self.how.iteration
        return found


@kernel
def fork_each(parent: Row, numbers: Row, out: Any) -> None:
    """Write the stream of each number."""
    for place in range(len(numbers)):
        fork(parent, numbers[place], out[place])


def _desk(game: Game, net: Net) -> Any:
    """Room for the calling thread to look at views in."""
    desks = vars(_OWN).setdefault("desks", {})
    key = game.name, len(net[4]), *(int(fact) for fact in net[2])
    if key not in desks:
        desks[key] = new_desk(game, net)
    return desks[key]
