import type { Standard } from './standards.ts';

/** What is compared of a package that was played. */
export interface Cells {
  readonly completion: string;
  readonly success: string;
  readonly score: string;
  readonly time: string;
  readonly suspend: string;
  readonly navigation: string;
  readonly errors: string;
}
const columns = [
  'completion',
  'success',
  'score',
  'time',
  'suspend',
  'navigation',
  'errors',
] as const satisfies (keyof Cells)[];

/** A row of the table: a package that was played in one way. */
export interface Row {
  readonly name: string;
  readonly standard: Standard;
  readonly expected: Cells;
  readonly seen: Cells;
}

/** A package to be played in one way. */
export interface Play {
  readonly name: string;
  readonly standard: Standard;
  readonly expected: Cells;
  /** Plays it. A rejection is an error in the table. */
  play(): Promise<Cells>;
}

/** A cell that does not apply. */
export const none = '-';

/** Lists the cells that differ, each with what was expected. */
export const deviations = ({ expected, seen }: Row): string[] =>
  columns
    .filter((column) => expected[column] !== seen[column])
    .map((column) => `${column}: ${seen[column]}, expected ${expected[column]}`);

/** Renders rows as a table whose deviating cells are marked, and lists them below. */
export function renderTable(rows: readonly Row[]): string {
  const head = ['package', 'standard', ...columns];
  const body = rows.map(({ name, standard, expected, seen }) => [
    name,
    standard,
    ...columns.map((column) =>
      expected[column] === seen[column] ? seen[column] : `${firstLine(seen[column])} (!)`,
    ),
  ]);
  const widths = head.map((_, at) =>
    Math.max(...[head, ...body].map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const deviating = rows.flatMap((row) =>
    deviations(row).map((each) => `DEVIATES ${row.name}, ${row.standard}: ${each}`),
  );
  return [line(head), ...body.map(line), ...deviating].join('\n');
}

/** A long value stands below the table. */
const firstLine = (text: string) => (text.split('\n')[0] ?? '').slice(0, 40);

/** The cell for errors: their number, and each of them on a line. */
export const countErrors = (errors: readonly string[]): string =>
  [errors.length, ...errors].join('\n');
