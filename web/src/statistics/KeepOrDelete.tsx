import { useHouse } from '../app/context';
import { type Filters, queryOf } from '../state/statistics';
import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { saveFile } from '../ui/saveFile';
import { inOneLine, service } from '../wire/client';

export interface KeepOrDeleteProps {
  readonly filters: Filters;
  readonly onForgetAll: () => void;
}

/** Deals are fetched as files, or everything is deleted. */
export function KeepOrDelete({ filters, onForgetAll }: KeepOrDeleteProps) {
  const { notify } = useHouse();
  return (
    <section aria-labelledby="keep-heading">
      <h2 id="keep-heading">{t('statistics.keep')}</h2>
      <p className="quiet">{t('statistics.export')}</p>
      <div className="keep-buttons">
        <button type="button" data-export="jsonl" onClick={() => void fetchFile('jsonl')}>
          <Icon name="download" />
          {t('statistics.export.jsonl')}
        </button>
        <button type="button" data-export="csv" onClick={() => void fetchFile('csv')}>
          <Icon name="download" />
          {t('statistics.export.csv')}
        </button>
        <button type="button" className="danger" data-forget-all onClick={onForgetAll}>
          <Icon name="trash" />
          {t('statistics.forget-all')}
        </button>
      </div>
    </section>
  );

  async function fetchFile(format: 'jsonl' | 'csv'): Promise<void> {
    try {
      saveFile(await service.exported(format, queryOf(filters)), `overtrick-deals.${format}`);
    } catch (error) {
      notify(inOneLine(error), 'error');
    }
  }
}
