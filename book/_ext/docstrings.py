"""What the library's pages show of a name: its signature and its docstring, as reStructuredText.

A docstring is plain text with examples. Its sentences that begin with "Raises" or "Errors", and
its last that begins with "Source:", become fields. A line that begins with the name of an argument
and a colon describes that argument. What is between backticks is code, and a link if the library
offers it.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from textwrap import indent
from typing import NamedTuple

SPECIAL = re.compile(r"([\\*`|_])")
CODE = re.compile(r'`([^`]+)`|("[^"\s]+"|"\w[^"]*\w")')
SENTENCE = re.compile(r"(?<=[\w)\]\"'`^]\.) (?=[A-Z])")
ERRORS = ("Raises", "Errors", "Arguments and errors", "Shape and errors")  # in this order
SOURCE = "Source: "


class Described(NamedTuple):
    """A docstring in parts: arguments by name, and fields by their head."""

    blocks: list[str]
    arguments: dict[str, str]
    fields: dict[str, str]
    example: str


def first_sentence(text: str) -> str:
    """Return the sentence with which a docstring begins.

    >>> first_sentence("Service demand: D = U / X. Seconds.")
    'Service demand: D = U / X.'
    """
    return SENTENCE.split(" ".join(text.split("\n\n")[0].split()))[0]


def inline(text: str, link: Callable[[str], str]) -> str:
    """Return a text as reStructuredText; link returns the target of a name, or "".

    >>> inline('`mva`: a*b, or "fifo"', {"mva": "tunables.mva"}.get)
    '\\\\ :py:obj:`mva <tunables.mva>`\\\\ : a\\\\*b, or \\\\ ``"fifo"``\\\\ '
    """
    written, end = "", 0
    for found in CODE.finditer(text):
        written += SPECIAL.sub(r"\\\1", text[end : found.start()])
        code = found[1] or found[2]
        target = link(code) if found[1] else ""
        shown = f":py:obj:`{code} <{target}>`" if target else f"``{code}``"
        # An escaped space on both sides shows nothing, and lets code begin and end anywhere.
        written += rf"\ {shown}\ "
        end = found.end()
    return written + SPECIAL.sub(r"\\\1", text[end:])


def _argument_lines(lines: list[str], names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Split the lines of a paragraph into those of its sentences and those on arguments."""
    head = re.compile(rf"((?:{'|'.join(map(re.escape, names))})(?:\[i\])?): (.*)")
    others: list[str] = []
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        begins = head.fullmatch(line)
        if begins:
            name, line = begins.groups()
            found[name] = ""
        elif name and line[:1].isupper() and found[name].endswith("."):
            name = ""  # a new sentence, on something else
        if name:
            found[name] = f"{found[name]} {line}".strip()
        else:
            others.append(line)
    # "hit: 1 or 0; victim: the object": several on a line
    for name, text in list(found.items()):
        first, *more = re.split(rf"[;.] (?=(?:{'|'.join(map(re.escape, names))}): )", text)
        found[name] = first
        for each in more:
            other, _, said = each.partition(": ")
            found[other] = said
    return others, found


def _list_item(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield ("\n- " if line.startswith("- ") else " ") + line.removeprefix("- ").strip()


def describe(text: str, names: Iterable[str] = ()) -> Described:
    """Return a docstring in parts; names: those of the arguments, or of a result's columns."""
    parts = Described([], {}, {}, "")
    examples = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        if lines[0].startswith(">>>"):
            examples.append(paragraph)
        elif lines[0].startswith((" ", "- ")):
            parts.blocks.append(paragraph)
        else:
            others, arguments = _argument_lines(lines, names) if names else (lines, {})
            parts.arguments.update(arguments)
            _sort_sentences(" ".join(line.strip() for line in others), parts)
    return parts._replace(example="\n".join(examples))


def _sort_sentences(text: str, parts: Described) -> None:
    """Put the sentences of a paragraph where they belong."""
    text, _, source = text.partition(SOURCE)
    if source:
        parts.fields["Source"] = source
    said = []
    for sentence in SENTENCE.split(text.strip()):
        head = next((words for words in ERRORS if sentence.startswith(f"{words} ")), "")
        if head:
            parts.fields[head] = sentence.removeprefix(head).strip()
        elif sentence:
            said.append(sentence)
    if said:
        parts.blocks.append(" ".join(said))


def signature(found: object) -> tuple[str, str]:
    """Return the arguments and the result of a function or a class as its source has them."""
    node = _tree(found)
    if isinstance(node, ast.FunctionDef):
        return f"({_arguments(node)})", ast.unparse(node.returns) if node.returns else ""
    assert isinstance(found, type)
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return f"({_arguments(each)})", ""
    columns = [
        ast.unparse(each)
        for base in reversed([*_own_bases(found)])
        for each in _tree(base).body
        if isinstance(each, ast.AnnAssign)
    ]
    return f"({', '.join(columns)})", ""


def _tree(found: object) -> ast.FunctionDef | ast.ClassDef:
    """Return the definition of a function or a class."""
    node = ast.parse(inspect.cleandoc("\n" + inspect.getsource(found))).body[0]  # type: ignore[arg-type]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    return node


def _own_bases(found: type) -> Iterator[type]:
    """Yield a class and those of the package that it derives from."""
    return (base for base in found.__mro__ if base.__module__.startswith("tunables."))


def _arguments(node: ast.FunctionDef) -> str:
    if node.args.args and node.args.args[0].arg == "self":
        del node.args.args[0]
    return ast.unparse(node.args)


def getter(member: object) -> object | None:
    """Return the function of a property, cached or not, and None for any other member."""
    return getattr(member, "fget", None) or getattr(member, "func", None)


def members(found: type) -> Iterator[tuple[str, object]]:
    """Yield a class's own public methods and properties that have a docstring, by name."""
    for base in _own_bases(found):
        for name, member in vars(base).items():
            shown = getter(member) or member
            if not name.startswith("_") and inspect.isfunction(shown) and inspect.getdoc(shown):
                yield name, member


def _block(text: str, link: Callable[[str], str]) -> str:
    lines = text.split("\n")
    if text.startswith(" "):
        return "::\n\n" + text
    if text.startswith("- "):
        items = "".join(_list_item(lines)).strip().split("\n")
        return "\n".join(f"- \\ {inline(item[2:], link)}" for item in items)
    # Nothing at the beginning of a line makes it a list or a heading.
    return "\\ " + inline(text, link)


def body(parts: Described, link: Callable[[str], str], used_in: str = "") -> str:
    """Return a docstring's parts as reStructuredText; used_in: a field's text of ours."""
    written = [_block(block, link) for block in parts.blocks]
    if parts.arguments:
        written.append(
            "\n".join(
                f"``{name}``\n    {inline(text, link)}" for name, text in parts.arguments.items()
            )
        )
    heads = [head for head in (*ERRORS, "Source") if head in parts.fields]
    fields = {head: inline(parts.fields[head], link) for head in heads}
    if used_in:
        fields["Used in"] = used_in
    if fields:
        written.append("\n".join(f":{head}: {text}" for head, text in fields.items()))
    if parts.example:
        written.append(".. code-block:: pycon\n\n" + indent(parts.example, "    "))
    return "\n\n".join(written)
