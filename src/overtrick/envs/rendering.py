"""What one seat knows of a deal, shown to people: as text, or as a picture.

Any game: hands, tricks, what everybody sees and the legal choices come from the contract. Pictures
are drawn by Pillow, which the extra `rl` brings; cards have their suits as shapes, so no font
needs to know them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import Any

import numpy as np

from overtrick.cards import each
from overtrick.engine.deals import View
from overtrick.errors import BadOption, MissingExtra

__all__ = ["RENDER_MODES", "check_render_mode", "picture_of", "rendered", "text_of"]

RENDER_MODES = ("ansi", "rgb_array")
WIDTH, HEIGHT = 640, 480
CARD_WIDTH, CARD_HEIGHT = 46, 64
FELT, DARK, PAPER, INK, RED, GOLD, DIM = (
    (24, 92, 60),
    (16, 64, 42),
    (252, 251, 246),
    (28, 28, 32),
    (190, 30, 45),
    (246, 200, 84),
    (186, 210, 196),
)
SUITS = "♠♥♦♣"
RED_SUITS = "♥♦"


def check_render_mode(mode: str | None) -> str | None:
    """A mode that there is; None for none."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render_mode is {' or '.join(RENDER_MODES)}, not {mode!r}")
    if mode == "rgb_array":
        _pillow()
    return mode


def rendered(view: View, mode: str | None) -> Any:
    """The view as this mode shows it; None without a mode."""
    if mode is None:
        return None
    return text_of(view) if mode == "ansi" else picture_of(view)


# ---------------------------------------------------------------------------- text


def text_of(view: View) -> str:
    """A few lines: who is to act, the table, the viewer's hand and its choices."""
    game, pretty = view.game, view.game.deck.pretty
    trick = "   ".join(f"{game.seat_name(seat)} {pretty(card)}" for seat, card in view.trick)
    rows = [
        *view.public,
        ("trick", trick),
        (f"{game.seat_name(view.viewer)}'s hand", " ".join(map(pretty, each(view.hand)))),
        ("legal", "" if view.is_over else " ".join(view.legal_texts)),
    ]
    if view.is_over:
        rows.append(("payoffs", _payoffs(view)))
    width = max(len(label) for label, _ in rows)
    lines = [f"{label:<{width}}  {text}" for label, text in rows if text]
    return "\n".join([_headline(view), *lines]) + "\n"


def _headline(view: View) -> str:
    game = view.game
    if view.seat is None:
        return f"{game.title}, deal {view.match.deals + 1}: over"
    return f"{game.title}, deal {view.match.deals + 1}: {game.seat_name(view.seat)} to {view.phase}"


def _payoffs(view: View) -> str:
    game = view.game
    each_seat = enumerate(view.payoffs)
    return "   ".join(f"{game.seat_name(seat)} {float(payoff):+g}" for seat, payoff in each_seat)


# ---------------------------------------------------------------------------- picture


def _pillow() -> Any:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError:
        raise MissingExtra("pictures of the table", "rl") from None
    return Image, ImageDraw, ImageFont


