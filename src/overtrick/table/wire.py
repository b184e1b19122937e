"""What goes over the wire between the service and a page: one type for each thing told.

The page's types are generated from these. A page gets a `Snapshot` when it sits down, after an
undo and with every new deal; then `Frames`: for each choice made, in order, what happened
(`event`) and how the table looks to this seat afterwards. It draws, and never judges rules: what
may be chosen, and why a card may not, is told here. Everything is made from the view of the seat.

Cards are told by their names (`KS`, `Ta`), seats by numbers of this deal, places at the table by
numbers that stay (they differ from seats only where more people than seats are at the table).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from overtrick.phrases import PhraseTold
from overtrick.review.told import DealReview, Hint, Outcome

__all__ = [
    "PERSON",
    "Act",
    "Analyse",
    "Analysis",
    "AnyMessage",
    "Ask",
    "AskHint",
    "AskReview",
    "Asked",
    "BarTold",
    "ChoiceMade",
    "ChoiceTold",
    "Chosen",
    "ClientMessage",
    "CreateTable",
    "DealRow",
    "Frame",
    "Frames",
    "GameInfo",
    "GameStatistics",
    "Health",
    "Hello",
    "HintTold",
    "HistoryRow",
    "Interval",
    "Next",
    "OpponentStatistics",
    "OptionInfo",
    "PhraseTold",
    "PlaceInfo",
    "Play",
    "PlayerInfo",
    "Presence",
    "Problem",
    "Readiness",
    "Refused",
    "RefusedCard",
    "Result",
    "Retry",
    "Reviewed",
    "Reviewing",
    "SeatToken",
    "ServerMessage",
    "Settings",
    "SharedDeal",
    "SheetRow",
    "Snapshot",
    "Statistics",
    "Strategy",
    "TableCreated",
    "TableInfo",
    "Taken",
    "Thinking",
    "Undo",
    "WeighedChoice",
]

PERSON = "person"
OptionValue = bool | int | str


class Told(BaseModel):
    """Something the service tells."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """Something a client asks; a field that nobody knows is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


# ---------------------------------------------------------------------------- the lobby


class OptionInfo(Told):
    """One house rule."""

    name: str
    meaning: str
    default: OptionValue
    values: list[OptionValue] | None = None
    at_least: int | None = None
    at_most: int | None = None


class PlayerInfo(Told):
    """Who can be asked to sit down, with measured strength."""

    name: str  # rebuilds the player anywhere: `pimc:worlds=100`
    title: str  # for people: "Search, 100 worlds"
    elo: int | None = None  # within this game, the weakest player of the dial being 0
    error: int | None = None  # half of its 95% interval
    boards: int | None = None
    command: str | None = None  # measures it again
    on_dial: bool = False  # a step of the strength dial


class Readiness(Told):
    """Whether a game can be played yet; on a new machine it is compiled first."""

    state: Literal["ready", "loading", "compiling", "failed"]
    done: int = 0
    steps: int = 0
    what: str = ""
    """The step under way, or what went wrong."""


class GameInfo(Told):
    """One game as the lobby offers it."""

    name: str
    title: str
    summary: str
    seats: int
    seat_names: list[str]
    teams: list[int] | None  # fixed sides, one number a seat
    cards: list[str]
    phases: list[str]
    options: list[OptionInfo]
    players: list[PlayerInfo]
    """From weak to strong; not measured ones at the end."""
    readiness: Readiness


class CreateTable(Asked):
    """A table to be laid."""

    game: str = Field(max_length=40)
    variant: dict[str, OptionValue] = Field(default={}, max_length=40)
    players: list[Annotated[str, Field(max_length=200)]] = Field(max_length=8)
    """For each place, `person` or the name of a player; nobody a person: the table is watched."""
    names: list[Annotated[str, Field(max_length=24)]] = Field(default=[], max_length=8)
    """What the people are called, for each place; empty for none."""
    seed: int | None = Field(default=None, ge=0, lt=2**53)
    deal: str | None = Field(default=None, max_length=4000)
    """A shared deal, as `/api/tables/…/deals/…` tells it; then neither variant nor seed."""


class SeatToken(Told):
    """The secret with which one person acts; whoever has it is that person."""

    place: int
    token: str


