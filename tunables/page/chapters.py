"""The one registry of chapters: a folder of `tunables.chapters` whose package has a NUMBER is one.

A chapter's key is its slug, the name of its folder. Nobody else lists, counts or numbers them.
"""

import os
from collections import namedtuple

import tunables.chapters
from tunables.base.arguments import choice, integer

_FOLDER = tunables.chapters.__file__.rsplit("/", 1)[0]

# cases: a dict from a case's name to (title, document).
Chapter = namedtuple("Chapter", ["number", "slug", "title", "cases"])


def _slugs():
    folders = [name for name in os.listdir(_FOLDER) if "." not in name]
    return [name for name in folders if "__init__.py" in os.listdir(f"{_FOLDER}/{name}")]


def _read(slug):
    scope: dict = {}
    exec(f"from tunables.chapters.{slug} import CASES, NUMBER, TITLE", scope)
    return Chapter(scope["NUMBER"], slug, scope["TITLE"], scope["CASES"])


def _by_key(chapters):
    """Return the chapters by all that each answers to: slug, number, both, and its cases."""
    found: dict = {}
    for chapter in chapters:
        numbers = [str(chapter.number), f"{chapter.number}_{chapter.slug}"]
        for key in [chapter.slug] + numbers + list(chapter.cases):
            if found.get(key, chapter) != chapter:
                raise ValueError(f"chapters {found[key].slug}, {chapter.slug}: both use {key!r}")
            found[key] = chapter
    return found


CHAPTERS = tuple(sorted((_read(slug) for slug in _slugs()), key=lambda chapter: chapter.number))
_BY_KEY = _by_key(CHAPTERS)


def _key(name):
    """Return a name as the keys are written: "03-cache-cliff" as "3_cache_cliff"."""
    if isinstance(name, str):
        return name.lower().replace("-", "_").replace(" ", "_").lstrip("0")
    try:
        return str(integer("chapter", name))
    except ValueError:
        return ""


def find_chapter(name) -> Chapter:
    """Return the chapter of a slug, a number, a notebook's name or the name of a case.

    Raises ValueError for anything else.

    >>> [find_chapter(name).slug for name in (3, "03", "cache-cliff", "03-cache-cliff", "rrd")]
    ['cache_cliff', 'cache_cliff', 'cache_cliff', 'cache_cliff', 'cache_cliff']
    """
    found = _BY_KEY.get(_key(name))
    if not found:
        choice("chapter", name, [f"{each.number} {each.slug}" for each in CHAPTERS])
    return found


def page_name(chapter) -> str:
    """Return how a chapter's files are called outside the package, from any of its names.

    >>> page_name(3)
    '03-cache-cliff'
    """
    found = find_chapter(chapter)
    return file_name(found.number, found.slug)


def file_name(number, slug) -> str:
    """Return how the files of a chapter with that number and slug are called.

    >>> file_name(9, "a_till")
    '09-a-till'
    """
    return f"{number:02d}-{slug.replace('_', '-')}"


def with_facet(facet) -> list:
    """Return the slugs of the chapters that have a module of that name, in order."""
    slugs = [chapter.slug for chapter in CHAPTERS]
    return [slug for slug in slugs if f"{facet}.py" in os.listdir(f"{_FOLDER}/{slug}")]


def module(chapter, facet):
    """Return the module of that name in a chapter's folder.

    Raises ValueError for an unknown chapter, and for one that has no such module.

    >>> module(3, "predictor").__name__.rpartition(".")[2]
    'predictor'
    """
    slug = find_chapter(chapter).slug
    try:
        return __import__(f"tunables.chapters.{slug}.{facet}", None, None, (facet,))
    except ImportError:
        if len(os.listdir(f"{_FOLDER}/{slug}")) > 1:  # else the page has not fetched the chapter
            choice(f"chapter with {facet}", slug, with_facet(facet))
        raise
