import { t } from '../texts';
import { PageFrame } from './PageFrame';
import { SettingsForm } from './SettingsForm';

export function SettingsPage() {
  return (
    <PageFrame title={t('settings.title')} lead={t('settings.lead')}>
      <SettingsForm />
    </PageFrame>
  );
}
