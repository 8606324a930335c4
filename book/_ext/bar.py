"""Sphinx extension: what the bar and the list of all pages show; book/_templates has their HTML."""

from pathlib import Path

from bs4 import BeautifulSoup

from tunables.page.chapters import CHAPTERS, page_name

TEMPLATES = Path(__file__).parents[1] / "_templates"
# The groups of pages that are open on every page, besides the one that the page is in.
OPEN_GROUPS = ("Before you start", "Chapters")
# What the theme offers for a page, by its own words, and ours.
LINKS = {
    "Binder": "Run on Binder",
    ".ipynb": "Download the notebook",
    ".md": "Download the text",
    "Repository": "Source code",
    "Open issue": "Report a mistake",
}
CHAPTER_PAGES = [
    {"number": each.number, "title": each.title, "page": f"chapters/{page_name(each.slug)}"}
    for each in CHAPTERS
]
NUMBERS = {each.title: each.number for each in CHAPTERS}


def fold_groups(html: str) -> str:
    """Return the list of all pages, chapters numbered, each of its groups a block that folds."""
    pages = BeautifulSoup(html, "html.parser")
    for caption in pages.find_all("p", class_="caption"):
        listed = caption.find_next_sibling("ul")
        name = caption.get_text(strip=True)
        group = pages.new_tag("details", attrs={"class": "page-group"})
        if name in OPEN_GROUPS or listed.find(class_="current"):
            group["open"] = ""
        summary = pages.new_tag("summary")
        heading = pages.new_tag("span", attrs={"role": "heading", "aria-level": "2"})
        heading.string = name
        count = pages.new_tag("span", attrs={"class": "page-count"})
        count.string = str(len(listed.find_all("li")))
        summary.extend([heading, count])
        caption.replace_with(group)
        group.extend([summary, listed.extract()])
    for link in pages.find_all("a"):
        if number := NUMBERS.get(link.get_text(strip=True)):
            mark = pages.new_tag("span", attrs={"class": "page-number"})
            mark.string = str(number)
            link.insert(0, mark)
    return str(pages)


def page_links(buttons: list[dict]) -> list[tuple[str, str]]:
    """Return the words and addresses of what the theme offers for a page."""
    links = []
    for button in buttons:
        links += page_links(button.get("buttons", []))
        if button.get("text") in LINKS:
            links.append((LINKS[button["text"]], button["url"]))
    order = list(LINKS.values())
    return sorted(set(links), key=lambda link: order.index(link[0]))


def fill_bar(app, pagename, templatename, context, doctree) -> None:
    """Give the templates what they show on one page."""

    def book_pages() -> str:
        home = '<li><a class="reference internal" href="{}">Front page</a></li>'
        listed = context["generate_toctree_html"](
            startdepth=0,
            kind="sidebar",
            maxdepth=4,
            collapse=False,
            includehidden=True,
            titles_only=True,
        )
        first = home.format(context["pathto"](app.config.root_doc))
        return f'<nav aria-label="All pages"><ul>{first}</ul>{fold_groups(str(listed))}</nav>'

    contents = context.get("generate_toc_html")
    context |= {
        "chapters": CHAPTER_PAGES,
        "book_pages": book_pages,
        "has_drawer": pagename == app.config.root_doc or pagename.startswith("chapters/"),
        "page_contents": str(contents()) if contents and doctree else "",
        "page_links": page_links(context.get("header_buttons", [])),
    }


def add_templates(app, config) -> None:
    """Have Sphinx find the templates of the bar."""
    config.templates_path = [*config.templates_path, str(TEMPLATES)]


def setup(app) -> dict:
    """Register the extension; the theme has filled the context before."""
    app.connect("config-inited", add_templates)
    app.connect("html-page-context", fill_bar, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
