"""The numbers of the assignment's model answers to the open questions, computed."""

from tests.assignments.submissions import model_answers
from tunables.theory.tcp import cubic_throughput, window_limited_throughput


def test_the_models_answers_to_the_open_questions():
    shown = model_answers("replication")
    window = 6940 * window_limited_throughput(1, 0.095) / window_limited_throughput(1, 0.155)
    cubic = 6940 * cubic_throughput(1460, 0.095, 1e-4) / cubic_throughput(1460, 0.155, 1e-4)
    ratio = 7860 / 6940
    assert f"= {window:,.0f} s for both" in shown
    assert f"= {cubic:,.0f} s. CUBIC fits to {100 * (1 - cubic / 7860):.1f} %" in shown
    assert f"miss by {100 * (window / 7860 - 1):.0f} %" in shown
    assert f"= {ratio**4:.3f}, the window law {ratio:.3f}" in shown
    assert f"{155 / 95 / ratio:.2f} times as much to the second site" in shown
