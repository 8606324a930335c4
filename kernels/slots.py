"""How an entry takes its arguments and returns its results: in slots of 8 bytes in memory.

A number (integer, truth value, double) takes one slot. An array is the address of its C-ordered
data and its shape; as a result also its strides, in bytes. A tuple is its items.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core import types as numba_types
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

types: Any = numba_types  # it declares only some of its names

ADDRESS, WORD, BIT = ir.IntType(32), ir.IntType(64), ir.IntType(1)


def slot_kinds(kind) -> str:
    """Describe the slots of a numba type for the caller: i8, f8, b1, or an array of them.

    An array of records is one of V24, or however many bytes a record has.
    Raises TypeError for a type that cannot pass.

    >>> slot_kinds(types.Tuple((types.int64, types.Array(types.float64, 2, "C"))))
    'i8 f8[:,:]'
    """
    if isinstance(kind, types.BaseTuple):
        return " ".join(filter(None, map(slot_kinds, kind.types)))
    if isinstance(kind, types.NoneType):
        return ""
    if isinstance(kind, types.Array):
        dtype = as_dtype(kind.dtype)
        item = dtype.str[1:] if dtype.names is None else f"V{dtype.itemsize}"
        return f"{item}[{','.join(':' * kind.ndim)}]"
    if isinstance(kind, types.Boolean):
        return "b1"
    if isinstance(kind, types.Integer) and kind.bitwidth == 64:
        return "i8"
    if kind == types.float64:
        return "f8"
    raise TypeError(f"kind = {kind!r}: must be an array, a tuple, or a number of 64 bits")


class Slots:
    """Reads arguments from the slots or writes results to them, one after another."""

    def __init__(self, context, builder, base):
        self.context, self.builder, self.base, self.used = context, builder, base, 0

    def next_place(self, llvm_type=WORD):
        """Return the address of the next slot, for a value of that type."""
        place = self.builder.gep(self.base, [ADDRESS(8 * self.used)])
        self.used += 1
        return self.builder.bitcast(place, llvm_type.as_pointer())

    def read(self, kind):
        """Return the next value, of a numba type."""
        b, context = self.builder, self.context
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(b, kind, [self.read(item) for item in kind.types])
        if isinstance(kind, types.Boolean):
            return b.trunc(b.load(self.next_place()), BIT)
        if not isinstance(kind, types.Array):
            return b.load(self.next_place(context.get_value_type(kind)))
        return self._read_array(kind)

    def _read_array(self, kind):
        b, context = self.builder, self.context
        item = context.get_data_type(kind.dtype)
        data = b.inttoptr(b.trunc(b.load(self.next_place()), ADDRESS), item.as_pointer())
        shape = [b.load(self.next_place()) for _ in range(kind.ndim)]
        strides = [WORD(as_dtype(kind.dtype).itemsize)]
        for length in shape[:0:-1]:
            strides.insert(0, b.mul(length, strides[0]))
        array = context.make_array(kind)(context, b)
        populate_array(array, data, shape, strides, WORD(as_dtype(kind.dtype).itemsize), None)
        return array._getvalue()

    def write(self, kind, value):
        """Put a value of a numba type into the next slots."""
        b, context = self.builder, self.context
        if isinstance(kind, types.BaseTuple):
            for i, item in enumerate(kind.types):
                self.write(item, b.extract_value(value, i))
        elif isinstance(kind, types.Array):
            array = context.make_array(kind)(context, b, value)
            b.store(b.ptrtoint(array.data, WORD), self.next_place())
            for numbers in (array.shape, array.strides):
                for number in cgutils.unpack_tuple(b, numbers):
                    b.store(number, self.next_place())
        elif isinstance(kind, types.Boolean):
            b.store(b.zext(value, WORD), self.next_place())
        elif not isinstance(kind, types.NoneType):
            b.store(value, self.next_place(value.type))
