import { type RefObject, useLayoutEffect, useState } from 'react';
import { type Fan, fanOf } from '../state/fan';

/** The fan for a hand, by the room that its element has. */
export function useFan(element: RefObject<HTMLElement | null>, count: number): Fan {
  const [room, setRoom] = useState({ width: 360, card: 90 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => {
      const wanted = Number.parseFloat(getComputedStyle(watched).getPropertyValue('--hand-card'));
      setRoom({ width: watched.clientWidth || 360, card: wanted || 90 });
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element]);
  return fanOf(count, room.width, room.card, room.width < 600 ? 0.6 : 1);
}
