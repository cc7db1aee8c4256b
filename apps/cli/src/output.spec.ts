import { describe, expect, it } from 'vitest';
import { Readable, Writable } from 'node:stream';
import { cell, type Items, Output } from './output.ts';

const outputTo = (json: boolean) => {
  let printed = '';
  // Full after every write: what is written must wait for it.
  const stdout = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      printed += chunk.toString('utf8');
      setImmediate(done);
    },
  });
  const terminal = { stdin: Readable.from([]), stdout, stderr: stdout, environment: {} };
  return { output: new Output(terminal, json), printed: () => printed };
};

async function* pages() {
  const items = [
    { id: 1, name: 'Swimming school', more: { a: 1 } },
    { id: 20, name: 'x', more: null },
  ];
  yield { items };
  yield {
    items: [{ id: 300, name: 'a name that is longer than the first page expects', more: null }],
  };
}

async function* nothing(): AsyncGenerator<Items<{ id: number }>> {
  yield { items: [] };
}

describe('the output of a command', () => {
  it('the output of a command is a table for people, in the columns that were chosen', async () => {
    const { output, printed } = outputTo(false);
    await output.list(pages(), ['id', 'name']);
    expect(printed()).toBe(
      [
        'ID  NAME',
        '1   Swimming school',
        '20  x',
        '300  a name that is longer than the first page expects',
        '',
      ].join('\n'),
    );
  });

  it('the output of a command is an array of whole records for programs', async () => {
    const { output, printed } = outputTo(true);
    await output.list(pages(), ['id']);
    const expected = [];
    for await (const { items } of pages()) expected.push(...items);
    expect(JSON.parse(printed())).toEqual(expected);
    expect(printed().split('\n')).toHaveLength(expected.length + 3);
  });

  it('the output of a command is a head, or an empty array, when there is nothing', async () => {
    const forPeople = outputTo(false);
    await forPeople.output.list(nothing(), ['id']);
    expect(forPeople.printed()).toBe('ID\n');
    const forPrograms = outputTo(true);
    await forPrograms.output.list(nothing(), ['id']);
    expect(forPrograms.printed()).toBe('[]\n');
  });

  it('the output of a command is a line per field, or an object, for one record', async () => {
    const forPeople = outputTo(false);
    await forPeople.output.record({ id: 1, realm_guid: null });
    expect(forPeople.printed()).toBe('id          1\nrealm_guid  -\n');
    const forPrograms = outputTo(true);
    await forPrograms.output.record({ id: 1, realm_guid: null });
    expect(JSON.parse(forPrograms.printed())).toEqual({ id: 1, realm_guid: null });
  });

  it('the output of a command does not let what others wrote steer the terminal', () => {
    expect(cell('a\u001b[2Jb\nc\u202e')).toBe(String.raw`a\u{001b}[2Jb\u{000a}c\u{202e}`);
    expect(cell({ a: ['ä'] })).toBe('{"a":["ä"]}');
    expect(cell(false)).toBe('false');
  });
});
