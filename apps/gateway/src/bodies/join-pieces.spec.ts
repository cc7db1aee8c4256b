import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import { addBodyParameters } from './read-body.ts';

/** Reads a body in pieces; returns its parameters, and the lengths of the pieces that are parsed. */
async function read(type: string, pieces: readonly Buffer[]) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { 'content-type': type, 'content-length': String(length) };
  const raw = Readable.from(pieces);
  const request = { method: 'POST', headers, raw } as unknown as FastifyRequest;
  const given = new ParameterCollection();
  const lengths: number[] = [];
  const noFile = () => Promise.reject(new Error('there is no file'));
  await addBodyParameters(given, request, (bytes) => void lengths.push(bytes), noFile);
  return { given: Object.fromEntries(given), lengths };
}

describe('a body that arrives in single bytes', () => {
  it('is parsed in pieces of 16 KiB', async () => {
    const value = 'a'.repeat(40_000);
    const bodies = [
      ['application/x-www-form-urlencoded', `title=${value}`],
      ['application/json', `{"title":"${value}"}`],
    ] as const;
    for (const [type, text] of bodies) {
      const bytes = Array.from(text, (character) => Buffer.from(character));
      const { given, lengths } = await read(type, bytes);
      expect(given).toEqual({ title: [value] });
      expect(lengths).toEqual([16_384, 16_384, text.length - 32_768]);
    }
  });

  it('is joined with the larger pieces in between', async () => {
    const pieces = ['a=', 'b'.repeat(20_000), 'c'].map((text) => Buffer.from(text));
    const { given, lengths } = await read('application/x-www-form-urlencoded', pieces);
    expect(given).toEqual({ a: [`${'b'.repeat(20_000)}c`] });
    expect(lengths).toEqual([16_384, 3_619]);
  });
});
