import { describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { text } from 'node:stream/consumers';
import { BodyMemory } from './body-memory.ts';
import { type FormParts, MultipartForm } from './multipart-form.ts';
import { BodyBounds } from './read-bodies.ts';

const requestOf = (type: string) =>
  ({ ip: '192.0.2.1', headers: { 'content-type': type } }) as unknown as FastifyRequest;

const disposition = 'content-disposition: form-data; name';
const field = (name: string, value: string) =>
  `--x\r\n${disposition}="${name}"\r\n\r\n${value}\r\n`;
const file = `--x\r\n${disposition}="file"; filename="a"\r\n\r\n`;

/** Reads a form that arrives in these pieces. */
const read = async (
  pieces: readonly (string | Buffer)[],
  parts: Partial<FormParts> = {},
  type = 'multipart/form-data; boundary=x',
) => {
  async function* bytes() {
    for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
  const request = requestOf(type);
  const owner = { realmId: 0, key: '192.0.2.1' };
  const bounds = new BodyBounds(request, new BodyMemory().open(owner), owner, false);
  const given: string[] = [];
  await new MultipartForm(request, bytes(), bounds).read({
    field: (name, value) => void given.push(`${name}=${value}`),
    file: async (name, content) => void given.push(`${name}: ${await text(content)}`),
    ...parts,
  });
  return given;
};
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a multipart form', () => {
  it('gives its fields and its file in their order, however it arrives', async () => {
    const body = `${field('a', '1')}${file}content\r\n${field('b', 'é')}--x--\r\n`;
    const expected = ['a=1', 'file: content', 'b=é'];
    expect((await read([body])).sort()).toEqual(expected.sort());
    expect((await read([...body])).sort()).toEqual(expected.sort());
  });

  it('a multipart form has text in UTF-8, or in the charset of its part or of the form', async () => {
    const typed = (type: string, value: string) =>
      `--x\r\n${disposition}="a"\r\ncontent-type: ${type}\r\n\r\n${value}\r\n--x--\r\n`;
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const plain = (value: string) => `${field('a', value)}--x--\r\n`;
    expect(await read([plain('é \ufffd')])).toEqual(['a=é \ufffd']);
    await expect(read([latin(plain('é'))])).rejects.toMatchObject({
      message: 'a is not valid UTF-8: state its charset in Content-Type, or send UTF-8',
      parameter: 'a',
    });
    expect(await read([latin(typed('text/plain; charset="ISO-8859-1"', 'é'))])).toEqual(['a=é']);
    expect(await read([typed('text/plain; charset=utf-8', 'é€')])).toEqual(['a=é€']);
    await expect(read([latin(typed('text/plain;charset=UTF-8', 'é'))])).rejects.toThrow('UTF-8');
    await expect(read([typed('text/plain; charset=none', 'é')])).rejects.toThrow('"none"');
    const type = 'multipart/form-data; charset=windows-1252; boundary=x';
    expect(await read([latin(plain('é'))], {}, type)).toEqual(['a=é']);
  });

  it('a multipart form may have a file of any size, and 64 KiB of fields without access', async () => {
    const content = Array.from({ length: 20 }, () => 'x'.repeat(65_536));
    const [given] = await read([file, ...content, '\r\n--x--\r\n']);
    expect(given).toHaveLength('file: '.length + 20 * 65_536);
    await expect(read([field('a', 'x'.repeat(140_000)), '--x--\r\n'])).rejects.toMatchObject({
      status: 413,
    });
  });

  it('a multipart form is refused with more than 1000 fields, and with a second file', async () => {
    await expect(read([field('a', '1').repeat(1_001), '--x--\r\n'])).rejects.toThrow(
      'too many parameters',
    );
    await expect(read([`${file}1\r\n${file}2\r\n--x--\r\n`])).rejects.toThrow('more than one file');
  });

  it('a multipart form is refused when it ends within a file that nothing reads yet', async () => {
    const { promise: authorized, resolve: authorize } = Promise.withResolvers<void>();
    const refused = read([`${file}abc`], { file: () => authorized });
    // The parser reports the unfinished file in a later turn.
    await nextTurn();
    authorize();
    await expect(refused).rejects.toThrow('Unexpected end of');
  });

  it('a multipart form is refused with the reason for which its file is not read', async () => {
    const refused = read([`${file}abc`], {
      file: () => Promise.reject(new Error('the access is not valid')),
    });
    await expect(refused).rejects.toThrow('the access is not valid');
    await nextTurn();
  });
});
