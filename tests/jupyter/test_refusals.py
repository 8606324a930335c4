"""What a notebook shows of a refused argument: the user's own line, and one sentence."""

import re

import pytest

from tests.jupyter.kernels import KernelsAtFiles
from tests.jupyter.server import ROOT

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
REFUSED = {
    "tunables.erlang_c(-1, 2)": "ValueError: servers = -1: must be a whole number at least 1",
    "tunables.simulate_retry_storm(30, 100, timeout_s=-1)": "ValueError: timeout_s = -1: must be",
    "tunables.simulate_tandem([[1, 2]], [0, 1])": "ValueError: buffers",
    "tunables.find_case('rrdx')": "ValueError: case = 'rrdx': must be one of rdu, ",
    "tunables.explore('rrd', graphs=-1)": "ValueError: graphs = -1: must be a whole number",
    "tunables.fit_source(1, 'a b c')": "ValueError: 'a b c': neither a file nor lines of text",
    "tunables.fit_source(5, 'rtt_ms\\n1\\n')": "MissingColumns: line 1: no column throughput_bps",
    "tunables.fit_path(1, 'none.csv')": "ValueError: none.csv: there is no such file",
    "tunables.simulate_policy([1, 'x'], 2, 'lru')": "ValueError: trace = [1, 'x']: must be",
    "tunables.fit_path(3, 3)": "ValueError: path = 3: must be text",
    "tunables.published('x', 'y')": "ValueError: folder = 'y': must be a folder that exists",
    "tunables.simulate_retry_storm(30, 100, timeout=1)": (
        "TypeError: simulate_retry_storm() has no argument 'timeout': did you mean timeout_s?"
    ),
    "tunables.trace_batches(client=1)": "TypeError: trace_batches() has no argument 'client': did",
    "tunables.trace_packets([1], [2500], [1], [1], 1e4, segment=1)": (
        "TypeError: trace_packets() has no argument 'segment': did you mean segment_bytes?"
    ),
    "tunables.trace_group_commits(4, 0.005)": "TypeError: trace_group_commits() missing 1",
    "tunables.find_case('rrd').simulate(1, graph=1)": "ValueError: parameter = 'graph': must be",
    "tunables.published('x')": "ValueError: table = 'x': must be one of ",
    "tunables.erlang_d": "AttributeError: tunables has no name 'erlang_d': did you mean erlang_c",
    "tunables.erlang_c(1)": "TypeError: erlang_c() missing 1 required positional argument",
}

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def kernel():
    """Run code in a kernel; return the traceback that the notebook shows, without colours."""
    kernels = KernelsAtFiles()
    manager = kernels.manager()
    manager.start_kernel(cwd=str(ROOT))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)

    def run(code: str) -> str:
        shown: list[str] = []

        def keep(message):
            if message["msg_type"] == "error":
                shown.extend(message["content"]["traceback"])

        client.execute_interactive(code, output_hook=keep, timeout=120)
        return COLOURS.sub("", "\n".join(shown))

    assert run("import tunables") == ""
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    kernels.close()


@pytest.mark.parametrize(("code", "sentence"), REFUSED.items())
def test_a_refused_argument_is_shown_as_the_users_line_and_a_sentence(kernel, code, sentence):
    shown = kernel(code)
    *above, last = shown.splitlines()
    assert last.startswith(sentence)
    assert f"----> 1 {code}" in above
    assert [line for line in above if line.startswith("File ")] == []
    assert len(above) < 8


def test_the_users_own_frames_stay(kernel):
    shown = kernel("def mine(c):\n    return tunables.erlang_c(c, 2)\n\nmine(-1)")
    assert "----> 4 mine(-1)" in shown
    assert "----> 2     return tunables.erlang_c(c, 2)" in shown
    assert "arguments.py" not in shown


def test_the_users_own_reason_stays(kernel):
    shown = kernel("try:\n    {}['c']\nexcept KeyError:\n    tunables.fit_path(3, 3)")
    assert "KeyError: 'c'" in shown
    assert "encode" not in shown


def test_verbose_mode_shows_the_librarys_frames(kernel):
    try:
        kernel("%xmode Verbose")
        assert "arguments.py" in kernel("tunables.erlang_c(-1, 2)")
    finally:
        kernel("%xmode Context")
    assert "arguments.py" not in kernel("tunables.erlang_c(-1, 2)")


def test_an_error_that_is_no_refusal_keeps_its_frames(kernel):
    assert "roots.py" in kernel(
        "from tunables.base.roots import bisect\nbisect(lambda x: 1 / 0, 0.0, 1.0)"
    )
