import { useEffect, useRef } from 'react';

type Reader<A> = (pressed: KeyboardEvent, letters: boolean) => A | null;

/** Hears keys anywhere on the page, except where somebody types or a dialog is open. */
export function useKeys<A>(
  actionOf: Reader<A>,
  onAction: (action: A) => void,
  letters: boolean,
): void {
  const handler = useRef(onAction);
  handler.current = onAction;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (
        event.defaultPrevented ||
        isTyping(event.target) ||
        document.querySelector('dialog[open]')
      )
        return;
      const action = actionOf(event, letters);
      if (action === null) return;
      event.preventDefault();
      handler.current(action);
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actionOf, letters]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}
