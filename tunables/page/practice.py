"""The page's side of a practice box: MicroPython runs this in a worker; JSON in, JSON out."""

import json

from tunables.page.asked import entries, replied
from tunables.page.check import check_answer
from tunables.page.problem import answer_text, link, make_problem, wanted_text


def shown(problem) -> dict:
    """Return a problem as a page shows it: texts, and the numbers that name it."""
    return {
        "kind": problem.kind,
        "seed": problem.seed,
        "title": problem.title,
        "question": problem.question,
        "wanted": wanted_text(problem),
        "answer": answer_text(problem),
        "steps": problem.steps,
        "remark": problem.remark,
        "link": link(problem),
    }


def reply(chapter, request) -> dict:
    """Return the problem of request["kind"] and request["seed"], or a verdict on its "answer".

    Raises ValueError for an unknown kind, a bad seed, or an answer that is not a number.
    """
    entries("request", request, ["kind", "seed"])
    problem = make_problem(chapter, request["seed"], request["kind"])
    if "answer" not in request:
        return shown(problem)
    verdict, sentence = check_answer(problem, request["answer"])
    return {"verdict": verdict, "sentence": sentence}


class Page:
    """One practice box in the page: the problems of one chapter."""

    def __init__(self, description_json):
        self.chapter = json.loads(description_json)["chapter"]

    def reply(self, request_json) -> str:
        """Return reply(...) of a request as JSON, or {"refusal": sentence}."""
        return replied(request_json, lambda request: reply(self.chapter, request))
