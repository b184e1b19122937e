"""Players with a trained net: by themselves, or leading a search. None of them needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from overtrick.engine.batches import legal_all
from overtrick.engine.observations import turn_suits
from overtrick.errors import BadOption, DealOver, UnknownName
from overtrick.games.choices_named import choices_named
from overtrick.games.game import Game, Row
from overtrick.models import Model, find_model
from overtrick.nets.evaluating import NetEvaluator
from overtrick.nets.forward import Net, reach_of
from overtrick.nets.packing import Packed, evaluator_of
from overtrick.nets.pointer import PackedPointer
from overtrick.players.advice import Advice, Weighed
from overtrick.players.guiding import (
    LOOK_SETTINGS,
    SEARCH_SETTINGS,
    foreseeing_player,
    guided_player,
    looks_ahead,
    sharpness_of,
)
from overtrick.players.levels import LevelPlayer, level_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.searching import SearchPlayer
from overtrick.search.guided import pick_all
from overtrick.search.thinking import MOST_CHOICES

__all__ = [
    "DirectPlayer",
    "PolicyPlayer",
    "Substituted",
    "alphazero_player",
    "direct_player",
    "policy_player",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]
MOST_ORDERS = 24  # of four suits
LAST = 1000.0  # taken off the weights of what is avoided


def _legals(game: Game, views: Records) -> Row:
    legals = np.zeros(len(views), dtype=np.int64)
    legal_all(views, legals)
    if not legals.all():
        raise DealOver(f"{game.name}: the deal is over")
    return legals


# ---------------------------------------------------------------------------- leading a search


def alphazero_player(game: Game, name: PlayerName) -> SearchPlayer:
    """`alphazero:GAME/NAME,sims=80,worlds=80`: a tree in each world, led by a model's net."""
    model = _model(game, name, "main")
    if model.nets["main"].values == 0:
        raise BadOption(f"player {name}: {_ref(model)} has no value head to lead a search with")
    told = Settings(name, SEARCH_SETTINGS, with_model=True)
    net = _plain(game, name, model, "main")
    label = f"{name.kind}:{_ref(model)}"
    return guided_player(game, net, label, told, sharpness=sharpness_of(model))


# ---------------------------------------------------------------------------- by itself


class PolicyPlayer:
    """Plays what its net's policy says: the likeliest choice, or drawn from it."""

    def __init__(
        self,
        game: Game,
        net: Packed,
        name: str,
        *,
        temperature: float = 0.0,
        avoided: Sequence[tuple[int, int]] = (),
        suits: int = 1,
    ) -> None:
        self.game = game
        self.name = name
        self._evaluator = evaluator_of(game, net)
        self._suits = suits  # names of the suits under which the net is asked
        self._temperature = temperature
        self._avoided = avoided  # phases and choices; made only where all others are barred, too

    @property
    def inside(self) -> tuple[Net, bool] | None:
        """Its net, and that it does not mix; if taking the likeliest choice is all it does."""
        is_plain = not self._temperature and not self._avoided and self._suits == 1
        if not is_plain or not isinstance(self._evaluator, NetEvaluator):
            return None
        return self._evaluator.net, False

    def choose(self, views: Records, streams: Row) -> Row:
        """One choice for each view; the net is asked only where there is one."""
        legals = _legals(self.game, views)
        chosen: Row = np.log2(legals & -legals).astype(np.int64)
        real = np.flatnonzero(legals & legals - 1)
        if len(real):
            policy, picked = _softmax(self._weigh(views[real])[0]), chosen[real]
            pick_all(policy, np.full(len(real), self._temperature), streams[real], picked)
            chosen[real] = picked
        return chosen

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """The policy, and what the net expects of the deal."""
        choices = _choices(int(_legals(self.game, view)[0]))
        weights, values = self._weigh(view)
        policy = _softmax(weights)[0]
        expected = float(values[0, int(view["viewer"][0])]) / self.game.payoff_unit
        best = max(choices, key=lambda choice: policy[choice])
        weighed = [
            Weighed(choice, float(policy[choice]), expected if choice == best else None)
            for choice in choices
        ]
        yield Advice(self.name, tuple(weighed), True, "what the net has learned, without search")

    def _weigh(self, views: Records) -> tuple[Floats, Floats]:
        """What the net says of choices, those to avoid last, and of the deal."""
        weights, values = self._asked(views)
        for phase, choice in self._avoided:
            weights[views["phase"] == phase, choice] -= LAST
        return weights, values

    def _asked(self, views: Records) -> tuple[Floats, Floats]:
        """The mean of what the net says under several names of the suits."""
        if self._suits == 1:
            return self._evaluator.weigh(views)
        orders = np.empty(len(views), dtype=np.int64)
        weights, values = np.zeros((len(views), MOST_CHOICES)), np.zeros(())
        for number in range(self._suits):
            turn_suits(views, number, orders)
            more, paid = self._evaluator.weigh(views, orders)
            weights, values = weights + more, values + paid
        return weights / self._suits, values / self._suits


