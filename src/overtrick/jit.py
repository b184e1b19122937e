"""The one place that knows Numba: rules, kernels, dispatch by game, bits, chance and the cache.

- `@rule` marks one rule of one game: a function on a record or on a few ints.
- `@kernel` marks a loop that serves any game. Kernels are kept on disk; rules are compiled into
  the kernels that use them.
- `@face` makes a generic function of the contract, such as `legal(state)`. Called from Python it
  looks the game up in the record's dtype; called from a kernel the compiler picks the game's
  rule by the record's type. Each game's record carries a marker field whose name holds the
  game's name and a digest of the sources, so a changed rule is a new type, hence new kernels.

With NUMBA_DISABLE_JIT=1 all of it runs as plain Python, with the same results.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import caching, cgutils, compiler, config, types
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload

from overtrick.compiling import PartCompiler, as_part

__all__ = [
    "COMPILED",
    "HAS_PDEP",
    "LANES",
    "add_rows",
    "below",
    "below_large",
    "cache_folder",
    "compilations",
    "digest",
    "draw_bits",
    "face",
    "fork",
    "gather_bits",
    "highest",
    "kernel",
    "lowest",
    "marker_name",
    "module_digest",
    "nth",
    "nth_portable",
    "popcount",
    "prune_cache",
    "register_rules",
    "rule",
    "rules_of",
    "source_digest",
    "spread_bits",
    "stream",
    "streams",
]

F = TypeVar("F", bound=Callable[..., Any])
Bits = int
Stream = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float32]]

SHOWN = "showing.py"  # the one source of a game without rules
PACKAGE = Path(__file__).resolve().parent
GAMES = PACKAGE / "games"
_IMPORT = re.compile(r"^( *)from (overtrick[\w.]*) import (\([^)]*\)|[^\n(]+)", re.MULTILINE)
COMPILED = not vars(config)["DISABLE_JIT"]
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_LOW_64 = (1 << 64) - 1


# ---------------------------------------------------------------------------- rules and kernels


def rule(function: F) -> F:
    """One rule of a game. Compiled into the kernels that call it; callable from Python too."""
    return as_part(function, _OPTIONS) if COMPILED else function


def kernel(function: F) -> F:
    """A loop that serves any game, compiled once per game and kept on disk."""
    if not COMPILED:
        return function
    dispatcher = numba.njit(**_OPTIONS)(function)
    dispatcher._cache = _KernelCache(function)
    return dispatcher


# ---------------------------------------------------------------------------- dispatch by game

_MARK = "game__"
_rules: dict[str, Any] = {}


def marker_name(game: str, digest: str, kind: str) -> str:
    """The name of the field that tells a record's game, sources and kind (deal or match)."""
    return f"{_MARK}{game}__{kind}__{digest}"


def register_rules(marker: str, rules: Any) -> None:
    """Let records with this marker field be played by these rules."""
    _rules[marker] = rules


def _marker_in(names: Iterable[str]) -> str | None:
    return next((name for name in names if name.startswith(_MARK)), None)


def rules_of(dtype: np.dtype[Any]) -> Any:
    """The rules of the game whose record this is."""
    marker = _marker_in(dtype.names or ())
    if marker is None:
        raise TypeError("this record belongs to no game: it has no marker field")
    return _rules[marker]


def face(function: F) -> F:
    """A generic function of the contract: its first argument, a record, tells the game.

    The function itself gives name, types and documentation; its body is never run.
    """
    name = function.__name__
    parameters = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def generic(record: Any, *rest: Any) -> Any:
        return getattr(rules_of(record.dtype), name)(record, *rest)

    if COMPILED:
        _compiled_as(generic, parameters, functools.partial(_rule_of, name))
    return generic  # type: ignore[return-value]


def _rule_of(name: str, record: Any, *rest: Any) -> Any:
    """The rule of this name for a record's type, None for any other type."""
    marker = _marker_in(record.fields) if isinstance(record, types.Record) else None
    return None if marker is None else getattr(_rules[marker], name)


