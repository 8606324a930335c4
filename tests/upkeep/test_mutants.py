"""A sample of mutants is drawn by a seed, and the settings name the tests that are asked for."""

import shlex
import sqlite3
import tomllib

import pytest

from upkeep import mutants


@pytest.fixture
def session(tmp_path):
    """Return a function that makes a session of thirty mutants with ids in a given order."""

    def build(ids):
        path = tmp_path / "session.sqlite"
        path.unlink(missing_ok=True)
        with sqlite3.connect(path) as database:
            columns = "job_id, module_path, operator_name, operator_args, occurrence"
            database.execute(f"CREATE TABLE mutation_specs ({columns})")
            database.execute("CREATE TABLE work_items (job_id)")
            for place, job in enumerate(ids):
                row = (job, "till.py", "core/AddNot", "{}", place)
                database.execute("INSERT INTO mutation_specs VALUES (?, ?, ?, ?, ?)", row)
                database.execute("INSERT INTO work_items VALUES (?)", (job,))
        return path

    return build


def kept_mutants(path):
    with sqlite3.connect(path) as database:
        items = {job for (job,) in database.execute("SELECT job_id FROM work_items")}
        specs = dict(database.execute("SELECT job_id, occurrence FROM mutation_specs"))
    assert items == set(specs)
    return set(specs.values())


def test_a_seed_draws_the_same_mutants_whatever_their_ids(session):
    drawn = []
    for ids in (range(30), range(130, 100, -1)):
        path = session(ids)
        assert mutants.draw(path, 5, seed=1) == 30
        drawn.append(kept_mutants(path))
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 5


@pytest.mark.parametrize("size", [0, 40])
def test_without_a_smaller_sample_all_are_kept(session, size):
    path = session(range(30))
    mutants.draw(path, size, seed=1)
    assert len(kept_mutants(path)) == 30


def test_the_settings_run_the_tests_named():
    text = mutants.configuration("tunables/theory/erlang.py", "tests/theory tests/page")
    settings = tomllib.loads(text)["cosmic-ray"]
    assert settings["module-path"] == "tunables/theory/erlang.py"
    shell, option, command = shlex.split(settings["test-command"])
    assert (shell, option) == ("sh", "-c")
    assert command.endswith(" tests/theory tests/page tunables/theory/erlang.py")
