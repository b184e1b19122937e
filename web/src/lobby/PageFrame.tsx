import { type ReactNode, useEffect, useRef } from 'react';
import { hashOf } from '../state/router';
import { t } from '../texts';
import { Icon } from '../ui/Icon';

export interface PageFrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly home?: boolean;
  /** Uses the whole width of the screen. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** What all pages but the table share: the way home, a heading, and the focus on it. */
export function PageFrame({ title, lead, home = false, wide = false, children }: PageFrameProps) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = home ? t('page.name') : t('page.title', { title });
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [title, home]);
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <header className="page-head">
        <a className="brand" href={hashOf({ at: 'lobby' })}>
          <img src="/icon.svg" alt="" width="32" height="32" />
          {t('page.name')}
        </a>
        <nav aria-label={t('page.nav')}>
          <a href={hashOf({ at: 'history' })}>
            <Icon name="history" />
            <span>{t('history.title')}</span>
          </a>
          <a href={hashOf({ at: 'statistics' })}>
            <Icon name="chart" />
            <span>{t('statistics.title')}</span>
          </a>
          <a href={hashOf({ at: 'settings' })}>
            <Icon name="gear" />
            <span>{t('settings.title')}</span>
          </a>
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
