import { t } from '../texts';
import { Confirm } from '../ui/Confirm';
import type { Forgetting } from './useForgetting';

/** The question before something is deleted, while one is open. */
export function ForgetQuestion({ forgetting }: { readonly forgetting: Forgetting }) {
  const { asked, ask, forget } = forgetting;
  if (!asked) return null;
  const all = asked === 'everything';
  return (
    <Confirm
      title={t(all ? 'statistics.forget-all' : 'statistics.forget')}
      question={t(all ? 'statistics.forget-all.ask' : 'statistics.forget.ask')}
      onYes={() => void forget(asked)}
      onNo={() => ask(null)}
    />
  );
}
