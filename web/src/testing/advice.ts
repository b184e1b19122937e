/** Hints and analyses for tests, told as the service tells them. */
import type { Analysis, BarTold, HintTold, JudgedChoice } from '../wire';

export function bar(choice: number, told: Partial<BarTold> = {}): BarTold {
  return {
    choice,
    text: String(choice),
    card: null,
    probability: 0.5,
    payoff: 1,
    error: 0.2,
    visits: 10,
    best: false,
    shade: 0.5,
    ...told,
  };
}

export function analysis(told: Partial<Analysis> = {}): Analysis {
  return {
    kind: 'analysis',
    deal: 0,
    number: 3,
    done: 20,
    of: 200,
    worlds: 30,
    value: 1.5,
    error: 0.25,
    bars: [],
    over: false,
    preparing: null,
    ...told,
  };
}

export function judged(text: string, told: Partial<JudgedChoice> = {}): JudgedChoice {
  return {
    choice: 0,
    text,
    card: text,
    payoff: 1,
    error: 0.2,
    cost: 0,
    cost_error: 0,
    takes: null,
    ...told,
  };
}

export function hintTold(told: Partial<HintTold> = {}): HintTold {
  const choices = [
    judged('KS', { choice: 7, payoff: 2 }),
    judged('2C', { choice: 8, payoff: 0.5, cost: 1.5, cost_error: 0.3 }),
  ];
  return {
    kind: 'hint',
    deal: 0,
    number: 3,
    hint: {
      choice: 7,
      text: 'KS',
      card: 'KS',
      payoff: 2,
      error: 0.2,
      choices,
      worlds: 160,
      exact: false,
      phrases: [{ key: 'review.trick.took', args: { seat: 0 } }],
    },
    re: null,
    ...told,
  };
}
