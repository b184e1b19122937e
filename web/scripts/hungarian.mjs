/**
 * Draws the project's own cards into public/cards: the Hungarian deck of Snapszer, the back and
 * the joker. `node scripts/hungarian.mjs`; the files are kept, so that a build needs no run.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { aceHalf, SEASONS } from './hungarian/aces.mjs';
import { courtHalf, NAMES } from './hungarian/courts.mjs';
import { back, joker } from './hungarian/plain.mjs';
import { SIGNS, sign, signOf } from './hungarian/signs.mjs';

const OUT = new URL('../public/cards/', import.meta.url);
const INK = '#2a1c12';
const SERIF = `font-family="Georgia,'Noto Serif','DejaVu Serif',serif" font-weight="700"`;
const INDEX = { J: 'AL', Q: 'FE', K: 'KI', T: 'X', A: 'Á' };
const COLOUR = { h: '#b8141f', b: '#b3530b', l: '#1f6b26', a: '#5a3512' };

/** Index and small sign as they show in a fan. */
function corner(rank, suit) {
  const text = INDEX[rank];
  const size = text === 'X' ? 38 : text === 'Á' ? 33 : 28;
  const width = text.length === 1 ? '' : ' textLength="34" lengthAdjust="spacingAndGlyphs"';
  return `<text x="-97.500" y="-130" font-size="${size}" text-anchor="middle"${width} ${SERIF} fill="${COLOUR[suit]}">${text}</text>${sign(suit, -98, -106, 34)}`;
}

/** Both halves, the lower one turned. */
const twice = (half, name) =>
  `<g id="${name}">${half}</g><use href="#${name}" transform="rotate(180)"/>`;

const FRAME = `<rect x="-78" y="-150" width="156" height="300" rx="6" fill="none" stroke="${INK}" stroke-width="1.400"/>`;

/** A framed picture of two halves, cut off at the middle. */
const framed = (half) => `${twice(`<g clip-path="url(#u)">${half}</g>`, 'p')}${FRAME}`;

const ribbon = (word, fill) =>
  `<path d="M-84-10H84L78 0L84 10H-84L-78 0Z" fill="${fill}" stroke="${INK}" stroke-width="1.400"/>
<text y="4.800" font-size="13.500" text-anchor="middle" letter-spacing="4" ${SERIF} fill="${INK}">${word}</text>`;

/** Ten signs, four in each outer row; and a numeral in the middle. */
function ten(suit) {
  const half = [
    [-38, -122],
    [38, -122],
    [-38, -56],
    [38, -56],
    [0, -89],
  ]
    .map(([x, y]) => sign(suit, x, y, 50))
    .join('');
  return `${twice(half, 'p')}${FRAME}
<text y="10" font-size="28" text-anchor="middle" ${SERIF} fill="${INK}">X</text><path d="M-60 0H-22M22 0H60" stroke="${INK}" stroke-width="1.200"/>`;
}

function picture(rank, suit) {
  if (rank === 'T') return ten(suit);
  if (rank === 'A') return `${framed(aceHalf(suit))}${ribbon(SEASONS[suit], '#f6e7c0')}`;
  return `${framed(courtHalf(rank, suit))}${ribbon(NAMES[rank], '#f3e3bb')}`;
}

function face(rank, suit) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-120 -168 240 336" width="240" height="336"><defs>${signOf(suit)}<clipPath id="u"><path d="M-78 0V-144a6 6 0 0 1 6-6H72a6 6 0 0 1 6 6V0Z"/></clipPath></defs>
<rect x="-119.500" y="-167.500" width="239" height="335" rx="12" fill="#fffdf5" stroke="black"/>
${twice(corner(rank, suit), 'i')}${picture(rank, suit)}</svg>`;
}

/** Without line ends and needless zeros. */
const tidy = (svg) =>
  `${svg
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(\.\d*?)0+(?=[^\d])/g, (_, tail) => (tail === '.' ? '' : tail))
    .replace(/> </g, '><')}\n`;

mkdirSync(new URL('hungarian/', OUT), { recursive: true });
for (const suit of Object.keys(SIGNS)) {
  for (const rank of 'JQKTA')
    writeFileSync(new URL(`hungarian/${rank}${suit}.svg`, OUT), tidy(face(rank, suit)));
  const alone = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-60 -60 120 120" width="120" height="120">${SIGNS[suit]}</svg>`;
  writeFileSync(new URL(`hungarian/suit-${suit}.svg`, OUT), tidy(alone));
}
writeFileSync(new URL('back.svg', OUT), tidy(back()));
for (const folder of ['two', 'four'])
  writeFileSync(new URL(`french/${folder}/JO.svg`, OUT), tidy(joker('#c8202c', '#1f7a4a')));
