"""Pictures of measurements, all in one look. They need the extra `plots` (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from overtrick.errors import BadOption, DamagedFile, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from overtrick.arena.budgets import Budgets
    from overtrick.arena.round_robin import RoundRobin
    from overtrick.arena.simulation import Session
    from overtrick.arena.statistics import Estimate, Rating

__all__ = [
    "budgets",
    "check_picture",
    "cross_table",
    "ladder",
    "learning_curve",
    "metrics",
    "money",
    "rungs",
    "save_figure",
    "save_picture",
    "seat_effect",
]

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
SUFFIXES = (".png", ".svg", ".pdf")


def _figure(width: float = 7, height: float = 4) -> tuple[Figure, Axes]:
    """An empty picture in the house's look."""
    figure, (axes,) = _panels(width, height, (1,))
    return figure, axes


def _panels(
    width: float, height: float, ratios: Sequence[float], rows: int = 1
) -> tuple[Figure, list[Axes]]:
    """An empty picture with panels side by side, of these widths, in so many rows."""
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise MissingExtra("pictures", "plots") from error
    with matplotlib.rc_context(LOOK):
        figure = NewFigure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(rows, len(ratios), width_ratios=list(ratios))
        places = [(row, number) for row in range(rows) for number in range(len(ratios))]
        axes = [figure.add_subplot(grid[place]) for place in places]
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


def check_picture(path: Path) -> None:
    """Refuse a file that no picture can be written to, before there is anything to draw."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadOption(f"a picture ends in {', '.join(SUFFIXES)}, not {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise BadOption(f"there is no folder {path.parent} for a picture")
    _figure()


def save_picture(figure: Figure, path: Path) -> Path:
    """Write a picture as its suffix tells."""
    import matplotlib

    try:
        with matplotlib.rc_context(LOOK):
            figure.savefig(path)
    except OSError as error:
        raise DamagedFile(f"{path} cannot be written: {error.strerror}") from error
    return path


def money(session: Session) -> Figure:
    """Everybody's running money, with the band in which chance alone would keep it."""
    figure, axes = _figure()
    _draw_money(axes, session)
    deals = len(session.money)
    axes.set_title(f"{session.game.title}: {deals:,} deals, seed {session.seed}, bands 95%")
    return figure


def _draw_money(axes: Axes, session: Session) -> None:
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
    axes.legend(loc="best")


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
    _draw_ladder(axes, rated)
    axes.set_title(title)
    return figure


def _draw_ladder(axes: Axes, rated: Sequence[Rating]) -> None:
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


def cross_table(result: RoundRobin) -> Figure:
    """Points a deal of each player against each other, as a heat map."""
    count = len(result.players)
    figure, axes = _figure(2.5 + 0.9 * count, 1.5 + 0.6 * count)
    _draw_cross_table(axes, result)
    table = result.tables[0]
    axes.set_title(f"{table.game.title}: points a deal, {table.boards} boards a pair")
    return figure


def _draw_cross_table(axes: Axes, result: RoundRobin) -> None:
    count = len(result.players)
    cells = {
        (player, other): result.against(player, other)
        for player in range(count)
        for other in range(count)
        if player != other
    }
    _draw_heat(axes, count, count, cells)
    axes.set_xticks(range(count), result.players, rotation=30, ha="right")
    axes.set_yticks(range(count), result.players)


def _draw_heat(
    axes: Axes,
    rows: int,
    columns: int,
    cells: Mapping[tuple[int, int], Estimate],
    more: Mapping[tuple[int, int], str] | None = None,
) -> None:
    """Points as a heat map, blue where they are won; perhaps with another line in each cell."""
    values = np.full((rows, columns), np.nan)
    for at, one in cells.items():
        values[at] = one.mean
    largest = float(np.nanmax(np.abs(values))) or 1.0
    axes.imshow(values, cmap="RdBu", vmin=-largest, vmax=largest, aspect="auto")
    axes.grid(visible=False)
    for at, one in cells.items():
        text = f"{one.mean:+.2f}\n± {one.ci95:.2f}" + (f"\n{more[at]}" if more else "")
        ink = "white" if abs(one.mean) > 0.6 * largest else "black"
        axes.text(at[1], at[0], text, ha="center", va="center", fontsize=8, color=ink)


