"""Sphinx extension: typesets formulas during the build, so that no page loads a typesetter.

KaTeX runs in one node process. It writes HTML for display and MathML for screen readers.
"""

import json
import subprocess
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

HERE = Path(__file__).parent
CSS = "vendor/katex/katex.min.css"


@cache
def _katex() -> subprocess.Popen:
    pipe = subprocess.PIPE
    command = ["node", str(HERE / "formulas.js")]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")


@cache
def render(latex: str, display: bool) -> str:
    process = _katex()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"latex": latex, "display": display}) + "\n")
    process.stdin.flush()
    reply = json.loads(process.stdout.readline() or '{"failure": "node ended"}')
    if "failure" in reply:
        raise ExtensionError(f"formula {latex!r}: {reply['failure']}")
    return reply["html"]


def visit_inline(writer, node) -> None:
    """Write a formula within a line."""
    writer.body.append(writer.starttag(node, "span", "", CLASS="math"))
    writer.body.append(render(node.astext(), False) + "</span>")
    raise nodes.SkipNode


def visit_block(writer, node) -> None:
    """Write a formula on lines of its own; a long one scrolls, by keyboard too."""
    writer.body.append(writer.starttag(node, "div", "", CLASS="math"))
    writer.body.append(
        f'<div class="math-scroll" tabindex="0" role="group" aria-label="Formula">'
        f"{render(node.astext(), True)}</div></div>"
    )
    raise nodes.SkipNode


def end(app, exception) -> None:
    """End the node process, if a formula has started it."""
    if _katex.cache_info().currsize:
        _katex().communicate()
        _katex.cache_clear()


def setup(app) -> dict:
    """Register the renderer; `html_math_renderer: katex` chooses it."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.add_css_file(CSS)
    app.connect("build-finished", end)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
