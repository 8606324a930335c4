"""The explorer as HTML: what stands without scripts, and what the page's script starts from."""

from html import escape

from tunables.plain.units import unit_text
from tunables.reader.asleep import asleep
from tunables.reader.charts import picture_html, script_json
from tunables.reader.description import defaults

ASLEEP = asleep("The table shows the published settings.", "move them")


def filled(view: dict, drawn: dict) -> dict:
    """Return the view's chart with the answer's curve and present setting in its datasets."""
    datasets = view["spec"]["datasets"] | {"curve": drawn["curve"], "here": drawn["here"]}
    return view["spec"] | {"datasets": datasets}


def table_html(description: dict, answer: dict) -> str:
    """Return the table published | model | error, a row a published number ("" for no rows)."""
    if not description["rows"]:
        return ""
    rows = "".join(
        f'<tr><th scope="row"><span class="row-label">{escape(row["label"])}</span> '
        f'<span class="status status-{row["status"]}">{row["status"]}</span></th>'
        f"<td>{escape(row['published_text'])}</td>"
        f'<td data-cell="model">{escape(reply["model_text"])}</td>'
        f'<td data-cell="error">{escape(reply["error_text"])}</td></tr>'
        for row, reply in zip(description["rows"], answer["rows"], strict=True)
    )
    return (
        '<div class="table-scroll" tabindex="0" role="region" '
        f'aria-label="Table: {escape(description["title"])}">'
        '<table class="explorer-table"><caption>'
        f"Published numbers and the model: {escape(description['title'])}</caption>"
        '<thead><tr><th scope="col">Number</th><th scope="col">Published</th>'
        '<th scope="col">Model</th><th scope="col">Error</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _output_html(output: dict, text: str) -> str:
    """Return an output's label, value and unit; a pure number has none."""
    unit = unit_text(escape(output["unit"]), ' <span class="unit">', "</span>")
    return (
        f"<div><dt>{escape(output['label'])}</dt>"
        f'<dd><span data-output="{output["name"]}">{escape(text)}</span>{unit}</dd></div>'
    )


def outputs_html(description: dict, answer: dict) -> str:
    """Return the model's outputs at the present setting."""
    texts = answer["output_texts"]
    items = "".join(_output_html(o, texts[o["name"]]) for o in description["outputs"])
    return f'<dl class="explorer-outputs" aria-label="Model at your setting">{items}</dl>'


def explorer_html(description: dict, answer: dict) -> str:
    """Return the whole explorer, asleep: the page's script wakes it."""
    figures = "".join(
        picture_html(filled(view, drawn), name=f"view-{index}")
        for index, (view, drawn) in enumerate(
            zip(description["views"], answer["views"], strict=True)
        )
    )
    page = description | {"defaults": defaults(description)}
    asleep = ASLEEP if description["rows"] else ASLEEP.replace("table", "chart", 1)
    page["views"] = [{k: v for k, v in view.items() if k != "spec"} for view in page["views"]]
    return (
        f'<section class="tunables-explorer" id="explore-{description["name"]}" '
        f'aria-label="Explorer: {escape(description["title"])}">'
        f'<script type="application/json" class="explorer-description">{script_json(page)}'
        "</script>"
        f'<p class="explorer-message" role="status">{asleep}</p>'
        '<div class="explorer-controls"></div>'
        f"{outputs_html(description, answer)}{table_html(description, answer)}"
        f'<div class="explorer-views">{figures}</div></section>'
    )
