"""Records of deals: both forms tell all, nothing is believed, and damage gets one clear line."""

from __future__ import annotations

import json
import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import overtrick
from conftest import blocks, orders_of, random_positions
from overtrick.engine.deals import Deal, Match
from overtrick.errors import BadRecord, DamagedFile, OvertrickError
from overtrick.games import load_game
from overtrick.games.game import Game
from overtrick.records import (
    Analysis,
    Chosen,
    Record,
    Weighed,
    each_record,
    from_text,
    read_records,
    record_of,
    to_text,
    write_records,
)
from overtrick.records.record import make_schema, schema_text
from overtrick.records.rows import rows
from rules_text import replays

# ---------------------------------------------------------------------------- deals to record


def random_deals(game: Game, count: int, seed: int) -> Iterator[Deal]:
    """Deals of random variants in matches of any age, finished and unfinished."""
    for group in range(-(-count // 10)):
        positions = random_positions(game, 10, 1000 * seed + group)
        orders = orders_of(positions.states, len(game.deck))
        for i, order in enumerate(orders):
            match = Match(game, positions.variant, positions.matches[i : i + 1])
            cards = tuple(int(card) for card in order)
            yield Deal(match, cards, positions.states[i : i + 1])


TEXTS = ["Anna", 'say "no" \\ {or} ; not', "% ♥ é 漢\u2028\x85", "two\nlines\r\n\n[Game]", "\t\x00"]


def random_record(deal: Deal, rng: random.Random) -> Record:
    """A record that tells anything around the deal, or nothing."""

    def some(value: Callable[[], Any]) -> Any:
        return value() if rng.random() < 0.5 else None

    def text() -> str:
        return rng.choice(TEXTS)

    choices = range(len(deal.history))
    noted = rng.random() < 0.5
    return record_of(
        deal,
        players=some(lambda: [some(text) for _ in range(deal.game.seats)]),
        seat_names=some(lambda: [some(text) for _ in range(deal.game.seats)]),
        seconds=[some(lambda: rng.expovariate(0.1)) for _ in choices] if noted else None,
        analyses=[some(lambda i=i: random_analysis(deal, i, rng)) for i in choices]
        if noted
        else None,
        event=some(text),
        site=some(text),
        date=some(lambda: rng.choice(["2026-05-01", "2024-02-29T23:59:59.5+01:30"])),
        seed=some(lambda: rng.randint(-(2**63), 2**63 - 1)),
        assisted=some(lambda: rng.random() < 0.5),
        comment=some(text),
    )


def random_analysis(deal: Deal, turn: int, rng: random.Random) -> Analysis:
    """Thoughts about the choice that was made, which is legal for certain."""
    _, phase, choice = deal.history[turn]
    weighed = Weighed(
        choice=deal.game.choice_text(phase, choice),
        probability=rng.choice([None, 0.0, 1.0, rng.random()]),
        payoff=rng.choice([None, 0.0, rng.gauss(0, 30), 1e-9, -1e17]),
        error=rng.choice([None, rng.expovariate(1)]),
        visits=rng.choice([None, 0, rng.randint(1, 10**9)]),
    )
    return Analysis(player=rng.choice([None, "pimc:worlds=100", TEXTS[1]]), choices=(weighed,))


def played_out(game: str, seed: int = 3, variant: str = "") -> Deal:
    """A deal played to its end by random choices."""
    deal, rng = Deal.from_seed(game, seed, variant=variant), random.Random(seed)
    while not deal.is_over:
        deal = deal.play(rng.choice(deal.legal))
    return deal


def kuhn() -> Record:
    """A record with everything in it, and short."""
    deal = Deal.from_cards("kuhn", {"0": "K", "1": "Q"}).play("pass").play("bet").play("bet")
    thought = Analysis(
        player="exact",
        choices=(Weighed(choice="pass", probability=0.25, payoff=1.5, error=0.5, visits=7),),
    )
    return record_of(
        deal,
        players=["Anna", None],
        seconds=[1.5, None, 0.25],
        analyses=[thought, None, None],
        date="2026-05-01",
        comment="first",
    )


# ---------------------------------------------------------------------------- round trips


def assert_nothing_is_lost(game: Game, count: int) -> None:
    rng = random.Random(count)
    for deal in random_deals(game, count, seed=1):
        record = random_record(deal, rng)
        again = Record.from_json(record.to_json())
        assert again == record
        assert again.deal() == deal
        assert again.deal().order == deal.order
        assert from_text(to_text(record)).tidy() == record


def test_a_record_is_the_same_after_json_and_after_text(game: Game) -> None:
    assert_nothing_is_lost(game, 100)


@pytest.mark.long
def test_a_thousand_records_are_the_same_after_json_and_after_text(game: Game) -> None:
    assert_nothing_is_lost(game, 1000)


@pytest.mark.parametrize("name", ["one.json", "many.jsonl", "many.txt"])
def test_a_file_gives_back_what_was_written(name: str, tmp_path: Path) -> None:
    records = [record_of(played_out(game)) for game in ("hokm", "hearts", "thirds")] + [kuhn()]
    written = records[:1] if name == "one.json" else records
    assert write_records(tmp_path / name, iter(written)) == len(written)
    assert read_records(tmp_path / name) == written
    assert [*each_record(tmp_path / name)] == written
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_choices_are_words_alone_unless_there_is_more_to_tell() -> None:
    deal = Deal.from_cards("kuhn", {"0": "K", "1": "Q"}).play("pass").play("bet")
    assert record_of(deal).values()["choices"] == ["pass", "bet"]
    assert record_of(deal, seconds=[None, 2]).values()["choices"] == [
        {"seat": 0, "phase": "bet", "choice": "pass"},
        {"seat": 1, "phase": "bet", "choice": "bet", "seconds": 2.0},
    ]


def test_only_options_that_differ_from_the_default_are_written_but_any_may_be_told() -> None:
    record = record_of(Deal.from_seed("hokm", 1, variant="kot_points=3"))
    assert record.variant == {"kot_points": 3}
    told = record.values() | {"variant": {"kot_points": 3, "target": 7, "stop_at_seven": True}}
    assert Record.from_values(told).tidy() == record


def test_a_third_of_a_point_is_told_exactly() -> None:
    record = record_of(complete_deal("hearts"))
    assert record.values()["result"] == {
        "payoffs": ["-10/3", "26/3", "26/3", -14],
        "scores": [9, 0, 0, 17],
    }


def test_an_unfinished_deal_has_no_result() -> None:
    record = record_of(Deal.from_seed("hearts", 1))
    assert record.values()["result"] is None
    assert '[Result "*"]' in to_text(record)
    assert read_back(record).result is None


def read_back(record: Record) -> Record:
    return Record.from_json(record.to_json()).tidy()


def test_one_place_may_be_left_out_and_gets_the_cards_that_remain() -> None:
    record = kuhn()
    told = record.values() | {"cards": {"0": "K", "1": "Q"}}
    assert Record.from_values(told).tidy() == record


# ---------------------------------------------------------------------------- the deals of RULES


def complete_deal(name: str) -> Deal:
    """A complete deal of RULES.md, played as it is written there."""
    lines = replays()[name]
    cards = {line[5]: line[8:] for line in lines if line.startswith("hand")}
    text = "\n".join(lines)
    tricks = re.findall(r"^trick \d: (.*?) ->", text, re.MULTILINE)
    choices = [card.removesuffix("*") for trick in tricks for card in trick.split()]
    around = ""
    if name == "hokm":
        around, choices = "hakem=0", ["D", *choices]
    elif name == "sheephead":
        cards["blind"] = "AS AC"
        around, choices = "dealer=4", ["pass", "pick", "AS", "AC", "AH", "TS", *choices]
    elif name == "nola":
        around, choices = "dealer=4", ["pass"] * 5 + choices
    elif name == "coinche":
        around, choices = "deals=3", [*re.findall(r"\d:(\w+)", lines[4]), *choices]
    elif name == "hearts":
        passes = re.findall(r"^pass left \d: (.*)", text, re.MULTILINE)
        choices = " ".join(passes[1:] + passes[:1]).split() + choices
    elif name == "snapszer":
        cards["talon"], cards["upcard"] = lines[2][6:].split(" upcard ")
        found = re.findall(r"\d (?:(\w\w)(?:,| ->)|(closes)|marries (\w))", text)
        choices = [card or (closes and "close") or f"marry:{suit}" for card, closes, suit in found]
    game = "sheephead" if name == "nola" else name
    deal = Deal.from_cards(game, cards, match=Match.from_text(game, around))
    for choice in choices:
        deal = deal.play(choice)
    return deal


@pytest.mark.parametrize("name", ["hokm", "sheephead", "nola", "snapszer", "coinche", "hearts"])
def test_the_complete_deals_of_the_rules_are_records(name: str) -> None:
    deal = complete_deal(name)
    record = record_of(deal)
    assert record.result is not None
    told = replays()[name][-1]
    if name == "snapszer":
        assert told == "result winner 1 game points 2"
        assert record.result.payoffs == (-2, 2)
    else:
        returns = re.search(r"returns ([^a-z]+)", told)
        assert returns is not None
        assert record.result.payoffs == tuple(map(Fraction, returns[1].split()))
    winners = [int(taker) for taker in re.findall(r"-> (\d)", "\n".join(replays()[name]))]
    assert [row.winner for row in rows(deal) if row.winner is not None] == winners
    assert read_back(record) == record
    assert from_text(to_text(record)).tidy() == record


def test_the_text_of_a_deal_reads_like_the_rules() -> None:
    text = to_text(record_of(complete_deal("snapszer")))
    assert text.split("[Choices]\n")[1].splitlines() == [
        "lead  South  Al Ka",
        "lead  North  marry:h Kh Ah",
        "lead  South  Th Kb",
        "lead  South  close Kl Jl",
        "lead  South  Ab Aa",
        "lead  North  Jh Tl",
    ]
    text = to_text(record_of(complete_deal("coinche")))
    assert "bid   North  80S P 90S X\nbid   North  P P P\nplay  North  QH 8H 9H TH\n" in text
    text = to_text(record_of(complete_deal("hearts")))
    assert "pass  North  QD AD 3H\npass  East   3C 8H 2C\n" in text


# ---------------------------------------------------------------------------- what people write

BY_HAND = """\
% a deal from a book
[Format "overtrick-record 1"]  ; as Overtrick writes it
[Game "hokm"]
{ the hakem is told
  by the match }
[Match "hakem=0"]
[Cards]
South 5S AS 3C 4C 7C 10C 6D KD 3H 9H TH QH KH
1     2S 8s JS QC KC 4D 5D 7D 8D 9D J♦ 2H 4H ; the opponents
west  6S TS 5C 6C 8C 9C JC 2D QD 5H 6H 8H JH
[Choices]
trump south diamonds
play  South AS 2S {follows} 3S TS
play  0     qh 2H
"""


@pytest.mark.parametrize("text", [BY_HAND, BY_HAND.replace("\n", "\r\n"), "\ufeff\n" + BY_HAND])
def test_people_write_comments_and_their_own_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    path.write_bytes(text.encode())
    [record] = read_records(path)
    assert record.choices == ("D", "AS", "2S", "3S", "TS", "QH", "2H")
    assert record.cards["2"].startswith("2C AC")
    assert read_back(record) == record


# ---------------------------------------------------------------------------- nothing is believed


def told(**changes: Any) -> dict[str, Any]:
    return kuhn().values() | changes


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (told(game="chess"), "there is no game 'chess'"),
        (told(format="pgn"), "a record has the format 'overtrick-record', not 'pgn'"),
        (told(version=2), "records of version 1 can be read, not 2"),
        (told(version=True), "records of version 1 can be read, not True"),
        (told(moon="full"), "'moon' is not a field of a record"),
        (told(variant={"moon": 1}), "there is no option of kuhn 'moon'"),
        (told(variant={"target_deals": 0}), "target_deals is a whole number from 1"),
        (told(variant={"target_deals": 0.5}), "'variant.target_deals' should be a text"),
        (told(match={"hakem": 1}), "no field of a match of kuhn 'hakem'; known are deals, scores"),
        (told(match={"scores": [1]}), "'scores=1' does not fit a match"),
        (told(match={"deals": 1.5}), "'match.deals' should be a valid integer, not 1.5"),
        (told(match={"deals": 10**30}), "should be less than or equal to 999999999999"),
        (told(cards={"0": "K"}), "there are no cards for 1, talon"),
        (told(cards={"0": "K", "1": "K"}), "K is dealt twice"),
        (told(cards={"0": "K", "1": "X"}), "'X' is not a card"),
        (told(cards=["K", "Q"]), "'cards' should be an object, not a list"),
        (told(seats=[{}]), "kuhn has 2 seats, not 1"),
        (told(seats=[{"elo": 1}, {}]), "'seats[0].elo' is not a field of a record"),
        (told(choices=["pass", 7]), "choice 2: 'choice' should be a text, not 7"),
        (told(choices=["pass", "fold"]), "choice 2: kuhn: 'fold' is not a choice to bet"),
        (told(choices=["pass", "bet"]), "the deal came to no result, but the record tells"),
        (told(choices=["pass"] * 3), "choice 3: kuhn: the deal is over; position kuhn;"),
        (
            told(choices=["pass", {"choice": "bet", "seat": 0}]),
            "choice 2: kuhn: 1 is to bet, not 0",
        ),
        (told(choices=[{"choice": "bet", "phase": "play"}]), "choice 1: kuhn: the phase is bet"),
        (told(choices=[{"choice": "bet", "seconds": -1}]), "choice 1: 'seconds' should be greater"),
        (told(choices=[{"seat": 0}]), "choice 1: 'choice' is missing"),
        (told(result=None), "the deal came to payoffs 2 -2 and scores 2 -2, but"),
        (
            told(result={"payoffs": [1, -1], "scores": [2, -2]}),
            "but the record tells payoffs 1 -1 and scores 2 -2",
        ),
        (told(result={"payoffs": [1.5], "scores": []}), "'result.payoffs[0]' should be a whole"),
        (told(date="yesterday"), "'date' should be a date such as 2026-05-01"),
        (told(date="2026-02-30"), "'date' should be a date such as 2026-05-01"),
        (told(comment="\ud800"), "'comment' should be a text of whole characters"),
        (told(seed=2**64), "'seed' should be less than"),
        (told(assisted=1), "'assisted' should be a valid boolean, not 1"),
        ([], "a record is a JSON object, not a list"),
    ],
)
def test_what_does_not_hold_is_told_in_one_line(values: Any, message: str) -> None:
    with pytest.raises(BadRecord, match=re.escape(message)) as error:
        Record.from_values(values).deal()
    assert "\n" not in str(error.value)


