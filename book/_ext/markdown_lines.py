"""What directives make of lines of Markdown."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class MarkdownLines(SphinxDirective):
    """A directive that stands for lines of Markdown, such as a table."""

    def parsed(self, lines: list[str], table_class: str = "") -> list[nodes.Node]:
        """Return what the lines say; their tables may have a class."""
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, self.name), self.content_offset, node)
        if table_class:
            for table in node.findall(nodes.table):
                table["classes"].append(table_class)
        return node.children
