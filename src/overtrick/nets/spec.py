"""What a net is: what it is shown, its layers, and what its outputs mean.

A net is a body of dense layers on the flags of an observation, and heads on the body:

    policy   a number for every choice of the flat action space, softmaxed over the legal ones
    value    what the deal will pay: to the viewer's side, or to every seat counted from the viewer

Both may have a hidden layer of their own. A net without a body is linear.

A net may also be shown the hands of the others, as a search does in its worlds: there the value
of a deal depends on all cards, and the view of the seat to act knows nothing of what the seat
that searches holds. By itself, at the table, it is never shown them; a flag tells it which.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from overtrick.errors import DamagedFile
from overtrick.games.game import Game

__all__ = ["Layer", "NetSpec", "shown_flags", "spec_for"]


class Layer(BaseModel):
    """One dense layer: from whose outputs, how many of them, to how many."""

    model_config = ConfigDict(frozen=True)

    name: str  # its tensors are NAME.weight, [outputs, inputs], and NAME.bias, [outputs]
    source: str  # the layer that it reads, "" for the observation
    inputs: int
    outputs: int
    relu: bool


class NetSpec(BaseModel):
    """Everything about a net but its weights."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["mlp"] = "mlp"
    game: str
    encoding: str  # `name@version` of the observation
    digest: str  # of all its flags: a net refuses any other
    hands: bool = False  # whether the hands of the others may be shown too
    inputs: int = Field(ge=1, le=4096)
    actions: int = Field(ge=1, le=4096)
    values: int = Field(ge=0, le=16)  # outputs of the value head; 0 without one
    value: Literal["side", "seat", "none"]
    body_units: int = Field(ge=1, le=8192)
    body_layers: int = Field(ge=0, le=64)
    head_units: int = Field(ge=0, le=8192)
    reach: float = Field(gt=0)  # the payoff that a value of 1 stands for
    cap: float = Field(0.0, ge=0)  # activations end here; 0 for never
    logit_clip: float = Field(0.0, ge=0)  # logits lie within; 0 for any
    output: Literal["policy", "choices"] = "policy"
    """What the policy head's numbers are: logits, or what each choice will pay."""

    @property
    def body(self) -> str:
        """The network in the notation of ladders."""
        return f"{self.body_units}x{self.body_layers}/h{self.head_units}"

    @property
    def last_of_body(self) -> str:
        """The layer that the heads read."""
        return f"body.{self.body_layers - 1}" if self.body_layers else ""

    def layers(self) -> Iterator[Layer]:
        """The layers in an order in which they can be computed."""
        source, width = "", self.inputs
        for number in range(self.body_layers):
            name = f"body.{number}"
            yield Layer(name=name, source=source, inputs=width, outputs=self.body_units, relu=True)
            source, width = name, self.body_units
        heads = [("policy", self.actions)] + ([("value", self.values)] if self.values else [])
        hidden = self.head_units
        if hidden:
            for head, _ in heads:
                yield Layer(
                    name=f"{head}.hidden", source=source, inputs=width, outputs=hidden, relu=True
                )
        for head, outputs in heads:
            yield Layer(
                name=f"{head}.out",
                source=f"{head}.hidden" if hidden else source,
                inputs=hidden or width,
                outputs=outputs,
                relu=False,
            )

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, by its name."""
        found: dict[str, tuple[int, ...]] = {}
        for layer in self.layers():
            found[f"{layer.name}.weight"] = (layer.outputs, layer.inputs)
            found[f"{layer.name}.bias"] = (layer.outputs,)
        return found

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum((layer.inputs + 1) * layer.outputs for layer in self.layers())

    def check_game(self, game: Game) -> None:
        """Refuse a game, or a version of its observation, that this net was not made for."""
        if game.name != self.game:
            raise DamagedFile(f"this net plays {self.game}, not {game.name}")
        spec = game.encodings[game.encoding(self.encoding)]
        if spec.digest != self.digest or spec.size + shown_flags(game, self.hands) != self.inputs:
            raise DamagedFile(
                f"this net was made for other flags than {self.game}'s {self.encoding} of today"
            )
        if self.actions != game.actions:
            raise DamagedFile(
                f"this net has {self.actions} actions, {self.game} has {game.actions}"
            )


def shown_flags(game: Game, hands: bool) -> int:
    """How many flags show the hands of the others: whether they are shown, and each one's cards."""
    return 1 + (game.seats - 1) * len(game.deck) if hands else 0


def spec_for(
    game: Game,
    *,
    units: int,
    layers: int,
    head: int,
    encoding: str = "",
    hands: bool = False,
    value: Literal["side", "seat", "none", ""] = "",
    reach: float | None = None,
    cap: float = 20.0,
    logit_clip: float = 15.0,
    output: Literal["policy", "choices"] = "policy",
) -> NetSpec:
    """The spec of a net for a game; one value where two sides are fixed, else one a seat."""
    flags = game.encodings[game.encoding(encoding)]
    two_sided = game.seats == 2 or game.teams is not None
    value = value or ("side" if two_sided else "seat")
    outputs = {"side": 1, "seat": game.seats, "none": 0}[value]
    return NetSpec(
        game=game.name,
        encoding=str(flags),
        digest=flags.digest,
        hands=hands,
        inputs=flags.size + shown_flags(game, hands),
        actions=game.actions,
        values=outputs,
        value=value,
        body_units=units,
        body_layers=layers,
        head_units=head,
        reach=float(game.payoff_scale if reach is None else reach),
        cap=cap,
        logit_clip=logit_clip,
        output=output,
    )
