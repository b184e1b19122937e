import { type ReactNode, useEffect, useRef } from 'react';
import { t, tell } from '../texts';
import { Icon } from '../ui/Icon';

export type PanelName = 'history' | 'sheet' | 'game' | 'analysis';

export interface SidePanelProps {
  readonly name: PanelName;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel beside the table; over it where the screen is small. */
export function SidePanel({ name, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each panel takes the focus once
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [name]);
  return (
    <aside
      ref={panel}
      className="side-panel"
      tabIndex={-1}
      aria-label={tell(`panel.${name}`)}
      data-panel={name}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header>
        <h2>{tell(`panel.${name}`)}</h2>
        <button type="button" className="icon-button" onClick={onClose}>
          <Icon name="close" />
          <span className="only-heard">{t('page.close')}</span>
        </button>
      </header>
      {children}
    </aside>
  );
}
