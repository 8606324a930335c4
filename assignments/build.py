"""Makes from each notebook here what students, the autograder and teachers need.

    python -m assignments.build OUTPUT [CHAPTER ...] --seed N

writes OUTPUT/CHAPTER/student/, autograder/ and solutions/. The seed draws the inputs of the
hidden tests. Fails if the solution of a notebook fails a check.
"""

import argparse
import json
import os
import re
import shutil
import tempfile
import zipfile
from concurrent.futures import ProcessPoolExecutor
from logging import ERROR
from pathlib import Path

import nbformat
import yaml
from nbclient import NotebookClient
from otter.assign import main as otter_assign

from assignments.archive import BEYOND_OTTER
from assignments.draws import CHAPTERS, hidden_cases
from tunables.page.chapters import page_name

HERE = Path(__file__).parent
REQUIREMENTS = HERE.parent / "requirements-grading.txt"
STUDENTS_MAY_IMPORT = ("numpy", "scipy")
_HEADING = re.compile(r"^## (\d+)\. (.+)$", re.MULTILINE)
_RUBRIC = "**Rubric.**"
_ITEM = re.compile(r"(?:^|(?<=\s))(\d+(?:\.\d+)?): (.*?)(?=\s\d+(?:\.\d+)?: |$)", re.DOTALL)
TRIES, NEVER_BEGAN = 3, "Kernel died before replying"


def _requirements() -> str:
    """Return the lines that pin what a student's notebook may import."""
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return "".join(f"{line}\n" for line in lines if line.split("==")[0] in STUDENTS_MAY_IMPORT)


def _stage(chapter, seed, folder):
    """Put the notebook and all that otter.yml names into one folder, where otter looks."""
    for name in (f"{chapter}.ipynb", "otter.yml", "hidden_cases.py"):
        shutil.copy(HERE / name, folder)
    cases = json.dumps(hidden_cases(chapter, seed), indent=1)
    (folder / "hidden_cases.json").write_text(cases, encoding="utf-8")
    (folder / "requirements.txt").write_text(_requirements(), encoding="utf-8")
    return folder / f"{chapter}.ipynb"


def _execute(folder, name):
    """Run the solution among the hidden cases, so that teachers see each check pass.

    RuntimeError if one does not: otter itself looks at the points, and public checks have none.
    """
    solution = nbformat.read(folder / name, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(solution, resources=place, record_timing=False).execute()
    nbformat.write(solution, folder / name)
    if "Test case failed" in nbformat.writes(solution):
        raise RuntimeError(f"{folder / name}: a check fails on the solution, see the outputs")


def _cells(notebook: Path, kind: str) -> list[str]:
    cells = nbformat.read(notebook, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == kind]


def _text(notebook: Path, kind: str) -> str:
    return "\n".join(_cells(notebook, kind))


def _open_question(question: dict, text: str, solution: str) -> dict:
    """Return an open question as the archive holds it. Raises ValueError if its rubric is off."""
    model_answer, mark, rubric = solution.partition(_RUBRIC)
    items = [(float(n), said.strip()) for n, said in _ITEM.findall(rubric)]
    if not mark or sum(points for points, _ in items) != question["points"]:
        raise ValueError(
            f"{question['name']}: its rubric must have items of {question['points']} points in all"
        )
    return {
        "text": text,
        "points": float(question["points"]),
        "model_answer": model_answer.strip(),
        "rubric": items,
    }


def _open_questions(source: Path) -> dict[str, dict]:
    """Return the questions of a notebook that a person marks, by name."""
    found: dict[str, dict] = {}
    question: dict = {}
    texts: list[str] = []
    for cell in nbformat.read(source, as_version=4).cells:
        if cell.source.startswith("# BEGIN QUESTION"):
            question, texts = yaml.safe_load(cell.source), []
        elif cell.cell_type == "markdown":
            texts.append(cell.source)
        elif cell.source.startswith("# END QUESTION") and question.get("manual"):
            found[question["name"]] = _open_question(question, *texts)
    return found


def _tell_the_grader(archive, source, student):
    """Add to otter's archive what it leaves out: headings, open questions, cells handed out."""
    open_questions = _open_questions(source)
    said = {
        "by_hand": list(open_questions),
        "handed_out": _cells(student, "code"),
        "headings": {f"q{n}": title for n, title in _HEADING.findall(_text(source, "markdown"))},
        "open_questions": open_questions,
    }
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr(BEYOND_OTTER, json.dumps(said))


def build(chapter, output, seed):
    """Make one chapter's assignment in the folder of output that is called as its notebook is.

    Raises RuntimeError if its solution fails a check, ValueError for an unknown chapter.
    """
    chapter = page_name(chapter)
    target = Path(output).resolve() / chapter
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        staged, made = Path(temporary) / "source", Path(temporary) / "made"
        staged.mkdir()
        notebook = _stage(chapter, seed, staged)
        otter_assign(str(notebook), str(made), no_pdfs=True)
        solved = made / "autograder"  # otter's name for the notebook with solutions and tests
        archive = next(solved.glob("*.zip"))  # named by the time
        _tell_the_grader(archive, notebook, made / "student" / notebook.name)
        (target / "autograder").mkdir(parents=True)
        shutil.move(archive, target / "autograder" / f"{chapter}.zip")
        shutil.move(made / "student", target / "student")
        (target / "solutions").mkdir()
        for name in (notebook.name, "hidden_cases.py", "hidden_cases.json"):
            shutil.move(solved / name, target / "solutions")
        _execute(target / "solutions", notebook.name)


def _configure_kernels(folder: str) -> None:
    """Give the kernels settings of their own, not those of the person who builds.

    They say nothing but errors: otherwise each warns that it is reached over TCP.
    """
    profile = Path(folder) / "profile_default"
    profile.mkdir()
    (profile / "ipython_kernel_config.py").write_text(f"c.IPKernelApp.log_level = {ERROR}\n")
    os.environ["IPYTHONDIR"] = folder


def _build_whole(chapter, output, seed):
    """Build; again, where a kernel was given a port that another took: it dies before it begins."""
    with tempfile.TemporaryDirectory() as settings:
        _configure_kernels(settings)
        for left in reversed(range(TRIES)):
            try:
                build(chapter, output, seed)
                break
            except RuntimeError as error:
                if NEVER_BEGAN not in str(error) or not left:
                    raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("chapters", nargs="*", default=CHAPTERS)
    parser.add_argument(
        "--seed", required=True, help="your own number or word, from which hidden inputs are drawn"
    )
    given = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        jobs = [
            pool.submit(_build_whole, chapter, given.output, given.seed)
            for chapter in given.chapters
        ]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
