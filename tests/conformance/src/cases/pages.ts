import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import type { ApiResponse, Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv } from '../readers.ts';

const indexes = [
  'course',
  'registration',
  'invitation',
  'realm_user',
  'template',
  'course_provider',
];

/** The parameters of the next page, from the link to it; null on the last page. */
function nextPage(response: ApiResponse): Record<string, string> | null {
  const link = response.headers.get('link');
  if (link === null) return null;
  const [, reference] = /^<(\?[^>]*)>; rel="next"$/.exec(link) ?? [];
  check(
    reference !== undefined,
    `${response.request}: expected a link to the next page, got ${link}`,
  );
  return Object.fromEntries(new URLSearchParams(reference));
}

/** Reads the pages of a list by their links, with the access added to each. */
async function readPages(target: Installation, path: string, parameters: Parameters) {
  const pages: ApiResponse[] = [];
  for (let next: Parameters | null = parameters; next; next = nextPage(pages.at(-1)!)) {
    pages.push(await target.api.get(path, { ...target.realm, ...next }));
    check(pages.length <= 20, 'the links of a list of few records do not end');
  }
  return pages;
}

/** Four templates that one filter names, in the order of their creation. */
const templates = async (target: Installation) => {
  const markup = target.unique('markup');
  const create = async () => {
    const name = target.unique('paged');
    const parameters = { ...target.realm, name, markup, body: 'x' };
    const record = recordOf(await target.api.post('/template.json', parameters), 201);
    return { name, id: String(record['id']) };
  };
  return { markup, create, made: [await create(), await create(), await create(), await create()] };
};

/** Three registrations of a learner, in the order of their creation. */
const learner = (target: Installation) =>
  target.once('learner with pages of registrations', async () => {
    const learner_id = target.learner();
    const course = await target.course();
    const guids: string[] = [];
    while (guids.length < 3) guids.push(await target.register(course, learner_id));
    return { learner_id, guids };
  });

const registrations = (target: Installation, parameters: Parameters) =>
  target.api.get('/registration.json', { ...target.realm, ...parameters });

