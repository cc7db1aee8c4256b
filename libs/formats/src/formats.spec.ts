import { describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import {
  selectAllFields,
  defineRecord,
  defineRecordFromColumns,
  type Format,
  parseJsonpCallback,
  type Row,
  selectFields,
  writeList,
  writeWholeList,
  writeRecord,
} from './index.ts';

const timestamp = z.iso.datetime();
const lesson = defineRecord(
  'lesson',
  'lessons',
  z.object({
    id: z.int(),
    title: z.string().nullable(),
    score: z.number().nullable(),
    open: z.boolean(),
    begins_at: timestamp.nullable(),
    custom: z.json().nullable(),
    course_guids: z.array(z.string()),
    room: z.object({ name: z.string().nullable(), seats: z.int() }).nullable(),
  }),
);
const row = {
  id: 7,
  title: 'Knots & <ropes>',
  score: -0.5,
  open: true,
  begins_at: '2026-01-02T03:04:05Z',
  custom: { color: 'blue' },
  course_guids: ['a', 'b'],
  room: { name: '=1+1', seats: 12 },
};

async function* inPages(...rows: Row[]) {
  for (const each of rows) yield [each];
}
/** A list as it is streamed, which is the same as the text of a list of one page. */
const written = async (format: Format, ...rows: Row[]) => {
  const selection = selectAllFields(lesson, format);
  const streamed = await text(writeList(selection, inPages(...rows), null));
  const whole = writeWholeList(selection, rows, null);
  expect(whole).toBe(streamed);
  return streamed;
};

describe('writeList, writeWholeList and writeRecord', () => {
  it('writeList, writeWholeList and writeRecord write an empty list', async () => {
    expect(await written('csv')).toMatch(/^id,title,.*\r\n$/);
    expect(await written('xml')).toMatch(/<lessons type="array"><\/lessons>$/);
  });

  it('writeList, writeWholeList and writeRecord begin CSV with a byte order mark on request, and nothing else', async () => {
    const begin = async (format: Format) => {
      const selection = { ...selectAllFields(lesson, format), byteOrderMark: true };
      const whole = writeWholeList(selection, [row], null);
      // Decoding would drop it.
      const streamed = Buffer.concat(await writeList(selection, inPages(row), null).toArray());
      expect(streamed.toString()).toBe(whole);
      return whole.slice(0, 3);
    };
    expect(await begin('csv')).toBe('\ufeffid');
    expect(await begin('json')).toBe('[{"');
    expect(await begin('xml')).toBe('<?x');
  });

  it('writeList, writeWholeList and writeRecord write null and an empty text as the same cell of CSV', async () => {
    const cells = async (title: string | null) =>
      (await written('csv', { ...row, title })).split('\r\n')[1];
    expect(await cells(null)).toBe(await cells(''));
    expect(await cells('')).toMatch(/^7,,/);
  });

  it('writeList, writeWholeList and writeRecord write a list as JSON', async () => {
    expect(await written('json')).toBe('[]');
    expect(JSON.parse(await written('json', row, row))).toEqual([row, row]);
  });

  it('writeList, writeWholeList and writeRecord write a list as XML with type attributes', async () => {
    expect(await written('xml', row)).toBe(
      '<?xml version="1.0" encoding="utf-8" ?>\n<lessons type="array"><lesson>' +
        '<id type="integer">7</id><title>Knots &amp; &lt;ropes&gt;</title>' +
        '<score type="float">-0.5</score><open type="boolean">true</open>' +
        '<begins-at type="datetime">2026-01-02T03:04:05Z</begins-at>' +
        '<custom>{"color":"blue"}</custom><course-guids type="array">' +
        '<course-guid>a</course-guid><course-guid>b</course-guid></course-guids>' +
        '<room><name>=1+1</name><seats type="integer">12</seats></room></lesson></lessons>',
    );
    expect(await written('xml', { ...row, score: null, course_guids: [], room: null })).toContain(
      '<score type="float" nil="true"/>',
    );
  });

  it('writeList, writeWholeList and writeRecord write a list as CSV with dotted columns and escaped formulas', async () => {
    expect(await written('csv', row)).toBe(
      'id,title,score,open,begins_at,custom,course_guids,room.name,room.seats\r\n' +
        '7,Knots & <ropes>,-0.5,true,2026-01-02T03:04:05Z,"{""color"":""blue""}",' +
        '"[""a"",""b""]",\'=1+1,12\r\n',
    );
    expect(await written('csv')).toBe(
      'id,title,score,open,begins_at,custom,course_guids,room.name,room.seats\r\n',
    );
  });

  it.each([
    ['=1', "'=1"],
    [' \u00a0\u200b=1', " \u00a0\u200b'=1"],
    ['\uff1d1', "'\uff1d1"],
    ['\uff0b1', "'\uff0b1"],
    ['\uff0d1', "'\uff0d1"],
    ['\uff20a', "'\uff20a"],
    ['\n@a', "\n'@a"],
    ['\t=1', "'\t'=1"],
    ['a;=1', "a;'=1"],
    ['a; "-1', `a; "'-1`],
    ['a;b;;=1;c', "a;b;;'=1;c"],
    ['a\t+1', "a\t'+1"],
    ['a\r\n=1\r\nb', "a\r\n'=1\r\nb"],
    ['a=1, -2; b-3', 'a=1, -2; b-3'],
    ["'=1", "'=1"],
    [`${'\n'.repeat(100_000)}a`, `${'\n'.repeat(100_000)}a`],
  ])(
    'writeList, writeWholeList and writeRecord write %j as a cell that no spreadsheet runs',
    async (name, cell) => {
      const rows = parse(await written('csv', { ...row, room: { name, seats: 1 } }));
      expect(rows[1]?.[7]).toBe(cell);
    },
  );

  it('writeList, writeWholeList and writeRecord quote the only cell of a row in CSV, so that an empty one differs from the end of the file', () => {
    const titles = ['', 'Knots', '"', '=1', 'a,b'].map((title) => ({ ...row, title }));
    expect(writeWholeList(selectFields(lesson, 'csv', 'title'), titles, null)).toBe(
      '"title"\r\n""\r\n"Knots"\r\n""""\r\n"\'=1"\r\n"a,b"\r\n',
    );
  });

  it('writeList, writeWholeList and writeRecord write a single record, and wrap JSON for JSONP', async () => {
    expect(JSON.parse(writeRecord(selectAllFields(lesson, 'json'), row, null))).toEqual(row);
    expect(writeRecord(selectAllFields(lesson, 'xml'), row, null)).toMatch(/\?>\n<lesson><id /);
    expect(writeRecord(selectAllFields(lesson, 'csv'), row, null).split('\r\n')).toHaveLength(3);
    const id = selectFields(lesson, 'json', 'id');
    expect(writeRecord(id, row, 'app.show')).toBe('/**/app.show({"id":7});');
    expect(await text(writeList(id, inPages(row), 'show'))).toBe('/**/show([{"id":7}]);');
    expect(writeWholeList(id, [row], 'show')).toBe('/**/show([{"id":7}]);');
  });

  it('writeList, writeWholeList and writeRecord fail the stream when a page fails', async () => {
    for (const format of ['json', 'xml', 'csv'] as const) {
      async function* broken() {
        yield [row];
        throw new Error('the page is lost');
      }
      const list = writeList(selectAllFields(lesson, format), broken(), null);
      await expect(text(list)).rejects.toThrow('the page is lost');
    }
  });

  it('writeList, writeWholeList and writeRecord request a page only when the reader has room for it', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += 1;
        yield Array.from({ length: 100 }, () => row);
      }
    }
    for (const format of ['json', 'xml', 'csv'] as const) {
      taken = 0;
      const list = writeList(selectAllFields(lesson, format), endless(), null);
      for await (const _chunk of list) break;
      expect(taken).toBeLessThan(20);
    }
  });

  it('writeList, writeWholeList and writeRecord write the same texts in JSON, XML and CSV, as other parsers read them', async () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[=+\-@\t\r"',;\n&<>\]]*$/),
      fc.constant('&amp;lt;'),
    );
    // oxlint-disable-next-line no-control-regex -- these very characters are meant
    const plain = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1 }), async (titles) => {
        const rows = titles.map((title) => ({ ...row, title: title.replaceAll('\0', '') }));
        const json = JSON.parse(await written('json', ...rows)) as { title: string }[];
        expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
        expect(textsOf(await written('xml', ...rows), 'title')).toEqual(
          rows.map(({ title }) => title.replace(plain, '')),
        );
        const csv = parse<(typeof json)[number]>(await written('csv', ...rows), { columns: true });
        const withoutApostrophes = ({ title }: { title: string }) =>
          title.replace(/'(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])/g, '');
        expect(csv.map(withoutApostrophes)).toEqual(rows.map(withoutApostrophes));
      }),
    );
  });
});

