"""All laws of the audit, in the order in which their findings are told."""

from tunables.audit import laws_latency, laws_queueing, laws_rates, laws_special, parts, relations
from tunables.audit.checks import AuditLaw

LAWS = (
    laws_special.token_bucket,
    relations.column_relations,
    relations.total_rows,
    parts.parts_of_one,
    laws_queueing.littles_law,
    laws_queueing.percentiles_in_flight,
    laws_queueing.utilisation_law,
    laws_queueing.capacity_bound,
    laws_queueing.response_bound,
    laws_rates.counts,
    laws_rates.same_work,
    laws_rates.bandwidths,
    laws_latency.percentile_order,
    laws_latency.mean_bounds,
    laws_latency.deviation_bounds,
    laws_special.hits_and_misses,
    laws_special.monotone_hits,
    laws_special.amdahl,
)


def all_relations(sheet) -> list:
    """Return what every law says of a sheet, as a list of `Relation`."""
    found = []
    for law in LAWS:
        found += law(sheet)
    return found


def notes(sheet) -> list:
    """Return [(cell, sentence)] on numbers that are not wrong but say less than they seem to."""
    return laws_latency.too_few_samples(sheet)


def explain() -> list:
    """Return name, formula, source and assumption of each law, as data.

    >>> [law["formula"] for law in explain() if law["name"] == "Little's law"]
    ['N = X (R + Z): requests in flight = throughput × (latency + think time)']
    """
    found: list = []
    for module in (laws_special, relations, parts, laws_queueing, laws_rates, laws_latency):
        for name in sorted(dir(module)):
            law = getattr(module, name)
            if isinstance(law, AuditLaw) and law.name not in [each["name"] for each in found]:
                found.append(
                    {
                        "name": law.name,
                        "formula": law.formula,
                        "source": law.source,
                        "holds_if": law.kept_if,
                    }
                )
    return found
