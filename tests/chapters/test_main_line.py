"""What a reader in a hurry reads of a chapter: short, and with a live model near its top."""

import re

import pytest

from tests.chapters.notebooks import ROOT, cells, markdown

CHAPTERS = sorted(ROOT.glob("chapters/*.ipynb"))
# A third more than at first: a text that need be read only once may say each step.
MOST_WORDS, MOST_WORDS_BEFORE_A_MODEL = 2600, 400
LIVE = re.compile(r"^(?:animation|explore)\(", re.MULTILINE)
REFERENCE = "\n## Operator's card\n"  # from here on one looks up, works or practises
# What is folded or is no sentence. A formula in a sentence counts as one word.
LEFT_OUT = [
    (r"<!-- fold:.*?<!-- /fold -->", ""),
    (r"^```\{admonition\}[^\n]*\n:class: dropdown\n.*?^```$", ""),
    (r"^```[^\n]*$|^:\w+:[^\n]*$|^\|[^\n]*$|^\([\w-]+\)=$", ""),
    (r"<!--.*?-->|</?a\b[^>]*>|\{cite:\w\}`[^`]*`", ""),
    (r"\$\$.*?\$\$", ""),
    (r"\$[^$]+\$", "formula"),
]


def words(text: str) -> int:
    """Return how many words of some markdown a reader reads who unfolds nothing."""
    for pattern, instead in LEFT_OUT:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE | re.DOTALL)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def before_the_first_model(path) -> str:
    first = next(cell for cell in cells(path, "code") if LIVE.search(cell["source"]))
    passed = []
    for cell in cells(path, "markdown", "code"):
        if cell["id"] == first["id"]:
            break
        passed.append(cell["source"] if cell["cell_type"] == "markdown" else "")
    return "\n\n".join(passed)


def test_words_are_those_of_sentences():
    text = """Three words here.

<!-- fold: For the sceptic: more -->

Not these.

<!-- /fold -->

```{admonition} Also folded
:class: dropdown
Nor $these$.
```

Four more, <a href="#stage-x">with a</a> formula $N/R$:

$$ X = N/R $$

| a | table |
"""
    assert words(text) == 3 + 4 + 2


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_main_line_is_short(path):
    main = markdown(path).partition(REFERENCE)[0]
    assert 0 < words(main) <= MOST_WORDS


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_live_model_stands_near_the_top(path):
    assert 0 < words(before_the_first_model(path)) <= MOST_WORDS_BEFORE_A_MODEL