describe('selectFields', () => {
  const names = (list: string, format: Format = 'json') =>
    selectFields(lesson, format, list).fields.map((field) => field.name);

  it('accepts names with underscores or hyphens, and keeps the order of the record', () => {
    expect(names('course-guids,begins_at, id')).toEqual(['id', 'begins_at', 'course_guids']);
  });

  it('selects nested fields', () => {
    const rooms = selectFields(lesson, 'json', 'room.seats');
    expect(writeRecord(rooms, row, null)).toBe('{"room":{"seats":12}}');
    expect(writeRecord(rooms, { ...row, room: null }, null)).toBe('{"room":null}');
  });

  it('a record usually shows the fields of its set public, and all of them without one', () => {
    const schema = z.object({ id: z.int(), title: z.string(), note: z.string() });
    const shown = (sets: Readonly<Record<string, readonly string[]>>) =>
      defineRecord('course', 'courses', schema, { sets }).usual.csv.fields.map(({ name }) => name);
    expect(shown({ public: ['title', 'id'], extended: ['note'] })).toEqual(['id', 'title']);
    expect(shown({ extended: ['note'] })).toEqual(['id', 'title', 'note']);
  });

  it('rejects an unknown name', () => {
    expect(() => names('id,color')).toThrow('unknown name "color"');
    expect(() => names('room.color')).toThrow('unknown name "room.color"');
  });

  it('selects a field with another name in XML by either name', () => {
    const schema = z.object({ id: z.int(), course_guid: z.string(), metadata: z.string() });
    const course = defineRecord('course', 'courses', schema, {
      xml: { id: 'id', metadata: 'metadata', sc_course_id: 'course_guid' },
      xmlOnly: ['metadata'],
    });
    const shown = (list: string, format: Format) =>
      selectFields(course, format, list).fields.map((field) => field.name);
    expect(shown('course_guid', 'xml')).toEqual(['sc_course_id']);
    expect(shown('sc-course-id', 'xml')).toEqual(['sc_course_id']);
    expect(shown('sc-course-id', 'csv')).toEqual(['course_guid']);
    expect(shown('metadata', 'xml')).toEqual(['metadata']);
    expect(() => shown('metadata', 'json')).toThrow('unknown name "metadata"');
  });
});

