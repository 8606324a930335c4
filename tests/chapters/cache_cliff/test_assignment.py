"""The numbers of the assignment's model answers to the open questions, computed."""

from tests.assignments.submissions import model_answers
from tunables.theory.caching import cyclic_hit_ratio, shuffled_hit_ratio, slowdown


def test_the_models_answers_to_the_open_questions():
    n, c = 40_000, 36_562
    shares = (c / n, *(cyclic_hit_ratio(n, c, policy) for policy in ("random", "2q")))
    reverse, chance, two_queues = (f"{slowdown(h, 20):.2f}" for h in shares)
    shuffle = f"{slowdown(shuffled_hit_ratio(c / n), 20):.2f}"
    told = f"reverse and MRU {reverse}, random {chance}, 2Q {two_queues}, shuffle {shuffle}"
    assert told in model_answers("cache_cliff")