def test_an_illegal_choice_is_told_with_its_number_and_the_legal_ones() -> None:
    record = record_of(complete_deal("hokm"))
    choices = [*record.choices[:2], "8S", "4H", *record.choices[4:]]
    with pytest.raises(
        BadRecord, match=r"choice 4: hokm: North may not play 4H; legal are"
    ) as error:
        record.model_copy(update={"choices": tuple(choices)}).deal()
    assert error.value.choice == 4


def test_only_legal_choices_are_weighed_and_each_once() -> None:
    deal = complete_deal("hokm")
    for words, message in ((["D", "2H"], "'2H' is not a choice"), (["D", "d"], "weighs 'd' twice")):
        weighed = tuple(Weighed(choice=word) for word in words)
        chosen = Chosen(choice="D", analysis=Analysis(choices=weighed))
        record = record_of(deal)
        broken = record.model_copy(update={"choices": (chosen, *record.choices[1:])})
        with pytest.raises(BadRecord, match=f"choice 1: .*{message}"):
            broken.deal()


# ---------------------------------------------------------------------------- damaged files

JSON_LINE = kuhn().to_json()
TEXT = to_text(kuhn())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "", "a.jsonl: there is no deal in it"),
        ("a.json", " \n", "a.json: there is no deal in it"),
        ("a.txt", "% nothing\n\n", "a.txt: there is no deal in it"),
        ("a.jsonl", f"{JSON_LINE}\n\n{JSON_LINE[:-9]}", "a.jsonl, line 3 (deal 2): not JSON: "),
        ("a.json", JSON_LINE + JSON_LINE, "several deals ends in .jsonl"),
        ("a.json", '{"format": "x", "format": "y"}', "a.json: 'format' is told twice"),
        ("a.json", '{"format": NaN}', "a.json: NaN is not a number in JSON"),
        ("a.json", '{"a": -Infinity}', "a.json: -Infinity is not a number in JSON"),
        ("a.json", "[" * 100_000, "a.json: not a record: the JSON is nested too deeply"),
        ("a.json", '{"seed": 1' + "0" * 5000 + "}", "a number in the JSON has too many digits"),
        ("a.json", '{"name": "overtrick"}', "the format 'overtrick-record', without one"),
        ("a.json", '"hello"', "a record is a JSON object, not 'hello'"),
        ("a.jsonl", b"\xff\xfe{\x00", "a.jsonl, line 1: text in UTF-8 was expected"),
        ("a.txt", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "line 2: text in UTF-8 was expected"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "line 1: text in UTF-8 was expected"),
        ("a.txt", "Dear diary,\n", "line 1 (deal 1): a tag such as [Game"),
        ("a.txt", '[Event "x"]\n', 'line 1 (deal 1): a deal has [Format "overtrick-record 1"]'),
        ("a.txt", TEXT + "\n" + TEXT[:30], "line 22 (deal 2): a deal names its game"),
        ("a.txt", TEXT.replace("kuhn", "chess"), "line 1 (deal 1): there is no game 'chess'"),
        ("a.txt", TEXT + TEXT, "line 21 (deal 1): [Format] is told twice"),
        ("a.txt", TEXT.replace("[Cards]", "[Cards"), "a tag is written [Name"),
        ("a.txt", TEXT.replace("[Cards]", "[Karten]"), "there is no tag 'Karten'; known are"),
        ("a.txt", TEXT.replace("[Cards]", '[Cards "x"]'), "[Cards] has no value"),
        ("a.txt", TEXT.replace("[Notes]", "{ [Notes]"), "line 17: the comment that begins here"),
        (
            "a.txt",
            TEXT.replace("bet  0  pass", "bet  1  pass"),
            "(deal 1): choice 1: kuhn: 0 is to",
        ),
        (
            "a.txt",
            TEXT.replace("bet  0  bet", "call 0  bet"),
            "line 16 (deal 1): choice 3: kuhn: the",
        ),
        (
            "a.txt",
            TEXT.replace("bet  0  bet", "bet  9  bet"),
            "line 16 (deal 1): kuhn: the seats are",
        ),
        (
            "a.txt",
            TEXT.replace("bet  0  bet", "bet  0"),
            "choices are written 'phase seat choices'",
        ),
        (
            "a.txt",
            TEXT.replace("1      Q", "0      Q"),
            "line 12 (deal 1): cards for 0 are given twice",
        ),
        ("a.txt", TEXT.replace("seconds=1.5", "seconds=fast"), "choice 1: 'seconds' should be a"),
        ("a.txt", TEXT.replace("seconds=1.5", "hours=1"), "line 18 (deal 1): a note tells seconds"),
        (
            "a.txt",
            TEXT.replace("3  seconds", "9  seconds"),
            "a note begins with a choice from 1 to 3",
        ),
        ("a.txt", TEXT.replace('"first"', '"\\first\\q"'), "is not a text in quotes"),
        (
            "a.txt",
            TEXT.replace('Result "2 -2"', 'Result "2 2"'),
            "tells payoffs 2 2 and scores 2 -2",
        ),
        ("a.pdf", JSON_LINE, "files of records end in .json, .jsonl, .txt, not"),
    ],
)
def test_a_damaged_file_gets_one_line_that_names_the_place(
    name: str, content: str | bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(OvertrickError, match=re.escape(message)) as error:
        read_records(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match="cannot be read: No such file"):
        read_records(tmp_path / "none.json")
    with pytest.raises(DamagedFile, match="not a folder"):
        read_records(tmp_path)


def test_a_fault_far_down_gives_no_record_but_the_lazy_way_gives_those_before(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{JSON_LINE}\n{JSON_LINE}\n{{}}\n")
    with pytest.raises(DamagedFile, match=r"line 3 \(deal 3\)"):
        read_records(path)
    lazy = each_record(path)
    assert [next(lazy), next(lazy)] == [kuhn(), kuhn()]
    with pytest.raises(DamagedFile, match=r"line 3 \(deal 3\)"):
        next(lazy)


def samples() -> dict[str, bytes]:
    """Files of records in every form."""
    snapszer = played_out("snapszer", variant="exchange=action")
    deals = [record_of(snapszer, comment="x {y} ;"), kuhn()]
    return {
        ".json": (kuhn().to_json(lines=True) + "\n").encode(),
        ".jsonl": "".join(f"{record.to_json()}\n" for record in deals).encode(),
        ".txt": "\n".join(map(to_text, deals)).encode(),
    }


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "delete", "insert", "repeat"]),
        st.integers(0, 10**6),
        st.one_of(st.binary(min_size=1, max_size=3), st.sampled_from([b'"', b"{", b"\n\n", b"9"])),
    ),
    min_size=1,
    max_size=3,
)


