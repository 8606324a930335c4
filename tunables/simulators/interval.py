"""Confidence interval of a mean from independent runs, as the page computes it too."""

from tunables.base.statistics import confidence_interval

__all__ = ["confidence_interval"]
