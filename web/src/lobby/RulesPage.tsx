import { useGame } from '../app/context';
import { drawingOf } from '../games';
import { hashOf } from '../state/router';
import { t } from '../texts';
import { PageFrame } from './PageFrame';

/** A short page of rules. */
export function RulesPage({ name }: { readonly name: string }) {
  const game = useGame(name);
  const Rules = drawingOf(name)?.Rules;
  return (
    <PageFrame title={t('rules.title', { game: game?.title ?? name })}>
      <h2 className="only-heard">{t('menu.rules')}</h2>
      <article className="rules">{Rules ? <Rules /> : <p>{t('rules.none')}</p>}</article>
      <a className="button primary" href={hashOf({ at: 'new', game: name })}>
        {t('lobby.play')}
      </a>
    </PageFrame>
  );
}
