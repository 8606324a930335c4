"""What a chapter's card answers, what an operator reads, and the runs of a chapter's map."""

from tests.chapters.notebooks import ROOT, prose
from tunables.core.registry import find_card, find_map
from tunables.page.chapters import page_name


def ask_card(chapter, **changes) -> dict:
    """Return the outputs of a chapter's card at its defaults but for the changes."""
    model = find_card(chapter).model
    return model.predict(**model.settings(**changes))


def card_words(chapter) -> str:
    """Return all that a chapter's card says, its placeholders unfilled."""
    return " ".join(find_card(chapter).texts())


def operator_words(chapter) -> str:
    """Return what an operator reads: the chapter's section "What to do", and its card."""
    text = prose(ROOT / "chapters" / f"{page_name(chapter)}.ipynb")
    section = text.split("## What to do\n", 1)[1].split("\n## ", 1)[0]
    return f"{section} {card_words(chapter)}"


def map_samples(name, settings, seed=1, **assumptions):
    """Return a map's output in each run of its simulation."""
    validity = find_map(name)
    runs = validity.simulation.runs(seed, **settings, **assumptions)
    return [run[validity.output] for run in runs]
