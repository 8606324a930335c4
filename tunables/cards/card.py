"""An operator's card: a chapter's tunable, its knee in the reader's numbers, and what to do."""

import re
from dataclasses import dataclass, replace
from importlib import import_module

from tunables.arguments import choice
from tunables.cases.case import Case, Output, Parameter, Setting

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

    `model` computes the knee: a case without published numbers, whose outputs fill the {output}
    placeholders of the texts. Its output "verdict" is the sentence at the head of the card.
    Raises ValueError for a placeholder that is no output of the model.
    """

    model: Case
    tunable: str
    knee: str
    failure: str
    watch: tuple[Watch, ...]
    steps: tuple[str, ...]
    roll_back: str

    def __post_init__(self) -> None:
        outputs = [output.name for output in self.model.outputs]
        for text in self.texts():
            for name in PLACEHOLDER.findall(text):
                choice(f"placeholder in the card of chapter {self.model.chapter}", name, outputs)

    def texts(self) -> list[str]:
        """Return all texts that may hold placeholders."""
        alerts = [watch.alert for watch in self.watch]
        return [self.tunable, self.knee, self.failure, *alerts, *self.steps, self.roll_back]


def card_model(
    case: Case, predictor: str, parameters: tuple[Parameter, ...], outputs: tuple[Output, ...]
) -> Case:
    """Return the model of the card of a case's chapter; predictor: the module of its `predict`."""
    return Case(
        name=f"card{case.chapter}",
        chapter=case.chapter,
        title=f"Operator's card: {case.title}",
        document=case.document,
        predictor=predictor,
        parameters=parameters,
        outputs=(Output("verdict", "Where you stand", "", 0), *outputs),
        numbers=(),
        views=(),
        predict=import_module(predictor).predict,
        simulate=lambda seed, **_: {},  # the case has the simulation
    )


def borrowed(case: Case, name: str, factor: float = 1.0, /, **changes) -> Parameter:
    """Return a case's parameter with some fields changed, its default times factor.

    A card opens with the report's numbers and takes a wider range, since a reader brings others.
    Raises ValueError for a parameter that the case has not.
    """
    by_name = {parameter.name: parameter for parameter in case.parameters}
    parameter = by_name[choice("parameter", name, list(by_name))]
    default: Setting = parameter.default
    if not isinstance(default, str):
        default *= factor
    return replace(parameter, **({"default": default} | changes))
