"""What a pointer net is: a transformer that reads a view as tokens and points at a choice.

Every token is the sum of some rows of one table of embeddings: `spelling` tells which. Three
encoders read them:

    public   what everybody knows and what the viewer knows of the others; one token sums it up
    hand     the viewer's cards, and a token for every legal choice that is no card in hand
    open     all hands together, for the value only, where the net may be shown them

The policy points: the logit of a choice is how well its token in the hand answers what the public
encoder asks for. The value is read off all of them. docs/methods/pointer.md tells more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from overtrick.cards import Deck
from overtrick.engine.observations import most_tokens
from overtrick.errors import DamagedFile, UnknownName
from overtrick.games.game import Game
from overtrick.games.observing import TOKEN_COLUMNS
from overtrick.nets.products import COLUMNS

__all__ = [
    "BITS",
    "POINTER_SIZES",
    "SEGMENTS",
    "CardParts",
    "PointerSpec",
    "card_parts",
    "pointer_spec_for",
    "score_features",
    "token_digest",
]

VERSION = 1  # of how tokens are spelled: another one makes other nets
SEGMENTS = 6  # those of tokens, and one for choices
BITS = 16  # of the value of a fact
FACTS = 32  # kinds of facts that a game may tell

POINTER_SIZES: Mapping[str, Mapping[str, int]] = {
    "small": {"width": 32, "layers": 1, "hand_layers": 1, "heads": 2, "feed": 2},
    "medium": {"width": 64, "layers": 2, "hand_layers": 1, "heads": 4, "feed": 2},
    "large": {"width": 256, "layers": 4, "hand_layers": 2, "heads": 8, "feed": 4},
}


class PointerSpec(BaseModel):
    """Everything about a pointer net but its weights."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kind: Literal["pointer"] = "pointer"
    game: str
    digest: str  # of what its tokens and actions mean: a net refuses any other
    hands: bool = False  # whether its value may be shown the hands of the others too
    separators: bool = False  # whether tokens of their own tell segments, players and phases
    actions: int = Field(ge=1, le=4096)
    cards: int = Field(ge=1, le=63)
    suits: int = Field(ge=1, le=63)
    ranks: int = Field(ge=1, le=63)
    seats: int = Field(ge=1, le=16)
    phases: int = Field(ge=1, le=64)
    positions: int = Field(ge=1, le=4096)
    facts: int = Field(ge=1, le=64)
    scores: int = Field(ge=0, le=64)  # numbers told as shares: points and tricks so far
    values: int = Field(ge=0, le=16)  # outputs of the value head; 0 without one
    value: Literal["side", "seat", "none"]
    width: int = Field(ge=COLUMNS, le=1024, multiple_of=COLUMNS)
    layers: int = Field(ge=1, le=32)  # of the public encoder
    hand_layers: int = Field(ge=1, le=32)  # of those that read hands
    heads: int = Field(ge=1, le=64)
    feed: int = Field(ge=1, le=16)  # the inner width of a layer, in widths
    reach: float = Field(gt=0)  # the payoff that a value of 1 stands for
    logit_clip: float = Field(0.0, ge=0)  # logits lie within; 0 for any

    @model_validator(mode="after")
    def _heads_share_the_width(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads do not share a width of {self.width} evenly")
        return self

    @property
    def body(self) -> str:
        """The network in a few signs: width, layers of the encoders, heads."""
        marks = ("+hands" if self.hands else "") + ("+sep" if self.separators else "")
        return f"ptr{self.width}x{self.layers}+{self.hand_layers}/h{self.heads}{marks}"

    @property
    def encoding(self) -> str:
        """What it is shown, as `name@version`."""
        return f"tokens@{VERSION}"

    def encoders(self) -> dict[str, int]:
        """The encoders with their layers."""
        found = {"public": self.layers, "hand": self.hand_layers}
        return found | ({"open": self.hand_layers} if self.hands and self.values else {})

    def sections(self) -> dict[str, int]:
        """The parts of the table of embeddings in their order, with the number of their rows."""
        return {
            "card": self.cards,
            "action": self.actions,
            "hidden": 1,
            "phase": self.phases + 1,
            "segment": SEGMENTS,
            "player": self.seats + 1,
            "position": self.positions,
            "status": 0 if self.separators else 1,
            "fact": self.facts,
            "bit": BITS,
            "score": self.scores,
            "start": 1,
        }

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, by its name."""
        return dict(self._tensors())

    def _tensors(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        width = self.width
        yield "embed.suit", (self.suits, width // 2)
        yield "embed.rank", (self.ranks, width - width // 2)
        for section, rows in self.sections().items():
            if section != "card" and rows:
                yield f"embed.{section}", (rows, width)
        for encoder, layers in self.encoders().items():
            yield from self._encoder(encoder, layers)
        yield from _dense("pointer.query", width, width)
        yield from _dense("pointer.key", width, width)
        if self.values:
            yield from _dense("value.hidden", len(self.encoders()) * width, width)
            yield from _dense("value.out", width, self.values)

    def _encoder(self, encoder: str, layers: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        width, inner = self.width, self.feed * self.width
        for number in range(layers):
            layer = f"{encoder}.{number}"
            yield from _norm(f"{layer}.before_mix", width)
            for part in ("query", "key", "value", "mix"):
                yield from _dense(f"{layer}.{part}", width, width)
            yield from _norm(f"{layer}.before_feed", width)
            yield from _dense(f"{layer}.widen", width, inner)
            yield from _dense(f"{layer}.narrow", inner, width)
        yield from _norm(f"{encoder}.norm", width)
        if encoder == "open":
            yield "open.unseen", (width,)

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum(_size(shape) for shape in self.shapes().values())

    def check_game(self, game: Game) -> None:
        """Refuse a game, or a version of its tokens, that this net was not made for."""
        if game.name != self.game:
            raise DamagedFile(f"this net plays {self.game}, not {game.name}")
        if self.digest != token_digest(game):
            raise DamagedFile(f"this net was made for other tokens than {self.game}'s of today")
        for name, expected in _counts(game, self.separators).items():
            told = getattr(self, name)
            if told != expected:
                raise DamagedFile(f"this net has {told} {name}, {self.game} has {expected}")


def _norm(name: str, width: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", (width,)
    yield f"{name}.bias", (width,)


def _dense(name: str, inputs: int, outputs: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", (outputs, inputs)
    yield f"{name}.bias", (outputs,)


def _size(shape: tuple[int, ...]) -> int:
    return shape[0] * (shape[1] if len(shape) > 1 else 1)


# ---------------------------------------------------------------------------- of a game


@dataclass(frozen=True)
class CardParts:
    """What the cards of a deck have in common."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    suit_of: tuple[int, ...]  # of each card
    rank_of: tuple[int, ...]


def card_parts(deck: Deck) -> CardParts:
    """Suit and rank of every card, by its name: `QS` is a Q of S.

    Where names have one sign there is one suit; a card alone in its suit, such as a joker, has a
    rank of its own.
    """
    plain = min(map(len, deck.names)) < 2
    told = [("", name) if plain else (name[-1], name[:-1]) for name in deck.names]
    sizes = Counter(suit for suit, _ in told)
    pairs = [
        (suit, name if sizes[suit] == 1 else rank)
        for name, (suit, rank) in zip(deck.names, told, strict=True)
    ]
    suits = tuple(dict.fromkeys(suit for suit, _ in pairs))
    ranks = tuple(dict.fromkeys(rank for _, rank in pairs))
    return CardParts(
        suits,
        ranks,
        tuple(suits.index(suit) for suit, _ in pairs),
        tuple(ranks.index(rank) for _, rank in pairs),
    )


def score_features(game: Game) -> list[int]:
    """Which features of the game's first encoding tell a number: points or tricks so far."""
    features = game.encodings[0].features
    return [
        number
        for number, feature in enumerate(features)
        if all(flag.endswith(" or more") for flag in feature.flags)
    ]


def token_digest(game: Game) -> str:
    """Tells tokens and actions apart that a net must not confuse."""
    meaning = [
        *(VERSION, TOKEN_COLUMNS, game.deck.names, game.seats, game.phases),
        *(game.choice_names, game.action_offsets, game.encodings[0].digest),
    ]
    return sha256(repr(meaning).encode()).hexdigest()[:16]


def _counts(game: Game, separators: bool) -> dict[str, int]:
    parts = card_parts(game.deck)
    return {
        "actions": game.actions,
        "cards": len(game.deck),
        "suits": len(parts.suits),
        "ranks": len(parts.ranks),
        "seats": game.seats,
        "phases": len(game.phases),
        "positions": 2 * most_tokens(game) if separators else max(game.longest, len(game.deck)),
        "facts": FACTS,
        "scores": len(score_features(game)),
    }


def pointer_spec_for(
    game: Game,
    *,
    size: str = "medium",
    hands: bool = False,
    separators: bool = False,
    value: Literal["side", "seat", "none", ""] = "",
    reach: float | None = None,
    logit_clip: float = 15.0,
    **shape: int,
) -> PointerSpec:
    """The spec of a pointer net for a game; `shape` may change what the size says.

    One value where two sides are fixed, else one a seat.
    """
    if size not in POINTER_SIZES:
        raise UnknownName("size of pointer nets", size, POINTER_SIZES)
    two_sided = game.seats == 2 or game.teams is not None
    value = value or ("side" if two_sided else "seat")
    told: dict[str, Any] = {
        "game": game.name,
        "digest": token_digest(game),
        "hands": hands,
        "separators": separators,
        "values": {"side": 1, "seat": game.seats, "none": 0}[value],
        "value": value,
        "reach": float(game.payoff_scale if reach is None else reach),
        "logit_clip": logit_clip,
    }
    return PointerSpec(**told | _counts(game, separators) | dict(POINTER_SIZES[size]) | shape)
