import type { Field, FieldKind, Row } from './define-record.ts';
import { jsonValue } from './json-record.ts';

/** A column of a record as a line of a table. */
export interface TableColumn {
  readonly name: string;
  readonly kind: FieldKind;
}

/** Returns the columns of a record; a nested field is named `outer.inner` (contract/formats#csv-nested). */
export const tableColumns = (fields: readonly Field[], prefix = ''): TableColumn[] =>
  fields.flatMap((field) =>
    field.kind === 'record'
      ? tableColumns(field.fields, `${prefix}${field.name}.`)
      : [{ name: prefix + field.name, kind: field.kind }],
  );

/**
 * Returns a row as the cells of a line, in the order of {@link tableColumns}.
 *
 * @param toCell writes a value, which is as in JSON
 */
export function tableCells<Cell>(
  fields: readonly Field[],
  row: Row,
  toCell: (field: Field, value: unknown) => Cell,
): Cell[] {
  const cells: Cell[] = [];
  const add = (each: readonly Field[], values: Row | null): void => {
    for (const field of each) {
      const value = values?.[field.property] ?? null;
      if (field.kind === 'record') add(field.fields, value as Row | null);
      else cells.push(toCell(field, jsonValue(field, value)));
    }
  };
  add(fields, row);
  return cells;
}