describe('the rows of a query with positions', () => {
  const columns = [
    { name: 'title', kind: 'text' },
    { name: 'count', kind: 'integer' },
  ] as const;
  const positional = defineRecordFromColumns('row', 'rows', columns, true);
  const values = { title: 'Knots', count: 3 };

  it('the rows of a query with positions have each value under the number of its column and under its name in JSON', () => {
    const all = writeRecord(selectAllFields(positional, 'json'), values, null);
    expect(JSON.parse(all)).toEqual({ 0: 'Knots', 1: 3, title: 'Knots', count: 3 });
    const csv = writeRecord(selectAllFields(positional, 'csv'), values, null);
    expect(csv).toBe('title,count\r\nKnots,3\r\n');
  });

  it('the rows of a query with positions are limited to the number of columns that `fields` gives', () => {
    const one = writeRecord(selectFields(positional, 'json', '1'), values, null);
    expect(JSON.parse(one)).toEqual({ 0: 'Knots', title: 'Knots' });
    const more = writeRecord(selectFields(positional, 'json', '9'), values, null);
    expect(JSON.parse(more)).toMatchObject({ 1: 3 });
    const csv = writeRecord(selectFields(positional, 'csv', '1'), values, null);
    expect(csv).toBe('"title"\r\n"Knots"\r\n');
    const named = defineRecordFromColumns('row', 'rows', columns);
    expect(() => selectFields(named, 'json', '1')).toThrow('unknown name "1"');
  });
});

