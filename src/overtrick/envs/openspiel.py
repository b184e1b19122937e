"""OpenSpiel: every game as a game of pyspiel, `python_overtrick_hearts` and so on.

Cards are dealt one by one by chance, in the order of the deck, as OpenSpiel's own card games do:
every algorithm that samples chance runs, and in the small games those that list it. The house
rules are parameters of the game: `python_overtrick_hearts(moon=auto)`. So is the match, which
settles such things as the dealer: `match=deals:2`, as `Match.text` writes it with `:` for `=` and
`+` for blanks.

`resample_from_infostate` draws a world evenly from all that the player cannot rule out: cards seen,
voids shown, what bids and passes made certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from overtrick.engine.deals import Deal, Match, View
from overtrick.envs.looking import Looking
from overtrick.errors import BadOption, MissingExtra
from overtrick.games import add_game, load_game, loaded_games
from overtrick.games.game import HIDDEN, Game, Seat, Variant

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("games of OpenSpiel", "openspiel") from None

__all__ = ["CardGame", "CardState", "game_id", "load", "register", "register_all"]

MATCH = "match"  # the parameter that is no house rule


def game_id(name: str) -> str:
    """What a game is called in OpenSpiel."""
    return f"python_overtrick_{name}"


# ---------------------------------------------------------------------------- the game


def _parameter(value: Any) -> Any:
    """An option as a parameter: OpenSpiel reads a text that looks like a number as one."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _type_of(game: Game) -> Any:
    usual = game.variant()
    options = {name: _parameter(getattr(usual, name)) for name in game.variant.options()}
    if MATCH in options:
        raise BadOption(f"{game.name}: an option may not be called {MATCH} in OpenSpiel")
    return pyspiel.GameType(
        short_name=game_id(game.name),
        long_name=f"Overtrick {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats,
        min_num_players=game.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={**options, MATCH: ""},
    )


