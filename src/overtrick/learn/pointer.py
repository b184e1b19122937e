"""Pointer nets as they learn: the encoders and heads of a spec in PyTorch.

A batch is spelled by the same rules as at the table (`nets.spelling`): tokens of many views one
after another, each the sum of rows of one table. Views go through the encoders in pieces of about
the same length, each no longer than the longest of its piece.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from overtrick.errors import DamagedFile
from overtrick.games.game import Game, Row
from overtrick.learn.samples import Samples, policies_of, values_of, views_of
from overtrick.nets.pointer_spec import PointerSpec, card_parts
from overtrick.nets.spelling import Sheets, spell

__all__ = [
    "PointerLesson",
    "PointerNet",
    "load_pointer",
    "pointer_tensors",
    "read_deals",
    "teach_pointer",
]

Records = np.ndarray[Any, Any]
Floats = np.ndarray[Any, np.dtype[Any]]

PUBLIC, HAND, OPEN = range(3)  # the sequences of a view
PIECE = 128  # views of about the same length that go through the encoders together
EMBEDDED = 0.3  # how far embeddings are from 0 at first
POINTED = 0.25  # and the maps of the heads, as shares of what is usual: no strong opinions


# ---------------------------------------------------------------------------- batches


def read_deals(
    game: Game,
    spec: PointerSpec,
    deals: Records,
    legal: Row,
    orders: Row,
    shown: Records | None = None,
) -> Sheets:
    """Whole deals as a net reads them: what the seats to act know, their suits in these orders.

    With all hands where shown, or everywhere if that is not told, if the net may be shown them.
    """
    return spell(game, spec, views_of(deals), legal, orders, deals=deals, shown=shown)


@dataclass(frozen=True)
class PointerLesson:
    """Samples as a pointer net is taught them."""

    sheets: Sheets
    legal: Records  # [n, actions] bool
    policy: Floats  # [n, actions] float32
    values: Floats  # [n, values] float32 in [-1, 1], or NaN


def teach_pointer(
    game: Game, spec: PointerSpec, samples: Samples, orders: Row, shown: Records | None = None
) -> PointerLesson:
    """Samples as a pointer net reads them, their suits in these orders."""
    sheets = read_deals(game, spec, samples.deals, samples.legal, orders, shown)
    legal, policy = policies_of(game, samples, views_of(samples.deals), orders)
    return PointerLesson(sheets, legal, policy, values_of(spec, samples))


# ---------------------------------------------------------------------------- the net


class PointerNet(nn.Module):
    """A pointer net; its parameters have the names of the spec's tensors."""

    def __init__(self, game: Game, spec: PointerSpec, seed: int = 0) -> None:
        super().__init__()
        spec.check_game(game)
        self.spec = spec
        chance = torch.Generator().manual_seed(seed)
        self.tensors = nn.ParameterDict(
            {
                _key(name): nn.Parameter(_first(name, shape, spec, chance))
                for name, shape in spec.shapes().items()
            }
        )
        parts = card_parts(game.deck)
        self.register_buffer("suit_of", torch.tensor(parts.suit_of), persistent=False)
        self.register_buffer("rank_of", torch.tensor(parts.rank_of), persistent=False)

    def forward(self, sheets: Sheets) -> tuple[Tensor, Tensor]:
        """Logits, [n, actions], and values in [-1, 1], [n, values], for spelled views.

        The policy is a softmax over the logits of legal choices; those of others are 0.
        """
        pieces = list(_pieces(sheets, range(len(self.spec.encoders()))))
        if not pieces:
            nothing = self.of("embed.start").new_zeros
            return nothing(0, self.spec.actions), nothing(0, self.spec.values)
        self._fill(pieces, sheets)
        answers = [self._answer(piece) for piece in pieces]
        back = torch.cat([piece.rows for piece in pieces]).argsort()
        logits, values = (torch.cat(parts)[back] for parts in zip(*answers, strict=True))
        return logits, values

    def of(self, name: str) -> Tensor:
        """A tensor by its name in the spec."""
        found: Tensor = self.tensors[_key(name)]
        return found

    def table(self) -> Tensor:
        """All embeddings: those of a card are of its suit and of its rank, side by side."""
        suits = self.of("embed.suit")[self.get_buffer("suit_of")]
        ranks = self.of("embed.rank")[self.get_buffer("rank_of")]
        sections = [torch.cat([suits, ranks], dim=1)]
        for section, rows in self.spec.sections().items():
            if section != "card" and rows:
                sections.append(self.of(f"embed.{section}"))
        return torch.cat(sections)

    def _fill(self, pieces: list[_Piece], sheets: Sheets) -> None:
        """Give the pieces their tokens: all in one go, which is much less to learn back from."""
        tokens = functional.embedding_bag(
            torch.from_numpy(sheets.rows),
            self.table(),
            torch.from_numpy(sheets.begins),
            mode="sum",
            per_sample_weights=torch.from_numpy(sheets.amounts),
            include_last_offset=True,
        )
        places = [place for piece in pieces for place in piece.places]
        found = tokens.index_select(0, torch.cat([place.flatten() for place in places]))
        parts = iter(torch.split(found, [place.numel() for place in places]))
        for piece in pieces:
            piece.tokens = [next(parts).view(*place.shape, -1) for place in piece.places]

    # ------------------------------------------------------------------------ heads

    def _answer(self, piece: _Piece) -> tuple[Tensor, Tensor]:
        """Logits and values of the views of a piece."""
        public, seen = piece.tokens[PUBLIC], piece.seen[PUBLIC]
        core = _normal(self._encode("public", public, seen, only_first=True)[:, 0])
        hand, held = piece.tokens[HAND], piece.seen[HAND]
        hand = _normal(self._encode("hand", hand, held))
        logits = self._point(core, hand, piece.actions)
        if not self.spec.values:
            return logits, logits[:, :0]
        means = {"public": core, "hand": _mean(hand, held)}
        if "open" in self.spec.encoders():
            means["open"] = self._open(piece)
        read = torch.cat([self._weighed(name, mean) for name, mean in means.items()], dim=1)
        inside = functional.relu(self._dense("value.hidden", read))
        return logits, torch.tanh(self._dense("value.out", inside))

    def _point(self, core: Tensor, hand: Tensor, actions: Tensor) -> Tensor:
        """The logits of all actions: how well each token of the hand answers the query."""
        query = self._dense("pointer.query", self._weighed("public", core))
        keys = self._dense("pointer.key", self._weighed("hand", hand))
        found = (keys @ query.unsqueeze(2)).squeeze(2) / math.sqrt(self.spec.width)
        if self.spec.logit_clip:
            found = found.clamp(-self.spec.logit_clip, self.spec.logit_clip)
        nowhere = self.spec.actions  # the column of tokens that stand for no legal choice
        places = torch.where(actions < 0, nowhere, actions)
        room = found.new_zeros(len(found), nowhere + 1)
        return room.scatter(1, places, found)[:, :nowhere]

    def _open(self, piece: _Piece) -> Tensor:
        """The mean of all hands where they are shown, elsewhere what stands for it."""
        hands, seen = piece.tokens[OPEN], piece.seen[OPEN]
        mean = _mean(_normal(self._encode("open", hands, seen)), seen)
        return torch.where(seen.any(dim=1, keepdim=True), mean, self.of("open.unseen"))

    # ------------------------------------------------------------------------ layers

    def _encode(
        self, encoder: str, tokens: Tensor, seen: Tensor, *, only_first: bool = False
    ) -> Tensor:
        """Tokens, [n, tokens, width], through the layers of an encoder.

        Where only the first token is wanted in the end, the last layer gives no other.
        """
        seen = seen.clone()
        seen[:, 0] = True  # attention needs something to look at
        layers = self.spec.encoders()[encoder]
        for number in range(layers):
            layer = f"{encoder}.{number}"
            queries = 1 if only_first and number == layers - 1 else tokens.shape[1]
            normal = self._norm(f"{layer}.before_mix", tokens)
            mixed = self._attend(layer, normal, seen, queries)
            tokens = tokens[:, :queries] + self._dense(f"{layer}.mix", mixed)
            normal = self._norm(f"{layer}.before_feed", tokens)
            inside = functional.relu(self._dense(f"{layer}.widen", normal))
            tokens = tokens + self._dense(f"{layer}.narrow", inside)
        return tokens

    def _attend(self, layer: str, normal: Tensor, seen: Tensor, queries: int) -> Tensor:
        query = self._heads(f"{layer}.query", normal[:, :queries])
        key, value = (self._heads(f"{layer}.{part}", normal) for part in ("key", "value"))
        mask = seen[:, None, None, :]
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return found.transpose(1, 2).flatten(2)

    def _heads(self, name: str, tokens: Tensor) -> Tensor:
        """[n, heads, tokens, share of the width]."""
        mapped = self._dense(name, tokens)
        shares = mapped.view(*mapped.shape[:2], self.spec.heads, -1)
        return shares.transpose(1, 2)

    def _dense(self, name: str, numbers: Tensor) -> Tensor:
        return functional.linear(numbers, self.of(f"{name}.weight"), self.of(f"{name}.bias"))

    def _norm(self, name: str, tokens: Tensor) -> Tensor:
        size = (self.spec.width,)
        return functional.layer_norm(
            tokens, size, self.of(f"{name}.weight"), self.of(f"{name}.bias")
        )

    def _weighed(self, encoder: str, normal: Tensor) -> Tensor:
        """What comes out of an encoder, with the weights of its norm."""
        return normal * self.of(f"{encoder}.norm.weight") + self.of(f"{encoder}.norm.bias")