def _compiled_as(generic: Any, parameters: list[str], choose: Callable[..., Any]) -> None:
    """Compile calls of a Python function as calls of `choose(*types)`.

    Numba wants the chosen function to have the very parameters of the one that chooses, hence
    the few lines of source made to measure. Its name must be its own: compiled code from the
    cache and code compiled now meet in one process, and equal names would be taken for equal code.
    """
    name, arguments = f"{generic.__name__}_as_chosen", ", ".join(parameters)
    source = f"""
def typed({arguments}):
    chosen = choose({arguments})
    if chosen is None:
        return None
    def {name}({arguments}):
        return chosen({arguments})
    return {name}
"""
    scope: dict[str, Any] = {"choose": choose, "__name__": generic.__module__}
    exec(compile(source, f"<{name}>", "exec"), scope)
    decorate: Any = overload
    decorate(generic, jit_options={**_OPTIONS, "pipeline_class": PartCompiler})(scope["typed"])


def _twin(python: Callable[..., Any]) -> Callable[[F], F]:
    """Marks the compiled twin of a function that runs as it is when nothing is compiled."""

    def mark(compiled: F) -> F:
        chosen = rule(compiled)
        parameters = list(inspect.signature(python).parameters)
        _compiled_as(python, parameters, lambda *types: chosen)
        return compiled

    return mark


def _mangling_of_record(record: Any) -> tuple[str, tuple[Any, ...]]:
    """How a record's type appears in the names of compiled functions.

    Numba writes the number that the type happens to have in this process. Code compiled in two
    processes meets in a third when it comes out of the cache, and there one number may stand for
    two games: the linker would take one game's functions for the other's.
    """
    marker = _marker_in(record.fields)
    text = marker or hashlib.sha256(str(record).encode()).hexdigest()[:16]
    return f"Record_{text}", ()


_record_type: Any = types.Record
_record_type.mangling_args = property(_mangling_of_record)


# ---------------------------------------------------------------------------- the kernel cache


def source_digest(folder_or_file: Path) -> str:
    """A digest of all sources that a game's rules are made of.

    These are the shared ones (bits, cards, contract) and the game's own folder, or its own file
    when it is a single one. How a game is shown is no part.
    """
    own = sorted(folder_or_file.rglob("*.py")) if folder_or_file.is_dir() else [folder_or_file]
    return _digest_of(path for path in [*_rule_sources(), *own] if path.name != SHOWN)


def module_digest(path: Path, *, lazy: bool = False) -> str:
    """A digest of a module and all that it imports of this package, directly or not.

    Imports inside functions count only where they are asked for, and sources of rules never: the
    type of a record tells those.
    """
    known, found, left = {*_rule_sources(), PACKAGE / "errors.py"}, [path], [path]
    while left:
        for other in _imports(left.pop(), lazy):
            if other not in known and other not in found and GAMES not in other.parents:
                found.append(other)
                left.append(other)
    return _digest_of(sorted(found))


def _rule_sources() -> list[Path]:
    names = ("compiling.py", "jit.py", "cards.py")
    return [*(PACKAGE / name for name in names), *sorted(GAMES.glob("*.py"))]


