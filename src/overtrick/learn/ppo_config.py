"""The settings of league PPO, and the nets that they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from overtrick.errors import BadOption, UnknownName
from overtrick.games.behaviour import Metric
from overtrick.games.choices_named import choices_named
from overtrick.games.game import Game
from overtrick.learn.advantages import has_two_sides
from overtrick.learn.measuring import usual_reach
from overtrick.learn.nets import Steady
from overtrick.learn.shapes import plain_spec
from overtrick.nets.packing import PlayingSpec
from overtrick.nets.pointer_spec import PointerSpec, pointer_spec_for

__all__ = [
    "NETS",
    "PRESETS",
    "PpoConfig",
    "avoided_actions",
    "branched_phases",
    "check_rewards",
    "critic_spec",
    "guessed_hands",
    "policy_spec",
    "presets_for",
    "pull_of_magnet",
    "shaping",
]


class PpoConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=200_000, ge=1, description="deals of a whole run")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    rewards: str = Field(
        default="", description="options of the game that change what learning is rewarded with"
    )
    shape: str = Field(
        default="", description="METRIC:WEIGHT, between commas: of the game's own, paid at the end"
    )
    start: str = Field(default="", description="model to begin with, GAME/NAME; none if empty")
    sharpen: float = Field(
        default=1.0, gt=0, description="times its logits, so that it draws what it would choose"
    )
    # the nets
    net: Literal["mlp", "pointer"] = Field(
        default="mlp", description="plain layers over flags, or a pointer net over tokens"
    )
    pointer: Literal["small", "medium", "large"] = Field(
        default="medium", description="size of a pointer net: 32, 64 or 256 wide"
    )
    separators: bool = Field(
        default=False,
        description="tell a pointer net who and what by tokens of their own",
    )
    units: int = Field(default=256, ge=1, description="units in a layer of the body")
    layers: int = Field(default=3, ge=0, description="layers of the body")
    head: int = Field(
        default=0, ge=0, description="units in the hidden layer of a head; 0 for none"
    )
    encoding: str = Field(
        default="", description="flags that the nets are shown; the game's first if empty"
    )
    value: Literal["", "side", "seat"] = Field(default="", description="one value, or one a seat")
    steady: Steady = Field(
        default=Steady(l2=0.0, gradient_norm=0.5), description="what keeps learning steady"
    )
    critic_units: int = Field(default=256, ge=1, description="units in a layer of the critic")
    critic_layers: int = Field(default=3, ge=0, description="layers of the critic")
    # rollouts
    lot: int = Field(default=1024, ge=1, description="deals of an iteration")
    self_play: float = Field(
        default=0.75, ge=0, le=1, description="share of deals in which all seats are learners"
    )
    seating: str = Field(
        default="", description="in the others, L for learners and O for others; evenly if empty"
    )
    shuffle_suits: bool = Field(
        default=False, description="rename suits that the rules do not tell apart, at random"
    )
    avoid: str = Field(
        default="", description="choices never made, by the beginnings of their names: 250,160"
    )
    forced: str = Field(
        default="", description="PHASE:PLAYER, between commas: who chooses there, for all seats"
    )
    forced_part: float = Field(
        default=0.3, ge=0, le=1, description="first part of the run with such choices"
    )
    # branches
    branches: str = Field(
        default="", description="phases in which all choices are tried on the same deal: bid+play"
    )
    branch_deals: int = Field(default=256, ge=1, description="deals an iteration for that")
    branch_kept: int = Field(
        default=500, ge=1, le=1000, description="thousandths of those positions that are tried"
    )
    branch_weight: float = Field(default=0.5, ge=0, description="of what that taught, in the loss")
    make_weight: float = Field(
        default=0.1, ge=0, description="of telling which of those choices win, in the loss"
    )
    # the league
    league: int = Field(
        default=8, ge=0, description="frozen copies in the league at most; 0 for players by name"
    )
    players: str = Field(default="", description="players by name in the league, between commas")
    hardness: float = Field(
        default=0.0, ge=0, description="how much oftener members are met that are hard to beat"
    )
    arena_every: int = Field(default=5, ge=0, description="iterations between arenas; 0 for none")
    arena_deals: int = Field(default=1024, ge=2, description="deals with each member in an arena")
    admission: Literal["mean", "sprt"] = Field(
        default="mean", description="who joins: by the mean share won, or by a sequential test"
    )
    admission_share: float = Field(
        default=0.52, gt=0, lt=1, description="share of the deals won on average to join"
    )
    # learning
    epochs: int = Field(default=2, ge=1, description="times that a choice is taught")
    batch: int = Field(default=2048, ge=1, description="choices of a gradient")
    clip: float = Field(default=0.2, gt=0, description="ε: no gain beyond ratios of 1 ± this")
    discount: float = Field(default=1.0, gt=0, le=1, description="γ, from choice to choice")
    decay: float = Field(default=0.95, ge=0, le=1, description="λ, of advantages to come")
    estimate: Literal["seat", "turn"] = Field(
        default="seat", description="advantages over own choices, or over all of two sides"
    )
    normalise: Literal["all", "phase", "role", "none"] = Field(
        default="all",
        description="advantages to mean 0, deviation 1: together, by phase, by phase and role",
    )
    entropy: float = Field(default=0.02, ge=0, description="h, at first")
    last_entropy: float = Field(default=0.003, ge=0, description="h, at last")
    value_weight: float = Field(default=0.5, ge=0, description="w, of the policy net's own value")
    guess: Literal["none", "partner", "others"] = Field(
        default="none", description="whose hands the policy net has to guess as well"
    )
    guess_weight: float = Field(default=0.2, ge=0, description="of that in the loss")
    rate: float = Field(default=6e-4, gt=0, description="of learning, at first")
    last_rate: float = Field(default=3e-5, ge=0, description="of learning, at last")
    critic_rate: float = Field(default=1e-3, gt=0, description="of the critic's learning, at first")
    warm: int = Field(
        default=20, ge=0, description="iterations in which the critic learns alone, after a start"
    )
    kl: float = Field(
        default=-1.0, ge=-1, description="k, at first; if -1, 0.1 after a start and 0 without"
    )
    last_kl: float = Field(
        default=-1.0, ge=-1, description="k, at last; if -1, 0.01 after a start and 0 without"
    )
    magnet_every: int = Field(
        default=50, ge=0, description="iterations after which the magnet follows; 0 for never"
    )
    average: float = Field(
        default=0.9, ge=0, lt=1, description="part that the net which is saved keeps of its weights"
    )
    suits: int = Field(
        default=1,
        ge=1,
        le=24,
        description="names of suits that the model is asked under, if its player does not tell",
    )
    # measuring
    evaluate_every: int = Field(
        default=5, ge=0, description="iterations between boards with the rulebooks; 0 for none"
    )
    evaluate_boards: int = Field(default=128, ge=1, description="boards with each of them")


def policy_spec(game: Game, config: PpoConfig) -> PlayingSpec:
    """Shown what a seat knows."""
    if config.net == "pointer":
        return _pointer(game, config, hands=False)
    return plain_spec(game, config)


def critic_spec(game: Game, config: PpoConfig) -> PlayingSpec:
    """Shown all hands; one value, that of the seat to act."""
    if config.net == "pointer":
        return _pointer(game, config, hands=True)
    size = {"units": config.critic_units, "layers": config.critic_layers, "head": 0}
    return plain_spec(game, config, hands=True, value="side", **size)


def _pointer(game: Game, config: PpoConfig, *, hands: bool) -> PointerSpec:
    return pointer_spec_for(
        game,
        size=config.pointer,
        hands=hands,
        separators=config.separators,
        value="side" if hands else config.value,
        reach=usual_reach(game, config.variant),
        logit_clip=config.steady.logit_clip,
    )


def check_rewards(game: Game, variant: str, rewarded: str) -> None:
    """Refuse rewards that would change the rules of a variant, not only what is learned from."""
    rules, told = game.variant_of(variant or None), game.variant_of(rewarded or None)
    known = game.showing.learning_options
    for name in rules.options():
        if getattr(rules, name) != getattr(told, name) and name not in known:
            raise UnknownName(f"option of {game.name} for rewards", name, sorted(known))


def avoided_actions(game: Game, config: PpoConfig) -> list[int]:
    """The actions that are never chosen, by the beginnings of their names."""
    words = [word.strip() for word in config.avoid.split(",") if word.strip()]
    return [game.action_offsets[phase] + choice for phase, choice in choices_named(game, words)]


def shaping(game: Game, config: PpoConfig) -> dict[Metric, float]:
    """The game's metrics that a deal pays by as well, with what each point of them pays."""
    known = {metric.name: metric for metric in game.metrics}
    found = {}
    for told in config.shape.split(",") if config.shape else ():
        name, _, weight = told.partition(":")
        if name.strip() not in known:
            raise UnknownName(f"metric of {game.name}", name.strip(), known)
        try:
            found[known[name.strip()]] = float(weight)
        except ValueError:
            raise BadOption(f"ppo: shape is METRIC:WEIGHT, not {told!r}") from None
    return found


