import { clientAddress, packagePieces } from '@registrar/bootstrap';
import { BusClient } from '@registrar/bus';
import {
  type AccessScope,
  appendPackagePiece,
  checkPackage,
  createCourse,
  discardUpload,
  Failure,
  type PackageFinding,
} from '@registrar/contracts';
import {
  appLogger,
  clock,
  type Holder,
  type Logger,
  Places,
  runInRequestContext,
} from '@registrar/platform';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { checkInput } from '../calls/check-input.ts';
import { RealmScopes } from '../calls/realm-scopes.ts';
import { callFailure, logFailure } from '../http/console-exception.filter.ts';
import { openStream } from '../http/open-stream.ts';
import { CurrentSession, SignedOut } from '../sessions/current-session.ts';
import { Sessions } from '../sessions/sessions.ts';
import { courseUpload, type CourseTarget, targetOf } from './course-target.ts';
import type { UploadNews } from './upload-news.ts';

/** The most uploads at a time; a realm, and within it a user, gets another one while it has fewer than are free. */
const maxUploads = 16;

/** The deadline of each request but the import, of the transfer, and of the import: milliseconds. */
const timeoutsMs = { request: 30_000, transfer: 3_600_000, check: 120_000, import: 300_000 };

/** The time between two lines of an import: milliseconds. Proxies end responses that bring nothing for longer. */
const heartbeatMs = 15_000;

/** An upload at the catalog. */
interface Upload {
  readonly scope: AccessScope;
  readonly uploadId: string;
  readonly attemptId: string;
}

/** Does a part of the work for an upload in a request context with a deadline of its own. */
type WithDeadline = <T>(timeoutMs: number, work: () => Promise<T>) => Promise<T>;

/**
 * Takes course packages: each is sent to the catalog while it arrives, then checked and imported. An upload that fails or
 * is cancelled before its import is discarded.
 */
@Controller('api/uploads')
export class CourseUploadController {
  readonly #places = new Places(maxUploads);

  constructor(
    private readonly bus: BusClient,
    private readonly current: CurrentSession,
    private readonly sessions: Sessions,
    private readonly scopes: RealmScopes,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Responds with a failure and its status until the package is there, and from then on with lines of JSON. */
  @Post('course')
  async upload(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<void> {
    const session = await this.current.require(request);
    const { input, role } = checkInput(courseUpload, query, session);
    const address = clientAddress(request.ip);
    const origin = {
      requestId: request.id,
      ...(address !== undefined && { clientAddress: address }),
      consoleUser: session.name,
      idempotencyKey: randomUUID(),
      isPrivateKey: true,
    };
    const within: WithDeadline = (timeoutMs, work) =>
      runInRequestContext({ ...origin, deadline: clock.now() + timeoutMs }, work);
    const findScope = () => this.scopes.find(input.realm, role!);
    const { scope, target } = await within(timeoutsMs.request, async () => {
      const found = await findScope();
      return { scope: found, target: await targetOf(this.bus, found, input) };
    });
    const holder = { realmId: scope.realmId, key: session.account };
    this.#take(holder);
    const upload = { scope, uploadId: randomUUID(), attemptId: randomUUID() };
    const requireAccess = async () => {
      if (!(await this.sessions.find(this.current.tokenOf(request), 'used'))) throw new SignedOut();
      await findScope();
    };
    try {
      await this.#receive(upload, request.body as IncomingMessage, within, requireAccess);
      await this.#respond(upload, target, { request, reply, within });
    } finally {
      this.#places.giveBack(holder);
      void this.#discard(upload, request.id, within);
    }
  }

  /** @throws {Failure} `over-limit` */
  #take(holder: Holder): void {
    if (!this.#places.isFreeFor(holder, 'fewer than are free')) {
      const reason = 'the realm or its user has its share of the uploads under way';
      throw new Failure('over-limit', reason, undefined, { retryAfterSeconds: 5 });
    }
    this.#places.take(holder);
  }

  /** Sends the package on, one piece at a time: the client is read no faster than the catalog stores. */
  async #receive(
    upload: Upload,
    body: IncomingMessage,
    within: WithDeadline,
    requireAccess: () => Promise<void>,
  ): Promise<void> {
    const end = clock.now() + timeoutsMs.transfer;
    let index = 0;
    // The connection stays open for the response when the rest of the package is not read.
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const piece of packagePieces(chunks)) {
      if (clock.now() > end) throw new Failure('expired', 'the transfer has taken an hour');
      const bytes = piece.toString('base64');
      await within(timeoutsMs.request, async () => {
        await requireAccess();
        await this.bus.request(appendPackagePiece, { ...upload, index, bytes });
      });
      index += 1;
    }
  }

  /** Checks and imports a package, and says so meanwhile. */
  async #respond(
    upload: Upload,
    target: CourseTarget,
    {
      request,
      reply,
      within,
    }: { request: FastifyRequest; reply: FastifyReply; within: WithDeadline },
  ): Promise<void> {
    const raw = openStream(reply, 'application/x-ndjson; charset=utf-8');
    const send = (news: UploadNews) => {
      if (!raw.destroyed) raw.write(`${JSON.stringify(news)}\n`);
    };
    let cancel = () => {};
    const begin = (stage: 'checking' | 'importing') => {
      cancel();
      send({ stage });
      cancel = clock.schedule(heartbeatMs, () => begin(stage));
    };
    let findings: readonly PackageFinding[] | null = null;
    try {
      begin('checking');
      findings = await this.#check(upload, request.id, within);
      // Cancelled before anything was done.
      if (raw.destroyed) return;
      begin('importing');
      const { course_guid: guid, title } = await this.#import(upload, target, within);
      send({ course: { guid, title }, findings });
    } catch (error) {
      const failure = Failure.from(error);
      logFailure(this.logger, failure, error, request);
      const found = failure.findings ?? findings;
      send({ failure: callFailure(failure, request.id), findings: found });
    } finally {
      cancel();
      raw.end();
    }
  }

  /** What a check finds; null when there is no check now, which keeps no package from being imported. */
  async #check(
    { scope, uploadId }: Upload,
    requestId: string,
    within: WithDeadline,
  ): Promise<readonly PackageFinding[] | null> {
    const check = () => this.bus.request(checkPackage, { scope, uploadId });
    try {
      return (await within(timeoutsMs.check, check)).findings;
    } catch (error) {
      const { message: reason } = Failure.from(error);
      this.logger.warn({ request_id: requestId, reason }, 'an uploaded package was not checked');
      return null;
    }
  }

  #import({ scope, uploadId }: Upload, target: CourseTarget, within: WithDeadline) {
    const { courseGuid, applicationId, title } = target;
    const source = { kind: 'package', uploadId, courseGuid } as const;
    const wanted = { scope, applicationId, source, title, custom: null };
    return within(timeoutsMs.import, () => this.bus.request(createCourse, wanted));
  }

  /** Discards an upload whose import has not begun. One that this does not reach is deleted when it has been idle. */
  async #discard(upload: Upload, requestId: string, within: WithDeadline): Promise<void> {
    try {
      await within(timeoutsMs.request, () => this.bus.request(discardUpload, { ...upload }));
    } catch (error) {
      const { message: reason } = Failure.from(error);
      this.logger.warn({ request_id: requestId, reason }, 'an upload was not discarded');
    }
  }
}
