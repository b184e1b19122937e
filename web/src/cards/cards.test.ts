import { describe, expect, test } from 'vitest';
import { tableOf } from '../games/making';
import { cardName, cardsOf, faceUrl, fillPhrase, ownSuitWord, shortCard, suitName } from '.';

const DRAWN = Object.keys(import.meta.glob('../../public/cards/**/*.svg'));

describe('the deck', () => {
  test.each([
    ['hokm', 52],
    ['hearts', 52],
    ['coinche', 32],
    ['sheephead', 32],
    ['snapszer', 20],
  ])('%s is played with %i cards, each of which is drawn in every deck', (game, count) => {
    const cards = cardsOf(game);
    expect(new Set(cards).size).toBe(count);
    for (const deck of ['two-colour', 'four-colour', 'hungarian'] as const)
      for (const card of [null, ...cards])
        expect(DRAWN).toContain(`../../public${faceUrl(card, game, deck)}`);
  });

  test('Snapszer on French cards: acorns are clubs, bells diamonds, leaves spades', () => {
    expect(faceUrl('Ta', 'snapszer', 'two-colour')).toBe('/cards/french/two/TC.svg');
    expect(faceUrl('Kb', 'snapszer', 'four-colour')).toBe('/cards/french/four/KD.svg');
    expect(faceUrl('Jl', 'snapszer', 'two-colour')).toBe('/cards/french/two/JS.svg');
  });

  test('a card that is not seen shows its back', () => {
    expect(faceUrl(null, 'hearts', 'two-colour')).toBe('/cards/back.svg');
  });
});

describe('names', () => {
  test('a card in full words', () => {
    expect(cardName('KS', 'hokm')).toBe('King of spades');
    expect(cardName('JO', 'sheephead')).toBe('Joker');
    expect(cardName('Ta', 'snapszer')).toBe('Ten of acorns');
    expect(cardName('Ja', 'snapszer')).toBe('Alsó of acorns');
    expect(cardName('Ja', 'snapszer', 'two-colour')).toBe('Jack of clubs');
  });

  test('a card in short', () => {
    expect(shortCard('KS', 'hokm')).toBe('K♠');
    expect(shortCard('TH', 'hokm')).toBe('10♥');
    expect(shortCard('Ta', 'snapszer')).toBe('makk X');
    expect(shortCard('Ta', 'snapszer', 'two-colour')).toBe('10♣');
  });

  test('a suit, also in the language of the game', () => {
    expect(suitName('l', 'snapszer')).toBe('Leaves');
    expect(ownSuitWord('S', 'hokm')).toBe('پیک');
    expect(ownSuitWord('S', 'sheephead')).toBe('spades');
  });
});

describe('phrases of the wire', () => {
  const table = tableOf('coinche');

  test('cards and suits are put into words', () => {
    expect(fillPhrase({ key: 'coinche.why.follow', args: { suit: 'H' } }, table)).toBe(
      'You must follow hearts.',
    );
    expect(fillPhrase({ key: 'coinche.why.overtrump', args: { card: '9H' } }, table)).toBe(
      'You cannot follow: you must play a higher trump than the nine of hearts.',
    );
  });

  test('a seat is who sits there, and the viewer is spoken to', () => {
    expect(fillPhrase({ key: 'coinche.result.belote', args: { seat: 2 } }, table)).toBe(
      'C had the belote.',
    );
    expect(fillPhrase({ key: 'coinche.result.belote', args: { seat: 0 } }, table)).toBe(
      'You had the belote.',
    );
  });

  test('with more people than seats, a seat is who sits there in this deal', () => {
    const moved = { ...table, info: { ...table.info, seats: [3, 0, 1, 2], viewer: 1 } };
    expect(fillPhrase({ key: 'coinche.result.belote', args: { seat: 0 } }, moved)).toBe(
      'D had the belote.',
    );
  });

  test('a choice is told as its game does it', () => {
    const told = (game: string, phase: string, choice: string) =>
      fillPhrase({ key: 'hint.as-good', args: { choice, phase } }, tableOf(game));
    expect(told('coinche', 'bid', '80S')).toBe('Just as good: bid 80 spades.');
    expect(told('coinche', 'bid', '250H')).toBe('Just as good: bid capot in hearts.');
    expect(told('coinche', 'bid', 'P')).toBe('Just as good: pass.');
    expect(told('hokm', 'trump', 'C')).toBe('Just as good: make clubs trump.');
    expect(told('sheephead', 'declare', 'alone')).toBe('Just as good: play alone.');
    expect(told('sheephead', 'bury', 'KH')).toBe('Just as good: bury the king of hearts.');
    expect(told('snapszer', 'lead', 'marry:b')).toContain('marriage in bells');
    expect(told('hearts', 'play', 'QS')).toBe('Just as good: the queen of spades.');
  });

  test('another seat may be spoken of beside the first', () => {
    const args = { seat: 2, other: 0 };
    expect(fillPhrase({ key: '{Seat} and {other}', args }, table)).toBe('C and you');
    expect(fillPhrase({ key: '{seat} and {Other}', args: { seat: 0, other: 1 } }, table)).toBe(
      'you and B',
    );
  });

  test('several cards, on the cards in use', () => {
    const phrase = { key: 'snapszer.why.marriage', args: { cards: 'Kb Qb' } };
    const two = tableOf('snapszer');
    expect(fillPhrase(phrase, two)).toContain('king of bells, felső of bells');
    expect(fillPhrase(phrase, two, 'two-colour')).toContain('king of diamonds, queen of diamonds');
  });
});