def branched_phases(game: Game, config: PpoConfig) -> int:
    """The phases in which all choices are tried, as bits."""
    found = 0
    for word in config.branches.split("+") if config.branches else ():
        if word not in game.phases:
            raise UnknownName(f"phase of {game.name}", word, game.phases)
        found |= 1 << game.phases.index(word)
    return found


def pull_of_magnet(config: PpoConfig) -> tuple[float, float]:
    """k, at first and at last; unless told, it pulls where there is a start to be forgotten."""
    usual = (0.1, 0.01) if config.start else (0.0, 0.0)
    first, last = config.kl, config.last_kl
    return (first if first >= 0 else usual[0], last if last >= 0 else usual[1])


def guessed_hands(game: Game, config: PpoConfig, spec: PlayingSpec) -> slice:
    """Where, among the flags of a critic, the hands lie that are to be guessed; nowhere if none."""
    if config.guess == "none" or not config.guess_weight:
        return slice(0)
    if isinstance(spec, PointerSpec):
        raise BadOption("ppo: a pointer net guesses nothing")
    deck, seats = len(game.deck), game.seats
    first = spec.inputs - (seats - 1) * deck  # the hand of the next seat
    if config.guess == "others":
        return slice(first, spec.inputs)
    if game.teams is None or game.teams.count(game.teams[0]) != 2:
        raise BadOption(f"ppo: guess=partner is for games in pairs; {game.name} is none")
    partner = next(n for n in range(1, seats) if game.teams[n] == game.teams[0])
    return slice(first + (partner - 1) * deck, first + partner * deck)


