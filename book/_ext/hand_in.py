"""The *Hand in* box of a chapter's page: folded, at the end of its practice. The script fills it.

Only the site has it. In Jupyter the assignments are what one hands in.
"""

from tunables.base.numbers_as_text import LONGEST
from tunables.page.hand_in import LONGEST_NAME
from tunables.views.charts import script_json

LONGEST_CODE = 60  # with spaces or signs between its groups
WITHOUT_SCRIPTS = (
    "To hand in from this page, enable JavaScript and serve the book with <code>make serve</code>."
)
WHAT = (
    "For students whose teacher gave them a code. Type the code first, then work through the "
    "chapter. At the end the page makes a text that you paste wherever your teacher asks for it. "
    "<strong>The page sends nothing to anybody.</strong> From the moment you type the code, this "
    "browser keeps it together with your work on all chapters, so on a shared computer, press "
    "<em>Forget my work</em> when you have finished."
)


def hand_in_html(slug: str) -> str:
    """Return the box of a chapter."""
    page = {
        "chapter": slug,
        "longest_code": LONGEST_CODE,
        "longest_name": LONGEST_NAME,
        "longest_answer": LONGEST,
    }
    return (
        f'<details class="tunables-hand-in" id="hand-in"><summary>Hand in this chapter</summary>'
        f'<script type="application/json" class="handin-description">{script_json(page)}</script>'
        f'<div class="hand-in-body"><p>{WHAT}</p><form class="hand-in-code"></form>'
        f'<p class="hand-in-message" role="status">{WITHOUT_SCRIPTS}</p>'
        '<div class="hand-in-work"></div></div></details>'
    )
