"""Searches that a net leads: a tree in each world, or a look ahead by the net's own policy."""

from __future__ import annotations

from overtrick.errors import BadOption
from overtrick.games.game import Choices, Game, Row
from overtrick.models import Model
from overtrick.nets.forward import Net
from overtrick.players.levels import level_player, playout_player
from overtrick.players.naming import PlayerName, Settings
from overtrick.players.searching import LARGEST, SearchPlayer
from overtrick.search.beliefs import EVENLY, Beliefs
from overtrick.search.guided import BY_NET, SHARPNESS, Guidance, Guided
from overtrick.search.puct import EXPLORE
from overtrick.search.thinking import Thinking

__all__ = [
    "LOOK_SETTINGS",
    "SEARCH_SETTINGS",
    "foreseeing_player",
    "guided_player",
    "looks_ahead",
    "sharpness_of",
    "usual_endgame",
]

LOOK_SETTINGS = ("worlds", "ms", "endgame", "prior", "belief", "candidates", "threads")
SEARCH_SETTINGS = (
    *("sims", "worlds", "ms", "endgame", "playouts", "ahead", "root", "explore"),
    *("prior", "belief", "candidates", "threads"),
)
PRIOR = 30  # worlds that a net's word on choices counts for, if nobody tells
AHEAD_PRIOR = 300  # the same where it looks ahead: one world's payoffs are mostly chance
ROOTS = ("even", "puct")
TO_THE_END = 1000  # choices ahead, more than any deal has


def usual_endgame(game: Game) -> int:
    """How many last tricks a search led by a net solves exactly, if nobody tells."""
    defaults = game.search_defaults
    return int(defaults.get("net_endgame", defaults.get("endgame", 0)))


def sharpness_of(model: Model) -> float:
    """The share of the reach by which a choice is better that a model's net tells 1 more of."""
    if getattr(model.nets["main"], "output", "policy") != "choices":
        return SHARPNESS
    return float(model.card.config.get("heat", 0.0)) or 1.0


class _Told:
    """What both kinds of searches are told: the budget, and which worlds are drawn."""

    def __init__(self, game: Game, told: Settings, *, worlds: int, prior: int) -> None:
        defaults = game.search_defaults
        self.game = game
        self.ms = told.number("ms", 0, least=1, most=1_000_000) if "ms" in told else 0
        self.worlds = LARGEST
        if not self.ms or "worlds" in told:
            self.worlds = told.number("worlds", worlds, least=1, most=LARGEST)
        self.endgame = told.number("endgame", usual_endgame(game), least=0, most=64)
        self.threads = told.number("threads", 1, least=1, most=64)
        self.prior = told.number("prior", prior, least=0, most=10_000)
        self._candidates = told.number("candidates", 4, least=1, most=1000)
        model = told.text("belief", defaults.get("belief", "none"))
        self._believed = None if model == "none" else level_player(game, model)
        level = self._believed.level if self._believed else EVENLY
        self._beliefs = Beliefs(game, level, candidates=self._candidates)

    def budget(self) -> list[str]:
        """The part of the name that tells how much is searched."""
        parts = [f"worlds={self.worlds}"] if self.worlds < LARGEST else []
        parts += [f"ms={self.ms}"] if self.ms else []
        return [*parts, f"endgame={self.endgame}"]

    def drawing(self) -> list[str]:
        """The part that tells which worlds; untold, the belief is the game's own."""
        parts = [f"belief={self._believed.name if self._believed else 'none'}"]
        parts += [f"candidates={self._candidates}"] if self._candidates != 4 else []
        return parts + ([f"threads={self.threads}"] if self.threads > 1 else [])

    def player(self, net: Net, how: Guidance, name: str, unit: str) -> SearchPlayer:
        """Who searches so."""
        game, beliefs, threads = self.game, self._beliefs, self.threads

        def begin(view: Row, legal: Choices, stream: Row, endless: bool) -> tuple[Thinking, int]:
            budget = LARGEST if endless else self.worlds
            search = Guided(
                game, net, how, view, legal, stream, beliefs, budget=budget, threads=threads
            )
            return search, budget

        return SearchPlayer(game, name, begin, ms=self.ms, unit=unit, step=4 if self.ms else 64)


def guided_player(
    game: Game,
    net: Net,
    label: str,
    told: Settings | None = None,
    *,
    sharpness: float = SHARPNESS,
) -> SearchPlayer:
    """A tree search led by a net, as `label,settings` names it."""
    told = told or Settings(PlayerName(label), SEARCH_SETTINGS)
    common = _Told(game, told, worlds=80, prior=PRIOR)
    defaults = game.search_defaults
    sims = told.number("sims", 80, least=1, most=100_000)
    explore = told.number("explore", round(100 * EXPLORE), least=1, most=10_000)
    playouts = told.number("playouts", defaults.get("playouts", 0), least=0, most=100)
    ahead = told.number("ahead", defaults.get("ahead", 0), least=0, most=TO_THE_END)
    root = told.text("root", "even")
    if root not in ROOTS:
        raise BadOption(f"player {label}: root is {' or '.join(ROOTS)}, not {root!r}")
    how = Guidance(
        sims,
        explore=explore / 100,
        endgame=common.endgame,
        evenly=root == "even",
        level=playout_player(game).level if playouts else BY_NET,
        trust=playouts / 100,
        ahead=ahead,
        prior=common.prior,
        sharpness=sharpness,
    )
    parts = [f"sims={sims}", *common.budget()]
    parts += [f"playouts={playouts}"] if playouts else []
    parts += [f"ahead={ahead}"] if ahead else []
    parts += [f"root={root}"] if root != "even" else []
    parts += [f"explore={explore}"] if explore != round(100 * EXPLORE) else []
    parts += [f"prior={common.prior}"] if root == "even" or common.prior != PRIOR else []
    full = ",".join([label, *parts, *common.drawing()])
    return common.player(net, how, full, f"worlds with {sims} simulations in each")


# ---------------------------------------------------------------------------- looking ahead


def looks_ahead(name: PlayerName, known: tuple[str, ...]) -> bool:
    """Whether a player with a net is told to look ahead; else it has these settings alone."""
    told = Settings(name, (*known, *LOOK_SETTINGS), with_model=True)
    if "worlds" in told or "ms" in told:
        return True
    for key in LOOK_SETTINGS:
        if key in told:
            raise BadOption(f"player {name}: {key} goes with worlds=40 or ms=50")
    return False


def foreseeing_player(
    game: Game, net: Net, label: str, told: Settings, *, sharpness: float
) -> SearchPlayer:
    """A net that looks ahead, as `label,worlds=40` names it.

    Every choice is tried in the worlds that are drawn, and everybody plays on as the net would,
    each by what they know then. What the net tells of the choices counts as `prior` worlds more.
    """
    common = _Told(game, told, worlds=LARGEST, prior=AHEAD_PRIOR)
    how = Guidance(
        1,
        endgame=common.endgame,
        ahead=TO_THE_END,
        prior=common.prior,
        heeded=True,
        sharpness=sharpness,
    )
    full = ",".join([label, *common.budget(), f"prior={common.prior}", *common.drawing()])
    return common.player(net, how, full, "worlds, played on by its net")
