import type { Row } from '@registrar/formats';

/** A list of one page. */
export async function* singlePage(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}
