/** What a game adds to the page: its own drawings. The page is whole without any of them. */
import type { ComponentType } from 'react';
import type { TableState } from '../state/table';
import type { ChoiceMade } from '../wire';

export interface DrawingProps {
  readonly state: TableState;
  /** Makes a choice, or several in a row; does nothing unless the viewer is to act. */
  readonly act: (...choices: number[]) => void;
  /** The settings that concern drawings. */
  readonly deck: 'two-colour' | 'four-colour' | 'hungarian';
  readonly showCaptured: boolean;
}

/** Cards that are gathered in a tray and given together, rather than played one by one. */
export interface Gathering {
  /** How many. */
  readonly count: number;
  /** Keys of the catalogue: what to do, and the button that does it. */
  readonly prompt: string;
  readonly confirm: string;
}

export interface GameDrawing {
  /** Always in sight: trump, contract, who is what, points. */
  readonly Status?: ComponentType<DrawingProps>;
  /** In the middle of the table beside the trick: talon, blind, unknown card. */
  readonly Center?: ComponentType<DrawingProps>;
  /** Above the hand when there is more to choose than cards: bidding box, suits, announcements.
      It must offer every choice of the frame that has no card. */
  readonly Controls?: ComponentType<DrawingProps>;
  /** Further panels beside the table: auction history, captured cards. */
  readonly Panel?: ComponentType<DrawingProps>;
  /** Little signs at a seat: dealer, hakem, picker, partner. */
  readonly Badges?: ComponentType<DrawingProps & { readonly seat: number }>;
  /** A short page of rules. */
  readonly Rules: ComponentType;
  /** Whether the cards of this phase are gathered, and how many. */
  readonly gathering?: (state: TableState) => Gathering | null;
  /** Cards of the viewer's hand that carry a mark, each with the catalogue's key of what it says. */
  readonly marked?: (state: TableState) => Readonly<Record<string, string>>;
  /** A choice that is no card in full words, for buttons, history and those who listen. */
  readonly choiceName?: (text: string, phase: string, state: TableState) => string;
  /** What a made choice is called when told aloud; null for the common way. */
  readonly tell?: (made: ChoiceMade, state: TableState) => string | null;
}