describe('the rows of a query', () => {
  it('the rows of a query keep a column that is named __proto__ in JSON', () => {
    const named = defineRecordFromColumns('row', 'rows', [{ name: '__proto__', kind: 'json' }]);
    const values = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    const text = writeRecord(selectAllFields(named, 'json'), values, null);
    expect(text).toBe('{"__proto__":{"a":1}}');
  });
});

describe('former names of fields', () => {
  const schema = z.object({ id: z.int(), course_id: z.int() });
  const record = defineRecord('record', 'records', schema, {
    formerNames: { old_course_id: 'course_id' },
  });
  const values = { id: 1, course_id: 2 };

  it('former names of fields are written when `fields` names them, beside the present name', () => {
    const selected = (fields: string, format: Format) =>
      writeRecord(selectFields(record, format, fields), values, null);
    expect(selected('id,old-course-id', 'json')).toBe('{"id":1,"old_course_id":2}');
    expect(selected('old_course_id,course_id', 'json')).toBe('{"course_id":2,"old_course_id":2}');
    expect(selected('old_course_id', 'xml')).toContain('<old-course-id type="integer">2<');
    expect(selected('old_course_id', 'csv')).toBe('"old_course_id"\r\n"2"\r\n');
  });

  it('former names of fields are not written otherwise', () => {
    expect(writeRecord(selectAllFields(record, 'json'), values, null)).toBe(
      '{"id":1,"course_id":2}',
    );
  });
});

describe('ignored names of fields', () => {
  const record = defineRecord('record', 'records', z.object({ id: z.int(), title: z.string() }), {
    ignoredNames: ['parts.size'],
  });

  it('ignored names of fields select nothing', () => {
    const selected = (fields: string, format: Format) =>
      writeRecord(selectFields(record, format, fields), { id: 1, title: 'Knots' }, null);
    expect(selected('id, parts.size', 'json')).toBe('{"id":1}');
    expect(selected('parts.size', 'json')).toBe('{}');
    expect(selected('parts.size,title', 'csv')).toBe('"title"\r\n"Knots"\r\n');
    expect(selected('parts.size', 'xml')).toContain('<record/>');
    expect(() => selectFields(record, 'json', 'parts.color')).toThrow('parts.color');
  });
});

describe('parseJsonpCallback', () => {
  it('accepts dotted identifiers only', () => {
    expect(parseJsonpCallback('jQuery_1.then.$show')).toBe('jQuery_1.then.$show');
    for (const wrong of ['', 'a b', 'alert(1)', '.a', 'a.', '1a', 'a'.repeat(65)]) {
      expect(() => parseJsonpCallback(wrong)).toThrow('callback');
    }
  });
});

function textsOf(document: string, name: string): string[] {
  const texts: string[] = [];
  let open = false;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    open = tag.name === name;
    if (open) texts.push('');
  });
  parser.on('text', (piece) => {
    if (open) texts[texts.length - 1] += piece;
  });
  parser.on('closetag', () => (open = false));
  parser.write(document).close();
  return texts;
}
