"""The last work on a page changes what it must and no more, and nothing when it is done twice."""

import pytest

from book._ext import finish
from tests.book.test_site import PAGES, SITE

PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><script src="searchindex.js"></script><script src="a.js"></script>
<script>kernelName = 'python3'</script><script>const whole = 1 &lt; 2;</script></head>
<body data-default-mode="auto"><div class="one-screen pane"><i class="fa-solid fa-sun  fa-lg"></i>
<span style="height: 1em; top: 0">x</span>   <svg viewBox="0 0 1 1"><clipPath id="c"/></svg>
<a role="doc-biblioentry" title='"'>a &amp; b</a>
<dl><dt class="sig">f(<dl><dd>a,</dd></dl>)</dt><dd>It adds.</dd></dl>
<section id="exercise-content">c</section></div></body></html>
"""


def test_a_page_gets_what_readers_need_and_no_more():
    text, rules = finish.finish_page(PAGE, "page")
    assert "searchindex" not in text
    assert "kernelName" not in text
    assert '<script defer="" src="a.js">' in text
    assert "<script>const whole = 1 &lt; 2;</script>" in text  # a script's text is not markup
    assert '<body data-default-mode="auto" class="holds-panes">' in text
    assert '<svg class="drawn fa-solid fa-sun  fa-lg" viewBox="0 0 512 512"' in text
    assert '   <svg viewBox="0 0 1 1"><clipPath id="c"></clipPath></svg>' in text
    assert """<a role="listitem" title='"'>a &amp; b</a>""" in text
    assert '<dt class="sig">f(<div><div class="sig-line">a,</div></div>)</dt><dd>It adds.' in text
    assert "<section>c</section>" in text
    (rule,) = rules
    assert rule.endswith("{ height: 1em !important; top: 0 !important; }")
    assert f'<span class="{rule[1:11]}">x</span>' in text


def test_the_search_page_keeps_the_index_and_waits_for_no_other_script():
    text, _ = finish.finish_page(PAGE, "search")
    assert '<script src="searchindex.js">' in text
    assert '<script src="a.js">' in text


def test_a_box_that_folds_by_a_script_folds_by_itself_and_its_title_is_no_link():
    title = '<p class="admonition-title">Solution to<a href="#x"> Exercise 1</a></p>'
    box = f'<div class="solution dropdown admonition" id="one">{title}<p>2</p></div>'
    text, _ = finish.finish_page(f"<body>{box}</body>", "page")
    assert '<details class="solution is-dropdown" id="one">' in text
    assert "<summary>Solution</summary><p>2</p></details>" in text


def test_each_cell_of_a_table_that_stacks_has_its_columns_name():
    rows = "<tbody><tr><td>slow</td><td>a <b>loop</b></td></tr></tbody>"
    table = f"<thead><tr><th><p>You see</p></th><th>Suspect</th></tr></thead>{rows}"
    text, _ = finish.finish_page(f'<table class="table stacks">{table}</table>', "page")
    assert '<td data-head="You see">slow</td><td data-head="Suspect">a <b>loop</b></td>' in text


def test_a_number_and_its_unit_stay_on_one_line_in_prose_and_in_nothing_else():
    words = "takes 67 ms, 4,096 bytes and 1.2 GB/s in 3 small steps, <code>8 s</code>"
    live = '<section class="tunables-guess"><p>67 ms</p></section>'
    html = f'<article class="bd-article"><p>{words}</p>{live}</article><p>5 s</p>'
    text, _ = finish.finish_page(html, "page")
    joined = "takes 67_ms, 4,096_bytes and 1.2_GB/s in 3 small steps, <code>8 s</code>"
    assert f"<p>{joined}</p>{live}".replace("_", "\N{NO-BREAK SPACE}") in text
    assert "<p>5 s</p>" in text


def test_an_unknown_icon_is_refused():
    with pytest.raises(ValueError, match="no-such-icon"):
        finish.finish_page('<i class="fa-solid fa-no-such-icon"></i>', "page")


@pytest.mark.parametrize("path", PAGES[::9], ids=lambda path: path.relative_to(SITE).as_posix())
def test_a_finished_page_stays_as_it_is(path):
    before = path.read_text(encoding="utf-8")
    assert (
        finish.finish_page(before, path.relative_to(SITE).with_suffix("").as_posix())[0] == before
    )
