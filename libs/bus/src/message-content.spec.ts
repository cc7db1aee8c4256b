import { describe, expect, it } from 'vitest';
import { fromColumns, toColumns } from './message-content.ts';

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('pages in columns', () => {
  it('a page in columns has the names of members once, and is restored from them', () => {
    const page = {
      items: [
        { id: 1, title: 'Knots' },
        { title: null, id: 2 },
      ],
      next: 'more',
      total: 7,
      ageSeconds: 7,
    };
    const sent = throughJson(toColumns(page));
    expect(sent).toEqual({
      columns: ['id', 'title'],
      rows: [
        [1, 'Knots'],
        [2, null],
      ],
      next: 'more',
      total: 7,
      ageSeconds: 7,
    });
    expect(fromColumns(sent)).toEqual(page);
  });

  it.each([
    ['no items', []],
    ['items of which one lacks a member', [{ id: 1, title: 'Knots' }, { id: 2 }]],
    ['items of which one has another member', [{ id: 1 }, { number: 2 }]],
    ['items with an undefined member', [{ id: 1 }, { id: undefined }]],
    ['items with a member __proto__', [JSON.parse('{"__proto__":1}') as { id: number }]],
  ])('a page with %s is sent as it is', (_name, items) => {
    const page = { items, next: null };
    expect(toColumns(page)).toBe(page);
    expect(fromColumns(page)).toBe(page);
  });
});
