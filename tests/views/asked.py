"""Asks a live part as the page's script does."""

import pytest


def ask_view(part, request):
    """Return the reply of the kernel's side to a request from the browser."""
    with pytest.MonkeyPatch.context() as patched:
        sent: list = []
        patched.setattr(part, "send", sent.append)
        part._handle_custom_msg({"question": 17, "request": request}, [])
    assert [message.pop("question") for message in sent] == [17]
    return sent[0]["reply"] if "reply" in sent[0] else sent[0]
