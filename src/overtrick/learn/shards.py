"""Samples on the disk: shards of packed regrets, each whole, checked and told apart.

A store is a folder of shards. A shard holds what some deals of a seed taught: it depends on its
settings and the numbers of its deals alone, so machines that never heard of each other make shards
that fit together, and one that is made again is the same to the last byte.

    magic      8 octets
    length     of the header, 4 octets
    header     JSON: format, game, encoding, digest, sizes, seed, deals, how they were traversed, …
    checksum   of the header, 32 octets of SHA-256
    samples    records of `overtrick.learn.regrets`

The header has the checksum of the samples. A shard is written beside its place and renamed, so a
process that dies leaves no shard behind, or a whole one. Learning reads blocks of samples and keeps
no file open, so there may be any number of shards.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import secrets
import shutil
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from overtrick.errors import BadOption, DamagedFile, StorageFault, UnknownName
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.regrets import Regrets, regrets_dtype
from overtrick.nets.spec import NetSpec

__all__ = [
    "Shard",
    "ShardHeader",
    "Store",
    "check_shard",
    "header_for",
    "list_shards",
    "merge_stores",
    "read_shard",
    "shard_name",
    "write_shard",
]

MAGIC = b"OTREGRET"
FORMAT = 1
SUFFIX = ".samples"
CHECKSUM = 32
LONGEST_HEADER = 1 << 20
BLOCK = 4096  # samples that are read together when a store is shuffled


class ShardHeader(BaseModel):
    """What a shard says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    game: str
    variant: str
    encoding: str
    digest: str  # of the encoding's flags
    inputs: int = Field(ge=1, le=4096)
    actions: int = Field(ge=1, le=4096)
    seats: int = Field(ge=2, le=16)
    reach: float = Field(gt=0)
    seed: int
    first: int = Field(ge=0)
    deals: int = Field(ge=1)
    iteration: int = Field(ge=0)
    player: str  # who played
    net: str  # SHA-256 of its weights, if it was a net
    settings: dict[str, Any]  # of the traversals
    samples: int = Field(ge=0)
    sha256: str  # of the samples

    @property
    def dtype(self) -> np.dtype[Any]:
        """The record of a sample."""
        return regrets_dtype(self.inputs, self.actions, self.seats)

    @property
    def kind(self) -> tuple[Any, ...]:
        """What shards must agree in to be learned from together."""
        return (self.game, self.variant, self.encoding, self.digest, self.actions, self.reach)


@dataclass(frozen=True)
class Shard:
    """A shard on the disk; its header has been read."""

    path: Path
    header: ShardHeader
    offset: int  # of the samples

    def samples(self) -> Regrets:
        """All samples, mapped: they are read as they are looked at."""
        if not self.header.samples:
            return np.zeros(0, dtype=self.header.dtype)
        with self.path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(mapped, self.header.dtype, self.header.samples, self.offset)

    def read(self, first: int, count: int) -> Regrets:
        """Some samples, fewer at the end of the shard."""
        count = min(count, self.header.samples - first)
        at = self.offset + first * self.header.dtype.itemsize
        try:
            found = np.fromfile(self.path, self.header.dtype, count, offset=at)
        except OSError as error:
            raise DamagedFile(f"{self.path} cannot be read: {error.strerror}") from None
        if len(found) < count:
            raise DamagedFile(f"{self.path}: truncated since it was opened")
        return found


def shard_name(header: ShardHeader) -> str:
    """The file name of a shard: its iteration, seed and deals."""
    last = header.first + header.deals - 1
    return f"i{header.iteration:03d}-s{header.seed}-{header.first:010d}-{last:010d}{SUFFIX}"


def header_for(
    game: Game,
    spec: NetSpec,
    samples: Regrets,
    *,
    variant: str,
    seed: int,
    first: int,
    deals: int,
    iteration: int,
    player: str,
    net: str,
    settings: dict[str, Any],
) -> ShardHeader:
    """The header of a shard with these samples."""
    return ShardHeader(
        game=game.name,
        variant=game.variant_of(variant or None).text(),
        encoding=spec.encoding,
        digest=spec.digest,
        inputs=spec.inputs,
        actions=spec.actions,
        seats=game.seats,
        reach=spec.reach,
        seed=seed,
        first=first,
        deals=deals,
        iteration=iteration,
        player=player,
        net=net,
        settings=settings,
        samples=len(samples),
        sha256=hashlib.sha256(np.ascontiguousarray(samples).data).hexdigest(),
    )