class _Piece:
    """Views of about the same length."""

    def __init__(self, sheets: Sheets, rows: Row, kinds: Iterable[int]) -> None:
        self.rows = torch.from_numpy(rows)
        self.places: list[Tensor] = []  # [n, longest] of the tokens of each sequence
        self.seen: list[Tensor] = []  # [n, longest] which of them there are
        self.tokens: list[Tensor] = []  # [n, longest, width], once they are filled in
        firsts, lengths = sheets.firsts()[rows], sheets.lengths[rows]
        for kind in kinds:
            along = np.arange(max(int(lengths[:, kind].max()), 1))[None]
            seen = along < lengths[:, kind, None]
            places = np.where(seen, firsts[:, kind, None] + along, 0)
            self.places.append(torch.from_numpy(places))
            self.seen.append(torch.from_numpy(seen))
        actions = torch.from_numpy(sheets.actions)[self.places[HAND]]
        self.actions = torch.where(self.seen[HAND], actions, -1)  # of the tokens of the hand


def _pieces(sheets: Sheets, kinds: Sequence[int]) -> Iterator[_Piece]:
    """All views, those of about the same length together."""
    order = sheets.lengths[:, PUBLIC].argsort(kind="stable")
    for first in range(0, len(order), PIECE):
        yield _Piece(sheets, order[first : first + PIECE], kinds)


