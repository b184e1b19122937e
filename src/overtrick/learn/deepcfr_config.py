"""The settings of Deep CFR, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from overtrick.engine.playouts import RANDOM
from overtrick.errors import BadOption
from overtrick.games.game import Game
from overtrick.learn.labelling import Teacher, usual_teacher
from overtrick.learn.nets import Steady
from overtrick.learn.quick import BY_REGRETS
from overtrick.nets.forward import Net
from overtrick.nets.spec import NetSpec, spec_for
from overtrick.players import LevelPlayer, Player, make_player
from overtrick.players.neural import PolicyPlayer
from overtrick.players.regret import RegretPlayer
from overtrick.search.guided import BY_NET

__all__ = [
    "GOING_ON",
    "TEACHER",
    "DeepCfrConfig",
    "advantage_spec",
    "average_spec",
    "check_config",
    "critic_spec",
    "inside_kernels",
    "others_for",
    "presets_for",
    "teacher_for",
]

TEACHER = "teacher"  # a start by a searching teacher's labels
GOING_ON = {  # what suits a run that begins with a model, which must not be lost again
    "rate": 1e-4,
    "warm": 40,
    "ahead": 5,  # the critic knows endings best, and there is little left to be told of them
    "tried": 0.2,
}


class DeepCfrConfig(BaseModel):
    """The settings of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deals: int = Field(default=100_000, ge=1, description="deals traversed in a whole run")
    variant: str = Field(default="", description="house rules; the default ones if empty")
    form: Literal["simple", "full"] = Field(
        default="simple",
        description="one net of regrets that plays, or nets from scratch and an average net",
    )
    # the nets
    units: int = Field(default=128, ge=1, description="units in a layer of the body")
    layers: int = Field(default=3, ge=0, description="layers of the body")
    head: int = Field(
        default=0, ge=0, description="units in the hidden layer of a head; 0 for none"
    )
    encoding: str = Field(
        default="", description="flags that the nets are shown; the game's first if empty"
    )
    steady: Steady = Field(
        default=Steady(l2=0.0, logit_clip=0.0), description="what keeps learning steady"
    )
    begin: str = Field(
        default="", description="model of Deep CFR to begin with, GAME/NAME; none if empty"
    )
    nets: Literal["", "shared", "seat"] = Field(
        default="", description="one net, or one a seat; if empty a seat where there are two seats"
    )
    # traversals
    lot: int = Field(default=256, ge=1, description="deals of an iteration; of each net, if full")
    part: int = Field(default=32, ge=1, description="deals of one task")
    decay: float = Field(
        default=0.2, ge=0, description="c: c / (c + d) of the choices after d others branch; 0: all"
    )
    tried: float = Field(
        default=1.0, gt=0, le=1, description="the part of these that does: less for more deals"
    )
    shuffle_suits: bool = Field(
        default=True, description="rename suits that the rules do not tell apart, at random"
    )
    sampling: Literal["all", "paper", "corrected"] = Field(
        default="all", description="own choices tried: all, or some drawn and taken for all"
    )
    draws: int = Field(default=4, ge=1, description="how many are drawn, if not all are tried")
    epsilon: float = Field(
        default=0.2, ge=0, le=1, description="part of any choice in these draws, if corrected"
    )
    trust: float = Field(
        default=0.0, ge=0, description="told of a player's own choice on top, in the reach; falls"
    )
    best: bool = Field(
        default=False, description="in traversals take the best choice, rather than mix by regrets"
    )
    batched: bool = Field(
        default=False, description="ask nets for all deals together, rather than inside kernels"
    )
    ahead: int = Field(
        default=0,
        ge=0,
        description="a critic tells what was tried at the so-manieth own choice after; 0: the end",
    )
    stray: int = Field(
        default=500, ge=0, le=1000, description="thousandths of such deals with a random choice"
    )
    warm: int = Field(
        default=20,
        ge=0,
        description="iterations in which the critic learns alone, after such a beginning",
    )
    critic_units: int = Field(default=256, ge=1, description="units in a layer of that critic")
    critic_layers: int = Field(default=3, ge=0, description="layers of it")
    critic_rate: float = Field(
        default=1e-3, gt=0, description="of its learning, at first; at last as the net's"
    )
    against: str = Field(
        default="", description="player in the seats of others; all are learners if empty"
    )
    seating: str = Field(
        default="", description="then L for learners and O for others; a side, or a seat, if empty"
    )
    forced: str = Field(
        default="", description="PHASE:PLAYER: who chooses there for all; random or a rulebook"
    )
    forced_part: float = Field(
        default=0.3, ge=0, le=1, description="first part of the run with such choices"
    )
    start: str = Field(
        default="", description="who plays first: random, a rulebook, or `teacher` for a search"
    )
    start_part: float = Field(
        default=0.2, ge=0, le=1, description="first part of the run that is played so"
    )
    start_lot: int = Field(
        default=0, ge=0, description="deals of an iteration then; as many as later if 0"
    )
    worlds: int = Field(default=8, ge=1, description="of the searching teacher")
    # learning
    reuse: Literal["latest", "recent", "first", "all"] = Field(
        default="recent",
        description="samples of which iterations: the latest, recent ones, the first too, or all",
    )
    recent: int = Field(default=8, ge=1, description="how many iterations are recent")
    window: int = Field(
        default=2_000_000, ge=1, description="samples remembered; a reservoir, where all are reused"
    )
    linear: bool = Field(default=True, description="weigh a sample by its iteration")
    heat: float = Field(
        default=0.0,
        ge=0,
        le=10,
        description="T of the gains that are learned beside regrets; 0: regrets alone",
    )
    scratch: bool = Field(default=False, description="begin every iteration with a new net")
    epochs: float = Field(default=1.0, gt=0, description="passes over the samples, if simple")
    steps: int = Field(default=400, ge=1, description="gradients of a net an iteration, if full")
    batch: int = Field(default=1024, ge=1, description="samples of a gradient")
    rate: float = Field(default=1e-3, gt=0, description="of learning, at first")
    last_rate: float = Field(default=1e-5, ge=0, description="of learning, at last")
    value_weight: float = Field(default=0.5, ge=0, description="of what deals pay, in the loss")
    average_window: int = Field(
        default=1_000_000, ge=1, description="room of the reservoir of policies, if full"
    )
    average_steps: int = Field(default=4000, ge=1, description="gradients of the average net")
    # samples on the disk
    store: str = Field(
        default="", description="folders of samples to learn from, between commas; no traversals"
    )
    skip_damaged: bool = Field(default=False, description="leave out shards that are damaged")
    # what is told
    play: Literal["mixed", "best"] = Field(
        default="mixed", description="how the model plays, if its player does not tell"
    )
    watch: int = Field(
        default=32, ge=0, description="deals played to tell how it plays, an iteration; 0 for none"
    )
    watch_every: int = Field(default=1, ge=1, description="iterations between such deals")
    exact_every: int = Field(
        default=0, ge=0, description="iterations between exact exploitabilities, in small games"
    )
    snapshots: int = Field(
        default=10, ge=0, description="iterations between nets kept for `arena-curve`; 0 for none"
    )


