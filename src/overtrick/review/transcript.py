"""A deal turn by turn with a player's policy: what it would choose, how surely, and its value.

The form is that of the game sample in Neural Pensieve's post on Hokm. The player is asked with
the eyes of the seat to act; one that sees all cards is given them, and the transcript says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Literal

from pydantic import BaseModel, ConfigDict

from overtrick.engine.deals import Deal
from overtrick.games.game import Game
from overtrick.jit import stream
from overtrick.players import (
    Advice,
    Player,
    Weighed,
    close_players,
    make_player,
    sees_all,
    tell_match,
)
from overtrick.records import Record, Seated
from overtrick.records.rows import rows
from overtrick.records.show import one_line, seat_names

__all__ = ["Fact", "Option", "Transcript", "Turn", "entropy", "transcript", "transcript_text"]


class Part(BaseModel):
    """A part of a transcript."""

    model_config = ConfigDict(frozen=True)


class Option(Part):
    """One legal choice as the player sees it."""

    choice: str
    probability: float
    payoff: float | None = None  # that the seat may expect, in points
    error: float | None = None  # standard error of the payoff


class Turn(Part):
    """One choice: what was open, what the player would do, what was done."""

    number: int
    seat: int
    phase: str
    trick: int | None  # None where the choice goes to no trick
    hand: list[str]
    policy: list[Option]
    entropy: float  # of the policy, in nats
    value: float | None  # payoff that the policy expects; None if the player tells none
    choice: str
    reward: float  # of the seat, in points: 0 before the last choice


class Fact(Part):
    """Something that everybody sees at the end, beyond hands and tricks."""

    label: str
    text: str


class Transcript(Part):
    """A deal with a player's policy."""

    format: Literal["overtrick-transcript"] = "overtrick-transcript"
    version: Literal[1] = 1
    deal_number: int  # in its file
    game: str
    rules: str  # options that are not as usual
    player: str
    sees_all_cards: bool
    seed: int
    seats: list[str]
    players: list[str | None]  # who sat there
    facts: list[Fact]
    cards: dict[str, list[str]]
    """What was dealt to each place."""
    turns: list[Turn]
    payoffs: list[float] | None  # None while the deal is not finished


def entropy(probabilities: Sequence[float]) -> float:
    """How open a policy is, in nats: 0 if one choice is sure, ln n if n are alike."""
    return sum(-p * log(p) for p in probabilities if p > 0.0)


def value_of(choices: Sequence[Weighed]) -> float | None:
    """The payoff that a policy expects; None if it does not tell one for all it may choose."""
    likely = [one for one in choices if one.probability > 0.0]
    total = 0.0
    for one in likely:
        if one.payoff is None:
            return None
        total += one.probability * one.payoff
    return total


# ---------------------------------------------------------------------------- asking the player


def transcript(record: Record, policy: str, *, seed: int = 0, number: int = 1) -> Transcript:
    """A recorded deal, the `number`-th of its file, with the policy of the player of a name."""
    deal = record.deal()
    game = deal.game
    player = make_player(policy, game)
    try:
        return _told_by(player, record, deal, seed, number)
    finally:
        close_players([player])


def _told_by(player: Player, record: Record, deal: Deal, seed: int, number: int) -> Transcript:
    game = deal.game
    return Transcript(
        deal_number=number,
        game=game.name,
        rules=deal.variant.text(),
        player=player.name,
        sees_all_cards=sees_all(player),
        seed=seed,
        seats=seat_names(record, game),
        players=[seated.player for seated in record.seats or (Seated(),) * game.seats],
        facts=[Fact(label=label, text=text) for label, text in deal.public],
        cards={place: hand.split() for place, hand in record.tidied(deal).cards.items()},
        turns=[*_turns(deal, player, seed)],
        payoffs=[float(payoff) for payoff in deal.payoffs] if deal.is_over else None,
    )


