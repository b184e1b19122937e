import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../texts';
import { Icon } from './Icon';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A modal dialog: the focus stays inside, Escape closes it, and the focus goes back. */
export function Dialog({ title, onClose, children, className = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal?.();
    return () => {
      opened?.close?.();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins with its heading
  useEffect(() => {
    const opened = dialog.current;
    if (opened && !opened.contains(document.activeElement)) opened.focus();
  }, [title]);

  return (
    <dialog
      tabIndex={-1}
      ref={dialog}
      className={`dialog ${className}`.trim()}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">
        <h2 id={heading}>{title}</h2>
        {children}
        <button type="button" className="icon-button dialog-close" onClick={onClose}>
          <Icon name="close" />
          <span className="only-heard">{t('page.close')}</span>
        </button>
      </div>
    </dialog>
  );
}
