"""Problems as HTML: what stands without scripts, and what a practice box starts from."""

from html import escape

from tunables.page.practice import shown
from tunables.page.problem import LONGEST_SEED, Problem, kinds, number
from tunables.plain.typed import LONGEST
from tunables.reader.asleep import asleep
from tunables.reader.charts import script_json

ASLEEP = asleep("One problem of many.", "draw others and have your answer checked")

SMALL_NUMBERS = 9999  # of problems drawn by chance: enough for a class, and easy to read out


def question_html(text: dict) -> str:
    """Return a shown problem's question and what is asked for."""
    return (
        f'<p class="problem-question">{escape(text["question"])}</p>'
        f'<p class="problem-wanted">{escape(text["wanted"])}</p>'
    )


def solution_html(text: dict, summary: str) -> str:
    """Return a shown problem's steps and answer, folded away under a summary."""
    steps = "".join(f"<li>{escape(step)}</li>" for step in text["steps"])
    return (
        f'<details class="problem-solution"><summary>{summary}</summary>'
        f'<ol class="problem-steps">{steps}</ol>'
        f'<p>Answer: <strong class="problem-answer">{escape(text["answer"])}</strong></p>'
        f'<p class="problem-remark">{escape(text["remark"])}</p></details>'
    )


def exercise_html(problem: Problem) -> str:
    """Return an exercise of a chapter, in the looks of the theme's exercises."""
    text = shown(problem)
    return (
        '<div class="admonition exercise tunables-exercise">'
        f'<p class="admonition-title">Exercise: {escape(problem.title)}</p>'
        f"{question_html(text)}{solution_html(text, 'Solution')}</div>"
    )


def practice_html(problem: Problem) -> str:
    """Return a practice box, asleep, with this problem in it: the page's script wakes it."""
    text, chapter = shown(problem), number(problem)
    page = {
        "chapter": chapter,
        "kind": problem.kind,
        "seed": problem.seed,
        "longest_seed": LONGEST_SEED,
        "longest_answer": LONGEST,
        "small_numbers": SMALL_NUMBERS,
        "kinds": [{"name": name, "title": title} for name, (title, *_) in kinds(chapter).items()],
    }
    return (
        f'<section class="tunables-practice" id="practice-{chapter}" '
        f'aria-label="Practice: problems of chapter {chapter}">'
        f'<script type="application/json" class="practice-description">{script_json(page)}'
        "</script>"
        f'<p class="practice-message" role="status">{ASLEEP} In a terminal: '
        f"<code>python -m tunables problem {chapter} --seed 7</code></p>"
        '<div class="practice-controls"></div>'
        '<div class="practice-problem" aria-live="polite">'
        f'<p class="problem-title">{escape(text["title"])}</p>{question_html(text)}</div>'
        '<form class="practice-answer"></form>'
        '<p class="practice-verdict" role="status"></p>'
        f"{solution_html(text, 'Show the steps')}</section>"
    )
