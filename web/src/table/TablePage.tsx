import { useGame, useHouse } from '../app/context';
import { PageFrame } from '../lobby/PageFrame';
import { hashOf } from '../state/router';
import { speedFor } from '../state/speed';
import { t } from '../texts';
import { Table } from './Table';
import { useReducedMotion } from './useReducedMotion';
import { useSeat } from './useSeat';
import { useTable } from './useTable';

export interface TablePageProps {
  readonly table: string;
  /** The token of a link; it is kept and taken out of the address bar. */
  readonly token: string | null;
}

export function TablePage({ table, token }: TablePageProps) {
  const kept = useSeat(table, token, { at: 'table', table, token: null });
  if (!kept) return <NoTable text={t('table.no-seat')} />;
  return <OpenTable table={table} token={kept} />;
}

function OpenTable({ table, token }: { readonly table: string; readonly token: string }) {
  const { settings } = useHouse();
  const speed = speedFor(settings.speed, useReducedMotion());
  const line = useTable(table, token, speed);
  const game = useGame(line.playback?.shown.info.game);
  if (line.lineState === 'closed') return <NoTable text={line.refused ?? t('table.closed')} />;
  if (!line.playback)
    return (
      <PageFrame title={t('table.opening')}>
        <p role="status">
          {t(line.lineState === 'reconnecting' ? 'table.reconnecting' : 'table.connecting')}
        </p>
      </PageFrame>
    );
  return <Table line={line} playback={line.playback} game={game} speed={speed} token={token} />;
}

export function NoTable({ text }: { readonly text: string }) {
  return (
    <PageFrame title={t('table.none')}>
      <p role="alert">{text}</p>
      <a className="button primary" href={hashOf({ at: 'lobby' })}>
        {t('table.to-lobby')}
      </a>
    </PageFrame>
  );
}
