/** Hokm: the hakem and his crown, the choice of trump on five cards, tricks of both teams. */
import { ownSuitWord, SuitSign, seatName, suitName, suitOf, suitWord } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps, GameDrawing } from '../drawing';
import { factsOf } from '../facts';
import { ChoiceButton, offered, spokenChoices } from '../parts/choices';
import { Badge, Piece, Pieces } from '../parts/pieces';
import { RulesPage } from '../parts/RulesPage';
import { teamName, teamOf, teamsInOrder } from '../parts/teams';
import { toldOf } from '../parts/telling';
import { Crown, TrickPips } from './signs';
import './hokm.css';

const SUITS = ['S', 'H', 'D', 'C'] as const;

/** How many of these cards are of each suit, in the order of the buttons. */
export function lengths(cards: readonly string[]): readonly number[] {
  return SUITS.map((suit) => cards.filter((card) => suitOf(card) === suit).length);
}

function Status({ state, deck }: DrawingProps) {
  const { trump, hakem, tricks } = factsOf('hokm', state);
  return (
    <Pieces>
      <Piece name={t('hokm.trump')} strong>
        {trump === null ? (
          t('hokm.trump.none')
        ) : (
          <>
            <SuitSign suit={trump} game="hokm" deck={deck} bare /> {suitName(trump, 'hokm')}{' '}
            <span lang="fa" dir="rtl">
              {ownSuitWord(trump, 'hokm')}
            </span>
          </>
        )}
      </Piece>
      <Piece name={t('hokm.hakem')}>
        <Crown /> {seatName(hakem, state)}
      </Piece>
      {teamsInOrder(state).map((team) => (
        <Piece
          key={team}
          name={
            teamOf(hakem) === team
              ? t('hokm.hakems', { team: teamName(team, state) })
              : teamName(team, state)
          }
        >
          <TrickPips
            tricks={tricks[team] ?? 0}
            label={t('hokm.tricks', { count: tricks[team] ?? 0 })}
          />
        </Piece>
      ))}
    </Pieces>
  );
}

function Controls({ state, act, deck }: DrawingProps) {
  const choices = spokenChoices(state);
  if (choices.length === 0) return null;
  const cards = factsOf('hokm', state).mine?.first_cards ?? state.frame.hand;
  const held = lengths(cards);
  return (
    <section className="g-box ho-box" aria-label={t('hokm.choose')}>
      <p>
        <Crown /> {t('hokm.choose.on', { count: cards.length })}
      </p>
      <div className="ho-suits">
        {SUITS.map((suit, place) => (
          <ChoiceButton
            key={suit}
            told={offered(choices, suit)}
            name={t('hokm.call', { suit: suitWord(suit, 'hokm') })}
            act={act}
            className="ho-suit"
          >
            <SuitSign suit={suit} game="hokm" deck={deck} bare />
            <span>{suitName(suit, 'hokm')}</span>
            <span lang="fa" dir="rtl" className="ho-own">
              {ownSuitWord(suit, 'hokm')}
            </span>
            <small>{t('hokm.held', { count: held[place] ?? 0 })}</small>
          </ChoiceButton>
        ))}
      </div>
    </section>
  );
}

/** Before trump is chosen, who chooses it. */
function Center({ state }: DrawingProps) {
  const { hakem } = factsOf('hokm', state);
  if (state.frame.phase !== 'trump' || hakem === state.info.viewer) return null;
  return (
    <p className="ho-waiting">
      <Crown /> {t('hokm.waiting', { name: seatName(hakem, state) })}
    </p>
  );
}

function Badges({ state, seat }: DrawingProps & { readonly seat: number }) {
  if (factsOf('hokm', state).hakem !== seat) return null;
  return (
    <Badge kind="hakem" title={t('hokm.hakem')}>
      <Crown />
    </Badge>
  );
}

function choiceName(text: string, phase: string): string {
  return phase === 'trump' ? t('hokm.call', { suit: suitWord(text, 'hokm') }) : text;
}

function tellChoice(made: ChoiceMade, state: TableState): string | null {
  if (made.phase !== 'trump') return null;
  return toldOf('hokm.tell.trump', made, state, { suit: made.text });
}

function Rules() {
  return (
    <RulesPage
      game="hokm"
      deck="two-colour"
      parts={[
        { name: 'aim', lines: 1 },
        {
          name: 'hakem',
          lines: 3,
          rows: [{ caption: 'five', cards: ['AH', 'KH', '7H', 'QS', '4C'] }],
        },
        { name: 'play', lines: 2, rows: [{ caption: 'trick', cards: ['KS', '2H', 'AS', '3C'] }] },
        { name: 'score', lines: 3 },
      ]}
    />
  );
}

export const hokm: GameDrawing = {
  Status,
  Center,
  Controls,
  Badges,
  Rules,
  choiceName,
  tell: tellChoice,
};
