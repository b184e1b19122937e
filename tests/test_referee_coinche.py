"""The Coinche referee against RULES.md, and against itself where RULES.md has no example."""

import collections
import itertools
import math
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from referees import coinche
from referees.coinche import CoincheReferee
from rules_text import Vector, replays, vectors

RULES_OF_PLAY: list[dict[str, object]] = [
    {"undertrump": undertrump, "partner_ruff": partner_ruff, "belote": belote}
    for undertrump in ("free", "must")
    for partner_ruff in ("free", "no_underruff")
    for belote in ("ffb", "off")
]
MATRICES = ["classic", "mirror", "no_defense", "good"]


def advance(
    deal: CoincheReferee, choices: int, rng: random.Random, bid_chance: float = 0.4
) -> CoincheReferee:
    """Make up to so many random legal choices, in place."""
    for _ in range(choices):
        if deal.phase == "over":
            break
        deal.play(coinche.random_choice(deal, rng, bid_chance))
    return deal


def finish(deal: CoincheReferee, rng: random.Random, bid_chance: float = 0.4) -> CoincheReferee:
    return advance(deal, 69, rng, bid_chance)


def played_deal(
    rng: random.Random, plays: int, options: dict[str, object] | None = None
) -> CoincheReferee:
    """A random deal with a contract, in which so many cards have been played."""
    deal = coinche.random_deal(rng, options)
    deal.play(f"80{rng.choice('SHDC')}")
    while deal.phase == "bid":
        advance(deal, 1, rng)
    return advance(deal, plays, rng)


def called(
    *calls: str, dealer: int = 3, options: dict[str, object] | None = None
) -> CoincheReferee:
    """A deal with the cards in order, in which these calls have been made."""
    deal = CoincheReferee(coinche.DECK, dealer=dealer, options=options)
    for call in calls:
        deal.play(call)
    return deal


# RULES.md


def text(vector: Vector, name: str, default: str = "") -> str:
    value = vector.args.get(name, default)
    assert isinstance(value, str)
    return value


def options_in(vector: Vector) -> dict[str, object]:
    """The options a vector names; in a `score` vector, `belote` is a side and no option."""
    names = {"undertrump", "partner_ruff", "coinche_fail"} & set(vector.args)
    return coinche.checked_options({name: text(vector, name) for name in names})


def cards(vector: Vector, name: str) -> list[str]:
    value = vector.args[name]
    assert isinstance(value, list)
    return value


def calls_in(words: list[str]) -> list[tuple[int, str]]:
    """The calls written as in `0:80S 1:P`."""
    return [(int(word.split(":")[0]), word.split(":")[1]) for word in words]


def answer_calls(vector: Vector) -> set[str]:
    return coinche.legal_calls(calls_in(cards(vector, "history")), int(text(vector, "seat")))


def answer_score(vector: Vector) -> list[int]:
    return [
        *coinche.score(
            int(text(vector, "bid")),
            int(text(vector, "mult")),
            int(text(vector, "attack")),
            tricks=int(text(vector, "tricks", "0")),
            belote=text(vector, "belote") or None,
            matrix=text(vector, "matrix"),
            options=options_in(vector),
        )
    ]


ANSWERS: dict[str, Callable[[Vector], object]] = {
    "total": lambda v: coinche.total_points(text(v, "trump")),
    "trick_points": lambda v: coinche.trick_points(
        cards(v, "trick"), text(v, "trump"), text(v, "last") == "1"
    ),
    "winner": lambda v: coinche.trick_winner(cards(v, "trick"), text(v, "trump")),
    "legal": lambda v: coinche.legal_cards(
        cards(v, "hand"), cards(v, "trick"), text(v, "trump"), options_in(v)
    ),
    "calls": answer_calls,
    "calls_count": lambda v: len(answer_calls(v)),
    "over": lambda v: int(coinche.auction_over(calls_in(cards(v, "history")))),
    "max_calls": lambda v: coinche.max_calls(),
    "score": answer_score,
}


def expected(vector: Vector) -> object:
    """The result in the type of the answer: a set of choices, a number, or one per side."""
    if isinstance(vector.result, list):
        return set(vector.result)
    if vector.kind == "score":
        return [int(word) for word in vector.result.split(",")]
    return int(vector.result)


@pytest.mark.parametrize("vector", vectors("CO"), ids=lambda vector: vector.id)
def test_the_referee_agrees_with_the_vector(vector: Vector) -> None:
    assert ANSWERS[vector.kind](vector) == expected(vector)


