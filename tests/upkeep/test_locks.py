"""What is installed is pinned, by hash, and no lock says where from."""

import json
import re
from importlib.metadata import distributions

import pytest

from upkeep.locks import CONSTRAINTS, LOCKS, REQUIREMENTS, ROOT, Entries, direct, entries, includes

PINS = entries(CONSTRAINTS.read_text())
HASH = r" \\\n    --hash=sha256:[0-9a-f]{64}"
# A package may stay unhashed where nothing is fetched: the project's own folder.
OWN = ("--no-deps", "--no-build-isolation")


def name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[=]", text)[0]).lower()


def lock_entries(file: str) -> Entries:
    """Return what a lock has, with the locks that it includes."""
    text = (LOCKS / file).read_text()
    own = entries(re.sub(r"(?m)^-r .*\n", "", text))
    return {k: v for part in (*map(lock_entries, includes(text)), own) for k, v in part.items()}


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_every_file_of_a_version_has_its_hash(path):
    found = lock_entries(path.name)
    assert found
    for first, block in found.items():
        assert re.fullmatch(re.escape(first) + f"(?:{HASH})+", block), block


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_a_lock_has_what_its_requirements_ask_for(path):
    wanted = {name(line) + "==" + line.split("==")[1] for line in direct([path]).splitlines()}
    assert wanted
    assert wanted <= {first.split(" ;")[0] for first in lock_entries(path.name)}


def test_all_locks_have_the_versions_of_the_constraints_but_that_of_the_peers():
    versions = {first.split(" ;")[0] for first in PINS}
    for path in REQUIREMENTS:
        if path.name != "requirements-peers.txt":
            assert {first.split(" ;")[0] for first in lock_entries(path.name)} <= versions
    assert (
        not {first.split(" ;")[0] for first in lock_entries("requirements-peers.txt")} <= versions
    )


def test_nothing_is_installed_here_that_is_not_pinned():
    pinned = {first.split(" ;")[0] for first in PINS}
    here = {f"{name(d.name)}=={d.version}" for d in distributions()}
    assert {found for found in here - pinned if name(found) not in ("pip", "tunables")} == set()


@pytest.mark.parametrize("folder", [ROOT, ROOT / "upkeep" / "mutation"], ids=lambda path: path.name)
def test_npm_s_lock_has_a_hash_of_every_package(folder):
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert len(packages) > 100
    for path, about in packages.items():
        assert not path or about["integrity"].startswith("sha512-"), path
        assert "resolved" not in about, path


@pytest.mark.parametrize("path", [*LOCKS.iterdir(), CONSTRAINTS], ids=lambda path: path.name)
def test_no_lock_names_a_host(path):
    assert "://" not in path.read_text()


def test_all_that_is_installed_is_installed_by_hash():
    """Lines of the Makefile, of Binder's script and of the pages, after their variables."""
    make = (ROOT / "Makefile").read_text()
    short = dict(re.findall(r"(?m)^(\w+) := (-m pip .*|\$\(PIP_INSTALL\).*)$", make))
    text = make + (ROOT / "binder" / "postBuild").read_text() + (ROOT / "README.md").read_text()
    for key, meant in reversed(short.items()):
        text = text.replace(f"$({key})", meant)
    found = [line for line in text.splitlines() if "-m pip install" in line and ":=" not in line]
    assert len(found) > 6, found
    for line in found:
        assert "--require-hashes" in line or all(flag in line for flag in OWN), line


def test_every_action_is_pinned_by_its_commit():
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    used = re.findall(r"(?m)uses: (.*)$", "".join(path.read_text() for path in workflows))
    assert len(used) > 4
    for action in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action), action
