"""Rows of studies as tables in Markdown, and one page of all of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rollcone import __version__
from rollcone._words import count, seconds

MARKS = {"relative": " rel.", "order": " ord.", "least": " min.", "most": " max."}
_COLUMNS = ("run", "quantity", "paper or theory", "rollcone", "difference", "allowed", "verdict")
_VERDICTS = ("pass", "differs", "fail")
LEGEND = (
    "Differences are relative (rel.), what an order of convergence lacks (ord.), what a bound is "
    "missed by (min., max.), or in the unit of the row."
)


def number(value: float | None) -> str:
    """Enough digits to see a difference, if it is one that matters."""
    if value is None or math.isnan(value):
        return "nan"
    return f"{value:.7g}" if value == 0 or abs(value) >= 1e-4 else f"{value:.3g}"


def small(value: float | None) -> str:
    """An error or a tolerance."""
    if value is None or math.isnan(value):
        return "nan"
    return "0" if value == 0 else f"{value:.1e}"


def quantity(row: Mapping[str, Any]) -> str:
    """With its unit."""
    return f"{row['quantity']} ({row['unit']})" if row["unit"] else str(row["quantity"])


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """One line per row, a run named where it begins; numbers of sources where there are several."""
    every = list(rows)
    sources = list(dict.fromkeys(row["source"] for row in every))
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|---|---|---|---|---|---|---|"]
    last = ""
    for row in every:
        source = f" [{sources.index(row['source']) + 1}]" if len(sources) > 1 else ""
        cells = (
            row["run"] if row["run"] != last else "",
            quantity(row),
            number(row["reference"]) + source,
            number(row["value"]),
            small(row["error"]),
            small(row["tolerance"]) + MARKS.get(row["measure"], ""),
            row["verdict"] if row["verdict"] == "pass" else f"**{row['verdict']}**",
        )
        lines.append("| " + " | ".join(_escaped(cell) for cell in cells) + " |")
        last = row["run"]
    if len(sources) > 1:
        named = "; ".join(f"[{place + 1}] {source}" for place, source in enumerate(sources))
    else:
        named = "".join(sources)
    return "\n".join([*lines, "", f"Reference: {named}."])


def verdicts(report: Mapping[str, Any]) -> Counter[str]:
    """How many rows of a study have each; an `error` that ended it counts as one."""
    counts = Counter(row["verdict"] for row in report.get("rows", []))
    return counts + Counter({"error": int("error" in report)})


def overview(reports: Iterable[Mapping[str, Any]]) -> str:
    """One line per study: verdicts counted, and the time it took."""
    lines = ["| study | pass | differs | fail | time |", "|---|---|---|---|---|"]
    for report in reports:
        counts = verdicts(report)
        cells = [report["study"], *(str(counts[verdict]) for verdict in _VERDICTS)]
        time = "**error**" if "error" in report else seconds(report["seconds"])
        lines.append("| " + " | ".join([*cells, time]) + " |")
    return "\n".join(lines)


def page(reports: Sequence[Mapping[str, Any]], *, full: bool) -> str:
    """All that is finished: an overview, then each study with its table and pictures."""
    parts = [
        "# Results of the studies",
        f"rollcone {__version__}, {'full' if full else 'default'} plans: {summary(reports)}.",
        overview(reports),
        LEGEND,
    ]
    for report in reports:
        parts.append(f"## {report['study']}")
        if "error" in report:
            parts.append(f"Ended by an error: {_escaped(report['error'])}")
            continue
        parts += [f"![{figure[:-4]}]({figure})" for figure in report["figures"]]
        parts.append(table(report["rows"]))
    return "\n\n".join(parts) + "\n"


def summary(reports: Iterable[Mapping[str, Any]]) -> str:
    """'320 rows: 309 pass, 11 differ from what is published, 0 fail'."""
    counts = sum((verdicts(report) for report in reports), Counter[str]())
    words = f"{count(sum(counts[verdict] for verdict in _VERDICTS), 'row')}: {counts['pass']} pass"
    words += f", {counts['differs']} differ from what is published, {counts['fail']} fail"
    return words + (f"; studies ended by an error: {counts['error']}" if counts["error"] else "")


def _escaped(text: str) -> str:
    """For a cell: no bars of its own, no emphasis but that of a verdict."""
    plain = " ".join(text.split()).replace("|", "\\|")
    return plain if plain.startswith("**") else plain.replace("*", "\\*")
