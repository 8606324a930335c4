from pathlib import Path

import pytest

from book._ext.all_cores import for_each


def test_each_page_has_its_result_in_order():
    pages = [Path(f"{number}.html") for number in range(20)]
    assert for_each(Path.joinpath, Path("site"), pages) == [Path("site") / page for page in pages]


def test_an_error_of_any_process_ends_the_build():
    with pytest.raises(ValueError, match="is not in the subpath"):
        for_each(Path.relative_to, Path("site"), [Path("elsewhere/1.html")])
