"""Lists what the book is built with and what its pages load: a bill of materials, in CycloneDX.

    python -m upkeep.sbom FILE

reads the locks of pip and npm. `make book` puts the file beside the licences. Packages used only
in development have the scope "excluded". The same locks give the same bytes: the file holds no
time, no random number and no address.
"""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from upkeep.locks import LOCKS, ROOT, direct, entries


def _component(kind: str, name: str, version: str, **more: object) -> dict:
    purl = f"pkg:{kind}/{quote(name)}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "purl": purl,
        "name": name.rpartition("/")[2],
        "version": version,
        **more,
    }


def pip_components() -> Iterator[dict]:
    """Yield what `make book` installs. A package has many files: their hashes are in the lock."""
    for first in entries((LOCKS / "requirements.txt").read_text()):
        name, version = first.split(" ;")[0].split("==")
        yield _component("pypi", name, version, scope="required")


def _licences(text: str) -> list[dict]:
    """Return a licence as CycloneDX has it: one id, or an expression of several."""
    return [{"expression": text} if " " in text else {"license": {"id": text}}]


def npm_components(packages: dict[str, dict]) -> Iterator[dict]:
    """Yield the packages of npm's lock, each with its hash and licence."""
    for path, about in packages.items():
        if not path:
            continue  # the book itself
        name = path.rpartition("node_modules/")[2]
        algorithm, _, digest = about["integrity"].partition("-")
        assert algorithm == "sha512", name
        more: dict = {"scope": "excluded" if about.get("dev") else "required"}
        more["hashes"] = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
        if "license" in about:
            more["licenses"] = _licences(about["license"])
        if "/" in name:
            more["group"] = name.partition("/")[0]
        yield _component("npm", name, about["version"], **more)


def direct_dependencies(packages: dict[str, dict]) -> set[str]:
    """Return the references of the packages that the book itself names."""
    lines = direct([ROOT / "requirements.txt"]).splitlines()
    names = {**packages[""]["dependencies"], **packages[""]["devDependencies"]}
    named = {path: packages[path] for path in (f"node_modules/{name}" for name in names)}
    python = {f"pkg:pypi/{line.replace('==', '@')}" for line in lines}
    return python | {part["bom-ref"] for part in npm_components(named)}


def sbom() -> str:
    """Return the bill as JSON."""
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    found = {part["bom-ref"]: part for part in (*pip_components(), *npm_components(packages))}
    book = {"ref": "tunables", "dependsOn": sorted(direct_dependencies(packages))}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "tunables", "bom-ref": "tunables"}
        },
        "components": [found[reference] for reference in sorted(found)],
        "dependencies": [*({"ref": reference} for reference in sorted(found)), book],
    }
    return json.dumps(bill, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(sbom())
