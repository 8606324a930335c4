"""Settings and results of the published experiment, run for real."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tunables.measure.limits import LONGEST_S, MOST_COUNTED, MOST_REPEATS
from tunables.plain.arguments import number, whole


class Setting(NamedTuple):
    """One row of the table: the three tunables, and how many batches the clients share."""

    max_delay_s: float
    timeout_s: float
    retries: int
    batches: int


class Batch(NamedTuple):
    """A finished batch: its setting's index, when it ended since the start, and what it took."""

    setting: int
    finished_s: float
    response_s: float


class Row(NamedTuple):
    """The batches of one setting, counted as the document counts: all by the time of the last."""

    batches: int
    throughput_per_s: float
    response_s: float


def summary(batches: Sequence[Batch], setting=0) -> Row:
    """Return throughput and mean response time of one setting's batches.

    Raises ValueError if there are none.

    >>> summary([Batch(0, 2.0, 1.5), Batch(0, 4.0, 2.5)])
    Row(batches=2, throughput_per_s=0.5, response_s=2.0)
    """
    mine = [batch for batch in batches if batch.setting == setting]
    if not mine:
        raise ValueError(f"setting = {setting!r}: must be one that has finished batches")
    makespan_s = max(batch.finished_s for batch in mine)
    return Row(
        len(mine), len(mine) / makespan_s, sum(batch.response_s for batch in mine) / len(mine)
    )


def _checked(index, setting):
    where = f"settings[{index}]"
    if not isinstance(setting, Setting):
        raise ValueError(f"{where} = {setting!r}: must be a Setting")
    delay_s, timeout_s, retries, batches = setting
    return Setting(
        number(f"{where}.max_delay_s", delay_s, at_least=0, at_most=LONGEST_S),
        number(f"{where}.timeout_s", timeout_s, above=0, at_most=LONGEST_S),
        whole(f"{where}.retries", retries, at_most=MOST_REPEATS),
        whole(f"{where}.batches", batches, at_least=1, at_most=MOST_COUNTED),
    )


def checked_settings(settings: Iterable[Setting]) -> list[Setting]:
    """Return the settings; raises ValueError for none, or one that names what is wrong in it."""
    checked = [_checked(index, setting) for index, setting in enumerate(settings)]
    if not checked:
        raise ValueError(f"settings = {checked}: must be a non-empty sequence of Setting")
    return checked
