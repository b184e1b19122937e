/** Sheephead: pick, bury, call, the unknown card, the partner, Nola. */
import { cardName, seatName } from '../../cards';
import type { TableState } from '../../state/table';
import { t, tell } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps, GameDrawing, Gathering } from '../drawing';
import { factsOf, type SheepheadFacts } from '../facts';
import { Badge, Piece, Pieces } from '../parts/pieces';
import { RulesPage } from '../parts/RulesPage';
import { isToAct, seatsFrom, toldOf } from '../parts/telling';
import { Blind } from './Blind';
import { Calls, callName } from './Calls';
import { Reference, TRUMPS } from './Reference';
import './sheephead.css';

const BURIED = 2;

function Status({ state }: DrawingProps) {
  const facts = factsOf('sheephead', state);
  const counted = facts.nola ? state.frame.tricks : facts.points;
  return (
    <Pieces>
      {facts.nola ? (
        <Piece name={t('sheephead.hand')} strong className="g-alert">
          {t('sheephead.nola')}
        </Piece>
      ) : (
        <Piece name={t('sheephead.picker')} strong={facts.picker !== null}>
          {facts.picker === null ? t('sheephead.nobody') : seatName(facts.picker, state)}
        </Piece>
      )}
      {facts.declared && <Piece name={t('sheephead.called')}>{calledText(facts)}</Piece>}
      {facts.called !== null && (
        <Piece name={t('sheephead.partner')} strong={facts.mine?.is_partner ?? false}>
          {partnerText(facts, state)}
        </Piece>
      )}
      {facts.multiplier > 1 && (
        <Piece name={t('sheephead.stakes')} className="g-alert">
          {t('sheephead.doubled', { times: facts.multiplier })}
        </Piece>
      )}
      <Piece name={t(facts.nola ? 'sheephead.tricks' : 'sheephead.points')}>
        <span className="sh-points">
          {seatsFrom(state).map((seat) => (
            <span key={seat}>
              {seatName(seat, state)} <strong>{counted[seat]}</strong>
            </span>
          ))}
        </span>
      </Piece>
    </Pieces>
  );
}

function calledText(facts: SheepheadFacts): string {
  if (facts.called === null) return t('sheephead.alone');
  const card = cardName(facts.called, 'sheephead');
  return facts.unknown === 'none' ? card : t('sheephead.called.unknown', { card });
}

/** Who the partner is, as far as this viewer may know. */
export function partnerText(facts: SheepheadFacts, state: TableState): string {
  if (facts.partner !== null) return seatName(facts.partner, state);
  if (facts.mine?.is_partner) return t('sheephead.partner.you');
  return t(facts.alone ? 'sheephead.partner.nobody' : 'sheephead.partner.hidden');
}

function Badges({ state, seat }: DrawingProps & { readonly seat: number }) {
  const facts = factsOf('sheephead', state);
  const secretly = facts.partner === null && facts.mine?.is_partner && seat === state.info.viewer;
  return (
    <>
      {facts.dealer === seat && (
        <Badge kind="dealer" title={t('game.dealer')}>
          {t('game.dealer.sign')}
        </Badge>
      )}
      {facts.picker === seat && (
        <Badge kind="picker" title={t('sheephead.picker')}>
          {facts.declared && facts.alone ? t('sheephead.badge.alone') : t('sheephead.picker')}
        </Badge>
      )}
      {facts.partner === seat && (
        <Badge kind="partner" title={t('sheephead.partner')}>
          {t('sheephead.partner')}
        </Badge>
      )}
      {secretly && (
        <Badge kind="partner" title={t('sheephead.partner.you')}>
          {t('sheephead.badge.secret')}
        </Badge>
      )}
    </>
  );
}

function gathering(state: TableState): Gathering | null {
  if (!isToAct(state)) return null;
  if (state.frame.phase === 'unknown')
    return { count: 1, prompt: 'sheephead.tray.unknown', confirm: 'sheephead.tray.lay' };
  if (state.frame.phase !== 'bury') return null;
  const chosen = factsOf('sheephead', state).mine?.buried.length ?? 0;
  return { count: BURIED - chosen, prompt: 'sheephead.tray', confirm: 'sheephead.tray.bury' };
}

function marked(state: TableState): Readonly<Record<string, string>> {
  const { mine, called, unknown, partner } = factsOf('sheephead', state);
  const marks: Record<string, string> = {};
  if (state.frame.phase === 'bury')
    for (const card of mine?.blind ?? []) marks[card] = 'sheephead.mark.blind';
  if (unknown === 'lies' && mine?.unknown) marks[mine.unknown] = 'sheephead.mark.unknown';
  if (called !== null && mine?.is_partner && partner === null)
    marks[called] = 'sheephead.mark.called';
  return marks;
}

function choiceName(text: string, phase: string): string {
  if (phase === 'bid') return tell(`sheephead.bid.${text}`);
  return phase === 'declare' ? callName(text) : text;
}

function tellChoice(made: ChoiceMade, state: TableState): string | null {
  switch (made.phase) {
    case 'bid':
      return toldOf(`sheephead.tell.${made.text}`, made, state);
    case 'bury':
    case 'unknown':
      if (!made.card) return toldOf(`sheephead.tell.${made.phase}`, made, state);
      return toldOf(`sheephead.tell.${made.phase}-card`, made, state, { card: made.card });
    case 'declare':
      if (made.text === 'alone') return toldOf('sheephead.tell.alone', made, state);
      return toldOf('sheephead.tell.call', made, state, { card: made.text });
    default:
      return null;
  }
}

function Rules() {
  return (
    <RulesPage
      game="sheephead"
      deck="two-colour"
      parts={[
        { name: 'aim', lines: 1 },
        {
          name: 'cards',
          lines: 2,
          rows: [
            { caption: 'order.trump', cards: TRUMPS },
            { caption: 'order.fail', cards: ['AC', 'TC', 'KC', '9C', '8C', '7C'] },
          ],
        },
        { name: 'pick', lines: 2 },
        { name: 'call', lines: 4 },
        { name: 'play', lines: 3 },
        {
          name: 'score',
          lines: 2,
          table: [
            ['=sheephead.rules.tier', '=sheephead.rules.with', '=sheephead.rules.without'],
            ['120', '+30 / +15 / −15', '+100 / −25'],
            ['91–119', '+20 / +10 / −10', '+80 / −20'],
            ['61–90', '+10 / +5 / −5', '+60 / −15'],
            ['31–60', '−20 / −10 / +10', '−80 / +20'],
            ['0–30', '−30 / −15 / +15', '−100 / +25'],
            ['=sheephead.rules.no-trick', '−40 / −20 / +20', '−120 / +30'],
          ],
        },
        { name: 'nola', lines: 2 },
      ]}
    />
  );
}

export const sheephead: GameDrawing = {
  Status,
  Center: Blind,
  Controls: Calls,
  Panel: Reference,
  Badges,
  Rules,
  gathering,
  marked,
  choiceName,
  tell: tellChoice,
};
