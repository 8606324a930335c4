"""The law of lab 6: how late timers are during a sliced work queue; and the growth rules."""

from tunables.page.labs import lab_session
from tunables.theory.slicing import GROWTH_RULES, RULE_NAMES, mean_timer_lateness


def rules() -> list:
    """Return the growth rules, as `tunables.theory.slicing` has them, each with its label."""
    return [
        {"name": name, "label": RULE_NAMES[name], "factor": factor, "ramp": ramp}
        for name, (factor, ramp) in sorted(GROWTH_RULES.items())
    ]


LabSession = lab_session(rules=rules, mean_timer_lateness=mean_timer_lateness)