def written_deal(options: dict[str, object] | None = None) -> CoincheReferee:
    """The complete deal of RULES.md, its auction over and no card played."""
    lines = replays()["coinche"]
    hands = [line.split()[2:] for line in lines if line.startswith("hand")]
    auction = re.fullmatch(r"dealer (\d) calls (.*)", lines[4])
    assert auction
    dealer = int(auction[1])
    deal = CoincheReferee(coinche.order_of(hands, dealer), dealer=dealer, options=options)
    assert deal.dealt == hands
    for seat, call in calls_in(auction[2].split()):
        assert deal.phase == "bid" and deal.seat == seat
        deal.play(call)
    return deal


def play_written_trick(deal: CoincheReferee, line: str) -> None:
    written = re.fullmatch(r"trick (\d): (.*) -> (\d) \((\d+)\)", line)
    assert written and deal.phase == "play"
    before = sum(deal.points)
    assert deal.seat == int(written[1])
    for card in written[2].split():
        deal.play(card)
    assert coinche.taken_by(deal.past_tricks[-1], str(deal.trump)) == int(written[3])
    assert sum(deal.points) - before == int(written[4])


def written_tricks() -> list[str]:
    return [line for line in replays()["coinche"] if line.startswith("trick")]


def test_the_referee_agrees_with_the_complete_deal() -> None:
    deal = written_deal()
    assert (deal.trump, deal.contract) == ("S", (90, 2, 2))
    for line in written_tricks():
        play_written_trick(deal, line)
    result = re.fullmatch(
        r"result attack (\d+) defence (\d+) returns (.*) match (\d+)-(\d+)",
        replays()["coinche"][-1],
    )
    assert result and deal.phase == "over" and deal.is_made()
    assert deal.points == [int(result[1]), int(result[2])]
    assert deal.payoffs() == [int(word) for word in result[3].split()]
    assert deal.match_points() == [int(result[4]), int(result[5])]
    assert deal.announcements == [(2, "KS", "belote"), (2, "QS", "rebelote")]


def test_the_complete_deal_fails_without_belote() -> None:
    deal = written_deal({"belote": "off"})
    for line in written_tricks():
        play_written_trick(deal, line)
    assert not deal.is_made()
    assert deal.payoffs() == [-320, 320, -320, 320]
    assert deal.match_points() == [0, 320]


@pytest.mark.parametrize(("undertrump", "legal"), [("free", {"QS", "9C", "TD"}), ("must", {"QS"})])
def test_in_the_sixth_trick_the_queen_is_forced_only_by_option(
    undertrump: str, legal: set[str]
) -> None:
    deal = written_deal({"undertrump": undertrump})
    for line in written_tricks()[:5]:
        play_written_trick(deal, line)
    for card in ("KH", "AH", "AS"):
        deal.play(card)
    assert deal.seat == 2 and deal.legal() == legal


# The deal


def test_cards_are_numbered_by_suit_then_plain_rank() -> None:
    assert [coinche.DECK.index(card) for card in ("7S", "JS", "TS", "AS", "7H", "9C", "AC")] == [
        0, 3, 6, 7, 8, 26, 31,
    ]  # fmt: skip


def test_calls_are_numbered_by_value_then_suit() -> None:
    assert len(coinche.CALLS) == 43
    assert [coinche.CALLS.index(call) for call in ("P", "80S", "80C", "90S", "160C")] == [
        0, 1, 4, 5, 36,
    ]  # fmt: skip
    assert coinche.CALLS[37:] == ["250S", "250H", "250D", "250C", "X", "XX"]


@pytest.mark.parametrize("dealer", range(4))
def test_cards_are_dealt_in_packets_from_the_seat_after_the_dealer(dealer: int) -> None:
    deal = CoincheReferee(coinche.DECK, dealer=dealer)
    assert deal.seat == (dealer + 1) % 4
    assert deal.dealt[(dealer + 1) % 4] == coinche.DECK[:8]
    assert deal.dealt[dealer] == coinche.DECK[24:]
    assert coinche.order_of(deal.dealt, dealer) == coinche.DECK


