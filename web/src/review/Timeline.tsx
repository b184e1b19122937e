import { points, withError } from '../state/figures';
import { type Chart, chartOf, lastMoment, momentAt, SIGNS, timelineOf } from '../state/review';
import { t } from '../texts';
import type { Reviewed } from '../wire';

export interface TimelineProps {
  readonly reviewed: Reviewed;
  readonly moment: number;
  readonly onMoment: (moment: number) => void;
}

/** What the seat might expect after each choice: a slider over the whole deal. */
export function Timeline({ reviewed, moment, onMoment }: TimelineProps) {
  const chart = chartOf(reviewed);
  const last = lastMoment(reviewed);
  if (!chart) return null;
  return (
    <figure className="timeline">
      <figcaption id="timeline-name">{t('reviewed.timeline')}</figcaption>
      <div className="timeline-chart">
        <span className="timeline-high" aria-hidden="true">
          {points(chart.high)}
        </span>
        <span className="timeline-low" aria-hidden="true">
          {points(chart.low)}
        </span>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrows of the whole page move it */}
        <div
          className="timeline-line"
          role="slider"
          tabIndex={0}
          aria-labelledby="timeline-name"
          aria-describedby="timeline-whole"
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={moment}
          aria-valuetext={valueTold(reviewed, moment)}
          data-timeline
          onClick={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect();
            if (width > 0) onMoment(momentAt((event.clientX - left) / width, last));
          }}
        >
          <Drawn chart={chart} />
          {chart.marks.map(({ number, x, y, label }) => (
            <span
              key={number}
              className={`timeline-mark label-${label}`}
              style={{ left: `${x}%`, top: `${y}%` }}
              aria-hidden="true"
            >
              {SIGNS[label]}
            </span>
          ))}
          <span
            className="timeline-now"
            style={{ left: `${(100 * moment) / Math.max(1, last)}%` }}
            aria-hidden="true"
          />
        </div>
      </div>
      <p className="timeline-told" aria-hidden="true">
        {valueTold(reviewed, moment)}
      </p>
      <p id="timeline-whole" className="only-heard">
        {wholeTold(reviewed, chart)}
      </p>
    </figure>
  );
}

function Drawn({ chart }: { readonly chart: Chart }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <polygon className="timeline-band" points={chart.band} />
      <line className="timeline-zero" x1="0" x2="100" y1={chart.zero} y2={chart.zero} />
      <polyline className="timeline-value" points={chart.line} />
    </svg>
  );
}

function valueTold(reviewed: Reviewed, moment: number): string {
  const found = timelineOf(reviewed).find(({ number }) => number === moment);
  const worth = found ? withError(found.value, found.error || null) : t('reviewed.none');
  return t('reviewed.timeline.told', { number: moment, of: lastMoment(reviewed), points: worth });
}

function wholeTold(reviewed: Reviewed, { low, high }: Chart): string {
  const moments = timelineOf(reviewed);
  return t('reviewed.timeline.whole', {
    first: points(moments[0]?.value ?? 0),
    last: points(moments.at(-1)?.value ?? 0),
    low: points(low),
    high: points(high),
  });
}
