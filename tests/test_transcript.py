"""A deal with a player's policy, turn by turn: `overtrick show --policy`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from commands import overtrick
from overtrick.engine.deals import Deal
from overtrick.players import Weighed
from overtrick.records import Record, record_of, write_records
from overtrick.review.transcript import Transcript, entropy, transcript, transcript_text, value_of
from test_records import complete_deal

HANDS = {"0": "K", "1": "Q"}


def kuhn() -> Record:
    """The king bets, the queen calls: two points to the king."""
    deal = Deal.from_cards("kuhn", HANDS).play("bet").play("bet")
    return record_of(deal, players=["Anna", None], seat_names=["East\nor so", None])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "deals.jsonl"
    write_records(path, [kuhn(), record_of(complete_deal("hokm"))])
    return path


def test_a_policy_that_is_sure_has_no_entropy_and_an_even_one_has_ln_n() -> None:
    assert entropy([0.0, 1.0, 0.0]) == 0.0
    assert entropy([0.25] * 4) == pytest.approx(math.log(4))
    # the third turn of the post's sample: 97.86, 0.76, 0.83 and 0.55 in a hundred
    assert entropy([0.9786, 0.0076, 0.0083, 0.0055]) == pytest.approx(0.1270, abs=5e-4)


def test_the_value_is_what_the_policy_expects() -> None:
    # 3/4 of +2 and 1/4 of -1; what is never chosen may be unknown
    weighed = [Weighed(0, 0.75, 2.0), Weighed(1, 0.25, -1.0), Weighed(2, 0.0)]
    assert value_of(weighed) == 1.25
    assert value_of([Weighed(0, 0.5, 2.0), Weighed(1, 0.5)]) is None


def test_at_random_all_choices_are_alike() -> None:
    told = transcript(record_of(complete_deal("hokm")), "random")
    for turn in told.turns:
        count = len(turn.policy)
        assert [one.probability for one in turn.policy] == [1 / count] * count
        assert turn.entropy == pytest.approx(math.log(count))
        assert turn.value is None


def test_only_the_last_choice_is_rewarded() -> None:
    told = transcript(kuhn(), "random")
    assert [turn.reward for turn in told.turns] == [0.0, -2.0]
    assert told.payoffs == [2.0, -2.0]


def test_choices_before_the_first_trick_go_to_none() -> None:
    told = transcript(record_of(complete_deal("hokm")), "rulebook")
    tricks = [turn.trick for turn in told.turns]
    assert tricks[:6] == [None, 1, 1, 1, 1, 2]
    assert told.turns[0].phase == "trump"
    assert [len(turn.hand) for turn in told.turns[:6]] == [13, 13, 13, 13, 13, 12]


def test_a_trick_that_is_not_complete_counts() -> None:
    deal = complete_deal("hokm")
    begun = Deal.from_order(deal.match, deal.order)
    for event in deal.history[:7]:
        begun = begun.play(event.choice)
    told = transcript(record_of(begun), "rulebook")
    assert [turn.trick for turn in told.turns] == [None, 1, 1, 1, 1, 2, 2]
    assert told.payoffs is None
    assert "=== UNFINISHED ===" in transcript_text(told)


def same_view_other_cards() -> tuple[Record, Record]:
    """Two deals of Hokm that differ only in cards that the hakem has not seen."""
    deal = Deal.from_seed("hokm", 1)
    hakem = deal.seat
    assert hakem is not None
    world = deal.view(hakem).worlds(1, seed=5)[0]
    assert world != deal
    return tuple(record_of(one.play("S")) for one in (deal, world))  # type: ignore[return-value]


def test_a_player_gets_only_what_its_seat_sees() -> None:
    first, second = (transcript(one, "pimc:worlds=20") for one in same_view_other_cards())
    assert first.cards != second.cards
    assert first.turns[0].policy == second.turns[0].policy


def test_one_who_sees_all_cards_is_marked() -> None:
    honest, clairvoyant = transcript(kuhn(), "pimc:worlds=5"), transcript(kuhn(), "clairvoyant")
    assert not honest.sees_all_cards
    assert "sees what the seat to act sees" in transcript_text(honest)
    assert clairvoyant.sees_all_cards
    assert "sees all cards" in transcript_text(clairvoyant)
    # the queen knows that she meets the king: to fold costs one, to call costs two
    last = clairvoyant.turns[-1]
    assert {one.choice: one.payoff for one in last.policy} == {"pass": -1.0, "bet": -2.0}
    assert last.value == -1.0


def test_the_same_seed_tells_the_same_and_the_place_in_the_file_changes_nothing() -> None:
    record = record_of(complete_deal("snapszer"))
    first = transcript(record, "pimc:worlds=3", seed=4)
    again = transcript(record, "pimc:worlds=3", seed=4, number=2)
    assert first.turns == again.turns
    assert first.turns != transcript(record, "pimc:worlds=3", seed=5).turns


def test_the_text_follows_the_form_of_the_post() -> None:
    assert transcript_text(transcript(kuhn(), "random")) == (
        "Game Info:\n"
        "  - Game: Kuhn poker, usual rules (deal 1)\n"
        "  - Player: random, sees what the seat to act sees; seed 0\n"
        "  - Staked: 2 2\n"
        "\n"
        "Initial Hands:\n"
        "  - East or so (Anna): [K]\n"
        "  - 1: [Q]\n"
        "  - talon: [J]\n"
        "\n"
        "----------------------------------------\n"
        "\n"
        "--- Turn: East or so (bet) ---\n"
        "  - Hand: [K]\n"
        "  - Policy: pass: 50.00%, bet: 50.00%\n"
        "  - Entropy: 0.6931, Value: not told\n"
        "  - Choice Made: bet\n"
        "  - Reward Received: 0.00\n"
        "\n"
        "--- Turn: 1 (bet) ---\n"
        "  - Hand: [Q]\n"
        "  - Policy: pass: 50.00%, bet: 50.00%\n"
        "  - Entropy: 0.6931, Value: not told\n"
        "  - Choice Made: bet\n"
        "  - Reward Received: -2.00\n"
        "\n"
        "=== GAME OVER ===\n"
        "Final Payoffs: East or so +2, 1 -2\n"
    )


def test_show_prints_it_as_text_and_as_json(file: Path) -> None:
    shown = overtrick("show", file, "--policy", "random")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("Game Info:") == 2
    for words in (["--json"], ["--as", "json"], ["--as", "jsonl"]):
        printed = overtrick("show", file, "--policy", "random", *words)
        lines = printed.stdout.splitlines()
        assert len(lines) == 2
        assert Transcript.model_validate_json(lines[0]) == transcript(kuhn(), "random")


def test_without_a_policy_json_shows_the_record(file: Path) -> None:
    shown = overtrick("show", file, "--json", "--deal", "1")
    assert Record.from_values(json.loads(shown.stdout)) == kuhn().tidy()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--policy", "nobody"], "there is no player 'nobody'"),
        (["--policy", "rulebook:strong"], "there is no rulebook of kuhn"),
        (["--policy", "random", "--as", "position"], "a position has no room for a policy"),
        (["--seed", "1"], "--seed is for --policy"),
        (["--json", "--as", "text"], "--json and --as text are two forms"),
    ],
)
def test_a_mistake_gets_one_clear_line(file: Path, words: list[str], complaint: str) -> None:
    done = overtrick("show", file, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
