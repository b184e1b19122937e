"""A view is read back from what one seat saw, and from nothing else."""

from __future__ import annotations

import pytest

from overtrick.engine.deals import Deal, Match, View
from overtrick.errors import BadCards, BadNotation, IllegalChoice, NoWorldFound, OvertrickError
from overtrick.testing.telling import *  # noqa: F403  the suite that all games share
from overtrick.testing.telling import every_view


@pytest.mark.long
def test_thousands_of_views_read_back_are_the_same(game):
    for _, _, view in every_view(game, 100, 60):
        assert View.from_text(view.text()) == view, view.text()


# ---------------------------------------------------------------------------- facts of the games


def after(deal: Deal, choices: str) -> Deal:
    for choice in choices.split():
        deal = deal.play(choice)
    return deal


BELOTE = {
    "0": "KS QS 7S 8S 7H 8H 7D 8D",
    "1": "9S JS TS AS 9H JH 9D JD",
    "2": "QH KH TH AH QD KD TD AD",
}
COINCHE = "coinche; ; deals=3; 2 QH KH TH AH QD KD TD AD; 80S P P P KS AS QH 7C"


def test_belote_is_told_by_who_announced_it():
    match = Match.from_text("coinche", "deals=3")
    deal = after(Deal.from_cards("coinche", BELOTE, match=match), "80S P P P KS AS QH 7C")
    assert deal.view(2).text() == f"{COINCHE}; belote=0"
    assert View.from_text(f"{COINCHE}; belote=0") == deal.view(2)


def test_silence_about_belote_is_another_view():
    silent, said = View.from_text(COINCHE), View.from_text(f"{COINCHE}; belote=0")
    queen = silent.game.deck.set("QS")
    assert silent.cannot[0] & queen and not said.cannot[0] & queen
    assert said.known[0] == queen and silent.known[0] == 0


def test_belote_that_nobody_can_have_is_refused():
    with pytest.raises(NoWorldFound, match="no deal explains belote=1"):
        View.from_text(f"{COINCHE}; belote=1")


SNAPSZER = "snapszer; ; ; 1 Ah Th Kh Qh Jh / upcard Aa; Qa Ah"


def test_an_automatic_exchange_is_told_by_its_trick():
    exchanged = View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / upcard Aa; Qa; exchanged=0")
    jack, ace = (exchanged.game.deck.set(name) for name in ("Ja", "Aa"))
    assert int(exchanged.records["upcard"][0]) == jack
    assert exchanged.known[0] == ace
    silent = View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / upcard Aa; Qa")
    assert silent.cannot[0] & jack


def test_who_holds_the_jack_tells_that_the_other_has_not_exchanged_it():
    with pytest.raises(NoWorldFound, match="exchanged=0"):
        View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Ja / upcard Aa; Qa; exchanged=0")


def test_cards_drawn_are_told_where_they_lay_in_the_talon():
    view = View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / talon ? Kl / upcard Aa; Ta Jh")
    assert view.game.deck.texts(view.hand) == "Qh Kh Th Ah Kl"
    with pytest.raises(BadCards, match="other cards of those dealt to talon"):
        View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / talon Kl / upcard Aa; Ta Jh")
    with pytest.raises(BadCards, match="has seen 1 of those dealt to talon, but tells none"):
        View.from_text("snapszer; ; ; 1 Ah Th Kh Qh Jh / upcard Aa; Ta Jh")


def test_a_hand_that_is_not_told_whole_is_refused():
    with pytest.raises(OvertrickError, match="has seen 5 of those dealt to 1, but tells 4"):
        View.from_text("snapszer; ; ; 1 Ah Th Kh Qh / upcard Aa; Ta")


def test_a_hakem_who_chooses_trump_has_seen_five_cards():
    view = View.from_text("hokm; ; ; 0 2C 3C 4C 5C 6C;")
    assert view.game.deck.texts(view.hand) == "2C 3C 4C 5C 6C"
    assert len(view.legal) == 4
    with pytest.raises(BadCards, match="has seen 5 of those dealt to 0, but tells 6"):
        View.from_text("hokm; ; ; 0 2C 3C 4C 5C 6C 7C;")