NETS: Mapping[str, Mapping[str, Any]] = {
    "mlp": {},
    "cpu": {"net": "pointer", "pointer": "small"},
    "post": {"net": "pointer", "pointer": "large"},
}
"""The nets that are compared; `post` has the size of the Hokm post's."""

_LEAGUE = {"self_play": 0.0, "estimate": "turn", "kl": 0.0, "last_kl": 0.0, "average": 0.0}
_RARE = {"arena_every": 20}  # an arena costs more than an iteration

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "default": _RARE,
    "mlp": {**NETS["mlp"], **_RARE},
    "cpu": {**NETS["cpu"], **_RARE, "lot": 512, "batch": 1024, "warm": 10},
    "post": {**NETS["post"], **_LEAGUE, "lot": 128, "batch": 512, "warm": 5, "rate": 3e-4},
    "league": _LEAGUE,
    "small": {  # small games, in which a policy has to mix
        "units": 64,
        "layers": 2,
        "critic_units": 64,
        "critic_layers": 2,
        "deals": 100_000,
        "lot": 512,
        "batch": 512,
        "self_play": 1.0,
        "arena_every": 0,
        "entropy": 0.1,
        "last_entropy": 0.05,
        "kl": 0.2,
        "last_kl": 0.2,
        "magnet_every": 20,
        "epochs": 4,
        "rate": 2e-3,
        "last_rate": 3e-4,
        "average": 0.97,
    },
}
"""`post` is the Hokm post's: its net, and its league from scratch with its estimate of advantages;
`league` is that league with a plain net, `cpu` a pointer net that a CPU can train. A pointer net
learns much more slowly, so its iterations have fewer deals."""


def presets_for(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """The presets; where there are not two sides those of the post look by seat, too."""
    if has_two_sides(game):
        return PRESETS
    return {name: {**told, "estimate": "seat"} for name, told in PRESETS.items()}
