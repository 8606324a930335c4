"""The Python that the pages load: a part that all share, two for each chapter, one for each lab,
one for the audit of a table.

A part has the modules that the page asks for and everything that they import, without docstrings
and comments, which would be a third of what a page loads of them. A chapter's part
leaves out what is shared, and the part of its simulations what the chapter's part has. A compiled
experiment is a stub there, beside the WebAssembly that it calls.
"""

import ast
import base64
import json
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "tunables" / "chapters"
SHARED = ("base/*.py", "page/*.py", "chapters/*/__init__.py")
OF_CHAPTER = ("predictor.py", "problems.py")
SIMULATING = (
    "page/simulation.py",
    "page/kernels.py",
    "base/statistics.py",
)
OF_LABS = "page/labs/*.py"
OF_AUDIT = ("audit/session.py", "audit/problems.py")
OF_SIMULATIONS = "*simulation.py"
EXPERIMENT = "experiment.py"  # the end of the names of compiled files
KERNELS = ROOT / "kernels" / "built"


@cache
def _imports(source: str) -> tuple[str, ...]:
    """Return the names of the modules that a source may import."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found += (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
    return tuple(found)


def _files(name: str) -> Iterator[Path]:
    """Yield the project's files that run when a module is imported: its own and its packages'."""
    words = name.split(".")
    for count in range(1, len(words) + 1):
        place = ROOT.joinpath(*words[:count])
        yield from filter(Path.exists, (place.with_suffix(".py"), place / "__init__.py"))


def _is_compiled(path: Path) -> bool:
    return path.name.endswith(EXPERIMENT)


def _with_imports(paths: Iterable[Path]) -> set[Path]:
    found: set[Path] = set()
    new = set(paths)
    while new:
        found |= new
        # A compiled module's stub imports nothing more.
        read = [path.read_text() for path in new if not _is_compiled(path)]
        new = {file for text in read for name in _imports(text) for file in _files(name)} - found
    return found


def _glob(folder: Path, patterns: Iterable[str]) -> Iterator[Path]:
    return (path for pattern in patterns for path in folder.glob(pattern))


def _stub(path: Path) -> str:
    """Return a module in place of a compiled one: its functions call the entries of their names."""
    functions = [
        node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
    ]
    lines = (
        f'def {name}(*values):\n    return call("{path.stem}.{name}", values)\n'
        for name in functions
    )
    return "\n\n".join(["from tunables.page.kernels import call\n", *lines])


def _docstrings(source: str) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the docstring of a module and of all in it, and whether that is all of its body."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        if ast.get_docstring(node) is not None:
            yield node.body[0], len(node.body) == 1


def without_words(source: str) -> str:
    """Return a module without docstrings, comments and empty lines, which a page does not need.

    >>> without_words("def f():  # in seconds\\n    'Return 1.'\\n\\n    return '# 1'\\n")
    "def f():\\n    return '# 1'\\n"
    """
    lines = source.splitlines()
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for text, is_all in _docstrings(source):
        first, *more = range(text.lineno - 1, text.end_lineno or text.lineno)
        lines[first] = f"{' ' * text.col_offset}pass" if is_all else ""
        for row in more:
            lines[row] = ""
    return "".join(f"{line.rstrip()}\n" for line in lines if line.strip())


def _sources(paths: Iterable[Path]) -> dict[str, str]:
    """Return {path from the root: source}."""
    return {
        path.relative_to(ROOT).as_posix(): _stub(path)
        if _is_compiled(path)
        else without_words(path.read_text())
        for path in sorted(paths)
    }


def _paths() -> tuple[dict[str, set[Path]], dict[str, set[Path]]]:
    """Return the files of each part, and of each chapter's simulations."""
    simulating = set(_glob(ROOT / "tunables", SIMULATING))
    shared = _with_imports(set(_glob(ROOT / "tunables", SHARED)) - simulating)
    audit = _with_imports(_glob(ROOT / "tunables", OF_AUDIT)) - shared
    found, simulations = {"shared": shared, "audit": audit}, {}
    for package in CHAPTERS.glob("*/__init__.py"):
        chapter, slug = package.parent, package.parent.name
        found[slug] = _with_imports(_glob(chapter, OF_CHAPTER)) - shared
        if runs := list(chapter.glob(OF_SIMULATIONS)):
            simulations[slug] = _with_imports([*simulating, *runs]) - shared - found[slug]
    return found, simulations


def parts() -> dict[str, dict[str, str]]:
    """Return {part: sources}: "shared", "audit", and each chapter's by its folder."""
    return {part: _sources(paths) for part, paths in _paths()[0].items()}


def sources_of(patterns: Iterable[str]) -> dict[str, str]:
    """Return the sources of some files, by their paths in the package, and all that they import."""
    return _sources(_with_imports(_glob(ROOT / "tunables", patterns)))


def simulations() -> dict[str, dict]:
    """Return {chapter: {"python": sources, "kernels": code and entries}} of all simulations.

    Without compiled experiments there are no kernels.
    """
    return {
        slug: {"python": _sources(paths)} | _kernels(slug) for slug, paths in _paths()[1].items()
    }


def _found_by_name(lab: Path) -> Iterator[Path]:
    """Yield what a lab finds by `module(chapter, name)`: of its own chapter, or of each chapter."""
    own = CHAPTERS / lab.stem
    folders = [own] if own.is_dir() else list(CHAPTERS.iterdir())
    for node in ast.walk(ast.parse(lab.read_text())):
        match node:
            case ast.Call(func=ast.Name(id="module"), args=[_, ast.Constant(value=str(name))]):
                yield from filter(Path.exists, (each / f"{name}.py" for each in folders))


def laws() -> dict[str, dict[str, str]]:
    """Return {lab: sources} of all labs that run in the page: what is not shared."""
    paths = (ROOT / "tunables").glob(OF_LABS)
    shared = _paths()[0]["shared"]
    return {
        path.stem: _sources(_with_imports([path, *_found_by_name(path)]) - shared)
        for path in sorted(paths)
        if "\nLabSession = " in path.read_text()
    }


def _kernels(slug: str) -> dict:
    code = KERNELS / f"{slug}.wasm"
    if not code.exists():
        return {}
    entries = json.loads(code.with_suffix(".json").read_text())["entries"]
    return {"kernels": {"code": base64.b64encode(code.read_bytes()).decode(), "entries": entries}}


def _write(folder: Path, variable: str, contents: dict[str, dict]) -> None:
    """Write each as a script, since a page opened from disk can fetch nothing else."""
    folder.mkdir(parents=True)
    for name, content in contents.items():
        script = f"(globalThis.{variable} ??= {{}}).{name} = {json.dumps(content)};\n"
        (folder / f"{name}.js").write_text(script)


def write_parts(folder: Path) -> None:
    """Write the parts, the simulations and the labs' laws into folders of theirs."""
    _write(folder / "python", "tunablesPython", parts())
    _write(folder / "simulations", "tunablesSimulations", simulations())
    _write(folder / "laws", "tunablesLaws", laws())
