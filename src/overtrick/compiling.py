"""How functions are compiled that only ever run as parts of others.

Numba makes every function it meets executable by itself: it optimises it together with all that it
calls, emits machine code, and wraps it for Python and for C. For a rule, which is compiled into
kernels, all of that is done again there. Here a part is only translated; the kernel that it becomes
a part of is optimised and emitted as a whole. That takes a third off the time to compile a game.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import codegen, compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["PartCompiler", "as_part"]


class _PartLibrary(codegen.JITCodeLibrary):
    """Code to be linked into other code, and never run from here."""

    def _optimize_final_module(self) -> None:
        """What it becomes a part of is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Nowhere."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Who would set up the environment in which it runs."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """It runs in that of its kernel."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    """The last step of compiling, into such a library and without wrappers.

    The flags are as elsewhere until then: by them Numba tells apart what it has compiled already.
    """

    _name = "part_lowering"

    def run_pass(self, state: Any) -> Any:
        flags = state.flags
        state.flags = flags.copy()
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        if state.library is None:
            state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        try:
            return super().run_pass(state)
        finally:
            state.flags = flags


class PartCompiler(compiler.CompilerBase):
    """Numba's compiler, but for the last step."""

    def define_pipelines(self) -> list[Any]:
        """The usual steps, with that one in place of the last."""
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps = PassManager("part")
        for step, told in usual.passes:
            steps.add_pass(_PartLowering if step is NativeLowering else step, told)
        steps.finalize()
        return [steps]


def as_part(function: Any, options: dict[str, Any]) -> Any:
    """The function compiled, for Python to call; whatever is compiled itself takes it as a part."""
    called = numba.njit(**options)(function)
    part = numba.njit(pipeline_class=PartCompiler, **options)(function)
    called.get_call_template = part.get_call_template
    called.get_overload = part.get_overload
    return called
