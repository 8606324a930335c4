"""A refusal of the machine is explained with what to do about it; nothing is left behind."""

import errno
import re
import sys

import pytest

from tests.lab.refusals import MEASUREMENTS, OF_POSTGRESQL, REFUSALS, ending
from tunables.lab.postgres import missing
from tunables.lab.trouble import advice, advice_on

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="worlds are made as on Linux")
# Which measurements cannot do without what is refused; the others measure all the same.
STOPPED = {
    "disk full": ("log", "SQLite", *OF_POSTGRESQL),
    "disk full later": ("replication",),
    "files": ("batches", "leaves", "port", "PostgreSQL", "replication", "statements"),
    "large files": ("SQLite", *OF_POSTGRESQL),
    "processes": ("log", "batches", "leaves", "stream", "loop", *OF_POSTGRESQL),
    "loopback": ("batches", "leaves", "port", "stream"),
    "writing": ("log", "batches", "SQLite", *OF_POSTGRESQL),
    "the user's name": ("PostgreSQL", "replication", "statements"),
    "root's folder": ("PostgreSQL", "replication", "statements"),
}
QUICK = {
    ("disk full", "SQLite"),
    ("disk full", "PostgreSQL"),
    ("files", "port"),
    ("processes", "batches"),
}
CASES = [
    pytest.param(
        refusal, measurement, marks=() if (refusal, measurement) in QUICK else pytest.mark.long
    )
    for refusal in REFUSALS
    for measurement in MEASUREMENTS
]


@pytest.mark.parametrize(("refusal", "measurement"), CASES)
def test_what_is_refused_is_explained(refusal, measurement):
    if measurement in OF_POSTGRESQL and missing():
        pytest.skip(missing())
    code, said = ending(measurement, REFUSALS[refusal])
    if measurement in STOPPED[refusal] or code != 0:
        assert code == 1, said
        assert re.search(REFUSALS[refusal].says, said), said
        assert re.search(r"run the cell again\.", said, re.IGNORECASE), said


def test_every_sentence_is_complete():
    said = [advice(number) for number in errno.errorcode] + [advice_on("user does not exist")]
    sentences = {sentence for sentence in said if sentence}
    assert len(sentences) > 5
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)
