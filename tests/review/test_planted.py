"""Planted mistakes: one bad choice in a deal that is otherwise played by the rulebook."""

from __future__ import annotations

import pytest

from overtrick.engine.deals import Deal
from overtrick.phrases import in_words
from overtrick.review.reviewing import review
from review.reviewed import finished, judge_of

SEVENS = "sheephead; ; dealer=4; 0 7C 8C 7S 8S 7H 8H / 1 AC 9C QH 9D KH JD / 2 QC KS TD JO AS TC"
QUEENS = "sheephead; ; dealer=4; 0 QC QS QH JC TC TS / 1 AH 9C KC 8S 7H 9D / 2 AC KS TD JO 8C 7C"
CASES = {
    "a trump of which the hakem has seen nothing": (
        "hokm; ; hakem=0; 0 AS KS QS JS TS 4H 7D 2C 8H 3D 9C 5H 6D"
        " / 1 2S 9H 4D 5C AH JC 8D 7H TD 3C 6H QC KD / 2 3S 4S KH 2D 9D 6C TC JH QD 8C 3H KC 5D"
        " / 3 5S 6S 7S 8S 9S QH JD 4C AC TH AD 2H 7C;",
        "H",
    ),
    "a club that gives the kot away": (
        "hokm; ; hakem=0; 0 AS KS QS JS TS 9S 8S 2H 3H 2D 3D 2C 3C"
        " / 1 2S 3S 4S 9H TH JH QH 9D TD JD 9C TC JC / 2 5S 6S 4H 5H 6H 7H 4D 5D 6D 7D 4C 5C 6C"
        " / 3 7S 8H KH AH 8D QD KD AD 7C 8C QC KC AC;"
        " S AS 2S 5S 7S KS 3S 6S 8D QS 4S 4D 7C JS 9D 4C 8C TS 9C 5D 8H 9S TC 5C QD",
        "2C",
    ),
    "a pick on sevens and eights": (
        f"{SEVENS} / 3 JC QS AD 9H TS 8D / 4 AH JS KD 9S KC TH;",
        "pick",
    ),
    "the highest trump buried": (
        f"{QUEENS} / 3 QD JS JH AS 9S 8H / 4 AD KD KH TH 9H 7S / blind JD 8D; pick",
        "QC",
    ),
    "alone without trumps": (
        f"{SEVENS} / 3 JC QS AD 9H TS 8D / 4 AH JS KD 9S KC TH; pass pick QD JH",
        "alone",
    ),
    "a talon closed on jacks and queens": (
        "snapszer; ; ; 0 Jb Qb Jl Ql Ja / 1 Ah Th Ab Tb Kl"
        " / talon Al Kh Ta Aa Qa Tl Kb Ka Qh / upcard Jh;",
        "close",
    ),
    "a bid of 160 on sevens and eights": (
        "coinche; ; deals=3; 0 7S 8S 7H 8H 7D 8D 7C 8C / 1 9S TS JS QS 9H TH JH QH"
        " / 2 KS AS KH AH 9D TD 9C TC / 3 JD QD KD AD JC QC KC AC;",
        "160S",
    ),
    "four queens passed": (
        "sheephead; ; dealer=4; 0 QC QS QH QD JC JS / 1 AC 9C KC 9D KH JD / 2 7C KS TD JO AS TC"
        " / 3 8C TS AD 9H 7S 8D / 4 AH JH KD 9S TH 8S;",
        "pass",
    ),
    "the two of clubs passed from ace, king and queen of spades": (
        "hearts; ; ; 0 3S 9H TC JD 5C 8S KD 7H AC 5H JC TD 9D"
        " / 1 AS KS QS 2C 4C 6C 2D 4D 6D 8D 2H 4H 6H"
        " / 2 2S 4S 7S JS 3C 8C QC 3D 7D QD 3H TH QH / 3 5S 6S 9S TS 7C 9C KC 5D AD 8H JH KH AH;",
        "2C",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_planted_mistake_is_found_and_is_the_costliest(name: str):
    text, wrong = CASES[name]
    start = Deal.from_text(text)
    deal = finished(start.play(wrong))
    found = review(deal, judge_of(deal.game.name), seats=[])
    verdict = found.verdicts[len(start.history)]
    assert verdict.label in ("mistake", "blunder")
    assert found.costliest[0] == verdict.number
    assert "cost" in in_words(verdict.phrases[0], deal.game)
