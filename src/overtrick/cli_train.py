"""The command that trains: `overtrick train GAME METHOD`.

It imports what it needs when it is called, so that the command line starts fast.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overtrick.errors import BadBudget, BadOption

if TYPE_CHECKING:
    from overtrick.games.game import Game
    from overtrick.learn.methods import Method
    from overtrick.learn.run import Run, Trained
    from overtrick.learn.workers import Workers

__all__ = ["add_train_command"]


def add_train_command(app: typer.Typer) -> None:
    """Make the command that trains known to the command line."""
    app.command()(train)


def train(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")] = "",
    method: Annotated[str, typer.Argument(help="How; `overtrick train --methods` tells.")] = "",
    minutes: Annotated[
        float | None, typer.Option(help="Wall time, over all sittings of the run.")
    ] = None,
    deals: Annotated[int | None, typer.Option(help="Deals to learn from.")] = None,
    seed: Annotated[int | None, typer.Option(help="All chance comes from it; else 1.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run.")] = False,
    preset: Annotated[str, typer.Option(help="Settings that go together.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A single setting.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Of the run and the model; else the method and the preset.")
    ] = "",
    workers: Annotated[int, typer.Option(help="Threads that play deals; 0 for all cores.")] = 0,
    cluster: Annotated[
        str, typer.Option(help="Play deals on a Ray cluster: `auto`, `local` or its address.")
    ] = "",
    no_measure: Annotated[
        bool, typer.Option("--no-measure", help="Leave out all measuring of strength.")
    ] = False,
    methods: Annotated[
        bool, typer.Option("--methods", help="Tell all methods, presets and settings.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Train a player; `overtrick train --methods` tells how and with which settings."""
    from overtrick.games import game_names, load_game
    from overtrick.learn.methods import METHODS, load_method

    if methods:
        _tell_methods([method] if method else [*METHODS], game, as_json=as_json)
        return
    if not game:
        raise BadOption(f"tell a game to learn: {', '.join(game_names())}")
    chosen = load_game(game)
    if not method:
        raise BadOption(f"tell a method to learn by: {', '.join(METHODS)}")
    how = load_method(method)
    told = _settings(settings or [])
    hands = _workers(workers, cluster)  # before a run is begun: they may not be there
    try:
        run = _run(
            chosen,
            how,
            resume=resume,
            name=name,
            seed=seed,
            preset=preset,
            settings=told,
            deals=deals,
            minutes=minutes,
        )
        trained = _train(run, hands, measure=not no_measure)
    finally:
        hands.close()
    if as_json:
        print(json.dumps(_values(trained)))
    else:
        _show(trained)


def _settings(words: list[str]) -> dict[str, str]:
    told = {}
    for word in words:
        key, is_setting, value = word.partition("=")
        if not is_setting or not key.strip():
            raise BadOption(f"--set wants key=value, not {word!r}")
        told[key.strip()] = value.strip()
    return told


def _run(
    game: Game,
    method: Method,
    *,
    resume: bool,
    name: str,
    seed: int | None,
    preset: str,
    settings: dict[str, str],
    deals: int | None,
    minutes: float | None,
) -> Run:
    """The run that is asked for, begun or read from its folder."""
    from overtrick.learn.budget import Budget
    from overtrick.learn.run import begin_run, resume_run

    if seed is not None and seed < 0:
        raise BadOption(f"a seed is 0 or more, not {seed}")
    budget = Budget(deals, minutes)
    config = method.configure(game, preset or "default", settings)
    name = name or "-".join([method.name, *([preset] if preset not in ("", "default") else [])])
    if not resume:
        return begin_run(
            game, method, config, name=name, seed=1 if seed is None else seed, budget=budget
        )
    told = config if settings or preset else None
    return resume_run(game, method, name=name, config=told, seed=seed, budget=budget)


def _train(run: Run, hands: Workers, *, measure: bool) -> Trained:
    from overtrick.learn.progress import say
    from overtrick.learn.run import train as train_run

    card = run.card
    say(f"{card.game} {card.method} {card.name}, seed {card.seed}: {run.folder}")
    return train_run(run, hands, measure=measure)


def _workers(count: int, cluster: str) -> Workers:
    from overtrick.learn.workers import LocalWorkers

    if count < 0:
        raise BadBudget(f"the number of workers is 0 (all cores) or more, not {count}")
    if cluster:
        from overtrick.learn.cluster import RayWorkers

        return RayWorkers(cluster)
    return LocalWorkers(count or os.cpu_count() or 1)


# ---------------------------------------------------------------------------- what is told


def _values(trained: Trained) -> dict[str, Any]:
    card = trained.run.card
    return {
        "game": card.game,
        "variant": card.variant,
        "method": card.method,
        "name": card.name,
        "seed": card.seed,
        "deals": trained.deals,
        "iterations": trained.iterations,
        "minutes": trained.minutes,
        "player": trained.player,
        "model": str(trained.model.folder),
        "run": str(trained.run.folder),
        "result": trained.result.model_dump(mode="json") if trained.result else None,
        "commands": trained.commands(),
    }


def _show(trained: Trained) -> None:
    card, result, commands = trained.run.card, trained.result, trained.commands()
    print(f"{trained.deals:,} deals, {trained.iterations:,} iterations, {trained.minutes:.1f} min")
    if result:
        print(
            f"{card.game} {trained.player} {result.payoff:+.3f} ± {result.half_width:.3f} "
            f"points/deal (95%, {result.boards} boards, vs {result.opponent}, seed {result.seed})"
        )
    print(f"saved as {card.game}/{card.name} in {trained.model.folder}")
    print(f"play it     {commands['play']}")
    print(f"measure it  {commands['measure']}")


def _tell_methods(names: list[str], game: str, *, as_json: bool) -> None:
    """All methods with their presets, for a game if one is told, and their settings."""
    from overtrick.games import game_names, load_game
    from overtrick.learn.methods import load_method, settings_of

    chosen = load_game(game or game_names()[0])
    told: dict[str, dict[str, Any]] = {}
    for name in names:
        method = load_method(name)
        told[name] = {
            "summary": method.summary,
            "presets": {key: dict(value) for key, value in method.presets_of(chosen).items()},
            "settings": {
                one.name: {"default": one.value, "meaning": one.meaning}
                for one in settings_of(method.config())
            },
        }
    if as_json:
        print(json.dumps({"methods": told}))
        return
    for name, one in told.items():
        print(f"{name}: {one['summary']}")
        for key, values in one["presets"].items():
            changes = ", ".join(f"{field}={value}" for field, value in values.items())
            print(f"    --preset {key}  {changes or 'as below'}")
        for key, setting in one["settings"].items():
            print(f"    --set {key}={setting['default']}  {setting['meaning']}")
