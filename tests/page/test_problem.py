"""Problems: the same for the same seed, answerable, and right by a second way."""

import json
import math
import re
from collections import Counter

import numpy as np
import pytest

from tests.page.second_ways import PATHS, relative_error
from tests.page.wrong_methods import BLIND, WRONG
from tunables.base.numbers_as_text import parse_number, significant
from tunables.page.chapters import with_facet
from tunables.page.problem import (
    EFFORTS,
    Generator,
    PracticeSession,
    answer_text,
    as_markdown,
    as_record,
    as_text,
    check_answer,
    kinds,
    make_problem,
    stream_number,
)

SEEDS = range(50)
ALL = [(chapter, kind) for chapter in with_facet("problems") for kind in kinds(chapter)]


def test_every_chapter_has_at_least_four_kinds_and_each_has_a_second_way():
    for chapter in with_facet("problems"):
        assert len(kinds(chapter)) >= 4
        assert set(kinds(chapter)) == set(PATHS[chapter])


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_fifty_answers_are_finite_and_a_second_way_agrees_within_the_tolerance(chapter, kind):
    for seed in SEEDS:
        problem = make_problem(chapter, seed, kind)
        assert math.isfinite(problem.answer)
        assert problem.answer > 0
        assert relative_error(problem) <= problem.tolerance, problem


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_the_seed_makes_the_problem(chapter, kind):
    problems = [make_problem(chapter, seed, kind) for seed in SEEDS]
    assert problems == [make_problem(chapter, seed, kind) for seed in SEEDS]
    assert len({problem.question for problem in problems}) >= 40


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_steps_lead_to_the_answer_and_the_answer_passes_the_check(chapter, kind):
    for seed in SEEDS:
        problem = make_problem(chapter, seed, kind)
        text = answer_text(problem)
        assert len(problem.steps) >= 2
        assert significant(problem.answer) in " ".join(problem.steps[-2:]), problem
        assert check_answer(problem, text)[0] in ("right", "close")
        wrong = check_answer(problem, str(3.3 * problem.answer))
        assert wrong[0] == "wrong"


def test_without_a_kind_the_seed_chooses_one_and_all_are_chosen():
    for chapter in with_facet("problems"):
        chosen = {make_problem(chapter, seed).kind for seed in range(100)}
        assert chosen == set(kinds(chapter))


def test_what_does_not_exist_is_refused():
    for chapter in ([3], np.array(["3"])):
        with pytest.raises(ValueError, match=r"chapter = .*3.*: must be one of 1 "):
            make_problem(chapter, 1)
    with pytest.raises(ValueError, match="chapter = 99: must be one of 1 "):
        make_problem(99, 1)
    with pytest.raises(ValueError, match=r"seed = 1\.5: must be a whole number"):
        make_problem(3, 1.5)
    with pytest.raises(ValueError, match="seed = -1: must be a whole number"):
        make_problem(3, -1)
    with pytest.raises(ValueError, match="kind = 'two-caps': must be one of capacity, late"):
        make_problem(3, 1, "two-caps")


def test_no_form_shows_the_answer_unasked():
    for chapter, kind in ALL:
        problem = make_problem(chapter, 1, kind)
        assert not {"answer", "answer_text", "steps", "remark"} & set(as_record(problem, False))
        for form in (as_text, as_markdown):
            assert problem.steps[-1] not in form(problem)
            assert problem.steps[-1] in form(problem, with_answer=True)
        json.dumps(as_record(problem), allow_nan=False)


def test_the_first_numbers_are_those_that_the_author_prints():
    """O'Neill's pcg32-demo, seed 42 and stream 54, round 1."""
    demo = Generator(42, 54)
    numbers = [demo.next_32() for _ in range(6)]
    assert numbers == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


def test_the_hash_is_fnv_1a():
    """The vectors of Fowler, Noll & Vo's reference implementation."""
    assert stream_number("") == 0xCBF29CE484222325
    assert stream_number("foobar") == 0x85944171F73967E8