@pytest.mark.parametrize(
    "options",
    [
        {"all_trumps": True},
        {"reward_matrix": "bad"},
        {"undertrump": "never"},
        {"partner_ruff": True},
        {"belote": "on"},
        {"belote_in_reward": 1},
        {"coinche_fail": "160"},
        {"surcoinche_mult": 2},
        {"trick_reward": -0.1},
        {"trick_reward": math.inf},
        {"trick_reward": math.nan},
        {"target": 0},
        {"target": True},
    ],
    ids=str,
)
def test_an_unknown_option_or_value_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        CoincheReferee(coinche.DECK, dealer=0, options=options)


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_who_is_not_at_the_table_is_refused(dealer: int) -> None:
    with pytest.raises(ValueError):
        CoincheReferee(coinche.DECK, dealer=dealer)


def test_a_deck_with_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError):
        CoincheReferee([*coinche.DECK[:31], "7S"], dealer=0)


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    deal = called("80S", "X")
    before, hands = deal.view(0), [set(hand) for hand in deal.hands]
    with pytest.raises(ValueError, match="legal are P XX"):
        deal.play("90S")
    assert deal.view(0) == before and deal.hands == hands
    for choice in ("XX", "7S"):
        deal.play(choice)
    with pytest.raises(ValueError, match="may not choose 7S in phase play"):
        deal.play("7S")
    assert len(deal.history) == 4


def test_a_copy_goes_its_own_way() -> None:
    deal = played_deal(random.Random(5), 10)
    history = list(deal.history)
    finish(deal.copy(), random.Random(7))
    assert deal.history == history


# The auction


def test_four_passes_end_the_deal_with_nothing_for_anyone() -> None:
    deal = called("P", "P", "P", "P")
    assert deal.phase == "over" and deal.contract is None and deal.legal() == set()
    assert deal.payoffs() == [0, 0, 0, 0] and deal.match_points() == [0, 0]
    assert deal.rewards() == [0, 0, 0, 0]
    with pytest.raises(ValueError):
        assert deal.seat


def test_the_contract_stands_only_once_the_auction_is_over() -> None:
    deal = called("P", "80H", "P", "P")
    assert (deal.phase, deal.contract, deal.trump) == ("bid", None, None)
    deal.play("P")
    assert (deal.phase, deal.contract, deal.trump) == ("play", (80, 1, 1), "H")


def test_the_seat_after_the_dealer_leads_whoever_bid() -> None:
    deal = called("P", "P", "80H", "P", "P", "P", dealer=1)
    assert deal.contract == (80, 0, 1) and deal.seat == 2


def test_a_raise_over_the_partner_moves_the_contract_to_the_raiser() -> None:
    assert called("80H", "P", "90H", "P", "P", "P").contract == (90, 2, 1)


def test_attackers_keep_a_contract_that_was_coinched() -> None:
    assert called("80H", "X", "P", "P", "P").contract == (80, 0, 2)


@pytest.mark.parametrize("mult", [3, 4])
def test_a_surcoinche_ends_the_auction_at_once(mult: int) -> None:
    deal = called("250H", "X", "P", "P", "XX", options={"surcoinche_mult": mult})
    assert deal.phase == "play" and deal.contract == (250, 0, mult)


def test_a_seat_that_passed_may_coinche_or_bid_later() -> None:
    deal = called("P", "P", "80H", "P", "P")
    assert {"X", "90H", "80H", "250C"} & deal.legal() == {"X", "90H", "250C"}


def test_the_longest_auction_has_37_calls() -> None:
    deal = called("P", "P", "P")
    for value in (*range(80, 161, 10), 250):
        for call in (f"{value}S", "P", "P"):
            deal.play(call)
    for call in ("X", "P", "P"):
        deal.play(call)
    assert (deal.phase, len(deal.calls)) == ("bid", 36)
    assert deal.legal() == {"P", "XX"}
    deal.play("P")
    assert (deal.phase, deal.contract) == ("play", (250, 2, 2))


def test_random_auctions_are_of_all_kinds() -> None:
    seen: collections.Counter[str] = collections.Counter()
    lengths = set()
    for seed in range(800):
        rng = random.Random(seed)
        deal = coinche.random_deal(rng)
        bid_chance = rng.choice([0.2, 0.5, 0.8])
        while deal.phase == "bid":
            advance(deal, 1, rng, bid_chance)
        lengths.add(len(deal.calls))
        kind = "all pass" if deal.contract is None else f"x{deal.contract.multiplier}"
        is_capot = deal.contract is not None and deal.contract.value == 250
        seen[kind + " capot" * is_capot] += 1
    kinds = ["all pass", "x1", "x2", "x4", "x1 capot", "x2 capot", "x4 capot"]
    assert min(seen[kind] for kind in kinds) >= 10
    assert lengths >= {*range(3, 16)}


