/** The aces: a suit sign in a wreath of its season. Hearts spring, bells summer, leaves autumn, acorns winter. */
import { sign } from './signs.mjs';

const INK = '#2a1c12';
export const SEASONS = { h: 'TAVASZ', b: 'NYÁR', l: 'ŐSZ', a: 'TÉL' };

/** `count` copies of a drawing around the middle, `radius` away, looking outwards. */
function ring(drawing, count, radius, start = 0) {
  return Array.from({ length: count }, (_, place) => {
    const turn = start + (360 / count) * place;
    return `<g transform="rotate(${turn}) translate(0 ${-radius})">${drawing}</g>`;
  }).join('');
}

const petal = (fill) =>
  `<ellipse cy="-6" rx="4.6" ry="6" fill="${fill}" stroke="#a2486a" stroke-width=".9"/>`;
const flower = (fill) =>
  `${[0, 72, 144, 216, 288].map((turn) => `<g transform="rotate(${turn})">${petal(fill)}</g>`).join('')}
<circle r="3.4" fill="#f6c22d" stroke="#8a5a0a" stroke-width=".8"/>`;
const sprig = `<path d="M0 8C-7 4-8-6 0-11C8-6 7 4 0 8Z" fill="#6bb04a" stroke="#2c6a26" stroke-width="1"/>
<path d="M0 6V-8" stroke="#2c6a26" stroke-width=".9"/>`;
const bud = '<circle r="2.6" fill="#e0446a" stroke="#8d1f3c" stroke-width=".7"/>';

const ear = `<path d="M0 14V-4" stroke="#a5781a" stroke-width="1.6"/>
${[-1, 1].map((side) => [6, 1, -4, -9].map((y) => `<ellipse cx="${side * 3.6}" cy="${y}" rx="2.4" ry="4.4" transform="rotate(${side * 28} ${side * 3.6} ${y})" fill="#f0c64a" stroke="#8a5a0a" stroke-width=".8"/>`).join('')).join('')}
<ellipse cy="-14" rx="2.4" ry="4.8" fill="#f0c64a" stroke="#8a5a0a" stroke-width=".8"/>`;
const ray = '<path d="M-6.5 6L0-13L6.5 6Z" fill="#f7b32b" stroke="#b5640c" stroke-width="1"/>';
const poppy = `<circle r="5.6" fill="#df3426" stroke="#7d120c" stroke-width="1"/><circle r="2" fill="${INK}"/>`;

const grapes = `${[
  [-6, -6],
  [0, -6],
  [6, -6],
  [-3, -1],
  [3, -1],
  [0, 4],
]
  .map(
    ([x, y]) =>
      `<circle cx="${x}" cy="${-y}" r="3.7" fill="#6d3b8c" stroke="#391c4d" stroke-width=".8"/><circle cx="${x - 1.1}" cy="${-y - 1.2}" r="1" fill="#cfb3e6"/>`,
  )
  .join('')}<path d="M0 9V14" stroke="#6a4a1c" stroke-width="1.8"/>`;
const vine = (fill) =>
  `<path d="M0 10C-5 8-12 8-11 2C-15-1-11-6-7-6C-7-11-2-12 0-15C2-12 7-11 7-6C11-6 15-1 11 2C12 8 5 8 0 10Z"
  fill="${fill}" stroke="#6b2a0c" stroke-width="1"/><path d="M0 9V-9M0 3L-7-1M0 3L7-1" stroke="#6b2a0c" stroke-width=".9" fill="none"/>`;

const fir = `<path d="M0 12V-13" stroke="#5a3d1a" stroke-width="1.5"/>
${[8, 4, 0, -4, -8].map((y) => `<path d="M0 ${y}L-${6.5 - Math.abs(y) / 4} ${y - 5}M0 ${y}L${6.5 - Math.abs(y) / 4} ${y - 5}" stroke="#2b6b4b" stroke-width="1.9" stroke-linecap="round"/>`).join('')}`;
const flake = `${[0, 60, 120].map((turn) => `<path transform="rotate(${turn})" d="M0-9V9M-3-7L0-4L3-7M-3 7L0 4L3 7" stroke="#4d86b8" stroke-width="1.6" fill="none" stroke-linecap="round"/>`).join('')}`;
const berry = '<circle r="2.4" fill="#c9202c" stroke="#6e0c15" stroke-width=".7"/>';

const circle = (radius, stroke, width) =>
  `<circle r="${radius}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;

const WREATHS = {
  h:
    circle(47, '#7a5a2a', 2.4) +
    ring(sprig, 12, 50, 15) +
    ring(flower('#fbd3de'), 6, 48) +
    ring(flower('#fff'), 6, 48, 30) +
    ring(bud, 12, 60, 15),
  b: ring(ray, 24, 46) + circle(40, '#b5640c', 1.6) + ring(ear, 8, 52, 22.5) + ring(poppy, 8, 51),
  l:
    circle(46, '#6a4a1c', 2.4) +
    ring(vine('#d9772b'), 5, 50) +
    ring(vine('#e7b23c'), 5, 50, 36) +
    ring(grapes, 5, 50, 18) +
    ring(vine('#b2401f'), 5, 49, 54),
  a:
    circle(46, '#5a3d1a', 2) +
    ring(fir, 16, 50, 11.25) +
    ring(flake, 8, 52) +
    ring(berry, 8, 40, 22.5),
};

/** The upper half of an ace; the whole card is this and the same turned. */
export function aceHalf(suit) {
  return `<g transform="translate(0 -77)">${WREATHS[suit]}</g>${sign(suit, 0, -77, 66)}`;
}
