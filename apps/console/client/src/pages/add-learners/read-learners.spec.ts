import { describe, expect, it } from 'vitest';
import { fileBounds, readLearners } from './read-learners.ts';

describe('a file of learners', () => {
  it.each([
    ['one column', 'ann@example.com\nbob@example.com\n'],
    ['a named column', 'name,E-Mail\n"Ann, A.",ann@example.com\nBob, bob@example.com \n'],
    ['semicolons', 'email;name\nann@example.com;Ann\nbob@example.com;Bob\n'],
    [
      'a byte order mark and empty lines',
      '\uFEFFemail\r\n\r\nann@example.com\r\n  \r\nbob@example.com',
    ],
  ])('a file with %s is read', (_, text) => {
    expect(readLearners(text)).toEqual({ rows: ['ann@example.com', 'bob@example.com'] });
  });

  it('rows without an address are kept, so that the preview can name them', () => {
    expect(readLearners('email\nno address\n')).toEqual({ rows: ['no address'] });
  });

  it('a file is read up to its bound of rows, beside the names of its columns', () => {
    const text = `email\n${'a@example.com\n'.repeat(fileBounds.rows)}`;
    expect(readLearners(text)).toMatchObject({ rows: { length: fileBounds.rows } });
    expect(readLearners(`${text}b@example.com\n`)).toEqual({ problem: 'too-many-rows' });
  });

  it.each([
    ['empty', '\n \n'],
    ['empty', 'email\n'],
    ['no-column', 'name,address\nAnn,ann@example.com\n'],
    ['malformed', '"ann@example.com\n'],
    ['too-large', 'a'.repeat(fileBounds.bytes + 1)],
  ])('a file with the problem %s is not read', (problem, text) => {
    expect(readLearners(text)).toEqual({ problem });
  });
});
