import itertools
import math
import os
import signal
import threading

import pytest

from tests.lab.interrupted import start_program
from tunables.lab.sqlite_replica import APPLIES, CODECS, change_records, sweep

WINDOW_BYTES = 65_536


def by_the_window(measured):
    """Records/s that one window a round trip would give."""
    return measured.window_bytes / measured.rtt_s / measured.bytes_per_record


@pytest.mark.parametrize("rtt_s", [0.1, 0.16])
def test_raw_records_come_at_one_window_a_round_trip(rtt_s):
    (measured,) = sweep([rtt_s], WINDOW_BYTES, ["raw"], ["executemany"], seconds=1)
    assert measured.records_per_s == pytest.approx(by_the_window(measured), rel=0.15)
    assert 200 < measured.bytes_per_record < 300
    assert measured.records / measured.seconds == measured.records_per_s


def test_compression_multiplies_the_rate_of_a_long_path():
    raw, compressed = sweep([0.1], WINDOW_BYTES, list(CODECS), ["executemany"], seconds=1)
    ratio = raw.bytes_per_record / compressed.bytes_per_record
    assert ratio > 3
    assert compressed.records_per_s / raw.records_per_s == pytest.approx(ratio, rel=0.2)


def test_a_plain_proxy_hides_the_round_trip():
    near, far = sweep([0.0, 0.1], None, ["raw"], ["executemany"], seconds=0.5)
    assert near.window_bytes is None
    assert far.records_per_s > 5 * 65_536 / 0.1 / far.bytes_per_record
    assert far.records_per_s > near.records_per_s / 4


def test_cases_come_one_by_one_and_in_order():
    cases = [(m.rtt_s, m.codec, m.apply) for m in sweep([0.01, 0.02], seconds=0.1)]
    assert cases == list(itertools.product([0.01, 0.02], CODECS, APPLIES))


def test_every_codec_gives_back_what_it_was_given():
    block = "\n".join(change_records(100, seed=3)).encode()
    for encode, decode in CODECS.values():
        assert decode(encode(block)) == block


def test_records_depend_on_the_seed_alone_and_have_six_fields():
    assert change_records(50, seed=1) == change_records(50, seed=1) != change_records(50, seed=2)
    assert {record.count("|") for record in change_records(50)} == {5}
    assert all("\n" not in record for record in change_records(50))


def test_closing_half_way_ends_source_and_relay():
    threads = threading.active_count()
    results = sweep([0.01] * 3, seconds=0.1)
    assert threading.active_count() == threads
    next(results)
    results.close()
    assert threading.active_count() == threads


LONG_SWEEP = """
from tunables.lab.sqlite_replica import sweep
for measured in sweep([0.01] * 10_000, seconds=0.1):
    print(measured.codec, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_half_way_leaves_no_process_and_no_file(tmp_path, name):
    with start_program(LONG_SWEEP, tmp_path) as process:
        assert process.stdout.readline() == "raw\n"
        process.send_signal(getattr(signal, name))
        process.communicate(timeout=20)
    assert process.returncode != 0
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # no process of that session is left


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rtts_s": [0.1, -1]}, r"rtts_s\[1\] = -1"),
        ({"rtts_s": [math.nan]}, r"rtts_s\[0\] = nan"),
        ({"window_bytes": 1000}, "window_bytes = 1000"),
        ({"window_bytes": 1e5 + 0.5}, "window_bytes"),
        ({"codecs": ["raw", "zip"]}, "codecs = 'zip': must be one of raw, zlib-1"),
        ({"applies": ["at once"]}, "applies = 'at once': must be one of row by row"),
        ({"seconds": 0}, "seconds = 0"),
        ({"seconds": 61}, "seconds = 61"),
    ],
)
def test_bad_arguments_are_refused_before_anything_starts(keywords, message):
    with pytest.raises(ValueError, match=message):
        sweep(**{"rtts_s": [0.1]} | keywords)


def test_a_stream_too_short_says_so():
    wide = 2**24  # no machine applies sixteen million bytes in a millisecond
    with pytest.raises(RuntimeError, match="let the stream run for longer"):
        next(sweep([0.2], wide, seconds=0.001, codecs=["raw"]))