# The play


def test_a_random_card_is_any_legal_card() -> None:
    rng = random.Random(3)
    deal = called("80S", "P", "P", "P")
    assert {coinche.random_choice(deal, rng) for _ in range(200)} == set(coinche.DECK[:8])


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_random_deals_have_162_points_and_payoffs_that_sum_to_zero(
    options: dict[str, object],
) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        deal = finish(coinche.random_deal(rng, options), rng, rng.random())
        assert deal.phase == "over"
        assert sum(deal.payoffs()) == 0
        if deal.contract is not None:
            assert sum(deal.points) == 162 and sum(deal.tricks) == 8
            assert len(deal.plays()) == 32 and not any(deal.hands)


def test_the_last_trick_is_worth_ten_more_to_who_takes_it() -> None:
    deal = played_deal(random.Random(11), 28)
    before = list(deal.points)
    finish(deal, random.Random(12))
    last = deal.past_tricks[-1]
    worth = sum(coinche.card_points(card, str(deal.trump)) for _, card in last) + 10
    team = coinche.taken_by(last, str(deal.trump)) % 2
    assert deal.points[team] - before[team] == worth
    assert deal.points[1 - team] == before[1 - team]


def test_belote_is_announced_with_either_card_first_and_only_by_a_seat_dealt_both() -> None:
    # Seat 0 is dealt all spades: with spades as trump it has belote, nobody with another trump.
    deal = called("80S", "P", "P", "P")
    for card in ("QS", "7H", "7D", "7C", "KS"):
        deal.play(card)
    assert deal.belote == 0
    assert deal.announcements == [(0, "QS", "belote"), (0, "KS", "rebelote")]
    split = ["KS", "QH", *coinche.DECK[:4], *coinche.DECK[6:8]]
    rest = [card for card in coinche.DECK if card not in split]
    deal = CoincheReferee([*split, *rest], dealer=3)
    for choice in ("80S", "P", "P", "P", "KS"):
        deal.play(choice)
    assert (deal.belote, deal.announcements) == (None, [])


# Score


def test_80_against_82_makes_an_80_contract() -> None:
    assert coinche.is_made(80, 80, 4, None) and not coinche.is_made(80, 79, 4, None)


def test_an_unannounced_capot_pays_nothing_extra() -> None:
    deal = called("80S", "P", "P", "P")
    finish(deal, random.Random(1))
    assert deal.tricks == [8, 0] and deal.points == [162, 0]
    assert deal.payoffs() == [80, -80, 80, -80]
    assert deal.match_points() == [100, 0]  # seat 0 has belote too


@pytest.mark.parametrize(
    ("belote", "made", "points"),
    [
        ("attack", True, (20, 0)),
        ("attack", False, (0, 20)),
        ("defence", True, (0, 20)),
        ("defence", False, (0, 20)),
        (None, True, (0, 0)),
    ],
)
def test_belote_goes_with_a_failed_contract(
    belote: str | None, made: bool, points: tuple[int, int]
) -> None:
    assert coinche.belote_points(belote, made) == points
    assert coinche.belote_points(belote, made, {"belote": "off"}) == (0, 0)


def test_a_surcoinched_contract_that_fails_pays_the_bid_by_option() -> None:
    options = coinche.checked_options({"coinche_fail": "bid"})
    assert coinche.score(100, 4, 0, matrix="classic", options=options) == (0, 400)
    assert coinche.score(100, 4, 0, matrix="mirror", options=options) == (-400, 400)
    assert coinche.score(100, 1, 0, matrix="classic", options=options) == (0, 160)
    assert coinche.score(250, 2, 0, matrix="classic", options=options) == (0, 500)


