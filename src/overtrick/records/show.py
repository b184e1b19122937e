"""A record for a person: who sat where, the cards, the choices row by row, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.text import Text

from overtrick.engine.deals import Deal
from overtrick.games.game import Choice, Game
from overtrick.records.parts import Chosen
from overtrick.records.record import Record
from overtrick.records.rows import Row, place_word, rows

__all__ = ["RED_SUITS", "choice_shown", "header", "one_line", "seat_names", "shown", "who"]

RED_SUITS = "♥♦"


def shown(record: Record, number: int) -> Iterator[Text]:
    """The lines that show a record, which is the `number`-th of its file."""
    deal = record.deal()
    yield from header(record, deal, number)
    yield Text()
    yield from _hands(record, deal)
    if record.choices:
        yield Text()
        yield from _rows(deal)
    notes = [*_notes(record)]
    if notes:
        yield Text()
        yield from notes
    yield Text()
    yield from _result(record, deal)


def header(record: Record, deal: Deal, number: int) -> Iterator[Text]:
    """What was played, where and when."""
    rules = deal.variant.text() or "usual rules"
    yield Text(f"deal {number}: {deal.game.title}, {rules}", style="bold")
    around = [record.event, record.site, record.date]
    if record.seed is not None:
        around.append(f"seed {record.seed}")
    if record.assisted:
        around.append("with hints or choices taken back")
    told = [text for text in around if text]
    if told:
        yield one_line("  " + ", ".join(told))
    if record.comment:
        yield one_line(f"  {record.comment}")
    yield one_line(f"  match before: {deal.match.text() or 'not begun'}")


def one_line(text: str) -> Text:
    """One line, whatever a comment has in it."""
    return Text("".join(letter if letter.isprintable() else " " for letter in text))


def _hands(record: Record, deal: Deal) -> Iterator[Text]:
    names = {place: who(record, deal.game, place) for place in record.cards}
    width = max(map(len, names.values()))
    for place, hand in record.cards.items():
        line = Text(f"  {names[place]:{width}}  ", style="dim")
        cards = [_card(deal.game, card) for card in deal.game.deck.sequence(hand)]
        yield line.append_text(Text(" ").join(cards))


def who(record: Record, game: Game, place: str) -> str:
    """A place, with the player who sat there."""
    if not place.isdigit() or record.seats is None:
        return place_word(game, place)
    seat = int(place)
    name, player = seat_names(record, game)[seat], record.seats[seat].player
    return one_line(f"{name} ({player})" if player else name).plain


def seat_names(record: Record, game: Game) -> list[str]:
    """What each seat is called: as at that table, else as the game calls it."""
    told = [seated.name for seated in record.seats or ()] or [None] * game.seats
    return [one_line(name or game.seat_name(seat)).plain for seat, name in enumerate(told)]


def _card(game: Game, card: int) -> Text:
    pretty = game.deck.pretty(card)
    return Text(pretty, style="red" if pretty[-1] in RED_SUITS else "")


def choice_shown(game: Game, phase: int, choice: Choice) -> Text:
    """A choice in notation; cards with the symbols of their suits."""
    if game.choice_names[phase][choice] in game.deck.names:
        return _card(game, game.deck.card(game.choice_names[phase][choice]))
    return Text(game.choice_text(phase, choice))


def _rows(deal: Deal) -> Iterator[Text]:
    """One line a row: the phase, who begins, the choices, who takes the trick."""
    game, found = deal.game, rows(deal)
    phase_width = max(len(game.phases[row.phase]) for row in found)
    seat_width = max(len(game.seat_name(row.seats[0])) for row in found)
    width = max(len(_words(game, row)) for row in found)
    for row in found:
        line = Text(f"  {game.phases[row.phase]:{phase_width}}  ", style="dim")
        line.append(f"{game.seat_name(row.seats[0]):{seat_width}}  ")
        words = _words(game, row)
        line.append_text(words)
        if row.winner is not None:
            line.append(" " * (width - len(words)))
            line.append(f"  → {game.seat_name(row.winner)}", style="cyan")
        yield line


def _words(game: Game, row: Row) -> Text:
    made = zip(row.phases, row.choices, strict=True)
    return Text("  ").join([choice_shown(game, phase, choice) for phase, choice in made])


def _notes(record: Record) -> Iterator[Text]:
    """What is known about single choices: times, and what a player thought of them."""
    for number, chosen in enumerate(record.choices, start=1):
        if isinstance(chosen, Chosen) and (chosen.seconds is not None or chosen.analysis):
            time = "" if chosen.seconds is None else f" after {chosen.seconds:.4g} s"
            yield Text(f"  {number:2}. {chosen.choice}{time}{_thoughts(chosen)}", style="dim")


def _thoughts(chosen: Chosen) -> str:
    if chosen.analysis is None:
        return ""
    weighed = []
    for one in chosen.analysis.choices:
        parts = [one.choice]
        if one.probability is not None:
            parts.append(f"{one.probability:.0%}")
        if one.payoff is not None:
            error = "" if one.error is None else f"±{one.error:.3g}"
            parts.append(f"{one.payoff:+.3g}{error}")
        if one.visits is not None:
            parts.append(f"{one.visits} visits")
        weighed.append(" ".join(parts))
    return one_line(f"; {chosen.analysis.player or 'analysis'}: {', '.join(weighed)}").plain


def _result(record: Record, deal: Deal) -> Iterator[Text]:
    game = deal.game
    if record.result is None:
        assert deal.seat is not None
        yield Text(f"  unfinished: {game.seat_name(deal.seat)} is to {deal.phase}")
        return
    for label, text in deal.public:
        yield Text(f"  {label}: {text}")
    names = [game.seat_name(seat) for seat in range(game.seats)]
    payoffs = zip(names, map(_signed, record.result.payoffs), strict=True)
    yield Text("  result: " + ", ".join(f"{name} {payoff}" for name, payoff in payoffs))
    match = deal.match.after(deal)
    scores = zip(names, match.scores, strict=True)
    yield Text("  match: " + ", ".join(f"{name} {score}" for name, score in scores))
    if match.is_over:
        yield Text("  match won by " + " and ".join(names[seat] for seat in match.winners))


def _signed(points: Fraction) -> str:
    return f"+{points}" if points > 0 else str(points)
