"""What a lab in the page starts from: JSON for its script, and a table where there is none."""

import json

from tunables.reader.lab_place import LabPlace
from tunables.reader.tables import Table

TABLE = Table("Rows", ("Setting", "Response (s)"), (("row 1", "8.072"),))


def test_scripts_find_json_and_readers_a_table():
    description = {"rows": [{"title": "</script><b>", "timeout_s": 1.0}]}
    place = LabPlace(TABLE, description)
    html = place._repr_html_()
    stored = html.split('class="lab-published">')[1].split("</script>")[0]
    assert json.loads(stored) == description
    assert html.endswith(TABLE._repr_html_())
    assert repr(place) == str(TABLE)
