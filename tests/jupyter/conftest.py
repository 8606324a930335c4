"""One JupyterLab for all that opens committed notebooks in it."""

import pytest

from tests.jupyter.server import jupyter_lab, show_all_cells
from tests.lab.interrupted import public_folder


@pytest.fixture(scope="session")
def shared_lab():
    """The address and the folder of a JupyterLab; PostgreSQL's user can enter the folder."""
    with public_folder() as home:
        show_all_cells(home)
        with jupyter_lab(home) as address:
            yield address, home
