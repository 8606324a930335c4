"""The sentences that a reader meets, for an editor to judge: of notebooks, pages, code and scripts.

python -m upkeep.sentences --seed 7 --each 40 chapters/*.ipynb book/*.md

It draws sentences at random, each with its file and place. Judge each in its context: *fine*,
*unidiomatic* (clear, but no native writer would put it so) or *hard* (read twice, or about what
the reader has not seen). Take a new seed each time: a sample that was worked on measures
nothing. Of a Python file the sentences are its strings, docstrings and comments; of a script its
strings and comments.
"""

import argparse
import ast
import io
import json
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

FEWEST_WORDS = 4  # fewer are a label or a stub
FENCE = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})\s*(\{([\w-]+)\}|\w+)?")
NO_PROSE = ("bibliography", "code-block", "code-cell", "math", "literalinclude")
ITEM = re.compile(r"^([-*]|\d+\.)\s+")
NEITHER = re.compile(r"^[|#]|^(?:`{3,}|~{3,}|:{3,})|^\(.*\)=$|^:[\w-]+:")  # title, table or option
END = re.compile(r"(?<=[.!?])[\"”’)*]*\s+(?=[“\"(*\[A-Z0-9$])")
SCRIPT_TEXT = re.compile(
    r"//(?P<comment>[^\n]*)|/\*(?P<block>.*?)\*/|'(?P<string>(?:[^'\\\n]|\\.)*)'"
    r"|`(?P<template>(?:[^`\\]|\\.)*)`",
    re.DOTALL,
)


def _blocks(markdown: str) -> Iterator[str]:
    """Return the paragraphs and items of Markdown, without code, formulas, tables and titles."""
    markdown = re.sub(r"\A---.*?---\n|<!--.*?-->|\$\$.*?\$\$", "", markdown, flags=re.DOTALL)
    block: list[str] = []
    until = ""
    for line in [*markdown.split("\n"), ""]:
        fence = FENCE.match(line)
        if until:
            until = "" if fence and fence[1] == until else until
            continue
        if fence and fence[2] and (fence[3] is None or fence[3] in NO_PROSE):
            until = fence[1]
            continue
        text = line.strip()
        item = ITEM.match(text)
        if not text or item or NEITHER.search(text):
            yield " ".join(block)
            block = [text[item.end() :]] if item else []
        else:
            block.append(text)


def _inline(text: str) -> str:
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"\{(?:published|model|runs|count|closed)\}`[^`]*`", "…", text)  # a number
    text = re.sub(r"\{[\w:]+\}`([^`<]+?)(\s*<[^`]*>)?`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def _of_python(code: str) -> Iterator[str]:
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a cell that a student has to complete
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.split(r"\n\s*\n", node.value)
    comments = [
        (token.start[0], token.string.lstrip("# "))
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    ]
    block, last = "", 0
    for line, comment in comments:
        if line != last + 1:
            yield block
            block = ""
        block, last = f"{block} {comment}", line
    yield block


def _of_script(code: str) -> Iterator[str]:
    for match in SCRIPT_TEXT.finditer(code):
        yield re.sub(r"\$\{[^}]*\}", "…", next(filter(None, match.groups()), ""))


def _texts(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            yield from _blocks(source) if cell["cell_type"] == "markdown" else _of_python(source)
    elif path.suffix == ".py":
        yield from _of_python(text)
    elif path.suffix == ".js":
        yield from _of_script(text)
    else:
        yield from _blocks(text)


def sentences(path: Path) -> list[str]:
    """Return the sentences of a notebook, a Markdown file, a Python file or a script."""
    return [
        sentence
        for text in map(_inline, _texts(path))
        for sentence in END.split(text)
        if len(re.findall(r"[A-Za-z’']+", sentence)) >= FEWEST_WORDS
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40, help="sentences per file")
    given = parser.parse_args()
    for path in given.paths:
        found = sentences(path)
        draw = random.Random(f"{given.seed} {path.name}")
        print(f"\n## {path.name}: {len(found)} sentences, seed {given.seed}")
        for place in sorted(draw.sample(range(len(found)), min(given.each, len(found)))):
            print(f"[{place}] {found[place]}")


if __name__ == "__main__":
    main()
