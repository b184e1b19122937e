import { cardNames, type DeckName } from '../cards';
import type { Gathering } from '../games/drawing';
import type { TableState } from '../state/table';
import { t, tell } from '../texts';

export interface TrayProps {
  readonly gathering: Gathering;
  readonly tray: readonly string[];
  readonly state: TableState;
  readonly deck: DeckName;
  readonly onConfirm: () => void;
}

/** What is gathered so far, and the button that gives it away. */
export function Tray({ gathering, tray, state, deck, onConfirm }: TrayProps) {
  const full = tray.length === gathering.count;
  return (
    <section className="tray" aria-label={t('tray.label')}>
      <p className="tray-prompt">{tell(gathering.prompt, { count: gathering.count })}</p>
      <p className="tray-chosen">
        {t('tray.chosen', { chosen: tray.length, count: gathering.count })}
        {tray.length > 0 && (
          <span className="only-heard">: {cardNames(tray, state.info.game, deck)}</span>
        )}
      </p>
      <button
        type="button"
        className="primary"
        data-confirm
        aria-disabled={full ? undefined : true}
        onClick={() => full && onConfirm()}
      >
        {tell(gathering.confirm, { count: gathering.count })}
      </button>
    </section>
  );
}
