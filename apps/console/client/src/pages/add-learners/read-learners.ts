import { parse } from 'papaparse';

/** The largest file, in bytes, and the most rows. */
export const fileBounds = { bytes: 1_048_576, rows: 1_000 } as const;

/** The names of a column of addresses, without regard to case. */
const addressColumns = ['email', 'e-mail', 'learner', 'learner_id', 'mail'];

/** The longest value of a row that is sent. */
const maxLength = 400;

/** Why a file is not read. */
export type FileProblem = 'empty' | 'too-large' | 'too-many-rows' | 'no-column' | 'malformed';

export type ReadLearners = { readonly rows: readonly string[] } | { readonly problem: FileProblem };

/**
 * Reads the column of e-mail addresses of a CSV text: the column with a known name, else the only one. Empty rows are
 * left out.
 */
export function readLearners(text: string): ReadLearners {
  if (new Blob([text]).size > fileBounds.bytes) return { problem: 'too-large' };
  const { data, errors } = parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    // With the first line, which may have the names of the columns, and one more to see that there are more.
    preview: fileBounds.rows + 2,
  });
  if (errors.some(({ type }) => type === 'Quotes')) return { problem: 'malformed' };
  const [first = [], ...others] = data;
  const named = first.findIndex((name) => addressColumns.includes(name.trim().toLowerCase()));
  const rows = named === -1 ? data : others;
  const isAmbiguous = named === -1 && rows.some((row) => row.length > 1);
  if (isAmbiguous) return { problem: 'no-column' };
  const learners = rows
    .map((row) => (row[Math.max(named, 0)] ?? '').trim().slice(0, maxLength))
    .filter((learner) => learner !== '');
  if (learners.length === 0) return { problem: 'empty' };
  if (learners.length > fileBounds.rows) return { problem: 'too-many-rows' };
  return { rows: learners };
}
