"""A learner at tables full of other players: what the Gymnasium and SB3 environments step.

Many tables side by side, each with its own deals. The learner has one seat, or all seats of one
team; every other seat has a player by name. A step is one choice of the learner at each table;
then the others choose until the learner is to act again or the deal is over.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from overtrick.arena.boards import choice_streams
from overtrick.engine.batches import (
    begin_matches,
    legal_all,
    payoffs_all,
    play_all,
    rewards_all,
    score_all,
    winners_all,
)
from overtrick.engine.dealing import deal_shuffled
from overtrick.engine.deals import Deal
from overtrick.engine.views import hide_all
from overtrick.envs.batched import deal_of
from overtrick.envs.looking import Looking, are_legal
from overtrick.errors import BadBudget, BadOption, BadSeat, IllegalChoice
from overtrick.games import load_game
from overtrick.games.game import OVER, Game, Row, Seat, Variant
from overtrick.jit import stream, streams
from overtrick.players import Player, close_players, make_player, sees_all, tell_match
from overtrick.players.naming import split_names

__all__ = ["EPISODES", "ILLEGAL", "REWARDS", "LearnerTables", "Stepped"]

Records = np.ndarray[Any, Any]

EPISODES = ("deal", "match")
REWARDS = ("payoff", "game")
ILLEGAL = ("lowest", "error")


class Stepped(NamedTuple):
    """What a step came to, a row for each table."""

    rewards: Records  # [tables] float64
    done: Records  # [tables] bool: the episode is over
    illegal: Records  # [tables] bool: another choice was made than the one asked for


def _one_of(what: str, told: str, known: tuple[str, ...]) -> str:
    if told not in known:
        raise BadOption(f"{what} is {' or '.join(known)}, not {told!r}")
    return told


def seats_of_learner(game: Game, learner: Seat | str, team: bool) -> Records:
    """Which seats the learner has, [seats] bool."""
    seat = game.seat_from(learner)
    sides: Records = np.arange(game.seats)
    if not team:
        return np.equal(sides, seat)
    if game.teams is None:
        raise BadOption(f"{game.name} has no fixed teams: the learner has one seat")
    return np.equal(game.teams, game.teams[seat])


def players_of_others(game: Game, learners: Records, names: str) -> dict[Seat, Player]:
    """Who sits in each seat that the learner has not; seats of the same name share a player."""
    seats = [int(seat) for seat in np.flatnonzero(~learners)]
    listed = split_names(names or ("rulebook" if game.rulebooks else "random"))
    if len(listed) == 1:
        listed *= len(seats)
    if len(listed) != len(seats):
        raise BadSeat(f"{game.name}: {len(seats)} seats want players, not {len(listed)}: {names}")
    made = {name: make_player(name, game) for name in sorted(set(listed))}
    return {seat: made[name] for seat, name in zip(seats, listed, strict=True)}


class LearnerTables:
    """Tables with a learner, stepped together.

    `rewards` are the payoffs at the end of a deal (`payoff`), or what the game itself rewards in
    learning, during the deal too (`game`); in points, or with `scaled` divided by the largest
    payoff. A learner with several seats gets their mean. An `episode` is a deal or a match. An
    illegal action is an error, or with `illegal="lowest"` the lowest legal choice is made for it.
    """

    def __init__(
        self,
        game: str | Game,
        size: int = 1,
        *,
        variant: str | Variant | None = None,
        learner: Seat | str = 0,
        team: bool = False,
        opponents: str = "",
        rewards: Literal["payoff", "game"] = "payoff",
        scaled: bool = False,
        episode: Literal["deal", "match"] = "deal",
        encoding: str = "",
        illegal: Literal["lowest", "error"] = "lowest",
        seed: int = 0,
    ) -> None:
        if size < 1:
            raise BadBudget(f"there is at least one table, not {size}")
        self.game = load_game(game) if isinstance(game, str) else game
        self.variant = self.game.variant_of(variant)
        self.learners = seats_of_learner(self.game, learner, team)
        self.players = players_of_others(self.game, self.learners, opponents)
        self._others = list({id(player): player for player in self.players.values()}.values())
        self._who = np.zeros(self.game.seats, dtype=np.int64)  # number of each seat's player
        for seat, player in self.players.items():
            self._who[seat] = self._others.index(player)
        self.by_game = _one_of("rewards", rewards, REWARDS) == "game"
        self.whole_matches = _one_of("episode", episode, EPISODES) == "match"
        self.replaces = _one_of("illegal", illegal, ILLEGAL) == "lowest"
        self.unit = self.game.scale(self.variant) if scaled else self.game.payoff_unit
        self.looking = Looking(self.game, encoding)
        self.states = self.game.blank_states(size, self.variant)
        self._phases, self._seats = self.states["phase"], self.states["seat"]  # the same memory
        self._bytes = self.states.view(np.dtype((np.void, self.states.dtype.itemsize)))
        self.matches = self.game.blank_matches(size, self.variant)
        self._unbegun = np.ones(size, dtype=np.bool_)  # no match has begun yet
        self._dealt = np.zeros(size, dtype=np.int64)  # deals so far, for the chance of choices
        self._paid = np.zeros(size)  # rewarded so far in this deal
        self._owed = np.zeros(size)  # for deals in which the learner had nothing to choose
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.states)

    # ------------------------------------------------------------------------ dealing

    def reset(self, seed: int) -> None:
        """Begin everything anew: the seed settles the deals and what the others choose."""
        self._streams = streams(len(self), seed, "tables", self.game.name)
        self._chance = stream(seed, "choices at tables", self.game.name)
        self._unbegun[:] = True
        self._dealt[:] = 0
        self._owed[:] = 0
        self.deal(np.arange(len(self)))

    def deal(self, rows: Row) -> None:
        """The next deal at some tables, up to the learner's first choice.

        A deal that ends before it is scored and not shown.
        """
        while len(rows):
            states, chance = self._at(rows), self._streams[rows]
            matches, won = self._scored(rows)
            fresh = np.flatnonzero(self._unbegun[rows] | won)
            if len(fresh):
                begun, drawn = matches[fresh], chance[fresh]
                begin_matches(begun, drawn)
                matches[fresh], chance[fresh] = begun, drawn
            deal_shuffled(states, matches, chance)
            self._put(rows, states)
            self.matches[rows], self._streams[rows] = matches, chance
            self._unbegun[rows] = False
            self._dealt[rows] += 1
            self._paid[rows] = 0
            self._let_others_choose(rows)
            rows = rows[self._phases[rows] == OVER]
            self._owed[rows] += self._total()[rows] if self.whole_matches else 0

    def _scored(self, rows: Row) -> tuple[Records, Records]:
        """The matches with deals that are over entered: copies, and whether they are won."""
        matches, won = self.matches[rows], np.zeros(len(rows), dtype=np.bool_)
        ended = np.flatnonzero(self._phases[rows] == OVER)
        if len(ended):
            group, winners = matches[ended], np.zeros(len(ended), dtype=np.int64)
            score_all(group, self._at(rows[ended]))
            winners_all(group, winners)
            matches[ended], won[ended] = group, winners != 0
        return matches, won

    # ------------------------------------------------------------------------ choosing

    def step(self, actions: Records) -> Stepped:
        """One action of the learner at every table; tables that are done wait for `deal`."""
        choices, illegal = self._choices(np.asarray(actions))
        play_all(self.states, choices)
        self._let_others_choose(np.arange(len(self)))
        total = self._total()
        rewards = total - self._paid + self._owed
        self._paid = total
        self._owed[:] = 0
        done = self._phases == OVER
        if self.whole_matches and done.any():
            ended = np.flatnonzero(done)
            _, won = self._scored(ended)
            done[ended] = won
            self.deal(ended[~won])
        return Stepped(rewards, done, illegal)

    def _choices(self, actions: Records) -> tuple[Row, Records]:
        """What is chosen for these actions, and where it is not what was asked for."""
        if actions.shape != (len(self),):
            raise BadBudget(f"{len(self)} actions were expected, not {actions.shape}")
        legals, phases = self.legals(), self._phases
        if not np.all(legals):
            table = int(np.flatnonzero(legals == 0)[0])
            raise IllegalChoice(f"{self.game.name}: the deal at table {table} is over; reset it")
        choices = self.looking.choices(actions, phases)
        illegal = ~are_legal(legals, choices)
        if illegal.any() and not self.replaces:
            table = int(np.flatnonzero(illegal)[0])
            raise IllegalChoice(
                f"{self.game.name}: action {actions[table]} is not legal at table {table}; "
                f"legal are {' '.join(self.legal_texts(table))}"
            )
        lowest = np.log2((legals & -legals).astype(np.float64)).astype(np.int64)
        return np.where(illegal, lowest, choices), illegal

    def _let_others_choose(self, rows: Row) -> None:
        """The other players choose until the learner is to act, or the deal is over."""
        while True:
            seats = self._seats[rows]
            waiting = (self._phases[rows] == OVER) | self.learners[seats]
            rows = rows[~waiting]
            if not len(rows):
                return
            seats = seats[~waiting]
            states = self._at(rows)
            choices = np.zeros(len(rows), dtype=np.int64)
            for player, mine in self._acting(seats):
                choices[mine] = self._asked(player, self._at(rows[mine]), rows[mine])
            play_all(states, choices)
            self._put(rows, states)

    def _acting(self, seats: Row) -> list[tuple[Player, Row]]:
        """Each player with the places in `seats` where it is to act."""
        if len(self._others) == 1:
            return [(self._others[0], np.arange(len(seats)))]
        who = self._who[seats]
        acting = [(p, np.flatnonzero(who == number)) for number, p in enumerate(self._others)]
        return [(player, mine) for player, mine in acting if len(mine)]

    def _asked(self, player: Player, states: Records, rows: Row) -> Row:
        """What a player chooses at these tables, by what its seats know."""
        chance = np.empty((len(rows), 2), dtype=np.int64)
        keys = self._dealt[rows] * len(self) + rows
        choice_streams(keys, states["turn"].copy(), self._chance, chance)
        if not sees_all(player):
            hide_all(states, states["seat"].copy())
        if hasattr(player, "hear_match"):
            tell_match(player, self.variant, self.matches[rows])
        return player.choose(states, chance)

    def close(self) -> None:
        """End the programs among the others; they are started again if they are asked again."""
        close_players(self._others)

    # ------------------------------------------------------------------------ looking

    @property
    def seats(self) -> Row:
        """The seats from which the learner looks: those to act, or its first where all is over."""
        seats, first = self._seats, int(np.flatnonzero(self.learners)[0])
        looking: Row = np.where(self._phases == OVER, first, seats)
        return looking

    def legals(self) -> Row:
        """The legal choices as bits, 0 where a deal is over."""
        legals = np.zeros(len(self), dtype=np.int64)
        legal_all(self.states, legals)
        return legals

    def masks(self) -> Records:
        """The legal actions, [tables, actions] int8; never empty."""
        return self.looking.masks(self.legals(), self._phases.copy())

    def observe(self) -> Records:
        """What the learner sees, [tables, flags] bytes: a new array."""
        return self.looking.observe(self.states, self.seats)

    def legal_texts(self, table: int) -> tuple[str, ...]:
        """The legal choices at a table in notation."""
        return self.deal_at(table).legal_texts

    def deal_at(self, table: int) -> Deal:
        """The whole deal at a table: for a referee, not for players."""
        at = slice(table, table + 1)
        return deal_of(self.game, self.variant, self.states[at], self.matches[at])

    def _total(self) -> Records:
        """What the learner has been rewarded so far in each deal."""
        if self.by_game:
            results = np.zeros((len(self), self.game.seats))
            rewards_all(self.states, results)
        else:
            results = np.zeros((len(self), self.game.seats), dtype=np.int64)
            payoffs_all(self.states, results)
        total: Records = results[:, self.learners].mean(axis=1) / self.unit
        return total

    # ------------------------------------------------------------------------ records

    def _at(self, rows: Row) -> Records:
        """Copies of some deals; as plain bytes, which is many times faster than by fields."""
        copies: Records = self._bytes[rows].view(self.states.dtype)
        return copies

    def _put(self, rows: Row, states: Records) -> None:
        self._bytes[rows] = states.view(self._bytes.dtype)
