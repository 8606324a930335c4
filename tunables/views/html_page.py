"""A page of HTML that stands alone: for a teacher to print, or for a student to read."""

from html import escape


def html_page(title: str, style: str, body: str) -> str:
    """Return a page: its title as plain text, its style sheet, and the HTML of its main part.

    >>> html_page("A & B", "", "<p>C</p>").splitlines()[5]
    '<title>A &amp; B</title>'
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>"
    )
