"""A model: parameters in, outputs out, and what is drawn of it; a card's is nothing more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tunables.base.arguments import choice, flag, integer, number, refuse, text
from tunables.base.refusals import refusal

Setting = float | str
Scale = Literal["linear", "log"]

ORIGINS = ("published", "calibrated", "assumed")


def _sequence(name: str, values: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(values, (tuple, list)):
        refuse(name, values, "a tuple of texts")
    return tuple(values)


@dataclass(frozen=True)
class Parameter:
    """One argument of a model's `predict`.

    `origin` says how its default is known and `source` where: "published" (the place in the
    document), "calibrated" (the number that it was fitted to) or "assumed" (why).
    A parameter has either a range (`low` to `high`, on a "linear" or "log" scale, in whole
    numbers if `integer`) or `choices`; readers then see the `choice_texts`, where links hold the
    choices.
    Raises ValueError for an unknown origin or scale, a default outside the range, texts for
    some choices only, and what is no text or number where one is asked for.
    """

    name: str
    label: str
    unit: str
    default: Setting
    origin: str
    source: str
    low: float = 0.0
    high: float = 1.0
    scale: Scale = "linear"
    integer: bool = False
    choices: tuple[str, ...] = ()
    choice_texts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in ("name", "label", "unit", "source"):
            text(f"{part} of {self.name}", getattr(self, part))
        for part in ("low", "high"):
            number(f"{part} of {self.name}", getattr(self, part))
        for part in ("choices", "choice_texts"):
            for each in _sequence(f"{part} of {self.name}", getattr(self, part)):
                text(f"{part} of {self.name}", each)
        flag(f"integer of {self.name}", self.integer)
        if len(self.choice_texts) not in (0, len(self.choices)):
            raise refusal(
                f"choice_texts of {self.name} = {self.choice_texts!r}: must have one text "
                "per choice"
            )
        choice(f"origin of {self.name}", self.origin, ORIGINS)
        choice(f"scale of {self.name}", self.scale, get_args(Scale))
        self.check(self.default)

    def text(self, value: str) -> str:
        """Return what a reader sees of a choice."""
        return dict(zip(self.choices, self.choice_texts, strict=False)).get(value, value)

    def check(self, value: Setting) -> Setting:
        """Return value, or raise ValueError if this parameter may not have it."""
        if self.choices:
            return choice(self.name, value, self.choices)
        kind = integer if self.integer else number
        return kind(self.name, value, at_least=self.low, at_most=self.high)


@dataclass(frozen=True)
class Output:
    """One entry of what `predict` returns, and how many decimals of it are worth showing.

    `digits` None means three significant digits, where a reader's numbers may be of any size.
    """

    name: str
    label: str
    unit: str
    digits: int | None


@dataclass(frozen=True)
class View:
    """A chart of the explorer: output `y` over parameter `x`, on a grid of `points`."""

    x: str
    y: str
    title: str
    points: int = 81


@dataclass(frozen=True, kw_only=True)
class Model:
    """What an explorer needs: a closed form, its parameters, its outputs, its charts.

    `predict(**parameters) -> {output: float}` is the closed form, a function of that name in a
    module that runs in the page. `name` is what links and commands call the model, `chapter`
    the slug of its chapter. `main_outputs`, at most three, are what the explorer shows first
    (by default the first three), `main_parameters` those whose controls it shows first.
    """

    name: str
    chapter: str
    title: str
    document: str
    parameters: tuple[Parameter, ...]
    outputs: tuple[Output, ...]
    predict: Callable[..., dict[str, Any]]
    views: tuple[View, ...] = ()
    main_outputs: tuple[str, ...] = ()
    main_parameters: tuple[str, ...] = ()

    @property
    def predictor(self) -> str:
        """Where `predict` is, as "module:function": the page imports it."""
        return f"{self.predict.__module__}:{self.predict.__name__}"

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of that name; raises ValueError for an unknown one."""
        by_name = {parameter.name: parameter for parameter in self.parameters}
        return by_name[choice("parameter", name, list(by_name))]

    def settings(self, **changes: Setting) -> dict[str, Setting]:
        """Return all parameters at their defaults but for the changes given.

        Raises ValueError for an unknown name or a value out of range.
        """
        complete = self._with_defaults(changes)
        return {p.name: p.check(complete[p.name]) for p in self.parameters}

    def _with_defaults(self, changes: Mapping[str, Setting]) -> dict[str, Setting]:
        """Return all parameters as `settings` does, their values unchecked.

        Raises ValueError for an unknown name.
        """
        for name in changes:
            self.parameter(name)
        return {p.name: changes.get(p.name, p.default) for p in self.parameters}

    def output(self, name: str) -> Output:
        """Return the output of that name; raises ValueError for an unknown one."""
        by_name = {output.name: output for output in self.outputs}
        return by_name[choice("output", name, list(by_name))]
