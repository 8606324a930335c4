"""Where a chapter uses the words of the glossary, and which of them lead there.

`python -m tests.chapters.terms` links the first uses in all chapters, after the text has changed.
"""

import json
import re
from pathlib import Path

from tests.chapters.notebooks import CHAPTERS_AND_EVIDENCE, ROOT

GLOSSARY = ROOT / "book" / "glossary.md"
# Forms that do not follow from the term by adding "s".
IRREGULAR = {
    "retry": ["retry", "retries"],
    "retry storm": ["retry storm", "retry storms", "the storm"],
    "flush": ["flush", "flushes"],
    "group commit": ["group commit"],
    "timeout": ["timeout", "timeouts"],
    "utilisation": ["utilisation"],
    "service demand": ["service demand", "service demands"],
    "ratchet": ["ratchet"],
    "lateness": ["lateness"],
    "identity": ["*identity*"],
    "bound": ["*bound*"],
    "calibrated": ["calibrated"],
    "MTU": ["MTU", "MTUs"],
    "SRPT": ["SRPT"],
    "LRU": ["LRU"],
    "Little's law": ["Little's law"],
    "round-trip time": ["round-trip time", "round-trip times", "round trip", "round trips"],
    "closed system": ["closed system", "closed queueing network", "closed network"],
    "LCR": ["LCR", "LCRs"],
    "processor sharing": ["processor sharing"],
    "goodput": ["goodput"],
    "backoff": ["backoff"],
    "lag": ["lag"],
}
TERM_ROLE = re.compile(r"\{term\}`([^`<]*?)(?:\s*<([^`>]+)>)?`")
# What is no running prose: its words are not linked.
PROTECTED = re.compile(
    r"^(?:#{1,6} [^\n]*|:\w[^\n]*|\|[ :|-]+\|)$"  # headings, options, rules of tables
    r"|^(?P<fence>`{3,})\{(?:exercise|solution|bibliography).*?^(?P=fence)$"
    r"|^`{3,}[^\n]*$"  # the opening line of a block, with its title
    r"|<!--.*?-->"
    r"|<figure.*?</figure>"  # HTML, in which a role is printed as it is typed
    r"|\$\$.*?\$\$|\$[^$\n]+\$"
    r"|\{(?!term)[\w:]+\}`[^`]*`|(?<![\w}`])`[^`\n]+`"
    r"|\[[^\]\n]*\]\([^)\n]*\)",
    re.MULTILINE | re.DOTALL,
)


def glossary_terms() -> list[str]:
    """Return the terms of the glossary, in its order."""
    body = GLOSSARY.read_text(encoding="utf-8").split("```{glossary}\n")[1].split("```")[0]
    return [line for line in body.splitlines() if line and not line.startswith(" ")]


def forms(term: str) -> re.Pattern:
    """Return what matches the term in running prose."""
    words = sorted(IRREGULAR.get(term, [term, f"{term}s"]), key=len, reverse=True)
    flags = 0 if term.isupper() else re.IGNORECASE
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in words)})(?![\w-])".replace(
            r"\ ", r"\s"
        ),
        flags,
    )


def blank(text: str) -> str:
    """Return text of the same length in which only running prose is left."""
    return PROTECTED.sub(lambda m: re.sub(r"[^\n]", "\0", m[0]), text)


def links_by_term(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return where the text leads to each term (in lower case)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for match in TERM_ROLE.finditer(text):
        found.setdefault((match[2] or match[1]).lower(), []).append(match.span())
    return found


def first_uses(text: str) -> dict[str, tuple[int, int]]:
    """Return the place of the first use of each term in running prose.

    The words of a longer term ("miss-ratio curve", "retry storm") are not uses of a shorter one.
    """
    rest = blank(text)
    places: dict[str, tuple[int, int]] = {}
    for term in sorted(glossary_terms(), key=len, reverse=True):
        matches = list(forms(term).finditer(rest))
        if matches:
            places[term] = matches[0].span()
        for match in reversed(matches):
            if " " in term:
                rest = rest[: match.start()] + "\0" * len(match[0]) + rest[match.end() :]
    return places


def link_first_uses(text: str) -> str:
    """Return the text with the first use of each term linked, and no other use."""
    text = TERM_ROLE.sub(lambda m: m[1], text)
    places = [(span, term) for term, span in first_uses(text).items()]
    for (start, end), term in sorted(places, reverse=True):
        word = text[start:end].strip("*")
        role = f"{{term}}`{word}`" if word == term else f"{{term}}`{word} <{term}>`"
        text = text[:start] + text[start:end].replace(word, role) + text[end:]
    return text


def relink(path: Path) -> None:
    """Link the first uses in a notebook, in place."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    between = "\n\n\1\n\n"
    text = link_first_uses(between.join("".join(cell["source"]) for cell in cells))
    for cell, source in zip(cells, text.split(between), strict=True):
        cell["source"] = source.splitlines(keepends=True)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for path in CHAPTERS_AND_EVIDENCE:
        relink(path)
