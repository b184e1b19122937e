import type { ReactNode } from 'react';
import type { DrawingProps, GameDrawing } from '../games/drawing';
import { plainFacts } from '../state/facts';
import { t } from '../texts';

export interface StatusStripProps extends DrawingProps {
  readonly drawing: GameDrawing | undefined;
  readonly assisted: boolean;
  /** What else is to be in sight. */
  readonly children?: ReactNode;
}

/** What must always be in sight: trump, contract, points. */
export function StatusStrip({ drawing, assisted, children, ...props }: StatusStripProps) {
  const Status = drawing?.Status;
  return (
    <section className="status-strip" aria-label={t('table.status')}>
      {Status ? <Status {...props} /> : <PlainStatus {...props} />}
      {children}
      {assisted && <Assisted retry={props.state.info.retry ?? false} />}
      <Replaced count={props.state.frame.replaced ?? 0} />
    </section>
  );
}

/** That this deal counts in no statistics, and why. */
function Assisted({ retry }: { readonly retry: boolean }) {
  return (
    <span
      className="assisted"
      data-assisted
      title={t(retry ? 'table.retry-why' : 'table.assisted-why')}
    >
      {t(retry ? 'table.retry' : 'table.assisted')}
    </span>
  );
}

/** That a program failed, and how often a choice was made in its place. */
function Replaced({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="assisted" data-replaced title={t('table.replaced-why')}>
      {t('table.replaced', { count })}
    </span>
  );
}

function PlainStatus({ state }: DrawingProps) {
  return (
    <dl className="plain-facts">
      {plainFacts(state.frame.facts).map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
