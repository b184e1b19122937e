"""Whether a reason for which a card may not be played is true, judged from the text of RULES.

Nothing here calls a rule of the engine: a position is looked at by the names of its cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from overtrick.engine.deals import Deal
from overtrick.games.showing import Phrase


@dataclass(frozen=True)
class Looked:
    """A position as somebody sees it who stands behind the seat to act."""

    deal: Deal
    card: str  # that may not be played
    told: Any  # what the phrase fills in

    @cached_property
    def state(self) -> Any:
        return self.deal.records[0]

    @cached_property
    def seat(self) -> int:
        return int(self.deal.seat or 0)

    @cached_property
    def hand(self) -> list[str]:
        """The cards that may be played by the suit they show: not a card that lies face down."""
        held = self.names(self.deal.hands[self.seat])
        return [card for card in held if card != self.unknown]

    @cached_property
    def unknown(self) -> str | None:
        """The unknown card of a picker who is to act, while it lies."""
        if self.deal.game.name != "sheephead" or not self.state.lies:
            return None
        return self.names(self.state.unknown)[0] if self.seat == self.state.picker else None

    @cached_property
    def trick(self) -> list[tuple[int, str]]:
        return [(seat, self.deal.game.deck.names[card]) for seat, card in self.deal.trick]

    @cached_property
    def led(self) -> str | None:
        """The suit that was led, as `suit` tells it."""
        if not self.trick:
            return None
        leader, first = self.trick[0]
        if self.deal.game.name == "sheephead" and self.state.turned:
            played = self.deal.history[int(self.state.turned)]
            is_unknown = int(self.state.turned) == len(self.deal.history) - len(self.trick)
            if is_unknown and played.seat == leader:
                return self.names(self.state.called)[0][1]
        return self.suit(first)

    def names(self, cards: int) -> list[str]:
        return self.deal.game.deck.texts(int(cards)).split()

    def suit(self, card: str) -> str:
        """A card's suit; `trump` in a normal hand of Sheephead."""
        if self.deal.game.name != "sheephead":
            return card[1]
        if self.state.trumps == 0:
            return "D" if card == "JO" else card[1]
        return "trump" if card[0] in "QJ" or card[1] == "D" else card[1]

    def holds(self, suit: str | None) -> list[str]:
        return [card for card in self.hand if self.suit(card) == suit]


# ---------------------------------------------------------------------------- all games


def must_follow(at: Looked) -> bool:
    """A suit was led of which the hand has a card, and this card is of another."""
    return at.led == at.told["suit"] and bool(at.holds(at.led)) and at.suit(at.card) != at.led


# ---------------------------------------------------------------------------- Hearts


def first_lead(at: Looked) -> bool:
    return not any(event.phase == 1 for event in at.deal.history) and at.card != "2C"


def not_broken(at: Looked) -> bool:
    """To lead, a heart, hearts only behind other cards, and no heart has been played."""
    played = [at.deal.choice_text(event.choice) for event in at.deal.history if event.phase == 1]
    others = [card for card in at.hand if card[1] != "H"]
    no_heart = not any(card[1] == "H" for card in played)
    return not at.trick and at.card[1] == "H" and bool(others) and no_heart


def no_points_first(at: Looked) -> bool:
    tricks = sum(event.phase == 1 for event in at.deal.history) // 4
    harmless = [card for card in at.hand if card[1] != "H" and card != "QS"]
    is_point = at.card[1] == "H" or at.card == "QS"
    return tricks == 0 and is_point and bool(harmless) and not at.holds(at.led)


# ---------------------------------------------------------------------------- Coinche


def trump_rank(card: str) -> int:
    return "78QKTA9J".index(card[0])


def contract_suit(at: Looked) -> str:
    """The suit of the last bid."""
    calls = [at.deal.game.choice_names[0][e.choice] for e in at.deal.history if e.phase == 0]
    return [call for call in calls if call not in ("P", "X", "XX")][-1][-1]


