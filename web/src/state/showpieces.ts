/** Four cards to show a deck by: an ace, a king, a queen and a jack, each of another suit. */

export function showpieces(cards: readonly string[]): readonly string[] {
  const suits = [...new Set(cards.map((card) => card.slice(-1)))];
  const bySuit = suits.slice(0, 4).map((suit, index) => {
    const wanted = 'AKQJ'[index];
    const own = cards.filter((card) => card.endsWith(suit));
    return own.find((card) => card.startsWith(wanted ?? 'A')) ?? own.at(-1);
  });
  return bySuit.filter((card) => card !== undefined);
}