def test_mirror_is_the_difference_of_the_classic_entries() -> None:
    for bid, mult, attack, rule in itertools.product(
        coinche.VALUES, (1, 2, 3, 4), range(163), ("stake", "bid")
    ):
        options = coinche.checked_options({"coinche_fail": rule})
        attackers, defenders = coinche.score(bid, mult, attack, matrix="classic", options=options)
        mirror = coinche.score(bid, mult, attack, matrix="mirror", options=options)
        assert mirror == (attackers - defenders, defenders - attackers)


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("belote_in_reward", [False, True])
def test_rewards_are_row_times_multiplier_plus_tricks_plus_belote(
    matrix: str, belote_in_reward: bool
) -> None:
    options: dict[str, object] = {
        "reward_matrix": matrix,
        "belote_in_reward": belote_in_reward,
        "trick_reward": 0.1,
    }
    for seed in range(40):
        rng = random.Random(seed)
        deal = finish(coinche.random_deal(rng, options), rng)
        if deal.contract is None:
            assert deal.rewards() == [0, 0, 0, 0]
            continue
        team = deal.contract.seat % 2
        row = dict(zip((team, 1 - team), written_row(deal, matrix), strict=True))
        belote = [0, 0]
        if belote_in_reward and deal.belote is not None:
            winner = deal.belote % 2 if deal.belote % 2 != team or deal.is_made() else 1 - team
            belote[winner], belote[1 - winner] = 20, -20
        assert deal.rewards() == [
            row[seat % 2] + Fraction(deal.points[seat % 2], 10) + belote[seat % 2]
            for seat in range(4)
        ]


def written_row(deal: CoincheReferee, matrix: str) -> tuple[int, int]:
    """The row of the table in RULES 4.5, times the multiplier."""
    assert deal.contract is not None
    b, _, m = deal.contract
    f = 250 if b == 250 else 160
    made = (b * m, 0 if matrix == "classic" else -b * m)
    failed = {
        "classic": (0, f * m),
        "mirror": (-f * m, f * m),
        "no_defense": (-f * m, 0),
        "good": (-b * m, f * m),
    }[matrix]
    return made if deal.is_made() else failed


def test_before_the_end_only_tricks_are_rewarded() -> None:
    deal = called("80S", "P", "P", "P", options={"trick_reward": 0.5, "reward_matrix": "good"})
    assert deal.rewards() == [0, 0, 0, 0]
    for card in ("JS", "TH", "TD", "7C"):
        deal.play(card)
    assert deal.rewards() == [20, 0, 20, 0]
    with pytest.raises(ValueError):
        deal.payoffs()


@pytest.mark.parametrize("matrix", MATRICES)
def test_payoffs_and_match_points_do_not_depend_on_the_rewards(matrix: str) -> None:
    for seed in range(20):
        plain = finish(coinche.random_deal(random.Random(seed)), random.Random(seed))
        options = {"reward_matrix": matrix, "belote_in_reward": True, "trick_reward": 1}
        other = finish(coinche.random_deal(random.Random(seed), options), random.Random(seed))
        assert other.payoffs() == plain.payoffs()
        assert other.match_points() == plain.match_points()


def test_random_match_points_follow_from_the_payoffs_and_belote() -> None:
    for seed in range(100):
        deal = finish(coinche.random_deal(random.Random(seed)), random.Random(seed))
        belote = 20 if deal.contract is not None and deal.belote is not None else 0
        assert sum(deal.match_points()) == max(deal.payoffs()) + belote
        assert abs(deal.match_points()[0] - deal.match_points()[1] - deal.payoffs()[0]) == belote


def test_a_match_is_won_by_the_higher_total_once_there() -> None:
    assert coinche.match_after([500, 990], [0, 180]) == [500, 1170]
    assert coinche.match_winner([980, 990]) is None
    assert coinche.match_winner([1000, 990]) == 0
    assert coinche.match_winner([1010, 1020]) == 1
    assert coinche.match_winner([1010, 1010]) is None
    assert coinche.match_winner([0, 500], target=500) == 1


# What the record proves


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_what_the_record_rules_out_is_in_no_hand(options: dict[str, object]) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        deal = played_deal(rng, 0, options)
        while deal.phase == "play":
            advance(deal, 1, rng)
            out, held = coinche.ruled_out(deal), coinche.ruled_in(deal)
            for who in range(4):
                assert not out[who] & deal.hands[who]
                assert held[who] <= deal.hands[who]
                assert len(deal.hands[who]) == 8 - len(coinche.played_by(deal, who))


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_the_constraints_of_the_rules_are_all_there_are(options: dict[str, object]) -> None:
    # One card more in a hand makes a play or an announcement impossible only if ruled out.
    for seed in range(12):
        rng = random.Random(seed)
        deal = played_deal(rng, rng.randrange(33), options)
        out, held = coinche.ruled_out(deal), coinche.ruled_in(deal)
        unseen = set(coinche.DECK) - {card for _, card in deal.plays()}
        for who, card in itertools.product(range(4), sorted(unseen)):
            hand = coinche.played_by(deal, who) | held[who] | {card}
            assert coinche.could_have_held(deal, who, hand) == (card not in out[who])


