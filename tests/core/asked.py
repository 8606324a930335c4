"""What a chapter's card answers, and the runs of its map."""

from tunables.core.registry import find_card, find_map


def ask_card(chapter, **changes) -> dict:
    """Return the outputs of a chapter's card at its defaults but for the changes."""
    model = find_card(chapter).model
    return model.predict(**model.settings(**changes))


def card_words(chapter) -> str:
    """Return all that a chapter's card says, its placeholders unfilled."""
    return " ".join(find_card(chapter).texts())


def map_samples(name, settings, seed=1, **assumptions):
    """Return a map's output in each run of its simulation."""
    validity = find_map(name)
    runs = validity.simulation.runs(seed, **settings, **assumptions)
    return [run[validity.output] for run in runs]
