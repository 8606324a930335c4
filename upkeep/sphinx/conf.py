"""The book by Sphinx alone: what Jupyter Book 1 makes of _config.yml and of its own defaults.

`make sphinx` builds by it. Should Jupyter Book 1 go, this file goes to the top and its values
take the place of _config.yml.
"""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "_config.yml").read_text())
HTML, SPHINX = BOOK["html"], BOOK["sphinx"]

sys.modules["jupyter_book"] = None  # type: ignore[assignment] # nothing here may need it
sys.path[:0] = sorted({str(ROOT / folder) for folder in SPHINX["local_extensions"].values()})

author, copyright, html_title = BOOK["author"], BOOK["copyright"], BOOK["title"]
extensions = [
    *("sphinx_togglebutton", "sphinx_copybutton", "myst_nb", "sphinx_thebe", "sphinx_external_toc"),
    *("sphinx.ext.intersphinx", "sphinx_design", "sphinx_book_theme"),
    *SPHINX["extra_extensions"],
    *SPHINX["local_extensions"],
    *("sphinxcontrib.bibtex", "sphinx_multitoc_numbering"),
]
external_toc_path = str(ROOT / "book" / "_toc.yml")
external_toc_exclude_missing = BOOK["only_build_toc_files"]
exclude_patterns = BOOK["exclude_patterns"]
numfig = True
pygments_style = "sphinx"
suppress_warnings = ["myst.domains"]
bibtex_bibfiles = [str(ROOT / path) for path in BOOK["bibtex_bibfiles"]]
use_multitoc_numbering = True

myst_enable_extensions = ["colon_fence", "dollarmath", "linkify", "substitution", "tasklist"]
myst_url_schemes = ["mailto", "http", "https"]
nb_execution_mode = BOOK["execute"]["execute_notebooks"]

html_theme = "sphinx_book_theme"
html_logo, html_favicon = str(ROOT / BOOK["logo"]), str(ROOT / HTML["favicon"])
html_sourcelink_suffix = ""
html_theme_options = {
    "search_bar_text": "Search this book...",
    "launch_buttons": BOOK["launch_buttons"],
    "path_to_docs": "",
    "repository_url": BOOK["repository"]["url"],
    "repository_branch": BOOK["repository"]["branch"],
    "extra_footer": HTML["extra_footer"],
    "home_page_in_toc": HTML["home_page_in_navbar"],
    "use_repository_button": HTML["use_repository_button"],
    "use_issues_button": HTML["use_issues_button"],
    **SPHINX["config"]["html_theme_options"],
}
globals().update({k: v for k, v in SPHINX["config"].items() if k != "html_theme_options"})
html_static_path = [str(ROOT / path) for path in SPHINX["config"]["html_static_path"]]
