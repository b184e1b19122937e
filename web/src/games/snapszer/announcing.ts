/** What is announced in Snapszer, in words. */
import { type DeckName, suitWord } from '../../cards';
import type { TableState } from '../../state/table';
import { t } from '../../texts';
import type { ChoiceTold } from '../../wire';
import { factsOf, type SnapszerFacts } from '../facts';

const IN_TRUMP = 40;
const ELSEWHERE = 20;

/** The suit of a marriage's notation, `marry:h`; null for any other choice. */
export function marriageOf(text: string): string | null {
  return /^marry:([hbla])$/.exec(text)?.[1] ?? null;
}

/** 40 in trumps, else 20. */
export function marriageWorth(suit: string, trump: string): number {
  return suit === trump ? IN_TRUMP : ELSEWHERE;
}

/** An announcement in full words. */
export function announcementName(
  text: string,
  state: TableState,
  deck: DeckName = 'hungarian',
): string {
  const facts = factsOf('snapszer', state);
  const suit = marriageOf(text);
  if (suit !== null)
    return t('snapszer.choice.marry', {
      count: marriageWorth(suit, facts.trump),
      suit: suitWord(suit, 'snapszer', deck),
    });
  if (text === 'close') return t('snapszer.choice.close');
  return text === 'exchange' ? t('snapszer.choice.exchange') : text;
}

/** Marriages from the dearest, then the exchange, then closing. */
export function announcements(
  choices: readonly ChoiceTold[],
  trump: string,
): readonly ChoiceTold[] {
  const rank = ({ text }: ChoiceTold) => {
    const suit = marriageOf(text);
    if (suit !== null) return suit === trump ? 0 : 1;
    return text === 'exchange' ? 2 : 3;
  };
  return choices
    .filter(({ text }) => marriageOf(text) !== null || text === 'exchange' || text === 'close')
    .toSorted((one, other) => rank(one) - rank(other));
}

/** The marriages of a seat, one line each. */
export function marriageWords(
  seat: number,
  facts: SnapszerFacts,
  deck: DeckName,
): readonly string[] {
  return (facts.married[seat] ?? []).map((suit) =>
    t('snapszer.married', {
      count: marriageWorth(suit, facts.trump),
      suit: suitWord(suit, 'snapszer', deck),
    }),
  );
}
