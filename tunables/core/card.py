"""An operator's card: a chapter's tunable, its knee in the reader's numbers, and what to do."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tunables.base.arguments import choice
from tunables.base.units import unit_text
from tunables.core.model import Model, Output, Parameter, Setting
from tunables.page.chapters import find_chapter
from tunables.page.formats import shortest

PLACEHOLDER = re.compile(r"\{(\w+)\}")
ROLL_BACK = "When to roll back"


@dataclass(frozen=True)
class Watch:
    """A metric to graph, its unit, and the alert: when to page an operator.

    The alert fires while the metric is on `side` ("above" or "below") of `threshold`, which is
    the name of an output of the card's model, or a fixed number, in the same unit. `lasting` says
    for how long ("for a minute"). `states`: those of the card in which the alert applies, all if
    it is empty.
    Raises ValueError for another side.
    """

    metric: str
    unit: str
    side: str
    threshold: str | float
    lasting: str = ""
    states: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choice(f"side of {self.metric}", self.side, ("above", "below"))

    @property
    def alert(self) -> str:
        """The alert in words, with a placeholder for a threshold that the model computes."""
        if (self.side, self.threshold) == ("above", 0):
            return f"any, {self.lasting}" if self.lasting else "any"
        named = isinstance(self.threshold, str)
        value = f"{{{self.threshold}}}" if named else shortest(self.threshold)
        return f"{self.side} {value}{unit_text(self.unit)} {self.lasting}".rstrip()

    def fires(self, value: float, outputs: Mapping[str, Any]) -> bool:
        """Say whether the alert fires at a value of the metric, given the model's outputs."""
        if self.states and outputs["state"] not in self.states:
            return False
        limit = outputs[self.threshold] if isinstance(self.threshold, str) else self.threshold
        return value > limit if self.side == "above" else value < limit


@dataclass(frozen=True)
class When:
    """A text of a card that is shown only in some of the card's states.

    `title` stands over a roll-back; another than the usual one is for a text that says when to end
    a first aid, or what to do if it fails.
    """

    states: tuple[str, ...]
    text: str
    title: str = ROLL_BACK


@dataclass(frozen=True)
class Card:
    """What an operator needs of one chapter on one page.

    `model` computes the knee: its outputs fill the {output} placeholders of the texts, and its
    output "verdict" is the sentence at the head of the card. `states` are all that its output
    "state" may be, if the advice depends on the state that the system is in; a step, a roll-back
    or a warning is then a `When` if it is safe to follow in some states only.
    `never` holds what makes an incident worse, each a sentence that begins with "Don't".
    Raises ValueError for a placeholder that is no output of the model, for an unknown state, and
    for a state with a space, which would be two states in the page.
    """

    model: Model
    tunable: str
    knee: str
    failure: str
    watch: tuple[Watch, ...]
    steps: tuple[str | When, ...]
    roll_back: str | tuple[str | When, ...]
    never: tuple[str | When, ...] = ()
    states: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for state in self.states:
            if " " in state:
                raise ValueError(f"state {state!r}: must not contain a space")
        conditional = (*self.watch, *self.steps, *self.roll_backs(), *self.never)
        for each in conditional:
            for state in () if isinstance(each, str) else each.states:
                choice(f"state in the card of {self.model.chapter}", state, self.states)
        outputs = [output.name for output in self.model.outputs]
        for text in self.texts():
            for name in PLACEHOLDER.findall(text):
                choice(f"placeholder in the card of {self.model.chapter}", name, outputs)

    def roll_backs(self) -> tuple[str | When, ...]:
        """Return when to roll back, as a tuple of one text or of several."""
        return (self.roll_back,) if isinstance(self.roll_back, str) else self.roll_back

    def texts(self) -> list[str]:
        """Return all texts that may hold placeholders."""
        alerts = [watch.alert for watch in self.watch]
        words = [self.tunable, self.knee, self.failure, *alerts]
        return [*words, *map(plain_text, (*self.steps, *self.roll_backs(), *self.never))]

    def steps_in(self, state: str) -> list[str]:
        """Return the steps that the card shows in one of its states, with their placeholders."""
        return [plain_text(step) for step in self.steps if is_shown_in(step, state)]


def plain_text(text: str | When) -> str:
    """Return the text, without the states in which it is shown."""
    return text if isinstance(text, str) else text.text


def is_shown_in(text: str | When | Watch, state: str) -> bool:
    """Say whether a card shows a text, or a row of its table, in a state."""
    return isinstance(text, str) or not text.states or state in text.states


def card_model(
    of: Model,
    predict: Callable[..., dict[str, Any]],
    parameters: tuple[Parameter, ...],
    outputs: tuple[Output, ...],
    main: tuple[str, str, str],
    states: bool = False,
) -> Model:
    """Return the model of a card: what `predict` of a chapter's `knee` makes of a reader's numbers.

    of: the case whose tunable it is, which gives chapter, title and document. main: the three
    outputs that the card shows large. states: whether `predict` returns an output "state", on
    which the card's advice depends.
    """
    first = [Output("verdict", "Where you are", "", 0)]
    if states:
        first.append(Output("state", "State", "", 0))
    return Model(
        name=f"card{find_chapter(of.chapter).number}",
        chapter=of.chapter,
        title=f"Operator’s card: {of.title}",
        document=of.document,
        parameters=parameters,
        outputs=(*first, *outputs),
        predict=predict,
        main_outputs=main,
    )


def borrow_parameter(of: Model, name: str, factor: float = 1.0, /, **changes) -> Parameter:
    """Return a model's parameter with some fields changed, its default times factor.

    A card opens with the report's numbers and takes a wider range, since a reader brings others.
    Raises ValueError for a parameter that the model does not have.
    """
    parameter = of.parameter(name)
    default: Setting = parameter.default
    if not isinstance(default, str):
        default *= factor
    return replace(parameter, **({"default": default} | changes))
