"""How public functions are called, against the record of it: others call them."""

from tests.hostile.signatures import on_record, signatures


def test_each_public_function_takes_what_is_on_record():
    now, known = set(signatures()), set(on_record())
    assert (now - known, known - now) == (set(), set()), (
        "if meant, run: python -m tests.hostile.signatures"
    )
