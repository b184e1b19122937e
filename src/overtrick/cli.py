"""The command `overtrick`.

Bad input ends in one line on standard error and exit status 2. With --json, standard output is
exactly one JSON object, or one a line for each deal of a file; progress and messages go to
standard error.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from overtrick import __version__
from overtrick.cli_arena import add_arena_commands
from overtrick.cli_bot import add_bot_command
from overtrick.cli_cfr import add_cfr_commands
from overtrick.cli_curve import add_curve_command
from overtrick.cli_ladder import add_ladder_commands
from overtrick.cli_models import add_model_commands
from overtrick.cli_new import add_new_command
from overtrick.cli_records import add_record_commands
from overtrick.cli_review import add_review_command
from overtrick.cli_samples import add_sample_commands
from overtrick.cli_search import add_search_commands
from overtrick.cli_train import add_train_command
from overtrick.errors import BadBudget, BadOption, OvertrickError, UnknownName

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Train, measure and play artificial players for trick-taking card games.",
)


def main() -> None:
    """Run the command line; a user's mistake ends in one line and status 2."""
    logging.basicConfig(format="overtrick: %(message)s", level=logging.WARNING)
    try:
        status = app(prog_name="overtrick", standalone_mode=False)
    except OvertrickError as error:
        _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has gone: nothing more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        # Typer's errors of usage share no public base, only this method
        told = getattr(error, "format_message", None)
        if told is None:
            raise
        _fail(told())
    sys.exit(status or 0)


