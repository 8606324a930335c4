"""Sphinx extension: in a page's code, a name of the library is a link to what it does.

Only a name that the page imports from the library, or takes from `tunables` itself, is one: a
variable or an argument may be called the same.
"""

import ast
import re
from collections.abc import Iterator

from docutils import nodes

from tunables.names import homes

# The pages that describe the names.
LIBRARY = "book/library"
# Pygments marks each name; no link follows a dot but the package's own, or comes before "=".
NAME = re.compile(
    r'(?<!<span class="o">\.</span>)(<span class="n">tunables</span><span class="o">\.</span>)?'
    r'<span class="n">(\w+)</span>(?! *<span class="o">=</span>)'
)
IN_TEXT = re.compile(r'(<span class="pre">tunables\.)(\w+)')


def imported(code: str) -> Iterator[str]:
    """Yield the library's names that some code imports under their own names.

    >>> list(imported("from tunables.theory.erlang import erlang_b, erlang_c as c"))
    ['erlang_b']
    >>> list(imported("from tunables.views.tables import tables")), list(imported("%magic"))
    ([], [])
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:  # an output, or another language
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                home = homes().get(alias.name)
                if home and node.module in (home, "tunables") and not alias.asname:
                    yield alias.name


def link_names(html: str, names: set[str], addresses: dict[str, str]) -> str:
    """Return a page's HTML with links on the names that it imports, or takes from `tunables`.

    addresses: where each name of the library is described.
    """

    def anchor(name: str, shown: str) -> str:
        return f'<a class="to-library" href="{addresses[name]}">{shown}</a>'

    def in_code(found: re.Match) -> str:
        package, name = found[1] or "", found[2]
        if name not in addresses or not (package or name in names):
            return found[0]
        return f'{package}{anchor(name, f"""<span class="n">{name}</span>""")}'

    def in_text(found: re.Match) -> str:
        return found[1] + anchor(found[2], found[2]) if found[2] in addresses else found[0]

    return IN_TEXT.sub(in_text, NAME.sub(in_code, html))


def link_page(app, pagename, templatename, context, doctree) -> None:
    """Link the names in the code and the text of one page."""
    if doctree is None or pagename.startswith(LIBRARY):
        return
    names = {n for block in doctree.findall(nodes.literal_block) for n in imported(block.astext())}
    objects = app.env.get_domain("py").objects
    addresses = {
        name: f"{context['pathto'](objects[f'tunables.{name}'].docname)}#tunables.{name}"
        for name in homes()
    }
    context["body"] = link_names(context["body"], names, addresses)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", link_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
