"""Mutants that no test can notice: each explained one still stands in the code as it was."""

from mutants.explained import explained, stale


def test_every_explained_mutant_stands_in_the_code():
    assert [f"{each.file}: {each.was}" for each in stale()] == []


def test_every_explanation_says_why_in_a_sentence():
    told = explained()
    assert all(each.was != each.now and each.why.endswith(".") for each in told)
    assert len(set(told)) == len(told)
