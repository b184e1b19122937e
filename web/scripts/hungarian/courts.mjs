/** Alsó, felső and király: the upper half of each, in the colours of its suit. */
import { sign } from './signs.mjs';

const INK = '#2a1c12';
const SKIN = '#f2cfa9';
const LINE = `stroke="${INK}" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round"`;

/** Coat, second colour, trimming, hair. */
const COLOURS = {
  h: ['#b3202c', '#24457f', '#f0c64a', '#6b3d1e'],
  b: ['#e0a526', '#94261f', '#2f6b3a', '#3a2617'],
  l: ['#2f7a3c', '#a3262a', '#f0c64a', '#a8752c'],
  a: ['#7a4a22', '#35602c', '#f0c64a', '#8b8378'],
};
export const NAMES = { J: 'ALSÓ', Q: 'FELSŐ', K: 'KIRÁLY' };

const head = (hair) => `
<path d="M-25-74C-28-106 28-106 25-74C27-64 24-54 19-52H-19C-24-54-27-64-25-74Z" fill="${hair}" ${LINE}/>
<path d="M-9-62V-44Q0-36 9-44V-62Z" fill="#e2b78c" ${LINE}/>
<path d="M-19-84C-20-66-12-53 0-53C12-53 20-66 19-84C18-98-18-98-19-84Z" fill="${SKIN}" ${LINE}/>
<path d="M-13-81Q-8-85-4-81Q-8-78.5-13-81ZM13-81Q8-85 4-81Q8-78.5 13-81Z" fill="#fff" stroke="${INK}" stroke-width="1"/>
<circle cx="-8.3" cy="-81.4" r="1.8" fill="${INK}"/><circle cx="8.3" cy="-81.4" r="1.8" fill="${INK}"/>
<path d="M-14-87Q-8.500-90.500-3-87M14-87Q8.500-90.500 3-87" fill="none" stroke="${hair}" stroke-width="2.4" stroke-linecap="round"/>
<path d="M1-82L3-71Q0-69-3-71" fill="none" stroke="#8a5a3a" stroke-width="1.4" stroke-linecap="round"/>
<ellipse cx="-12" cy="-72" rx="4" ry="3" fill="#e58f7a" opacity=".55"/><ellipse cx="12" cy="-72" rx="4" ry="3" fill="#e58f7a" opacity=".55"/>
<path d="M-5.500-63.500Q0-60.500 5.500-63.500" fill="none" stroke="#a2332c" stroke-width="2" stroke-linecap="round"/>`;

const moustache = (hair) =>
  `<path d="M0-68C-5-70-9-66-17-69C-15-62-6-62 0-66C6-62 15-62 17-69C9-66 5-70 0-68Z" fill="${hair}" stroke="${INK}" stroke-width="1"/>`;
const beard = (hair) =>
  `<path d="M-20-80C-21-58-14-36 0-34C14-36 21-58 20-80C17-70 12-68 7-66Q0-62-7-66C-12-68-17-70-20-80Z" fill="${hair}" ${LINE}/>
<path d="M-12-58C-10-48-6-42-3-39M12-58C10-48 6-42 3-39M0-56V-38" fill="none" stroke="${INK}" stroke-opacity=".5" stroke-width="1"/>
<path d="M-6-63Q0-59 6-63Z" fill="#a2332c"/>`;

const hatch = (lines) =>
  `<path d="${lines}" fill="none" stroke="${INK}" stroke-opacity=".35" stroke-width="1.1"/>`;
const hand = (x, y) => `<circle cx="${x}" cy="${y}" r="6.2" fill="${SKIN}" ${LINE}/>`;

