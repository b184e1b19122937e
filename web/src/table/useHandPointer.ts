import { type PointerEvent, type RefObject, useRef, useState } from 'react';

export interface Dragged {
  readonly card: string;
  readonly dx: number;
  readonly dy: number;
}

interface Grip {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  card: string;
  readonly touch: boolean;
  moved: boolean;
  dragging: boolean;
}

const STARTS_AT = 8;
const LIFTS_AT = 26;
const PLAYS_AT = 70;

/** Pointer and finger over the hand: a finger that slides raises the card under it, and a card
    that is drawn upwards is played where it is let go. */
export function useHandPointer(
  hand: RefObject<HTMLElement | null>,
  canDrag: (card: string) => boolean,
  onDrop: (card: string) => void,
) {
  const grip = useRef<Grip | null>(null);
  const swallow = useRef(false);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [raised, setRaised] = useState<string | null>(null);

  function onPointerDown(event: PointerEvent): void {
    swallow.current = false;
    const card = cardOf(event.target);
    if (!card || event.button !== 0) return;
    const touch = event.pointerType !== 'mouse';
    grip.current = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      card,
      touch,
      moved: false,
      dragging: false,
    };
    if (touch) setRaised((before) => before ?? card);
  }

  function onPointerMove(event: PointerEvent): void {
    const held = grip.current;
    if (!held || held.id !== event.pointerId) return;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < STARTS_AT) return;
    held.moved = true;
    if (!held.dragging && held.touch) slide(held, event);
    const lifted = held.touch ? -dy > LIFTS_AT : true;
    if (!held.dragging && lifted && canDrag(held.card)) {
      held.dragging = true;
      hand.current?.setPointerCapture?.(event.pointerId);
    }
    if (held.dragging) setDragged({ card: held.card, dx, dy });
  }

  function slide(held: Grip, event: PointerEvent): void {
    const under = cardOf(document.elementFromPoint(event.clientX, event.clientY));
    if (!under) return;
    held.card = under;
    setRaised(under);
  }

  function onPointerUp(event: PointerEvent): void {
    const held = grip.current;
    grip.current = null;
    setDragged(null);
    if (!held) return;
    swallow.current = held.moved;
    if (held.dragging && held.y - event.clientY > PLAYS_AT) onDrop(held.card);
  }

  function onPointerCancel(): void {
    grip.current = null;
    setDragged(null);
    setRaised(null);
  }

  /** Whether the click that follows belongs to a movement and means nothing. */
  function isSwallowed(): boolean {
    const was = swallow.current;
    swallow.current = false;
    return was;
  }

  return {
    dragged,
    raised,
    setRaised,
    isSwallowed,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel },
  };
}

function cardOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null;
  return target.closest('[data-card]')?.getAttribute('data-card') ?? null;
}
