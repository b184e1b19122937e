/** Coinche: bidding box, auction history, contract, belote. */
import { nameAt, SuitSign, seatName } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';
import type { ChoiceMade } from '../../wire';
import type { DrawingProps, GameDrawing } from '../drawing';
import { type CoincheFacts, factsOf } from '../facts';
import { Badge, Piece, Pieces } from '../parts/pieces';
import { RulesPage } from '../parts/RulesPage';
import { teamName, teamOf, teamsInOrder } from '../parts/teams';
import { toldOf } from '../parts/telling';
import { Auction } from './Auction';
import { BiddingBox } from './BiddingBox';
import { bidOf, callName, valueName } from './bidding';

const MULTIPLIERS = ['', '×2', '×4'];

function Status({ state, deck }: DrawingProps) {
  const facts = factsOf('coinche', state);
  return (
    <Pieces>
      <Contract facts={facts} state={state} deck={deck} />
      {teamsInOrder(state).map((team) => (
        <Piece key={team} name={teamName(team, state)}>
          <TeamPoints team={team} facts={facts} />
        </Piece>
      ))}
      {facts.belote !== null && (
        <Piece name={t('coinche.belote')}>
          {seatName(facts.belote, state)} {state.info.variant.belote !== 'off' && '+20'}
        </Piece>
      )}
    </Pieces>
  );
}

interface ContractProps {
  readonly facts: CoincheFacts;
  readonly state: TableState;
  readonly deck: DrawingProps['deck'];
}

function Contract({ facts, state, deck }: ContractProps) {
  const { value, suit, bidder, doubled } = facts;
  if (value === null || suit === null || bidder === null)
    return <Piece name={t('coinche.contract')}>{t('coinche.contract.none')}</Piece>;
  return (
    <Piece name={t('coinche.contract')} strong>
      <strong>{valueName(value)}</strong> <SuitSign suit={suit} game="coinche" deck={deck} />{' '}
      {t('coinche.by', { name: nameAt(bidder, state) ?? t('card.you') })}
      {doubled > 0 && (
        <span className="co-doubled">
          {t(doubled === 1 ? 'coinche.coinched' : 'coinche.surcoinched')}{' '}
          {doubled === 2 ? `×${state.info.variant.surcoinche_mult ?? 4}` : MULTIPLIERS[doubled]}
        </span>
      )}
    </Piece>
  );
}

/** What a team has taken, and for the attackers what they need. */
function TeamPoints({ team, facts }: { readonly team: number; readonly facts: CoincheFacts }) {
  const points = facts.points[team] ?? 0;
  const attacks = facts.bidder !== null && teamOf(facts.bidder) === team && facts.trump !== null;
  if (!attacks) return <>{t('coinche.points', { count: points })}</>;
  if (bidOf(facts.bid ?? '')?.value === 250)
    return <>{t('coinche.tricks-of', { count: facts.tricks[team] ?? 0 })}</>;
  return <>{t('coinche.points-of', { count: points, need: facts.value ?? 0 })}</>;
}

function Badges({ state, seat, deck }: DrawingProps & { readonly seat: number }) {
  const facts = factsOf('coinche', state);
  return (
    <>
      {facts.dealer === seat && (
        <Badge kind="dealer" title={t('game.dealer')}>
          {t('game.dealer.sign')}
        </Badge>
      )}
      {facts.bidder === seat && facts.value !== null && facts.suit !== null && (
        <span className="g-badge g-badge-bid">
          {valueName(facts.value)} <SuitSign suit={facts.suit} game="coinche" deck={deck} />
          {MULTIPLIERS[facts.doubled]}
        </span>
      )}
      {facts.belote === seat && (
        <Badge kind="belote" title={t('coinche.belote.has')}>
          {t('coinche.belote')}
        </Badge>
      )}
    </>
  );
}

function choiceName(text: string, phase: string): string {
  return phase === 'bid' ? callName(text) : text;
}

function tellChoice(made: ChoiceMade, state: TableState): string | null {
  if (made.phase !== 'bid') return null;
  const bid = bidOf(made.text);
  if (!bid) return toldOf(`coinche.tell.${made.text}`, made, state);
  const { value, suit } = bid;
  return toldOf('coinche.tell.bid', made, state, { value: valueName(value), suit });
}

function Rules() {
  return (
    <RulesPage
      game="coinche"
      deck="two-colour"
      parts={[
        { name: 'aim', lines: 2 },
        {
          name: 'cards',
          lines: 1,
          rows: [
            { caption: 'order.trump', cards: ['JH', '9H', 'AH', 'TH', 'KH', 'QH', '8H', '7H'] },
            { caption: 'order.plain', cards: ['AS', 'TS', 'KS', 'QS', 'JS', '9S', '8S', '7S'] },
          ],
        },
        { name: 'auction', lines: 4 },
        { name: 'play', lines: 4 },
        { name: 'belote', lines: 1, rows: [{ caption: 'belote.cards', cards: ['KH', 'QH'] }] },
        { name: 'score', lines: 3 },
      ]}
    />
  );
}

export const coinche: GameDrawing = {
  Status,
  Controls: BiddingBox,
  Panel: Auction,
  Badges,
  Rules,
  choiceName,
  tell: tellChoice,
};
