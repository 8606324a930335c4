"""What a lab in the page starts from: a table for who has no scripts, and the same as JSON."""

from tunables.reader.charts import script_json
from tunables.reader.tables import Table


class LabPlace:
    """The numbers of a lab that runs in the page, which stand there as a table until it does."""

    def __init__(self, table: Table, description: dict):
        self.table, self.description = table, description

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return (
            '<script type="application/json" class="lab-published">'
            f"{script_json(self.description)}</script>{self.table._repr_html_()}"
        )
