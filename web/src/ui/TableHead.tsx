interface TableHeadProps {
  readonly heads: readonly string[];
  /** Whether a last column follows that needs no heading. */
  readonly more?: boolean;
}

/** The headings of a table. */
export function TableHead({ heads, more = false }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
        {more && <td />}
      </tr>
    </thead>
  );
}
