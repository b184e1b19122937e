"""Self-play: the same deals wherever they are played, and samples that tell what happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from conftest import legals_of
from nets.some_nets import some_net
from overtrick.engine.observations import canonical_orders, observations
from overtrick.errors import DamagedFile
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.learn.samples import Samples, lessons, teach, views_of
from overtrick.learn.selfplay import SelfPlay, play_deals
from overtrick.nets.spec import spec_for
from overtrick.search.guided import Guidance

HOW = SelfPlay(2, Guidance(6, stir=0.25))


def played(game: Game, first: int, count: int, *, threads: int = 1) -> Samples:
    _, net = some_net(game)
    return play_deals(game, net, HOW, seed=3, first=first, count=count, threads=threads)


def rows_of(samples: Samples) -> list[bytes]:
    parts = zip(samples.deals, samples.legal, samples.policy, samples.payoffs, strict=True)
    return sorted(b"".join(np.asarray(one).tobytes() for one in row) for row in parts)


def same_suits(samples: Samples) -> np.ndarray:
    return np.full(len(samples), 0b11_10_01_00)


def hidden(samples: Samples) -> np.ndarray:
    return np.zeros(len(samples), dtype=np.bool_)


@pytest.mark.parametrize("name", ["snapszer", "sheephead", "whist3x3"])
def test_deals_are_the_same_in_any_lots_and_on_any_threads(name: str) -> None:
    game = load_game(name)
    whole = played(game, 0, 12, threads=2)
    parts = [played(game, 0, 5), played(game, 5, 1), played(game, 6, 6)]
    assert rows_of(whole) == rows_of(Samples.joined(parts))


def test_a_sample_is_a_view_with_a_choice_and_what_the_deal_paid(game: Game) -> None:
    samples = played(game, 0, 6)
    assert len(samples)
    assert np.array_equal(legals_of(samples.deals), samples.legal)
    assert np.array_equal(legals_of(views_of(samples.deals)), samples.legal)
    assert (samples.legal & samples.legal - 1 != 0).all()
    assert np.allclose(samples.policy.sum(axis=1), 1)
    illegal = samples.legal[:, None] >> np.arange(64) & 1 == 0
    assert not samples.policy[illegal].any()
    known = samples.payoffs[~np.isnan(samples.payoffs).any(axis=1)]
    assert len(known)
    assert np.abs(known.sum(axis=1)).max() == 0
    assert np.abs(known).max() <= game.payoff_scale


def test_what_a_deal_paid_is_told_only_of_positions_after_its_random_choice() -> None:
    game = load_game("snapszer")
    _, net = some_net(game)
    for share, least, most in ((0.0, 1.0, 1.0), (1.0, 0.2, 0.6)):
        how = SelfPlay(1, Guidance(4), stray=share)
        samples = play_deals(game, net, how, seed=5, first=0, count=40)
        told = ~np.isnan(samples.payoffs).any(axis=1)
        assert least <= told.mean() <= most
        turns = samples.deals["turn"]
        assert turns[told].mean() >= turns.mean()


def test_samples_are_kept_on_disk_as_they_are(tmp_path: Path) -> None:
    game = load_game("whist3x3")
    samples = played(game, 0, 4)
    samples.save(tmp_path / "lot.npz")
    assert rows_of(Samples.load(game, tmp_path / "lot.npz")) == rows_of(samples)
    with pytest.raises(DamagedFile, match="not samples of today's kuhn"):
        Samples.load(load_game("kuhn"), tmp_path / "lot.npz")
    (tmp_path / "bad.npz").write_bytes(b"no samples")
    with pytest.raises(DamagedFile, match="not a file of samples"):
        Samples.load(game, tmp_path / "bad.npz")


def test_a_net_is_taught_the_same_sample_under_every_name_of_its_suits() -> None:
    game = load_game("snapszer")
    spec = spec_for(game, units=8, layers=1, head=0)
    samples = played(game, 0, 4)
    seen = set()
    for part in range(8):
        for lesson in lessons(game, spec, samples, size=64, passes=1, seed=0, part=part):
            assert np.allclose(lesson.policy.sum(axis=1), 1)
            assert not lesson.policy[~lesson.legal].any()
            seen |= {flags.tobytes() for flags in lesson.flags}
    once = teach(game, spec, samples, same_suits(samples), hidden(samples))
    assert len(seen) > 3 * len({flags.tobytes() for flags in once.flags})


def test_suits_that_are_not_shuffled_have_the_names_that_a_player_sees() -> None:
    game = load_game("snapszer")
    spec = spec_for(game, units=8, layers=1, head=0)
    samples = played(game, 0, 4)
    told = lessons(game, spec, samples, size=64, passes=1, seed=0, part=1, shuffled=False)
    seen = {flags.tobytes() for lesson in told for flags in lesson.flags}
    flags = observations(game, views_of(samples.deals))
    assert seen == {row.tobytes() for row in flags}


@pytest.mark.parametrize("name", ["snapszer", "hokm", "sheephead"])
def test_hands_are_shown_to_nets_that_may_see_them_and_only_where_told(name: str) -> None:
    game = load_game(name)
    spec = spec_for(game, units=8, layers=1, head=0, hands=True)
    plain = spec_for(game, units=8, layers=1, head=0)
    samples = played(game, 0, 3)
    orders = canonical_orders(views_of(samples.deals))
    closed = teach(game, spec, samples, orders, hidden(samples))
    shown = teach(game, spec, samples, orders, ~hidden(samples))
    own = plain.inputs
    assert np.array_equal(closed.flags[:, :own], shown.flags[:, :own])
    assert np.array_equal(closed.flags[:, :own], observations(game, views_of(samples.deals)))
    assert not closed.flags[:, own:].any()
    assert shown.flags[:, own].all()
    seats, cards = np.arange(len(samples)), len(game.deck)
    for offset in range(1, game.seats):
        first = own + 1 + (offset - 1) * cards
        hands = samples.deals["hands"][seats, (samples.deals["seat"] + offset) % game.seats]
        counts = [int(hand).bit_count() for hand in hands]
        assert shown.flags[:, first : first + cards].sum(axis=1).tolist() == counts


def test_value_targets_are_those_of_the_viewer_first() -> None:
    game = load_game("hearts")
    spec = spec_for(game, units=8, layers=1, head=0, reach=26.0)
    samples = played(game, 0, 2)
    lesson = teach(game, spec, samples, same_suits(samples), hidden(samples))
    viewers = samples.deals["seat"]
    for offset in range(4):
        paid = samples.payoffs[np.arange(len(samples)), (viewers + offset) % 4]
        expected = np.clip(paid / 26.0, -1, 1)
        assert np.allclose(lesson.values[:, offset], expected, equal_nan=True)


def test_lessons_are_the_same_for_the_same_seed() -> None:
    game = load_game("hokm")
    spec = spec_for(game, units=8, layers=1, head=0)
    samples = played(game, 0, 3)

    def flags(seed: int) -> list[bytes]:
        told = lessons(game, spec, samples, size=32, passes=1.5, seed=seed, part=0)
        return [lesson.flags.tobytes() for lesson in told]

    assert flags(1) == flags(1)
    assert flags(1) != flags(2)