def edited(content: bytes, edits: list[tuple[str, int, bytes]]) -> bytes:
    for kind, where, new in edits:
        at = where % (len(content) + 1)
        if kind == "insert":
            content = content[:at] + new + content[at:]
        elif kind == "delete":
            content = content[:at] + content[at + len(new) :]
        elif kind == "repeat":
            content = content[:at] + content[at : at + 30] + content[at:]
        else:
            content = content[:at] + new[:1] + content[at + 1 :]
    return content


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt"])
def test_an_edited_file_reads_to_legal_records_or_gives_one_error(
    suffix: str, tmp_path: Path
) -> None:
    content, path = samples()[suffix], tmp_path / f"a{suffix}"

    @settings(max_examples=5 * settings().max_examples)
    @given(EDITS)
    def check(edits: list[tuple[str, int, bytes]]) -> None:
        path.write_bytes(edited(content, edits))
        try:
            records = read_records(path)
        except OvertrickError as error:
            assert "\n" not in str(error)
            return
        for record in records:
            assert read_back(record) == record
            assert from_text(to_text(record)).tidy() == record

    check()


# ---------------------------------------------------------------------------- writing


def test_a_file_is_left_as_it_was_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("old")
    broken = kuhn().model_copy(update={"choices": ("bet", "fold")})
    with pytest.raises(BadRecord, match="choice 2"):
        write_records(path, [kuhn(), broken])

    def fails() -> Iterator[Record]:
        yield kuhn()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_records(path, fails())
    with pytest.raises(BadRecord, match="no deal to write"):
        write_records(path, [])
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"holds one deal; several go into a .jsonl file"):
        write_records(tmp_path / "a.json", [kuhn(), kuhn()])
    with pytest.raises(OvertrickError, match=r"end in .json, .jsonl, .txt"):
        write_records(tmp_path / "a.xml", [kuhn()])
    with pytest.raises(DamagedFile, match="cannot be written: No such file"):
        write_records(tmp_path / "none" / "a.json", [kuhn()])
    (tmp_path / "b.json").mkdir()
    with pytest.raises(DamagedFile, match="cannot be written: it is a folder"):
        write_records(tmp_path / "b.json", [kuhn()])
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_records(tmp_path / "link.json", [kuhn()])
    assert (tmp_path / "link.json").is_symlink()
    assert read_records(tmp_path / "real.json") == [kuhn()]


