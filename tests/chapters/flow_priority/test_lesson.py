"""The numbers of the lesson's key that no role computes, computed."""

from tests.chapters.lessons import lesson
from tunables.chapters.flow_priority.calibration import goodput_bps
from tunables.chapters.flow_priority.predictor import SIZE_BYTES, TRANSACTIONS
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.chapters.flow_priority.structures import NAMES, calibrated, published_times, times
from tunables.simulators.packets import simulate_packets


def test_what_is_left_of_the_gain():
    rate = 1e9 * calibrated()["S0"]["port_rate_gbps"]
    delays, share = delays_of(20, rate / 1e9), 0.02
    counts = [round(count * share) for count in TRANSACTIONS]

    def left(buffer_bytes, seed):
        none, fourteen, twenty = (
            simulate_packets(
                [20] * 5,
                SIZE_BYTES,
                counts,
                delays,
                rate,
                max_packets=allowed,
                segment_bytes=8948,
                buffer_bytes=buffer_bytes,
                seed=seed,
            ).finished_s[2]
            for allowed in (0, 14, 20)
        )
        return round(100 * (none - fourteen) / (none - twenty))

    spans = [sorted(left(buffer, seed) for seed in (1, 2, 3)) for buffer in (1e6, 5e6, 20e6)]
    (a, _, b), (c, _, d), (e, _, f) = spans
    text = lesson("flow_priority").replace("−", "-")
    assert f"{a} to {b} % with a buffer of 1 MB, {c} to {d} % with 5 MB" in text
    assert f"less than none ({f} to {e} %)" in text
    assert max(b, d) <= 100 / 6 * 1.1
    assert f < 0


def test_the_users():
    moved = sum(s * n for s, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True)) / 1e9
    payload = goodput_bps(10e9, 9000) / 1e9
    text = lesson("flow_priority")
    assert f"A user of each moves {moved:.3f} GB in all" in text
    assert f"of which {payload:.1f} Gb/s are payload" in text
    bound = f"{payload:.1f} \\times 642/(8 \\times {moved:.3f}) = {9.9 * 642 / 8 / moved:.2f}$"
    assert bound in text


def test_the_structures():
    text = lesson("flow_priority")
    for structure in NAMES:
        found: dict = {"without": [], "with": []}
        told = []
        for time in times(structure):
            size, which = time.output.removesuffix("_s").rsplit("_", 1)
            if size.startswith("large"):
                continue
            if time.status == "calibrated":
                told.append(time.published)
            else:
                found[which].append(f"{time.modelled:.0f}")
        [row] = [line for line in text.splitlines() if line.startswith(f"| {NAMES[structure]} |")]
        _, _, besides, without, with_, _ = (cell.strip() for cell in row.split("|"))
        assert without == ", ".join(found["without"])
        assert with_ == (", ".join(found["with"]) or "none left")
        assert sorted(f"{t:.0f}" for t in told) == sorted(
            [] if besides == "nothing" else besides.replace(";", ",").split(", ")
        )
    misses = [f"+{100 * t.error:.1f}" for t in times("M4") if t.error and "large" not in t.output]
    assert f"{' and '.join(misses)} %" in text


def test_the_ruler():
    without, with_ = published_times("without"), published_times("with")
    said = [with_[k] * without[0] / with_[0] for k in (1, 2)]
    off = [100 * (s / without[k] - 1) for s, k in zip(said, (1, 2), strict=True)]
    told = "says {:.0f} and {:.0f}, {:+.1f} and {:+.1f} %".format(*said, *off).replace("-", "−")
    assert told in lesson("flow_priority")
