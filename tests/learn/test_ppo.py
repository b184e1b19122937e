"""League PPO: near an equilibrium in small games, the same wherever it runs, resumed exactly."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import mostly_long
from overtrick.engine.tree import Tree, build_tree
from overtrick.errors import BadOption, UnknownName
from overtrick.games import load_game
from overtrick.learn.advantages import advantages, explained
from overtrick.learn.budget import Budget
from overtrick.learn.methods import load_method
from overtrick.learn.ppo import Ppo, PpoConfig
from overtrick.learn.ppo_config import PRESETS, pull_of_magnet
from overtrick.learn.ppo_teaching import normalised
from overtrick.learn.starting import sharpened
from overtrick.learn.workers import LocalWorkers
from overtrick.nets.evaluating import NetEvaluator

SMALL: dict[str, Any] = {
    "units": 16,
    "layers": 1,
    "critic_units": 16,
    "critic_layers": 1,
    "lot": 32,
    "batch": 64,
    "arena_deals": 16,
    "arena_every": 2,
    "evaluate_every": 2,
    "evaluate_boards": 4,
    "epochs": 2,
    "league": 2,
}


def a_run(game: str = "whist3x3", *, workers: int = 1, seed: int = 1, **told: Any) -> Ppo:
    config = PpoConfig(**SMALL | {"deals": 128} | told)
    return Ppo(load_game(game), config, LocalWorkers(workers), seed, Budget(deals=config.deals))


def finished(run: Ppo) -> Ppo:
    while run.deals < run.total:
        run.step()
    return run


def weights(run: Ppo) -> bytes:
    return b"".join(rows.tobytes() for _, rows in sorted(run.nets()["main"][1].items()))


@cache
def tree_of(game: str) -> Tree:
    return build_tree(load_game(game))


def exploitability(run: Ppo) -> float:
    """Of the policy that is saved, at every view of the game."""
    tree = tree_of(run.game.name)
    logits, _ = NetEvaluator(run.game, run.net()).weigh(tree.views)
    width = tree.legal.shape[1]
    powers = np.where(tree.legal, np.exp(logits[:, :width] - logits.max(axis=1)[:, None]), 0.0)
    return float(tree.exploitability(powers / powers.sum(axis=1, keepdims=True)))


@pytest.mark.parametrize(
    ("game", "deals", "most"),
    [("kuhn", 60_000, 0.05), pytest.param("leduc", 60_000, 0.5, marks=pytest.mark.long)],
)
def test_in_small_poker_the_policy_becomes_hard_to_exploit(
    game: str, deals: int, most: float
) -> None:
    config = PpoConfig(**{**PRESETS["small"], "deals": deals, "evaluate_every": 0})
    run = Ppo(load_game(game), config, LocalWorkers(1), 1, Budget(deals=deals))
    assert exploitability(finished(run)) < most


def test_a_run_that_was_stopped_ends_in_the_same_net(tmp_path: Path) -> None:
    whole = finished(a_run())
    first = a_run()
    for _ in range(2):
        first.step()
    first.save(tmp_path)
    second = a_run()
    second.load(tmp_path)
    assert second.deals == 64
    assert second.league.names == first.league.names
    assert weights(finished(second)) == weights(whole)


def test_the_net_does_not_depend_on_the_number_of_workers() -> None:
    assert weights(finished(a_run())) == weights(finished(a_run(workers=3)))


def test_another_seed_gives_another_net() -> None:
    assert weights(finished(a_run())) != weights(finished(a_run(seed=2)))


@pytest.mark.parametrize(
    "game", mostly_long(["leduc", "thirds", "hokm", "hearts", "sheephead"], "thirds")
)
def test_it_runs_on_any_game_of_the_contract(game: str) -> None:
    run = a_run(game, deals=64, guess="others")
    told = [run.step() for _ in range(2)]
    for name in ("policy loss", "critic loss", "explained", "foreseen", "entropy", "guess loss"):
        assert np.isfinite(float(told[0][name]))
    assert 0 <= float(told[1]["wins random"]) <= 1


def test_a_learner_that_does_well_joins_the_league_and_the_oldest_leaves() -> None:
    run = a_run(admission_share=0.01, deals=10_000)
    told = [run.step() for _ in range(4)]
    assert [one.get("joined") for one in told] == [None, 1.0, None, 1.0]
    assert run.league.names == ["copy 2", "copy 4"]


def test_a_learner_that_does_not_stays_out() -> None:
    run = a_run(admission_share=0.99, deals=10_000)
    assert [run.step().get("joined") for _ in range(2)] == [None, 0.0]
    assert run.league.names == ["copy 0"]


def test_admission_may_ask_for_a_proof() -> None:
    run = a_run(admission="sprt", deals=10_000)
    assert run.step().get("joined") is None
    assert run.step()["joined"] in (0.0, 1.0)


def test_rulebooks_and_searches_can_be_in_the_league() -> None:
    run = a_run(
        "snapszer", players="rulebook:strong,pimc:worlds=2", self_play=0.0, deals=10_000, lot=8
    )
    assert run.league.names[1:] == ["rulebook:strong", "pimc:worlds=2"]
    assert np.isfinite(float(run.step()["policy loss"]))


@pytest.mark.parametrize("admission", ["mean", "sprt"])
def test_a_learner_may_meet_players_by_name_alone(admission: str) -> None:
    run = a_run(league=0, players="random", self_play=0.0, admission=admission, deals=10_000)
    told = [run.step() for _ in range(2)]
    assert run.league.names == ["random"]
    assert (told[1]["joined"], told[1]["league"]) == (0.0, 0)
    assert 0 < float(told[1]["league share"]) < 1
    alone = a_run(league=0, self_play=1.0, deals=10_000)
    assert "league share" not in [alone.step() for _ in range(2)][1]
    with pytest.raises(BadOption, match="tell whom to meet"):
        a_run(league=0)


def test_the_estimate_by_turn_is_for_two_sides() -> None:
    assert np.isfinite(float(a_run(estimate="turn").step()["explained"]))
    with pytest.raises(BadOption, match="two sides"):
        a_run("hearts", estimate="turn")


@pytest.mark.parametrize("rewards", ["reward_matrix=good", "trick_reward=0.1"])
def test_the_estimate_by_turn_is_for_rewards_that_the_other_side_loses(rewards: str) -> None:
    a_run("coinche", estimate="turn", rewards="belote_in_reward=true")
    a_run("coinche", estimate="seat", rewards=rewards)
    with pytest.raises(BadOption, match=f"what the other loses, which {rewards} does not"):
        a_run("coinche", estimate="turn", rewards=rewards)
    with pytest.raises(BadOption, match="pays seats, not sides"):
        a_run("coinche", estimate="turn", shape="bid precision:-0.5")


def test_rewards_change_no_rules() -> None:
    with pytest.raises(UnknownName, match="option of coinche for rewards 'undertrump'"):
        a_run("coinche", rewards="reward_matrix=good,undertrump=must")


@pytest.mark.parametrize("net", mostly_long(["mlp", "pointer"], "mlp"))
def test_by_turn_the_critic_learns_what_the_choices_of_the_others_are_worth(net: str) -> None:
    run = a_run(estimate="turn", self_play=0.0, net=net, pointer="small", lot=16)
    rollout = run.play(0.0)
    told = run.lessons(rollout)
    assert len(told) == rollout.learned.sum() < len(rollout) == len(told.critic)
    gains = advantages(run.game, rollout, by_turn=True)
    theirs = (gains + rollout.values)[~rollout.learned] / run.spec.reach
    assert told.returns[len(told) :] == pytest.approx(theirs.clip(-1, 1))
    seats = rollout.seats[rollout.learned]
    mine = rollout.rewards[rollout.numbers[rollout.learned], seats] / run.spec.reach
    assert np.corrcoef(told.returns[: len(told)], mine)[0, 1] > 0.5
    assert np.isfinite(float(run.step()["critic loss"]))


def test_by_seat_the_critic_learns_from_the_choices_of_the_policy() -> None:
    run = a_run(self_play=0.0)
    told = run.lessons(run.play(0.0))
    assert len(told.critic) == len(told.returns) == len(told)


def test_what_is_avoided_is_never_chosen() -> None:
    run = a_run("coinche", avoid="250,160", deals=64)
    finished(run)
    layers = run.nets()["main"][1]
    game = load_game("coinche")
    actions = [
        game.action_offsets[0] + number
        for number, name in enumerate(game.choice_names[0])
        if name.startswith(("250", "160"))
    ]
    assert len(actions) == 8
    assert (layers["policy.out.bias"][actions] == -run.spec.logit_clip).all()
    assert (layers["policy.out.weight"][actions] == 0).all()
    with pytest.raises(BadOption, match="no choice of coinche begins with '9Z'"):
        a_run("coinche", avoid="9Z")


def test_choices_may_be_tried_on_the_same_deal_and_taught_by_what_they_pay() -> None:
    run = a_run("snapszer", branches="lead", branch_deals=20, branch_kept=1000, deals=64)
    tried = run._try_choices()
    assert (tried.deals["table"] == 0).all()
    assert (tried.legal & tried.legal - 1 != 0).all()
    told = run.step()
    assert 0 <= float(told["make Brier"]) <= 1
    assert np.isfinite(float(told["QKL"]))
    with pytest.raises(UnknownName, match="phase of hokm"):
        a_run("hokm", branches="bid")


@pytest.mark.long
def test_only_the_phases_told_are_tried() -> None:
    run = a_run("hokm", branches="trump", branch_deals=20, branch_kept=1000, deals=64)
    tried = run._try_choices()
    assert len(tried) == 20  # a deal has one choice of trump
    assert (tried.legal == 0b1111).all()


def test_others_may_choose_in_a_phase_for_all_seats_at_first() -> None:
    run = a_run("hokm", forced="trump:random,trump:rulebook:strong", forced_part=0.5, deals=64)
    early, late = run.play(0.4), run.play(0.6)
    assert (early.deals["phase"] == 1).all()
    assert (late.deals["phase"] == 0).sum() == 32
    with pytest.raises(BadOption, match="PHASE:PLAYER"):
        a_run("hokm", forced="trump")


@pytest.mark.parametrize("separators", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_pointer_net_learns_in_the_place_of_a_plain_one(separators: bool, tmp_path: Path) -> None:
    told = {"net": "pointer", "pointer": "small", "separators": separators, "kl": 0.1, "lot": 16}
    run = a_run(deals=64, **told)
    assert run.spec.kind == "pointer"
    first = [run.step() for _ in range(2)]
    assert np.isfinite(float(first[1]["policy loss"]))
    run.save(tmp_path)
    again = a_run(deals=64, **told)
    again.load(tmp_path)
    assert weights(finished(again)) == weights(finished(run))


def test_a_pointer_net_has_nothing_to_guess_or_to_avoid() -> None:
    for told in ({"guess": "others"}, {"branches": "play"}):
        with pytest.raises(BadOption, match="pointer net"):
            a_run(net="pointer", **told)


def test_a_deal_may_be_paid_by_how_it_was_played_as_well() -> None:
    plain = a_run("hokm", deals=64).play(0.0)
    shaped = a_run("hokm", deals=64, shape="tricks:0.5,kot made:-1").play(0.0)
    tricks = plain.ends["tricks"][:, [0, 1, 0, 1]]
    kot = (plain.ends["kot"] == 1)[:, None] & (plain.rewards > 0)
    assert shaped.rewards == pytest.approx(plain.rewards + 0.5 * tricks - kot)
    with pytest.raises(UnknownName, match="metric of hokm 'luck'"):
        a_run("hokm", shape="luck:1")
    with pytest.raises(BadOption, match="METRIC:WEIGHT"):
        a_run("hokm", shape="tricks:much")


def test_what_a_metric_pays_is_counted_in_points() -> None:
    # Payoffs of Hearts are thirds of a point: a point less for each that was taken is three.
    plain = a_run("hearts", deals=64).play(0.0)
    shaped = a_run("hearts", deals=64, shape="points taken:-1").play(0.0)
    assert shaped.rewards == pytest.approx(plain.rewards - 3 * plain.ends["points"])


def test_only_pairs_guess_the_hand_of_a_partner() -> None:
    with pytest.raises(BadOption, match="in pairs"):
        a_run("hearts", guess="partner")


def test_the_partners_hand_is_where_the_critic_sees_it() -> None:
    run = a_run("coinche", guess="partner", deals=32)
    rollout = run.play(0.0)
    lessons = run.lessons(rollout)
    told = lessons.critic[:, run._guessed]
    partners = rollout.deals["hands"][np.arange(len(rollout)), (rollout.seats + 2) % 4]
    assert told.sum(axis=1).tolist() == [int(hand).bit_count() for hand in partners]


def test_after_a_start_the_critic_learns_alone_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from learn.test_distill import learner, saved

    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    teacher = learner()
    run = a_run(start=saved(teacher, "start"), warm=2, deals=10_000)
    before = weights(run)
    assert before == b"".join(
        rows.tobytes() for _, rows in sorted(teacher.nets()["main"][1].items())
    )
    assert [run.step()["phase"] for _ in range(2)] == ["[CRITIC]", "[CRITIC]"]
    assert weights(run) == before
    told = run.step()
    assert told["phase"] == "[PPO]"
    assert weights(run) != before


def test_a_sharpened_start_weighs_choices_so_many_times_as_much_and_its_critic_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from learn.test_distill import learner, saved

    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    teacher = learner()
    teacher.step()
    start = saved(teacher, "start")
    plain, sharp = a_run(start=start), a_run(start=start, sharpen=3.0)
    told = plain.lessons(plain.play(0.0))
    soft, worth = plain.pupil.answer(told.policy.flags)
    hard, same = sharp.pupil.answer(told.policy.flags)
    assert hard.detach().numpy() == pytest.approx(3 * soft.detach().numpy(), abs=1e-4)
    assert (worth == same).all()
    _, values = sharp._critic.answer(told.critic)
    assert values.detach().numpy() == pytest.approx(worth.detach().numpy(), abs=1e-5)


def test_a_pointer_net_is_not_sharpened() -> None:
    with pytest.raises(BadOption, match="plain layers"):
        sharpened(a_run(net="pointer", pointer="small").spec, {}, 2.0)


def test_advantages_are_normalised_lot_by_lot() -> None:
    gains, lots = np.array([1.0, 3.0, 10.0, 30.0]), np.array([0, 0, 1, 1])
    assert normalised(gains, lots) == pytest.approx([-1, 1, -1, 1])
    assert normalised(gains, np.zeros(4, dtype=np.int64)).std() == pytest.approx(1.0)


@pytest.mark.parametrize("how", ["none", "all", "phase", "role"])
def test_advantages_are_normalised_by_phase_and_by_role_if_told(how: str) -> None:
    run = a_run("hokm", normalise=how, deals=64)  # trump and play, as the hakem's team or not
    rollout = run.play(0.0)
    told = run.lessons(rollout)
    hakem = rollout.ends["hakem"][rollout.numbers] & 1 == rollout.seats & 1
    keys = [(), (), (rollout.deals["phase"],), (rollout.deals["phase"], hakem)]
    names = ["none", "all", "phase", "role"]
    rows = np.zeros(len(told), dtype=np.int64)
    for key in keys[names.index(how)]:
        rows = 2 * rows + key
    if how == "none":
        assert abs(told.advantages).max() > 0
        return
    assert len(np.unique(rows)) == {"all": 1, "phase": 2, "role": 3}[how]
    for row in np.unique(rows):
        assert told.advantages[rows == row].mean() == pytest.approx(0, abs=1e-6)


def test_what_the_critic_explains_is_discounted_as_it_was_taught() -> None:
    run = a_run(discount=0.5)
    rollout = run.play(0.0)
    gains = advantages(run.game, rollout, discount=0.5, by_turn=False)
    wanted = explained(rollout.values, rollout.values + gains)
    assert run._told_of(rollout)["explained"] == pytest.approx(wanted)


def test_unknown_players_and_rewards_are_refused_before_anything_is_played() -> None:
    for told in ({"players": "nobody"}, {"rewards": "reward_matrix=evil"}, {"seating": "LO"}):
        with pytest.raises(Exception, match=r"nobody|evil|seating"):
            a_run("coinche", **told)


@pytest.mark.parametrize("name", ["hokm", "hearts", "snapszer"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_run_of_any_preset_can_be_begun_in_any_game(preset: str, name: str) -> None:
    method, game = load_method("ppo"), load_game(name)
    config = method.configure(game, preset)
    assert config.estimate == (
        "turn" if preset in ("post", "league") and name != "hearts" else "seat"
    )
    Ppo(game, config, LocalWorkers(1), 1, Budget(deals=1))


def test_a_net_that_learns_one_order_of_suits_cannot_be_asked_under_others() -> None:
    with pytest.raises(BadOption, match="one order of suits"):
        a_run("hokm", suits=6)
    a_run("hokm", suits=6, shuffle_suits=True)


def test_the_magnet_pulls_after_a_start_only_unless_told() -> None:
    assert pull_of_magnet(PpoConfig()) == (0.0, 0.0)
    assert pull_of_magnet(PpoConfig(start="hokm/distill")) == (0.1, 0.01)
    assert pull_of_magnet(PpoConfig(kl=0.2)) == (0.2, 0.0)
    assert pull_of_magnet(PpoConfig(start="hokm/distill", kl=0.0, last_kl=0.3)) == (0.0, 0.3)