def test_the_first_draw_of_neighbouring_seeds_favours_no_number():
    for stream in ("1/two-caps", "6/gather"):
        counts = Counter(Generator(seed, stream_number(stream)).below(10) for seed in range(5000))
        chi_square = sum((counts[k] - 500) ** 2 / 500 for k in range(10))
        assert chi_square < 27.9  # exceeded once in a thousand, nine degrees of freedom


def test_between_reaches_both_ends_and_keeps_its_step():
    draw = Generator(1, 1)
    assert {draw.between(10, 31, 10) for _ in range(200)} == {10, 20, 30}


def test_rates_have_their_greek_letters():
    for chapter in with_facet("problems"):
        for kind in kinds(chapter):
            steps = " ".join(make_problem(chapter, 1, kind).steps)
            assert not re.search(r"\b(mu|lambda|l)\b", steps), kind
            if kind != "capacity":  # u is the percentage there, as in the chapter
                assert not re.search(r"\bu\b", steps), kind


def test_every_kind_says_how_much_work_it_is_and_each_chapter_has_an_easy_one():
    for chapter in with_facet("problems"):
        efforts = {effort for _, _, effort in kinds(chapter).values()}
        assert 1 in efforts
        assert efforts <= set(EFFORTS)


def test_a_students_number_or_user_name_is_a_seed():
    for seed in (202612345678, "S1234567", "mueller", "0"):
        problem = make_problem(3, seed)
        assert problem == make_problem(3, f" {seed} ".upper())
        assert problem.seed == (int(seed) if str(seed).isdigit() else str(seed).lower())
    questions = {make_problem(1, f"s{number}", "two-caps").question for number in range(50)}
    assert len(questions) == 50
    for bad in ("", "x y", "ü", "a" * 33, 10**15, "9" * 16, None, True):
        with pytest.raises(ValueError, match=r"seed = .*: must be a whole number from 0 to 999,"):
            make_problem(3, bad)


BASE = make_problem(1, 1, "two-caps")
TIME = BASE._replace(answer=8076.0, unit="ms", tolerance=0.01)
COUNT = BASE._replace(answer=12_500.0, unit="graphs", tolerance=0.001)
EXACT = BASE._replace(answer=21, unit="users", tolerance=0)
SHARE = BASE._replace(answer=4.0, unit="%", tolerance=0.01)
RATE = BASE._replace(answer=44.2, unit="1/s", tolerance=0.01)
BITS = BASE._replace(answer=6.75, unit="Mb/s", tolerance=0.01)
PLAIN = BASE._replace(answer=2.63, unit="", tolerance=0.01)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12,500", (12_500, "")),
        ("12 500", (12_500, "")),
        ("1\u202f234\u202f567.5", (1_234_567.5, "")),
        ("12'500 B", (12_500, "B")),
        ("12_500", (12_500, "")),
        ("1.2e4", (12_000, "")),
        ("1.2E+4 /s", (12_000, "/s")),
        ("1.2 × 10^4", (12_000, "")),
        ("1.2*10^-3 s", (0.0012, "s")),
        ("8.1 s", (8.1, "s")),
        ("8100ms", (8100, "ms")),
        ("4 %", (4, "%")),
        ("≈ 4%", (4, "%")),
        ("−3.5", (-3.5, "")),
        (".5", (0.5, "")),
    ],
)
def test_numbers_as_people_type_them(text, value):
    assert parse_number(text) == (pytest.approx(value[0]), value[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type a number first"),
        ("   ", "Type a number first"),
        ("nan", "is not a number"),
        ("infinity", "is not a number"),
        ("twice", "is not a number"),
        ("8.1.2", "is not a number"),
        ("--5", "is not a number"),
        ("e5", "is not a number"),
        ("²", "is not a number"),
        ("1e999", "is not a finite number"),
        ("12,5", "Commas separate thousands"),
        ("0,500", "Commas separate thousands"),
        ("1.234,5", "Commas separate thousands"),
        ("1,2e4", "Commas separate thousands"),
        ("9" * 61, "at most 60 characters"),
        (None, "Type a number first"),
    ],
)
def test_what_is_no_number_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_number(text)


