"""Players in whose place another chooses in some phases, that avoid choices or turn the suits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.small_models import saved
from overtrick.engine.deals import Deal
from overtrick.engine.observations import canonical_orders, turn_suits
from overtrick.errors import BadOption, OvertrickError, UnknownName
from overtrick.games import load_game
from overtrick.jit import streams
from overtrick.models import find_model
from overtrick.nets.packing import evaluator_of
from overtrick.players import make_player

HOKM = load_game("hokm")
NAME = "ppo:hokm/small,phases=trump,by=rulebook:strong"


@pytest.fixture(autouse=True)
def _model(home: Path) -> None:
    saved(game="hokm", name="small", method="ppo")


def choice_of(name: str, deal: Deal, seed: int) -> int:
    view = deal.view(deal.seat or 0)
    return int(make_player(name, HOKM).choose(view.records, streams(1, seed, "choice"))[0])


def test_another_chooses_in_its_phase_and_the_net_in_all_others() -> None:
    for seed in range(20):
        deal = Deal.from_seed("hokm", seed)
        assert choice_of(NAME, deal, seed) == choice_of("rulebook:strong", deal, seed)
        later = deal.play(deal.legal_texts[0])
        assert choice_of(NAME, later, seed) == choice_of("ppo:hokm/small", later, seed)


def test_views_of_all_phases_may_come_together() -> None:
    deals = [Deal.from_seed("hokm", seed) for seed in range(6)]
    deals = [deal.play("S") if number % 2 else deal for number, deal in enumerate(deals)]
    views = np.concatenate([deal.view(deal.seat or 0).records for deal in deals])
    chances = streams(6, 1, "choice")
    together = make_player(NAME, HOKM).choose(views, chances.copy())
    apart = [
        make_player(NAME, HOKM).choose(views[n : n + 1], chances[n : n + 1].copy())[0]
        for n in range(6)
    ]
    assert together.tolist() == apart


def test_its_name_rebuilds_it_and_its_advice_is_its_own() -> None:
    player = make_player(NAME, HOKM)
    assert player.name == "ppo:hokm/small,phases=trump,by=rulebook:strong@1"
    assert make_player(player.name, HOKM).name == player.name
    deal = Deal.from_seed("hokm", 1)
    view = deal.view(deal.seat or 0)
    (advice,) = player.advise(view.records, streams(1, 1, "advice")[0])
    assert advice.player == player.name
    assert advice.reason == "by its rules"


def test_what_is_avoided_is_chosen_only_where_nothing_else_is_left() -> None:
    for seed in range(20):
        deal = Deal.from_seed("hokm", seed)
        best = choice_of("ppo:hokm/small", deal, seed)
        name = f"ppo:hokm/small,avoid={HOKM.choice_names[0][best]}"
        assert make_player(name, HOKM).name == name
        assert choice_of(name, deal, seed) != best
        assert choice_of("ppo:hokm/small,avoid=S+H+D+C", deal, seed) == best


def test_a_net_asked_under_all_names_of_the_suits_says_the_mean() -> None:
    evaluator = evaluator_of(HOKM, find_model("hokm/small", HOKM).packed(HOKM)["main"])
    assert make_player("ppo:hokm/small,suits=24", HOKM).name == "ppo:hokm/small,suits=24"
    for seed in range(5):
        first = Deal.from_seed("hokm", seed)
        for deal, names in ((first, 24), (first.play("S"), 6)):  # trump is no more to be renamed
            view = deal.view(deal.seat or 0).records
            orders = np.zeros((24, 1), dtype=np.int64)
            for number in range(24):
                turn_suits(view, number, orders[number])
            assert len(np.unique(orders)) == names
            assert canonical_orders(view)[0] == orders[0]
            said = np.mean([evaluator.weigh(view, order)[0][0] for order in orders], axis=0)
            assert choice_of(f"ppo:hokm/small,suits={names}", deal, seed) == said.argmax()


@pytest.mark.parametrize(
    ("name", "error", "expected"),
    [
        ("ppo:hokm/small,suits=25", BadOption, "25"),
        ("ppo:hokm/small,phases=trump", BadOption, "goes with by="),
        ("ppo:hokm/small,avoid=S+", BadOption, "no choice of hokm begins with ''"),
        ("ppo:hokm/small,avoid=Z", BadOption, "no choice of hokm begins with 'Z'"),
        ("ppo:hokm/small,by=random", BadOption, "goes with by="),
        ("ppo:hokm/small,phases=bid,by=random", UnknownName, "no phase of hokm 'bid'"),
        ("ppo:hokm/small,phases=trump,by=pimc", UnknownName, "no playout player 'pimc'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    name: str, error: type[OvertrickError], expected: str
) -> None:
    with pytest.raises(error, match=expected):
        make_player(name, HOKM)