def _turns(deal: Deal, player: Player, seed: int) -> Iterator[Turn]:
    now, tricks = Deal.from_order(deal.match, deal.order), _tricks(deal)
    for number, event in enumerate(deal.history, start=1):
        asked = now if sees_all(player) else now.view(event.seat)
        tell_match(player, now.variant, now.match._records)
        *_, advice = player.advise(asked.records, stream(seed, "policy", number))
        after = now.play(event.choice)
        yield _turn(now, after, number, tricks[number - 1], advice)
        now = after


def _turn(now: Deal, after: Deal, number: int, trick: int | None, advice: Advice) -> Turn:
    game, event = now.game, after.history[-1]
    return Turn(
        number=number,
        seat=event.seat,
        phase=now.phase,
        trick=trick,
        hand=game.deck.texts(now.hands[event.seat]).split(),
        policy=[_option(now, one) for one in advice.choices],
        entropy=entropy([one.probability for one in advice.choices]),
        value=value_of(advice.choices),
        choice=game.choice_text(event.phase, event.choice),
        reward=float(after.payoffs[event.seat]) if after.is_over else 0.0,
    )


def _option(now: Deal, one: Weighed) -> Option:
    return Option(
        choice=now.choice_text(one.choice),
        probability=one.probability,
        payoff=one.payoff,
        error=one.error,
    )


def _tricks(deal: Deal) -> list[int | None]:
    """For each choice the number of its trick, None where it goes to none."""
    found: list[int | None] = []
    trick = 0
    for row in (told := rows(deal)):
        is_trick = row.winner is not None or (row is told[-1] and bool(deal.trick))
        trick += is_trick
        found += [trick if is_trick else None] * len(row.choices)
    return found


# ---------------------------------------------------------------------------- as text


def transcript_text(told: Transcript) -> str:
    """A transcript for people to read."""
    from overtrick.games import load_game

    return "".join(f"{line}\n" for line in _lines(told, load_game(told.game)))


def _lines(told: Transcript, game: Game) -> Iterator[str]:
    eyes = "sees all cards" if told.sees_all_cards else "sees what the seat to act sees"
    yield "Game Info:"
    yield f"  - Game: {game.title}, {told.rules or 'usual rules'} (deal {told.deal_number})"
    yield f"  - Player: {told.player}, {eyes}; seed {told.seed}"
    yield from (f"  - {fact.label.capitalize()}: {fact.text}" for fact in told.facts)
    yield ""
    yield "Initial Hands:"
    for place, cards in told.cards.items():
        yield f"  - {_holder(told, place)}: [{', '.join(cards)}]"
    yield ""
    yield "-" * 40
    for turn in told.turns:
        yield ""
        yield from _turn_lines(told, turn)
    yield ""
    yield from _end_lines(told)


def _holder(told: Transcript, place: str) -> str:
    """A place for cards: a seat with its player, or what the game calls it."""
    if not place.isdigit():
        return place
    player = told.players[int(place)]
    return told.seats[int(place)] + (f" ({one_line(player).plain})" if player else "")


def _turn_lines(told: Transcript, turn: Turn) -> Iterator[str]:
    when = turn.phase if turn.trick is None else f"Trick #{turn.trick}"
    policy = ", ".join(f"{one.choice}: {one.probability:.2%}" for one in turn.policy)
    value = "not told" if turn.value is None else f"{turn.value:.4f}"
    yield f"--- Turn: {told.seats[turn.seat]} ({when}) ---"
    yield f"  - Hand: [{', '.join(turn.hand)}]"
    yield f"  - Policy: {policy}"
    yield f"  - Entropy: {turn.entropy:.4f}, Value: {value}"
    yield f"  - Choice Made: {turn.choice}"
    yield f"  - Reward Received: {turn.reward:.2f}"


def _end_lines(told: Transcript) -> Iterator[str]:
    if told.payoffs is None:
        yield "=== UNFINISHED ==="
        return
    yield "=== GAME OVER ==="
    paid = zip(told.seats, told.payoffs, strict=True)
    yield "Final Payoffs: " + ", ".join(f"{name} {payoff:+.4g}" for name, payoff in paid)
