/** The four suit signs, each in a square of 100 by 100 around its middle. */

const INK = '#2a1c12';

const HEART = `
<path d="M0 46C-6 30-44 12-44-16C-44-42-10-46 0-20C10-46 44-42 44-16C44 12 6 30 0 46Z"
  fill="#d3202c" stroke="#6e0c15" stroke-width="3" stroke-linejoin="round"/>
<path d="M-34-20C-34-32-22-37-14-30" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="5"
  stroke-linecap="round"/>
<path d="M6 30C22 18 36 6 36-12" fill="none" stroke="#8f1019" stroke-width="4" stroke-linecap="round"/>`;

const BELL = `
<path d="M-7-40a7 7 0 1 1 14 0" fill="none" stroke="#8a5a0a" stroke-width="5"/>
<path d="M-38 5A38 38 0 0 1 38 5Z" fill="#f6c22d"/>
<path d="M-38 5A38 38 0 0 0 38 5Z" fill="#d9382a"/>
<path d="M-38 4Q0 16 38 4L37 14Q0 27-37 14Z" fill="#2f7a3c" stroke="${INK}" stroke-width="2"/>
<path d="M-38-4Q0 8 38-4L38 4Q0 16-38 4Z" fill="#f6c22d" stroke="${INK}" stroke-width="2"/>
<circle cy="5" r="38" fill="none" stroke="${INK}" stroke-width="3"/>
<path d="M0 22V38M-11 30H11" stroke="${INK}" stroke-width="4.5" stroke-linecap="round"/>
<path d="M-25-10C-22-20-14-26-5-28" fill="none" stroke="#fff" stroke-opacity=".8" stroke-width="5"
  stroke-linecap="round"/>`;

const LEAF = `
<path d="M0 30C2 38 0 44-6 49" fill="none" stroke="#22591f" stroke-width="6" stroke-linecap="round"/>
<path d="M0-48C8-34 16-30 24-22C40-8 46 8 40 20C34 32 14 34 0 26C-14 34-34 32-40 20C-46 8-40-8-24-22C-16-30-8-34 0-48Z"
  fill="#3d9a3b" stroke="#194f1c" stroke-width="3" stroke-linejoin="round"/>
<path d="M0-40C8-28 16-24 22-18C36-6 42 8 36 18C30 28 12 30 0 24Z" fill="#2f7f31"/>
<path d="M0-36V30M0-12L-17-21M0-12L17-21M0 4L-30-6M0 4L30-6M0 18L-30 12M0 18L30 12" fill="none"
  stroke="#cfe8a8" stroke-width="2.6" stroke-linecap="round"/>`;

const ACORN = `
<path d="M0 36C0 42 3 46 8 49" fill="none" stroke="#4a3314" stroke-width="6" stroke-linecap="round"/>
<path d="M0-49C4-42 10-40 17-33C27-23 29-8 27 8H-27C-29-8-27-23-17-33C-10-40-4-42 0-49Z"
  fill="#cf8a2c" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
<path d="M3-42C12-36 22-26 23-8C24 0 24 4 24 8H6C10-10 10-26 3-42Z" fill="#a2601b"/>
<path d="M-17-22C-20-14-21-6-20 2" fill="none" stroke="#ffe3a6" stroke-width="4.5" stroke-linecap="round"/>
<path d="M-36 8C-36 0-28-2-20-1C-8 2 8 2 20-1C28-2 36 0 36 8C34 28 16 38 0 38C-16 38-34 28-36 8Z"
  fill="#5d8a2d" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
<path d="M-33 14Q-16 22 0 22T33 14M-26 25Q-12 31 0 31T26 25M-24 4L-14 34M-8 5L0 37M8 5L0 37M24 4L14 34"
  fill="none" stroke="#2f4f17" stroke-width="2.2"/>`;

export const SIGNS = { h: HEART, b: BELL, l: LEAF, a: ACORN };

/** A suit sign of a given height with its middle at x, y; turned upside down on request. */
export function sign(suit, x, y, height, turned = false) {
  const turn = turned ? ' rotate(180)' : '';
  return `<use href="#s" transform="translate(${x} ${y})${turn} scale(${height / 100})"/>`;
}

/** What `sign` refers to. */
export function signOf(suit) {
  return `<g id="s">${SIGNS[suit]}</g>`;
}
