"""What the pages say in numbers, and the table of what is not explained."""

from pathlib import Path

import pytest

from book._ext import computed
from tunables.core.ledger import ledger
from tunables.core.registry import cases
from tunables.page.chapters import CHAPTERS, page_name

ROOT = Path(__file__).parents[2]


def test_a_published_number_stands_as_printed_with_its_unit():
    assert (
        computed.published_words("rdu-batch-tuning.flush-response") == "4,126\N{NO-BREAK SPACE}ms"
    )
    assert computed.published_words("rrd-system-cache.slowdown-after-overflow") == "20"
    with pytest.raises(ValueError, match="row_id = 'none': must be one of"):
        computed.published_words("rdu-batch-tuning.none")


def test_a_models_number_is_the_cases_own():
    rrd = cases()["rrd"]
    expected = rrd.predict(**rrd.settings(graphs=45_000, scheme="lru, zigzag"))["slowdown"]
    words = computed.model_words('rrd.slowdown(graphs=45_000, scheme="lru, zigzag")')
    assert float(words) == pytest.approx(expected, abs=0.005)
    for call in ("rrd.slowdown", "rrd.speed()", "none.slowdown()", "rrd.slowdown(graph=1)"):
        with pytest.raises(ValueError, match="must be"):
            computed.model_words(call)


def test_every_unexplained_number_and_every_miss_is_listed_once():
    tables = {kind: computed.not_explained(kind)[2:] for kind in computed.KINDS}
    wanted: dict[str, list[str]] = {kind: [] for kind in computed.KINDS}
    for case in cases().values():
        missed_rows = set()
        for entry in ledger(case, simulate=False):
            if entry.agrees is False:
                missed_rows.add(entry.position)
        for entry in ledger(case, simulate=False):
            if entry.number.status == "identity" and missed_rows & set(entry.rests_on):
                continue  # the same miss once more
            if entry.number.status == "unexplained":
                wanted["no-model"].append(entry.number.label)
            elif entry.agrees is False:
                kind = "misfit" if entry.number.status == "calibrated" else "missed"
                wanted[kind].append(entry.number.label)
    assert all(wanted.values())
    for kind, lines in tables.items():
        assert [line.split(" | ")[1] for line in lines] == wanted[kind]


def test_the_board_sketches_have_words():
    for path in (ROOT / "book" / "teaching").glob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert text.count("<svg") == text.count('role="img" aria-label="')
    lessons = [
        path for path in (ROOT / "book" / "teaching").glob("0*.md") if "handout" not in path.name
    ]
    assert {path.stem for path in lessons} <= {page_name(chapter.slug) for chapter in CHAPTERS}
    for path in lessons:
        text = path.read_text(encoding="utf-8")
        for part in ("prediction to ask for", "misconception to expect", "The board", "Exit"):
            assert part in text, f"{path.name}: {part}"
        for part in ("Answer", "Key to the lesson"):
            assert f"```{{dropdown}} {part}\n" in text, f"{path.name}: {part}"


def test_a_count_is_in_letters_with_the_capital_of_its_name():
    six = computed.NUMERALS[len(CHAPTERS)]
    assert computed.count_words("chapters") == six
    assert computed.count_words("Chapters") == six.capitalize()
    assert computed.count_words("places") == "twelve"
    with pytest.raises(ValueError, match="chapters"):
        computed.count_words("people")


def test_an_animation_with_one_control_opens_at_its_first_moment():
    described = computed.one_control("rrd", "files")
    assert [setting["name"] for setting in described["settings"]] == ["files"]
    (opening,) = described["bookmarks"]
    assert (opening["name"], opening["settings"]) == ("fits", {"files": computed.COUNTS["places"]})
    assert described["given"] == {"scheme": "lru"}
    with pytest.raises(ValueError, match="must be one of the animation rrd"):
        computed.one_control("rrd", "speed")
