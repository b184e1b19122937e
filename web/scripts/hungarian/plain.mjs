/** What decks share: the back, and the joker of Sheephead. */

const open =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-120 -168 240 336" width="240" height="336">';

const SUITS = [
  'M50 6C60 26 92 40 92 64C92 86 66 92 55 72C56 84 60 90 66 94H34C40 90 44 84 45 72C34 92 8 86 8 64C8 40 40 26 50 6Z',
  'M50 94C42 74 8 56 8 32C8 8 40 4 50 28C60 4 92 8 92 32C92 56 58 74 50 94Z',
  'M50 6C66 6 76 22 66 40C62 46 64 47 68 43C82 34 96 44 95 60C94 80 66 86 55 68C55 82 60 90 66 94H34C40 90 45 82 45 68C34 86 6 80 5 60C4 44 18 34 32 43C36 47 38 46 34 40C24 22 34 6 50 6Z',
  'M50 4C60 24 72 38 86 50C72 62 60 76 50 96C40 76 28 62 14 50C28 38 40 24 50 4Z',
];

/** A lattice of lozenges in a frame, round a medallion of the four suits. */
export function back() {
  const dots = [];
  for (let row = -9; row <= 9; row++)
    for (let column = -6; column <= 6; column++) {
      if ((row + column) % 2) continue;
      const [x, y] = [column * 16, row * 16];
      if (Math.abs(x) > 98 || Math.abs(y) > 146 || Math.hypot(x, y) < 56) continue;
      dots.push(`<use href="#d" x="${x}" y="${y}"/>`);
    }
  const suits = SUITS.map(
    (path, place) =>
      `<g transform="rotate(${90 * place}) translate(0 -25) rotate(${-90 * place}) scale(.26)"><path transform="translate(-50 -50)" d="${path}" fill="${place % 2 ? '#e8695f' : '#f7ecd0'}"/></g>`,
  ).join('');
  return `${open}<defs><path id="d" d="M0-6L4.5 0L0 6L-4.5 0Z" fill="none" stroke="#d9b45b" stroke-width="1.1"/>
<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#1c5674"/><stop offset="1" stop-color="#0f3348"/></linearGradient></defs>
<rect x="-119.5" y="-167.5" width="239" height="335" rx="12" fill="#fbf6e8" stroke="#2a1c12"/>
<rect x="-109" y="-157" width="218" height="314" rx="7" fill="url(#g)"/>
<rect x="-104" y="-152" width="208" height="304" rx="5" fill="none" stroke="#d9b45b" stroke-width="1.6"/>
<path d="M-104-8L-8-152M104-8L8-152M-104 8L-8 152M104 8L8 152" stroke="#d9b45b" stroke-opacity=".35"/>
${dots.join('')}
<circle r="54" fill="#0f3348" stroke="#d9b45b" stroke-width="2.4"/><circle r="48" fill="#17475f" stroke="#d9b45b" stroke-width="1"/>
${suits}<path d="M-22-22L22 22M-22 22L22-22" stroke="#d9b45b" stroke-width="1.2"/><circle r="6" fill="#d9b45b"/><circle r="3" fill="#17475f"/></svg>`;
}

/** A fool's cap over a smile, with a star and the letters down the edge. */
export function joker(red, green) {
  const corner = `<g><path d="M-102-152l3 8.4h8.8l-7.2 5.4l2.7 8.6l-7.3-5.2l-7.3 5.2l2.7-8.6l-7.2-5.4h8.8Z" fill="${red}"/>
${[...'JOKER'].map((letter, place) => `<text x="-102" y="${-110 + place * 19}" font-size="19" text-anchor="middle" font-weight="700" font-family="Georgia,'Noto Serif','DejaVu Serif',serif">${letter}</text>`).join('')}</g>`;
  const bell = (x, y) =>
    `<circle cx="${x}" cy="${y}" r="7.5" fill="#f6c22d" stroke="#2a1c12" stroke-width="1.6"/><path d="M${x - 4} ${y + 2}H${x + 4}" stroke="#2a1c12" stroke-width="1.6"/>`;
  return `${open}<rect x="-119.5" y="-167.5" width="239" height="335" rx="12" fill="white" stroke="black"/>${corner}<g transform="rotate(180)">${corner}</g>
<g stroke="#2a1c12" stroke-width="2" stroke-linejoin="round">
<path d="M-46 84L-66 120L-40 108L-30 138L-8 110L0 142L10 110L32 138L40 108L66 120L46 84Z" fill="#f6c22d"/>
<path d="M-44 40C-46 96-20 104 0 104C20 104 46 96 44 40Z" fill="${green}"/><path d="M0 40V104C20 104 46 96 44 40Z" fill="${red}"/>
<path d="M-40-6C-42 44-20 70 0 70C20 70 42 44 40-6Z" fill="#f3cfa8"/>
<path d="M-44 6C-50-40-84-44-82-4C-104-74-44-96-30-62C-34-108 30-112 30-62C44-96 104-74 82-4C84-44 50-40 44 6C20-10-20-10-44 6Z" fill="${red}"/>
<path d="M-44 6C-50-40-84-44-82-4C-104-74-44-96-30-62C-26-34-22-16-20-3C-30-1-38 2-44 6Z" fill="${green}"/>
<path d="M44 6C50-40 84-44 82-4C104-74 44-96 30-62C26-34 22-16 20-3C30-1 38 2 44 6Z" fill="${green}"/></g>
<path d="M-24 14q7-7 14 0M10 14q7-7 14 0" fill="none" stroke="#2a1c12" stroke-width="2.6" stroke-linecap="round"/>
<path d="M0 18L-5 34H4" fill="none" stroke="#8a5a3a" stroke-width="2"/>
<path d="M-20 42C-10 58 10 58 20 42C8 48-8 48-20 42Z" fill="#b3262e" stroke="#2a1c12" stroke-width="1.6"/>
<circle cx="-26" cy="34" r="6" fill="#e58f7a" opacity=".7"/><circle cx="26" cy="34" r="6" fill="#e58f7a" opacity=".7"/>
${bell(-82, 2)}${bell(82, 2)}${bell(0, -102)}${bell(-66, 122)}${bell(66, 122)}${bell(-30, 140)}${bell(32, 140)}${bell(0, 145)}</svg>`;
}