/** Robe with an ermine collar, the crown with its leaning cross, a sceptre and an orb. */
function king(suit) {
  const [coat, second, trim, hair] = COLOURS[suit];
  const spots = [-44, -30, -15, 15, 30, 44]
    .map((x) => `<path d="M${x}-${30 + (46 - Math.abs(x)) / 6}l2.400 7h-4.800Z" fill="${INK}"/>`)
    .join('');
  const points = [-22, -11, 0, 11, 22];
  return `
<path d="M-76 2C-76-34-54-44-24-48H24C54-44 76-34 76 2Z" fill="${coat}" ${LINE}/>
${hatch('M-66 0C-66-14-62-24-56-30M-54 0C-54-10-52-18-48-24M66 0C66-14 62-24 56-30M54 0C54-10 52-18 48-24')}
<path d="M-22 0L-14-44H14L22 0Z" fill="${second}" ${LINE}/>
<path d="M-12-8h24M-14 0h28M-10-16h20M-8-24h16" stroke="${trim}" stroke-width="3"/>
<path d="M-60-24C-44-40-26-48-20-52C-16-40-6-32 0-30C6-32 16-40 20-52C26-48 44-40 60-24C44-22 20-18 0-12C-20-18-44-22-60-24Z" fill="#fbf6ea" ${LINE}/>${spots}
${head(hair)}${beard(hair)}${moustache(hair)}
<path d="M-25-92Q0-101 25-92L27-106Q0-116-27-106Z" fill="${trim}" ${LINE}/>
<path d="M-24-108Q-20-128 0-131Q20-128 24-108Q0-116-24-108Z" fill="${second}" ${LINE}/>
<path d="M-6-113Q-6-128 0-131Q6-128 6-113Z" fill="${trim}" ${LINE}/>
${points.map((x) => `<circle cx="${x}" cy="${-101 - (22 - Math.abs(x)) / 7}" r="2.900" fill="${x % 2 ? '#2b7fb8' : '#c9202c'}" stroke="${INK}" stroke-width=".8"/>`).join('')}
<g transform="rotate(14 0 -131)"><path d="M0-131V-146M-5-140H5" stroke="${INK}" stroke-width="4.400" stroke-linecap="round"/><path d="M0-131V-146M-5-140H5" stroke="${trim}" stroke-width="2.200" stroke-linecap="round"/></g>
<path d="M57-6L57-92" stroke="${INK}" stroke-width="6.400" stroke-linecap="round"/><path d="M57-6L57-92" stroke="${trim}" stroke-width="3.400" stroke-linecap="round"/>
<path d="M57-92C46-96 46-112 57-118C68-112 68-96 57-92Z" fill="${second}" ${LINE}/><circle cx="57" cy="-105" r="4" fill="${trim}" ${LINE}/>
<path d="M38 2C38-14 44-24 56-30L64-22C56-16 54-8 54 2Z" fill="${coat}" ${LINE}/>${hand(57, -29)}
${sign(suit, -55, -121, 42)}`;
}

/** An officer: a fur hat with a plume, a braided coat and a sabre. The sign is above. */
function felso(suit) {
  const [coat, second, trim, hair] = COLOURS[suit];
  const braid = [-6, -16, -26, -36]
    .map(
      (y) =>
        `<path d="M-${24 + y / 6} ${y}Q0 ${y + 5} ${24 + y / 6} ${y}" fill="none" stroke="${trim}" stroke-width="2.600"/><circle cx="0" cy="${y + 2.4}" r="2.200" fill="${trim}" stroke="${INK}" stroke-width=".7"/>`,
    )
    .join('');
  return `
<path d="M-60 2C-60-32-46-42-20-48H20C46-42 60-32 60 2Z" fill="${coat}" ${LINE}/>
${hatch('M-50 0C-50-14-47-22-42-28M-42 0C-42-10-40-16-37-20M50 0C50-14 47-22 42-28')}
<path d="M-20-48Q0-34 20-48L16-54H-16Z" fill="${second}" ${LINE}/>${braid}
<path d="M-58-8C-30-30-6-40 14-46L22-40C2-32-26-16-52 4Z" fill="${second}" ${LINE}/>
<path d="M-61-12C-66-30-52-42-36-43C-28-38-32-26-40-22C-48-20-56-18-61-12Z" fill="${trim}" ${LINE}/>
<path d="M61-12C66-30 52-42 36-43C28-38 32-26 40-22C48-20 56-18 61-12Z" fill="${trim}" ${LINE}/>
${hatch('M-58-18l4 5M-53-22l4 5M-47-25l3 5M58-18l-4 5M53-22l-4 5M47-25l-3 5')}
${head(hair)}${moustache(hair)}
<path d="M-27-88C-31-112-26-126-20-131H20C26-126 31-112 27-88C10-97-10-97-27-88Z" fill="${second}" ${LINE}/>
<path d="M-28-88C-30-96-30-98-29-102C-10-111 10-111 29-102C30-98 30-96 28-88C10-97-10-97-28-88Z" fill="#4a3320" ${LINE}/>
${hatch('M-22-95l-2-6M-15-98l-1-6M-7-100l0-6M1-101l0-6M9-100l1-6M16-98l2-6M23-95l2-6')}
<path d="M10-112C18-138 34-148 46-140C40-138 44-132 36-130C40-126 32-122 30-122C30-116 20-112 14-106Z" fill="#fbf6ea" ${LINE}/>
<path d="M13-109C20-124 28-134 40-139" fill="none" stroke="${INK}" stroke-width="1"/><circle cx="12" cy="-109" r="5" fill="${trim}" ${LINE}/>
<path d="M54-30C58-60 62-88 74-116C78-88 72-56 62-28Z" fill="#dfe6ea" ${LINE}/><path d="M58-30C62-60 66-84 73-108" fill="none" stroke="#8fa0aa" stroke-width="1.400"/>
<path d="M46-30Q58-36 72-26" fill="none" stroke="${INK}" stroke-width="6" stroke-linecap="round"/><path d="M46-30Q58-36 72-26" fill="none" stroke="${trim}" stroke-width="3.200" stroke-linecap="round"/>
<path d="M40 2C40-10 46-18 54-22L64-14C58-10 56-4 56 2Z" fill="${coat}" ${LINE}/>${hand(59, -20)}
${sign(suit, -54, -118, 44)}`;
}