class TableCreated(Told):
    """A table that was laid; `watch` opens it without a seat."""

    table: str
    seats: list[SeatToken]
    watch: str


class Settings(Asked):
    """What a person likes, kept by the service."""

    deck: Literal["two-colour", "four-colour"] = "two-colour"
    snapszer_deck: Literal["hungarian", "french"] = "hungarian"
    speed: Literal["slow", "normal", "fast", "instant"] = "normal"
    sound: bool = True
    forced: bool = False  # play the only legal card without being asked
    captured: bool = False  # Snapszer: show the cards that were taken
    bubbles: bool = True
    language: Literal["en"] = "en"
    hints: bool = True  # whether a hint can be asked for
    analysis: bool = False  # bars under the choices, while one is to act
    analysis_sims: int = Field(default=200, ge=10, le=2_000)  # in each world
    analysis_worlds: int = Field(default=30, ge=1, le=200)
    name: str = Field(default="", max_length=24)
    last: dict[str, Any] = Field(default={}, max_length=20)
    """By game, what was chosen in the lobby last: `{variant, players}`."""


# ---------------------------------------------------------------------------- the table


class PlaceInfo(Told):
    """Somebody at the table."""

    place: int
    player: str  # `person` or the name of a player
    title: str  # what to call him: "You" is said by the page
    connected: bool = True  # a person whose page is open; players always are


class SheetRow(Told):
    """One line of the score sheet: a deal that was scored."""

    deal: int  # from 0
    gained: list[int]  # by place
    totals: list[int]
    assisted: bool = False
    phrases: list[PhraseTold] = []
    replaced: int = 0  # choices made in the place of programs that failed


class TableInfo(Told):
    """What does not change within a deal."""

    id: str
    game: str
    variant: dict[str, OptionValue]
    """Every option."""
    places: list[PlaceInfo]
    seats: list[int]
    """For each seat of this deal, the place of who sits there."""
    viewer_place: int | None  # None for somebody who watches
    viewer: int | None  # the seat, None also for a person who sits out
    deal: int  # number of this deal, from 0
    scores: list[int]
    """The match before this deal, by place."""
    sheet: list[SheetRow]
    shared: bool  # laid from a shared deal
    retry: bool = False  # laid from a moment of a reviewed deal


class Play(Told):
    """A card on the table; None if it lies face down."""

    seat: int
    card: str | None


class Taken(Told):
    """A trick that is complete."""

    winner: int
    plays: list[Play]
    points: int | None = None


class ChoiceMade(Told):
    """One choice as this seat saw it."""

    number: int  # from 1
    seat: int
    phase: str
    text: str  # in notation, `?` if it was hidden
    card: str | None = None  # if it is one, and was seen
    said: list[PhraseTold] = []
    taken: Taken | None = None  # if it ended a trick


class ChoiceTold(Told):
    """One thing the viewer may do now."""

    choice: int
    text: str
    card: str | None = None


class RefusedCard(Told):
    """A card of the viewer's hand that may not be chosen now, and why."""

    card: str
    reason: PhraseTold


class Result(Told):
    """How a finished deal came out."""

    payoffs: list[float]  # by seat
    phrases: list[PhraseTold]
    gained: list[int]  # by place
    totals: list[int]  # of the match with this deal, by place
    winners: list[int]  # places that have won the match; empty while it goes on
    dealt: dict[str, list[str]]
    """The cards as they were dealt, by seat or other place, now that all may be seen."""


class Frame(Told):
    """How the table looks to one seat after so many choices."""

    number: int
    event: ChoiceMade | None = None  # what led here; None at the start of the deal
    phase: str
    to_act: int | None
    hand: list[str]
    """From left to right."""
    counts: list[int]
    """Cards in each hand."""
    trick: list[Play]
    tricks: list[int]
    """Tricks taken, by seat."""
    facts: dict[str, Any]
    """The game's own things, as its `showing.py` tells them; the viewer's secrets under `mine`."""
    choices: list[ChoiceTold] = []
    refused: list[RefusedCard] = []
    can_undo: bool = False
    assisted: bool = False
    replaced: int = 0  # choices of this deal so far made in the place of programs that failed
    result: Result | None = None


class Snapshot(Told):
    """All that a seat knows: what a page needs when it is opened."""

    kind: Literal["snapshot"] = "snapshot"
    table: TableInfo
    past: list[ChoiceMade]
    """Every choice of this deal so far."""
    frame: Frame


