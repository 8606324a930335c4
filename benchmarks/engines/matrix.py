"""Counts where an engine differs from the first: values, runs, kernels' calls and pages."""

import struct
from collections.abc import Iterator


def _double(bits: str) -> float:
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    return float(value)


def _pairs(first: dict, other: dict) -> Iterator[tuple[str, str]]:
    """Yield the bits of each value of the closed forms, in both."""
    for case, rows in first.items():
        for row, beside in zip(rows, other[case], strict=True):
            yield from ((bits, beside[name]) for name, bits in row.items())


def _relative_difference(one: float, other: float) -> float:
    return 0.0 if one == other else abs(one - other) / max(abs(one), abs(other))


def _closed_forms(first: dict, other: dict) -> dict:
    pairs = list(_pairs(first, other))
    unequal = [(_double(one), _double(beside)) for one, beside in pairs if one != beside]
    largest = max((_relative_difference(*pair) for pair in unequal), default=0.0)
    return {"asked": len(pairs), "unequal": len(unequal), "largest_relative": largest}


def _count(first: dict, other: dict) -> dict:
    return {"asked": len(first), "unequal": sum(other[key] != first[key] for key in first)}


def _kernels(reply: dict) -> dict:
    calls, differ = (
        sum(map(count, reply.values()))
        for count in (lambda each: each["cases"], lambda each: len(each["differ"]))
    )
    return {"asked": calls, "unequal": differ}


def row(first: dict, pages: dict, reply: dict) -> dict:
    """Return an engine's row.

    first: the reply that the others are compared with. pages: what the first browser's
    pages show. What an engine was not asked is None.
    """
    return {
        "engine": reply["engine"],
        "closed_forms": _closed_forms(first["closed_forms"], reply["closed_forms"]),
        "runs": _count(first["runs"], reply["runs"]) if reply.get("runs") else None,
        "kernels": _kernels(reply["kernels"]) if "kernels" in reply else None,
        "pages": _count(pages, reply["pages"]) if "pages" in reply else None,
    }