def every_small_play() -> Iterator[tuple[list[str], list[str]]]:
    """Some hands of up to three cards and tricks of up to three, with hearts as trump."""
    rng = random.Random(1)
    for _ in range(4000):
        size = rng.randrange(1, 4)
        drawn = rng.sample(coinche.DECK[:16], size + rng.randrange(1, 4))
        yield drawn[:size], drawn[size:]


@pytest.mark.parametrize("options", RULES_OF_PLAY[::2], ids=str)
def test_a_card_is_legal_just_when_it_rules_out_no_card_held(options: dict[str, object]) -> None:
    rules = coinche.checked_options(options)
    for hand, trick in every_small_play():
        free = {
            card
            for card in hand
            if not coinche.ruled_out_by_play(card, trick, "H", rules) & set(hand)
        }
        assert coinche.legal_cards(hand, trick, "H", rules) == free


# What a seat knows


def test_the_order_of_cards_in_a_dealt_hand_tells_nothing() -> None:
    deal = coinche.random_deal(random.Random(1), dealer=0)
    turned = CoincheReferee(coinche.order_of([hand[::-1] for hand in deal.dealt], 0), dealer=0)
    assert [turned.view(seat) for seat in range(4)] == [deal.view(seat) for seat in range(4)]


def test_a_view_is_the_dealt_hand_and_what_everyone_saw() -> None:
    deal = called("80S", "P", "P", "P", dealer=1)
    deal.play("KS")
    assert deal.view(3)[2:] == (
        1,
        frozenset(coinche.DECK[8:16]),
        ((2, "80S"), (3, "P"), (0, "P"), (1, "P"), (2, "KS")),
        ((2, "KS", "belote"),),
        3,
        "play",
    )


def test_a_view_can_be_a_key() -> None:
    deal = played_deal(random.Random(2), 20)
    assert len({deal.view(seat): seat for seat in range(4)}) == 4
    assert deal.copy().view(3) in {deal.view(3)}


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_another_deal_looks_the_same_from_the_seat(options: dict[str, object]) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        deal = advance(coinche.random_deal(rng, options), rng.randrange(45), rng)
        for seat in range(4):
            other = coinche.another_deal_with_the_same_view(deal, seat, rng)
            assert other.view(seat) == deal.view(seat)
            assert other.hands[seat] == deal.hands[seat]
            assert other.history == deal.history
            assert other.legal() == deal.legal() or deal.seat != seat


def test_in_the_auction_another_deal_moves_every_hidden_card() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        deal = advance(coinche.random_deal(rng), 3, rng)
        seat = rng.randrange(4)
        other = coinche.another_deal_with_the_same_view(deal, seat, rng)
        assert all(not other.hands[who] & deal.hands[who] for who in range(4) if who != seat)


def test_another_deal_has_equal_hands_only_where_the_view_proves_them() -> None:
    proven = 0
    for seed in range(60):
        rng = random.Random(seed)
        deal = played_deal(rng, rng.randrange(16, 33))
        other = coinche.another_deal_with_the_same_view(deal, 0, rng)
        is_proven = coinche.arrangements(deal, 0) == 1
        assert (other.hands == deal.hands) == is_proven
        proven += is_proven
    assert 0 < proven < 60


def test_no_deal_moves_more_cards_than_another_deal() -> None:
    for seed in range(10):
        rng = random.Random(seed)
        deal = played_deal(rng, rng.randrange(23, 30))
        seat = rng.randrange(4)
        other = coinche.another_deal_with_the_same_view(deal, seat, rng)
        listed = [hands for hands, _ in coinche.every_deal_with_the_same_view(deal, seat)]
        assert moved(deal, present_hands(other)) == max(moved(deal, hands) for hands in listed)


def moved(deal: CoincheReferee, hands: tuple[frozenset[str], ...]) -> int:
    return sum(len(hands[who] - deal.hands[who]) for who in range(4))


