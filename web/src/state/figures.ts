/** Numbers as they are written: points with their sign and error, shares, intervals. */
import type { Interval } from '../wire';

/** Points with a sign, and no more digits than matter: +3.24, −12.5, +131. */
export function points(value: number): string {
  const size = Math.abs(value);
  const text = size.toFixed(digitsOf(size));
  if (Number(text) === 0) return '0';
  return (value < 0 ? '−' : '+') + text;
}

/** Standard errors within which the truth lies in 95 of 100 cases: what ± means on the page. */
const SURE = 2;

/** What follows ± beside a value with this standard error, as exact as the value is. */
export function errorOf(error: number, beside: number): string {
  return (SURE * error).toFixed(digitsOf(Math.abs(beside)));
}

/** A cost with its error; it has no sign. */
export function costWithError(cost: number, error: number): string {
  const size = Math.max(0, cost);
  const text = size.toFixed(digitsOf(size));
  return Number(text) === 0 && error === 0 ? '0' : `${text} ± ${errorOf(error, size)}`;
}

/** Points with their error: +3.24 ± 0.82. */
export function withError(value: number, error: number | null | undefined): string {
  return typeof error === 'number' ? `${points(value)} ± ${errorOf(error, value)}` : points(value);
}

/** A share of one as a whole percentage; 0 and 100 only if there is no exception. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  if (whole === 0 && share > 0) return '<1%';
  if (whole === 100 && share < 1) return '>99%';
  return `${whole}%`;
}

/** A mean with half of its interval, each put into words by `told`. */
export function withInterval(
  { mean, low, high }: Interval,
  told: (value: number) => string,
): string {
  return `${told(mean)} (${told(low)} … ${told(high)})`;
}

function digitsOf(size: number): number {
  if (size >= 100) return 0;
  return size >= 10 ? 1 : 2;
}
