"""The player that believes, expects and looks ahead: the belief actor-critic, without PyTorch."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from overtrick.belief.adapting import RATE, watch_deals
from overtrick.belief.looking import (
    BY_MIND,
    EVEN,
    LEARNED,
    NONE,
    Looker,
    Looking,
    look_ahead,
    new_looker,
)
from overtrick.belief.minds import NETS, Minds, minds_of
from overtrick.belief.playing import choose_each, play_on_believing
from overtrick.belief.tables import ready, tables_of
from overtrick.engine.playouts import RANDOM
from overtrick.errors import BadOption, DamagedFile, UnknownName
from overtrick.games.game import Game, Row
from overtrick.jit import stream as stream_of
from overtrick.models import find_model
from overtrick.nets.approximators import OUTPUTS, ApproximatorSpec
from overtrick.players.advice import Advice, Weighed
from overtrick.players.levels import LevelPlayer, choices_in, level_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.neural import _legals

__all__ = ["BeliefPlayer", "belief_player"]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

MOST_PERSONS = 8  # at one table, of whom each has an own predictor
BELIEFS = {"none": NONE, "even": EVEN, "learned": LEARNED}
FAR_BEHIND = 1e3


@dataclass(frozen=True)
class Shared:
    """Who chooses in some phases in the player's place."""

    phases: tuple[int, ...]
    player: LevelPlayer


class BeliefPlayer:
    """Tries every choice in the worlds it believes in, and takes the one of highest merit.

    At a table where people are told apart (`meet`) it learns from every deal how each of them
    plays (`watch`); elsewhere all are people in general, and nothing is learned.
    """

    def __init__(
        self,
        game: Game,
        minds: Minds,
        how: Looking,
        reach: float,
        name: str,
        *,
        shared: Shared | None = None,
        adapts: bool = True,
    ) -> None:
        self.game = ready(game)
        self.name = name
        self.minds = minds
        self.how = how
        self.reach = reach
        self._shared = shared
        self._adapts = adapts
        self._own = threading.local()
        self._people = np.zeros(game.seats, dtype=np.int64)
        self._told = np.zeros(4)
        self._chance = stream_of(0, "watching", game.name)

    # ------------------------------------------------------------------ choosing

    def choose(self, views: Records, streams: Row) -> Row:
        """The choice of highest merit for each view; the lowest of equals."""
        legals = _legals(self.game, views)
        chosen: Row = np.log2(legals & -legals).astype(np.int64)
        theirs = np.isin(views["phase"], self._shared.phases if self._shared else ())
        if theirs.any() and self._shared:
            chosen[theirs] = self._shared.player.choose(views[theirs], streams[theirs])
        mine = np.flatnonzero(~theirs & (legals & legals - 1 != 0))
        if len(mine):
            found = chosen[mine]
            chance = streams[mine]
            choose_each(views[mine], self._looker(), self._people, chance, found)
            chosen[mine] = found
        return chosen

    def weigh(self, views: Records, streams: Row) -> tuple[Floats, Row]:
        """The merits of all choices, [n, 64], and which were tried in all worlds, as bits."""
        _legals(self.game, views)
        merits, tried = np.zeros((len(views), 64)), np.zeros(len(views), dtype=np.int64)
        people = np.tile(self._people, (len(views), 1))
        look_ahead(views, self._looker(), people, streams.copy(), merits, tried)
        return merits, tried

    def play_on(self, state: Records, own: Row, levels: Row, first: int, parent: Row) -> None:
        """Go on with a deal, [1], until it is over or somebody whose level is not known is to act.

        It has the seats marked in `own`, and choice number t the stream first + t of the parent.
        """
        phases, level = 0, RANDOM
        if self._shared:
            phases = sum(1 << phase for phase in self._shared.phases)
            level = self._shared.player.level
        looker = self._looker()
        view = vars(self._own)["view"]
        play_on_believing(
            state, view, own, levels, first, parent, looker, self._people, phases, level
        )

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """All choices with what they are expected to pay."""
        if self._shared and int(view["phase"][0]) in self._shared.phases:
            for advice in self._shared.player.advise(view, stream):
                yield replace(advice, player=self.name)
            return
        merits, tried = self.weigh(view, stream.reshape(1, -1))
        choices = choices_in(view)
        best = max(choices, key=lambda one: merits[0, one] - FAR_BEHIND * (~tried[0] >> one & 1))
        unit = self.reach / self.game.payoff_unit
        pays = self.how.belief != NONE
        weighed = [
            Weighed(one, float(one == best), float(merits[0, one]) * unit if pays else None)
            for one in choices
        ]
        reason = f"what {self.how.worlds} worlds and the critic promise" if pays else "by its actor"
        yield Advice(self.name, tuple(weighed), True, reason)

    # ------------------------------------------------------------------ who is at the table

    def meet(self, people: Sequence[int] | Row) -> None:
        """Who sits in each seat from now on, as numbers that tell people apart."""
        if self._adapts:
            found = np.asarray(people, dtype=np.int64) + 1
            self._people = np.where(found < len(self.minds[0][2]), found, 0)

    def watch(self, views: Records) -> None:
        """Learn from deals that are over, as this player saw them."""
        if not self._adapts:
            return
        _, desk, _, _, room = self._looker()
        people = np.tile(self._people, (len(views), 1))
        errors = np.zeros(int(self.minds[0][0][OUTPUTS]))
        heat = self.how.temperature
        watch_deals(
            views, people, self.minds, desk, room, RATE, heat, errors, self._chance, self._told
        )

    def foresight(self) -> dict[str, float]:
        """How well the others' choices were predicted so far; nothing before the first."""
        seen, surprise, usual, foreseen = self._told
        if not seen:
            return {}
        return {
            "choices": float(seen),
            "surprise": float(surprise / seen),
            "surprise_in_general": float(usual / seen),
            "foreseen": float(foreseen / seen),
        }

    def _looker(self) -> Looker:
        """The player's minds, with room for the calling thread."""
        own = vars(self._own)
        if "looker" not in own:
            own["looker"] = new_looker(self.game, self.minds, self.how, self.reach)
            own["view"] = np.zeros(1, dtype=self.game.state)
        found: Looker = own["looker"]
        return found