def rungs(result: RoundRobin) -> Figure:
    """A ladder in one picture: Elo with intervals, and the cross table."""
    count = len(result.players)
    widths = (5, 2 + 0.8 * count)
    figure, (left, right) = _panels(sum(widths), 2 + 0.55 * count, widths)
    _draw_ladder(left, result.ratings())
    _draw_cross_table(right, result)
    table = result.tables[0]
    left.set_title(f"{table.game.title}: {table.boards} boards a pair, seed {table.seed}")
    right.set_title("points a deal")
    return figure


def budgets(measured: Budgets) -> Figure:
    """Strength by simulations × worlds: a heat map with times, and lines over all simulations."""
    sims, worlds = measured.sims, measured.worlds
    widths = (2 + 0.9 * len(worlds), 5.5)
    figure, (left, right) = _panels(sum(widths), max(4, 1.5 + 0.7 * len(sims)), widths)
    cells = {
        (row, column): measured.cell(most, many)
        for row, most in enumerate(sims)
        for column, many in enumerate(worlds)
    }
    points = {at: cell.payoff for at, cell in cells.items()}
    times = {at: f"{cell.ms_per_choice:.3g} ms" for at, cell in cells.items()}
    _draw_heat(left, len(sims), len(worlds), points, times)
    left.set_xticks(range(len(worlds)), [str(count) for count in worlds])
    left.set_yticks(range(len(sims)), [str(count) for count in sims])
    left.set_xlabel("worlds")
    left.set_ylabel("simulations in each")
    left.set_title(f"{measured.game.title}: points a deal, {measured.boards} boards a cell")
    for number, count in enumerate(worlds):
        line = [measured.cell(most, count).payoff for most in sims]
        right.errorbar(
            [most * count for most in sims],
            [one.mean for one in line],
            yerr=[one.ci95 for one in line],
            color=COLORS[number % len(COLORS)],
            marker="o",
            markersize=3,
            capsize=2,
            label=f"{count} worlds" if count > 1 else "1 world",
        )
    right.axhline(0, color="black", linewidth=0.8)
    right.set_xscale("log", base=2)
    right.set_xlabel("simulations in all worlds")
    right.set_ylabel("points a deal")
    right.set_title(f"against {measured.opponent}", fontsize=9)
    right.legend(loc="best")
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


def metrics(
    panels: Mapping[str, Sequence[tuple[str, Sequence[float], Sequence[float]]]],
    *,
    xlabel: str,
    title: str = "",
) -> Figure:
    """A panel for each metric, with a line for every run that has it: its name, x and values."""
    across = min(3, len(panels))
    down = -(-len(panels) // across)
    figure, places = _panels(3.6 * across, 2.5 * down + 0.4, [1] * across, down)
    names = list(dict.fromkeys(name for lines in panels.values() for name, _, _ in lines))
    for axes, (metric, lines) in zip(places, panels.items(), strict=False):
        for name, x, values in lines:
            color = COLORS[names.index(name) % len(COLORS)]
            axes.plot(x, values, color=color, label=name, linewidth=1.2)
        axes.set_title(metric, fontsize=9)
        axes.tick_params(labelsize=8)
    for axes in places[len(panels) :]:
        axes.set_axis_off()
    for axes in places[max(0, len(panels) - across) : len(panels)]:
        axes.set_xlabel(xlabel, fontsize=8)
    if len(names) > 1:
        most = max(range(len(panels)), key=lambda place: len(places[place].lines))
        places[most].legend(loc="best", fontsize=7)
    figure.suptitle(title, fontsize=10)
    return figure
