"""Everything that others wrote and the pages load has its licence with the site."""

import json
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.chapters.notebooks import ROOT
from upkeep.sbom import sbom

BUILD = ROOT / "_build"
STATIC = BUILD / "html" / "_static"
TEXT = STATIC / "vendor" / "licences.txt"
BUNDLES = {"begin", "tunables", "worker", "vega", "styles", "lab", "lab_styles"} | {
    "tunablesAudit",
    "audit_styles",
    "embed_styles",
}
LABS = {
    f"{'tunablesLabs' if path.stem == 'lab' else 'worker'}.{path.parent.name}"
    for path in (ROOT / "book" / "_static" / "labs").glob("*/*.js")
    if path.stem in ("lab", "worker")
}
LEFT_OUT = ROOT / "book" / "licences"
# Where a version is written that the title of a text must name.
VERSIONS = {
    "bootstrap": ("scripts/bootstrap.js.LICENSE.txt", r"Bootstrap v([\d.]+)"),
    "@fortawesome/fontawesome-free": ("scripts/fontawesome.js.LICENSE.txt", r"Free ([\d.]+)"),
    "clipboard.js": ("clipboard.min.js", r"clipboard.js v([\d.]+)"),
}


@pytest.fixture(scope="module")
def sections():
    """Return the text of each title."""
    assert TEXT.exists(), "the book is not built: run `make book` first"
    found: dict[str, str] = {}
    for section in TEXT.read_text(encoding="utf-8-sig").split("\n" + "=" * 78 + "\n")[1:]:
        titles, _, text = section.partition("\n\n")
        found |= {title: text for title in titles.split("\n")}
    return found


def plain(text):
    return " ".join(text.split())


def packages(paths):
    found = (re.search(r"node_modules/((?:@[^/]+/)?[^/]+)", path) for path in paths)
    return {match[1] for match in found if match}


def shipped_packages():
    """Return the npm packages in the bundles, by esbuild's record, and those copied whole."""
    records = list((BUILD / "bundles").glob("*.json"))
    assert {path.stem for path in records} == BUNDLES | LABS
    inputs = [path for record in records for path in json.loads(record.read_text())["inputs"]]
    copied = {"katex", "@micropython/micropython-webassembly-pyscript"}
    fonts = {f"@fontsource-variable/source-{name}" for name in ("sans-3", "serif-4")}
    return packages(inputs) | copied | fonts


def test_every_npm_package_that_is_shipped_has_its_licence(sections):
    found = shipped_packages()
    assert {"vega-view", "d3-scale", "katex", "@sqlite.org/sqlite-wasm"} <= found
    for package in found:
        folder = ROOT / "node_modules" / package
        about = json.loads((folder / "package.json").read_text())
        text = sections[f"{package} {about['version']} ({about['license']})"]
        own = [path for path in folder.iterdir() if path.stem.lower() in ("license", "licence")]
        for path in own:
            assert plain(path.read_text()) in plain(text)
        assert own or "Permission is hereby granted" in text or "Apache License" in text
        assert "Copyright" in text or "Unlicense" in about["license"]


def test_what_the_theme_bundles_has_its_licence(sections):
    """The theme's source maps say what went into its scripts and styles."""
    maps = list(STATIC.rglob("*.map"))
    found = packages(source for path in maps for source in json.loads(path.read_text())["sources"])
    assert "bootstrap" in found
    for package in found:
        (text,) = [
            text for title, text in sections.items() if re.split("[ ,]", title)[0] == package
        ]
        assert "Permission is hereby granted" in plain(text) or "CC BY" in text


@pytest.mark.parametrize("package", VERSIONS)
def test_a_text_that_was_left_out_is_of_the_version_that_is_shipped(sections, package):
    file, pattern = VERSIONS[package]
    (version,) = re.findall(pattern, (STATIC / file).read_text(encoding="utf-8"))
    assert [title for title in sections if title.startswith(f"{package} {version},")]


def test_every_text_that_was_left_out_stands_there(sections):
    for path in LEFT_OUT.glob("*.txt"):
        title, text = path.read_text().split("\n", 1)
        assert plain(text) in plain(sections[title])


def test_every_font_has_the_licence_that_it_names(sections):
    """Packages of fonts name a licence, and not whose it is."""
    fonts = {p.name for p in STATIC.rglob("*") if p.suffix in (".woff2", ".woff", ".ttf", ".otf")}
    text = {
        "KaTeX": sections["KaTeX's fonts (OFL 1.1)"],
        "fa": next(text for title, text in sections.items() if "fontawesome" in title),
        "cut": sections["Source Serif 4 and Source Sans 3, cut to the signs of the book (OFL 1.1)"],
    }
    cut = {f"{name}.woff2" for name in ("serif", "serif-italic", "display", "sans")}
    assert cut < fonts
    kinds = {"cut" if font in cut else re.split("[_-]", font)[0] for font in fonts}
    assert kinds == set(text)
    for licence in text.values():
        assert "SIL OPEN FONT LICENSE" in licence
        assert "Reserved Font Name" in licence
    families = {re.split(r"[-.]", font)[0] for font in fonts if font.startswith("KaTeX")}
    assert families == set(re.findall(r"KaTeX_\w+", text["KaTeX"]))


def test_the_bill_of_materials_goes_with_the_site(sections):
    shipped = TEXT.with_name("sbom.cdx.json")
    assert shipped.read_text() == sbom()
    assert shipped.name in TEXT.read_text(encoding="utf-8-sig")


def stems(files):
    return {Path(str(file)).name.split(".")[0] for file in files}


def test_every_file_of_the_theme_belongs_to_a_package_that_is_named(sections):
    named = [title.split(" ")[0] for title in sections]
    known = stems((ROOT / "book" / "_static").rglob("*"))
    known |= {"pygments", "style-attributes"}  # which Pygments and the build write
    assert "Pygments" in named
    for name in named:
        if re.match(r"(sphinx|myst|pydata)", name, re.IGNORECASE):
            known |= stems(distribution(name).files or ())
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    known |= {path.stem for path in STATIC.glob("previews/*.png")}  # drawn from our stills
    strange = {path for path in files if path.name.split(".")[0] not in known}
    assert {path for path in strange if "vendor" not in path.parts} == set()


@pytest.mark.parametrize("page", ["book/index.html", "chapters/03-cache-cliff.html", "search.html"])
def test_the_foot_of_a_page_leads_there(page):
    html = (BUILD / "html" / page).read_text(encoding="utf-8")
    (address,) = re.findall(r'<a href="([^"]+)">Licences of what the pages load</a>', html)
    assert (BUILD / "html" / page).parent.joinpath(address).resolve() == TEXT.resolve()
