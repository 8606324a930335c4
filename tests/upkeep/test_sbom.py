"""The bill of materials is valid and of these locks."""

import json
import os
import subprocess
import sys
from urllib.parse import unquote

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from upkeep.locks import LOCKS, ROOT, direct, entries
from upkeep.sbom import sbom

PACKAGES = json.loads((ROOT / "package-lock.json").read_text())["packages"]
BILL = sbom()


def test_it_is_what_its_format_allows():
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(BILL) is None
    assert validator.validate_str(BILL.replace('"library"', '"book"')) is not None


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_order_of_sets_does_not_change_it(seed):
    command = [sys.executable, "-c", "from upkeep.sbom import sbom; print(sbom(), end='')"]
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    assert subprocess.check_output(command, env=environment, text=True) == BILL


def test_it_says_what_the_book_itself_asks_for():
    found = {one["ref"]: one.get("dependsOn", []) for one in json.loads(BILL)["dependencies"]}
    names = {unquote(ref).partition("/")[2].rpartition("@")[0] for ref in found["tunables"]}
    python = {line.split("==")[0] for line in direct([ROOT / "requirements.txt"]).splitlines()}
    assert names == python | {*PACKAGES[""]["dependencies"], *PACKAGES[""]["devDependencies"]}


def test_it_has_every_package_of_both_locks():
    found = json.loads(BILL)["components"]
    python = entries((LOCKS / "requirements.txt").read_text())
    assert sum(part["purl"].startswith("pkg:pypi/") for part in found) == len(python)
    names = {f"{part.get('group', '')}/{part['name']}@{part['version']}" for part in found}
    for path, about in PACKAGES.items():
        package = path.rpartition("node_modules/")[2]
        package = package if "/" in package else f"/{package}"
        assert not path or f"{package}@{about['version']}" in names


def test_it_says_what_the_pages_load():
    found = json.loads(BILL)["components"]
    vega, eslint = (next(p for p in found if p["name"] == name) for name in ("vega", "eslint"))
    assert (vega["scope"], eslint["scope"]) == ("required", "excluded")
    assert vega["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]
