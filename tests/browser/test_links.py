"""Old links in the page: every parameter of every explorer and card, and a problem, at once."""

import pytest

from tests.page.links import FILES, links, state

pytestmark = pytest.mark.browser


@pytest.mark.sampled
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_page_opens_in_the_state_of_its_old_links(reader, path):
    found = links(path)
    newest = {link.name: link for link in found}  # a card's older link lacks newer parameters
    older = [[link] for link in found if link.name != "problem" and link is not newest[link.name]]
    for together in [list(newest.values()), *older]:
        query = "&".join(link.query for link in together)
        page = reader().open(f"{together[0].page}?{query}")
        for link in together:
            if link.name == "problem":
                (text,) = link.entries.values()
                page.wait_for_selector(
                    f'#{link.place}[data-problem="{text}"]', state="attached", timeout=20_000
                )
                continue
            page.wait_for_selector(
                f"#{link.place}[data-engine=ready]", state="attached", timeout=20_000
            )
            opened = page.locator(f"#{link.place}").evaluate("s => s.explorer.state")
            assert state(link).items() <= opened.items()
