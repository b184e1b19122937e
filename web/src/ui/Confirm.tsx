import { t } from '../texts';
import { Dialog } from './Dialog';

export interface ConfirmProps {
  readonly title: string;
  readonly question: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before something is deleted. */
export function Confirm({ title, question, onYes, onNo }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onNo}>
      <p>{question}</p>
      <div className="confirm-buttons">
        <button type="button" className="danger" data-yes onClick={onYes}>
          {t('statistics.yes')}
        </button>
        <button type="button" onClick={onNo}>
          {t('statistics.no')}
        </button>
      </div>
    </Dialog>
  );
}