class Frames(Told):
    """What happened since, choice by choice."""

    kind: Literal["frames"] = "frames"
    deal: int
    frames: list[Frame]


class Presence(Told):
    """Who is there has changed."""

    kind: Literal["presence"] = "presence"
    connected: list[bool]


class Thinking(Told):
    """A player takes its time; `preparing` while the search is still being compiled."""

    kind: Literal["thinking"] = "thinking"
    place: int
    preparing: Readiness | None = None


class Refused(Told):
    """What was asked is not done, and nothing has changed."""

    kind: Literal["refused"] = "refused"
    error: str  # the name of the error: IllegalChoice, NotYourTurn, …
    message: str
    re: int | None = None  # `id` of what was asked


class BarTold(Told):
    """One legal choice as the analysis sees it so far."""

    choice: int
    text: str
    card: str | None = None
    probability: float  # share of the visits
    payoff: float | None = None  # that the seat may expect, in points; None if not tried yet
    error: float | None = None  # standard error of the payoff
    visits: int
    best: bool
    shade: float  # 1 for the best payoff, 0 for the worst: the colour of the bar


class Analysis(Told):
    """The analysis of the position that a seat is to act in, deeper and deeper.

    It is told only while this seat is to act at this moment of this deal.
    """

    kind: Literal["analysis"] = "analysis"
    deal: int
    number: int
    """Of the frame that it belongs to."""
    done: int  # simulations so far in each world
    of: int
    worlds: int
    value: float | None = None  # of the position: the root value of the search, in points
    error: float | None = None
    bars: list[BarTold] = []
    over: bool = False  # all simulations are done
    preparing: Readiness | None = None  # while the search is still being compiled


class HintTold(Told):
    """The hint that was asked for."""

    kind: Literal["hint"] = "hint"
    deal: int
    number: int
    hint: Hint
    re: int | None = None


class Reviewing(Told):
    """How far the review of a deal has come."""

    kind: Literal["reviewing"] = "reviewing"
    deal: int
    done: int
    of: int
    preparing: Readiness | None = None


class Reviewed(Told):
    """The review of a finished deal, with all that is needed to step through it."""

    kind: Literal["reviewed"] = "reviewed"
    deal: int
    table: TableInfo  # as it was in that deal
    review: DealReview
    seat: int  # whose timeline it is: the viewer's, or seat 0 for somebody who watches
    past: list[ChoiceMade]
    """Every choice as everybody may see it now that the deal is over."""
    frames: list[Frame]
    """How the table looked to this seat after each choice, the first one before any of them."""
    hands: list[list[list[str]]]
    """After each choice, the cards of each seat, now that all may be seen."""
    result: Result


ServerMessage = Annotated[
    Snapshot | Frames | Presence | Thinking | Refused | Analysis | HintTold | Reviewing | Reviewed,
    Field(discriminator="kind"),
]


class Hello(Asked):
    """The first message of a page: who it is."""

    kind: Literal["hello"]
    token: str = Field(max_length=100)


class Act(Asked):
    """Make a choice, or several in a row: all of them or none.

    `number` is that of the last frame seen: a late or doubled act is refused.
    """

    kind: Literal["act"]
    deal: int
    number: int
    choices: list[int] = Field(min_length=1, max_length=4)
    id: int | None = None


class Undo(Asked):
    """Take back one's last act that was not forced; marks the deal as assisted."""

    kind: Literal["undo"]
    deal: int
    number: int
    id: int | None = None


class Next(Asked):
    """The next deal of the match, after this one; a new match once one is won."""

    kind: Literal["next"]
    deal: int
    id: int | None = None


class Analyse(Asked):
    """Analyse every position that this page is to act in from now on, or stop doing so.

    Only where all others are bots; marks the deals as assisted.
    """

    kind: Literal["analyse"]
    on: bool
    sims: int = Field(default=200, ge=10, le=2_000)  # in each world
    worlds: int = Field(default=30, ge=1, le=200)
    id: int | None = None


class AskHint(Asked):
    """What should I do now? Only where all others are bots; marks the deal as assisted."""

    kind: Literal["hint"]
    deal: int
    number: int
    id: int | None = None


