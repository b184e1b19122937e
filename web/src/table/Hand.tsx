import { useEffect, useRef, useState } from 'react';
import { adviceWords, HintFlag } from '../advice/Bar';
import { useAdvice } from '../advice/context';
import { useHouse } from '../app/context';
import { CardFace, cardName, type DeckName, fillPhrase } from '../cards';
import { TOUCHABLE } from '../state/fan';
import { cardReached } from '../state/keys';
import type { TableState } from '../state/table';
import { t, tell } from '../texts';
import { HandBars } from './HandBars';
import { rememberCard } from './motion';
import { useFan } from './useFan';
import { useHandPointer } from './useHandPointer';

export interface HandProps {
  readonly state: TableState;
  readonly deck: DeckName;
  /** Whether the viewer may act on what is on display. */
  readonly active: boolean;
  /** The cards that lie in the gathering tray; null when nothing is gathered. */
  readonly tray: readonly string[] | null;
  /** Cards that carry a mark, each with the key of what it says. */
  readonly marks: Readonly<Record<string, string>>;
  /** A legal card was chosen. */
  readonly onCard: (card: string, choice: number) => void;
  /** Enter on a card that lies in a full tray. */
  readonly onConfirm: () => boolean;
  /** Whether room is kept for bars under the cards. */
  readonly withBars?: boolean;
}

/** The viewer's cards as a fan: by pointer, finger and keyboard. */
export function Hand(props: HandProps) {
  const { state, deck, active, tray, marks, onCard, onConfirm, withBars = false } = props;
  const { notify } = useHouse();
  const { bars, hinted } = useAdvice();
  const { frame, info } = state;
  const element = useRef<HTMLDivElement>(null);
  const fan = useFan(element, frame.hand.length);
  const { index, setIndex } = useRovingFocus(element, frame.hand);
  const finger = useRef(false);
  const pointer = useHandPointer(element, (card) => choiceOf(card) !== null && !tray, choose);
  const { dragged, raised, setRaised } = pointer;

  function choiceOf(card: string): number | null {
    if (!active) return null;
    return frame.choices.find((told) => told.card === card)?.choice ?? null;
  }

  function reasonOf(card: string): string | null {
    if (!active) return null;
    const refused = frame.refused.find((one) => one.card === card);
    return refused ? fillPhrase(refused.reason, state, deck) : null;
  }

  function adviceOf(card: string) {
    const choice = choiceOf(card);
    if (choice === null) return { bar: undefined, hinted: false };
    return { bar: bars.get(choice), hinted: hinted === choice };
  }

  function choose(card: string): void {
    const choice = choiceOf(card);
    setRaised(null);
    if (choice === null) {
      notify(reasonOf(card) ?? t(active ? 'hand.not-now' : 'hand.not-your-turn'));
      return;
    }
    const button = buttonOf(element.current, card);
    if (button && !tray) rememberCard(card, button);
    onCard(card, choice);
  }

  /** A finger on a strip too narrow to be sure of raises the card first. */
  function onClick(card: string): void {
    if (pointer.isSwallowed()) return;
    const unsure = finger.current && fan.strip < TOUCHABLE && frame.hand.length > 1;
    if (unsure && raised !== card) setRaised(card);
    else choose(card);
  }

  return (
    <div
      ref={element}
      className={`hand ${active ? 'active' : ''} ${withBars ? 'with-bars' : ''}`}
      role="toolbar"
      aria-label={t('hand.label', { count: frame.hand.length })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && tray?.includes(cardUnder(event.target)) && onConfirm()) {
          event.preventDefault();
          return;
        }
        const reached = cardReached(event.key, index, frame.hand.length);
        if (reached === null) return;
        event.preventDefault();
        event.stopPropagation();
        setIndex(reached);
        buttonOf(element.current, frame.hand[reached] ?? '')?.focus();
      }}
      {...pointer.handlers}
      onPointerDown={(event) => {
        finger.current = event.pointerType === 'touch';
        pointer.handlers.onPointerDown(event);
      }}
    >
      {frame.hand.map((card, place) => {
        const spot = fan.cards[place] ?? { x: 0, y: 0, angle: 0 };
        const choice = choiceOf(card);
        const reason = reasonOf(card);
        const mark = marks[card] ? tell(marks[card]) : null;
        const advice = adviceOf(card);
        const words = [cardName(card, info.game, deck), mark, adviceWords(advice)];
        const name = words.filter(Boolean).join(', ');
        const inTray = tray?.includes(card) ?? false;
        const drag = dragged?.card === card ? dragged : null;
        return (
          <button
            key={`${info.deal}.${card}`}
            type="button"
            className={classesOf({
              choice,
              refused: reason !== null,
              inTray,
              raised: raised === card,
              drag: !!drag,
              hinted: advice.hinted,
            })}
            data-card={card}
            data-choice={choice ?? undefined}
            aria-disabled={choice === null ? true : undefined}
            aria-pressed={tray ? inTray : undefined}
            aria-label={reason ? t('hand.refused', { card: name, reason }) : name}
            title={reason ?? mark ?? undefined}
            tabIndex={place === index ? 0 : -1}
            style={
              {
                '--x': `${spot.x + (drag?.dx ?? 0)}px`,
                '--y': `${spot.y + (drag?.dy ?? 0)}px`,
                '--angle': drag ? '0deg' : `${spot.angle}deg`,
                width: `${fan.cardWidth}px`,
                '--place': place,
                zIndex: drag ? 99 : place + 1,
              } as React.CSSProperties
            }
            onFocus={() => setIndex(place)}
            onClick={() => onClick(card)}
          >
            <CardFace card={card} game={info.game} deck={deck} />
            {mark && <span className="card-mark" aria-hidden="true" />}
            {advice.hinted && <HintFlag />}
          </button>
        );
      })}
      {bars.size > 0 && <HandBars fan={fan} bars={frame.hand.map((card) => adviceOf(card).bar)} />}
    </div>
  );
}

