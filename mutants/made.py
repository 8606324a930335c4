"""The mutants of a file: mutmut's mutations, on every line, those of compiled functions too.

mutmut itself leaves out what is decorated, and tries the others through trampolines that numba
does not compile. So each mutant here is the file's text with one place changed.
"""

import difflib
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from mutants.groups import ROOT

UNTOUCHED = {"len", "isinstance"}  # as mutmut does: their mutants only raise TypeError


class Mutant(NamedTuple):
    """A file and a place in it, with what stands there instead. `line` is counted from 1."""

    file: str
    line: int
    module: cst.Module
    node: cst.CSTNode
    instead: cst.CSTNode

    def text(self) -> str:
        """Return the whole file with the change."""
        changed = self.module.deep_replace(self.node, self.instead)
        return self.module.code_for_node(changed)

    def change(self) -> tuple[str, str]:
        """Return the lines that go and those that come, without what indents and breaks them."""
        old, new = self.module.code.splitlines(), self.text().splitlines()
        blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        changed = [block for block in blocks if block[0] != "equal"]
        first, last = changed[0], changed[-1]
        return one_line(old[first[1] : last[2]]), one_line(new[first[3] : last[4]])


def one_line(lines: list[str]) -> str:
    """Return lines of code as one."""
    return " ".join(line.strip() for line in lines).strip()


class _Places(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)):
            return False
        if isinstance(node, cst.Call) and getattr(node.func, "value", "") in UNTOUCHED:
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for instead in operator(node):
                    line = self.get_metadata(PositionProvider, node).start.line
                    self.found.append((line, node, instead))
        return True


def mutants(file: str) -> list[Mutant]:
    """Return all mutants of a file, by its path from the root, in the order of its lines."""
    wrapper = MetadataWrapper(cst.parse_module((ROOT / file).read_text(encoding="utf-8")))
    places = _Places()
    wrapper.visit(places)
    return [Mutant(file, line, wrapper.module, *change) for line, *change in places.found]
