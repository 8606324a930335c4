"""A coroutine in a thread of its own, since a notebook's event loop runs in the main thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, TypeVar

from tunables.measure.cleanup import held_back

Result = TypeVar("Result")


def in_own_loop(function: Callable[..., Coroutine[Any, Any, Result]], *arguments: Any) -> Result:
    """Return what a coroutine function returns, run in a thread of its own with its own loop.

    An interrupt here cancels it there and waits until it has cleared up.
    """
    started: Future = Future()

    async def main() -> Result:
        started.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await function(*arguments)

    outcome = None
    with ThreadPoolExecutor(max_workers=1) as executor:
        try:
            with held_back():  # or the executor might forget a thread that it has started
                outcome = executor.submit(lambda: asyncio.run(main()))
            return outcome.result()
        except BaseException:
            if outcome and outcome not in wait([started, outcome], None, FIRST_COMPLETED).done:
                loop, task = started.result()
                with suppress(RuntimeError):  # the loop has just ended by itself
                    loop.call_soon_threadsafe(task.cancel)
            raise
