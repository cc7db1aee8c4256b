import type { Page } from '@registrar/contracts';
import type { Row } from '@registrar/formats';

/** A list of one page. */
export async function* singlePage(rows: Row[]): AsyncGenerator<Page<Row>> {
  yield { items: rows, next: null };
}

/** A list without records, with its size where that is requested. */
export async function* emptyList({
  count,
}: {
  readonly count: boolean;
}): AsyncGenerator<Page<Row>> {
  yield { items: [], next: null, ...(count && { total: 0 }) };
}