class DirectPlayer:
    """Takes the choice for which its net, one to lead and one to follow, expects the most."""

    def __init__(self, game: Game, nets: tuple[Net, Net], name: str) -> None:
        self.game = game
        self.name = name
        self._nets = [NetEvaluator(game, net) for net in nets]
        self._unit = reach_of(nets[0]) / game.payoff_unit  # points of a value of 1

    def choose(self, views: Records, streams: Row) -> Row:
        """The best choice for each view; the lowest of equals."""
        _legals(self.game, views)
        chosen: Row = self.weigh(views).argmax(axis=1)
        return chosen

    def weigh(self, views: Records) -> Floats:
        """What each choice will pay, [views, 64], as a share of the payoff that counts as 1."""
        weights = np.full((len(views), MOST_CHOICES), -np.inf)
        follows = views["table"] != 0
        for is_following, net in enumerate(self._nets):
            mine = np.flatnonzero(follows == is_following)
            if len(mine):
                weights[mine] = net.weigh(views[mine])[0]
        return weights

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """All choices with what they are expected to pay."""
        choices = _choices(int(_legals(self.game, view)[0]))
        weights = self.weigh(view)[0]
        best = int(weights.argmax())
        weighed = [
            Weighed(choice, float(choice == best), float(weights[choice]) * self._unit)
            for choice in choices
        ]
        yield Advice(self.name, tuple(weighed), True, "what the net has learned, without search")


class Substituted:
    """A player in whose place another chooses in some phases."""

    def __init__(
        self, game: Game, name: str, player: PolicyPlayer, other: LevelPlayer, phases: list[int]
    ) -> None:
        self.game = game
        self.name = name
        self._player, self._other = player, other
        self._phases = phases

    def choose(self, views: Records, streams: Row) -> Row:
        """One choice for each view, by whoever is to choose in its phase."""
        chosen = np.zeros(len(views), dtype=np.int64)
        theirs = np.isin(views["phase"], self._phases)
        for mine, player in ((theirs, self._other), (~theirs, self._player)):
            if mine.any():
                chosen[mine] = player.choose(views[mine], streams[mine])
        return chosen

    def advise(self, view: Records, stream: Row) -> Iterator[Advice]:
        """The advice of whoever is to choose."""
        is_other = int(view["phase"][0]) in self._phases
        player: PolicyPlayer | LevelPlayer = self._other if is_other else self._player
        for advice in player.advise(view, stream):
            yield replace(advice, player=self.name)


