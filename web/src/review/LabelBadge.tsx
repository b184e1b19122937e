import { type Label, SIGNS } from '../state/review';
import { tell } from '../texts';
import type { Verdict } from '../wire';
import { labelName } from './words';

/** A label with its sign, its word and its colour. */
export function LabelBadge({ label }: { readonly label: Label }) {
  return (
    <span className={`label-badge label-${label}`} data-verdict={label}>
      <span aria-hidden="true">{SIGNS[label]}</span> {labelName(label)}
    </span>
  );
}

/** That the hidden cards made a right choice bad, or a wrong one harmless. */
export function LuckBadge({ luck }: { readonly luck: Verdict['luck'] }) {
  if (!luck) return null;
  return <span className={`luck-badge luck-${luck}`}>{tell(`reviewed.luck-label.${luck}`)}</span>;
}
