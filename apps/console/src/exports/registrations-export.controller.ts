import {
  clientAddress,
  type DataRate,
  endSlowReading,
  minResponseDataRate,
} from '@registrar/bootstrap';
import { BusClient, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  Failure,
  indexRegistrations,
  listedRegistrationRecord,
} from '@registrar/contracts';
import { contentTypes, defineRecord, type Row, writeList } from '@registrar/formats';
import { clock, Counts, runInRequestContext } from '@registrar/platform';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { MakeCall } from '../calls/make-call.ts';
import { RealmScopes } from '../calls/realm-scopes.ts';
import { listRegistrations } from '../registrations/registrations.calls.ts';
import { toIndexInput } from '../registrations/registration-filters.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import { type Session, Sessions } from '../sessions/sessions.ts';
import { ExportAudit } from './export-audit.ts';

/** The most exports at a time: of a session, and of all. */
const maxExports = { ofSession: 2, ofAll: 16 } as const;

/** The deadline of each page of an export: milliseconds. */
const pageTimeoutMs = 30_000;

const exportQuery = z.object({ format: z.enum(['csv', 'json']), input: z.string().max(4_000) });

const registration = defineRecord('registration', 'registrations', listedRegistrationRecord);

/** Streams the registrations that a list has, as a file. */
@Controller('api/exports')
export class RegistrationsExportController {
  readonly #running = new Counts<string>();

  constructor(
    private readonly bus: BusClient,
    private readonly current: CurrentSession,
    private readonly sessions: Sessions,
    private readonly makeCall: MakeCall,
    private readonly scopes: RealmScopes,
    private readonly audit: ExportAudit,
    @Inject(minResponseDataRate) private readonly minDataRate: DataRate,
  ) {}

  /** Takes the input of the call `registrations.list` as JSON: who may make the call may export what it lists. */
  @Get('registrations')
  async export(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<void> {
    const session = await this.current.require(request);
    const { data } = exportQuery.safeParse(query);
    if (!data) throw new Failure('invalid', 'malformed: format, input');
    const checked = this.makeCall.check('registrations.list', parseJson(data.input), session);
    const {
      realm,
      cursor: _,
      limit: __,
      ...selection
    } = listRegistrations.input.parse(checked.input);
    const origin = {
      requestId: request.id,
      ...(request.ip && { clientAddress: clientAddress(request.ip)! }),
      consoleUser: session.name,
    };
    const readScope = () => this.scopes.find(realm, checked.role!);
    const holder = session.tokenHash.toString('base64');
    this.#requirePlace(holder);
    this.#running.add(holder, 1);
    reply.raw.once('close', () => this.#running.add(holder, -1));
    const inRequest = AsyncLocalStorage.snapshot();
    const inContext = <T>(work: () => Promise<T>): Promise<T> =>
      inRequest(() =>
        runInRequestContext({ ...origin, deadline: clock.now() + pageTimeoutMs }, work),
      );
    const isSignedIn = () => this.sessions.find(this.current.tokenOf(request), 'watched');
    const rows = this.#rows(toIndexInput(selection), readScope, isSignedIn, inContext);
    // Read here, so that a failure of the first page still becomes a status.
    const first = await rows.next();
    const text = writeList(registration.usual[data.format], begun(first, rows), null);
    endSlowReading(reply.raw, this.minDataRate, () => undefined);
    await reply
      .type(contentTypes[data.format])
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="registrations.${data.format}"`)
      .send(text);
  }

  /** Reads the pages as long as the session and its realm last. The end, complete or not, is recorded. */
  async *#rows(
    input: Omit<InputOf<typeof indexRegistrations>, 'scope' | 'cursor' | 'limit'>,
    readScope: () => ReturnType<RealmScopes['find']>,
    isSignedIn: () => Promise<Session | null>,
    inContext: <T>(work: () => Promise<T>) => Promise<T>,
  ): AsyncGenerator<readonly Row[]> {
    let count = 0;
    let cursor: string | null = null;
    let scope: AccessScope | null = null;
    const readPage = async (): Promise<ReplyOf<typeof indexRegistrations>> => {
      if (!(await isSignedIn())) throw new Failure('unauthenticated', 'the session has ended');
      scope = await readScope();
      const listed = { scope, ...input, mayBeOld: true };
      return this.bus.page(indexRegistrations, listed, { cursor, limit: 500 });
    };
    try {
      do {
        const { items, next } = await inContext(readPage);
        count += items.length;
        yield items;
        cursor = next;
      } while (cursor !== null);
    } finally {
      const read: AccessScope | null = scope;
      if (read) await inContext(() => this.audit.record(count, read));
    }
  }

  /** @throws {Failure} `over-limit`, `overloaded` */
  #requirePlace(session: string): void {
    const options = { retryAfterSeconds: 5 };
    if (this.#running.of(session) >= maxExports.ofSession) {
      const reason = `a session has ${maxExports.ofSession} exports at a time at most`;
      throw new Failure('over-limit', reason, undefined, options);
    }
    if (this.#running.total >= maxExports.ofAll) {
      throw new Failure('overloaded', 'the console has too many exports', undefined, options);
    }
  }
}

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
