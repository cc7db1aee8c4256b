import type { Page } from '@registrar/contracts';
import type { Row } from '@registrar/formats';

/** A list of one page. */
export async function* singlePage(rows: Row[]): AsyncGenerator<Page<Row>> {
  yield { items: rows, next: null };
}
