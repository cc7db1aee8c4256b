import { describe, expect, it } from 'vitest';
import { singleRecord } from './single-record.ts';

describe('a single record', () => {
  it('a single record is looked for until two records are found', async () => {
    let isClosed = false;
    async function* pages() {
      try {
        yield { items: ['first'], next: '1' };
        yield { items: ['second'], next: '2' };
        throw new Error('a third page was read');
      } finally {
        isClosed = true;
      }
    }
    await expect(singleRecord(pages())).rejects.toThrow(
      'several provider applications hold the record',
    );
    expect(isClosed).toBe(true);
  });
});
