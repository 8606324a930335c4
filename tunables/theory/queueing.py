"""Queueing theory under one name; each form stands in the file that it is imported from."""

from tunables.theory.operational_laws import service_demand, utilisation

__all__ = ["service_demand", "utilisation"]
