import type { Row } from '#libs/formats';

/** A list that is there already. */
export async function* onePage(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}