/** What the alsó carries, upright beside him. */
const CARRIED = {
  h: '<path d="M0 0V-84" stroke="#3f7a35" stroke-width="3.600"/><path d="M0-40C-12-44-14-54-12-58C-4-56 0-50 0-40ZM0-54C10-58 12-66 10-70C3-68 0-62 0-54Z" fill="#4f9a3e" stroke="#2a1c12" stroke-width="1.200"/><circle cy="-92" r="12" fill="#d3202c" stroke="#2a1c12" stroke-width="1.600"/><path d="M-6-92a6 6 0 1 1 6 6M-2-92a3 3 0 0 1 5 1" fill="none" stroke="#6e0c15" stroke-width="1.600"/>',
  b: '<path d="M-4 0L-4-70" stroke="#2a1c12" stroke-width="6" stroke-linecap="round"/><path d="M-4 0L-4-70" stroke="#b5772b" stroke-width="3.400" stroke-linecap="round"/><path d="M-4-70C-4-84-14-96-16-106C-2-114 10-112 16-102C6-98 2-84 2-70Z" fill="#f0c64a" stroke="#2a1c12" stroke-width="1.600"/><path d="M-15-104C-4-110 8-108 15-101" fill="none" stroke="#8a5a0a" stroke-width="1.600"/>',
  l: '<path d="M-6 4C20-20 20-84-6-108" fill="none" stroke="#2a1c12" stroke-width="6" stroke-linecap="round"/><path d="M-6 4C20-20 20-84-6-108" fill="none" stroke="#b5772b" stroke-width="3.400" stroke-linecap="round"/><path d="M-6 4V-108" stroke="#2a1c12" stroke-width="1"/>',
  a: '<path d="M0 2V-104" stroke="#2a1c12" stroke-width="6" stroke-linecap="round"/><path d="M0 2V-104" stroke="#a9713a" stroke-width="3.400" stroke-linecap="round"/><path d="M-2-104C-18-108-22-94-18-78C-12-84-6-86-2-86Z" fill="#dfe6ea" stroke="#2a1c12" stroke-width="1.600"/><path d="M2-100L14-95L2-90Z" fill="#dfe6ea" stroke="#2a1c12" stroke-width="1.600"/>',
};

/** A young man in a soft cap and a plain coat. The sign is below. */
function also(suit) {
  const [coat, second, trim, hair] = COLOURS[suit];
  return `<g transform="translate(6 0)">
<path d="M-42 2C-46-30-38-42-18-47H20C44-42 54-30 54 2Z" fill="${coat}" ${LINE}/>
<path d="M-8 2L-12-44L0-36L12-44L14 2Z" fill="#fbf6ea" ${LINE}/><path d="M2-34V0" stroke="${INK}" stroke-width="1"/>
<path d="M-6-28L10-20M10-28L-6-20M-6-14L11-6M11-14L-6-6" stroke="${second}" stroke-width="1.800"/>
<path d="M-20-46L-12-55L0-36L12-55L22-46L4-30H-4Z" fill="${second}" ${LINE}/>
<path d="M-24 0L-18-40M30 0L22-40" stroke="${trim}" stroke-width="3"/>
${hatch('M-36 0C-38-14-36-22-32-28M-30 0C-31-10-30-16-28-20M44 0C44-14 42-20 38-26')}
${head(hair)}
<path d="M-26-86C-28-98-26-102-22-104C-8-110 10-110 23-104C27-102 28-98 26-86C10-94-10-94-26-86Z" fill="${trim}" ${LINE}/>
<path d="M-24-104C-34-120-14-136 6-132C30-130 38-114 23-104C8-110-8-110-24-104Z" fill="${second}" ${LINE}/>
${hatch('M-14-108C-18-116-10-124-2-128M-2-109C-4-116 2-124 10-128M10-108C12-114 16-120 22-122')}
<g transform="translate(60 0)">${CARRIED[suit]}</g>
<path d="M36 2C36-10 42-20 54-26L62-16C54-12 52-6 52 2Z" fill="${coat}" ${LINE}/>${hand(58, -24)}</g>
${sign(suit, -56, -36, 44)}`;
}

const HALVES = { J: also, Q: felso, K: king };

/** The upper half of a court card; the whole card is this and the same turned. */
export function courtHalf(rank, suit) {
  return HALVES[rank](suit);
}
