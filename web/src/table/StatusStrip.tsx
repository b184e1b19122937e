import type { DrawingProps, GameDrawing } from '../games/drawing';
import { plainFacts } from '../state/facts';
import { t } from '../texts';

export interface StatusStripProps extends DrawingProps {
  readonly drawing: GameDrawing | undefined;
}

/** What must always be in sight: trump, contract, points. */
export function StatusStrip({ drawing, ...props }: StatusStripProps) {
  const Status = drawing?.Status;
  return (
    <section className="status-strip" aria-label={t('table.status')}>
      {Status ? <Status {...props} /> : <PlainStatus {...props} />}
      {props.state.frame.assisted && (
        <span className="assisted" title={t('table.assisted-why')}>
          {t('table.assisted')}
        </span>
      )}
    </section>
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
