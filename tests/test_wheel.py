"""The wheel in another folder, as in someone's own notebook: nothing is read from the checkout."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version

import pytest
from packaging.requirements import Requirement

from tests.test_imports import imports_of
from tests.tracked import ROOT, copy_of_tree
from tunables.cli import main
from tunables.views.diagram import diagram
from tunables.views.explorer import explore

PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
SAMPLE = ROOT / "labs" / "samples" / "own" / "5-fits.csv"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ASKED_FOR = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["sweep"]
# Python imports this module by itself; the .venv of the checkout has the other packages.
WATCH = f"""
import sys
def refuse(event, arguments):
    path = str(arguments[0]) if event in ("open", "os.listdir", "os.scandir") else ""
    if path.startswith("{ROOT}/") and not path.startswith("{sys.prefix}/"):
        raise RuntimeError("reads the checkout: " + path)
sys.addaudithook(refuse)
"""
BUNDLE = "_build/front/widget.js"  # what `make widgets` builds for explorers in a notebook
EXPLORE = """
from tunables.views.explorer import explore
print(explore("rrd")._repr_mimebundle_()["text/html"])
"""
DRAW = """
from tunables.views.diagram import diagram
print(diagram("rrd")._repr_html_())
"""


def run(command, folder, **variables):
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)} | variables
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder that the wheel is installed into."""
    base = tmp_path_factory.mktemp("wheel")
    tree = copy_of_tree(base / "tree")
    (tree / BUNDLE).parent.mkdir(parents=True)
    (tree / BUNDLE).write_text("export default {}")
    run([*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", base, tree], base)
    (wheel,) = base.glob("*.whl")
    target = base / "site"
    run([*PIP, "install", "--no-index", "--no-deps", "--target", target, wheel], base)
    (target / "sitecustomize.py").write_text(WATCH)
    return target


@pytest.fixture
def elsewhere(installed, tmp_path):
    """Return a function that runs a command with the installed package, in a folder of its own."""
    return lambda *command: run(command, tmp_path, PYTHONPATH=str(installed))


def output_of(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.long
def test_the_watch_sees_the_checkout(elsewhere):
    with pytest.raises(AssertionError, match="reads the checkout"):
        elsewhere(sys.executable, "-c", f"open({str(SAMPLE)!r})")


def test_what_was_built_for_notebooks_is_in_the_wheel(installed):
    assert (installed / "tunables" / "front" / "widget.js").read_text() == "export default {}"


def test_its_command_lists_the_cases(installed, elsewhere, capsys):
    assert elsewhere(sys.executable, installed / "bin" / "tunables", "list") == output_of(
        capsys, "list"
    )


@pytest.mark.long
def test_it_reproduces_the_same_numbers(elsewhere, capsys):
    command = ["reproduce", "rrd", "--format", "json"]
    assert elsewhere(sys.executable, "-m", "tunables", *command) == output_of(capsys, *command)


@pytest.mark.long
def test_it_fits_numbers_of_the_readers_own(elsewhere, capsys, tmp_path):
    shutil.copy(SAMPLE, tmp_path / "own.csv")
    fitted = elsewhere(sys.executable, "-m", "tunables", "fit", "5", "own.csv")
    assert fitted == output_of(capsys, "fit", "5", str(SAMPLE))


@pytest.mark.long
def test_it_shows_the_explorer(elsewhere):
    html = explore("rrd")._repr_mimebundle_()["text/html"]
    assert elsewhere(sys.executable, "-c", EXPLORE) == html + "\n"


def test_it_shows_a_diagram(elsewhere):
    assert elsewhere(sys.executable, "-c", DRAW) == diagram("rrd")._repr_html_() + "\n"


def test_it_asks_for_what_it_imports_and_no_more():
    names = {
        name for path in ROOT.glob("tunables/**/*.py") for name in imports_of(path.read_text())
    }
    foreign = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"tunables"}
    distributions = packages_distributions()
    needed = {distributions[name][0].lower() for name in foreign}
    asked = {Requirement(line).name for line in ASKED_FOR}
    assert needed == asked


@pytest.mark.parametrize("line", ASKED_FOR)
def test_what_it_asks_for_is_what_the_book_is_made_with(line):
    wanted = Requirement(line)
    pins = (ROOT / "constraints.txt").read_text()
    (pinned,) = re.findall(rf"(?im)^{wanted.name}==(\S+)$", pins)
    assert wanted.specifier.contains(pinned)
    assert version(wanted.name) == pinned
