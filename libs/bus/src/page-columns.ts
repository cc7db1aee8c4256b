import type { Page } from '@registrar/contracts';

type Item = Readonly<Record<string, unknown>>;

/**
 * A page of a list as it is sent: the names of its items' members once, and the values of each item in their order. A
 * page of registrations takes half of the bytes this way, and half of the time to parse.
 */
interface PageInColumns extends Omit<Page<Item>, 'items'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns a page in columns, or as it is if its items do not all have the same members. */
export function toColumns(page: Page<Item>): Page<Item> | PageInColumns {
  const { items, ...rest } = page;
  const [first] = items;
  if (!first) return page;
  const columns = Object.keys(first);
  if (columns.includes('__proto__')) return page;
  const rows: unknown[][] = [];
  for (const item of items) {
    const values = columns.map((name) => item[name]);
    if (Object.keys(item).length !== columns.length || values.includes(undefined)) return page;
    rows.push(values);
  }
  return { columns, rows, ...rest };
}

/** Returns the page that {@link toColumns} has made its argument from. */
export function fromColumns(sent: Page<Item> | PageInColumns): Page<Item> {
  if (!('columns' in sent)) return sent;
  const { columns, rows, ...rest } = sent;
  return { items: rows.map((values) => toItem(columns, values)), ...rest };
}

function toItem(columns: readonly string[], values: readonly unknown[]): Item {
  const item: Record<string, unknown> = {};
  for (const [place, name] of columns.entries()) item[name] = values[place];
  return item;
}
