"""Products of matrices inside kernels: the arithmetic of nets that are more than a few layers.

As `jit.add_rows`, for many rows at a time: sums of four rows and sixteen columns stay in the CPU's
registers, so that what is read is used four times. Beside `jit` the only place that knows Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from overtrick.jit import COMPILED, _twin

__all__ = ["COLUMNS", "add_products"]

Floats = np.ndarray[Any, np.dtype[np.float32]]

COLUMNS = 16  # there is a multiple of them
TOGETHER = 4  # rows


def add_products(
    left: Floats,
    left_at: int,
    left_row: int,
    left_step: int,
    right: Floats,
    right_at: int,
    right_row: int,
    sums: Floats,
    sums_at: int,
    sums_row: int,
    rows: int,
    inner: int,
    columns: int,
) -> None:
    """Add to sums, [rows, columns], the product of left, [rows, inner], and right.

    Each of them lies in an array without gaps, of any shape, from `at` on, its rows `row` numbers
    apart and, in the left one, the numbers of a row `step` apart. A sum does not depend on how
    many there are: its terms are added in their order, with one rounding each.
    """
    one, two, out = left.reshape(-1), right.reshape(-1), sums.reshape(-1)
    for row in range(rows):
        begin = sums_at + row * sums_row
        for place in range(inner):
            times = one[left_at + row * left_row + place * left_step]
            start = right_at + place * right_row
            out[begin : begin + columns] += times * two[start : start + columns]


if COMPILED:
    _I32, _I64 = ir.IntType(32), ir.IntType(64)

    def _block(rows: int, lanes: int) -> Any:
        """`add_products` for so many rows and neighbouring columns."""
        floats = ir.VectorType(ir.FloatType(), lanes)
        everywhere = ir.Constant(ir.VectorType(_I32, lanes), [0] * lanes)
        nothing = ir.Constant(floats, ir.Undefined)

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def data(number: int) -> Any:
                array = context.make_array(signature.args[number])
                return array(context, builder, args[number]).data

            def lanes_at(pointer: Any, place: Any) -> Any:
                return builder.bitcast(builder.gep(pointer, [place]), floats.as_pointer())

            def spread(number: Any) -> Any:
                first = builder.insert_element(nothing, number, ir.Constant(_I32, 0))
                return builder.shuffle_vector(first, nothing, everywhere)

            _, left_at, left_row, step, _, right_at, right_row, _, sums_at, sums_row, inner = args
            left, right, sums = data(0), data(4), data(7)
            product = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(floats, [floats] * 3),
                f"llvm.fmuladd.v{lanes}f32",
            )
            numbers = [ir.Constant(_I64, row) for row in range(rows)]
            begins = [builder.add(left_at, builder.mul(row, left_row)) for row in numbers]
            places = [
                lanes_at(sums, builder.add(sums_at, builder.mul(row, sums_row))) for row in numbers
            ]
            totals = [
                cgutils.alloca_once_value(builder, builder.load(place, align=4)) for place in places
            ]
            with cgutils.for_range(builder, inner) as loop:
                start = builder.add(right_at, builder.mul(loop.index, right_row))
                terms = builder.load(lanes_at(right, start), align=4)
                along = builder.mul(loop.index, step)
                for begin, total in zip(begins, totals, strict=True):
                    times = builder.load(builder.gep(left, [builder.add(begin, along)]))
                    more = builder.call(product, [spread(times), terms, builder.load(total)])
                    builder.store(more, total)
            for place, total in zip(places, totals, strict=True):
                builder.store(builder.load(total), place, align=4)
            return context.get_dummy_value()

        @intrinsic
        def block(
            typing_context: Any,
            left: Any,
            left_at: Any,
            left_row: Any,
            left_step: Any,
            right: Any,
            right_at: Any,
            right_row: Any,
            sums: Any,
            sums_at: Any,
            sums_row: Any,
            inner: Any,
        ) -> Any:
            whole = (types.int64,) * 3
            kinds = (left, *whole, right, *whole[:2], sums, *whole[:2], types.int64)
            return types.void(*kinds), emit

        return block

    _many, _wide, _narrow = _block(TOGETHER, COLUMNS), _block(1, 64), _block(1, COLUMNS)

    @_twin(add_products)
    def _add_products(
        left: Floats,
        left_at: int,
        left_row: int,
        left_step: int,
        right: Floats,
        right_at: int,
        right_row: int,
        sums: Floats,
        sums_at: int,
        sums_row: int,
        rows: int,
        inner: int,
        columns: int,
    ) -> None:
        whole = rows - rows % TOGETHER
        for at in range(0, columns, COLUMNS):
            for row in range(0, whole, TOGETHER):
                begin, out = left_at + row * left_row, sums_at + row * sums_row + at
                _many(
                    *(left, begin, left_row, left_step, right, right_at + at, right_row),
                    *(sums, out, sums_row, inner),
                )
        for row in range(whole, rows):
            begin, out = left_at + row * left_row, sums_at + row * sums_row
            at = 0
            while at + 64 <= columns:
                _wide(
                    *(left, begin, left_row, left_step, right, right_at + at, right_row),
                    *(sums, out + at, sums_row, inner),
                )
                at += 64
            while at < columns:
                _narrow(
                    *(left, begin, left_row, left_step, right, right_at + at, right_row),
                    *(sums, out + at, sums_row, inner),
                )
                at += COLUMNS
