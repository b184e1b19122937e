"""Quick deals: all seats play without search, thousands of deals a second, and the cards tell.

What a position is worth can only be learned from very many deals. Searched ones are dear, and only
their choices need a search; so most deals are played by a net's policy, or by a rulebook, and
teach what positions pay, or how that player chooses.

They can branch, too: at a position that is kept all legal choices are tried, each played to the
end by the same player, on the same cards. What one pays more than another is then told without
bias, and the cards of the others are as likely as such play makes them: no worlds need be drawn.
A single deal tells it with much noise, so it is to be learned as a mean, from very many. A critic
that is shown all hands may tell the rest, once the seat that tried has made a few more choices:
that has less noise and takes less time, and is as good as the critic.

Others may sit in some seats, and somebody may choose for all in one phase: then only positions at
which the player itself is to choose are kept.

As in searched deals, one choice in most of them is random, anywhere, and a position counts only
after it: so positions are met that nobody would bring about, and are worth what they are worth
among those who then play well. Deal number n of a seed is the same wherever it is played.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.arena.boards import deals_of
from overtrick.engine.playouts import RANDOM, choose_by
from overtrick.games import load_game
from overtrick.games.game import (
    Choices,
    Game,
    Row,
    State,
    any_choice,
    is_over,
    legal,
    payoffs,
    play,
)
from overtrick.jit import below, fork, kernel, lowest, rule, stream
from overtrick.learn.branching import draw_share, share_numbers
from overtrick.learn.samples import MOST_CHOICES, Samples
from overtrick.learn.seats import NO_PHASE, learners_of
from overtrick.learn.workers import Workers
from overtrick.nets.forward import Net, ask_seat, judge_deal, likeliest, new_desk
from overtrick.search.guided import BY_NET
from overtrick.search.leaves import THOUSAND

__all__ = [
    "BY_REGRETS",
    "CHOICES",
    "NOTHING",
    "PAYOFFS",
    "REGRETS",
    "Quick",
    "play_lot",
    "play_quickly",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

LEVEL, KEPT, STRAY, TELLS, PHASES, AHEAD, OTHERS, FORCED, FORCED_LEVEL = range(9)
BY_REGRETS = -3  # the level of others who mix by what their net tells, as BY_NET takes the best
NOTHING, CHOICES, PAYOFFS, REGRETS = range(4)  # that a sample's policy tells
PART = 1000  # deals of one task at most
TASKS = 4  # or as many as give each worker so many tasks
_OWN = threading.local()


@dataclass(frozen=True)
class Quick:
    """How quick deals are played."""

    level: int = BY_NET  # of the player: the net's policy, or another player inside kernels
    kept: int = 300  # thousandths of the positions that are
    stray: int = 800  # thousandths of the deals in which one choice is random
    tells: int = NOTHING  # of choices: nothing, which was made, what each pays, or pays more
    phases: int = -1  # of the positions that are kept, as bits; all of them unless told
    ahead: int = 0  # own choices after one that is tried, before the critic tells; 0 for never
    trust: float = 0.0  # that the choice made pays on top, where it is told what each pays more
    seating: str = ""  # where it sits, L, and where others, O; in all seats if empty
    others: int = RANDOM  # the level of these, or by another net: BY_NET, BY_REGRETS
    other: Net | None = None  # that net
    forced: tuple[int, int] = (NO_PHASE, RANDOM)  # a phase, and the level that chooses for all
    variant: str = ""


@rule
def choose_quickly(
    state: State,
    choices: Choices,
    facts: Row,
    learns: Row,
    table: Any,
    weights: Floats,
    shares: Floats,
    chances: Row,
) -> int:
    """What is chosen by whoever is to act; or for all, in a phase that is forced."""
    net, desk, other, others_desk = table
    level = facts[LEVEL] if learns[state.seat] else facts[OTHERS]
    if state.phase == facts[FORCED]:
        level = facts[FORCED_LEVEL]
    if level >= RANDOM:
        return choose_by(state, level, chances)
    if learns[state.seat]:
        return likeliest(state, choices, net, desk, weights)
    if level == BY_NET:
        return likeliest(state, choices, other, others_desk, weights)
    ask_seat(state, choices, other, others_desk, weights)
    share_numbers(weights, choices, False, shares)
    return draw_share(shares, choices, chances)


@rule
def try_choices(
    state: State,
    choices: Choices,
    facts: Row,
    learns: Row,
    table: Any,
    critic: Any,
    critics_desk: Any,
    branches: Any,
    weights: Floats,
    shares: Floats,
    chances: Row,
    won: Row,
    worth: Floats,
    told: Floats,
) -> None:
    """Write what each choice pays the seat to act if all then play on as they do, [64].

    To the end, or until that seat has so many choices more behind it and is to make another one:
    then the critic tells.
    """
    seat = state.seat
    branch = branches[0]
    while choices:
        choice = lowest(choices)
        choices &= choices - 1
        branches[0] = state
        play(branch, choice)
        made = 0
        while not is_over(branch):
            rest = legal(branch)
            if rest & rest - 1 == 0:
                play(branch, lowest(rest))
                continue
            if branch.seat == seat and branch.phase != facts[FORCED]:
                made += 1
                if made == facts[AHEAD]:
                    break
            chosen = choose_quickly(branch, rest, facts, learns, table, weights, shares, chances)
            play(branch, chosen)
        if is_over(branch):
            payoffs(branch, won)
            told[choice] = won[seat]
        else:
            judge_deal(branch, critic, critics_desk, worth)
            told[choice] = worth[seat]


@rule
def compare(told: Floats, choices: Choices, made: int, trust: float) -> None:
    """Turn what each choice pays into what it pays more than the one made, which is trusted."""
    base = told[made]
    while choices:
        told[lowest(choices)] -= base
        choices &= choices - 1
    told[made] += trust


@kernel
def play_and_keep(
    states: Any,
    learners: Any,
    parent: Row,
    first: int,
    facts: Row,
    longest: int,
    trust: float,
    table: Any,
    critic: Any,
    critics_desk: Any,
    branches: Any,
    deals: Any,
    legals: Row,
    told: Any,
    paid: Any,
) -> int:
    """Play deals to their end, and keep some positions of them; how many these are.

    `learners` tells the seats in which the player sits, [n, seats], and `table` its net, that of
    the others, and room to ask them. Writes the deals as they then stood, their legal choices,
    what is told of these, [n, 64], and what the deal paid every seat in the end, [n, seats].
    """
    chances = np.empty(2, dtype=np.int64)
    won, worth = np.zeros(paid.shape[1], dtype=np.int64), np.zeros(paid.shape[1])
    weights, shares = np.zeros(MOST_CHOICES), np.zeros(MOST_CHOICES)
    count = 0
    for number in range(len(states)):
        state, learns = states[number], learners[number]
        fork(parent, first + number, chances)
        stray = below(chances, longest)
        if below(chances, THOUSAND) >= facts[STRAY]:
            stray = -1
        made, begun = 0, count
        while not is_over(state):
            choices = legal(state)
            if choices & choices - 1 == 0:
                play(state, lowest(choices))
                continue
            if made == stray:
                choice = any_choice(state, chances)
            else:
                choice = choose_quickly(
                    state, choices, facts, learns, table, weights, shares, chances
                )
            is_kept = made > stray and below(chances, THOUSAND) < facts[KEPT]
            is_own = learns[state.seat] and state.phase != facts[FORCED]
            if is_kept and is_own and facts[PHASES] >> state.phase & 1:
                deals[count] = state
                legals[count] = choices
                if facts[TELLS] == CHOICES:
                    told[count, choice] = 1.0
                elif facts[TELLS] != NOTHING:
                    try_choices(
                        state,
                        choices,
                        facts,
                        learns,
                        table,
                        critic,
                        critics_desk,
                        branches,
                        weights,
                        shares,
                        chances,
                        won,
                        worth,
                        told[count],
                    )
                    if facts[TELLS] == REGRETS:
                        compare(told[count], choices, choice, trust)
                count += 1
            made += 1
            play(state, choice)
        payoffs(state, won)
        for kept in range(begun, count):
            paid[kept] = won
    return count


def play_quickly(
    game: Game,
    net: Net,
    how: Quick,
    critic: Net | None = None,
    *,
    seed: int,
    first: int,
    count: int,
) -> Samples:
    """Play deals `first` to `first + count - 1`, and keep some of their positions.

    The samples tell what the deals paid, and as their policy what they shall tell of choices.
    """
    states = deals_of(game, how.variant, stream(seed, "quick", game.name), first, count)
    room = Samples.blank(game, count * game.longest)
    ahead = how.ahead if critic is not None else 0
    facts = [how.level, how.kept, how.stray, how.tells, how.phases, ahead, how.others, *how.forced]
    critic = net if critic is None else critic
    other = net if how.other is None else how.other
    size = play_and_keep(
        states,
        learners_of(game, how.seating, np.arange(first, first + count)),
        stream(seed, "quick choices", game.name),
        first,
        np.array(facts, dtype=np.int64),
        game.longest // 2,
        float(how.trust),
        (net, _desk(game, net, "player"), other, _desk(game, other, "other")),
        critic,
        _desk(game, critic, "critic"),
        np.empty(1, dtype=game.state),
        room.deals,
        room.legal,
        room.policy,
        room.payoffs,
    )
    return room.take(np.arange(size))


def play_quickly_some(
    game: str, net: Net, how: Quick, critic: Net | None, seed: int, first: int, count: int
) -> Samples:
    """`play_quickly` for workers anywhere."""
    return play_quickly(load_game(game), net, how, critic, seed=seed, first=first, count=count)


def play_lot(
    workers: Workers,
    game: Game,
    net: Net,
    how: Quick,
    critic: Net | None = None,
    /,
    *,
    seed: int,
    first: int,
    count: int,
) -> Samples:
    """`play_quickly` by all workers, also if there are few deals."""
    part = max(1, min(PART, -(-count // (TASKS * workers.count))))
    jobs = [
        (game.name, net, how, critic, seed, n, min(part, first + count - n))
        for n in range(first, first + count, part)
    ]
    return Samples.joined([Samples.none(game), *workers.run(play_quickly_some, jobs)])


def _desk(game: Game, net: Net, use: str) -> Any:
    """Room for the calling thread to look at views in."""
    desks = vars(_OWN).setdefault("desks", {})
    key = use, game.name, len(net[4]), *(int(fact) for fact in net[2])
    if key not in desks:
        desks[key] = new_desk(game, net)
    return desks[key]
