"""Old links open what they opened, as far as Python answers them; the rest is in tests/browser."""

import json

import pytest

from tests.chapters.notebooks import ROOT
from tests.page.links import ALL, FILES, PROBLEMS, STATES, state
from tunables.core.registry import case_names, find_card, find_case
from tunables.page import explorer, problem
from tunables.page.chapters import find_chapter
from tunables.views.explorer import describe


def model_of(link):
    """Return the case or the card's model that a link is for."""
    name = link.name
    return find_case(name) if name in case_names() else find_card(name.removeprefix("card")).model


def test_there_are_links_to_every_case_card_and_practice_box():
    chapters = [find_chapter(path.parent.name) for path in FILES]
    wanted = {f"explore-{name}" for chapter in chapters for name in chapter.cases}
    wanted |= {f"{part}-{chapter.number}" for chapter in chapters for part in ("card", "practice")}
    assert {link.place for link in ALL} == wanted
    assert {link.name for link in STATES} >= {name for each in chapters for name in each.cases}


@pytest.mark.parametrize("link", ALL, ids=lambda link: f"{link.place}: {link.query[:30]}")
def test_the_place_is_on_the_page(link):
    notebook = (ROOT / link.page).with_suffix(".ipynb").read_text(encoding="utf-8")
    assert f'id=\\"{link.place}\\"' in notebook


@pytest.mark.parametrize("link", STATES, ids=lambda link: link.name)
def test_every_parameter_of_a_link_reaches_the_model(link):
    model, wanted = model_of(link), state(link)
    assert model.name == link.name
    defaults = model.settings()
    assert set(wanted) <= set(defaults)
    assert not [name for name in wanted if wanted[name] == defaults[name]]
    page = explorer.ExplorerSession(json.dumps(describe(model)))
    reply = json.loads(page.reply(json.dumps({"state": defaults | wanted})))  # as the page fills it
    expected = model.predict(**model.settings(**wanted))
    told = {name: None if value in (float("inf"),) else value for name, value in expected.items()}
    assert reply["outputs"] == told


def test_the_newest_link_to_each_model_names_every_parameter():
    for link in {link.name: link for link in STATES}.values():
        lacking = set(model_of(link).settings()) - set(state(link))
        assert not lacking, "a new parameter wants a line of its own in links.txt"


@pytest.mark.parametrize("link", PROBLEMS, ids=lambda link: link.query)
def test_a_link_to_a_problem_opens_it(link):
    ((chapter, text),) = link.entries.items()
    kind, seed = text.split(".")
    shown = problem.reply(int(chapter), {"kind": kind, "seed": seed})
    assert shown["link"] == f"?{link.query}#{link.place}"