def _digest_of(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in paths:
        found.update(path.name.encode() + b"\0" + _source_of(path) + b"\0")
    return found.hexdigest()[:16]


@functools.cache
def _source_of(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imports(path: Path, lazy: bool) -> tuple[Path, ...]:
    """The modules of this package that a module imports, within functions too if these count."""
    found: list[Path] = []
    for indent, home, names in _IMPORT.findall(_source_of(path).decode()):
        if indent and not lazy:
            continue
        place = PACKAGE.joinpath(*home.split(".")[1:])
        words = names.strip("()").replace("\n", " ").split(",")
        parts = [place, *(place / word.split()[0] for word in words if word.strip())]
        files = [file for part in parts for file in (part.with_suffix(".py"), part / "__init__.py")]
        found += [file for file in files if file.exists()]
    return tuple(found)


def cache_folder() -> Path:
    """Where compiled kernels are kept: $OVERTRICK_CACHE, or the user's cache folder."""
    chosen = os.environ.get("OVERTRICK_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "overtrick"


_compiled: list[str] = []


def compilations() -> list[str]:
    """What this process has had to compile so far, as `module.kernel (game)`."""
    return list(_compiled)


class _KernelCache(caching._Cache):
    """One file per kernel and signature, in one folder per game and digest.

    Numba's own cache looks at nothing but the kernel's file: an edited rule would leave stale
    kernels in use. Here the folder is named after the game and the digest of its rules, the file
    after a digest of the kernel's module and of all that this imports.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = f"{function.__module__}.{function.__qualname__}"

    @functools.cached_property
    def _source(self) -> str:
        return module_digest(Path(inspect.getfile(self._function)).resolve())

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # all that running needs; compiling refreshes the rest
        path = self._path(sig, target_context.codegen())
        try:
            stored = path.read_bytes()
        except OSError:
            stored = None
        if stored is not None:
            try:
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(stored))
            except Exception:  # a damaged entry is as good as none: compile and write it again
                path.unlink(missing_ok=True)
        _tell(f"{self._name} ({path.parent.name.rpartition('-')[0]})")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self._path(sig, data.codegen)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
                beside.write(dumps(data._reduce()))
            os.replace(beside.name, path)
        except OSError as error:
            _say(f"compiled code cannot be kept: {error}")

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing is buffered."""

    def _path(self, sig: Any, codegen: Any) -> Path:
        parts = (str(sig), str(codegen.magic_tuple()))
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
        version = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}"
        name = f"{self._name}-{self._source}-{key}.kernel"
        return cache_folder() / version / _owner(sig) / name


def _owner(sig: Any) -> str:
    """`game-digest` of the first record in a signature; `shared-digest` if there is none."""
    for argument in sig:
        record = getattr(argument, "dtype", argument)
        if isinstance(record, types.Record):
            marker = _marker_in(record.fields)
            if marker is not None:
                _, game, _, digest = marker.split("__")
                return f"{game}-{digest}"
    return f"shared-{_shared_digest()}"


@functools.cache
def _shared_digest() -> str:
    return source_digest(PACKAGE / "jit.py")


def prune_cache(keep: int = 3) -> list[Path]:
    """Drop all but the `keep` newest digests of each game, and of each kernel; what went."""
    gone = []
    for version in cache_folder().glob("py*-numba*"):
        for folder in _outdated(version.iterdir(), keep):
            with contextlib.suppress(OSError):  # another process may be at the same work
                for entry in folder.iterdir():
                    entry.unlink(missing_ok=True)
                folder.rmdir()
                gone.append(folder)
        for folder in version.iterdir():
            for entry in _outdated(folder.glob("*.kernel"), keep):
                entry.unlink(missing_ok=True)
                gone.append(entry)
    return gone


def _outdated(paths: Iterable[Path], keep: int) -> list[Path]:
    """Those of `name-digest`, or `name-digest-key.kernel`, whose digest is none of the newest."""
    by_name: dict[str, dict[str, list[Path]]] = {}
    for path in paths:
        both = path.name.rpartition("-")[0] if path.suffix == ".kernel" else path.name
        name, _, digest = both.rpartition("-")
        by_name.setdefault(name, {}).setdefault(digest, []).append(path)
    return [
        path
        for digests in by_name.values()
        for lot in sorted(digests.values(), key=lambda lot: min(map(_age, lot)))[keep:]
        for path in lot
    ]


def _age(folder: Path) -> float:
    """How long ago something was written to; what has gone is the oldest."""
    try:
        return -folder.stat().st_mtime
    except OSError:
        return 0.0


def _tell(what: str) -> None:
    """Note a compilation, and say so once: the first one takes a while."""
    if not _compiled:
        _say("compiling for first use, about half a minute a game; kept for next time")
    _compiled.append(what)


def _say(message: str) -> None:
    if not os.environ.get("OVERTRICK_QUIET"):
        print(f"overtrick: {message}", file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------- bits

HAS_PDEP = bool(COMPILED and llvm.get_host_cpu_features().get("bmi2", False))


def popcount(bits: Bits) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def lowest(bits: Bits) -> int:
    """The index of the lowest set bit; `bits` must not be 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest(bits: Bits) -> int:
    """The index of the highest set bit; `bits` must not be 0."""
    return int(bits).bit_length() - 1


def nth(bits: Bits, n: int) -> int:
    """The index of the n-th set bit, counted from 0; there must be more than `n`."""
    rest = int(bits)
    for _ in range(n):
        rest &= rest - 1
    return lowest(rest)


def nth_portable(bits: Bits, n: int) -> int:
    """`nth` as it runs on a CPU without pdep."""
    return nth(bits, n)


_ONE_A_BYTE = 0x0101010101010101


def spread_bits(bits: Bits) -> int:
    """Eight bits as eight bytes, each 0 or 1, in an int64 whose lowest byte is the lowest bit."""
    return sum((int(bits) >> place & 1) << 8 * place for place in range(8))


def spread_bits_portable(bits: Bits) -> int:
    """`spread_bits` as it runs on a CPU without pdep."""
    return spread_bits(bits)


def gather_bits(bits: Bits, places: Bits) -> int:
    """The bits at some places, moved together: the lowest place becomes bit 0."""
    gathered, rest, size = 0, int(places), 0
    while rest:
        gathered |= (int(bits) >> lowest(rest) & 1) << size
        rest &= rest - 1
        size += 1
    return gathered


def gather_bits_portable(bits: Bits, places: Bits) -> int:
    """`gather_bits` as it runs on a CPU without pext."""
    return gather_bits(bits, places)


if COMPILED:

    def _unary(emit: Callable[[Any, Any], Any]) -> Any:
        """An int64 -> int64 instruction, given how to emit it."""

        @intrinsic
        def instruction(typing_context: Any, bits: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return emit(builder, context.cast(builder, args[0], signature.args[0], types.int64))

            return types.int64(bits), codegen

        return instruction

    _I64 = ir.IntType(64)
    _ctpop = _unary(lambda builder, bits: builder.ctpop(bits))
    _cttz = _unary(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))
    _ctlz = _unary(lambda builder, bits: builder.ctlz(bits, ir.Constant(ir.IntType(1), 1)))

    def _binary(emit: Callable[[Any, Any, Any], Any]) -> Any:
        @intrinsic
        def instruction(typing_context: Any, left: Any, right: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                wide = [
                    context.cast(builder, value, kind, types.int64)
                    for value, kind in zip(args, signature.args, strict=True)
                ]
                return emit(builder, *wide)

            return types.int64(left, right), codegen

        return instruction

    def _emit_bmi(instruction: str) -> Callable[[Any, Any, Any], Any]:
        def emit(builder: Any, source: Any, mask: Any) -> Any:
            kind = ir.FunctionType(_I64, [_I64, _I64])
            name = f"llvm.x86.bmi.{instruction}.64"
            function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            return builder.call(function, [source, mask])

        return emit

    def _emit_high_product(builder: Any, left: Any, right: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(left, wide), builder.zext(right, wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _I64)

    _pdep = _binary(_emit_bmi("pdep"))
    _pext = _binary(_emit_bmi("pext"))
    _high_product = _binary(_emit_high_product)

    @_twin(popcount)
    def _popcount(bits: Bits) -> int:
        return _ctpop(bits)

    @_twin(lowest)
    def _lowest(bits: Bits) -> int:
        return _cttz(bits)

    @_twin(highest)
    def _highest(bits: Bits) -> int:
        return 63 - _ctlz(bits)

    @_twin(nth_portable)
    def _nth_portable(bits: Bits, n: int) -> int:
        for _ in range(n):
            bits &= bits - 1
        return _cttz(bits)

    @_twin(nth)
    def _nth(bits: Bits, n: int) -> int:
        if HAS_PDEP:
            return _cttz(_pdep(1 << n, bits))
        return nth_portable(bits, n)

    @_twin(spread_bits_portable)
    def _spread_bits_portable(bits: Bits) -> int:
        low = (bits & 15) * 0x00204081 & 0x01010101
        high = (bits >> 4 & 15) * 0x00204081 & 0x01010101
        return low | high << 32

    @_twin(spread_bits)
    def _spread_bits(bits: Bits) -> int:
        if HAS_PDEP:
            return _pdep(bits & 255, _ONE_A_BYTE)
        return spread_bits_portable(bits)

    @_twin(gather_bits_portable)
    def _gather_bits_portable(bits: Bits, places: Bits) -> int:
        gathered, size = 0, 0
        while places:
            gathered |= (bits >> _cttz(places) & 1) << size
            places &= places - 1
            size += 1
        return gathered

    @_twin(gather_bits)
    def _gather_bits(bits: Bits, places: Bits) -> int:
        if HAS_PDEP:
            return _pext(bits, places)
        return gather_bits_portable(bits, places)


# ---------------------------------------------------------------------------- rows of floats

LANES = 8  # the rows that `add_rows` adds have a multiple of this width


def add_rows(
    table: Floats, first: int, width: int, rows: Stream, times: Floats, count: int, sums: Floats
) -> None:
    """Add to sums[:width] the first `count` of some rows, each so many times.

    All arrays have one dimension; row n lies at table[first + n * width]. The result does not
    depend on anything but these numbers: a row is added with one rounding in each place, in the
    order told.
    """
    for place in range(count):
        start = first + int(rows[place]) * width
        sums[:width] += times[place] * table[start : start + width]


if COMPILED:

    def _adder(lanes: int) -> Any:
        """`add_rows` for so many neighbouring places, whose sums stay in the CPU's registers."""
        floats = ir.VectorType(ir.FloatType(), lanes)
        place = ir.IntType(32)
        everywhere = ir.Constant(ir.VectorType(place, lanes), [0] * lanes)

        @intrinsic
        def add(
            typing_context: Any,
            table: Any,
            first: Any,
            width: Any,
            rows: Any,
            times: Any,
            count: Any,
            sums: Any,
            at: Any,
        ) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                def data(number: int) -> Any:
                    array = context.make_array(signature.args[number])
                    return array(context, builder, args[number]).data

                def at_place(pointer: Any, place: Any) -> Any:
                    return builder.bitcast(builder.gep(pointer, [place]), floats.as_pointer())

                _, first, width, _, _, count, _, at = args
                table, rows, times, sums = data(0), data(3), data(4), data(6)
                product = cgutils.get_or_insert_function(
                    builder.module,
                    ir.FunctionType(floats, [floats] * 3),
                    f"llvm.fmuladd.v{lanes}f32",
                )
                total = cgutils.alloca_once_value(
                    builder, builder.load(at_place(sums, at), align=4)
                )
                with cgutils.for_range(builder, count) as loop:
                    row = builder.load(builder.gep(rows, [loop.index]))
                    start = builder.add(first, builder.mul(row, width))
                    nothing = ir.Constant(floats, ir.Undefined)
                    once = builder.load(builder.gep(times, [loop.index]))
                    once = builder.insert_element(nothing, once, ir.Constant(place, 0))
                    once = builder.shuffle_vector(once, nothing, everywhere)
                    terms = builder.load(at_place(table, start), align=4)
                    builder.store(builder.call(product, [once, terms, builder.load(total)]), total)
                builder.store(builder.load(total), at_place(sums, at), align=4)
                return context.get_dummy_value()

            kinds = (table, first, width, rows, times, count, sums, at)
            return types.void(*kinds), codegen

        return add

    _add_64, _add_32, _add_8 = _adder(64), _adder(32), _adder(LANES)

    @_twin(add_rows)
    def _add_rows(
        table: Floats, first: int, width: int, rows: Stream, times: Floats, count: int, sums: Floats
    ) -> None:
        at = 0
        while at + 64 <= width:
            _add_64(table, first + at, width, rows, times, count, sums, at)
            at += 64
        while at + 32 <= width:
            _add_32(table, first + at, width, rows, times, count, sums, at)
            at += 32
        while at < width:
            _add_8(table, first + at, width, rows, times, count, sums, at)
            at += LANES


# ---------------------------------------------------------------------------- chance
#
# A stream is two int64 words of xoroshiro128++ (Blackman and Vigna), changed in place by every
# draw. Arithmetic wraps; uncompiled, Python's ints are cut to 64 bits by hand.


def _signed(word: int) -> int:
    word &= _LOW_64
    return word - (1 << 64) if word >> 63 else word


def _rotated(word: int, by: int) -> int:
    return (word << by | (word & _LOW_64) >> (64 - by)) & _LOW_64


def draw_bits(stream: Stream) -> int:
    """64 random bits, as an int64; moves the stream on."""
    first, second = int(stream[0]) & _LOW_64, int(stream[1]) & _LOW_64
    bits = _rotated(first + second & _LOW_64, 17) + first
    second ^= first
    stream[0] = _signed(_rotated(first, 49) ^ second ^ second << 21)
    stream[1] = _signed(_rotated(second, 28))
    return _signed(bits)


def below(stream: Stream, limit: int) -> int:
    """A random int in 0..limit-1; `limit` is less than 2**31."""
    return (draw_bits(stream) >> 32 & 0xFFFFFFFF) * int(limit) >> 32


def below_large(stream: Stream, limit: int) -> int:
    """A random int in 0..limit-1 for any limit that an int64 holds."""
    return (draw_bits(stream) & _LOW_64) * int(limit) >> 64


def fork(stream: Stream, number: int, out: Stream) -> None:
    """Write the `number`-th child of a stream to `out`; the parent stays as it is.

    Children of one parent, and of different parents, are independent for all practical ends.
    """
    seed = int(stream[0]) ^ _rotated(int(stream[1]), 31)
    out[0] = _signed(_mixed(seed + (2 * int(number) + 1) * _GOLDEN))
    out[1] = _signed(_mixed(seed + (2 * int(number) + 2) * _GOLDEN) | 1)


_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def _mixed(word: int) -> int:
    """The finaliser of splitmix64."""
    word &= _LOW_64
    word = (word ^ word >> 30) * _MIX_1 & _LOW_64
    word = (word ^ word >> 27) * _MIX_2 & _LOW_64
    return word ^ word >> 31


def digest(words: Stream) -> int:
    """A hash of a row of int64: rows that differ have the same one hardly ever."""
    value = len(words)
    for word in words:
        value = (value ^ int(word) & _LOW_64) * _MIX_1 & _LOW_64
        value ^= value >> 32
    return _signed(_mixed(value))


if COMPILED:
    _GOLDEN_SIGNED = _signed(_GOLDEN)
    _MIX_1_SIGNED, _MIX_2_SIGNED = _signed(_MIX_1), _signed(_MIX_2)

    @rule
    def _turn(word: int, by: int) -> int:
        return word << by | word >> 64 - by & (1 << by) - 1

    @rule
    def _mix(word: int) -> int:
        word = (word ^ word >> 30 & (1 << 34) - 1) * _MIX_1_SIGNED
        word = (word ^ word >> 27 & (1 << 37) - 1) * _MIX_2_SIGNED
        return word ^ word >> 31 & (1 << 33) - 1

    @_twin(draw_bits)
    def _draw_bits(stream: Stream) -> int:
        first, second = stream[0], stream[1]
        bits = _turn(first + second, 17) + first
        second ^= first
        stream[0] = _turn(first, 49) ^ second ^ second << 21
        stream[1] = _turn(second, 28)
        return bits

    @_twin(below)
    def _below(stream: Stream, limit: int) -> int:
        return (draw_bits(stream) >> 32 & 0xFFFFFFFF) * limit >> 32

    @_twin(below_large)
    def _below_large(stream: Stream, limit: int) -> int:
        return _high_product(draw_bits(stream), limit)

    @_twin(fork)
    def _fork(stream: Stream, number: int, out: Stream) -> None:
        seed = stream[0] ^ _turn(stream[1], 31)
        out[0] = _mix(seed + (2 * number + 1) * _GOLDEN_SIGNED)
        out[1] = _mix(seed + (2 * number + 2) * _GOLDEN_SIGNED) | 1

    @_twin(digest)
    def _digest(words: Stream) -> int:
        value = len(words)
        for word in words:
            value = (value ^ word) * _MIX_1_SIGNED
            value ^= value >> 32 & 0xFFFFFFFF
        return _mix(value)


def stream(seed: int, *names: object) -> Stream:
    """The random stream of a seed and names: the same on every machine and in every process."""
    text = "\0".join([str(int(seed)), *map(str, names)])
    words = np.frombuffer(hashlib.blake2b(text.encode(), digest_size=16).digest(), dtype="<i8")
    return words.astype(np.int64) | np.array([0, 1])


def streams(count: int, seed: int, *names: object) -> Stream:
    """`count` random streams, one a row: the children of `stream(seed, *names)`."""
    rows = np.empty((count, 2), dtype=np.int64)
    _fork_all(stream(seed, *names), rows)
    return rows


@kernel
def _fork_all(parent: Stream, rows: Stream) -> None:
    for number in range(len(rows)):
        fork(parent, number, rows[number])
