"""Golden playthroughs: a whole deal of any game as text, kept in tests/golden/<game>/.

    OVERTRICK_GOLDEN=write python -m pytest tests/...    writes the files anew

A golden file changes only in a commit that says why.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from overtrick.cards import Cards, each
from overtrick.engine.deals import Deal
from overtrick.games.game import Game
from overtrick.jit import below, stream

GOLDEN = Path(__file__).with_name("golden")


def assert_golden(path: str, text: str) -> None:
    """Hold a text against a file under tests/golden, or write it there when asked to."""
    file = GOLDEN / path
    if os.environ.get("OVERTRICK_GOLDEN") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def playthrough(deal: Deal, seed: int) -> str:
    """A deal played on to its end by random choices: what each seat may do, and what follows."""
    return "\n".join(_lines(deal, seed)) + "\n"


def _lines(deal: Deal, seed: int) -> Iterator[str]:
    chance = stream(seed, "playthrough", deal.game.name)
    yield deal.text().rstrip()
    yield from _public(deal)
    yield from _hands(deal)
    while not deal.is_over:
        choice = deal.legal[below(chance, len(deal.legal))]
        seat = deal.game.seat_name(deal.seat or 0)
        turn = len(deal.history) + 1
        yield f"{turn:2}. {seat} to {deal.phase}: {' '.join(deal.legal_texts)}"
        yield f"    -> {deal.choice_text(choice)}"
        after = deal.play(choice)
        yield from _what_follows(deal, after)
        deal = after
    yield deal.text()
    yield f"payoffs: {' '.join(map(str, deal.payoffs))}"
    match = deal.match.after(deal)
    yield f"match: {match.text()}"
    yield f"match winners: {' '.join(map(deal.game.seat_name, match.winners)) or 'none yet'}"


def _what_follows(before: Deal, after: Deal) -> Iterator[str]:
    """What a choice has changed for everybody to see; all hands when a phase begins."""
    if before.trick and not after.trick:
        yield f"    trick taken by {after.game.seat_name(int(after.records['leader'][0]))}"
    yield from _public(after, before)
    yield from _proofs(before, after)
    if after.phase != before.phase and not after.is_over:
        yield from _hands(after)


def _public(deal: Deal, before: Deal | None = None) -> Iterator[str]:
    told = before.public if before else []
    for label, text in deal.public:
        if (label, text) not in told:
            yield f"    {label}: {text}"


def _hands(deal: Deal) -> Iterator[str]:
    for seat, hand in enumerate(deal.hands):
        yield f"    {deal.game.seat_name(seat)} holds {deal.game.deck.texts(hand)}"


def _proofs(before: Deal, after: Deal) -> Iterator[str]:
    """The cards that a seat is newly proven to hold or not to hold."""
    game = after.game
    for field, words in (("known", "is known to hold"), ("cannot", "is proven to hold no")):
        for seat in range(game.seats):
            cards = int(after.records[field][0, seat]) & ~int(before.records[field][0, seat])
            if cards:
                yield f"    {game.seat_name(seat)} {words} {suits_and_cards(game, cards)}"


def suits_and_cards(game: Game, cards: Cards) -> str:
    """A set of cards in notation, a suit that is in it as a whole by its letter alone."""
    parts: list[str] = []
    for card in each(cards):
        suit = game.deck.names[card][-1]
        whole = {other for other, name in enumerate(game.deck.names) if name[-1] == suit}
        part = suit if all(cards >> other & 1 for other in whole) else game.deck.text(card)
        if part not in parts:
            parts.append(part)
    return " ".join(parts)
