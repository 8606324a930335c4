from functools import partial

import pytest

from benchmarks.side_by_side import medians, race


def test_contenders_take_turns_after_one_call_each():
    calls: list[str] = []
    times = medians({name: partial(calls.append, name) for name in "AB"}, runs=3)
    assert "".join(calls) == "AB" + "ABABAB"
    assert set(times) == {"A", "B"}
    assert all(time > 0 for time in times.values())


def test_answers_must_agree():
    with pytest.raises(ValueError, match="the answers differ"):
        medians({"A": lambda: 1, "B": lambda: 2}, runs=1)
    answers = iter(range(9))
    with pytest.raises(ValueError, match="A answered 0, then 1"):
        medians({"A": lambda: next(answers)}, runs=1)


def test_a_race_has_a_line_for_each_and_its_rates():
    done = race("Sums", "term", 1000, {"loop": lambda: 3, "form": lambda: 3}, runs=1)
    title, *lines = str(done).strip().splitlines()
    assert title == "Sums: 1,000 terms, median of 1, same answer"
    assert [line.split()[0] for line in lines] == list(done.rates) == ["loop", "form"]
    assert lines[0].endswith(" 1.00")
    for name, rate in done.rates.items():
        assert rate == 1000 / done.seconds[name]


def test_who_does_more_in_a_call_is_counted_by_it():
    work = {"fast": 500, "slow": 2}
    done = race("Sums", "term", work, {"fast": lambda: 3, "slow": lambda: 3}, runs=1)
    assert done.rates["slow"] == 2 / done.seconds["slow"]
    assert str(done).startswith("\nSums: 500 and 2 terms")
