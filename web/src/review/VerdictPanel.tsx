import { useState } from 'react';
import { WeighedTable } from '../advice/WeighedTable';
import { CardFace, fillPhrases } from '../cards';
import { costWithError, points, withError } from '../state/figures';
import { choiceWords } from '../state/live';
import { shadeOf, worthShowing } from '../state/review';
import { t } from '../texts';
import type { JudgedChoice, OpenOpinion, TrickComment, Verdict } from '../wire';
import { LabelBadge, LuckBadge } from './LabelBadge';
import { bestTold, choiceTold, type Shown } from './words';

export interface VerdictPanelProps extends Shown {
  readonly verdict: Verdict | null;
  readonly trick: TrickComment | null;
}

/** What is to be said of the choice that led to this moment. */
export function VerdictPanel({ verdict, trick, ...shown }: VerdictPanelProps) {
  const { state, deck } = shown;
  if (!verdict)
    return (
      <section className="review-card" aria-label={t('reviewed.verdict')}>
        <p>{t('reviewed.start')}</p>
      </section>
    );
  return (
    <section className="review-card" aria-label={t('reviewed.verdict')} data-verdict-panel>
      <p className="verdict-labels">
        <LabelBadge label={verdict.label} />
        <LuckBadge luck={verdict.luck} />
        {verdict.best !== verdict.choice && (
          <span className="verdict-cost">
            {t('reviewed.costs', { cost: costWithError(verdict.cost, verdict.error) })}
          </span>
        )}
      </p>
      <Chosen verdict={verdict} {...shown} />
      <p>{saidOf(verdict, shown)}</p>
      {verdict.choices.length > 1 && <Weighed key={verdict.number} verdict={verdict} {...shown} />}
      {verdict.open && <Opinion opinion={verdict.open} verdict={verdict} {...shown} />}
      {trick && trick.phrases.length > 0 && (
        <div className="trick-comment" data-trick-comment>
          <h3>{t(trick.winner === null ? 'reviewed.round' : 'reviewed.trick')}</h3>
          <p>{fillPhrases(trick.phrases, state, deck)}</p>
        </div>
      )}
    </section>
  );
}

interface OfVerdict extends Shown {
  readonly verdict: Verdict;
}

/** What was chosen, and what the analysis prefers. */
function Chosen({ verdict, state, deck }: OfVerdict) {
  const { who, choice } = choiceTold(verdict, state);
  const own = verdict.seat === state.info.viewer;
  const best = verdict.choices.find((one) => one.choice === verdict.best);
  const isBest = verdict.best === verdict.choice;
  return (
    <dl className="verdict-pair">
      <div>
        <dt>{own ? t('reviewed.you') : t('reviewed.who', { who })}</dt>
        <dd data-made>
          <SmallCard card={verdict.card ?? null} game={state.info.game} deck={deck} />
          {choice}
        </dd>
      </div>
      {!isBest && (
        <div>
          <dt>{t('reviewed.prefers')}</dt>
          <dd data-preferred>
            <SmallCard card={best?.card ?? null} game={state.info.game} deck={deck} />
            {bestTold(verdict, state)}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What there is to be said of it; of a choice without fault that there was none. */
function saidOf(verdict: Verdict, { state, deck }: Shown): string {
  const said = fillPhrases(verdict.phrases ?? [], state, deck);
  if (said) return said;
  return t(verdict.label === 'forced' ? 'reviewed.forced' : 'reviewed.costs-nothing');
}

interface SmallCardProps extends Pick<Shown, 'deck'> {
  readonly card: string | null;
  readonly game: string;
}

function SmallCard({ card, game, deck }: SmallCardProps) {
  if (!card) return null;
  return (
    <span className="verdict-card">
      <CardFace card={card} game={game} deck={deck} />
    </span>
  );
}

/** The choices as they were weighed, with bars from the worst to the best. */
function Weighed({ verdict, state, drawing }: OfVerdict) {
  const [all, setAll] = useState(false);
  const { choices, phase, worlds: count } = verdict;
  const shown = all ? choices : worthShowing(verdict);
  const rows = shown.map((one) => ({
    choice: one.choice,
    name: choiceWords(one.text, phase, one.card ?? null, state, drawing),
    share: shadeOf(one, choices),
    shade: shadeOf(one, choices),
    best: one.choice === verdict.best,
    note: one.choice === verdict.choice ? t('reviewed.made') : undefined,
    figures: [withError(one.payoff, one.error), costOf(one, verdict)],
  }));
  return (
    <>
      <WeighedTable
        caption={t('reviewed.weighed')}
        heads={[t('advice.expected'), t('reviewed.column.cost')]}
        rows={rows}
      />
      {shown.length < choices.length && (
        <button type="button" className="more" onClick={() => setAll(true)}>
          {t('reviewed.all', { count: choices.length })}
        </button>
      )}
      <p className="quiet">
        {verdict.exact ? t('reviewed.weighed.exact') : t('reviewed.weighed.basis', { count })}
      </p>
    </>
  );
}

function costOf(one: JudgedChoice, { best }: Verdict): string {
  return one.choice === best ? t('reviewed.none') : costWithError(one.cost, one.cost_error);
}

interface OpinionProps extends OfVerdict {
  readonly opinion: OpenOpinion;
}

/** How it looks with all cards open: set apart, for it is no verdict. */
function Opinion({ opinion, verdict, state, drawing }: OpinionProps) {
  const cards = new Map(verdict.choices.map(({ text, card }) => [text, card ?? null]));
  const best = opinion.best.map((text) =>
    choiceWords(text, verdict.phase, cards.get(text) ?? null, state, drawing),
  );
  return (
    <aside className="opinion" aria-label={t('reviewed.opinion')} data-opinion>
      <h3>{t('reviewed.opinion')}</h3>
      <p className="quiet">{t('reviewed.opinion.why')}</p>
      <p>
        {t('reviewed.opinion.best', { choices: best.join(', '), points: points(opinion.payoff) })}{' '}
        {opinion.cost > 0
          ? t('reviewed.opinion.cost', { cost: points(opinion.cost).slice(1) })
          : t('reviewed.opinion.right')}{' '}
        <span className="quiet">
          {t(opinion.exact ? 'reviewed.opinion.solved' : 'reviewed.opinion.searched')}
        </span>
      </p>
    </aside>
  );
}
