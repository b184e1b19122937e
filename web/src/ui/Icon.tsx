/** Small line drawings for buttons; the words stand beside them. */

const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3',
  pause: 'M8 5v14M16 5v14',
  resume: 'M7 4l13 8-13 8z',
  sound: 'M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 010 6M18.5 6.5a8 8 0 010 11',
  mute: 'M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6',
  last: 'M5 8h9v12H5zM9 8V4h10v12h-5',
  history: 'M12 8v4l3 2M4 12a8 8 0 108-8 8 8 0 00-7 4M4 4v4h4',
  sheet: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h4',
  help: 'M9 9a3 3 0 115 2c-1 1-2 1.5-2 3M12 18v.01',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v7h14v-7',
  download: 'M12 4v11M8 11l4 4 4-4M5 20h14',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 110 6 3 3 0 010-6z',
  book: 'M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14',
  gear: 'M12 9a3 3 0 110 6 3 3 0 010-6zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M19 5l-3 3M8 16l-3 3',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  table: 'M4 8h16v8H4zM7 16v4M17 16v4',
  bulb: 'M9 18h6M10 21h4M12 3a6 6 0 00-3.5 10.9c.7.6 1 1.3 1 2.1h5c0-.8.3-1.5 1-2.1A6 6 0 0012 3z',
  bars: 'M5 20V11M12 20V4M19 20v-6',
  review: 'M4 5h16v11H4zM8 20h8M7 12l3-3 3 2 4-4',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M16 5l-9 7 9 7z',
  forward: 'M8 5l9 7-9 7z',
  final: 'M18 5v14M5 5l9 7-9 7z',
  again: 'M20 12a8 8 0 11-2.5-5.8M20 3v5h-5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  chart: 'M4 20h16M6 16l4-5 4 3 5-8',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
