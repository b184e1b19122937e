"""The player that believes: its name, its options, and who it meets in a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.believers import saved_believer
from models.small_models import saved
from overtrick.arena import simulation
from overtrick.arena.simulation import simulate
from overtrick.engine.batches import Batch
from overtrick.errors import BadOption, OvertrickError, UnknownName
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.players import make_player
from overtrick.players.believing import BeliefPlayer

FEW = "worlds=2,candidates=3"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    return tmp_path


def player(options: str = FEW, game: str = "whist3x3") -> Any:
    saved_believer(game)
    return make_player(f"belief:{game}/tiny,{options}", load_game(game))


@pytest.mark.parametrize(
    "options",
    [
        FEW,
        f"{FEW},tricks=2,lookahead=enumerated,temperature=50,adapt=no",
        "worlds=4,belief=even,predictor=random",
        "worlds=4,belief=none",
        f"{FEW},prior=3",
        f"{FEW},phases=play,by=random",
    ],
)
def test_a_name_rebuilds_its_player(options: str) -> None:
    one = player(options)
    again = make_player(one.name, load_game("whist3x3"))
    assert isinstance(again, BeliefPlayer)
    assert (again.name, again.how) == (one.name, one.how)


def test_what_is_not_told_is_as_usual() -> None:
    saved_believer("whist3x3")
    usual = make_player("belief:whist3x3/tiny", load_game("whist3x3"))
    assert usual.name == "belief:whist3x3/tiny,worlds=6,candidates=6"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("belief=some", "belief is none, even, learned, not 'some'"),
        ("lookahead=far", "lookahead is pruned or enumerated, not 'far'"),
        ("adapt=maybe", "adapt is yes or no, not 'maybe'"),
        ("worlds=0", "worlds is 1 to 10000, not '0'"),
        ("phases=play", "phases=play goes with by=rulebook:strong"),
        ("sims=3", "belief has worlds, candidates"),
    ],
)
def test_options_that_make_no_sense_are_told_in_one_line(options: str, expected: str) -> None:
    with pytest.raises(BadOption, match=expected.replace("'", "'")) as told:
        player(options)
    assert "\n" not in str(told.value)


def test_a_phase_or_a_rulebook_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownName, match="no phase of whist3x3 'bid'"):
        player("phases=bid,by=random")
    with pytest.raises(UnknownName, match="no rulebook of whist3x3"):
        player("predictor=rules")


def test_other_models_do_not_believe() -> None:
    saved()  # of kuhn, by AlphaZero
    with pytest.raises(BadOption, match="was made by alphazero, and does not believe"):
        make_player("belief:kuhn/captain", load_game("kuhn"))
    with pytest.raises(BadOption, match="tell which model, as in belief:kuhn/NAME"):
        make_player("belief", load_game("kuhn"))
    saved(method="belief", name="wrong")  # nets of another kind
    with pytest.raises(OvertrickError, match="is no approximator"):
        make_player("belief:kuhn/wrong", load_game("kuhn"))


def test_it_plays_a_session_and_learns_who_is_there() -> None:
    saved_believer("whist3x3")
    name = f"belief:whist3x3/tiny,{FEW}"
    seated: list[Any] = []

    def make(text: str, game: Any) -> Any:
        seated.append(make_player(text, game))
        return seated[-1]

    patch = pytest.MonkeyPatch()
    patch.setattr(simulation, "make_player", make)
    session = simulate(load_game("whist3x3"), [name, "random"], 20, seed=1, every=7)
    patch.undo()
    assert (session.money.sum(axis=1) == 0).all()
    believer = seated[0]
    told = believer.foresight()
    assert told["choices"] > 0
    assert 0 <= told["foreseen"] <= 1
    usual, own, other = believer.minds[0][2][:3]
    assert not np.array_equal(other, usual)  # person 1, the random player
    assert np.array_equal(own, usual)  # nobody predicts oneself
    again = simulate(load_game("whist3x3"), [name, "random"], 20, seed=1, every=7)
    assert np.array_equal(session.money, again.money)


@pytest.mark.parametrize("options", [FEW, f"{FEW},phases=play,by=random"])
def test_in_a_session_it_chooses_as_when_it_is_asked(
    options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_believer("whist3x3")
    names = [f"belief:whist3x3/tiny,{options}", "random"]
    inside = simulate(load_game("whist3x3"), names, 30, seed=1, every=7)
    monkeypatch.setattr(simulation, "GoingOn", type("Nobody", (), {}))
    asked = simulate(load_game("whist3x3"), names, 30, seed=1, every=7)
    assert np.array_equal(inside.money, asked.money)


@pytest.mark.parametrize("prior", [0, 3, 1000])
def test_worlds_are_looked_at_for_choices_that_they_may_turn_to(prior: int) -> None:
    batch = Batch(load_game("whist3x3"), 200, seed=3)
    views, chance = batch.views(), streams(200, 0, "word")
    believer = player(f"{FEW},prior={prior}")
    word, legal = player(f"{FEW},belief=none").weigh(views, chance)
    is_legal = legal[:, None] >> np.arange(64) & 1 == 1
    behind = np.where(is_legal, word, -np.inf).max(axis=1, keepdims=True) - word
    looked = is_legal & (behind * prior <= believer.how.gap * believer.how.worlds)
    merits, _ = believer.weigh(views, chance)  # two worlds, after which none is given up
    best = np.where(looked, merits, -np.inf).argmax(axis=1)
    assert np.array_equal(believer.choose(views, chance), best)


def test_where_there_is_one_choice_it_is_made_without_a_look() -> None:
    believer = player()
    believer.how = None  # nothing to look with
    batch = Batch(load_game("whist3x3"), 20, seed=3)
    for _ in range(4):
        batch.step(np.log2(batch.legals & -batch.legals).astype(np.int64))
    chosen = believer.choose(batch.views(), streams(20, 0, "forced"))  # the last trick
    assert np.array_equal(1 << chosen, batch.legals)


def test_a_margin_is_what_one_person_wins_more_than_another() -> None:
    session = simulate(load_game("whist3x3"), ["random", "random"], 50, seed=3)
    margin = session.margin(0, 1)
    points = session.points
    assert margin.mean == pytest.approx((points[:, 0] - points[:, 1]).mean())
    assert session.least_margins() == []  # two of a kind


def test_the_least_margin_is_that_of_the_closest_two_of_different_kinds() -> None:
    names = ["random", "rulebook:simple", "rulebook:simple", "random", "random"]
    session = simulate(load_game("sheephead"), names, 200, seed=3)
    ((one, other, least),) = session.least_margins()
    assert (one, other) == ("rulebook:simple@1", "random")
    margins = [session.margin(better, worse) for better in (1, 2) for worse in (0, 3, 4)]
    assert least.mean - least.ci95 == min(margin.mean - margin.ci95 for margin in margins)


def test_advice_tells_what_every_choice_is_expected_to_pay() -> None:
    from overtrick.arena.boards import deals_of
    from overtrick.engine.views import hide_all
    from overtrick.jit import stream

    game = load_game("whist3x3")
    view = deals_of(game, "", stream(1), 0, 1)
    hide_all(view, view["seat"].copy())
    (advice,) = player().advise(view, stream(2))
    assert advice.done
    assert all(one.payoff is not None for one in advice.choices)
    assert advice.best.choice == int(player().choose(view, stream(2).reshape(1, -1))[0])
