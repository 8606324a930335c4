"""What a reader reads of a chapter who unfolds nothing: short, and seldom long without a model."""

import re

import pytest

from tests.chapters.notebooks import EXPRESSION, ROOT, cells, markdown

CHAPTERS = sorted(ROOT.glob("chapters/*.ipynb"))
# A text that need be read only once may say each step.
MOST_WORDS, MOST_WORDS_BEFORE_A_MODEL, MOST_WORDS_AT_ONCE = 2250, 400, 500
LIVE = re.compile(r"^(?:animation|explore)\(", re.MULTILINE)
REFERENCE = "\n## How far to trust it\n"  # from here on one looks up, works or practises
# What interrupts reading: something to do or to look at.
EXPLORER, SEEN = "\1", "\2"
TO_SEE = re.compile(rf"{SEEN}|<figure.*?</figure>|^\|[^\n]*\n\|[ :|-]+$", re.MULTILINE | re.DOTALL)
# What is folded or is no sentence. A formula in a sentence counts as one word.
FOLDED = [
    (r"<!-- fold:.*?<!-- /fold -->", ""),
    (r"^```\{admonition\}[^\n]*\n:class: dropdown\n.*?^```$", ""),
]
LEFT_OUT = [
    *FOLDED,
    (r"<figure.*?</figure>", ""),
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
def test_a_live_model_is_near_the_top(path):
    assert 0 < words(before_the_first_model(path)) <= MOST_WORDS_BEFORE_A_MODEL


def stretches(path):
    """Return the words between one thing to do or look at and the next, and before the explorer."""
    text = "\n\n".join(
        cell["source"]
        if cell["cell_type"] == "markdown"
        else EXPLORER * ("explore(" in cell["source"]) + SEEN * bool(cell["outputs"])
        for cell in cells(path, "markdown", "code")
    )
    for pattern, instead in FOLDED:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE | re.DOTALL)
    main = EXPRESSION.sub("", text).partition(REFERENCE)[0]
    before = main.partition(EXPLORER)[0]
    return [words(part) for part in TO_SEE.split(main)], words(before)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_there_is_something_to_do_or_see_every_five_hundred_words(path):
    lengths, explorer = stretches(path)
    assert max(lengths) <= MOST_WORDS_AT_ONCE
    assert explorer <= sum(lengths) / 2  # the best instrument is in the first half