@pytest.mark.parametrize(
    ("problem", "text", "verdict"),
    [
        (TIME, "8,076", "right"),
        (TIME, "8.076 s", "right"),
        (TIME, "8076000 µs", "right"),
        (TIME, "8.1 s", "close"),
        (TIME, "8100 ms", "close"),
        (TIME, "8.076", "unit"),
        (TIME, "8076 s", "unit"),
        (TIME, "8.1", "unit"),
        (TIME, "8.2 s", "wrong"),
        (TIME, "4 seconds", "wrong"),
        (TIME, "0.1346 min", "right"),
        (TIME, "-8076", "wrong"),
        (TIME, "0", "wrong"),
        (COUNT, "12.5k", "right"),
        (COUNT, "12500 graphs", "right"),
        (COUNT, "12600", "wrong"),
        (EXACT, "21", "right"),
        (EXACT, "21 users", "right"),
        (EXACT, "21.01", "wrong"),
        (EXACT, "20", "wrong"),
        (SHARE, "4", "right"),
        (SHARE, "4 per cent", "right"),
        (SHARE, "0.04", "unit"),
        (RATE, "44.2/s", "right"),
        (RATE, "44.2 commits a second", "right"),
        (RATE, "44.2 jobs/s", "right"),
        (RATE, "2652 1/min", "right"),
        (BITS, "6.75 Mbps", "right"),
        (BITS, "843.75 kB/s", "right"),
        (BITS, "0.84375", "unit"),
        (PLAIN, "2.63 times", "right"),
        (PLAIN, "2.64", "close"),
    ],
)
def test_verdicts(problem, text, verdict):
    found, sentence = check_answer(problem, text)
    assert found == verdict
    assert sentence.endswith(".")
    if verdict in ("wrong", "unit"):  # a wrong answer does not reveal the right one
        assert significant(problem.answer) not in sentence


@pytest.mark.parametrize(
    ("problem", "text"),
    [(TIME, "8076 Mb/s"), (TIME, "8076 k"), (EXACT, "21 s"), (PLAIN, "2.63 ms"), (SHARE, "4 s")],
)
def test_a_unit_of_something_else_is_refused(problem, text):
    with pytest.raises(ValueError, match="does not fit: the number must be"):
        check_answer(problem, text)


def test_the_page_answers_in_json_and_refuses_in_a_sentence():
    page = PracticeSession(json.dumps({"chapter": 1}))

    def ask(**request):
        return json.loads(page.reply(json.dumps(request)))

    shown = ask(kind="two-caps", seed=1)
    assert shown["question"] == BASE.question
    assert ask(kind="two-caps", seed=1, answer=shown["answer"])["verdict"] == "right"
    assert "Type a number first" in ask(kind="two-caps", seed=1, answer="")["refusal"]
    assert "kind = 'zigzag'" in ask(kind="zigzag", seed=1)["refusal"]
    assert "seed = ''" in ask(kind="two-caps", seed="")["refusal"]


SEEDS_WRONG_METHODS = range(300)


def passes(chapter, kind, method):
    """Return the share of the seeds for which the method's answer counts as right."""
    passed = 0
    for seed in SEEDS_WRONG_METHODS:
        problem = make_problem(chapter, seed, kind)
        verdict, _ = check_answer(problem, repr(float(method(problem.given))))
        passed += verdict in ("right", "close")
    return passed / len(SEEDS_WRONG_METHODS)


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_at_least_two_wrong_methods_fail_on_95_per_cent_of_the_seeds(chapter, kind):
    methods = WRONG[chapter][kind]
    assert len(set(methods)) >= 2
    for method in methods:
        assert passes(chapter, kind, method) <= 0.05, method.__name__


@pytest.mark.parametrize(("chapter", "kind"), [(c, k) for c in BLIND for k in BLIND[c]])
def test_who_does_not_see_that_there_are_cases_is_right_in_seven_of_ten_at_most(chapter, kind):
    for method in BLIND[chapter][kind]:
        assert 0.2 < passes(chapter, kind, method) <= 0.7, method.__name__
