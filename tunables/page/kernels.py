"""How a compiled experiment is called in the page: by the name of its WebAssembly entry.

There a chapter's module `experiment` is a stub: each of its functions hands its arguments to
`call`. Numbers and lists of them cross as JSON, which keeps every bit of them.
"""

import json

# JSON has no word for these, and JavaScript's words differ from Python's.
_WORDS = {float("inf"): "Infinity", float("-inf"): "-Infinity"}


def column(numbers, kind):
    """Return numbers as a compiled function takes them: an array, or in the page a list.

    kind: int or float.
    """
    try:
        numpy = __import__("numpy")  # the page does not have it
    except ImportError:
        return numbers
    return numpy.array(numbers, kind)


def _word(value):
    return [_word(each) for each in value] if isinstance(value, list) else _WORDS.get(value, value)


def call(entry, arguments):
    """Return what an entry gives for these arguments: a number or a list, or a tuple of several.

    Raises ValueError with the entry's own sentence for arguments that it refuses.
    """
    kernels = __import__("tunables_kernels")  # registered by the page's script
    reply = json.loads(kernels.call(entry, json.dumps(_word(list(arguments)))))
    if "refusal" in reply:
        raise ValueError(reply["refusal"])
    numbers = tuple([float(each) if isinstance(each, str) else each for each in reply["numbers"]])
    return numbers if len(numbers) > 1 else numbers[0]
