"""A deal in the terminal: any game, a person in one seat, players in the others.

The table knows no game: it shows what the contract tells (hands, tricks, what everybody sees) and
offers the legal choices.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from overtrick.cards import Card, Cards, each
from overtrick.engine.deals import Deal, Match, View
from overtrick.engine.warm import warm_up
from overtrick.errors import BadSeat, OvertrickError
from overtrick.games.game import Choice, Game, Seat
from overtrick.jit import streams
from overtrick.players import Player, close_players, make_player, tell_match
from overtrick.players.naming import split_names

__all__ = ["Terminal", "play_in_terminal"]

HELP = (
    "Type a choice as it is written or by its number; Enter alone takes the only one. "
    "h shows the tricks so far, ? this help, q leaves the table."
)
RED_SUITS = "♥♦"


class LeftTheTable(Exception):
    """The person wants to stop."""


def play_in_terminal(
    game: Game,
    *,
    seat: str = "",
    players: str = "random",
    variant: str = "",
    seed: int,
    deals: int = 1,
    console: Console | None = None,
    ask: Callable[[str], str] = input,
) -> Match:
    """Play some deals, or a whole match when `deals` is 0; the match as it then stands."""
    person = None if seat == "none" else game.seat_from(seat or str(game.seats - 1))
    others = _seated(game, players, person)
    house_rules = game.variant_of(variant)
    warm_up(game)  # before the table is laid: a cold start takes a while, and says so
    table = Terminal(game, person, others, seed, console or Console(highlight=False), ask)
    match = Match.start(game, variant=house_rules, seed=seed)
    table.welcome(match)
    try:
        while not match.is_over and (deals == 0 or match.deals < deals):
            match = match.after(table.play_deal(match))
            table.show_scores(match)
    except LeftTheTable:
        table.say("You leave the table. Good bye!")
    finally:
        close_players(others.values())
    return match


def _seated(game: Game, names: str, person: Seat | None) -> dict[Seat, Player]:
    """The players of the seats that no person has."""
    seats = [seat for seat in range(game.seats) if seat != person]
    listed = split_names(names)
    if len(listed) == 1:
        listed *= len(seats)
    if len(listed) != len(seats):
        raise BadSeat(f"{game.name}: {len(seats)} seats want players, not {len(listed)}: {names}")
    return {seat: make_player(name, game) for seat, name in zip(seats, listed, strict=True)}


class Terminal:
    """Shows the table to one person and asks for choices."""

    def __init__(
        self,
        game: Game,
        person: Seat | None,
        players: dict[Seat, Player],
        seed: int,
        console: Console,
        ask: Callable[[str], str],
    ) -> None:
        self.game = game
        self.person = person
        self.players = players
        self.seed = seed
        self.console = console
        self.ask = ask

    def say(self, line: str | Text) -> None:
        """One line to the person."""
        self.console.print(line)

    def welcome(self, match: Match) -> None:
        """Who sits where, and how to replay the deal."""
        rules = match.variant.text() or "usual rules"
        self.console.rule(f"{self.game.title}: {rules}, seed {self.seed}")
        for seat in range(self.game.seats):
            who = self.players[seat].name if seat in self.players else "you"
            self.say(f"  {self.game.seat_name(seat):8} {who}")
        self.say(HELP)

    def play_deal(self, match: Match) -> Deal:
        """One deal, from dealing to scoring."""
        deal = match.deal(self.seed)
        self.console.rule(f"deal {match.deals + 1}")
        while deal.seat is not None:
            view = deal.view(deal.seat)
            choice = self._choose(view)
            after = deal.play(choice)
            if deal.seat != self.person or len(view.legal) == 1:
                self._tell_choice(deal, choice)
            self._tell_trick(deal, after)
            deal = after
        self.show_result(deal)
        return deal

    # ------------------------------------------------------------------------ choosing

    def _choose(self, view: View) -> Choice:
        if view.viewer == self.person:
            return self._ask_person(view)
        streams_of_choice = streams(
            1, self.seed, "player", view.match.deals, view.viewer, len(view.history)
        )
        player = self.players[view.viewer]
        tell_match(player, view.variant, view.match._records)
        before = getattr(player, "replaced", 0)
        choices = player.choose(view.records, streams_of_choice)
        if getattr(player, "replaced", 0) > before:
            told = (
                f"  {self.game.seat_name(view.viewer)}: {player.name} failed; chosen in its place:"
            )
            self.say(Text(told, style="yellow"))
        return int(np.asarray(choices)[0])

    def _ask_person(self, view: View) -> Choice:
        self._show_table(view)
        if len(view.legal) == 1:
            return view.legal[0]
        while True:
            try:
                answer = self.ask(f"{view.phase}> ").strip()
            except EOFError:
                raise LeftTheTable from None
            try:
                choice = self._understand(view, answer)
            except OvertrickError as error:
                self.say(Text(str(error), style="yellow"))
                continue
            if choice is not None:
                return choice

    def _understand(self, view: View, answer: str) -> Choice | None:
        """The legal choice that an answer means; None if it was another wish, or illegal."""
        if answer in ("q", "quit"):
            raise LeftTheTable
        if answer == "?":
            self.say(HELP)
        elif answer == "h":
            self._show_history(view)
        elif answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(view.legal):
            return view.legal[int(answer) - 1]
        elif answer:
            choice = self.game.choice_from(self.game.phases.index(view.phase), answer)
            if choice in view.legal:
                return choice
            legal = " ".join(view.legal_texts)
            self.say(Text(f"not {view.choice_text(choice)} now; legal are {legal}", style="yellow"))
        return None

    # ------------------------------------------------------------------------ showing

    def _show_table(self, view: View) -> None:
        grid = Table.grid(padding=(0, 2))
        for label, text in view.public:
            grid.add_row(Text(label, style="dim"), text)
        if view.trick:
            grid.add_row(Text("trick", style="dim"), self._trick_text(view.trick))
        grid.add_row(Text("your hand", style="bold"), self._hand_text(view.hand, view))
        grid.add_row(Text("legal", style="bold"), self._choices_text(view))
        self.say("")
        self.console.print(grid)

    def _card_text(self, card: Card, style: str = "") -> Text:
        pretty = self.game.deck.pretty(card)
        colour = "red" if pretty[-1] in RED_SUITS else ""
        return Text(pretty, style=f"{colour} {style}".strip())

    def _hand_text(self, hand: Cards, view: View) -> Text:
        """The hand suit by suit; cards that may not be played are dim."""
        cards_are_choices = self.game.has_cards(self.game.phases.index(view.phase))
        text, last_suit = Text(), ""
        for card in each(hand):
            suit = self.game.deck.names[card][-1]
            text.append("  " if last_suit not in ("", suit) else " " if last_suit else "")
            dim = cards_are_choices and view.legal and card not in view.legal
            text.append_text(self._card_text(card, "dim" if dim else "bold"))
            last_suit = suit
        return text

    def _choices_text(self, view: View) -> Text:
        text = Text()
        for number, choice in enumerate(view.legal, start=1):
            text.append(f"{number}:", style="dim")
            text.append_text(self._choice_text(view.phase, choice))
            text.append("  ")
        return text

    def _choice_text(self, phase: str, choice: Choice) -> Text:
        number = self.game.phases.index(phase)
        if self.game.has_cards(number):
            return self._card_text(choice)
        return Text(self.game.choice_text(number, choice))

    def _trick_text(self, trick: tuple[tuple[Seat, Card], ...]) -> Text:
        text = Text()
        for seat, card in trick:
            text.append(f"{self.game.seat_name(seat)} ", style="dim")
            text.append_text(self._card_text(card))
            text.append("   ")
        return text

    def _tell_choice(self, deal: Deal, choice: Choice) -> None:
        """Say what was chosen, unless the person may not know."""
        assert deal.seat is not None
        watched = deal.seat if self.person is None else self.person
        seen = deal.play(choice).view(watched).history[-1].choice == choice
        line = Text(f"  {self.game.seat_name(deal.seat)}: {deal.phase} ", style="dim")
        line.append_text(self._choice_text(deal.phase, choice) if seen else Text("face down"))
        self.say(line)

    def _tell_trick(self, before: Deal, after: Deal) -> None:
        """Say who took a trick that is complete."""
        if before.trick and not after.trick:
            leader = int(after.records["leader"][0])
            self.say(Text(f"  → {self.game.seat_name(leader)} takes the trick", style="cyan"))

    def _show_history(self, view: View) -> None:
        line = Text("so far: ", style="dim")
        for event in view.history:
            line.append(f"{self.game.seat_name(event.seat)} ", style="dim")
            line.append(self.game.choice_text(event.phase, event.choice) + "  ")
        self.say(line)

    def show_result(self, deal: Deal) -> None:
        """What the deal was worth, by seat."""
        grid = Table(title="the deal", title_justify="left")
        grid.add_column("seat")
        grid.add_column("payoff", justify="right")
        for seat, payoff in enumerate(deal.payoffs):
            grid.add_row(self.game.seat_name(seat), f"{float(payoff):+.4g}")
        self.console.print(grid)
        for label, text in deal.public:
            self.say(f"  {label}: {text}")
        self.say(Text(f"  the deal again: {deal.text()}", style="dim"))

    def show_scores(self, match: Match) -> None:
        """The match so far."""
        names = [self.game.seat_name(seat) for seat in range(self.game.seats)]
        scores = zip(names, match.scores, strict=True)
        self.say("match: " + ", ".join(f"{name} {score}" for name, score in scores))
        if match.is_over:
            self.say("won by " + " and ".join(names[seat] for seat in match.winners))
