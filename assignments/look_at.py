"""What a person should look at: hints in a notebook's source, and answers like another's.

A hint proves nothing, and none is no proof: who wants to hide can.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable

_MENTIONS = (
    *("hidden_cases", "sys.modules", "open(", "glob", "subprocess", "os.", "socket", "importlib"),
    *("__import__", "ctypes", "/proc", "inspect.", "gc.", "eval(", "exec(", "pathlib"),
)


def mentions(cells: Iterable[str]) -> list[str]:
    """Return what the source says that an answer has no need of."""
    source = "\n".join(cells)
    return [words for words in _MENTIONS if words in source]


_LONG = 10**100  # a whole number that Python may refuse to write in decimal digits


class _Renamed(ast.NodeTransformer):
    """Names by the order of their first use, so that other names make no other answer."""

    def __init__(self):
        self._names: dict[str, str] = {}

    def _name(self, name: str) -> str:
        return self._names.setdefault(name, f"v{len(self._names)}")

    def visit_Name(self, node):
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node):
        node.arg, node.annotation = self._name(node.arg), None
        return node

    def visit_Constant(self, node):
        if isinstance(node.value, int) and abs(node.value) > _LONG:
            node.value = hex(node.value)
        return node


def _without_words(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function without its docstring."""
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        function.body = function.body[1:] or [ast.Pass()]
    return function


def _functions(cells: Iterable[str]) -> Iterable[ast.FunctionDef]:
    for source in cells:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        yield from (node for node in tree.body if isinstance(node, ast.FunctionDef))


def shape(cells: Iterable[str]) -> str:
    """Return the notebook's functions without comments, spacing and the names chosen in them.

    It is empty where Python cannot tell them.
    """
    try:
        found = [_Renamed().visit(_without_words(function)) for function in _functions(cells)]
        return "\n".join(ast.unparse(function) for function in found)
    except (RecursionError, ValueError, MemoryError):
        return ""


def group_by_shape(shapes: dict[str, str], handed_out: str) -> dict[str, list[str]]:
    """Return for each notebook, by name, the others of its shape; shapes are by name.

    handed_out: the shape of the notebook that nobody touched, which is no copy.
    """
    same = defaultdict(list)
    for name, text in shapes.items():
        same[text].append(name)
    groups = [names for text, names in same.items() if text not in ("", handed_out)]
    return {name: [other for other in names if other != name] for names in groups for name in names}


def alike(notebooks: dict[str, list[str]], handed_out: str) -> dict[str, list[str]]:
    """Return for each notebook, by name, the others whose functions are its own, renamed or not."""
    return group_by_shape({name: shape(cells) for name, cells in notebooks.items()}, handed_out)