# ---------------------------------------------------------------------------- by name

SETTINGS = (
    *("worlds", "candidates", "tricks", "prior", "belief", "predictor", "lookahead"),
    *("temperature", "adapt", "phases", "by"),
)
USUAL = Looking(worlds=6, candidates=6, least=0.5, gap=0.4, prior=50)
"""As far as half a millisecond goes in Sheephead."""
LOOKAHEADS = ("pruned", "enumerated")
EVERY_LINE = 2048  # more than a trick has; where bidding has more, only the likeliest go on


def belief_player(game: Game, name: PlayerName) -> BeliefPlayer:
    """`belief:GAME/NAME,worlds=16,candidates=32,belief=learned,predictor=learned`.

    The actor's word counts as `prior` worlds. `predictor=rules`, or a rulebook by name, expects of
    the others what that rulebook chooses; `lookahead=enumerated` follows every line of the trick,
    as the thesis does; `belief=none` plays by the actor alone. With `phases=bid,by=rulebook:strong`
    the latter chooses in that phase.
    """
    if not name.what:
        raise BadOption(f"player {name}: tell which model, as in {name.kind}:{game.name}/NAME")
    model = find_model(name.what, game)
    if sorted(model.nets) != sorted(NETS):
        raise BadOption(
            f"player {name}: {model.card.reference} was made by {model.card.method}, "
            "and does not believe"
        )
    told = Settings(name, SETTINGS, with_model=True)
    heat = float(model.card.config.get("heat", USUAL.heat))
    how, parts = _looking(game, name, told, heat)
    shared, by = _shared(game, name, told)
    adapt = told.text("adapt", "yes")
    if adapt not in ("yes", "no"):
        raise BadOption(f"player {name}: adapt is yes or no, not {adapt!r}")
    parts += [] if adapt == "yes" else ["adapt=no"]
    tensors = model.tensors()
    nets: dict[str, Any] = {one: (model.nets[one], tensors[one]) for one in NETS}
    _check_nets(game, name, nets)
    critic: ApproximatorSpec = nets["critic"][0]
    full = ",".join([f"{name.kind}:{model.card.reference}", *parts, *by])
    minds = minds_of(game, nets, MOST_PERSONS)
    return BeliefPlayer(game, minds, how, critic.reach, full, shared=shared, adapts=adapt == "yes")