@pytest.mark.parametrize("belote", ["ffb", "off"])
def test_a_belote_announced_or_not_tells_where_the_other_card_is(belote: str) -> None:
    seen: collections.Counter[bool] = collections.Counter()
    for seed in range(30):
        rng = random.Random(seed)
        deal = played_deal(rng, 0, {"belote": belote})
        pair = coinche.belote_cards(str(deal.trump))
        while len(pair & {card for _, card in deal.plays()}) == 0:
            advance(deal, 1, rng)
        who, card = deal.plays()[-1]
        (missing,) = pair - {card}
        for seat in {0, 1, 2, 3} - {who}:
            other = coinche.another_deal_with_the_same_view(deal, seat, rng)
            assert (missing in other.hands[who]) == bool(deal.announcements)
        seen[bool(deal.announcements)] += 1
    assert min(seen[True], seen[False]) >= 5


# Every deal with the same view


def present_hands(deal: CoincheReferee) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(hand) for hand in deal.hands)


def splits(deal: CoincheReferee, seat: int) -> Iterator[list[set[str]]]:
    """Each way to share the unseen cards out in hands of the right size, possible or not."""
    others = [who for who in range(4) if who != seat]
    unseen = set[str]().union(*(deal.hands[who] for who in others))
    sizes = [len(deal.hands[who]) for who in others]
    for one in itertools.combinations(sorted(unseen), sizes[0]):
        for two in itertools.combinations(sorted(unseen - set(one)), sizes[1]):
            hands = [set(one), set(two), unseen - set(one) - set(two)]
            hands.insert(seat, deal.hands[seat])
            yield hands


def replays_to_the_same_view(deal: CoincheReferee, seat: int, hands: list[set[str]]) -> bool:
    """Whether the deal that ends in `hands` can be played as `deal` was, nothing presumed."""
    dealt = [hands[who] | coinche.played_by(deal, who) for who in range(4)]
    try:
        coinche.retold(deal, seat, dealt, random.Random(0))
    except (ValueError, AssertionError):
        return False
    return True


@pytest.mark.parametrize("options", RULES_OF_PLAY, ids=str)
def test_the_list_of_deals_is_what_replaying_every_split_leaves(
    options: dict[str, object],
) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        deal = played_deal(rng, 24 + seed, options)
        seat = rng.randrange(4)
        listed = list(coinche.every_deal_with_the_same_view(deal, seat))
        replayed = {
            tuple(frozenset(hand) for hand in hands)
            for hands in splits(deal, seat)
            if replays_to_the_same_view(deal, seat, hands)
        }
        assert {hands for hands, _ in listed} == replayed
        assert len(listed) == len(replayed) == coinche.arrangements(deal, seat)
        assert {weight for _, weight in listed} == {1}
        assert present_hands(deal) in replayed


def test_too_many_deals_are_not_listed() -> None:
    deal = coinche.random_deal(random.Random(1))
    assert coinche.arrangements(deal, 0) == math.factorial(24) // math.factorial(8) ** 3
    with pytest.raises(ValueError):
        coinche.every_deal_with_the_same_view(deal, 0)


def test_a_ruff_that_was_not_made_proves_a_hand_without_trump() -> None:
    # Trump is spades. Seat 0 leads AH and seat 1 discards: it has neither hearts nor spades.
    # Seat 3 holds all clubs, so seat 1 has the seven diamonds left. The 15 hearts and spades
    # are shared 7 to 8 between seats 0 and 2.
    leader = ["AH", *coinche.DECK[:7]]
    clubs, diamonds, hearts = coinche.DECK[24:], coinche.DECK[16:24], coinche.DECK[8:15]
    hands = [leader, diamonds, ["AS", *hearts], clubs]
    deal = CoincheReferee(coinche.order_of(hands, 3), dealer=3)
    for choice in ("80S", "P", "P", "P", "AH", "7D"):
        deal.play(choice)
    assert coinche.arrangements(deal, 3) == math.comb(15, 7)


def test_drawn_deals_fall_evenly_on_the_list() -> None:
    # 40 draws each on average: chi-square within five deviations of its mean.
    rng = random.Random(13)
    deal = played_deal(rng, 24)
    listed = {hands for hands, _ in coinche.every_deal_with_the_same_view(deal, 0)}
    assert 10 < len(listed) < 100
    drawn = collections.Counter(
        present_hands(coinche.any_deal_with_the_same_view(deal, 0, rng))
        for _ in range(40 * len(listed))
    )
    assert set(drawn) == listed
    chi_square = sum((count - 40) ** 2 / 40 for count in drawn.values())
    freedom = len(listed) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