def taking(at: Looked) -> tuple[int, str]:
    """Who holds the trick, and with which card."""
    trump = contract_suit(at)

    def strength(play: tuple[int, str]) -> tuple[int, int]:
        card = play[1]
        if card[1] == trump:
            return 2, trump_rank(card)
        return (1 if card[1] == at.led else 0), "789JQKTA".index(card[0])

    return max(at.trick, key=strength)


def can_go_higher(at: Looked) -> bool:
    """The card told is the trump that holds the trick, and a higher one is in the hand."""
    trump, best = contract_suit(at), taking(at)[1]
    higher = [card for card in at.holds(trump) if trump_rank(card) > trump_rank(best)]
    return best[1] == trump and at.told["card"] == best and bool(higher)


def is_lower(at: Looked) -> bool:
    """The card refused is no trump, or one that does not beat the trick."""
    return at.card[1] != contract_suit(at) or trump_rank(at.card) < trump_rank(at.told["card"])


def is_partners(at: Looked) -> bool:
    return (taking(at)[0] - at.seat) % 2 == 0


def higher_trump(at: Looked) -> bool:
    return at.led == contract_suit(at) == at.card[1] and can_go_higher(at) and is_lower(at)


def overtrump(at: Looked) -> bool:
    free = not at.holds(at.led) and not is_partners(at)
    return free and can_go_higher(at) and is_lower(at)


def must_trump(at: Looked) -> bool:
    """Void, the opponents hold the trick with a plain card, and there are trumps."""
    trump = contract_suit(at)
    void = not at.holds(at.led) and bool(at.holds(trump))
    plain = taking(at)[1][1] != trump and not is_partners(at)
    return void and plain and at.card[1] != trump and at.told["suit"] == trump


def undertrump(at: Looked) -> bool:
    trump, best = contract_suit(at), taking(at)[1]
    asked = at.deal.variant.undertrump == "must" and not is_partners(at)
    void = not at.holds(at.led) and not can_go_higher(at) and best[1] == trump
    return asked and void and bool(at.holds(trump)) and at.card[1] != trump


def partner_underruff(at: Looked) -> bool:
    asked = at.deal.variant.partner_ruff == "no_underruff" and is_partners(at)
    low = at.card[1] == contract_suit(at) and is_lower(at)
    return asked and not at.holds(at.led) and can_go_higher(at) and low


# ---------------------------------------------------------------------------- Snapszer


def is_strict(at: Looked) -> bool:
    """The talon is closed, or ten tricks' worth of cards have been drawn from it."""
    announced = [at.deal.game.choice_names[0][e.choice] for e in at.deal.history if e.phase == 0]
    cards = sum(e.phase == 1 or e.choice < 20 for e in at.deal.history)
    return "close" in announced or cards // 2 >= 5


def trump_letter(at: Looked) -> str:
    return at.deal.game.deck.names[at.deal.order[19]][1]


def beat(at: Looked) -> bool:
    led = at.trick[0][1]
    higher = [c for c in at.holds(at.led) if "JQKTA".index(c[0]) > "JQKTA".index(led[0])]
    low = at.card[1] == led[1] and at.card not in higher
    return is_strict(at) and at.told["card"] == led and bool(higher) and low


def snapszer_trump(at: Looked) -> bool:
    trump = trump_letter(at)
    void = not at.holds(at.led) and bool(at.holds(trump))
    return is_strict(at) and void and at.card[1] != trump and at.told["suit"] == trump


def snapszer_follow(at: Looked) -> bool:
    return is_strict(at) and must_follow(at)


def marriage(at: Looked) -> bool:
    last = at.deal.history[-1]
    suit = at.deal.game.choice_names[0][last.choice].removeprefix("marry:")
    return set(at.told["cards"].split()) == {f"K{suit}", f"Q{suit}"} - {at.card}


# ---------------------------------------------------------------------------- Sheephead


