"""A step of numba's compilation that makes small functions of arrays cost nothing to call.

In every function that takes an array, numba counts a reference to it: two calls, each with an
atomic instruction. Loops that call small functions then spend most of their time counting. But a
function that makes no array and returns none only uses arrays that its caller keeps, and the caller
keeps them until the function returns. Such a function needs no counts.

It is also inlined, because LLVM passes an array as seven words or more: a function of ten arrays
takes longer to call than to run. `kernels/`, which compiles unoptimised code, inlines for itself.
"""

from typing import Any

from numba.core import config, ir
from numba.core import types as numba_types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes

types: Any = numba_types  # it declares only some of its names

# If one of these expressions yields an array, it is one that the function has, or a part of one.
_PARTS = {
    "build_tuple", "cast", "exhaust_iter", "getattr", "getitem", "pair_first", "pair_second", "phi",
    "static_getitem", "typed_getitem",
}  # fmt: skip
_STATEMENTS = (
    ir.Assign, ir.Branch, ir.Del, ir.Jump, ir.Return, ir.SetAttr, ir.SetItem, ir.StaticRaise,
    ir.StaticSetItem,
)  # fmt: skip


def _has_slice(kind) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_slice, kind.types))
    return isinstance(kind, types.SliceType)


class _Function:
    """A function whose types are known, and what it does with arrays."""

    def __init__(self, state):
        self.state = state
        self.models = state.targetctx.data_model_manager

    def kind(self, variable):
        return self.state.typemap[variable.name]

    def is_counted(self, kind) -> bool:
        """Return whether numba counts references to values of this type, such as arrays."""
        return self.models[kind].contains_nrt_meminfo()

    def uses_counted(self, *variables) -> bool:
        return any(self.is_counted(self.kind(each)) for each in variables)

    def borrows(self) -> bool:
        """Return whether all arrays that the function has belong to its caller.

        It is False, too, where that is not certain.
        """
        statements = (one for block in self.state.func_ir.blocks.values() for one in block.body)
        returned = self.state.return_type
        return not self.is_counted(returned) and all(map(self.statement_borrows, statements))

    def statement_borrows(self, statement) -> bool:
        if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
            # numba writes to a slice by way of another array
            index = getattr(statement, "index_var", None) or statement.index
            return not (_has_slice(self.kind(index)) or self.uses_counted(index, statement.value))
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
            return self.expression_borrows(statement.target, statement.value)
        return isinstance(statement, _STATEMENTS)

    def expression_borrows(self, target, value) -> bool:
        if value.op in ("getitem", "typed_getitem") and self.uses_counted(value.index):
            return False  # a copy of the items that an array names
        if value.op == "call":
            return self.call_borrows(target, value)
        if value.op == "binop" and isinstance(self.kind(target), types.BaseTuple):
            return True  # the arguments of a call f(*some, more)
        return value.op in _PARTS or not self.uses_counted(target, *value.list_vars())

    def call_borrows(self, target, value) -> bool:
        called = self.kind(value.func)
        if isinstance(called, types.NamedTupleClass):
            return True
        if isinstance(called, types.Dispatcher) or getattr(called, "typing_key", None) is len:
            return not self.uses_counted(target)
        return not self.uses_counted(target, *value.list_vars())


@register_pass(mutates_CFG=False, analysis_only=False)
class InlineBorrowers(LoweringPass):
    """Compile a function that only borrows arrays without reference counts, and inline it."""

    _name = "inline_borrowers"

    def __init__(self):
        LoweringPass.__init__(self)

    def run_pass(self, state):
        if _Function(state).borrows():
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            state.flags.forceinline = config.OPT > 0
        return True


class BorrowingCompiler(CompilerBase):
    """numba's compiler with `InlineBorrowers` before the machine code is made."""

    def define_pipelines(self):
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(InlineBorrowers, AnnotateTypes)
        manager.finalize()
        return [manager]
