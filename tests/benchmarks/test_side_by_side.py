import pytest

from benchmarks.side_by_side import compare, medians


def test_contenders_take_turns_after_one_call_each():
    calls = []
    times = medians({name: lambda name=name: calls.append(name) for name in "AB"}, runs=3)
    assert "".join(calls) == "AB" + "ABABAB"
    assert set(times) == {"A", "B"}
    assert all(time > 0 for time in times.values())


def test_answers_must_agree():
    with pytest.raises(ValueError, match="the answers differ"):
        medians({"A": lambda: 1, "B": lambda: 2}, runs=1)
    answers = iter(range(9))
    with pytest.raises(ValueError, match="A answered 0, then 1"):
        medians({"A": lambda: next(answers)}, runs=1)


def test_the_table_has_a_line_for_each(capsys):
    rates = compare("Sums", 1000, "term", {"loop": lambda: 3, "form": lambda: 3}, runs=1)
    title, *lines = capsys.readouterr().out.strip().splitlines()
    assert title == "Sums: 1,000 terms, median of 1, same answer"
    assert [line.split()[0] for line in lines] == list(rates) == ["loop", "form"]
    assert lines[0].endswith(" 1.00")
