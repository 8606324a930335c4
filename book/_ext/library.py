"""Sphinx extension: the library's pages, one per area, made from the signatures and docstrings.

The directive `library` documents the names that `tunables` offers from the packages or modules that
it is given, module by module; `library-names` lists these names, each with its first sentence. No
page lists names: they are those of `tunables/__init__.pyi`.
"""

import ast
import inspect
import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import indent

import docstrings
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import tunables
from tunables.names import homes
from tunables.page.chapters import CHAPTERS, find_chapter, page_name

PACKAGE = Path(tunables.__file__).parent
ROOT = PACKAGE.parent
# What a docstring's example uses of its module besides the library's names.
EXAMPLES_NEED = {"math.": "import math", "np.": "import numpy as np"}


def names_of(places: list[str]) -> dict[str, list[str]]:
    """Return the names that are offered from some packages or modules, by their module.

    >>> names_of(["tunables.theory.erlang"])
    {'tunables.theory.erlang': ['erlang_b', 'erlang_c']}
    """
    found: dict[str, list[str]] = {}
    for name, module in homes().items():
        if any(f"{module}.".startswith(f"{place}.") for place in places):
            found.setdefault(module, []).append(name)
    return found


def link(code: str) -> str:
    """Return the target of a name as a docstring has it, or "" if the library does not offer it.

    >>> link("erlang_b"), link("tunables.theory.queueing.mva"), link("erlang_kernel")
    ('tunables.erlang_b', 'tunables.mva', '')
    """
    name = code.removeprefix("tunables.").rpartition(".")[2]
    return f"tunables.{name}" if name in homes() and code != "tunables" else ""


def _imported(source: str) -> Iterator[str]:
    """Yield the names that a source imports from the package, or takes from `tunables` itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("tunables."):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tunables":
            yield node.attr


def _sources(slug: str) -> Iterator[str]:
    """Yield the sources of a chapter: those of its models, and the code on its page."""
    for path in sorted((PACKAGE / "chapters" / slug).glob("*.py")):
        yield path.read_text(encoding="utf-8")
    page = json.loads((ROOT / f"chapters/{page_name(slug)}.ipynb").read_text(encoding="utf-8"))
    yield "\n".join("".join(c["source"]) for c in page["cells"] if c["cell_type"] == "code")


@cache
def users() -> dict[str, list[str]]:
    """Return the slugs of the chapters that use each name."""
    found: dict[str, list[str]] = {}
    for slug in (chapter.slug for chapter in CHAPTERS):
        used = {name for source in _sources(slug) for name in _imported(source)}
        for name in used & {*homes()}:
            found.setdefault(name, []).append(slug)
    return found


def _used_in(name: str) -> str:
    return ", ".join(
        f":doc:`chapter {find_chapter(slug).number}, {find_chapter(slug).title} "
        f"</chapters/{page_name(slug)}>`"
        for slug in users().get(name, ())
    )


def runnable(example: str) -> str:
    """Return an example with the imports that it needs.

    >>> runnable(">>> erlang_b(2, 1.0)").split("\\n")
    ['>>> from tunables import erlang_b', '>>> erlang_b(2, 1.0)']
    """
    if not example:
        return ""
    code = "\n".join(line[4:] for line in example.split("\n") if line[:4] in (">>> ", "... "))
    tree = ast.parse(code)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = sorted(read & {*homes()} - {*_imported(code)})
    needed = [line for used, line in EXAMPLES_NEED.items() if used in code]
    if names:
        needed.append(f"from tunables import {', '.join(names)}")
    return "\n".join([f">>> {line}" for line in needed] + [example])


def _parameters(found: object) -> list[str]:
    return [*inspect.signature(found).parameters]  # type: ignore[arg-type]


def _member(name: str, member: object) -> str:
    function = docstrings.getter(member)
    parts = docstrings.describe(inspect.getdoc(member) or "")
    arguments, result = docstrings.signature(function or member)
    kind, head = ("property", name) if function else ("method", f"{name}{arguments}")
    if result:
        result = f"\n    :type: {result}" if function else f" -> {result}"
    head = f".. py:{kind}:: {head}{result}\n    :no-index-entry:\n\n"
    return head + indent(docstrings.body(parts, link), "    ")


def entry(name: str) -> str:
    """Return what the page says of a name, as reStructuredText."""
    found = getattr(tunables, name)
    arguments, result = docstrings.signature(found)
    kind = "class" if inspect.isclass(found) else "function"
    parts = docstrings.describe(inspect.getdoc(found) or "", _parameters(found))
    parts = parts._replace(example=runnable(parts.example))
    head = f".. py:{kind}:: tunables.{name}{arguments}{f' -> {result}' if result else ''}"
    text = docstrings.body(parts, link, "" if inspect.isclass(found) else _used_in(name))
    if isinstance(found, type):
        own = [_member(*each) for each in docstrings.members(found)]
        text = "\n\n".join([text, *own])
    # The book's index has its terms alone; the search finds these names.
    return f"{head}\n    :no-index-entry:\n\n{indent(text, '    ')}"


class Library(SphinxDirective):
    """A section for each module; what it is for, and all its names."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        return [self._section(*each) for each in names_of(self.arguments[0].split()).items()]

    def _section(self, module: str, names: list[str]) -> nodes.section:
        self.env.note_dependency(inspect.getsourcefile(import_module(module)) or "")
        title = module.rpartition(".")[2]
        section = nodes.section(ids=[nodes.make_id(module)])
        section += nodes.title("", title)
        says = docstrings.describe(inspect.getdoc(import_module(module)) or "")
        written = [f"``{module}``", docstrings.body(says, link), *map(entry, names)]
        lines = ["```{eval-rst}", *"\n\n".join(written).split("\n"), "```"]
        self.state.nested_parse(StringList(lines, module), self.content_offset, section)
        return section


class LibraryNames(SphinxDirective):
    """A list of the names, each with the first sentence of its docstring."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        lines = ["```{eval-rst}"]
        for module, names in names_of(self.arguments[0].split()).items():
            self.env.note_dependency(inspect.getsourcefile(import_module(module)) or "")
            for name in names:
                says = docstrings.first_sentence(inspect.getdoc(getattr(tunables, name)) or "")
                lines += [f":py:obj:`{name} <tunables.{name}>`"]
                lines += [f"    {docstrings.inline(says, link)}"]
        node = nodes.container(classes=["library-names"])
        self.state.nested_parse(StringList([*lines, "```"]), self.content_offset, node)
        return [node]


def leave_plain(app, env, node, contnode):
    """Show the name of a kind of value that no page describes, such as numpy's, without a link."""
    is_ours = node.get("reftarget", "").startswith("tunables.")
    return None if node.get("refdomain") != "py" or is_ours else contnode


def setup(app) -> dict:
    """Register the directives."""
    app.add_directive("library", Library)
    app.add_directive("library-names", LibraryNames)
    app.connect("missing-reference", leave_plain)
    app.config.python_maximum_signature_line_length = 60
    app.config.toc_object_entries = False
    app.config.copybutton_prompt_text = r">>> |\.\.\. "
    app.config.copybutton_prompt_is_regexp = True
    return {"parallel_read_safe": True, "parallel_write_safe": True}
