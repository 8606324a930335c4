"""States of a case's controls, drawn by chance."""


def random_value(parameter, chance):
    """Draw a value; half of the numbers are rounded like those of sliders."""
    p = parameter
    if p.choices:
        return chance.choice(p.choices)
    share = chance.random()
    log = p.scale == "log"
    value = p.low * (p.high / p.low) ** share if log else p.low + (p.high - p.low) * share
    if p.integer:
        value = round(value)
    elif chance.random() < 0.5:
        value = float(f"{value:.4g}")
    return min(max(value, p.low), p.high)


def random_state(case, chance):
    """Draw a value for each parameter."""
    return {parameter.name: random_value(parameter, chance) for parameter in case.parameters}