def policy_player(game: Game, name: PlayerName) -> PolicyPlayer | Substituted | SearchPlayer:
    """`ppo:GAME/NAME,temperature=100`: a model's policy, softened by so many hundredths.

    With `worlds=40`, or `ms=50`, it looks ahead: see `foreseeing_player`.

    With `phases=trump,by=rulebook:strong`, the latter chooses in that phase (`bid+play` for two);
    with `avoid=X` it makes no choice whose name begins so (`250+160` for two); with `suits=6` its
    net is asked under six names of the suits that the rules do not tell apart, for their mean.
    """
    model = _model(game, name, "main")
    known = ("temperature", "suits", "avoid", "phases", "by")
    if looks_ahead(name, known):
        return foreseer(game, name, model)
    told = Settings(name, known, with_model=True)
    hundredths = told.number("temperature", 0, least=0, most=1000)
    full = f"{name.kind}:{_ref(model)}" + (f",temperature={hundredths}" if hundredths else "")
    usual = int(model.card.config.get("suits", 1))
    suits = told.number("suits", usual, least=1, most=MOST_ORDERS)
    full += f",suits={suits}" if suits != usual else ""
    words = told.text("avoid", "").split("+") if "avoid" in told else []
    full += f",avoid={'+'.join(words)}" if words else ""
    player = PolicyPlayer(
        game,
        model.packed(game)["main"],
        full,
        temperature=hundredths / 100,
        avoided=choices_named(game, words),
        suits=suits,
    )
    if ("phases" in told) != ("by" in told):
        raise BadOption(f"player {name}: phases=trump goes with by=rulebook:strong")
    if "by" not in told:
        return player
    words = told.text("phases", "").split("+")
    unknown = [word for word in words if word not in game.phases]
    if unknown:
        raise UnknownName(f"phase of {game.name}", unknown[0], game.phases)
    other = level_player(game, told.text("by", ""))
    full += f",phases={'+'.join(words)},by={other.name}"
    return Substituted(game, full, player, other, [game.phases.index(word) for word in words])


def foreseer(game: Game, name: PlayerName, model: Model) -> SearchPlayer:
    """A model's net that looks ahead."""
    told = Settings(name, LOOK_SETTINGS, with_model=True)
    label, net = _called(name, model), _plain(game, name, model, "main")
    return foreseeing_player(game, net, label, told, sharpness=sharpness_of(model))


def direct_player(game: Game, name: PlayerName) -> DirectPlayer:
    """`direct:GAME/NAME`: a model of direct self-play."""
    model = _model(game, name, "lead", "follow")
    Settings(name, (), with_model=True)
    lead, follow = (_plain(game, name, model, net) for net in ("lead", "follow"))
    return DirectPlayer(game, (lead, follow), f"{name.kind}:{_ref(model)}")


def _model(game: Game, name: PlayerName, *nets: str) -> Model:
    if not name.what:
        raise BadOption(f"player {name}: tell which model, as in {name.kind}:{game.name}/NAME")
    model = find_model(name.what, game)
    missing = [net for net in nets if net not in model.nets]
    if missing:
        raise BadOption(
            f"player {name}: {_ref(model)} was made by {model.card.method}, "
            f"and has no net {missing[0]!r}"
        )
    return model


def _plain(game: Game, name: PlayerName, model: Model, net: str) -> Net:
    """A model's net, which must be one of plain layers."""
    packed = model.packed(game)[net]
    if isinstance(packed, PackedPointer):
        raise BadOption(
            f"player {name}: {_ref(model)} is a pointer net, which plays by itself only: "
            f"net:{_ref(model)}"
        )
    return packed


def _ref(model: Model) -> str:
    return f"{model.card.game}/{model.card.name}"


def _called(name: PlayerName, model: Model) -> str:
    """The kind and the model of a player, as it was named if that was in full."""
    return f"{name.kind}:{name.what if '/' in name.what else _ref(model)}"


def _choices(legal: int) -> list[int]:
    return [choice for choice in range(MOST_CHOICES) if legal >> choice & 1]


def _softmax(weights: Floats) -> Floats:
    shares = np.exp(weights - weights.max(axis=1, keepdims=True))
    policy: Floats = shares / shares.sum(axis=1, keepdims=True)
    return policy