def picture_of(view: View) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The table with the viewer at its lower edge, [height, width, 3] bytes."""
    image_module, draw_module, font_module = _pillow()
    image = image_module.new("RGB", (WIDTH, HEIGHT), FELT)
    sketch = _Sketch(draw_module.Draw(image), font_module.load_default)
    sketch.table()
    sketch.seats(view)
    sketch.words(view)
    sketch.hand(view)
    return np.asarray(image, dtype=np.uint8).copy()


class _Sketch:
    """Draws the parts of a table."""

    def __init__(self, draw: Any, font: Callable[[float], Any]) -> None:
        self.draw = draw
        self.small, self.large = font(13), font(20)

    def table(self) -> None:
        """The cloth."""
        self.draw.ellipse((110, 60, WIDTH - 110, HEIGHT - 130), fill=DARK)

    def words(self, view: View) -> None:
        """What is going on, what everybody sees, and the choices that are no cards."""
        told = [_headline(view), *(f"{label}: {text}" for label, text in view.public)]
        if view.is_over:
            told.append(_payoffs(view))
        for number, line in enumerate(told):
            self.text((10, 8 + 16 * number), line, PAPER if number == 0 else DIM)
        if not view.is_over and not _plays_cards(view) and view.legal:
            line = " ".join(view.legal_texts)
            self.text((10, HEIGHT - CARD_HEIGHT - 44), _shortened(line, 88), GOLD)

    def seats(self, view: View) -> None:
        """Names around the table, and before each seat the card it has on the table."""
        game = view.game
        played = dict(view.trick)
        for seat in range(game.seats):
            angle = pi / 2 + 2 * pi * ((seat - view.viewer) % game.seats) / game.seats
            x, y = WIDTH / 2 + 236 * cos(angle), 204 + 150 * sin(angle)
            colour = GOLD if seat == view.seat else DIM
            self.text((x, y), game.seat_name(seat), colour, anchor="mm")
            if seat in played:
                x, y = WIDTH / 2 + 120 * cos(angle), 204 + 80 * sin(angle)
                self.card(x - CARD_WIDTH / 2, y - CARD_HEIGHT / 2, game.deck.pretty(played[seat]))

    def hand(self, view: View) -> None:
        """The viewer's cards in a row; those that may be played stand out."""
        cards = list(each(view.hand))
        apart = min(CARD_WIDTH + 4, (WIDTH - 30 - CARD_WIDTH) / max(1, len(cards) - 1))
        left = (WIDTH - apart * (len(cards) - 1) - CARD_WIDTH) / 2
        for number, card in enumerate(cards):
            legal = _plays_cards(view) and card in view.legal
            top = HEIGHT - CARD_HEIGHT - (18 if legal else 8)
            self.card(left + number * apart, top, view.game.deck.pretty(card), framed=legal)

    def card(self, x: float, y: float, name: str, *, framed: bool = False) -> None:
        """One card, face up."""
        box = (x, y, x + CARD_WIDTH, y + CARD_HEIGHT)
        edge = GOLD if framed else INK
        self.draw.rounded_rectangle(box, 6, fill=PAPER, outline=edge, width=3 if framed else 1)
        suit = name[-1] if name[-1] in SUITS else ""
        colour = RED if suit and suit in RED_SUITS else INK
        self.text((x + 7, y + 5), name[:-1] if suit else name, colour, font=self.large)
        if suit:
            self.suit(x + 16, y + 44, suit, colour)

    def suit(self, x: float, y: float, suit: str, colour: tuple[int, int, int]) -> None:
        """A suit as a shape, about 18 wide, with its middle at this point."""
        ball, leaf = self.draw.ellipse, self.draw.polygon
        if suit == "♦":
            leaf([(x, y - 11), (x + 8, y), (x, y + 11), (x - 8, y)], fill=colour)
        elif suit == "♥":
            ball((x - 9, y - 9, x, y), fill=colour)
            ball((x, y - 9, x + 9, y), fill=colour)
            leaf([(x - 9, y - 3), (x + 9, y - 3), (x, y + 10)], fill=colour)
        else:
            leaf([(x, y), (x + 5, y + 11), (x - 5, y + 11)], fill=colour)
            if suit == "♠":
                ball((x - 9, y - 2, x, y + 7), fill=colour)
                ball((x, y - 2, x + 9, y + 7), fill=colour)
                leaf([(x - 9, y + 2), (x + 9, y + 2), (x, y - 11)], fill=colour)
            else:
                ball((x - 5, y - 11, x + 5, y - 1), fill=colour)
                ball((x - 10, y - 3, x, y + 7), fill=colour)
                ball((x, y - 3, x + 10, y + 7), fill=colour)

    def text(
        self,
        at: tuple[float, float],
        words: str,
        colour: tuple[int, int, int],
        *,
        anchor: str = "la",
        font: Any = None,
    ) -> None:
        """A line of text; suits in it by their letters, since the font lacks them."""
        for suit, letter in zip(SUITS, "SHDC", strict=True):
            words = words.replace(suit, letter)
        self.draw.text(at, words, fill=colour, anchor=anchor, font=font or self.small)


def _plays_cards(view: View) -> bool:
    """Whether the choices at hand are cards."""
    game = view.game
    return not view.is_over and game.card_choices(game.phases.index(view.phase)) > 0


def _shortened(line: str, most: int) -> str:
    return line if len(line) <= most else line[: most - 1] + "…"