def write_shard(folder: Path, header: ShardHeader, samples: Regrets) -> Path:
    """Write a shard, whole or not at all."""
    told = json.dumps(header.model_dump(mode="json"), sort_keys=True).encode()
    front = MAGIC + struct.pack("<I", len(told)) + told + hashlib.sha256(told).digest()
    path = folder / shard_name(header)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(front)
                file.write(np.ascontiguousarray(samples).data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise StorageFault(f"{path} cannot be written: {error.strerror}") from None
    return path


# ---------------------------------------------------------------------------- reading


def read_shard(path: Path) -> Shard:
    """A shard whose header and length are sound; its samples are not looked at."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            front = file.read(len(MAGIC) + 4)
            if front[: len(MAGIC)] != MAGIC:
                raise DamagedFile(f"{path}: not a shard of samples")
            if len(front) < len(MAGIC) + 4:
                raise DamagedFile(f"{path}: truncated within its header")
            (length,) = struct.unpack("<I", front[len(MAGIC) :])
            if length > LONGEST_HEADER:
                raise DamagedFile(f"{path}: corrupted: its header is too long")
            told, checksum = file.read(length), file.read(CHECKSUM)
    except OSError as error:
        raise DamagedFile(f"{path} cannot be read: {error.strerror}") from None
    if len(told) < length or len(checksum) < CHECKSUM:
        raise DamagedFile(f"{path}: truncated within its header")
    if hashlib.sha256(told).digest() != checksum:
        raise DamagedFile(f"{path}: corrupted: the checksum of its header is wrong")
    header = _header(path, told)
    offset = len(front) + length + CHECKSUM
    wanted = offset + header.samples * header.dtype.itemsize
    if size != wanted:
        what = "truncated" if size < wanted else "corrupted"
        raise DamagedFile(f"{path}: {what}: {size:,} octets, not {wanted:,}")
    return Shard(path, header, offset)


def _header(path: Path, told: bytes) -> ShardHeader:
    try:
        values = json.loads(told)
        if values.get("format") != FORMAT:
            raise DamagedFile(
                f"{path}: has format {values.get('format')}; this overtrick reads {FORMAT}"
            )
        return ShardHeader(**values)
    except (ValueError, TypeError, AttributeError, ValidationError) as error:
        why = str(error).partition("\n")[0]
        raise DamagedFile(f"{path}: its header is not understood: {why}") from None


def check_shard(shard: Shard) -> None:
    """Refuse a shard that does not fit its checksum, or today's game."""
    header = shard.header
    game = load_game(header.game)
    encoding = game.encodings[game.encoding(header.encoding)]
    if encoding.digest != header.digest or encoding.size != header.inputs:
        raise DamagedFile(
            f"{shard.path}: foreign: made for other flags than {game.name}'s "
            f"{header.encoding} of today"
        )
    if (header.actions, header.seats) != (game.actions, game.seats):
        raise DamagedFile(f"{shard.path}: foreign: made for another {game.name} than today's")
    if hashlib.sha256(shard.samples().data).hexdigest() != header.sha256:
        raise DamagedFile(f"{shard.path}: corrupted: the checksum of its samples is wrong")


def list_shards(folders: Sequence[Path]) -> list[Path]:
    """The shards in these folders, or shards told themselves, in the order of their names."""
    found: list[Path] = []
    for folder in folders:
        if folder.is_file():
            found.append(folder)
        elif folder.is_dir():
            found += sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_file())
        else:
            raise BadOption(f"there is no store of samples {folder}")
    return found