def advantage_spec(game: Game, config: DeepCfrConfig, reach: float) -> NetSpec:
    """A net that tells the regret of every choice, and what the deal pays."""
    return _spec(game, config, reach, averaged=False)


def average_spec(game: Game, config: DeepCfrConfig, reach: float) -> NetSpec:
    """A net that tells how often every choice was made, over all iterations."""
    return _spec(game, config, reach, averaged=True)


def critic_spec(game: Game, config: DeepCfrConfig, reach: float) -> NetSpec:
    """A net that is shown all hands, and tells what a deal pays."""
    return spec_for(
        game,
        units=config.critic_units,
        layers=config.critic_layers,
        head=0,
        encoding=config.encoding,
        hands=True,
        reach=reach,
        cap=config.steady.cap,
    )


def _spec(game: Game, config: DeepCfrConfig, reach: float, *, averaged: bool) -> NetSpec:
    return spec_for(
        game,
        units=config.units,
        layers=config.layers,
        head=config.head,
        encoding=config.encoding,
        value="none" if averaged else "",
        reach=reach,
        cap=config.steady.cap,
        logit_clip=config.steady.logit_clip,
        output="policy" if averaged else "choices",
    )


def teacher_for(game: Game, config: DeepCfrConfig, reach: float) -> Teacher:
    """The search whose labels a run may begin with."""
    return usual_teacher(
        game, reach, worlds=config.worlds, trust=config.trust, variant=config.variant
    )


def others_for(game: Game, config: DeepCfrConfig) -> tuple[int, Net | None]:
    """Who sits where no learner does, for deals in which a critic tells what choices are worth."""
    if not config.ahead or not config.against:
        return RANDOM, None
    player = make_player(config.against, game)
    found = inside_kernels(player)
    if found is None:
        raise BadOption(
            "deepcfr: with a critic (ahead) others are random, a rulebook, or cfr: and net: "
            f"players without search, not {player.name}"
        )
    return found


