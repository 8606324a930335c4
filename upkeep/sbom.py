"""Lists what the book is made with and what its pages load: a bill of materials, in CycloneDX.

    python -m upkeep.sbom

writes locks/sbom.cdx.json from the locks of pip and npm. It goes with the site, beside the
licences. What serves development alone has the scope "excluded". The same locks give the same
bytes: there is no time in it, no random number and no address.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from upkeep.locks import LOCKS, ROOT, direct, entries

SBOM = LOCKS / "sbom.cdx.json"


def _component(kind: str, group: str, name: str, version: str, **more: Any) -> Component:
    where = PackageURL(kind, group, name, version)
    return Component(
        name=name, group=group or None, version=version, purl=where, bom_ref=str(where), **more
    )


def of_pip() -> Iterator[Component]:
    """Yield what `make book` installs. One name has many files: their hashes are in the lock."""
    for first in entries((LOCKS / "requirements.txt").read_text()):
        name, version = first.split(" ;")[0].split("==")
        yield _component("pypi", "", name, version, scope=ComponentScope.REQUIRED)


def _licence(text: str) -> LicenseExpression | DisjunctiveLicense:
    return LicenseExpression(text) if " " in text else DisjunctiveLicense(id=text)


def of_npm(packages: dict[str, dict]) -> Iterator[Component]:
    """Yield what npm's lock has, with hash and licence."""
    for path, about in packages.items():
        if not path:
            continue  # the book itself
        whole = path.rpartition("node_modules/")[2]
        group, _, name = whole.rpartition("/")
        algorithm, _, digest = about["integrity"].partition("-")
        assert algorithm == "sha512", whole
        sha = HashType(alg=HashAlgorithm.SHA_512, content=base64.b64decode(digest).hex())
        scope = ComponentScope.EXCLUDED if about.get("dev") else ComponentScope.REQUIRED
        told = [_licence(about["license"])] if "license" in about else []
        version = about["version"]
        yield _component("npm", group, name, version, scope=scope, hashes=[sha], licenses=told)


def asked_for(packages: dict[str, dict]) -> set[str]:
    """Return the references of what the book itself asks for; the rest comes along."""
    lines = direct([ROOT / "requirements.txt"]).splitlines()
    names = {**packages[""]["dependencies"], **packages[""]["devDependencies"]}
    of_those = {f"node_modules/{name}": packages[f"node_modules/{name}"] for name in names}
    return {f"pkg:pypi/{line.replace('==', '@')}" for line in lines} | {
        part.bom_ref.value or "" for part in of_npm(of_those)
    }


def sbom() -> str:
    """Return the bill as JSON."""
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    book = Component(name="tunables", type=ComponentType.APPLICATION, bom_ref="tunables")
    found = {part.bom_ref.value: part for part in (*of_pip(), *of_npm(packages))}
    bom = Bom(components=found.values())
    bom.metadata.component = book
    bom.register_dependency(book, [found[reference] for reference in asked_for(packages)])
    made = json.loads(JsonV1Dot6(bom).output_as_string())
    del made["$schema"], made["serialNumber"], made["metadata"]["timestamp"]
    return json.dumps(made, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    SBOM.write_text(sbom())
