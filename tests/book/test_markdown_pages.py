"""Each page as Markdown: what the page says, without its controls, and without what it hides."""

import re

import pytest

from book._ext.markdown_pages import as_markdown
from tests.book.test_site import SITE

WRITTEN = sorted(SITE.rglob("*.html.md"))
TAG = re.compile(r"</?(?:p|div|span|a|em|strong|svg|table|td|section|button)\b")
CODE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)


def article(html):
    return as_markdown(f'<body><article class="bd-article">{html}</article></body>')


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<h2>Two<a class='headerlink' href='#two'>#</a></h2><p>a\n<em>b</em></p>",
            "## Two\n\na *b*",
        ),
        (
            "<p>See <a href='../x.html'>it</a>, <code>f(*x)</code></p>",
            "See [it](../x.html), `f(*x)`",
        ),
        (
            "<ol><li><p>one</p><ul><li>in</li></ul></li><li>two</li></ol>",
            "1. one\n\n   - in\n2. two",
        ),
        (
            "<table><caption>T</caption><thead><tr><th>a</th><th>b|c</th></tr></thead>"
            "<tbody><tr><td colspan='2'>1</td></tr></tbody></table>",
            "T\n\n| a | b\\|c |\n| --- | --- |\n| 1 |  |",
        ),
        (
            "<dl><dt class='sig sig-object py'>f(<em>a: int</em>)\n-> int</dt><dd>One.</dd></dl>",
            "**`f(a: int) -> int`**\n\nOne.",
        ),
        ("<pre>x = 1\n  y</pre>", "```\nx = 1\n  y\n```"),
        ("<details><summary>More</summary><p>in it</p></details>", "**More**\n\nin it"),
        ('<figure><svg aria-label="A curve."><text>1</text></svg></figure>', "[Picture: A curve.]"),
        ('<p>x<svg aria-hidden="true" aria-label="no"></svg></p>', "x"),
        ("<p>on<button>Press</button><span role='status'>busy</span></p>", "on"),
        ("<ul><li>shown</li><li hidden=''>another case's advice</li></ul>", "- shown"),
        ("<script>let a = '<p>no</p>';</script><p>yes</p>", "yes"),
        ("<p>before</p><h1>Title</h1>", "# Title\n\nbefore"),
    ],
)
def test_a_page_becomes_markdown(html, text):
    assert article(html) == text + "\n"


def test_formulas_become_latex_in_the_line_and_on_their_own():
    annotation = "<annotation encoding='application/x-tex'>n \\le C</annotation>"
    formula = (
        f"<span class='katex'><math>{annotation}</math><span class='katex-html'>no</span></span>"
    )
    assert article(f"<p>If {formula}.</p>") == "If $n \\le C$.\n"
    assert article(f"<div><span class='katex-display'>{formula}</span></div>") == "$$n \\le C$$\n"


def test_a_page_without_text_of_its_own_has_none():
    assert as_markdown("<body>leads on</body>") == ""


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(SITE).as_posix())
def test_each_written_one_has_a_title_and_no_markup_and_its_page_leads_to_it(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert not TAG.search(CODE.sub("", text))
    page = path.with_suffix("").read_text(encoding="utf-8")
    assert f'href="{path.name}"' in page.partition("</head>")[0]


def test_a_chapters_has_its_tables_formulas_and_pictures_and_no_code():
    text = (SITE / "chapters" / "03-cache-cliff.html.md").read_text(encoding="utf-8")
    assert "$$S = h + R\\,(1 - h)$$" in text
    assert "| Slowdown with 40,000 graphs in 3.25 GiB (calibrated) | 20 |" in text
    assert "[Picture: The share of requests that hit, against the number of files." in text
    assert "import altair" not in text
    assert "```" not in text
    lab = (SITE / "labs" / "03-cache-cliff.html.md").read_text(encoding="utf-8")
    assert "import altair" in lab