def _fail(message: str) -> None:
    print(f"overtrick: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


def _show_version(asked: bool) -> None:
    if asked:
        print(f"overtrick {__version__}")
        raise typer.Exit


@app.callback()
def _overtrick(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Train, measure and play artificial players for trick-taking card games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games(
    all_games: Annotated[bool, typer.Option("--all", help="Also the small test games.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the games and their options."""
    from overtrick.games import loaded_games

    listed = loaded_games(hidden=all_games)
    if as_json:
        print(json.dumps({"games": {game.name: _game_json(game) for game in listed}}))
        return
    for game in listed:
        print(f"{game.name}: {game.title}, {game.summary}")
        for name, (default, option) in game.variant.options().items():
            shown = str(default).lower() if isinstance(default, bool) else default
            print(f"    {name}={shown}  {option.meaning} ({option.allowed()})")


def _game_json(game: Any) -> dict[str, Any]:
    return {
        "title": game.title,
        "summary": game.summary,
        "seats": game.seats,
        "cards": len(game.deck),
        "actions": game.actions,
        "longest_deal": game.longest,
        "options": {
            name: {"default": default, "meaning": option.meaning, "allowed": option.allowed()}
            for name, (default, option) in game.variant.options().items()
        },
    }


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")] = "",
    host: Annotated[str, typer.Option(help="Where the table can be reached.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Its port; else 8137 or the next free.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in this terminal.")] = False,
    seat: Annotated[
        str | None,
        typer.Option(help="In the terminal, your seat: a number or a name; `none` to watch."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            help="In the terminal, who sits in the other seats: one name, or one a seat, by "
            "commas. If nobody is named, the strong rulebook."
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="In the terminal, house rules, as name=value,name=value.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="In the terminal, shuffle by this number.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(help="In the terminal, how many deals, 1 if not told; 0 plays the match."),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", help="A program that may sit down as bot:NAME, told as NAME=command; several."
        ),
    ] = None,
) -> None:
    """Play against the machine: at a table in the browser, or with --terminal in this terminal."""
    options = {"seat": seat, "players": players, "variant": variant, "seed": seed, "deals": deals}
    if bots:
        from overtrick.players.external import seat_bot

        for told_bot in bots:
            seat_bot(told_bot)
    if terminal:
        _play_in_terminal(game, **options)
        return
    told = [name for name, value in options.items() if value is not None]
    if told:
        raise BadOption(f"--{told[0]} is for --terminal; in the browser the lobby asks for it")
    _check_game(game)
    from overtrick.table.serving import serve

    serve(game=game, host=host, port=port, browser=not no_browser)


def _check_game(name: str) -> None:
    """Refuse an unknown game before anything is started; known folders need no loading."""
    from overtrick.games import load_game

    if name and not (Path(__file__).parent / "games" / name / "__init__.py").is_file():
        load_game(name)


def _play_in_terminal(
    game: str,
    *,
    seat: Any,
    players: Any,
    variant: Any,
    seed: Any,
    deals: Any,
) -> None:
    from overtrick.games import game_names, load_game
    from overtrick.terminal import play_in_terminal

    if not game:
        raise BadOption(f"--terminal wants a game: {', '.join(game_names())}")
    chosen = load_game(game)
    count = 1 if deals is None else deals
    if count < 0:
        raise BadBudget(f"the number of deals is 0 (a whole match) or more, not {count}")
    play_in_terminal(
        chosen,
        seat=seat or "",
        players=players or ("rulebook" if chosen.rulebooks else "random"),
        variant=variant or "",
        seed=secrets.randbelow(10**9) if seed is None else seed,
        deals=count,
    )


@app.command(name="compile")
def compile_games(
    names: Annotated[list[str] | None, typer.Argument(help="Games; all of them if none.")] = None,
    all_games: Annotated[bool, typer.Option("--all", help="The small test games too.")] = False,
    jobs: Annotated[int, typer.Option(help="Games to compile side by side.")] = 2,
    belief: Annotated[bool, typer.Option(help="What belief players need, too.")] = True,
) -> None:
    """Compile the games ahead of their first use, and drop code of older sources."""
    from overtrick.games import load_game, loaded_games
    from overtrick.jit import cache_folder, prune_cache

    games = [load_game(name) for name in names] if names else loaded_games(hidden=all_games)
    chosen = [game.name for game in games]
    if jobs < 1:
        raise BadBudget(f"the number of jobs is 1 or more, not {jobs}")
    if len(chosen) == 1:
        _compile_here(chosen[0], belief=belief)
    else:
        with ThreadPoolExecutor(jobs) as pool:
            large_first = sorted(games, key=lambda game: -len(game.deck))
            told = "--belief" if belief else "--no-belief"
            list(pool.map(lambda game: _compile_in_a_process(game.name, told), large_first))
    prune_cache()
    print(f"{', '.join(chosen)}: compiled code is in {cache_folder()}", file=sys.stderr)


def _compile_here(name: str, *, belief: bool) -> None:
    from overtrick.arena.warm import warm_up_arena
    from overtrick.belief.warm import warm_up_belief
    from overtrick.engine.warm import warm_up
    from overtrick.games import load_game
    from overtrick.jit import compilations
    from overtrick.search.warm import warm_up_search
    from overtrick.table.preparing import SEARCH, TABLE, load_stage

    before = len(compilations())
    warm_up(load_game(name))
    warm_up_arena(load_game(name))
    warm_up_search(load_game(name))
    if belief:
        warm_up_belief(load_game(name))
    for stage in (TABLE, SEARCH):  # marks them, so that the table need not look
        load_stage(name, stage, lambda *told: None)
    count = len(compilations()) - before
    print(f"{name}: {count or 'nothing'} to compile", file=sys.stderr)


def _compile_in_a_process(name: str, *told: str) -> None:
    command = [sys.executable, "-m", "overtrick", "compile", name, *told]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OvertrickError(f"{name} cannot be compiled: {done.stderr.strip()[-500:]}")
    print(f"{name}: compiled", file=sys.stderr)


@app.command(name="explain-observation")
def explain_observation(
    game: Annotated[str, typer.Argument(help="Which game; `overtrick games` lists them.")],
    encoding: Annotated[str, typer.Option(help="Which of its encodings; else the first.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell what each number that a net is shown of a view means: index, name, meaning."""
    from overtrick.games import load_game

    chosen = load_game(game)
    spec = chosen.encodings[chosen.encoding(encoding)]
    if as_json:
        flags = [{"index": i, "name": name, "meaning": told} for i, name, told in spec.rows()]
        known = [str(one) for one in chosen.encodings]
        told = {"game": chosen.name, "encoding": str(spec), "encodings": known, "size": spec.size}
        print(json.dumps({**told, "digest": spec.digest, "flags": flags}))
        return
    others = [str(one) for one in chosen.encodings if one is not spec]
    print(f"{chosen.name} {spec}: {spec.size} flags, each 0 or 1, seats counted from the viewer")
    if others:
        print(f"there is also {', '.join(others)} (--encoding)")
    width = max(len(name) for _, name, _ in spec.rows())
    for index, name, meaning in spec.rows():
        print(f"{index:>5}  {name:<{width}}  {meaning}")


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Games; all of them if none.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    repeats: Annotated[int, typer.Option(help="Measurements behind each median.")] = 5,
    part: Annotated[
        str,
        typer.Option(
            help="What to measure: engine, arena, search, solver, nets, learning, belief, cfr, "
            "table, analysis or envs."
        ),
    ] = "engine",
    peers: Annotated[
        bool, typer.Option("--peers", help="Other programs' environments that are installed.")
    ] = False,
) -> None:
    """Measure speed on one core: medians with their spread."""
    from overtrick.games import game_names, load_game

    if repeats < 1:
        raise BadBudget(f"the number of repeats is 1 or more, not {repeats}")
    if peers and part != "engine":
        raise BadOption("--peers measures other programs' environments beside ours, without --part")
    chosen = [load_game(name) for name in names or game_names()]
    benchmark = _benchmark("peers" if peers else part)
    report = benchmark.measure_games(chosen, repeats=repeats)
    if as_json:
        print(json.dumps(report))
    else:
        benchmark.show(report)


def _benchmark(name: str) -> ModuleType:
    """A module of `benchmarks/`: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    known: list[str] = []
    for folder in (package / "benchmarks", package.parents[1] / "benchmarks"):
        known += [path.stem for path in folder.glob("*.py")]
        path = folder / f"{name}.py"
        if path.stem in known:
            spec = importlib.util.spec_from_file_location(f"overtrick_benchmarks_{name}", path)
            if spec is None or spec.loader is None:
                break
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise UnknownName("benchmark", name, known)


add_record_commands(app)
add_review_command(app)
add_arena_commands(app)
add_search_commands(app)
add_train_command(app)
add_curve_command(app)
add_cfr_commands(app)
add_sample_commands(app)
add_ladder_commands(app)
add_bot_command(app)
add_model_commands(app)
add_new_command(app)
