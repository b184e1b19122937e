/** Hearts: the pass tray, what was passed, whether hearts are broken, points. */
import { CardFace, nameAt, seatName } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps, GameDrawing, Gathering } from '../drawing';
import { factsOf, type HeartsFacts } from '../facts';
import { Badge, CardRow, Piece, Pieces, Section } from '../parts/pieces';
import { RulesPage } from '../parts/RulesPage';
import { isToAct, seatsFrom, toldOf } from '../parts/telling';
import { Arrow, HeartSign } from './signs';
import './hearts.css';

const SEATS = 4;
const PASSED = 3;
const STEPS = { hold: 0, left: 1, across: 2, right: 3 } as const;

/** Who gets the cards that the seat passes; null if nothing is passed. */
export function receiver(seat: number, direction: HeartsFacts['direction']): number | null {
  return direction === 'hold' ? null : (seat + STEPS[direction]) % SEATS;
}

/** Who passes cards to the seat; null if nothing is passed. */
export function giver(seat: number, direction: HeartsFacts['direction']): number | null {
  return direction === 'hold' ? null : (seat + SEATS - STEPS[direction]) % SEATS;
}

function Status({ state }: DrawingProps) {
  const facts = factsOf('hearts', state);
  return (
    <Pieces>
      <Piece name={t('hearts.pass')} strong={state.frame.phase === 'pass'}>
        <Arrow direction={facts.direction} /> {t(`hearts.direction.${facts.direction}`)}
      </Piece>
      <Piece name={t('hearts.hearts')} className={facts.broken ? 'g-alert' : ''}>
        <HeartSign broken={facts.broken} />{' '}
        {t(facts.broken ? 'hearts.broken' : 'hearts.not-broken')}
      </Piece>
      <Piece name={t('hearts.points')} className="he-points-piece">
        <span className="he-points">
          {seatsFrom(state).map((seat) => (
            <span key={seat}>
              {seatName(seat, state)} <strong>{facts.points[seat]}</strong>
            </span>
          ))}
        </span>
      </Piece>
    </Pieces>
  );
}

/** After the exchange, what came in. */
function Controls({ state, deck }: DrawingProps) {
  const facts = factsOf('hearts', state);
  const { viewer } = state.info;
  if (viewer === null) return null;
  const received = facts.mine?.received ?? [];
  const from = giver(viewer, facts.direction);
  if (received.length === 0 || from === null || state.tricks.length > 0) return null;
  return (
    <p className="he-told">
      {t('hearts.received', { name: seatName(from, state) })}{' '}
      <CardRow cards={received} game="hearts" deck={deck} />
    </p>
  );
}

function Panel({ state, deck }: DrawingProps) {
  const { mine, direction } = factsOf('hearts', state);
  const { viewer } = state.info;
  if (!mine || viewer === null || direction === 'hold')
    return (
      <Section title={t('hearts.passing')}>
        <p className="g-quiet">{t('hearts.passing.none')}</p>
      </Section>
    );
  const rows = [
    { key: 'hearts.you-passed', seat: receiver(viewer, direction), cards: mine.passed },
    { key: 'hearts.you-received', seat: giver(viewer, direction), cards: mine.received },
  ] as const;
  return (
    <Section title={t('hearts.passing')}>
      {rows.map(({ key, seat, cards }) => (
        <p key={key} className="he-passed">
          <span>{t(key, { name: seatName(seat ?? viewer, state) })}</span>
          {cards.length > 0 ? (
            <CardRow cards={cards} game="hearts" deck={deck} />
          ) : (
            <span className="g-quiet">{t('hearts.not-yet')}</span>
          )}
        </p>
      ))}
    </Section>
  );
}

function Badges({ state, seat, deck }: DrawingProps & { readonly seat: number }) {
  const facts = factsOf('hearts', state);
  const points = facts.points[seat] ?? 0;
  const queen = state.tricks.some(
    ({ winner, plays }) => winner === seat && plays.some(({ card }) => card === 'QS'),
  );
  return (
    <>
      {facts.dealer === seat && (
        <Badge kind="dealer" title={t('game.dealer')}>
          {t('game.dealer.sign')}
        </Badge>
      )}
      {points > 0 && (
        <Badge kind="points" title={t('hearts.points-of', { count: points })}>
          {points}
        </Badge>
      )}
      {queen && (
        <span className="he-queen" role="img" aria-label={t('hearts.has-queen')}>
          <CardFace card="QS" game="hearts" deck={deck} />
        </span>
      )}
    </>
  );
}

function gathering(state: TableState): Gathering | null {
  if (state.frame.phase !== 'pass' || !isToAct(state)) return null;
  const { direction, mine } = factsOf('hearts', state);
  const count = PASSED - (mine?.passed.length ?? 0);
  return { count, prompt: `hearts.tray.${direction}`, confirm: 'hearts.tray.confirm' };
}

function marked(state: TableState): Readonly<Record<string, string>> {
  const received = factsOf('hearts', state).mine?.received ?? [];
  if (state.tricks.length > 0) return {};
  return Object.fromEntries(received.map((card) => [card, 'hearts.mark.received']));
}

function tellChoice(made: ChoiceMade, state: TableState): string | null {
  if (made.phase !== 'pass') return null;
  if (!made.card) return toldOf('hearts.tell.pass', made, state);
  const { direction } = factsOf('hearts', state);
  const to = nameAt(receiver(made.seat, direction) ?? made.seat, state) ?? t('card.you');
  return toldOf('hearts.tell.pass-card', made, state, {
    card: made.card,
    to,
  });
}

function Rules() {
  return (
    <RulesPage
      game="hearts"
      deck="two-colour"
      parts={[
        { name: 'aim', lines: 1, rows: [{ caption: 'bad', cards: ['2H', 'TH', 'AH', 'QS'] }] },
        { name: 'pass', lines: 2 },
        { name: 'play', lines: 3, rows: [{ caption: 'first', cards: ['2C'] }] },
        { name: 'score', lines: 3 },
      ]}
    />
  );
}

export const hearts: GameDrawing = {
  Status,
  Controls,
  Panel,
  Badges,
  Rules,
  gathering,
  marked,
  tell: tellChoice,
};