def called_suit_not_led(at: Looked) -> bool:
    """A card was called, and no earlier trick was led in its suit."""
    called = at.names(at.state.called)
    plays = [event for event in at.deal.history if event.phase == 4]
    turned = int(at.state.turned)
    leads = [
        called[0][1] if turned and at.deal.history[turned] is event else None
        for event in plays[: len(plays) - len(at.trick) : 5]
    ]
    names = [at.deal.game.deck.names[e.choice] for e in plays[: len(plays) - len(at.trick) : 5]]
    suits = [forced or at.suit(name) for forced, name in zip(leads, names, strict=True)]
    return called[0][1] not in suits


def by_the_call(at: Looked) -> bool:
    """What picker and partner owe is told of the called card and its suit."""
    card = at.names(at.state.called)[0]
    told = at.told.get("card", card) == card and at.told["suit"] == card[1]
    return told and called_suit_not_led(at)


def standard(at: Looked) -> bool:
    return at.deal.variant.called_obligations == "standard" and by_the_call(at)


def play_called(at: Looked) -> bool:
    card = at.told["card"]
    return standard(at) and at.led == card[1] and card in at.hand and at.card != card


def lead_called(at: Looked) -> bool:
    card = at.told["card"]
    partner = card in at.hand and at.seat != at.state.picker
    return standard(at) and not at.trick and partner and at.suit(at.card) == card[1] != at.card


def keep_called(at: Looked) -> bool:
    free = at.led not in (None, at.told["suit"]) and not at.holds(at.led)
    return standard(at) and free and at.card == at.told["card"] and len(at.hand) > 1


def keep_suit(at: Looked) -> bool:
    free = at.led not in (None, at.told["suit"]) and not at.holds(at.led)
    only = at.holds(at.told["suit"]) == [at.card] and at.seat == at.state.picker
    return standard(at) and free and only and len(at.hand) > 1


def play_unknown(at: Looked) -> bool:
    return by_the_call(at) and at.led == at.told["suit"] and at.unknown not in (None, at.card)


def keep_unknown(at: Looked) -> bool:
    free = at.led not in (None, at.told["suit"])
    return by_the_call(at) and free and at.card == at.unknown and bool(at.hand)


def follow_trump(at: Looked) -> bool:
    return at.led == "trump" and bool(at.holds("trump")) and at.suit(at.card) != "trump"


def unknown_is_fail(at: Looked) -> bool:
    fail = [card for card in at.hand if at.suit(card) != "trump"]
    return at.suit(at.card) == "trump" and bool(fail)


REASONS: dict[str, Callable[[Looked], bool]] = {
    "hokm.why.follow": must_follow,
    "hearts.why.follow": must_follow,
    "hearts.why.first-lead": first_lead,
    "hearts.why.not-broken": not_broken,
    "hearts.why.no-points-first": no_points_first,
    "coinche.why.follow": must_follow,
    "coinche.why.higher-trump": higher_trump,
    "coinche.why.overtrump": overtrump,
    "coinche.why.trump": must_trump,
    "coinche.why.undertrump": undertrump,
    "coinche.why.partner-underruff": partner_underruff,
    "snapszer.why.follow": snapszer_follow,
    "snapszer.why.beat": beat,
    "snapszer.why.trump": snapszer_trump,
    "snapszer.why.marriage": marriage,
    "sheephead.why.follow": must_follow,
    "sheephead.why.follow-trump": follow_trump,
    "sheephead.why.unknown-is-fail": unknown_is_fail,
    "sheephead.why.play-called": play_called,
    "sheephead.why.lead-called": lead_called,
    "sheephead.why.keep-called": keep_called,
    "sheephead.why.keep-suit": keep_suit,
    "sheephead.why.play-unknown": play_unknown,
    "sheephead.why.keep-unknown": keep_unknown,
}


def is_true(phrase: Phrase, deal: Deal, card: str) -> bool:
    """Whether this is why the seat to act may not play a card that it holds."""
    return REASONS[phrase.key](Looked(deal, card, phrase.args))