class CardGame(pyspiel.Game):  # type: ignore[misc]
    """One deal of a game; `house` is the game on our contract."""

    house: Game
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        told = dict(params or {})
        context = str(told.pop(MATCH, "")).translate(str.maketrans(":+", "= "))
        self.variant: Variant = self.house.variant_of(told)
        self.match = Match.from_text(self.house, context, variant=self.variant)
        self.looking = Looking(self.house)
        most = self.house.scale(self.variant) / self.house.payoff_unit
        info = pyspiel.GameInfo(
            num_distinct_actions=self.house.actions,
            max_chance_outcomes=len(self.house.deck),
            num_players=self.house.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.house.longest,
        )
        super().__init__(self.kind, info, dict(params or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels by its name and parameters."""
        return _again, (self.house.name, str(self))

    def new_initial_state(self) -> CardState:
        """Before the first card is dealt."""
        return CardState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CardObserver:
        """What makes tensors and strings of what a player knows."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CardObserver(self, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """One for each card."""
        return len(self.house.deck)


def register(game: str | Game) -> str:
    """Make a game known to OpenSpiel, and tell under which name."""
    house = load_game(game) if isinstance(game, str) else add_game(game)
    name = game_id(house.name)
    if name not in pyspiel.registered_names():
        kind = _type_of(house)
        pyspiel.register_game(kind, type(house.title, (CardGame,), {"house": house, "kind": kind}))
    return name


def _again(name: str, text: str) -> Any:
    register(name)
    return pyspiel.load_game(text)


def register_all() -> None:
    """Make every game known."""
    for game in loaded_games(hidden=True):
        register(game)


def load(
    game: str | Game, *, variant: str | Variant | None = None, match: Match | None = None
) -> Any:
    """A game as pyspiel has it: with house rules, or in a match that has some already."""
    house = load_game(game) if isinstance(game, str) else game
    chosen, usual = house.variant_of(variant if match is None else match.variant), house.variant()
    options = {name: getattr(chosen, name) for name in house.variant.options()}
    told = {n: _parameter(value) for n, value in options.items() if value != getattr(usual, n)}
    context = "" if match is None else match.text().translate(str.maketrans("= ", ":+"))
    return pyspiel.load_game(register(house), {**told, MATCH: context})


# ---------------------------------------------------------------------------- the state


class _Held:
    """Something that never changes, so that copies of a state may share it."""

    __slots__ = ("cards", "deal", "views")

    def __init__(self, cards: tuple[int, ...], deal: Deal | None) -> None:
        self.cards = cards  # dealt so far
        self.deal = deal  # once all are
        self.views: dict[Seat, View] = {}

    def __deepcopy__(self, memo: Any) -> _Held:
        return self

    def view(self, player: Seat) -> View | None:
        """What a player knows; None while cards are dealt."""
        if self.deal is None:
            return None
        if player not in self.views:
            self.views[player] = self.deal.view(player)
        return self.views[player]


class CardState(pyspiel.State):  # type: ignore[misc]
    """A deal on its way: cards dealt by chance, then choices."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self._held = _Held((), None)

    @property
    def _game(self) -> CardGame:
        game: CardGame = self.get_game()
        return game

    @property
    def deal(self) -> Deal | None:
        """The whole deal; None while cards are dealt."""
        return self._held.deal

    def view(self, player: Seat) -> View | None:
        """What a player knows; None while cards are dealt."""
        return self._held.view(player)

    def current_player(self) -> Any:
        """Who is to choose."""
        if self._held.deal is None:
            return pyspiel.PlayerId.CHANCE
        seat = self._held.deal.seat
        return pyspiel.PlayerId.TERMINAL if seat is None else seat

    def _legal_actions(self, player: Seat) -> list[int]:
        """The legal actions of the player to act, lowest first."""
        deal = self._held.deal
        if deal is None or deal.seat != player:
            return []
        offset = self._offset(deal)
        return [offset + choice for choice in deal.legal]

    def _offset(self, deal: Deal) -> int:
        return deal.game.action_offsets[deal.game.phases.index(deal.phase)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that are left, one as likely as the other."""
        left = [c for c in range(len(self._game.house.deck)) if c not in self._held.cards]
        return [(card, 1.0 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        """Deal a card, or make a choice."""
        deal = self._held.deal
        if deal is not None:
            self._held = _Held(self._held.cards, deal.play(int(action) - self._offset(deal)))
            return
        cards = (*self._held.cards, int(action))
        if len(cards) == len(self._game.house.deck):
            deal = Deal.from_order(self._game.match, cards)
        self._held = _Held(cards, deal)

    def _action_to_string(self, player: Any, action: int) -> str:
        """A card or a choice in notation."""
        house, deal = self._game.house, self._held.deal
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {house.deck.names[action]}"
        if deal is None or deal.is_over:
            return str(action)
        phase = house.phases.index(deal.phase)
        choice = action - house.action_offsets[phase]
        known = 0 <= choice < len(house.choice_names[phase])
        return f"{deal.phase} {house.choice_text(phase, choice)}" if known else str(action)

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self._held.deal is not None and self._held.deal.is_over

    def returns(self) -> list[float]:
        """The payoffs in points; zeros before the end."""
        deal = self._held.deal
        if deal is None or not deal.is_over:
            return [0.0] * self._game.house.seats
        return [float(payoff) for payoff in deal.payoffs]

    def __str__(self) -> str:
        if self._held.deal is None:
            return f"dealt {self._game.house.deck.texts(self._held.cards)}".strip()
        return self._held.deal.text()

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> CardState:
        """A state that this player cannot tell from this one, drawn evenly."""
        view = self.view(player)
        if view is None:
            raise BadOption("there is nothing to draw before the cards are dealt")
        world = view.worlds(1, seed=int(sampler() * 2**53))[0]
        return state_of(self._game, world)


def state_of(game: CardGame, deal: Deal) -> CardState:
    """The state of a deal, its past replayed."""
    state = game.new_initial_state()
    for card in deal.order:
        state.apply_action(card)
    for _, phase, choice in deal.history:
        state.apply_action(deal.game.action_offsets[phase] + choice)
    return state


# ---------------------------------------------------------------------------- what players know


class CardObserver:
    """What a player knows, as OpenSpiel's observers tell it.

    The tensor has the flags of the game's first encoding; with perfect recall also every choice so
    far as the player saw it, one row a turn: one number an action, and one for a hidden choice.
    Information that is public only, or everybody's, is not told.
    """

    def __init__(self, game: CardGame, kind: Any, params: Any) -> None:
        if params:
            raise BadOption(f"observers have no settings, not {params}")
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise BadOption("observers tell what one player knows, all of it")
        house = game.house
        self.game = game
        self.recalls = bool(kind.perfect_recall)
        rows = (house.longest, house.actions + 1) if self.recalls else (0, 0)
        flags = game.looking.flags
        self.tensor = np.zeros(flags + rows[0] * rows[1], dtype=np.float32)
        self.dict = {"observation": self.tensor[:flags]}
        if self.recalls:
            self.dict["history"] = self.tensor[flags:].reshape(rows)

    def set_from(self, state: CardState, player: Seat) -> None:
        """Fill the tensor; zeros while cards are dealt."""
        self.tensor.fill(0)
        view = state.view(player)
        if view is None or state.deal is None:
            return
        seat = np.array([player], dtype=np.int64)
        self.dict["observation"][:] = self.game.looking.observe(state.deal.records, seat)[0]
        if self.recalls:
            offsets = self.game.house.action_offsets
            for turn, (_, phase, choice) in enumerate(view.history):
                hidden = choice == HIDDEN
                self.dict["history"][turn, -1 if hidden else offsets[phase] + choice] = 1

    def string_from(self, state: CardState, player: Seat) -> str:
        """What the player knows in one line: two states give the same if it knows no difference."""
        view = state.view(player)
        if view is None:
            return f"{self.game.house.seat_name(player)}: cards are dealt"
        return knowledge_text(view, all_choices=self.recalls)


def knowledge_text(view: View, *, all_choices: bool = True) -> str:
    """Seat, hand, what else was seen, and the choices: all of them, or those on the table."""
    game = view.game
    told = [*game.sights(view.records[0]).items(), *view.public]
    seen = "; ".join(f"{name} {words}" for name, words in told)
    if all_choices:
        past = view.history_text
    else:
        cards = game.deck.names
        past = " ".join(f"{game.seat_name(seat)} {cards[card]}" for seat, card in view.trick)
    return f"{game.seat_name(view.viewer)}: {game.deck.texts(view.hand)}; {seen}; {past}"


register_all()
