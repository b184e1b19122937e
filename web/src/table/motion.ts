/** Movements by the Web Animations API. Each starts where something was and ends where it is. */

/** Where each card of the viewer's hand was when it was last drawn or let go of. */
const lastSeen = new Map<string, DOMRect>();

export function rememberCard(card: string, element: Element): void {
  lastSeen.set(card, element.getBoundingClientRect());
}

/** Where a card came from: the viewer's hand, or the seat of who played it. */
export function originOf(seat: number, card: string | null): DOMRect | null {
  const seen = card ? lastSeen.get(card) : undefined;
  if (card && seen) {
    lastSeen.delete(card);
    return seen;
  }
  return seatRect(seat);
}

export function seatRect(seat: number): DOMRect | null {
  const spot = document.querySelector(`[data-seat="${seat}"] [data-from]`);
  return spot?.getBoundingClientRect() ?? null;
}

/** Lets an element arrive from elsewhere. */
export function arrive(element: Element, from: DOMRect, duration: number): void {
  if (duration <= 0 || !element.animate) return;
  element.animate([{ transform: towards(element, from) }, { transform: 'none' }], {
    duration,
    easing: 'cubic-bezier(.2,.75,.3,1)',
    composite: 'add',
  });
}

/** Sends an element away, to vanish where it goes. */
export function leave(element: Element, to: DOMRect, duration: number): void {
  if (duration <= 0 || !element.animate) return;
  element.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: towards(element, to), opacity: 0.9, offset: 0.85 },
      { transform: towards(element, to), opacity: 0 },
    ],
    { duration, easing: 'cubic-bezier(.5,0,.8,.6)', fill: 'forwards' },
  );
}

/** The transform that lays an element over another place. */
function towards(element: Element, place: DOMRect): string {
  const here = element.getBoundingClientRect();
  const x = place.x + place.width / 2 - (here.x + here.width / 2);
  const y = place.y + place.height / 2 - (here.y + here.height / 2);
  const scale = place.height > 0 && here.height > 0 ? place.height / here.height : 1;
  return `translate(${x}px, ${y}px) scale(${Math.min(1.6, Math.max(0.25, scale))})`;
}
