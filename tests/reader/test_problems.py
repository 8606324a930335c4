"""Problem sets: reproducible, answerable, and the same in the explorer."""

from urllib.parse import parse_qsl

import pytest

from tunables.cases.registry import cases, find_case
from tunables.reader.formats import grouped
from tunables.reader.problems import make_problem

CHAPTERS = sorted({case.chapter for case in cases().values()})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_seed_makes_the_problem_and_its_link_leads_to_the_answer(chapter):
    problems = [make_problem(chapter, seed) for seed in range(60)]
    assert problems == [make_problem(chapter, seed) for seed in range(60)]
    assert len({problem.question for problem in problems}) == 60
    for problem in problems:
        pairs = parse_qsl(problem.query.removeprefix("?"))
        case = find_case(pairs[0][0].split(".")[0])
        numeric = {p.name for p in case.parameters if not p.choices}
        names = [(key.split(".", 1)[1], text) for key, text in pairs]
        state = {name: float(text) if name in numeric else text for name, text in names}
        outputs = case.predict(**case.settings(**state))
        answers = [f"{o.label}: {grouped(outputs[o.name], o.digits)}" for o in case.outputs]
        assert any(problem.answer.startswith(answer) for answer in answers)


def test_an_unknown_chapter_and_a_bad_seed_are_refused():
    with pytest.raises(ValueError, match="chapter = '99': must be one of"):
        make_problem(99, 1)
    with pytest.raises(ValueError, match=r"seed = 1\.5: must be a whole number"):
        make_problem(3, 1.5)  # type: ignore[arg-type]
