"""What a reader's hand does to reach a control: of an explorer's panel, or of a menu."""


def in_hand(section, name, role="textbox"):
    """Return a control of the explorer; opens the panel of all settings if it is in there."""
    control = section.get_by_role(role, name=name)
    if not control.count():
        section.get_by_role("button", name="More settings (").click()
    assert control.count(), f"{name}: no such {role}"
    return control


def unfold(section):
    """Open the table of all numbers, and return the explorer."""
    section.locator(".explorer-numbers > summary").click()
    return section


def page_switch(page, name):
    """Return a switch of the page's menu, which is open then."""
    menu = page.locator("#page-menu")
    if not menu.is_visible():
        page.locator(".opens-menu").click()
    return menu.get_by_role("button", name=name)
