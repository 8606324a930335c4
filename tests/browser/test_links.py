"""Old links in the page: every parameter of every explorer and card, and a problem, at once."""

import pytest

from tests.page.links import FILES, links, state

pytestmark = pytest.mark.browser


@pytest.mark.sampled
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_page_opens_in_the_state_of_its_old_links(reader, path):
    found = links(path)
    states, problem = [link for link in found if link.name != "problem"], found[-1]
    query = "&".join(link.query for link in [*states, problem])
    page = reader().open(f"{problem.page}?{query}")
    for link in states:
        page.wait_for_selector(f"#{link.place}[data-engine=ready]", timeout=20_000)
        assert page.locator(f"#{link.place}").evaluate("s => s.explorer.state") == state(link)
    (text,) = problem.entries.values()
    page.wait_for_selector(f'#{problem.place}[data-problem="{text}"]', timeout=20_000)