def _normal(tokens: Tensor) -> Tensor:
    return functional.layer_norm(tokens, tokens.shape[-1:])


def _mean(tokens: Tensor, seen: Tensor) -> Tensor:
    """The mean of the tokens that there are, [n, width]; 0 if there are none."""
    weights = seen.to(tokens.dtype)
    sums = (weights.unsqueeze(1) @ tokens).squeeze(1)
    return sums / weights.sum(dim=1, keepdim=True).clamp(min=1)


# ---------------------------------------------------------------------------- weights


def _key(name: str) -> str:
    return name.replace(".", "__")


def _first(name: str, shape: tuple[int, ...], spec: PointerSpec, chance: torch.Generator) -> Tensor:
    """What a tensor is at first."""
    if name.startswith("embed."):
        return EMBEDDED * torch.randn(shape, generator=chance)
    if len(shape) == 1:
        is_norm = name.endswith((".norm.weight", ".before_mix.weight", ".before_feed.weight"))
        return torch.ones(shape) if is_norm else torch.zeros(shape)
    most = math.sqrt(3 / shape[1])  # a variance of 1 / inputs
    if name.endswith((".mix.weight", ".narrow.weight")):
        most /= math.sqrt(2 * spec.encoders()[name.partition(".")[0]])
    if name in ("pointer.query.weight", "value.out.weight"):
        most *= POINTED
    return most * (2 * torch.rand(shape, generator=chance) - 1)


def pointer_tensors(net: PointerNet) -> dict[str, Floats]:
    """The weights of a net by the names of its spec."""
    return {name: net.of(name).detach().numpy().copy() for name in net.spec.shapes()}


def load_pointer(net: PointerNet, tensors: Mapping[str, Floats]) -> None:
    """Give a net the weights of another of the same spec."""
    with torch.no_grad():
        for name, shape in net.spec.shapes().items():
            if tensors[name].shape != shape:
                raise DamagedFile(f"{name} is {tensors[name].shape}, not {shape}")
            net.of(name).copy_(torch.from_numpy(np.ascontiguousarray(tensors[name])))
