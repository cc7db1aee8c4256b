import {
  clientAddress,
  type DataRate,
  endSlowReading,
  minResponseDataRate,
} from '@registrar/bootstrap';
import { type AccessScope, Failure, type Page } from '@registrar/contracts';
import { contentTypes, type RecordDefinition, type Row, writeList } from '@registrar/formats';
import { clock, Counts, runInRequestContext } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { CallName } from '../calls/calls.ts';
import { MakeCall } from '../calls/make-call.ts';
import { RealmScopes } from '../calls/realm-scopes.ts';
import { ConsoleMetrics } from '../metrics/console-metrics.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import { type Session, Sessions } from '../sessions/sessions.ts';
import { ExportAudit, type ExportedOperation } from './export-audit.ts';
import { writeXlsx, xlsxContentType } from './write-xlsx.ts';

/** The most exports at a time: of a session, and of all. */
const maxExports = { ofSession: 2, ofAll: 16 } as const;

/** The deadline of each page of an export, and of what comes before the first: milliseconds. */
const pageTimeoutMs = 30_000;

const pageSize = 500;

const exportFormat = z.enum(['csv', 'json', 'xlsx']);
type ExportFormat = z.output<typeof exportFormat>;
const exportQuery = z.object({ format: exportFormat, input: z.string().max(4_000) });

const types: Readonly<Record<ExportFormat, string>> = { ...contentTypes, xlsx: xlsxContentType };

/** A list that is exported. */
export interface ExportedList {
  readonly record: RecordDefinition;
  readonly readPage: (
    scope: AccessScope,
    page: { readonly cursor: string | null; readonly limit: number },
  ) => Promise<Page<Row>>;
}

interface Exported {
  /** Who may make this call about a realm may export. */
  readonly call: CallName;
  readonly operation: ExportedOperation;
  /** Begins the export, with the checked input of the call. */
  readonly open: (
    scope: AccessScope,
    input: Record<string, unknown>,
  ) => Promise<ExportedList & { readonly fileName: string }>;
}

/** Streams lists as files. */
@Injectable()
export class Exports {
  readonly #running = new Counts<string>();

  constructor(
    private readonly current: CurrentSession,
    private readonly sessions: Sessions,
    private readonly makeCall: MakeCall,
    private readonly scopes: RealmScopes,
    private readonly audit: ExportAudit,
    private readonly metrics: ConsoleMetrics,
    @Inject(minResponseDataRate) private readonly minDataRate: DataRate,
  ) {}

  /**
   * Sends what the input of a call lists, which the query has as JSON, in the format that the query names.
   *
   * @throws {Failure} `over-limit`, `overloaded`, and as `MakeCall.check` and the first page do
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    query: unknown,
    { call, operation, open }: Exported,
  ): Promise<void> {
    const session = await this.current.require(request);
    const { data } = exportQuery.safeParse(query);
    if (!data) throw new Failure('invalid', 'malformed: format, input');
    const { role, input } = this.makeCall.check(call, parseJson(data.input), session);
    const origin = {
      requestId: request.id,
      ...(request.ip && { clientAddress: clientAddress(request.ip)! }),
      consoleUser: session.name,
    };
    const readScope = () => this.scopes.find(String(input['realm']), role!);
    this.#takePlace(session, reply);
    const inRequest = AsyncLocalStorage.snapshot();
    const inContext = <T>(work: () => Promise<T>): Promise<T> =>
      inRequest(() =>
        runInRequestContext({ ...origin, deadline: clock.now() + pageTimeoutMs }, work),
      );
    const isSignedIn = () => this.sessions.find(this.current.tokenOf(request), 'watched');
    const { record, readPage, fileName } = await inContext(async () =>
      open(await readScope(), input),
    );
    const rows = this.#rows(operation, readPage, readScope, isSignedIn, inContext);
    // Read here, so that a failure of the first page still becomes a status.
    const first = await rows.next();
    endSlowReading(reply.raw, this.minDataRate, () => undefined);
    await reply
      .type(types[data.format])
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${fileName}.${data.format}"`)
      .send(writeFile(data.format, record, begun(first, rows)));
  }

  /** Reads the pages as long as the session and its realm last. The end, complete or not, is recorded. */
  async *#rows(
    operation: ExportedOperation,
    readList: ExportedList['readPage'],
    readScope: () => Promise<AccessScope>,
    isSignedIn: () => Promise<Session | null>,
    inContext: <T>(work: () => Promise<T>) => Promise<T>,
  ): AsyncGenerator<readonly Row[]> {
    let count = 0;
    let cursor: string | null = null;
    let scope: AccessScope | null = null;
    const readPage = async (): Promise<Page<Row>> => {
      if (!(await isSignedIn())) throw new Failure('unauthenticated', 'the session has ended');
      scope = await readScope();
      return readList(scope, { cursor, limit: pageSize });
    };
    try {
      do {
        const { items, next }: Page<Row> = await inContext(readPage);
        count += items.length;
        yield items;
        cursor = next;
      } while (cursor !== null);
    } finally {
      const read: AccessScope | null = scope;
      if (read) await inContext(() => this.audit.record(operation, count, read));
    }
  }

  /** @throws {Failure} `over-limit`, `overloaded` */
  #takePlace({ tokenHash }: Session, reply: FastifyReply): void {
    const session = tokenHash.toString('base64');
    const options = { retryAfterSeconds: 5 };
    if (this.#running.of(session) >= maxExports.ofSession) {
      const reason = `a session has ${maxExports.ofSession} exports at a time at most`;
      throw new Failure('over-limit', reason, undefined, options);
    }
    if (this.#running.total >= maxExports.ofAll) {
      throw new Failure('overloaded', 'the console has too many exports', undefined, options);
    }
    this.#running.add(session, 1);
    this.metrics.exports.inc();
    reply.raw.once('close', () => {
      this.#running.add(session, -1);
      this.metrics.exports.dec();
    });
  }
}

const writeFile = (
  format: ExportFormat,
  { usual }: RecordDefinition,
  pages: AsyncGenerator<readonly Row[]>,
): Readable =>
  format === 'xlsx' ? writeXlsx(usual.csv, pages) : writeList(usual[format], pages, null);

/** The rest of what an iterator yields, from a result on that was read before. */
async function* begun<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** @throws {Failure} `invalid` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'the input is not valid JSON');
  }
}