interface CardLooks {
  readonly choice: number | null;
  readonly refused: boolean;
  readonly inTray: boolean;
  readonly raised: boolean;
  readonly drag: boolean;
  readonly hinted: boolean;
}

function classesOf({ choice, refused, inTray, raised, drag, hinted }: CardLooks): string {
  const state = choice !== null ? 'legal' : refused ? 'illegal' : '';
  const flags = [inTray && 'in-tray', raised && 'raised', drag && 'dragged', hinted && 'hinted'];
  return ['hand-card', state, ...flags].filter(Boolean).join(' ');
}

/** The card that a key or pointer meets; empty for none. */
function cardUnder(target: EventTarget): string {
  return (target instanceof HTMLElement && target.dataset.card) || '';
}

function buttonOf(hand: HTMLElement | null, card: string): HTMLElement | null {
  return hand?.querySelector<HTMLElement>(`[data-card="${card}"]`) ?? null;
}

/** One card of the hand can be reached by Tab; when it is played, its neighbour has the focus. */
function useRovingFocus(element: React.RefObject<HTMLElement | null>, hand: readonly string[]) {
  const [wanted, setIndex] = useState(0);
  const index = Math.max(0, Math.min(wanted, hand.length - 1));
  const focused = useRef(false);
  useEffect(() => {
    const watched = element.current;
    const enter = () => {
      focused.current = true;
    };
    const out = (event: FocusEvent) => {
      // A card that vanishes takes the focus with it; only a move elsewhere counts as leaving.
      if (event.relatedTarget) focused.current = false;
    };
    watched?.addEventListener('focusin', enter);
    watched?.addEventListener('focusout', out);
    return () => {
      watched?.removeEventListener('focusin', enter);
      watched?.removeEventListener('focusout', out);
    };
  }, [element]);
  useEffect(() => {
    if (!focused.current || document.activeElement !== document.body) return;
    buttonOf(element.current, hand[index] ?? '')?.focus({ preventScroll: true });
  }, [element, hand, index]);
  return { index, setIndex };
}
