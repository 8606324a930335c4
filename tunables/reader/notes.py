"""What a ledger leaves to say of a case: its degrees of freedom, its rival, its remarks."""

from dataclasses import dataclass
from html import escape

from tunables.parts.case import Case
from tunables.parts.freedom import degrees_of_freedom
from tunables.parts.rival import earned


@dataclass(frozen=True)
class Notes:
    """Sentences, and remarks on single numbers: text in the terminal, HTML in a notebook."""

    sentences: tuple[str, ...]
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *(f"- {remark}" for remark in self.remarks)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        items = "".join(f"<li>{escape(remark)}</li>" for remark in self.remarks)
        return f"{paragraphs}<ul>{items}</ul>" if items else paragraphs


def ledger_notes(case: Case) -> Notes:
    """Return the notes of a case; a remark on several numbers stands once."""
    labels: dict[str, list[str]] = {}
    for number in case.numbers:
        if number.remark:
            labels.setdefault(number.remark, []).append(number.label)
    remarks = tuple(f"{'; '.join(of)}: {remark}." for remark, of in labels.items())
    return Notes((degrees_of_freedom(case), earned(case)), remarks)