/** Pages of lists (contract/parameters#paging), and the order of registrations. */
export const pageCases = [
  transportCase(
    'the links of pages lead through a list',
    [
      'contract/parameters#limit',
      'contract/parameters#cursor',
      'contract/parameters#link',
      'contract/parameters#link-reference',
      'contract/parameters#link-access',
    ],
    async (target) => {
      const { markup, made } = await templates(target);
      const names = made.map(({ name }) => name);
      const first = { markup, fields: 'name', limit: '3' };
      const pages = await readPages(target, '/template.json', first);
      checkEqual(
        pages.map((page) => valuesOf(page, 'name')),
        [names.slice(0, 3), names.slice(3)],
        'the names on the pages',
      );
      const { cursor, ...repeated } = nextPage(pages[0]!) ?? {};
      checkEqual(repeated, first, 'the parameters of the link');
      const rest = await target.api.get('/template.json', { ...target.realm, markup, cursor });
      checkEqual(valuesOf(rest, 'name'), names.slice(3), 'the names after the cursor');
      checkEqual(nextPage(rest), null, 'the link of a list without limit');
    },
  ),

  conformanceCase(
    'every index has pages in every format, and counts its records',
    [
      'contract/parameters#paging-operations',
      'contract/parameters#count',
      'contract/registrations#index-pages',
    ],
    async (target) => {
      await learner(target);
      for (const resource of indexes) {
        for (const suffix of ['json', 'xml', 'csv']) {
          const query = { ...target.realm, limit: '1', count: 't' };
          const page = await target.api.get(`/${resource}.${suffix}`, query);
          checkStatus(page, 200);
          const total = Number(page.headers.get('x-total-count') ?? Number.NaN);
          check(total >= 0, `${page.request}: X-Total-Count is not a number`);
          checkEqual(nextPage(page) !== null, total > 1, `${page.request}: whether a page follows`);
        }
      }
      const { learner_id } = await learner(target);
      const counted = await registrations(target, { learner_id, limit: '1', count: 't' });
      checkEqual(counted.headers.get('x-total-count'), '3', 'the registrations of the learner');
      const uncounted = await registrations(target, { learner_id });
      checkEqual(uncounted.headers.get('x-total-count'), null, 'X-Total-Count without count');
    },
  ),

  conformanceCase(
    'a malformed limit or cursor, a cursor of another order, and parameters that are too long for a link return 500',
    ['contract/parameters#paging-malformed', 'contract/parameters#link-length'],
    async (target) => {
      const { learner_id } = await learner(target);
      const page = await registrations(target, { learner_id, limit: '1', sort: 'updated_at' });
      const { cursor } = nextPage(page) ?? {};
      check(cursor !== undefined, 'a page of one of three registrations has no link');
      const wrong: Parameters[] = [
        { limit: '0' },
        { limit: '501' },
        { limit: '' },
        { cursor: 'x' },
        { cursor, sort: '-updated_at' },
        { cursor },
        { limit: '1', learner_id: 'x'.repeat(3_000) },
      ];
      for (const each of wrong) checkError(await registrations(target, each), 500);
    },
  ),

  conformanceCase(
    'each record that exists while pages are read is on one page, and a cursor outlasts its record',
    ['contract/parameters#page-changes', 'contract/parameters#cursor-reach'],
    async (target) => {
      const { markup, create, made } = await templates(target);
      const [one, two, three, four] = made;
      const page = async (more: Parameters) =>
        target.api.get('/template.json', { ...target.realm, markup, limit: '2', ...more });
      const first = await page({});
      const { cursor } = nextPage(first) ?? {};
      checkStatus(
        await target.api.send('DELETE', `/template/${two!.id}.json`, { query: target.realm }),
        200,
      );
      const five = await create();
      const second = await page({ cursor });
      checkEqual(valuesOf(first, 'name'), [one!.name, two!.name], 'the first page');
      checkEqual(valuesOf(second, 'name'), [three!.name, four!.name], 'the second page');
      checkEqual(
        valuesOf(await page({ ...nextPage(second) }), 'name'),
        [five.name],
        'the page with the record that was created meanwhile',
      );
      const key = await target.userKey(target.learner());
      const other = await target.api.get('/registration.json', { ...key, cursor, limit: '5' });
      checkEqual(recordsOf(other), [], 'the registrations of another access after the cursor');
    },
  ),

  conformanceCase(
    'registration index filters by complete and success',
    ['contract/registrations#filter-complete', 'contract/registrations#filter-success'],
    async (target) => {
      const { learner_id, guids } = await learner(target);
      const found = async (filters: Parameters) =>
        valuesOf(await registrations(target, { learner_id, ...filters }), 'registration_guid');
      checkEqual(
        await found({ complete: 'unknown', success: 'unknown' }),
        guids,
        'the unknown ones',
      );
      checkEqual(await found({ complete: 'complete' }), [], 'the complete ones');
      checkEqual(await found({ success: 'failed' }), [], 'the failed ones');
      for (const each of [{ complete: 'yes' }, { success: 'passed' }]) {
        checkError(await registrations(target, each), 500);
      }
    },
  ),

  conformanceCase(
    'registration index has the order of sort, by updated_at with updated_since',
    [
      'contract/registrations#sort',
      'contract/registrations#sort-default',
      'contract/registrations#sort-changes',
      'contract/registrations#updated-since',
      'contract/registrations#created-since',
    ],
    async (target) => {
      const { learner_id, guids } = await learner(target);
      const all = guids.toSorted();
      const list = (more: Parameters) => registrations(target, { learner_id, ...more });
      const guidsOf = (response: ApiResponse) => valuesOf(response, 'registration_guid');
      checkEqual(guidsOf(await list({ sort: 'id' })), guids, 'the order of id');
      checkEqual(guidsOf(await list({ sort: '-id' })), guids.toReversed(), 'the order of -id');
      const first = await list({ sort: 'updated_at', limit: '1' });
      const [moved] = guidsOf(first);
      const custom = JSON.stringify(target.unique('moved'));
      recordOf(
        await target.api.put(`/registration/${String(moved)}.json`, { custom }, target.realm),
      );
      const following = await list({ ...nextPage(first), limit: '5' });
      checkEqual(guidsOf(following).toSorted(), all, 'the pages after a registration that moved');
      // A crawl in the background may update any of them at any time.
      const since = String(recordsOf(await list({}))[0]?.['created_at']);
      const inOrder = async (more: Parameters, reverse: boolean) => {
        const response = await list(more);
        const times = valuesOf(response, 'updated_at').map(String);
        const sorted = times.toSorted();
        checkEqual(times, reverse ? sorted.toReversed() : sorted, 'the order of updated_at');
        checkEqual(guidsOf(response).toSorted(), all, 'the registrations of the learner');
      };
      await inOrder({ sort: 'updated_at' }, false);
      await inOrder({ sort: '-updated_at' }, true);
      await inOrder({ updated_since: since }, false);
      checkEqual(
        guidsOf(await list({ created_since: since })),
        guids,
        'the order of created_since',
      );
      const later = '2200-01-01T00:00:00Z';
      checkEqual(guidsOf(await list({ updated_since: later })), [], 'what is updated later');
      checkEqual(guidsOf(await list({ created_since: later })), [], 'what is created later');
      checkError(await list({ updated_since: '2026-01-01' }), 500);
      checkError(await list({ sort: 'learner_id' }), 500);
    },
  ),

  conformanceCase(
    'crawl selects from all registrations that match, whatever the page',
    ['contract/registrations#crawl-pages'],
    async (target) => {
      const learner_id = target.learner();
      const course = await target.course();
      await target.register(course, learner_id);
      await target.register(course, learner_id);
      const page = await registrations(target, { learner_id, limit: '1', crawl: 't' });
      checkEqual(recordsOf(page).length, 1, 'the registrations on the page');
      const crawled = valuesOf(await registrations(target, { learner_id }), 'last_crawled_at');
      check(!crawled.includes(null), 'a registration beyond the page was not crawled');
    },
  ),

  conformanceCase(
    'CSV shows null and an empty text alike, and begins with a byte order mark with bom',
    ['contract/formats#csv-null', 'contract/formats#csv-bom', 'contract/stored-queries#run-bom'],
    async (target) => {
      const name = target.unique('empty');
      const made = { ...target.realm, name, markup: '', body: '' };
      recordOf(await target.api.post('/template.json', made), 201);
      const query = { ...target.realm, name };
      const table = await target.api.get('/template.csv', {
        ...query,
        fields: 'name,markup,mimetype',
      });
      checkEqual(table.text.split('\r\n')[1], `${name},,`, 'an empty text and null');
      for (const field of ['markup', 'mimetype']) {
        const column = await target.api.get('/template.csv', { ...query, fields: field });
        checkEqual(column.text, `"${field}"\r\n""\r\n`, `the column ${field}`);
      }
      const marked = await target.api.get('/template.csv', { ...query, bom: '1' });
      const plain = await target.api.get('/template.csv', query);
      // The client's decoder drops the mark.
      const lengths = [marked, plain].map(({ headers }) => Number(headers.get('content-length')));
      checkEqual(lengths[0], lengths[1]! + 3, 'the bytes of a response with bom');
      checkEqual(parseCsv(marked.text), parseCsv(plain.text), 'the records of a response with bom');
      checkStatus(await target.api.get('/initialize.json', target.realm), 200);
      const run = { ...target.realm, name: 'completion_by_course', bom: 't' };
      checkStatus(await target.api.get('/run.csv', run), 200);
    },
  ),
];
