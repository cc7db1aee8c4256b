import type { Page } from '@registrar/contracts';
import { once } from 'node:events';
import type { Terminal } from './terminal.ts';

/** The value of a field as a list or record shows it. */
type Value = string | number | boolean | null | undefined | object;

/** A page of a list. */
export type Items<Row> = Pick<Page<Row>, 'items'>;

/** The columns of a table, each with what it shows of a record; or the fields that are shown as they are. */
export type Columns<Row> =
  | Readonly<Record<string, (row: Row) => Value>>
  | readonly (keyof Row & string)[];

/** What other people wrote must not steer the operator's terminal. */
const control = /[\p{Cc}\p{Bidi_Control}]/gu;
const escaped = (character: string) =>
  `\\u{${character.codePointAt(0)?.toString(16).padStart(4, '0')}}`;

/** A value as text on one line, safe to print; a hyphen stands for a missing value. */
export function cell(value: Value): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(control, escaped);
}

/** The note below a new secret, which cannot be shown again. */
export const shownOnce = (secret: string): string =>
  `The ${secret} is shown this once: keep it where it is safe.`;

/** What a command prints on standard output: columns for people, JSON for programs. */
export class Output {
  constructor(
    private readonly terminal: Terminal,
    private readonly json: boolean,
  ) {}

  /** One record: a line per field, or a JSON object. */
  async record(record: Record<string, Value>): Promise<void> {
    if (this.json) return this.text(`${JSON.stringify(record)}\n`);
    const width = Math.max(...Object.keys(record).map((name) => name.length));
    const lines = Object.entries(record).map(
      ([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`,
    );
    await this.text(lines.join(''));
  }

  /**
   * A list, as its pages come: the columns of a table, as wide as the first page needs them, or a
   * JSON array of the whole records with one of them on a line.
   */
  async list<Row extends object>(
    pages: AsyncIterable<Items<Row>>,
    columns: Columns<Row>,
  ): Promise<void> {
    await (this.json ? this.array(pages) : this.table(pages, columns));
  }

  /** A log, as its pages come: a table, or a JSON object per line for each whole record. */
  async lines<Row extends object>(
    pages: AsyncIterable<Items<Row>>,
    columns: Columns<Row>,
  ): Promise<void> {
    if (!this.json) return this.table(pages, columns);
    for await (const { items } of pages) {
      await this.text(items.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  }

  private async table<Row extends object>(
    pages: AsyncIterable<Items<Row>>,
    columns: Columns<Row>,
  ): Promise<void> {
    const shown = cellsOf(columns);
    let widths: number[] | null = null;
    for await (const { items } of pages) {
      const rows = items.map((row) => shown.map(([, show]) => cell(show(row))));
      if (widths === null) {
        const head = shown.map(([column]) => column.toUpperCase());
        rows.unshift(head);
        widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
      }
      const last = shown.length - 1;
      const line = (row: string[]) =>
        row.map((text, index) => (index < last ? text.padEnd(widths?.[index] ?? 0) : text));
      await this.text(rows.map((row) => `${line(row).join('  ')}\n`).join(''));
    }
  }

  /** A text as it is, to be kept in a file or handed to another program. */
  async text(text: string): Promise<void> {
    if (!this.terminal.stdout.write(text)) await once(this.terminal.stdout, 'drain');
  }

  /** A note for a person, on standard error; left out with `--json`. */
  note(text: string): void {
    if (!this.json) this.terminal.stderr.write(`${text}\n`);
  }

  private async array(pages: AsyncIterable<Items<object>>): Promise<void> {
    let before = '[';
    for await (const { items } of pages) {
      for (const row of items) {
        await this.text(`${before}\n${JSON.stringify(row)}`);
        before = ',';
      }
    }
    await this.text(before === '[' ? '[]\n' : '\n]\n');
  }
}

const isFields = <Row>(columns: Columns<Row>): columns is readonly (keyof Row & string)[] =>
  Array.isArray(columns);

/** Returns the head of each column, and what it shows of a record. */
const cellsOf = <Row extends object>(columns: Columns<Row>) =>
  isFields(columns)
    ? columns.map((name) => [name, (row: Row) => row[name] as Value] as const)
    : Object.entries(columns);
