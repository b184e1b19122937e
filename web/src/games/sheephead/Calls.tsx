import { CardFace, cardName, suitOf, suitWord } from '../../cards';
import type { TableState } from '../../state/table';
import { t, tell } from '../../texts';
import type { ChoiceTold } from '../../wire';
import type { DrawingProps } from '../drawing';
import { factsOf } from '../facts';
import { ChoiceButton, offered } from '../parts/choices';
import { CardRow } from '../parts/pieces';
import './sheephead.css';

/** A declaration in full words: "Call the ace of clubs", "Play alone". */
export function callName(text: string): string {
  if (text === 'alone') return t('sheephead.call.alone');
  return t('sheephead.call.card', { card: cardName(text, 'sheephead').toLowerCase() });
}

/** Pick or pass; later which card is called. */
export function Calls(props: DrawingProps) {
  const { state } = props;
  if (state.frame.choices.length === 0) return null;
  if (state.frame.phase === 'bid') return <PickOrPass {...props} />;
  return state.frame.phase === 'declare' ? <Declare {...props} /> : null;
}

function PickOrPass({ state, act, deck }: DrawingProps) {
  const { choices } = state.frame;
  const { blind } = factsOf('sheephead', state);
  return (
    <section className="g-box" aria-label={t('sheephead.bid')}>
      <p>{t('sheephead.bid.ask')}</p>
      <div className="g-buttons">
        <ChoiceButton told={offered(choices, 'pick')} name={tell('sheephead.bid.pick')} act={act}>
          <span className="sh-pick">
            <CardRow
              cards={Array.from({ length: blind }, () => null)}
              game="sheephead"
              deck={deck}
              label=""
            />
            {t('sheephead.pick')}
          </span>
        </ChoiceButton>
        <ChoiceButton
          told={offered(choices, 'pass')}
          name={tell('sheephead.bid.pass')}
          act={act}
          kind="calm"
        >
          {t('sheephead.pass')}
        </ChoiceButton>
      </div>
    </section>
  );
}

function Declare({ state, act, deck }: DrawingProps) {
  const { choices } = state.frame;
  const calls = choices.filter((told) => told.text !== 'alone');
  return (
    <section className="g-box" aria-label={t('sheephead.declare')}>
      <p>{t(calls.length > 0 ? 'sheephead.declare.ask' : 'sheephead.declare.forced')}</p>
      <div className="sh-calls">
        {calls.map((told) => (
          <ChoiceButton
            key={told.text}
            told={told}
            name={callName(told.text)}
            act={act}
            className="sh-call"
          >
            <CardFace card={told.text} game="sheephead" deck={deck} />
            <span className="sh-words">
              <strong>{cardName(told.text, 'sheephead')}</strong>
              <small>{explained(told, state)}</small>
            </span>
          </ChoiceButton>
        ))}
        <ChoiceButton
          told={offered(choices, 'alone')}
          name={callName('alone')}
          act={act}
          kind="calm"
          className="sh-call"
        >
          <span className="sh-words">
            <strong>{t('sheephead.alone')}</strong>
            <small>{t('sheephead.alone.means')}</small>
          </span>
        </ChoiceButton>
      </div>
    </section>
  );
}

/** What a call brings with it: whoever holds the card, or first an unknown card to lay. */
export function explained(told: ChoiceTold, state: TableState): string {
  const { trumps } = factsOf('sheephead', state);
  const suit = suitOf(told.text);
  if (state.frame.hand.includes(told.text)) return t('sheephead.call.own');
  const follows = state.frame.hand.some((card) => suitOf(card) === suit && !trumps.includes(card));
  return follows
    ? t('sheephead.call.partner')
    : t('sheephead.call.unknown', { suit: suitWord(suit, 'sheephead') });
}
