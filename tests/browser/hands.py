"""Controls of an explorer, which shows a few of them at a time."""

MOST_TURNS = 10


def in_hand(section, name, role="textbox"):
    """Return a control of the explorer, brought into its row by *More* if it is not there."""
    control = section.get_by_role(role, name=name)
    more = section.get_by_role("button", name="More (")
    for _ in range(MOST_TURNS):
        if control.count():
            return control
        more.click()
    raise AssertionError(f"{name}: no such {role}")


def unfold(section):
    """Open the table of all numbers, and return the explorer."""
    section.locator(".explorer-numbers > summary").click()
    return section
