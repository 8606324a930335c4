"""Compile numba functions to one WebAssembly module, from the same Python source.

numba's unoptimised LLVM IR, with empty reference counts, is linked into one module, retargeted
to wasm32 and optimised by llvmlite, whose wheel holds that target. Every entry is
`name(slots) -> status`: its arguments are in slots (see `kernels.slots`), and its results
replace them. A status other than 0 is an error; the slots then hold the address and length of its
pickle.
"""

import re
import warnings

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import CPUCallConv
from numba.core.errors import NumbaWarning
from numba.core.registry import cpu_target

from kernels.slots import ADDRESS, WORD, Slots, slot_kinds

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"
# numba's own are weak, so these win. Calls of unknown functions in their place halve the speed.
_NO_COUNTS = """
define void @NRT_incref(ptr %info) alwaysinline { ret void }
define void @NRT_decref(ptr %info) alwaysinline { ret void }
"""
warnings.simplefilter("ignore", NumbaWarning)  # about functions that it cannot cache
# Errors without file and line, which would name the machine that compiled them.
_error = CPUCallConv.build_excinfo_struct
setattr(  # noqa: B010
    CPUCallConv,
    "build_excinfo_struct",
    lambda conv, kind, args, *_: _error(conv, kind, args, None, None),
)


def _entry(name, compiled):
    """Return the IR of an entry around a compiled function."""
    context, what = cpu_target.target_context, compiled.fndesc
    module = context.create_module(f"entry.{name}")
    function = ir.Function(module, ir.FunctionType(ADDRESS, [cgutils.voidptr_t]), name)
    b = ir.IRBuilder(function.append_basic_block())
    taken = Slots(context, b, function.args[0])
    arguments = [taken.read(kind) for kind in what.argtypes]
    target = context.declare_function(module, what)
    status, value = context.call_conv.call_function(
        b, target, what.restype, what.argtypes, arguments
    )
    with b.if_then(status.is_error, likely=False):
        returned, error = Slots(context, b, function.args[0]), b.load(status.excinfoptr)
        b.store(b.ptrtoint(b.extract_value(error, 0), WORD), returned.next_place())
        b.store(b.sext(b.extract_value(error, 1), WORD), returned.next_place())
        b.ret(status.code)
    Slots(context, b, function.args[0]).write(what.restype, value)
    b.ret(ADDRESS(0))
    return str(module)


def _retarget(text, machine):
    text = re.sub(r'^target .*$|"target-(?:cpu|features)"="[^"]*"', "", text, flags=re.M)
    module = llvm.parse_assembly(re.sub(r"\b(?:noinline|optnone)\b", "nounwind", text))
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    return module


def _link_entries(entries, machine):
    """Return one module of all entries and what they call, and the slots of each."""
    module, libraries, table = _retarget(_NO_COUNTS, machine), [], {}
    for name, (function, kinds) in entries.items():
        function.compile(tuple(kinds))
        compiled = function.overloads[tuple(kinds)]
        if compiled.library not in libraries:
            libraries.append(compiled.library)
            module.link_in(_retarget(compiled.library.get_llvm_str(), machine))
        module.link_in(_retarget(_entry(name, compiled), machine))
        takes = " ".join(map(slot_kinds, compiled.fndesc.argtypes))
        table[name] = {"takes": takes, "returns": slot_kinds(compiled.fndesc.restype)}
    return module, table


def compile_object(entries):
    """Return a wasm32 object file, not linked yet, and {entry: {"takes": ..., "returns": ...}}.

    entries: name -> (function compiled by numba, types of its arguments).
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(opt=3, features=_FEATURES)
    module, table = _link_entries(entries, machine)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name not in entries:
            item.linkage = "internal"
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_unrolling = False  # it adds a tenth of the bytes and no speed
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module), table