class Store:
    """Shards of one kind, to be learned from; larger than memory if need be.

    A damaged or foreign shard is refused by name; with `skip_damaged` it is left out, and noted in
    `skipped`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        *,
        kind: tuple[Any, ...] | None = None,
        skip_damaged: bool = False,
    ) -> None:
        self.shards: list[Shard] = []
        self.skipped: list[str] = []
        for path in list_shards(folders):
            try:
                shard = read_shard(path)
                check_shard(shard)
                wanted = kind or (self.shards[0].header.kind if self.shards else shard.header.kind)
                if shard.header.kind != wanted:
                    raise DamagedFile(f"{path}: foreign: {_difference(shard.header.kind, wanted)}")
            except (DamagedFile, BadOption, UnknownName) as error:
                if not skip_damaged:
                    raise
                self.skipped.append(str(error))
                continue
            self.shards.append(shard)
        if not self.shards:
            places = ", ".join(map(str, folders))
            raise BadOption(f"there are no samples to learn from in {places or 'no folder'}")

    def __len__(self) -> int:
        return sum(shard.header.samples for shard in self.shards)

    def batches(
        self, size: int, chance: np.random.Generator, *, blocks: int = 256
    ) -> Iterator[Regrets]:
        """All samples once, in random order, `size` at a time; the last batch may be smaller.

        Blocks of neighbours are drawn from all shards, `blocks` of them are in memory at a time
        and shuffled together: a store of any size, read nearly in sequence.
        """
        places = [
            (number, first)
            for number, shard in enumerate(self.shards)
            for first in range(0, shard.header.samples, BLOCK)
        ]
        order = chance.permutation(len(places))
        left = np.zeros(0, dtype=self.shards[0].header.dtype)
        for begin in range(0, len(order), blocks):
            parts = [left]
            for place in order[begin : begin + blocks]:
                number, first = places[place]
                parts.append(self.shards[number].read(first, BLOCK))
            pool = np.concatenate(parts)
            pool = pool[chance.permutation(len(pool))]
            whole = len(pool) - len(pool) % size
            for at in range(0, whole, size):
                yield pool[at : at + size]
            left = pool[whole:]
        if len(left):
            yield left


def _difference(one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    names = ("game", "house rules", "encoding", "flags", "actions", "reach")
    for name, mine, theirs in zip(names, one, other, strict=True):
        if mine != theirs:
            return f"its {name} is {mine!r}, not {theirs!r}"
    return "nothing differs"


# ---------------------------------------------------------------------------- merging


def merge_stores(
    folders: Sequence[Path], out: Path, *, skip_damaged: bool = False
) -> tuple[int, list[str]]:
    """Bring the shards of several stores into one; how many it has now, and what was left out.

    Shards that are there already are the same or refused. Every shard is checked first.
    """
    places = [*folders, *([out] if out.is_dir() else [])]
    store = Store(places, skip_damaged=skip_damaged)
    chosen: dict[str, Shard] = {}
    for shard in store.shards:
        name = shard_name(shard.header)
        if name in chosen and chosen[name].header != shard.header:
            raise BadOption(
                f"{shard.path} and {chosen[name].path} are of the same deals but differ"
            )
        chosen[name] = shard
    _check_disjoint(chosen.values())
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, shard in chosen.items():
            if shard.path != out / name:  # else it is there, and sound
                beside = out / f".{name}.{secrets.token_hex(4)}.part"
                try:
                    shutil.copyfile(shard.path, beside)
                    os.replace(beside, out / name)
                finally:
                    beside.unlink(missing_ok=True)
    except OSError as error:
        raise StorageFault(f"{out} cannot be written: {error.strerror}") from None
    return len(chosen), store.skipped


def _check_disjoint(shards: Iterable[Shard]) -> None:
    """Refuse shards of the same iteration and seed whose deals overlap."""
    last: dict[tuple[int, int], Shard] = {}
    for shard in sorted(shards, key=lambda one: (one.header.first, one.header.deals)):
        key = shard.header.iteration, shard.header.seed
        before = last.get(key)
        if before and before.header.first + before.header.deals > shard.header.first:
            raise BadOption(f"{before.path.name} and {shard.path.name} share some deals")
        last[key] = shard
