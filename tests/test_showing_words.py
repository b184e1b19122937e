"""What the games say at the table, case by case: the deals of RULES, and others made by hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from overtrick.engine.deals import Deal, Match
from overtrick.games import load_game
from overtrick.games.showing import NOT_NOW, Phrase


def played(text: str) -> list[Deal]:
    """A position at all its stages."""
    start, _, choices = text.rpartition(";")
    deals = [Deal.from_text(f"{start};")]
    for choice in choices.split():
        deals.append(deals[-1].play(choice))
    return deals


def speeches(deals: list[Deal], viewer: int = 0) -> list[tuple[int, str, dict[str, Any]]]:
    """All that a seat hears, as (who speaks, words, what is filled in besides)."""
    heard = []
    for before, after in itertools.pairwise(deals):
        event = after.view(viewer).history[-1]
        was, now = before.view(viewer).records[0], after.view(viewer).records[0]
        for phrase in after.game.showing.said(was, now, event.seat, event.choice):
            args = dict(phrase.args)
            words = phrase.key.partition(".said.")[2]
            heard.append((args.pop("seat", event.seat), words, args))
    return heard


def results(deal: Deal, viewer: int = 0) -> list[tuple[str, dict[str, Any]]]:
    told = deal.game.showing.result(deal.view(viewer).records[0])
    return [(phrase.key.partition(".result.")[2], dict(phrase.args)) for phrase in told]


# ---------------------------------------------------------------------------- Hokm

HOKM = (
    "hokm; ; hakem=0; 0 5S AS 3C 4C 7C TC 6D KD 3H 9H TH QH KH"
    " / 1 2S 8S JS QC KC 4D 5D 7D 8D 9D JD 2H 4H / 2 3S 4S 7S 9S QS KS 2C AC 3D TD AD 7H AH"
    " / 3 6S TS 5C 6C 8C 9C JC 2D QD 5H 6H 8H JH; D AS 2S 3S TS QH 2H 7H JH KH 4H AH 8H"
    " AC 8C 3C QC AD 2D 6D 4D KS 6S 5S JS QS QD KD 8S"
)


def test_the_hakem_names_trump_and_a_kot_is_called():
    deals = played(HOKM)
    assert speeches(deals) == [(0, "trump-diamonds", {"suit": "D"}), (0, "kot", {})]
    assert results(deals[-1], viewer=2) == [("kot", {"seat": 0, "points": 2})]


def test_trump_comes_first_in_a_hand_of_hokm():
    view = played(HOKM)[1].view(0)
    ordered = load_game("hokm").showing.order(view.records[0], view.hand)
    assert view.game.deck.texts(ordered) == "KD 6D AS 5S KH QH TH 9H 3H TC 7C 4C 3C"


# ---------------------------------------------------------------------------- Sheephead

SHEEPHEAD = (
    "sheephead; {options}; dealer=4; 0 7C 7H 8S TD QH 7S / 1 AD 9D QS KD QD TS"
    " / 2 KH JD TC TH 8H JH / 3 9C 8C AH JC JO 9S / 4 9H JS KS KC QC 8D / blind AS AC;"
)
UNKNOWN_HAND = (
    " pass pick AS AC AH TS 7C QD TC 9C KC QS JH JC JS QH AD JD JO 8D TD AH 9H 7H TS 8H"
    " 9S KS 7S KD TH 9D KH 8C QC 8S"
)
NOLA = (
    "sheephead; ; dealer=4; 0 QH JH 9H 7S JS 8C / 1 AS 7C JC KD 8H AD / 2 QC TD AC 9D TC KC"
    " / 3 AH 9C TS JD JO 8D / 4 TH 9S QS KH 7H 8S; pass pass pass pass pass 9H 8H AC AH 7H"
    " JO KH 8C AD TD AS QC TS 8S 7S KD 9D 8D TH JS JC TC 9C 9S QH 7C KC JD QS JH"
)


@pytest.mark.parametrize("options", ["", "unknown_shown=at_end"])
def test_a_picker_calls_with_an_unknown_card_and_the_partner_comes_to_light(options):
    deals = played(SHEEPHEAD.format(options=options) + UNKNOWN_HAND)
    assert speeches(deals) == [
        (0, "pass", {}),
        (1, "pick", {}),
        (1, "call-unknown", {"card": "AH"}),
        (3, "partner", {}),
        (1, "unknown", {}),
    ]
    assert results(deals[-1]) == [
        ("won-schneider", {"seat": 1, "points": 113, "others": 7}),
        ("partner", {"seat": 3}),
    ]


def test_the_unknown_card_is_told_to_the_picker_at_once_and_to_the_others_when_it_is_turned_up():
    deals = played(SHEEPHEAD.format(options="unknown_shown=at_end") + UNKNOWN_HAND)
    told = [
        [load_game("sheephead").showing.facts(deal.view(seat).records[0]) for seat in (0, 1)]
        for deal in (deals[6], deals[-2], deals[-1])
    ]
    assert [[facts["unknown_card"] for facts in both] for both in told] == [
        [None, "TS"],
        [None, "TS"],
        ["TS", "TS"],
    ]
    assert [[facts["unknown"] for facts in both] for both in told] == [
        ["lies", "lies"],
        ["played", "played"],
        ["played", "played"],
    ]
    assert [both[0]["points"][3] for both in told] == [0, 34, 44]  # the ten lay face down


def test_only_the_partner_knows_that_he_is_one():
    deal = played(SHEEPHEAD.format(options="") + UNKNOWN_HAND)[7]
    facts = [deal.game.showing.facts(deal.view(seat).records[0]) for seat in range(5)]
    assert [told["partner"] for told in facts] == [None] * 5
    assert [told["mine"]["is_partner"] for told in facts] == [False, False, False, True, False]
    assert facts[1]["mine"]["buried"] == ["AC", "AS"]
    assert facts[2]["mine"]["buried"] == []


def test_five_passes_are_a_nola_hand_and_its_last_trick_pays():
    deals = played(NOLA)
    assert speeches(deals)[-1] == (4, "nola", {})
    assert results(deals[-1]) == [("nola-last", {"seat": 2})]


def test_five_passes_are_a_new_deal_where_nola_is_not_played():
    passes = " pass pass pass pass pass"
    deals = played(SHEEPHEAD.format(options="all_pass=redeal") + passes)
    assert speeches(deals)[-2:] == [(4, "pass", {}), (4, "redeal", {})]
    assert results(deals[-1]) == [("redealt", {})]


def test_a_picker_may_go_alone():
    deals = played(SHEEPHEAD.format(options="") + " pass pick AS AC alone")
    assert speeches(deals)[-1] == (1, "alone", {})
    assert deals[-1].game.showing.facts(deals[-1].view(0).records[0])["alone"] is True


def test_trumps_are_held_by_rank_and_in_nola_suits_as_printed():
    show = load_game("sheephead").showing
    view = played(SHEEPHEAD.format(options=""))[0].view(3)
    assert view.game.deck.texts(show.order(view.records[0], view.hand)) == "JO JC 9C 8C AH 9S"
    nola = played(NOLA)[5].view(3)
    assert nola.game.deck.texts(show.order(nola.records[0], nola.hand)) == "TS AH 9C JD 8D JO"


def test_money_is_told_of_everybody_when_some_sit_out():
    match = Match.from_text(
        "sheephead",
        "deals=1 dealer=1 scores=5/-10/5/-5/10 money=10/-5/5/-10/5/-5/0/0",
        variant="people=6",
    )
    assert load_game("sheephead").showing.totals(match) == [10, -5, 5, -10, 5, -5]


# ---------------------------------------------------------------------------- Snapszer

SNAPSZER = (
    "snapszer; {options}; ; 0 Ah Ab Qb Jb Al / 1 Ka Ta Qh Kh Ja"
    " / talon Jl Th Kl Kb Tl Jh Qa Ql Tb / upcard Aa;"
)


def test_an_exchange_a_marriage_a_close_and_66_are_announced():
    text = SNAPSZER.format(options="")
    deals = played(text + " Al Ka marry:h Kh Ah Th Kb close Kl Jl Ab Aa Jh Tl")
    assert speeches(deals) == [
        (1, "exchange", {}),
        (1, "twenty", {"suit": "h"}),
        (0, "close", {}),
        (1, "sixty-six", {}),
    ]
    assert results(deals[-1]) == [
        ("sixty-six", {"seat": 1, "points": 69, "others": 35}),
        ("closer-pays-two", {"seat": 1}),
    ]


def test_an_exchange_by_choice_is_announced_once():
    text = SNAPSZER.format(options="exchange=action")
    assert speeches(played(text + " Al Ka exchange marry:h")) == [
        (1, "exchange", {}),
        (1, "twenty", {"suit": "h"}),
    ]


def test_forty_is_said_for_king_and_queen_of_trumps():
    text = "snapszer; ; ; 0 Ka Qa Qb Jb Al / 1 Ah Ta Qh Kh Jh / talon Jl Th Kl Kb Tl Ab Ja Ql Tb"
    assert speeches(played(text + " / upcard Aa; marry:a")) == [(0, "forty", {"suit": "a"})]


def test_the_talon_and_the_cards_taken_are_told_to_both():
    text = SNAPSZER.format(options="")
    deal = played(text + " Al Ka marry:h Kh Ah Th Kb close")[-1]
    facts = deal.game.showing.facts(deal.view(1).records[0])
    assert facts == {
        "trump": "a",
        "upcard": "Ja",
        "talon": 4,
        "is_open": False,
        "closer": 0,
        "points": [29, 35],
        "taken": [["Kh", "Ah", "Th", "Kb"], ["Al", "Ka"]],
        "married": [[], ["h"]],
        "exchanged": {"seat": 1, "card": "Aa"},
        "must_lead": [],
    }


# ---------------------------------------------------------------------------- Coinche

COINCHE = (
    "coinche; ; deals=3; 0 JS AH QH 7H QC KD QD 7D / 1 AS 8S 7S 8H TC KC JC 9D"
    " / 2 KS QS 9H 9C 8C AD TD 8D / 3 TS 9S TH KH JH AC 7C JD; 80S P 90S X P P P"
    " QH 8H 9H TH JH 7H TC KS 8C 7C QC JC 7D 9D AD JD 8D TS KD KC KH AH AS TD 8S QS 9S JS"
    " QD 7S 9C AC"
)


def test_calls_and_belote_are_said_in_their_turn():
    deals = played(COINCHE)
    assert speeches(deals) == [
        (0, "bid-spades", {"value": 80, "suit": "S"}),
        (1, "pass", {}),
        (2, "bid-spades", {"value": 90, "suit": "S"}),
        (3, "coinche", {}),
        (0, "pass", {}),
        (1, "pass", {}),
        (2, "pass", {}),
        (2, "belote", {}),
        (2, "rebelote", {}),
    ]
    assert results(deals[-1], viewer=1) == [
        ("made", {"seat": 2, "suit": "S", "value": 90, "points": 91}),
        ("coinched", {"times": 2}),
        ("belote", {"seat": 2}),
    ]


def test_a_capot_may_be_coinched_twice():
    start = COINCHE.rpartition(";")[0] + "; 250H X XX"
    assert speeches(played(start)) == [
        (0, "capot-hearts", {"suit": "H"}),
        (1, "coinche", {}),
        (2, "surcoinche", {}),
    ]


def test_trump_is_held_in_its_own_order():
    deals = played(COINCHE)
    show = load_game("coinche").showing
    before, after = deals[0].view(3), deals[7].view(3)
    deck = before.game.deck
    assert deck.texts(show.order(before.records[0], before.hand)) == "TS 9S TH KH JH AC 7C JD"
    assert deck.texts(show.order(after.records[0], after.hand)) == "9S TS TH KH JH AC 7C JD"


def call_refused(calls: str, wanted: str) -> str:
    deal = played(COINCHE.rpartition(";")[0] + f"; {calls}")[-1]
    view = deal.view(deal.seat or 0)
    choice = deal.game.choice_names[0].index(wanted)
    assert choice not in view.legal
    return deal.game.showing.why_not(view.records[0], choice).key.removeprefix("coinche.why.")


@pytest.mark.parametrize(
    ("calls", "wanted", "reason"),
    [
        ("", "X", "no-bid"),
        ("", "XX", "not-coinched"),
        ("90S", "80H", "bid-higher"),
        ("90S", "90H", "bid-higher"),
        ("90S", "XX", "not-coinched"),
        ("90S P", "X", "our-bid"),
        ("250S", "160H", "capot-is-highest"),
        ("90S X", "100H", "frozen"),
        ("90S X", "X", "frozen"),
        ("90S X P", "XX", "not-our-bid"),
    ],
)
def test_a_call_that_is_not_legal_is_refused_with_the_reason(calls, wanted, reason):
    assert call_refused(calls, wanted) == reason


# ---------------------------------------------------------------------------- Hearts

ALL_CLUBS = "hearts; pass_cycle=H; ; 0 {c} / 1 {d} / 2 {s} / 3 {h};".format(
    **{suit.lower(): " ".join(r + suit for r in "AKQJT98765432") for suit in "CDSH"}
)


def test_the_queen_the_first_heart_and_the_moon_are_told():
    deals = [Deal.from_text(ALL_CLUBS)]
    while not deals[-1].is_over:
        choices = [text for text in deals[-1].legal_texts if text != "QS"]
        deals.append(deals[-1].play(choices[0] if choices else "QS"))
    assert speeches(deals) == [
        (3, "broken", {}),
        (2, "queen", {"card": "QS"}),
        (0, "moon", {}),
    ]
    assert results(deals[-1]) == [("moon", {"seat": 0})]


def test_only_the_seat_itself_is_told_what_it_passed_and_received():
    deal = Deal.from_seed("hearts", 5)
    while deal.phase == "pass":
        deal = deal.play(deal.legal[0])
    facts = [deal.game.showing.facts(deal.view(seat).records[0]) for seat in range(4)]
    assert facts[0]["direction"] == "left"
    for seat in range(4):
        assert facts[(seat + 1) % 4]["mine"]["received"] == facts[seat]["mine"]["passed"]
        assert len(facts[seat]["mine"]["passed"]) == 3


# ---------------------------------------------------------------------------- reasons


def refusals(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """For each card that the seat to act may not choose, the reason."""
    deal = Deal.from_text(text)
    view = deal.view(deal.seat or 0)
    names = deal.game.choice_names[int(deal.records["phase"][0])]
    held = [card for card in range(len(deal.game.deck)) if view.hand >> card & 1]
    told = {}
    for card in held:
        if card not in view.legal:
            phrase: Phrase = deal.game.showing.why_not(view.records[0], card)
            assert phrase != NOT_NOW
            told[names[card]] = phrase.key.partition(".why.")[2], dict(phrase.args)
    return told


def test_a_trump_below_the_partners_is_refused_where_that_is_the_rule():
    deal = (
        "coinche; partner_ruff=no_underruff; deals=3;"
        " 0 8D AC KC 9C 8C 7C 9S 8S / 1 TH TC QC JC 7S TS KS JS / 2 7D TD KD JD AD QD 9D QS"
        " / 3 JH QH AS 9H AH KH 8H 7H; 80H P P P 8D TH 7D"
    )
    low = ("partner-underruff", {"card": "TH"})
    assert refusals(deal) == dict.fromkeys(("QH", "KH", "8H", "7H"), low)


def test_the_first_trick_of_hearts_begins_with_the_two_of_clubs_and_has_no_points():
    first = Deal.from_text(ALL_CLUBS)
    others = [rank + "C" for rank in "3456789TJQKA"]
    told = ("first-lead", {"card": "2C"})
    assert refusals(first.text()) == dict.fromkeys(others, told)
    spades = first.play("2C").play("AD")
    assert refusals(spades.text()) == {"QS": ("no-points-first", {})}


def test_a_partner_keeps_the_called_ace_and_must_play_it_when_its_suit_is_led():
    hand = SHEEPHEAD.format(options="") + " pass pick AS AC AH TS"
    clubs = refusals(hand + " 7C QD TC")
    assert clubs == {card: ("follow", {"suit": "C"}) for card in ("AH", "9S", "JC", "JO")}
    must = refusals(hand + " 7H TS KH")
    told = ("play-called", {"card": "AH", "suit": "H"})
    assert must == dict.fromkeys(("9C", "8C", "9S", "JC", "JO"), told)


def test_the_unknown_card_is_played_when_the_called_suit_is_led_and_kept_before():
    hand = SHEEPHEAD.format(options="") + " pass pick AS AC AH TS"
    assert refusals(hand + " 7C") == {"TS": ("keep-unknown", {"suit": "H"})}
    told = ("play-unknown", {"suit": "H"})
    assert refusals(hand + " 7H") == dict.fromkeys(("AD", "9D", "QS", "KD", "QD"), told)


@pytest.mark.parametrize(
    ("wanted", "reason"), [("TH", "aces-first"), ("AS", "none-kept"), ("AC", "own-card")]
)
def test_a_call_of_the_picker_that_is_not_legal_is_refused_with_the_reason(wanted, reason):
    cards = "0 QH JH 9H TD JS 8C / 1 AS 7C JC KD 8H AD / 2 QC 7S 9D TC KC QD / 3 AH 9C TS JD JO 8D"
    deal = Deal.from_text(f"sheephead; ; dealer=4; {cards} / blind AC KS; pick 8C KS")
    view = deal.view(0)
    choice = deal.game.choice_names[2].index(wanted)
    assert choice not in view.legal
    assert deal.game.showing.why_not(view.records[0], choice).key == f"sheephead.why.{reason}"


def test_announcements_that_are_not_legal_are_refused_with_the_reason():
    deal = Deal.from_text(SNAPSZER.format(options=""))
    view = deal.view(0).records[0]
    show = deal.game.showing
    assert show.why_not(view, 21) == Phrase("snapszer.why.no-marriage", {"suit": "h"})
    assert show.why_not(view, 25) == Phrase("snapszer.why.no-exchange", {"least": 2})
    closed = deal.play("close").view(0).records[0]
    assert show.why_not(closed, 20) == Phrase("snapszer.why.closed")


def test_what_was_married_must_be_led():
    told = refusals(SNAPSZER.format(options="") + " Al Ka marry:h")
    lead = ("marriage", {"cards": "Qh Kh"})
    assert told == dict.fromkeys(("Aa", "Ta", "Jl"), lead)
