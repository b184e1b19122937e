import { useEffect, useRef } from 'react';
import { actionOf, type KeyAction } from '../state/keys';

/** Hears keys anywhere at the table, except where somebody types or a dialog is open. */
export function useKeys(onAction: (action: KeyAction) => void, letters: boolean): void {
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
  }, [letters]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}
