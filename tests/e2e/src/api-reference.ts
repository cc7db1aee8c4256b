import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '@registrar/conformance';
import { buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@registrar/testing/browser';
import { describeCodeSamples } from './code-samples.ts';
import { type DocumentedOperation, OpenApiDocument } from './open-api-document.ts';
import { needsPackage } from './open-api-requests.ts';
import { ReferencePage, type SentRequest } from './reference-page.ts';

/** How long a suite may take to execute all operations on a loaded machine. */
const allOperationsTimeoutMs = 900_000;

/** Opening a page costs as much as executing three operations; each operation shown slows all down. */
const operationsPerPage = 14;

/** Statuses that are right for a request as prefilled, in addition to success and "exists already". */
function expectedErrors({ name, method }: DocumentedOperation): number[] {
  // An API key cannot create API keys.
  if (name === 'api_key create') return [401];
  // One removal may have taken what the next one names.
  return method === 'DELETE' ? [404] : [];
}

const pathParameterOf = ({ parameters }: DocumentedOperation): string | undefined =>
  parameters.find((parameter) => parameter.in === 'path')?.name;

/** Uses the API reference at `/docs` as a reader does who has an API key of the demo realm. */
function useReference(running: () => RunningSystem, chromium: string) {
  let browser: Browser;
  let document: OpenApiDocument;
  let apiKey: string;
  let registration: string;
  beforeAll(async () => {
    const on = new Installation(running().quickstart);
    document = await OpenApiDocument.read(on.api);
    apiKey = String((await on.realmKey()).api_key);
    // The document has no GUID of a registration: for reads, the page takes one that the key reaches.
    registration = await on.register('first-aid-basics');
    browser = await openBrowser(chromium);
  });
  afterAll(() => browser.close());

  /** Opens the page with some operations, and authorizes. */
  const open = async (operations: readonly DocumentedOperation[]): Promise<ReferencePage> => {
    const ids = new Set(operations.map(({ id }) => id));
    const root = running().quickstart.base_url;
    const page = await ReferencePage.open(browser, root, (id) => ids.has(id));
    await page.authorize(apiKey);
    return page;
  };
  /** Names the registration that an operation changes, which the page leaves to its reader. */
  const nameItem = async (page: ReferencePage, operation: DocumentedOperation) => {
    const path = pathParameterOf(operation);
    if (path === undefined || !operation.path.startsWith('/registration/')) return;
    if ((await page.value(operation, path)) === '') await page.fill(operation, path, registration);
  };
  /** Executes operations in order, on pages that show a few of them. */
  const executeAll = async (operations: readonly DocumentedOperation[]) => {
    const sent: [DocumentedOperation, SentRequest][] = [];
    for (let start = 0; start < operations.length; start += operationsPerPage) {
      const shown = operations.slice(start, start + operationsPerPage);
      const page = await open(shown);
      for (const operation of shown) {
        await nameItem(page, operation);
        sent.push([operation, await page.execute(operation)]);
      }
      await page.close();
    }
    return sent;
  };
  return { open, executeAll, operations: () => document.operations };
}

/**
 * Executes every operation from the reference as prefilled. The system must be fresh, as after
 * `npm start`, because the document's examples name the demo course and the first item of each kind.
 */
export function describeApiReference(running: () => RunningSystem, chromium: string): void {
  describe('in a browser', () => {
    const { open, executeAll, operations } = useReference(running, chromium);

    it(
      'executes every operation as prefilled, without a 500 or an empty value',
      async () => {
        const sent = await executeAll(
          operations().filter((each) => each.method !== 'DELETE' && !needsPackage(each)),
        );
        expect(sent.flatMap(([operation, request]) => problemsOf(operation, request))).toEqual([]);
      },
      allOperationsTimeoutMs,
    );

    describeCodeSamples(running, operations);

    it("sends a stored query's own parameters", async () => {
      const run = operations().find(({ name }) => name.startsWith('run'))!;
      const page = await open([run]);
      await page.fill(run, 'name', 'learners_stuck');
      await page.fill(run, 'parameters', '{"days":"14"}');
      const sent = await page.execute(run);
      expect([sent.status, sent.url.searchParams.get('days')]).toEqual([200, '14']);
    });

    it('the page shows the reason of an error', async () => {
      const show = operations().find(({ id }) => id === 'courses.get')!;
      const page = await open([show]);
      await page.fill(show, 'id', 'no-such-course');
      expect(await page.execute(show)).toMatchObject({
        status: 404,
        answer: { title: 'Not found', detail: 'no such record for this access' },
      });
    });

    it('uploads a course package as a multipart form', async () => {
      const create = operations().find(({ id }) => id === 'courses.create')!;
      const buffer = await buildSamplePackage('fire-safety');
      const page = await open([create]);
      await page.attach(create, 'file', { name: 'fire-safety.zip', buffer });
      await page.fill(create, 'course_guid', 'uploaded-from-the-reference');
      await page.fill(create, 'title', '');
      const sent = await page.execute(create);
      expect(sent).toMatchObject({
        status: 201,
        answer: { course_guid: 'uploaded-from-the-reference', title: 'Fire safety at work' },
      });
    });

    it('names no item of its reader in a removal, until the page has created one', async () => {
      const removal = operations().find(({ id }) => id === 'registrations.delete')!;
      const create = operations().find(({ id }) => id === 'registrations.create')!;
      const page = await open([removal, create]);
      const path = pathParameterOf(removal)!;
      const before = await page.value(removal, path);
      const { answer } = await page.execute(create);
      const after = await page.value(removal, path);
      expect([before, after]).toEqual([
        '',
        (answer as Record<string, unknown>)['registration_guid'],
      ]);
    });

    it(
      'removes items as prefilled, without a 500 or an empty value',
      async () => {
        const removals = operations().filter(({ method }) => method === 'DELETE');
        // A removed API key, which may be the page's own, ends its access.
        const ofKeys = removals.filter(({ name }) => name === 'api_key delete');
        const others = await executeAll(removals.filter((each) => !ofKeys.includes(each)));
        expect(others.flatMap(([operation, sent]) => problemsOf(operation, sent))).toEqual([]);
        for (const [, { status }] of await executeAll(ofKeys)) {
          expect([200, 401, 404]).toContain(status);
        }
      },
      allOperationsTimeoutMs,
    );
  });
}

function problemsOf(operation: DocumentedOperation, sent: SentRequest): string[] {
  const request = `${operation.id}: ${operation.method} ${sent.url.href} ${sent.body ?? ''}`;
  const isExpected = sent.status < 400 || expectedErrors(operation).includes(sent.status);
  const isMultipart = sent.body?.startsWith('--') ?? false;
  const form = new URLSearchParams(isMultipart ? '' : (sent.body ?? ''));
  const empty = [
    ...[...sent.url.searchParams, ...form].filter(([, value]) => value === ''),
    ...(sent.body ?? '').matchAll(/(?<=name=")\w+(?="\r\n\r\n\r\n)/g),
  ].map(([name]) => name);
  return [
    ...(isExpected ? [] : [`${request}: answered ${sent.status}`]),
    ...(empty.length === 0 ? [] : [`${request}: sends empty ${empty.join(', ')}`]),
  ];
}
