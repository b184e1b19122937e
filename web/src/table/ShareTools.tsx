import { useState } from 'react';
import { useHouse } from '../app/context';
import { linkTo } from '../state/router';
import { encodeDeal } from '../state/share';
import type { TableState } from '../state/table';
import { t } from '../texts';
import { CopyField } from '../ui/CopyField';
import { Icon } from '../ui/Icon';
import { saveFile } from '../ui/saveFile';
import { inOneLine, service } from '../wire/client';

export interface ShareToolsProps {
  readonly state: TableState;
  readonly token: string;
}

/** The link to these very cards, and the record of the table. */
export function ShareTools({ state, token }: ShareToolsProps) {
  const { notify } = useHouse();
  const [link, setLink] = useState<string | null>(null);
  const { id, deal } = state.info;
  return (
    <>
      <button type="button" onClick={() => tried(share)} data-share>
        <Icon name="share" />
        {t('share.link')}
      </button>
      <button type="button" onClick={() => tried(() => download('json'))}>
        <Icon name="download" />
        {t('share.json')}
      </button>
      <button type="button" onClick={() => tried(() => download('text'))}>
        <Icon name="download" />
        {t('share.text')}
      </button>
      {link && <CopyField label={t('share.label')} text={link} />}
    </>
  );

  async function tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      notify(inOneLine(error), 'error');
    }
  }

  async function share(): Promise<void> {
    const told = await service.sharedDeal(id, deal, token);
    const shared = linkTo({ at: 'deal', deal: encodeDeal(told) }, window.location);
    setLink(shared);
    await navigator.clipboard?.writeText(shared).then(
      () => notify(t('page.copied')),
      () => undefined,
    );
  }

  async function download(kind: 'json' | 'text'): Promise<void> {
    const record = await service.record(id, deal, kind, token);
    const type = kind === 'json' ? 'application/json' : 'text/plain';
    const ending = kind === 'json' ? 'json' : 'txt';
    saveFile(new Blob([record], { type }), `${state.info.game}-${id}-${deal + 1}.${ending}`);
  }
}
