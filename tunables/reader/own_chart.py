"""Fits to a reader's own numbers side by side, as a chart."""

import altair as alt

from tunables.parts.fit import Fit
from tunables.reader.charts import COLOURS


def verdict_chart(fits: dict[str, Fit]) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of each fit's error and its baseline's, over the band; names label rows."""
    marks = [
        {"fit": name, "share": error / fit.model.band, "what": what}
        for name, fit in fits.items()
        for what, error in (("model", fit.error), ("baseline", fit.baseline_error))
    ]
    told = "; ".join(f"{name} {fit.error / fit.model.band:.2f}" for name, fit in fits.items())
    order = list(fits)
    both = alt.Scale(domain=["model", "baseline"])  # with sort in its place the legend doubles
    x = alt.X("share:Q", title="error on the rows held out, in bands (log scale)").scale(type="log")
    points = (
        alt.Chart(alt.Data(values=marks))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=alt.Y("fit:N", title=None, sort=order),
            color=alt.Color("what:N", title=None, scale=both),
            shape=alt.Shape("what:N", title=None, scale=both),
        )
    )
    band = alt.Chart(alt.Data(values=[{"share": 1}])).mark_rule(strokeDash=[6, 4], color=COLOURS[6])
    return alt.layer(band.encode(x=x), points).properties(
        description=f"Mean error on the rows held out, as a multiple of the band. {told}.",
    )
