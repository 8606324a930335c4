"""An operator's card: a chapter's tunable, its knee in the reader's numbers, and what to do."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tunables.page.chapters import find_chapter
from tunables.parts.model import Model, Output, Parameter, Setting
from tunables.plain.arguments import choice

PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Watch:
    """A metric to graph, its unit, and when to wake somebody."""

    metric: str
    unit: str
    alert: str


@dataclass(frozen=True)
class Card:
    """What an operator needs of one chapter on one page.

    `model` computes the knee: its outputs fill the {output} placeholders of the texts, and its
    output "verdict" is the sentence at the head of the card.
    `today` names the same tunable in present software; `never` says what makes an incident worse.
    Raises ValueError for a placeholder that is no output of the model.
    """

    model: Model
    tunable: str
    knee: str
    failure: str
    watch: tuple[Watch, ...]
    steps: tuple[str, ...]
    roll_back: str
    today: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        outputs = [output.name for output in self.model.outputs]
        for text in self.texts():
            for name in PLACEHOLDER.findall(text):
                choice(f"placeholder in the card of {self.model.chapter}", name, outputs)

    def texts(self) -> list[str]:
        """Return all texts that may hold placeholders."""
        alerts = [watch.alert for watch in self.watch]
        words = [self.tunable, self.knee, self.failure, *alerts, *self.steps, self.roll_back]
        return [*words, *self.today, *self.never]


def card_model(
    of: Model,
    predict: Callable[..., dict[str, Any]],
    parameters: tuple[Parameter, ...],
    outputs: tuple[Output, ...],
) -> Model:
    """Return the model of a card: what `predict` of a chapter's `knee` makes of a reader's numbers.

    of: the case whose tunable it is, which gives chapter, title and document.
    """
    return Model(
        name=f"card{find_chapter(of.chapter).number}",
        chapter=of.chapter,
        title=f"Operator's card: {of.title}",
        document=of.document,
        parameters=parameters,
        outputs=(Output("verdict", "Where you stand", "", 0), *outputs),
        predict=predict,
    )


def borrowed(of: Model, name: str, factor: float = 1.0, /, **changes) -> Parameter:
    """Return a model's parameter with some fields changed, its default times factor.

    A card opens with the report's numbers and takes a wider range, since a reader brings others.
    Raises ValueError for a parameter that the model has not.
    """
    parameter = of.parameter(name)
    default: Setting = parameter.default
    if not isinstance(default, str):
        default *= factor
    return replace(parameter, **({"default": default} | changes))
