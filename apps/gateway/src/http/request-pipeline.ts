import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type BodyOwner, MultipartForm } from '@registrar/bootstrap';
import { type AccessScope, Failure, requirePermission } from '@registrar/contracts';
import { parseJsonpCallback, type RecordDefinition } from '@registrar/formats';
import {
  appLogger,
  clock,
  derivedId,
  holderOf,
  type Logger,
  runInRequestContext,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCredentials, parseAccessMode, type PresentedAccess } from '../access/access-mode.ts';
import { AccessResolver, type GrantedAccess } from '../access/access-resolver.ts';
import { BrowserKeyWarning } from '../access/browser-key-warning.ts';
import { Admission } from '../admission/admission.ts';
import { DelayedRefusal, GuessingGuard } from '../admission/guessing-guard.ts';
import { isOverLimit, OverLimit } from '../admission/over-limit.ts';
import { type Slot, Slots } from '../admission/slots.ts';
import { Turns } from '../admission/turns.ts';
import {
  discardUnusedUpload,
  type UploadAttempt,
  uploadPackage,
} from '../courses/upload-package.ts';
import { waitUntilVisible } from '../response-cache/wait-until-visible.ts';
import { CourseLists } from '../response-cache/course-lists.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { type Operation, permissionOf } from '../operations/operation.ts';
import {
  checkRequiredItem,
  unreadableAccess,
  unreadableBody,
} from '../operations/required-item.ts';
import {
  addBodyParameters,
  ParameterCollection,
  queryParameters,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';
import { GatewayError } from '../responses/gateway-error.ts';
import { parseFieldSelection } from '../responses/field-selection.ts';
import { negotiateFormat, type ResponseFormat } from '../responses/response-format.ts';
import { noteCrawl } from './request-metrics.ts';
import { ErrorResponder } from './error-responder.ts';
import {
  checkMethodOverride,
  type OperationRoute,
  overriddenOperation,
} from './method-override.ts';
import { requestOrigin, type RequestOrigin, withholdFromPages } from './response-headers.ts';
import { ResponseSender } from './response-sender.ts';

/** The deadline of an operation that sets none: milliseconds. */
const defaultTimeoutMs = 30_000;

/** When requests without a suffix were deprecated: a date of RFC 9745, section 2.1. */
const deprecatedSince = '@1767225600';

const deadlineOf = ({ timeoutMs = defaultTimeoutMs }: Operation) => clock.now() + timeoutMs;

/** A request while the pipeline handles it. */
interface Exchange {
  readonly route: OperationRoute;
  readonly suffix: string | null;
  readonly path: Readonly<Record<string, string>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly origin: RequestOrigin;
  readonly slot: Slot;
  /** The package that it has begun to upload. */
  upload: UploadAttempt | null;
}

const isUnauthenticated = (error: unknown) =>
  error instanceof Failure && error.code === 'unauthenticated';

/** The parameters of a request. */
interface ReceivedParameters {
  readonly given: RequestParameters;
  /** The id of the package that was uploaded to the catalog, if any. */
  readonly uploadId: string | null;
  /** Why a part of the request cannot be read; `given` is what can be. */
  readonly fault?: Error;
}

/**
 * Handles the requests of all operations: format, access, idempotency key, field selection,
 * parameters, the operation itself, and the response (contract/errors#order-of-checks).
 */
@Injectable()
export class RequestPipeline {
  /** Requests whose access has passed its steps of admission. */
  readonly #admitted = new WeakSet<FastifyRequest>();

  constructor(
    private readonly access: AccessResolver,
    private readonly browserKeys: BrowserKeyWarning,
    private readonly guessing: GuessingGuard,
    private readonly overLimit: OverLimit,
    private readonly admission: Admission,
    private readonly slots: Slots,
    private readonly turns: Turns,
    private readonly responses: ResponseCache,
    private readonly courseLists: CourseLists,
    private readonly sender: ResponseSender,
    private readonly errors: ErrorResponder,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Checks the access in the query string of a request, before its body is read.
   *
   * @returns whose body it is; null without valid access, which the body may contain
   * @throws {ShedRequest} when the access has reached a limit
   * @throws {DelayedRefusal} when it is a guess
   */
  async checkAccess(request: FastifyRequest, reply: FastifyReply): Promise<BodyOwner | null> {
    const { given, fault } = queryParameters(request);
    if (fault || !hasCredentials(given)) return null;
    const context = { ...requestOrigin(request), deadline: clock.now() + defaultTimeoutMs };
    return runInRequestContext(context, async () => {
      try {
        const { scope } = await this.access.authorize(parseAccessMode(given, true));
        this.admitAccess(request, reply, scope);
        return { ...holderOf(scope), weight: scope.limits?.weight };
      } catch (error) {
        const isLater = error instanceof GatewayError || isUnauthenticated(error);
        if (isLater && !(error instanceof DelayedRefusal)) return null;
        throw error;
      }
    });
  }

  /**
   * Handles one request; errors become responses too.
   *
   * @param bodyFault the error with which Fastify rejected the body; undefined if it is readable
   */
  async handle(
    route: OperationRoute,
    suffix: string | null,
    path: Readonly<Record<string, string>>,
    request: FastifyRequest,
    reply: FastifyReply,
    bodyFault?: Error,
  ): Promise<FastifyReply> {
    const slot = this.slots.openSlot(reply);
    const origin = requestOrigin(request);
    const exchange: Exchange = {
      route,
      suffix,
      path,
      request,
      reply,
      origin,
      slot,
      upload: null,
    };
    try {
      const received = await this.read(exchange, bodyFault);
      // The body did not arrive in time.
      if (reply.sent) return reply;
      slot.acquire();
      return await this.execute(exchange, received);
    } catch (error) {
      if (error instanceof DelayedRefusal) {
        return this.refuseLater(this.guessing.delay(error), exchange, route.operation.name);
      }
      if (!reply.sent) this.errors.respond(error, reply, route.operation.name);
      return reply;
    } finally {
      slot.settle();
      if (exchange.upload) void this.discardUpload(exchange.upload, origin);
    }
  }

  /** Without it, requests that fail would fill what the realm may upload. */
  private async discardUpload(upload: UploadAttempt, origin: RequestOrigin): Promise<void> {
    const deadline = clock.now() + defaultTimeoutMs;
    const bus = this.turns.busFor(upload.scope, true);
    await runInRequestContext({ ...origin, deadline }, () =>
      discardUnusedUpload(bus, upload),
    ).catch((error: unknown) => {
      const reason = Failure.from(error).message;
      this.logger.warn({ request_id: origin.requestId, reason }, 'an upload was not discarded');
    });
  }

  /** Responds when the failure is there. Holds neither a slot nor the parameters of the request meanwhile. */
  private refuseLater(
    failure: Promise<Failure>,
    { slot, reply }: Exchange,
    operation: string,
  ): FastifyReply {
    slot.giveBack();
    void failure.then((error) => {
      if (!reply.sent) this.errors.respond(error, reply, operation);
    });
    return reply;
  }

  private async execute(exchange: Exchange, received: ReceivedParameters): Promise<FastifyReply> {
    const { route, suffix, path, request, reply, origin, slot } = exchange;
    const { given, uploadId } = received;
    const isOverridden = given.has('_method');
    const operation = isOverridden
      ? overriddenOperation(route, request.method, given)
      : route.operation;
    const deadline = deadlineOf(operation);
    const answered = { operation, origin, reply, slot };
    return runInRequestContext({ ...origin, deadline }, async () => {
      let responseFormat: ResponseFormat | undefined;
      let granted: GrantedAccess | undefined;
      try {
        responseFormat = this.negotiateFormat(operation, suffix, given, request, reply);
        // The part that cannot be read may hold the credentials.
        if (received.fault && !hasCredentials(given)) {
          throw unreadableAccess(operation, received.fault);
        }
        const presented = parseAccessMode(given, operation.allowsProviderPair ?? false);
        granted = await this.authorize(operation, presented, given, responseFormat, exchange);
        // From here on errors are those of malformed parameters (contract/errors#order-of-checks).
        if (received.fault) throw received.fault;
        if (operation.requiredItem !== undefined) checkRequiredItem(operation, given);
        if (operation.list) slot.requireStream(granted.scope);
        if (isOverridden) checkMethodOverride(route, request.method, given);
        checkGeneralParameters(given, responseFormat);
        const { scope } = granted;
        const place = this.responses.placeFor({ operation, scope, path, responseFormat, given });
        const kept = await place?.find();
        if (kept) return this.sender.sendKept(kept, { ...responseFormat, scope }, answered);
        const bus = this.turns.busFor(scope, uploadId !== null);
        const key = idempotencyKey(request, operation, presented);
        const { record } = operation;
        const definition = typeof record === 'function' ? record(given, granted) : record;
        const { format } = responseFormat;
        const select = (shown: RecordDefinition) => parseFieldSelection(shown, format, given);
        // Unknown fields are rejected before the operation takes effect.
        const selection = definition && select(definition);
        const context = { bus, courseLists: this.courseLists, ...granted, path, uploadId };
        noteCrawl(operation, given, reply);
        const requestContext = { ...origin, deadline, ...(key && { idempotencyKey: key }) };
        const result = await runInRequestContext(requestContext, () =>
          operation.execute(context, given),
        );
        if (operation.changesCatalog) await waitUntilVisible();
        // The broadcast reaches the other gateways a little later.
        if (operation.changesAccess) this.access.forgetRealm(scope.realmId);
        const shown = selection ?? (result.recordDefinition && select(result.recordDefinition));
        if (!shown) throw new Error(`${operation.name} returned no record definition`);
        const presentation = { ...responseFormat, selection: shown, presented, scope, place };
        return await this.sender.sendResult(result, presentation, answered);
      } catch (error) {
        if (error instanceof DelayedRefusal) throw error;
        if (granted?.scope.user && isOverLimit(error)) {
          return this.refuseLater(this.overLimit.delay(error), exchange, operation.name);
        }
        const providerError = error instanceof Failure ? error.detail : undefined;
        if (responseFormat && providerError) {
          return this.sender.sendProviderError(providerError, responseFormat, answered);
        }
        this.errors.respond(error, reply, operation.name);
        return reply;
      }
    });
  }

  /**
   * Reads the parameters. A package is sent to the catalog while it arrives, once authorized; before
   * that, no slot is taken.
   */
  private async read(
    exchange: Exchange,
    bodyFault: Error | undefined,
  ): Promise<ReceivedParameters> {
    const { operation } = exchange.route;
    const { body } = exchange.request;
    // A bound of its body, or a limit of its access.
    if (bodyFault instanceof Failure && bodyFault.code !== 'invalid') throw bodyFault;
    const query = queryParameters(exchange.request);
    const fault = query.fault ?? (bodyFault && unreadableBody(operation, bodyFault));
    if (fault) return { given: query.given, uploadId: null, fault };
    const given = new ParameterCollection();
    let uploadId: string | null = null;
    try {
      given.addAll(query.given);
      if (body instanceof MultipartForm) {
        await body.read({
          field: (name, value) => given.add(name, value),
          file: async (name, file) => {
            uploadId = await this.receivePackage(exchange, given, name, file);
          },
        });
      } else addBodyParameters(given, body);
      return { given, uploadId };
    } catch (error) {
      const isInvalid = error instanceof Failure && error.code === 'invalid';
      if (!isInvalid) throw error;
      // Credentials in a body that cannot be read do not count.
      return { given: query.given, uploadId: null, fault: unreadableBody(operation, error) };
    }
  }

  /** @returns the id of the upload */
  private async receivePackage(
    exchange: Exchange,
    given: RequestParameters,
    name: string,
    file: Readable,
  ): Promise<string> {
    const { route, suffix, request, reply, origin, slot } = exchange;
    slot.acquire();
    const { operation } = route;
    return runInRequestContext({ ...origin, deadline: deadlineOf(operation) }, async () => {
      const responseFormat = this.negotiateFormat(operation, suffix, given, request, reply);
      if (!hasCredentials(given)) {
        const order = 'send them before the file in the form, or in the query string';
        throw new Failure('unauthenticated', `the file precedes the access parameters: ${order}`);
      }
      const presented = parseAccessMode(given, operation.allowsProviderPair ?? false);
      const { scope } = await this.authorize(operation, presented, given, responseFormat, exchange);
      if (!operation.acceptsPackage || name !== 'file') {
        throw new Failure('invalid', 'the operation does not accept a file');
      }
      slot.becomeStream(scope);
      // Derived from the idempotency key, so that a repeated create finds the earlier upload.
      const key = idempotencyKey(request, operation, presented) ?? randomUUID();
      const uploadId = derivedId(key, 'upload');
      exchange.upload = { scope, uploadId, attemptId: randomUUID() };
      const chunks = this.access.whileValid<Buffer>(presented, file);
      await uploadPackage(this.turns.busFor(scope, true), exchange.upload, chunks);
      return uploadId;
    });
  }

  /** Chooses the response format, and sets the headers that error responses carry too. */
  private negotiateFormat(
    operation: Operation,
    suffix: string | null,
    given: RequestParameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ): ResponseFormat {
    withholdFromPages(given, reply);
    const responseFormat = negotiateFormat(
      suffix,
      given,
      request.headers.accept,
      operation.formatParameterFirst ?? false,
    );
    if (responseFormat.deprecated) void reply.header('deprecation', deprecatedSince);
    return responseFormat;
  }

  /** @throws {ShedRequest} */
  private admitAccess(request: FastifyRequest, reply: FastifyReply, scope: AccessScope): void {
    if (this.#admitted.has(request)) return;
    this.#admitted.add(request);
    this.admission.onAccess(request, reply, scope);
  }

  /**
   * @throws {Failure} `unauthenticated`, also for access that may not call the operation
   * @throws {ShedRequest} for access that has reached its limit
   */
  private async authorize(
    operation: Operation,
    presented: PresentedAccess,
    given: RequestParameters,
    format: ResponseFormat,
    exchange: Exchange,
  ): Promise<GrantedAccess> {
    const { mode } = presented.credentials;
    // A JSONP request comes from a browser (contract/formats#jsonp-secrets).
    if (format.callback !== null && (mode !== 'api_key' || presented.providerPair)) {
      this.logger.warn({ operation: operation.name, mode }, 'a secret was sent to a browser');
    }
    const granted = await this.access.authorize(presented);
    const { request, reply } = exchange;
    this.admitAccess(request, reply, granted.scope);
    const { origin } = request.headers;
    if (origin !== undefined) this.browserKeys.check(granted.scope, origin);
    requirePermission(granted.scope, permissionOf(operation));
    operation.requireAccess?.(granted.scope, given);
    return granted;
  }
}

/**
 * Checks general parameters that were read before access was checked.
 *
 * @throws {Failure} `invalid` for different values of `format`, and for an invalid callback
 */
function checkGeneralParameters(given: RequestParameters, { callback }: ResponseFormat): void {
  singleValue(given, 'format');
  if (callback !== null) parseJsonpCallback(singleValue(given, 'callback') ?? '');
}

/**
 * The key by which contexts recognize a repeated request: a hash of the client's `Idempotency-Key`,
 * its credentials and the operation (contract/errors#idempotency-key-scope); undefined without the
 * header. The credentials make the hash unguessable even for a simple key.
 *
 * @throws {Failure} `invalid` for a header that is not 1 to 255 visible ASCII characters
 */
function idempotencyKey(
  request: FastifyRequest,
  operation: Operation,
  presented: PresentedAccess,
): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Failure('invalid', 'the idempotency key is malformed');
  }
  const { credentials, providerPair } = presented;
  const parts = JSON.stringify([operation.name, credentials, providerPair, header]);
  return createHash('sha256').update(parts).digest('base64url');
}
