/** A short page of rules: headings and lines from the catalogue, with cards where they help. */
import type { DeckName } from '../../cards';
import { tell } from '../../texts';
import { CardRow } from './pieces';
import './rules.css';

export interface RulesPart {
  /** Under `<game>.rules.<name>`: `.title`, then `.1`, `.2`, … */
  readonly name: string;
  readonly lines: number;
  /** Rows of cards after the lines, each with the key of its caption. */
  readonly rows?: readonly { readonly caption: string; readonly cards: readonly string[] }[];
  /** A table of keys: first row heads. */
  readonly table?: readonly (readonly string[])[];
}

interface RulesPageProps {
  readonly game: string;
  readonly deck: DeckName;
  readonly parts: readonly RulesPart[];
}

export function RulesPage({ game, deck, parts }: RulesPageProps) {
  const key = (...names: (string | number)[]) => [game, 'rules', ...names].join('.');
  return (
    <div className="g-rules">
      <p className="g-rules-lead">{tell(key('lead'))}</p>
      {parts.map(({ name, lines, rows = [], table }) => (
        <section key={name}>
          <h3>{tell(key(name, 'title'))}</h3>
          {Array.from({ length: lines }, (_, line) => (
            <p key={key(name, line + 1)}>{tell(key(name, line + 1))}</p>
          ))}
          {table && <RulesTable rows={table} />}
          {rows.map((row) => (
            <figure key={row.caption} className="g-rules-row">
              <CardRow cards={row.cards} game={game} deck={deck} />
              <figcaption>{tell(key(row.caption))}</figcaption>
            </figure>
          ))}
        </section>
      ))}
    </div>
  );
}

/** Cells are texts as they stand, or keys of the catalogue after an `=`. */
function RulesTable({ rows }: { readonly rows: readonly (readonly string[])[] }) {
  const [head = [], ...body] = rows;
  const cell = (text: string) => (text.startsWith('=') ? tell(text.slice(1)) : text);
  return (
    <div className="g-rules-table">
      <table>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {cell(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr key={row.join('|')}>
              {row.map((text, place) =>
                place === 0 ? (
                  <th key={text} scope="row">
                    {cell(text)}
                  </th>
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells may repeat
                  <td key={`${place}${text}`}>{cell(text)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