class AskReview(Asked):
    """Review a deal of this table that is over."""

    kind: Literal["review"]
    deal: int = Field(ge=0, lt=2**31)
    id: int | None = None


ClientMessage = Annotated[
    Hello | Act | Undo | Next | Analyse | AskHint | AskReview, Field(discriminator="kind")
]


# ---------------------------------------------------------------------------- afterwards


class HistoryRow(Told):
    """A table that this person sat at."""

    table: str
    game: str
    variant: dict[str, OptionValue]
    players: list[str]
    place: int | None
    token: str
    deals: int  # that were scored
    totals: list[int]
    winners: list[int]
    retry: bool = False  # laid from a moment of a reviewed deal; counts in no statistics
    last: str  # when something last happened, ISO 8601 in UTC


class Retry(Asked):
    """Play a finished deal again from one of its moments, against the same players."""

    number: int = Field(ge=0, lt=2**15)
    """Choices that stay as they were made; the next one of a person is free again."""


class Interval(Told):
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float


class OpponentStatistics(Told):
    """How it went with one kind of company at the table."""

    players: list[str]  # the bots at the table, each once, in order of their names
    titles: list[str]
    elo: float | None  # their mean, where all are measured
    deals: int
    payoff: Interval
    won: Interval  # share of the deals that brought more than nothing


class GameStatistics(Told):
    """A person's deals of one game; those that were assisted count only in `assisted`."""

    game: str
    deals: int
    assisted: int
    matches: int
    matches_won: Interval | None
    payoff: Interval | None  # points a deal
    won: Interval | None  # share of the deals that brought more than nothing
    accuracy: Interval | None  # of the deals that were reviewed
    reviewed: int
    rating: Interval | None  # against the measured Elo of the players met; None if none is known
    opponents: list[OpponentStatistics]


class DealRow(Told):
    """A deal that a person played to its end."""

    table: str
    deal: int
    token: str
    place: int
    game: str
    variant: dict[str, OptionValue]
    players: list[str]
    payoff: float
    gained: int
    assisted: bool
    retry: bool
    accuracy: float | None  # if it was reviewed
    outcome: Outcome | None
    finished: str  # ISO 8601 in UTC


class Statistics(Told):
    """What a person has played; all of it is kept on this machine only."""

    games: list[GameStatistics]
    deals: int
    """That fit the filters."""
    rows: list[DealRow]
    """A page of them, the latest first."""


class SharedDeal(Told):
    """A finished deal as others may play it: the line that `CreateTable.deal` takes."""

    game: str
    deal: str


class Ask(Asked):
    """A choice asked of a player, for a view or for one seat of a deal; nothing is kept.

    A view or a deal is told as a line or as an object; docs/bots.md tells how. Of a whole deal
    the player sees what its seat may see.
    """

    game: str = Field(max_length=40)
    player: str = Field(default="", max_length=200)
    """The strongest rulebook if none is named."""
    view: Annotated[str, Field(max_length=8000)] | dict[str, Any] | None = None
    deal: Annotated[str, Field(max_length=8000)] | dict[str, Any] | None = None
    seat: int | Annotated[str, Field(max_length=20)] | None = None
    """With a deal: whose eyes; else those of the seat to act."""
    seed: int = Field(default=0, ge=0, lt=2**53)
    ms: int | None = Field(default=None, ge=1, le=10_000)


class Chosen(Told):
    """What a player chooses."""

    choice: int
    text: str
    seat: int
    phase: str
    forced: bool


class WeighedChoice(Told):
    """One legal choice as a player sees it."""

    choice: int
    text: str
    probability: float
    payoff: float | None = None  # that the seat may expect, in points
    error: float | None = None  # standard error of the payoff
    visits: int | None = None


class Strategy(Chosen):
    """What a player chooses, and what it thinks of every legal choice."""

    player: str
    reason: str
    choices: list[WeighedChoice]


class Health(Told):
    """That the service is there."""

    name: Literal["overtrick"] = "overtrick"
    version: str
    tables: int
    """In memory now."""
    sockets: int


class Problem(Told):
    """What went wrong, in one line."""

    error: str
    message: str


class AnyMessage(BaseModel):
    """The messages of the WebSocket, so that the page's types are generated with the others."""

    server: ServerMessage
    client: ClientMessage
