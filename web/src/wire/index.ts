/** The wire types under short names; they are generated from the service's own. */
import type { components } from './generated';

type Schemas = components['schemas'];
export type Analysis = Schemas['Analysis'];
export type BarTold = Schemas['BarTold'];
export type ChoiceMade = Schemas['ChoiceMade'];
export type ChoiceTold = Schemas['ChoiceTold'];
export type CreateTable = Schemas['CreateTable'];
export type DealReview = Schemas['DealReview'];
export type DealRow = Schemas['DealRow'];
export type Frame = Schemas['Frame'];
export type Frames = Schemas['Frames'];
export type GameInfo = Schemas['GameInfo'];
export type GameStatistics = Schemas['GameStatistics'];
export type Hint = Schemas['Hint'];
export type HintTold = Schemas['HintTold'];
export type HistoryRow = Schemas['HistoryRow'];
export type Interval = Schemas['Interval'];
export type JudgedChoice = Schemas['JudgedChoice'];
export type OpenOpinion = Schemas['OpenOpinion'];
export type OptionInfo = Schemas['OptionInfo'];
export type Phrase = Schemas['PhraseTold'];
export type PlaceInfo = Schemas['PlaceInfo'];
export type Play = Schemas['Play'];
export type PlayerInfo = Schemas['PlayerInfo'];
export type Problem = Schemas['Problem'];
export type Readiness = Schemas['Readiness'];
export type Refused = Schemas['Refused'];
export type Result = Schemas['Result'];
export type Reviewed = Schemas['Reviewed'];
export type Reviewing = Schemas['Reviewing'];
export type SeatReview = Schemas['SeatReview'];
export type SeatToken = Schemas['SeatToken'];
export type Settings = Schemas['Settings'];
export type SheetRow = Schemas['SheetRow'];
export type Snapshot = Schemas['Snapshot'];
export type Statistics = Schemas['Statistics'];
export type TableCreated = Schemas['TableCreated'];
export type TableInfo = Schemas['TableInfo'];
export type Taken = Schemas['Taken'];
export type TrickComment = Schemas['TrickComment'];
export type Verdict = Schemas['Verdict'];
export type ServerMessage = Schemas['AnyMessage']['server'];
export type ClientMessage = Schemas['AnyMessage']['client'];

/** What stands for a person in a list of players. */
export const PERSON = 'person';
