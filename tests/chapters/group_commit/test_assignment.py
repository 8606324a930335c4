"""The numbers of the assignment's model answers to the open questions, computed."""

from tests.assignments.submissions import model_answers
from tunables.chapters.group_commit import case as rdu
from tunables.chapters.group_commit.predictor import predict
from tunables.page.formats import grouped


def test_the_models_answers_to_the_open_questions():
    two, stage = (
        [
            grouped(1000 * predict(**rdu.rival(name, **changes))["response_s"])
            for changes in ({"timeout_s": 0.5, "retries": 1}, {"clients": 25})
        ]
        for name in ("two caps", "commit stage")
    )
    shown = model_answers("group_commit")
    assert f"1,000 + 2 × 2,000 + 76 = {two[0]} ms" in shown
    assert stage[0].startswith("8,0")
    assert "50/6.2 = 8.1 s" in shown
    assert f"({two[1]} against {stage[1]} ms)" in shown