def test_what_is_told_around_a_deal_has_to_fit_it() -> None:
    deal = Deal.from_seed("kuhn", 1).play("bet")
    with pytest.raises(BadRecord, match="kuhn has 2 seats, not 3"):
        record_of(deal, players=["a", "b", "c"])
    with pytest.raises(BadRecord, match="the choices made are 1, not 2"):
        record_of(deal, seconds=[1.0, 2.0])
    with pytest.raises(BadRecord, match="'date' should be a date"):
        record_of(deal, date="today")
    with pytest.raises(BadRecord, match="'seconds' should be a finite number"):
        record_of(deal, seconds=[float("inf")])


# ---------------------------------------------------------------------------- the schema


def test_the_published_schema_is_that_of_the_model() -> None:
    path = Path(sys.modules[Record.__module__].__file__ or "").with_name("record.schema.json")
    made = json.dumps(make_schema(), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("OVERTRICK_GOLDEN") == "write":
        path.write_text(made, encoding="utf-8")
    assert schema_text() == made


KNOWN_WORDS = {
    *("$schema", "$id", "$defs", "title", "description", "default"),
    *("$ref", "type", "const", "anyOf", "oneOf", "properties", "required"),
    *("additionalProperties", "propertyNames", "items", "minItems", "pattern"),
    *("minLength", "maxLength", "minimum", "maximum", "exclusiveMaximum"),
}
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value is valid, by as much of JSON Schema as the schema of a record uses."""
    assert set(schema) <= KNOWN_WORDS, set(schema) - KNOWN_WORDS
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        return any(fits(value, one, root) for one in schema["anyOf"])
    if "oneOf" in schema:
        return sum(fits(value, one, root) for one in schema["oneOf"]) == 1
    if not TYPES[schema["type"]](value) or schema.get("const", value) != value:
        return False
    if isinstance(value, dict):
        return fits_as_object(value, schema, root)
    if isinstance(value, list):
        enough = len(value) >= schema.get("minItems", 0)
        return enough and all(fits(one, schema["items"], root) for one in value)
    if isinstance(value, str):
        long_enough = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
        return long_enough and re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, bool) or value is None:
        return True
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    return least <= value <= most and value < schema.get("exclusiveMaximum", math.inf)


def fits_as_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if not set(schema.get("required", [])) <= set(value):
        return False
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    names = {"type": "string"} | schema.get("propertyNames", {})
    for name, one in value.items():
        if name in known:
            good = fits(one, known[name], root)
        else:
            good = others is not False and fits(name, names, root) and fits(one, others, root)
        if not good:
            return False
    return True


def test_what_is_written_fits_the_schema(game: Game) -> None:
    schema, rng = json.loads(schema_text()), random.Random(5)
    for deal in random_deals(game, 20, seed=2):
        assert fits(json.loads(random_record(deal, rng).to_json()), schema, schema)


def test_what_is_written_fits_the_schema_by_another_judge() -> None:
    schema, rng = json.loads(schema_text()), random.Random(6)
    jsonschema.Draft202012Validator.check_schema(schema)
    for name in ("hearts", "sheephead", "kuhn"):
        for deal in random_deals(load_game(name), 20, seed=3):
            jsonschema.validate(json.loads(random_record(deal, rng).to_json()), schema)


@pytest.mark.parametrize(
    "values",
    [
        told(moon="full"),
        told(version=2),
        told(choices=[7]),
        told(choices=[{"seat": 0}]),
        told(choices=[{"choice": "bet", "seconds": -1}]),
        told(result={"payoffs": [1.5], "scores": []}),
        told(seats=[{"elo": 1}]),
        told(date="yesterday"),
        told(match={"deals": "1"}),
        {name: value for name, value in told().items() if name != "cards"},
        {name: value for name, value in told().items() if name != "format"},
    ],
)
def test_what_the_schema_refuses_is_refused(values: dict[str, Any]) -> None:
    schema = json.loads(schema_text())
    assert not fits(values, schema, schema)
    with pytest.raises(BadRecord):
        Record.from_values(values)


# ---------------------------------------------------------------------------- the command line


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two deals as text: one finished, one not."""
    path = tmp_path / "deals.txt"
    unfinished = record_of(Deal.from_seed("hearts", 1), players=["Anna", None, None, None])
    write_records(path, [record_of(complete_deal("hokm"), comment="from the rules"), unfinished])
    return path


def test_show_shows_a_deal_to_a_person(file: Path) -> None:
    done = overtrick("show", file)
    assert done.returncode == 0, done.stderr
    for line in (
        "deal 1: Hokm, usual rules",
        "  from the rules",
        "  South  5♠ A♠ 3♣ 4♣ 7♣ T♣ 6♦ K♦ 3♥ 9♥ T♥ Q♥ K♥",
        "  trump  South  D",
        "  play   South  K♥  4♥  A♥  8♥  → North",
        "  result: South +2, East -2, North +2, West -2",
        "  match: South 2, East 0, North 2, West 0",
        "deal 2: Hearts, usual rules",
        "  unfinished: North is to pass",
    ):
        assert f"{line}\n" in done.stdout
    assert "  West (Anna)  " in done.stdout
    assert "\x1b" not in done.stdout


def test_show_prints_one_deal_in_any_shape(file: Path) -> None:
    record = read_records(file)[0]
    one = ("show", file, "--deal", 1, "--as")
    assert overtrick(*one, "json").stdout == record.to_json(lines=True) + "\n"
    assert overtrick(*one, "jsonl").stdout == record.to_json() + "\n"
    assert overtrick(*one, "text").stdout == to_text(record)
    assert overtrick(*one, "position").stdout == record.deal().text() + "\n"


def test_verify_counts_what_holds(file: Path) -> None:
    done = overtrick("verify", file, file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("4 deals in 2 files hold: hearts 2, hokm 2; 2 finished, 2 unfinished\n")
    counted = json.loads(overtrick("verify", "-", "--json", stdin=file.read_text()).stdout)
    assert counted["games"] == {"hearts": 1, "hokm": 1}
    assert (counted["files"], counted["deals"]) == (1, 2)
    assert (counted["finished"], counted["unfinished"]) == (1, 1)


def test_verify_names_the_place_of_a_fault(file: Path) -> None:
    file.write_text(file.read_text().replace("AD 2D 6D 4D", "AD 2D 6D 2S"))
    done = overtrick("verify", file)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"overtrick: {file}, line 18 (deal 1): choice 21: hokm: East may")
    assert done.stderr.count("\n") == 1


def test_convert_goes_from_form_to_form(file: Path, tmp_path: Path) -> None:
    lines, back = tmp_path / "deals.jsonl", tmp_path / "back.txt"
    assert overtrick("convert", file, lines).returncode == 0
    assert overtrick("convert", lines, back).returncode == 0
    assert back.read_text() == file.read_text()
    piped = overtrick("convert", "-", "-", "--as", "text", stdin=lines.read_text())
    assert piped.stdout == file.read_text()
    assert piped.stderr == ""


def test_record_schema_prints_the_schema() -> None:
    assert overtrick("record-schema").stdout == schema_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "none.txt"), "none.txt: cannot be read: No such file or directory"),
        (("show", "FILE", "--deal", 3), "the deals are 1 to 2, not 3"),
        (("show", "FILE", "--as", "pdf"), "Invalid value for '--as'"),
        (("verify", "-"), "standard input: there is no deal in it"),
        (("verify", "."), "a file of records was expected, not a folder"),
        (("verify",), "Missing argument"),
        (("convert", "FILE", "-"), "has no name to tell the form: add --as"),
        (("convert", "FILE", "deals.pdf"), "files of records end in .json, .jsonl, .txt"),
        (("convert", "FILE", "deals.json"), "a .json file holds one deal"),
    ],
)
def test_a_mistake_gets_one_clear_line_and_status_2(
    words: tuple[object, ...], message: str, file: Path
) -> None:
    done = overtrick(*(file if word == "FILE" else word for word in words))
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.startswith("overtrick: ")
    assert done.stderr.count("\n") == 1


def test_the_command_itself_reads_and_writes_pipes(file: Path) -> None:
    words = [sys.executable, "-m", "overtrick", "convert", "-", "-", "--as", "text"]
    done = subprocess.run(words, input=file.read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == file.read_bytes()


def test_help_loads_neither_models_nor_kernels() -> None:
    code = "import sys, overtrick.cli; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pydantic", "numba", "numpy", "overtrick.records"} & set(done.stdout.split())


# ---------------------------------------------------------------------------- the page about it

PAGE = Path(__file__).resolve().parent.parent / "docs" / "records.md"


def test_the_page_shows_one_deal_in_both_forms() -> None:
    whole, choice = map(json.loads, blocks(PAGE, "json"))
    text, notes = blocks(PAGE, "text")
    record = Record.from_values(whole)
    assert record.tidy() == record
    assert text == to_text(record)
    noted = from_text(text + notes).tidy()
    choices = [choice, *whole["choices"][1:]]
    assert noted == Record.from_values(whole | {"choices": choices}).tidy()
    assert to_text(noted) == text + notes
