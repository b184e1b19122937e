/** Snapszer: talon and upcard, announcements, captured cards, points on the way to 66. */
import { cardName, ownSuitWord, SuitSign, seatName, suitName } from '../../cards';
import type { TableState } from '../../state/table';
import { t, tell } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps, GameDrawing } from '../drawing';
import { factsOf } from '../facts';
import { ChoiceButton } from '../parts/choices';
import { Badge, Piece, Pieces } from '../parts/pieces';
import { RulesPage } from '../parts/RulesPage';
import { seatsFrom, toldOf } from '../parts/telling';
import { announcementName, announcements, marriageOf, marriageWorth } from './announcing';
import { Captured } from './Captured';
import { Talon } from './Talon';
import './snapszer.css';

const NEEDED = 66;

function Status({ state, deck }: DrawingProps) {
  const facts = factsOf('snapszer', state);
  return (
    <Pieces>
      <Piece name={t('snapszer.trump')} strong>
        <SuitSign suit={facts.trump} game="snapszer" deck={deck} bare />{' '}
        {suitName(facts.trump, 'snapszer', deck)}
      </Piece>
      {seatsFrom(state).map((seat) => (
        <Piece key={seat} name={seatName(seat, state)}>
          <Points points={facts.points[seat] ?? 0} />
        </Piece>
      ))}
      {facts.closer !== null && (
        <Piece name={t('snapszer.closed')} className="g-alert">
          {t('snapszer.closed.by', { name: seatName(facts.closer, state) })}
        </Piece>
      )}
      {facts.exchanged !== null && (
        <Piece name={t('snapszer.exchanged')}>
          {t('snapszer.exchanged.by', {
            name: seatName(facts.exchanged.seat, state),
            card: cardName(facts.exchanged.card, 'snapszer', deck).toLowerCase(),
          })}
        </Piece>
      )}
    </Pieces>
  );
}

/** Points with a bar that is full at 66. */
function Points({ points }: { readonly points: number }) {
  const share = Math.min(points / NEEDED, 1) * 100;
  return (
    <span className="sn-points">
      {t('snapszer.points', { count: points })}
      <span className="sn-bar" aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}

function Controls({ state, act, deck }: DrawingProps) {
  const facts = factsOf('snapszer', state);
  const offers = announcements(state.frame.choices, facts.trump);
  if (offers.length === 0) return <MustLead state={state} deck={deck} />;
  return (
    <section className="g-buttons sn-offers" aria-label={t('snapszer.announce')}>
      {offers.map((told) => {
        const suit = marriageOf(told.text);
        const worth = suit === null ? '' : marriageWorth(suit, facts.trump);
        const kind = suit === null ? told.text : 'marry';
        return (
          <ChoiceButton
            key={told.text}
            told={told}
            name={announcementName(told.text, state, deck)}
            act={act}
            kind={told.text === 'close' ? 'bold' : 'main'}
            className="sn-offer"
          >
            {suit !== null && <SuitSign suit={suit} game="snapszer" deck={deck} bare />}
            <span className="sn-words">
              <strong lang="hu">{tell(`snapszer.say.${kind}${worth}`)}</strong>
              <small>
                {suit === null ? tell(`snapszer.short.${kind}`) : suitName(suit, 'snapszer', deck)}
              </small>
            </span>
          </ChoiceButton>
        );
      })}
    </section>
  );
}

function MustLead({ state, deck }: Pick<DrawingProps, 'state' | 'deck'>) {
  const { must_lead } = factsOf('snapszer', state);
  if (must_lead.length === 0 || state.frame.to_act !== state.info.viewer) return null;
  const [one = '', other = ''] = must_lead.map((card) =>
    cardName(card, 'snapszer', deck).toLowerCase(),
  );
  return <p className="g-box">{t('snapszer.must-lead', { one, other })}</p>;
}

function Badges({ state, seat }: DrawingProps & { readonly seat: number }) {
  const facts = factsOf('snapszer', state);
  return (
    <>
      {facts.closer === seat && (
        <Badge kind="closed" title={t('snapszer.badge.closed')}>
          {t('snapszer.badge')}
        </Badge>
      )}
      {(facts.married[seat] ?? []).map((suit) => (
        <Badge
          key={suit}
          kind="belote"
          title={t('snapszer.badge.married', { suit: ownSuitWord(suit, 'snapszer') })}
        >
          {marriageWorth(suit, facts.trump)}
        </Badge>
      ))}
    </>
  );
}

function choiceName(text: string, _phase: string, state: TableState): string {
  return announcementName(text, state);
}

function tellChoice(made: ChoiceMade, state: TableState): string | null {
  const suit = marriageOf(made.text);
  if (suit !== null) {
    const count = marriageWorth(suit, factsOf('snapszer', state).trump);
    return toldOf('snapszer.tell.marry', made, state, { suit, count });
  }
  if (made.text === 'close' || made.text === 'exchange')
    return toldOf(`snapszer.tell.${made.text}`, made, state);
  return null;
}

function marked(state: TableState): Readonly<Record<string, string>> {
  const { must_lead } = factsOf('snapszer', state);
  return Object.fromEntries(must_lead.map((card) => [card, 'snapszer.mark.lead']));
}

function Rules() {
  return (
    <RulesPage
      game="snapszer"
      deck="hungarian"
      parts={[
        { name: 'aim', lines: 1 },
        {
          name: 'cards',
          lines: 1,
          rows: [{ caption: 'order', cards: ['Aa', 'Ta', 'Ka', 'Qa', 'Ja'] }],
        },
        { name: 'open', lines: 2 },
        { name: 'strict', lines: 1 },
        {
          name: 'announce',
          lines: 3,
          rows: [{ caption: 'marriage', cards: ['Kh', 'Qh'] }],
        },
        { name: 'score', lines: 3 },
      ]}
    />
  );
}

export const snapszer: GameDrawing = {
  Status,
  Center: Talon,
  Controls,
  Panel: Captured,
  Badges,
  Rules,
  marked,
  choiceName,
  tell: tellChoice,
};
