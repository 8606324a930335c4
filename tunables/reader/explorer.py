"""`explore(case)`: a case under the reader's hands, in a notebook and in a page."""

import json

from tunables.page.answer import answer, numbers
from tunables.page.explorer import Page
from tunables.parts.case import Case
from tunables.parts.model import Model, Setting
from tunables.parts.registry import find_case
from tunables.reader.description import compact, defaults, describe
from tunables.reader.live import Live
from tunables.reader.live import Page as AnyPage
from tunables.reader.markup import explorer_html
from tunables.reader.simulation import WithSimulation


class Explorer(Live):
    """The explorer of one model. `state` holds the parameters; `set_state` changes some of them.

    `only` and `table` make it smaller (see `compact`).
    """

    def __init__(self, model: Model, only: tuple[str, ...] = (), table: bool = True, **state):
        start = model.settings(**state)
        self._model = model
        self._description = compact(describe(model), only, table)
        self._defaults = defaults(self._description)
        first = answer(self._description, model.predict, self._defaults)
        page: AnyPage = Page(json.dumps(self._description), model.predict)
        if isinstance(model, Case) and "simulation" in self._description:
            page = WithSimulation(page, self._description, model.simulation, model.predict)
        plain = f"{type(self).__name__}({model.name!r})"
        super().__init__(self._page_html(first), plain, page)
        self.set_state(**start)

    def _page_html(self, page: dict) -> str:
        return explorer_html(self._description, page)

    @property
    def state(self) -> dict[str, Setting]:
        """All parameters, as the controls stand."""
        return {
            name: self.entries.get(f"{self._model.name}.{name}", value)
            for name, value in self._defaults.items()
        }

    def set_state(self, sync_data: dict | None = None, /, **changes) -> None:
        """Change some parameters; a value out of range is refused in a sentence and shown.

        sync_data: what the browser sends, which ipywidgets hands to a method of this name.
        """
        if sync_data is not None:
            super().set_state(sync_data)
            return
        try:
            wanted = self._model.settings(**(self.state | changes))
            numbers(self._description, self._model.predict, wanted)
        except ValueError as error:
            self.say(str(error))
            return
        self.notice = ""
        self.entries = {
            f"{self._model.name}.{name}": value
            for name, value in wanted.items()
            if value != self._defaults[name]
        }


def explore(case: Model | str, only: tuple[str, ...] = (), table: bool = True, **state) -> Explorer:
    """Return the explorer of a case (or of its name), opened at a state.

    only: the parameters that get a control, with the charts over them (all if none is named);
    table: whether to show the table of published numbers.
    Raises ValueError for an unknown case, an unknown parameter or a value out of range.
    """
    found = case if isinstance(case, Model) else find_case(case)
    return Explorer(found, only, table, **state)
