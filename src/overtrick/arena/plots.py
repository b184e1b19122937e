"""Pictures of measurements, all in one look. They need the extra `plots` (matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from overtrick.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from overtrick.arena.round_robin import RoundRobin
    from overtrick.arena.simulation import Session
    from overtrick.arena.statistics import Rating

__all__ = ["cross_table", "ladder", "learning_curve", "money", "save_figure", "seat_effect"]

# A palette that keeps its order apart for color-blind eyes (Okabe and Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
LOOK: dict[Any, Any] = {
    "font.size": 10,
    "font.family": "DejaVu Sans",
    "axes.grid": True,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "figure.dpi": 120,
    "svg.hashsalt": "overtrick",  # the same picture is the same file
}
MOST_POINTS = 1000  # drawn on a line: more cannot be seen


def _figure(width: float = 7, height: float = 4) -> tuple[Figure, Axes]:
    """An empty picture in the house's look."""
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise MissingExtra("pictures", "plots") from error
    with matplotlib.rc_context(LOOK):
        figure = NewFigure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
    return figure, axes


def save_figure(figure: Figure, path: Path) -> list[Path]:
    """Write a picture as PNG and SVG beside each other; `path` has no suffix."""
    import matplotlib

    written = []
    with matplotlib.rc_context(LOOK):
        for suffix in (".png", ".svg"):
            target = path.with_name(path.name + suffix)
            about: dict[str, Any] = {"Date": None} if suffix == ".svg" else {"Software": None}
            figure.savefig(target, metadata=about)
            written.append(target)
    return written


def money(session: Session) -> Figure:
    """Everybody's running money, with the band in which chance alone would keep it."""
    figure, axes = _figure()
    deals = len(session.money)
    at, running = session.running(max(100, deals // MOST_POINTS) if deals >= 100 else 1)
    bands = session.bands(at)
    for who, label in enumerate(session.labels()):
        color = COLORS[who % len(COLORS)]
        line, band = running[:, who], bands[:, who]
        axes.plot(at, line, color=color, linewidth=1.4, label=label)
        axes.fill_between(at, line - band, line + band, color=color, alpha=0.15, linewidth=0)
    axes.set_xlabel("deals")
    axes.set_ylabel("running points")
    axes.set_title(f"{session.game.title}: {deals:,} deals, seed {session.seed}, bands 95%")
    axes.legend(loc="best")
    return figure


def seat_effect(session: Session) -> Figure:
    """What each place at the table is worth, with intervals."""
    figure, axes = _figure(6, 3.5)
    places, chance = session.seat_effect()
    where = np.arange(len(places))
    means, halves = [one.mean for one in places], [one.ci95 for one in places]
    axes.errorbar(where, means, yerr=halves, fmt="o", color=COLORS[0], capsize=3)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(where, [f"{place + 1}" for place in where])
    axes.set_xlabel("place, counted from the first to act")
    axes.set_ylabel("points a deal")
    axes.set_title(f"{session.game.title}: does the place matter? p = {chance:.2g}")
    return figure


def ladder(rated: Sequence[Rating], title: str = "") -> Figure:
    """Players by their Elo, best at the top, with intervals."""
    figure, axes = _figure(7, 1 + 0.4 * len(rated))
    where = np.arange(len(rated))[::-1]
    axes.errorbar(
        [one.elo for one in rated],
        where,
        xerr=[one.ci95 for one in rated],
        fmt="o",
        color=COLORS[0],
        capsize=3,
    )
    axes.set_yticks(where, [one.player for one in rated])
    axes.set_xlabel("Elo, the mean being 0; intervals 95%")
    axes.set_title(title)
    return figure


def cross_table(result: RoundRobin) -> Figure:
    """Points a deal of each player against each other, as a heat map."""
    count = len(result.players)
    figure, axes = _figure(2.5 + 0.9 * count, 1.5 + 0.6 * count)
    values = np.full((count, count), np.nan)
    for player in range(count):
        for other in range(count):
            if player != other:
                values[player, other] = result.against(player, other).mean
    largest = float(np.nanmax(np.abs(values)))
    axes.imshow(values, cmap="RdBu", vmin=-largest, vmax=largest, aspect="auto")
    axes.grid(visible=False)
    for player in range(count):
        for other in range(count):
            if player != other:
                one = result.against(player, other)
                text = f"{one.mean:+.2f}\n± {one.ci95:.2f}"
                ink = "white" if abs(one.mean) > 0.6 * largest else "black"
                axes.text(other, player, text, ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(count), result.players, rotation=30, ha="right")
    axes.set_yticks(range(count), result.players)
    table = result.tables[0]
    axes.set_title(f"{table.game.title}: points a deal, {table.boards} boards a pair")
    return figure


def learning_curve(
    curves: Sequence[tuple[str, Sequence[float], Sequence[float], Sequence[float]]],
    *,
    xlabel: str,
    ylabel: str,
    title: str = "",
) -> Figure:
    """Measured strength over training: for each curve its name, x, means and half-widths."""
    figure, axes = _figure()
    for number, (name, x, means, halves) in enumerate(curves):
        color = COLORS[number % len(COLORS)]
        low, high = np.subtract(means, halves), np.add(means, halves)
        axes.plot(x, means, color=color, label=name, marker="o", markersize=3)
        axes.fill_between(x, low, high, color=color, alpha=0.15, linewidth=0)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title)
    axes.legend(loc="best")
    return figure