def _check_nets(game: Game, name: PlayerName, nets: dict[str, Any]) -> None:
    """Refuse nets that do not fit the tables of today's game."""
    tables = tables_of(game)
    merits = game.actions + len(tables.merits)
    fits = {"critic": (len(tables.state), 1)}
    for net, (spec, _) in nets.items():
        columns, outputs = fits.get(net, (len(tables.choice), merits))
        if not isinstance(spec, ApproximatorSpec):
            raise BadOption(f"player {name}: its {net} is no approximator")
        spec.check_game(game)
        if spec.columns not in (columns, tables.tabled) or spec.outputs != outputs:
            raise DamagedFile(f"this {net} was made for other tables than {game.name} has today")


def _looking(
    game: Game, name: PlayerName, told: Settings, heat: float
) -> tuple[Looking, list[str]]:
    usual = USUAL
    belief = told.text("belief", "learned")
    if belief not in BELIEFS:
        raise BadOption(f"player {name}: belief is {', '.join(BELIEFS)}, not {belief!r}")
    ahead = told.text("lookahead", "pruned")
    if ahead not in LOOKAHEADS:
        raise BadOption(f"player {name}: lookahead is {' or '.join(LOOKAHEADS)}, not {ahead!r}")
    expected = told.text("predictor", "learned")
    level = BY_MIND
    if expected != "learned":
        book = level_player(game, "rulebook" if expected == "rules" else expected)
        level, expected = book.level, book.name
    worlds = told.number("worlds", usual.worlds, least=1, most=10_000)
    candidates = told.number("candidates", max(usual.candidates, worlds), least=1, most=10_000)
    tricks = told.number("tricks", usual.tricks, least=1, most=64)
    prior = told.number("prior", round(usual.prior), least=0, most=10_000)
    hundredths = told.number("temperature", 100, least=1, most=1000)
    how = Looking(
        worlds=worlds,
        candidates=candidates,
        tricks=tricks,
        level=level,
        belief=BELIEFS[belief],
        least=usual.least if ahead == "pruned" else 0.0,
        lines=usual.lines if ahead == "pruned" else EVERY_LINE,
        gap=usual.gap if ahead == "pruned" else 0.0,
        temperature=hundredths / 100,
        prior=prior,
        heat=heat,
    )
    parts = [f"worlds={worlds}"]
    parts += [f"candidates={candidates}"] if belief == "learned" else []
    parts += [f"tricks={tricks}"] if tricks != usual.tricks else []
    parts += [f"prior={prior}"] if prior != round(usual.prior) else []
    parts += [f"belief={belief}"] if belief != "learned" else []
    parts += [f"predictor={expected}"] if expected != "learned" else []
    parts += [f"lookahead={ahead}"] if ahead != "pruned" else []
    parts += [f"temperature={hundredths}"] if hundredths != 100 else []
    return how, parts


def _shared(game: Game, name: PlayerName, told: Settings) -> tuple[Shared | None, list[str]]:
    if ("phases" in told) != ("by" in told):
        raise BadOption(f"player {name}: phases={game.phases[0]} goes with by=rulebook:strong")
    if "by" not in told:
        return None, []
    words = told.text("phases", "").split("+")
    unknown = [word for word in words if word not in game.phases]
    if unknown:
        raise UnknownName(f"phase of {game.name}", unknown[0], game.phases)
    player = level_player(game, told.text("by", ""))
    phases = tuple(game.phases.index(word) for word in words)
    return Shared(phases, player), [f"phases={'+'.join(words)}", f"by={player.name}"]
