import { useId } from 'react';
import { t } from '../texts';
import type { PlayerInfo } from '../wire';

export interface DialProps {
  /** Weak to strong. */
  readonly steps: readonly PlayerInfo[];
  /** The name of the player it points to. */
  readonly strength: string;
  readonly onTurn: (player: string) => void;
}

/** The strength dial: a slider over players whose strength was measured. */
export function Dial({ steps, strength, onTurn }: DialProps) {
  const id = useId();
  const index = Math.max(
    0,
    steps.findIndex((player) => player.name === strength),
  );
  const player = steps[index];
  if (!player) return null;
  const strengthText = typeof player.elo === 'number' ? eloOf(player) : t('dial.unmeasured');
  return (
    <div className="dial">
      <label htmlFor={id}>{t('dial.label')}</label>
      <div className="dial-row">
        <span className="quiet" aria-hidden="true">
          {t('dial.weak')}
        </span>
        <input
          id={id}
          type="range"
          min={0}
          max={steps.length - 1}
          step={1}
          value={index}
          disabled={steps.length < 2}
          aria-valuetext={`${player.title}, ${strengthText}`}
          onChange={(event) => onTurn(steps[Number(event.target.value)]?.name ?? strength)}
        />
        <span className="quiet" aria-hidden="true">
          {t('dial.strong')}
        </span>
      </div>
      <output htmlFor={id} className="dial-output">
        <strong>{player.title}</strong>
        <span>{strengthText}</span>
      </output>
      <HowMeasured player={player} steps={steps} />
    </div>
  );
}

function eloOf(player: PlayerInfo): string {
  const { elo, error } = player;
  return typeof error === 'number'
    ? t('dial.elo-error', { elo: elo ?? 0, error })
    : t('dial.elo', { elo: elo ?? 0 });
}

function HowMeasured({
  player,
  steps,
}: {
  readonly player: PlayerInfo;
  readonly steps: readonly PlayerInfo[];
}) {
  if (typeof player.elo !== 'number') return null;
  return (
    <details className="measured">
      <summary>{t('dial.how')}</summary>
      <p>{t('dial.how-text', { weakest: steps[0]?.title ?? '' })}</p>
      {typeof player.boards === 'number' && <p>{t('dial.boards', { boards: player.boards })}</p>}
      {player.command && (
        <p>
          {t('dial.again')} <code>{player.command}</code>
        </p>
      )}
    </details>
  );
}