def inside_kernels(player: Player) -> tuple[int, Net | None] | None:
    """The level and the net of a player who can play quick deals; None of one who cannot."""
    if isinstance(player, LevelPlayer):
        return player.level, None
    found = player.inside if isinstance(player, RegretPlayer | PolicyPlayer) else None
    return (BY_REGRETS if found[1] else BY_NET, found[0]) if found else None


def check_config(game: Game, config: DeepCfrConfig) -> None:
    """Refuse settings that do not go together."""
    if not config.decay and not game.hidden:
        raise BadOption(
            f"deepcfr: decay=0 branches at every choice, which has no end in {game.name}: "
            "tell a decay above 0"
        )
    if config.form == "full":
        simple = ("start", "store", "best", "begin", "heat")
        told = [name for name in simple if getattr(config, name)]
        if told:
            raise BadOption(f"deepcfr: {told[0]} is for form=simple")
    elif config.start_lot and not config.start:
        raise BadOption("deepcfr: start_lot is for the iterations of a start: tell start")
    elif config.nets == "seat":
        raise BadOption("deepcfr: nets=seat is for form=full; the simple form has one net")
    if config.ahead:
        unfit = ("form", "sampling", "batched", "store")
        usual = DeepCfrConfig()
        told = [name for name in unfit if getattr(config, name) != getattr(usual, name)]
        if told:
            raise BadOption(f"deepcfr: with a critic (ahead) there is no {told[0]}")
        if not config.best:
            raise BadOption("deepcfr: a critic (ahead) is of players that choose their best: best")
    if config.against and config.nets == "seat":
        raise BadOption("deepcfr: against others learners have one net: nets=shared")
    for name in ("start", "scratch"):
        if config.begin and getattr(config, name):
            raise BadOption(f"deepcfr: what begins with a model goes on from it: leave {name} out")
    if config.warm != DeepCfrConfig().warm and not config.begin:
        raise BadOption("deepcfr: warm is for what begins with a model: tell begin=GAME/NAME")
    if config.store and config.start:
        raise BadOption("deepcfr: a store has its samples already: leave start out")


def presets_for(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """`strong` is what to try first; `page` is the Hearts page's, `paper` the Coinche paper's.

    `further` goes on from a model, which is told by `begin`.
    """
    book = f"rulebook:{[*game.rulebooks][-1].partition('@')[0]}" if game.rulebooks else ""
    large = game.actions > 2  # a small game, but not as small as Kuhn poker
    full = {
        "form": "full",
        "decay": 0.5,
        "reuse": "all",
        "scratch": True,
        "play": "mixed",
        "watch_every": 10,  # where seats have nets of their own an average net is taught for it
        "snapshots": 0,
    }
    paper = {
        **full,
        "nets": "shared",
        "units": 64,
        "layers": 2,
        "lot": 256,
        "decay": 2.0,
        "watch_every": 1,
        "draws": 4,
        "window": 100_000,
        "average_window": 500_000,
        "batch": 256,
        "rate": 3e-4,
        "last_rate": 3e-4,
    }
    response = {
        "best": True,
        "play": "best",
        "trust": 0.02,
        "heat": 0.05,
        "ahead": 1,
        "tried": 0.5,
        "lot": 2000,
        "recent": 4,
        "watch": 0,
        "snapshots": 0,
    }
    found: dict[str, Mapping[str, Any]] = {
        "default": {},
        "strong": {"best": True, "play": "best", "start": book},
        "teacher": {
            "best": True,
            "play": "best",
            "start": TEACHER,
            "start_part": 0.35,
            "trust": 0.05,
            "heat": 0.05,
            "ahead": 1,
            "tried": 0.2,
            "lot": 2000,
            "recent": 4,
        },
        "full": full,
        "paper": {**paper, "sampling": "paper"},
        "corrected": {**paper, "sampling": "corrected", "epsilon": 0.5},
        "small": {
            **full,
            "units": 64,
            "layers": 2,
            "decay": 0.0,
            "lot": 400,
            "part": 4096,
            "deals": 80_000,
            "steps": 800 if large else 200,
            "batch": 1024 if large else 256,
            "rate": 3e-3,
            "average_steps": 2000,
            "watch": 0,
            "exact_every": 10,
        },
        "response": {**response, "start": book},
        "further": {**response, **GOING_ON, "snapshots": 50},
    }
    if any(encoding.name == "page" for encoding in game.encodings):
        found["page"] = {
            "units": 1080,
            "layers": 4,
            "encoding": "page",
            "lot": 2000,
            "scratch": True,
            "epochs": 4.0,
            "recent": 2,
            "window": 20_000_000,
            "batched": True,
            "snapshots": 1,
        }
    return found
