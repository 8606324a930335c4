"""The Python that the pages load: what all share and one chapter's part is enough for its page."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from book import page_python
from tests.test_imports import PAGE_HAS, imports_of
from tunables.page.chapters import CHAPTERS

ROOT = Path(__file__).parents[2]

PARTS = page_python.parts()
SIMULATIONS = page_python.simulations()
SLUGS = [chapter.slug for chapter in CHAPTERS]
RUN = """
import sys
from tunables.page.chapters import CHAPTERS
from tunables.page.problem import kinds, make_problem

for name in sys.argv[2:]:
    __import__(name)
for kind in kinds(sys.argv[1]):
    make_problem(sys.argv[1], 7, kind)
print([chapter.slug for chapter in CHAPTERS])
"""


AUDIT = """
from tunables.audit.session import answer
from tunables.page.problem import make_problem

text = "clients,tps,latency_ms\\n8,400,50\\n"
print(answer({"text": text})["tables"][0]["cells"][2]["verdict"], make_problem("audit", 1).kind)
"""


def test_there_is_a_part_for_each_chapter_and_one_that_all_share():
    assert sorted(PARTS) == sorted(["shared", "audit", *SLUGS])


def test_the_audit_is_a_part_of_its_own_which_answers_with_what_all_share(tmp_path):
    part = PARTS["audit"]
    assert not part.keys() & PARTS["shared"].keys()
    assert not [path for path in PARTS["shared"] if "/audit/" in path]
    assert not [path for slug in SLUGS for path in PARTS[slug] if "/audit/" in path]
    for path, source in (PARTS["shared"] | part).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    ran = subprocess.run(
        [sys.executable, "-c", AUDIT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ran.stdout.split() == ["impossible", "impossible-row"]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_part_has_no_other_chapters_python_and_nothing_that_is_shared(slug):
    part = PARTS[slug]
    chapters = {path.split("/")[2] for path in part if path.startswith("tunables/chapters/")}
    assert chapters == {slug}
    assert not part.keys() & PARTS["shared"].keys()


@pytest.mark.parametrize("slug", SLUGS)
def test_with_its_part_alone_a_chapters_models_and_problems_run(tmp_path, slug):
    part = PARTS[slug]
    for path, source in (PARTS["shared"] | part).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    models = [path.removesuffix(".py").replace("/", ".") for path in part if "/chapters/" in path]
    assert any(name.endswith("predictor") for name in models)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, slug, *models],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ran.stdout.strip() == str(SLUGS)


def statements(source):
    """Return what a module does, as text: its statements without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        if ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
            if len(node.body) > 1:
                del node.body[0]
    return ast.dump(tree)


def test_the_page_runs_the_packages_own_statements_without_docstrings_and_comments():
    made = [*PARTS.values(), *page_python.laws().values()]
    made += [each["python"] for each in SIMULATIONS.values()]
    sources = {path: text for part in made for path, text in part.items()}
    own = {path: text for path, text in sources.items() if not path.endswith("experiment.py")}
    assert len(own) > 50
    for path, text in own.items():
        whole = (ROOT / path).read_text()
        assert ast.dump(ast.parse(text)) == statements(whole), path
        assert len(text) < len(whole), path


def modules(sources):
    """Return the names of the modules, and of the packages, that some sources define."""
    return {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in sources
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_a_chapters_simulations_ask_for_nothing_that_the_page_lacks(slug):
    sources = SIMULATIONS[slug]["python"]
    there = modules(PARTS["shared"] | PARTS[slug] | sources)
    for path, source in sources.items():
        for name in imports_of(source):
            known = name in there or name.rpartition(".")[0] in there
            assert known or name.partition(".")[0] in PAGE_HAS, f"{path}: the page has no {name}"


@pytest.mark.parametrize("slug", SLUGS)
def test_each_experiment_that_a_simulation_calls_is_an_entry_of_the_chapters_kernels(slug):
    entries = SIMULATIONS[slug].get("kernels", {"entries": {}})["entries"]
    called = [
        name.split(".")[-2:]
        for path, source in SIMULATIONS[slug]["python"].items()
        if path.endswith("simulation.py")
        for name in imports_of(source)
        if name.rpartition(".")[0].endswith("experiment")
    ]
    assert {".".join(words) for words in called} <= entries.keys()


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_simulated_is_not_fetched_with_the_page(slug):
    paths = SIMULATIONS[slug]["python"].keys()
    assert "tunables/page/simulation.py" in paths
    assert not paths & (PARTS["shared"].keys() | PARTS[slug].keys())