HOKM = "hokm; trump_policy=heuristic; ; 1 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH {}; "


def test_a_trump_taken_automatically_is_told_and_must_be_explained():
    assert View.from_text(f"{HOKM.format('2S')}; trump=S")
    with pytest.raises(NoWorldFound, match="no deal explains"):
        View.from_text(f"{HOKM.format('AH')}; trump=H")


def test_a_trump_that_the_voids_of_the_hakem_rule_out_is_refused():
    # The hakem, South, does not follow the first heart: none was ever among his first cards.
    seat = "1 AC 3H 6H 2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    told = f"hokm; trump_policy=heuristic; ; {seat}; 2C AC 3C 4C 3H 4H 5H"
    assert View.from_text(f"{told} 7H; trump=H")
    with pytest.raises(NoWorldFound, match=r"choice 8: .* no deal explains '3D' by South"):
        View.from_text(f"{told} 3D; trump=H")


def test_cards_received_in_hearts_are_told_and_passes_of_others_are_not():
    deal = Deal.from_seed("hearts", 3)
    while deal.phase == "pass":
        deal = deal.play(deal.legal[0])
    view = deal.view(0)
    assert view.sight.choices.count("?") == 9
    assert len(view.sight.seen["received"].split()) == 3
    told = view.text()
    with pytest.raises(BadNotation, match="has not seen it"):
        View.from_text(told.replace("?", deal.history_text.split()[0], 1))
    with pytest.raises(BadNotation, match="has seen received, which is not told"):
        View.from_text(told[: told.index(" received=")])
    with pytest.raises(BadNotation, match="has seen leads, received, which is not told"):
        View.from_text(told[: told.index("; leads=")])


def test_an_illegal_choice_of_the_viewer_is_told_with_the_legal_ones():
    with pytest.raises(IllegalChoice, match=r"choice 2: .* may not play 3D; legal are 5C"):
        View.from_text(
            "hearts; pass_cycle=H; deals=0; 1 5C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD;"
            " 2C 3D; leads=0"
        )


def test_the_first_choice_that_no_deal_explains_is_to_blame():
    told = "hearts; pass_cycle=H; deals=0; 1 5C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD;"
    with pytest.raises(NoWorldFound, match=r"choice 6: .* no deal explains '3C' by East"):
        View.from_text(f"{told} 2C 5C 3S 4C 3D 3C; leads=0")


SHEEPHEAD = "sheephead; ; dealer=4; 1 7C 8C 9C KC TC 8D; pick ? ? AS"


def test_an_unknown_card_is_told_with_the_call():
    assert View.from_text(SHEEPHEAD).phase == "play"
    with_unknown = View.from_text(f"{SHEEPHEAD}; unknown=yes")
    assert (with_unknown.phase, with_unknown.seat) == ("unknown", 0)


def test_the_picker_tells_the_blind_and_others_do_not():
    view = View.from_text("sheephead; ; dealer=4; 0 7C 8C 9C KC TC 8D / blind QC QS; pick")
    assert view.game.deck.texts(view.hand) == "7C 8C 9C KC TC 8D QS QC"
    with pytest.raises(BadCards, match="of those dealt to blind"):
        View.from_text("sheephead; ; dealer=4; 0 7C 8C 9C KC TC 8D; pick")
    with pytest.raises(BadCards, match="of those dealt to blind"):
        View.from_text("sheephead; ; dealer=4; 1 7C 8C 9C KC TC 8D / blind QC QS; pick")


def test_a_line_that_is_no_view_is_refused():
    for line in ("", "hearts", "hearts; ; ; ;", "hearts; ; ; 9 2C;", "kuhn; ; ; 0 K; bet; shown"):
        with pytest.raises(OvertrickError):
            View.from_text(line)
