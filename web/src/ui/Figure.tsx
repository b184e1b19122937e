import type { ReactNode } from 'react';

export interface FigureProps {
  readonly name: string;
  /** What it means, or what it was counted from. */
  readonly why?: string;
  readonly children: ReactNode;
}

/** A number with its name, in a list of them. */
export function Figure({ name, why, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {why && <small>{why}</small>}
      </dd>
    </div>
  );
}
