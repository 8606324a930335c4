"""Blocks of cells: what stands between two comments gets a box; what does not end is refused."""

import pytest
from docutils import nodes

from book._ext import blocks

LIVE = '<section class="tunables-animation">'


def page(*texts):
    """Return the nodes of a page: comments and markup as they are, anything else a paragraph."""
    return [
        nodes.raw("", text, format="html") if text.startswith("<") else nodes.paragraph("", text)
        for text in texts
    ]


def shape(found):
    """Return nodes as nested lists: a box by its class and what is in it."""
    return [
        [node["classes"][0], *shape(node.children)]
        if isinstance(node, nodes.container)
        else node.astext()
        for node in found
    ]


def test_the_live_box_of_a_pane_stands_apart_from_its_text():
    result = blocks.group(page("a", "<!-- pane -->", "b", LIVE, "c", "<!-- /pane -->", "d"))
    pane = ["one-screen", ["foreword", "b"], ["pane", LIVE], ["beside", "c"]]
    assert shape(result) == ["a", pane, "d"]


def test_folds_and_answers_may_stand_in_a_pane_and_a_title_is_text():
    inner = (
        "<!-- fold: For <all> -->",
        "b",
        "<!-- /fold -->",
        "<!-- answer -->",
        "c",
        "<!-- /answer -->",
    )
    result = blocks.group(page("<!-- pane -->\n", LIVE, *inner, "<!-- /pane -->"))
    head = f'<details class="fold"><summary>{blocks.summary_html("For <all>")}</summary>'
    beside = ["beside", head, ["folded", "b"], "</details>", ["answer", "c"]]
    assert shape(result) == [["one-screen", ["pane", LIVE], beside]]


@pytest.mark.parametrize(
    "texts",
    [
        ("<!-- pane -->", LIVE),
        ("<!-- /fold -->",),
        ("<!-- fold: A -->", "<!-- answer -->", "<!-- /fold -->", "<!-- /answer -->"),
    ],
)
def test_a_block_that_does_not_end_where_it_began_is_refused(texts):
    with pytest.raises(ValueError, match=r"must end under|no such block"):
        blocks.group(page(*texts))


def test_a_pane_without_a_live_box_is_refused():
    with pytest.raises(ValueError, match=r"must hold an animation or an explorer"):
        blocks.group(page("<!-- pane -->", "a", "<!-- /pane -->"))


def test_a_lab_brings_its_question_as_text_and_must_be_there(monkeypatch, tmp_path):
    monkeypatch.setattr(blocks, "LABS", tmp_path)
    lab = tmp_path / "hole" / "lab.js"
    mark = '<!-- lab: hole | "Which" share? -->'
    with pytest.raises(ValueError, match="hole -->: book/_static/labs has no such lab"):
        blocks.group(page(mark, "a", "<!-- /lab -->"))
    lab.parent.mkdir()
    lab.touch()
    head, box, _ = shape(blocks.group(page(mark, "a", "<!-- /lab -->")))
    assert 'id="lab-hole" data-lab="hole" data-guess="&quot;Which&quot; share?"' in head
    assert box == ["lab-without-scripts", "a"]
    plain, *_ = shape(blocks.group(page("<!-- lab: hole -->", "<!-- /lab -->")))
    assert "data-guess" not in plain


def test_a_comment_is_left_out_and_markup_between_two_comments_is_not():
    between = "<!-- a --><b>12</b><!-- b -->"
    tree = nodes.section("", *page("x", "<!-- {count} -->\n", between, "<!-- on\ntwo lines -->"))
    blocks.remove_comments(tree)
    assert shape(tree.children) == ["x", between]


def test_a_paragraph_that_begins_with_a_label_gets_its_class_and_the_label_loses_its_stop():
    label = nodes.strong("", "Takeaway.")
    taken = nodes.paragraph("", "", nodes.Text(""), label, nodes.Text(" One thing."))
    other = nodes.paragraph("", "", nodes.strong("", "Beware."), nodes.Text(" Another."))
    for each in (taken, other, nodes.paragraph("", "Takeaway. In plain words."), nodes.paragraph()):
        blocks.mark_label(each)
    assert taken["classes"] == ["takeaway"]
    assert taken.astext() == "Takeaway One thing."
    assert other["classes"] == []
    assert other.astext() == "Beware. Another."
