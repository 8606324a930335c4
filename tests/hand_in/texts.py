"""Hand-ins as the page makes them, for a class of three in which two have the same name."""

from tunables.hand_in.codes import student_code
from tunables.page.hand_in import as_text, hand_in_of, problems_of
from tunables.page.problem import answer_text
from tunables.views.classroom import Student

SECRET = "three plain words"
ADA, BOB, OTHER_ADA = CLASS = [
    Student("s1", "Ada Lovelace"),
    Student("s2", "Bob Müller"),
    Student("s3", "Ada Lovelace"),
]
GUESSES = [["a question", "40"], ["another", "skip"], ["a third", ""]]


def record_of(answers, steps=(3, 5)):
    """Return what a page records: three questions, a map that was used, no numbers of one's own."""
    return {
        "guesses": GUESSES,
        "steps": [*steps],
        "map": True,
        "own_numbers": False,
        "answers": answers,
    }


def right_answers(student, chapter, secret=SECRET):
    """Return the answers to a student's problems, by kind, as the book prints them."""
    code = student_code(secret, student.id)
    return {problem.kind: answer_text(problem) for problem in problems_of(code, chapter)}


def text_of(student, chapter=3, answers=None, secret=SECRET, **record):
    """Return the text that a student's page makes; without answers they are all right."""
    code = student_code(secret, student.id)
    answers = right_answers(student, chapter, secret) if answers is None else answers
    hand_in = hand_in_of(code, chapter, student.name, record_of(answers, **record))
    return as_text(code, hand_in)


def payload(text):
    """Return where the characters between the marker lines are, and what they are."""
    begin = text.index("\n", text.index("BEGIN")) + 1
    return begin, text[begin : text.index("\nEND")]
