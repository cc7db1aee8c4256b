import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AddressRates, type BodyOwner, clientNetwork, MultipartForm } from '@registrar/bootstrap';
import { discardUpload, Failure, maxAgeSeconds, requirePermission } from '@registrar/contracts';
import { type FieldSelection, parseJsonpCallback, type RecordDefinition } from '@registrar/formats';
import {
  appLogger,
  clock,
  derivedId,
  type Logger,
  type RequestContext,
  runInRequestContext,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCredentials, parseAccessMode, type PresentedAccess } from '../access/access-mode.ts';
import { missingAccess } from '../access/authorization-header.ts';
import { type Access, AccessResolver, type GrantedAccess } from '../access/access-resolver.ts';
import { BrowserKeyWarning } from '../access/browser-key-warning.ts';
import { DelayedRefusal, GuessingGuard } from '../admission/guessing-guard.ts';
import { isOverLimit, OverLimit } from '../admission/over-limit.ts';
import { RealmRates } from '../admission/realm-rates.ts';
import { type Slot, Slots } from '../admission/slots.ts';
import { Turns } from '../admission/turns.ts';
import { presentResult, requireScriptFormat } from '../compatibility/bright.ts';
import { type UploadAttempt, uploadPackage } from '../courses/upload-package.ts';
import { waitUntilVisible } from '../response-cache/catalog-versions.ts';
import { CourseLists } from '../response-cache/course-lists.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { explainNumericGuid } from '../operations/numeric-guid.ts';
import { asksForByteOrderMark } from '../lists/paging.ts';
import type { Operation } from '../operations/operation.ts';
import {
  checkRequiredItem,
  unreadableAccess,
  unreadableBody,
} from '../operations/required-item.ts';
import {
  addBodyParameters,
  headParameters,
  ParameterCollection,
  type ReceivedParameters,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';
import { parseParameters } from '../parameters/parse-parameters.ts';
import { GatewayError } from '../responses/gateway-error.ts';
import { parseFieldSelection, selectingParameters } from '../responses/field-selection.ts';
import { negotiateFormat, type ResponseFormat } from '../responses/response-format.ts';
import { ErrorResponder } from './error-responder.ts';
import { idempotencyKey, keyContext } from './idempotency-key.ts';
import {
  checkMethodOverride,
  type OperationRoute,
  overriddenOperation,
} from './method-override.ts';
import { requestOrigin, type RequestOrigin, withholdFromPages } from './response-headers.ts';
import { ResponseSender } from './response-sender.ts';
import { notesOf } from './served-requests.ts';

/** The deadline of an operation that sets none: milliseconds. */
const defaultTimeoutMs = 30_000;

/** When requests without a suffix were deprecated: a date of RFC 9745, section 2.1. */
const deprecatedSince = '@1767225600';

const deadlineOf = ({ timeoutMs = defaultTimeoutMs }: Operation) => clock.now() + timeoutMs;

/** A request to an operation, with the parts of its path. */
export interface OperationRequest {
  readonly route: OperationRoute;
  readonly suffix: string | null;
  readonly path: Readonly<Record<string, string>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request while the pipeline handles it. */
interface Exchange extends OperationRequest {
  readonly origin: RequestOrigin;
  readonly slot: Slot;
  /** That of the route, until the parameters are there: they may name another method. */
  operation: Operation;
  /** The package that it has begun to upload. */
  upload: UploadAttempt | null;
  /** The format of its response, and what its access reaches, once they are known. */
  responseFormat: ResponseFormat | null;
  granted: GrantedAccess | null;
}

/** What is known of a request that may be carried out. */
interface Admitted {
  readonly responseFormat: ResponseFormat;
  readonly presented: PresentedAccess;
  readonly granted: GrantedAccess;
}

const isUnauthenticated = (error: unknown) =>
  error instanceof Failure && error.code === 'unauthenticated';

/**
 * Handles the requests of all operations: format, access, idempotency key, field selection,
 * parameters, the operation itself, and the response (contract/errors#order-of-checks).
 */
@Injectable()
export class RequestPipeline {
  constructor(
    private readonly access: AccessResolver,
    private readonly browserKeys: BrowserKeyWarning,
    private readonly guessing: GuessingGuard,
    private readonly overLimit: OverLimit,
    private readonly addresses: AddressRates,
    private readonly rates: RealmRates,
    private readonly slots: Slots,
    private readonly turns: Turns,
    private readonly responses: ResponseCache,
    private readonly courseLists: CourseLists,
    private readonly sender: ResponseSender,
    private readonly errors: ErrorResponder,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Admits a request whose head has arrived (admission/README.md).
   *
   * @param operation null for a path that no operation has
   * @throws {ShedRequest}
   */
  arrive({ ip }: FastifyRequest, operation: Operation | null): void {
    const waitSeconds = this.addresses.count(ip);
    if (waitSeconds > 0) {
      throw this.overLimit.refuse('address', `address ${clientNetwork(ip)}`, waitSeconds);
    }
    if (operation) this.slots.requireSlotFor(operation);
  }

  /**
   * Checks the access in the head of a request, before its body is read.
   *
   * @returns whose body it is; null without valid access, which the body may contain
   * @throws {ShedRequest} when the access has reached a limit
   * @throws {DelayedRefusal} when it is a guess
   */
  async checkAccess(request: FastifyRequest, reply: FastifyReply): Promise<BodyOwner | null> {
    const { given, fault } = headParameters(request);
    if (fault || !hasCredentials(given)) return null;
    const context = { ...requestOrigin(request), deadline: clock.now() + defaultTimeoutMs };
    return runInRequestContext(context, async () => {
      try {
        const access = await this.access.authorize(
          parseAccessMode(given, { allowsProviderPair: true }),
        );
        this.admitAccess(request, reply, access);
        return { ...access.holder, weight: access.scope.limits?.weight };
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
  async handle(incoming: OperationRequest, bodyFault?: Error): Promise<FastifyReply> {
    const { request, reply } = incoming;
    const { operation } = incoming.route;
    const slot = this.slots.openSlot(reply);
    const origin = requestOrigin(request);
    const state = { operation, upload: null, responseFormat: null, granted: null };
    const exchange: Exchange = { ...incoming, origin, slot, ...state };
    try {
      const received = await this.read(exchange, bodyFault);
      // The body did not arrive in time.
      if (reply.sent) return reply;
      slot.acquire();
      return await this.execute(exchange, received);
    } catch (error) {
      if (error instanceof DelayedRefusal) {
        return this.refuseLater(this.guessing.delay(error), exchange, operation.name);
      }
      if (!reply.sent) this.errors.respond(error, reply, operation.name);
      return reply;
    } finally {
      slot.settle();
      if (exchange.upload && exchange.granted) {
        void this.discardUpload(exchange.upload, exchange.granted, origin);
      }
    }
  }

  /**
   * Discards an upload that no import has begun to read: the packages of checks, and of requests that fail, would fill
   * what the realm may upload. An upload that this does not reach is deleted by the catalog when it has been idle.
   */
  private async discardUpload(
    upload: UploadAttempt,
    access: Access,
    origin: RequestOrigin,
  ): Promise<void> {
    const context = { ...origin, deadline: clock.now() + defaultTimeoutMs };
    const bus = this.turns.busFor(access, true);
    try {
      await runInRequestContext(context, () => bus.request(discardUpload, { ...upload }));
    } catch (error) {
      const reason = Failure.from(error).message;
      this.logger.warn({ request_id: origin.requestId, reason }, 'an upload was not discarded');
    }
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

  private execute(exchange: Exchange, { given, fault }: ReceivedParameters): Promise<FastifyReply> {
    const { route, request, origin, slot } = exchange;
    const operation = given.has('_method')
      ? overriddenOperation(route, request.method, given)
      : route.operation;
    exchange.operation = operation;
    const requestContext = { ...origin, deadline: deadlineOf(operation) };
    return runInRequestContext(requestContext, async () => {
      try {
        // The part that cannot be read may hold the credentials.
        const withoutAccess = fault && unreadableAccess(operation, fault);
        const admitted = await this.admit(exchange, given, withoutAccess);
        // From here on errors are those of malformed parameters (contract/errors#order-of-checks).
        if (fault) throw fault;
        if (operation.requiredItem !== undefined) checkRequiredItem(operation.requiredItem, given);
        if (operation.list) slot.requireStream(admitted.granted.holder);
        if (given.has('_method')) checkMethodOverride(route, request.method, given);
        checkGeneralParameters(given, admitted.responseFormat);
        return await this.carryOut(exchange, given, admitted, requestContext);
      } catch (error) {
        return this.fail(explainNumericGuid(error, exchange, given), exchange);
      }
    });
  }

  /** Carries out a request that is admitted and complete: with a response that is kept, or by its operation. */
  private async carryOut(
    exchange: Exchange,
    given: RequestParameters,
    { responseFormat, presented, granted }: Admitted,
    requestContext: RequestContext,
  ): Promise<FastifyReply> {
    const { operation, path, request, reply, upload } = exchange;
    const { scope, applicationId } = granted;
    const place =
      operation.showsOnly === undefined
        ? null
        : await this.responses.find({ operation, scope, path, responseFormat, given });
    const presentation = { ...responseFormat, presented, access: granted, place };
    if (place?.value) return this.sender.sendKept(place.value, presentation, exchange);
    const bus = this.turns.busFor(granted, upload !== null);
    const { 'idempotency-key': header } = request.headers;
    const keyed = header === undefined ? null : keyContext(header, presented, exchange, given);
    const { record } = operation;
    const definition = typeof record === 'function' ? record(given, granted) : record;
    const select = (shown: RecordDefinition) =>
      this.selectFields(shown, responseFormat, operation, given);
    // Unknown fields are rejected before the operation takes effect.
    const selected = definition && select(definition);
    const uploadId = upload?.uploadId ?? null;
    const mayBeOld = !demandsCurrent(request);
    const { courseLists } = this;
    const context = { bus, courseLists, scope, applicationId, path, uploadId, mayBeOld };
    const call = { ...context, ...parseParameters(operation, given), given };
    notesOf(reply).crawls = operation.crawls?.(call.parameters) ?? false;
    const done = await runInRequestContext({ ...requestContext, ...keyed }, () =>
      operation.execute(call),
    );
    const result = scope.compatibility === null ? done : presentResult(scope, done);
    if (operation.changesCatalog) await waitUntilVisible();
    // The broadcast reaches the other gateways a little later.
    if (operation.changesAccess) this.access.forgetRealm(scope.realmId);
    const selection = selected ?? (result.recordDefinition && select(result.recordDefinition));
    if (!selection) throw new Error(`${operation.name} returned no record definition`);
    return this.sender.sendResult(result, { ...presentation, selection }, exchange);
  }

  /** Responds to a request that has failed. */
  private fail(error: unknown, exchange: Exchange): FastifyReply {
    const { operation, responseFormat, granted, reply } = exchange;
    if (error instanceof DelayedRefusal) throw error;
    if (granted?.scope.user && isOverLimit(error)) {
      return this.refuseLater(this.overLimit.delay(error), exchange, operation.name);
    }
    const providerError = error instanceof Failure ? error.detail : undefined;
    if (responseFormat && providerError) {
      return this.sender.sendProviderError(providerError, responseFormat, exchange);
    }
    this.errors.respond(error, reply, operation.name);
    return reply;
  }

  /**
   * Reads the parameters. A package is sent to the catalog while it arrives, once authorized; before
   * that, no slot is taken.
   */
  private async read(
    exchange: Exchange,
    bodyFault: Error | undefined,
  ): Promise<ReceivedParameters> {
    const { operation, request } = exchange;
    // A bound of its body, or a limit of its access.
    if (bodyFault instanceof Failure && bodyFault.code !== 'invalid') throw bodyFault;
    const head = headParameters(request);
    const fault = head.fault ?? (bodyFault ? unreadableBody(operation, bodyFault) : null);
    if (fault || request.body === undefined) return { given: head.given, fault };
    const given = new ParameterCollection();
    try {
      given.addAll(head.given);
      if (request.body instanceof MultipartForm) {
        await request.body.read({
          field: (name, value) => given.add(name, value),
          file: (name, file) => this.receivePackage(exchange, given, name, file),
        });
      } else addBodyParameters(given, request.body);
      return { given, fault: null };
    } catch (error) {
      const isInvalid = error instanceof Failure && error.code === 'invalid';
      if (!isInvalid) throw error;
      // Credentials in a body that cannot be read do not count.
      return { given: head.given, fault: unreadableBody(operation, error) };
    }
  }

  private async receivePackage(
    exchange: Exchange,
    given: RequestParameters,
    name: string,
    file: Readable,
  ): Promise<void> {
    const { operation, request, origin, slot } = exchange;
    slot.acquire();
    return runInRequestContext({ ...origin, deadline: deadlineOf(operation) }, async () => {
      const remedy =
        'send them before the file in the form, in the query string or in Authorization';
      const reason = `the file precedes the access parameters: ${remedy}`;
      const withoutAccess = new Failure('unauthenticated', reason);
      const admitted = await this.admit(exchange, given, withoutAccess);
      const { presented, granted } = admitted;
      const { scope } = granted;
      if (!operation.acceptsPackage || name !== 'file') {
        throw new Failure('invalid', 'the operation does not accept a file');
      }
      slot.becomeStream(granted.holder);
      // Derived from the idempotency key, so that a repeated create finds the earlier upload.
      const { 'idempotency-key': header } = request.headers;
      const key = header === undefined ? null : idempotencyKey(header, operation, presented);
      const upload = {
        scope,
        uploadId: derivedId(key ?? randomUUID(), 'upload'),
        attemptId: randomUUID(),
      };
      exchange.upload = upload;
      const chunks = this.access.whileValid<Buffer>(presented, file);
      await uploadPackage(this.turns.busFor(granted, true), upload, chunks);
    });
  }

  /**
   * Chooses the response format, sets the headers that error responses carry too, and checks the access.
   *
   * @param withoutAccess the error for a request that shows no access, if it is not the usual one
   * @throws {GatewayError} 406 for an unknown format or one that the realm does not have, 501 for two access modes
   * @throws {Failure} `unauthenticated`, also for access that may not call the operation
   * @throws {ShedRequest} for access that has reached its limit
   */
  private async admit(
    exchange: Exchange,
    given: RequestParameters,
    withoutAccess: Error | null,
  ): Promise<Admitted> {
    const { operation, suffix, request, reply } = exchange;
    const { accept, origin } = request.headers;
    const { formatParameterFirst = false } = operation;
    withholdFromPages(given, reply);
    const responseFormat = negotiateFormat(suffix, given, accept, formatParameterFirst);
    exchange.responseFormat = responseFormat;
    if (responseFormat.deprecated) void reply.header('deprecation', deprecatedSince);
    if (!hasCredentials(given)) throw withoutAccess ?? missingAccess(request.headers);
    const presented = parseAccessMode(given, operation);
    const { mode } = presented.credentials;
    // A JSONP request comes from a browser (contract/formats#jsonp-secrets).
    if (responseFormat.callback !== null && (mode !== 'api_key' || presented.providerPair)) {
      this.logger.warn({ operation: operation.name, mode }, 'a secret was sent to a browser');
    }
    const granted = await this.access.authorize(presented);
    if (responseFormat.isScript) requireScriptFormat(granted.scope);
    this.admitAccess(request, reply, granted);
    if (origin !== undefined) this.browserKeys.check(granted.scope, origin);
    requirePermission(granted.scope, operation.permission);
    operation.requireAccess?.(granted.scope, given);
    exchange.granted = granted;
    return { responseFormat, presented, granted };
  }

  /**
   * Admits a request whose access is valid. It no longer counts for its address: a realm that is alone may use all of
   * the system, and takes turns with others when it is not.
   *
   * @throws {ShedRequest}
   */
  private admitAccess(request: FastifyRequest, reply: FastifyReply, access: Access): void {
    const notes = notesOf(reply);
    if (notes.account !== undefined) return;
    const { account, quotas } = access;
    notes.account = account;
    this.addresses.uncount(request.ip);
    if (quotas.length > 0) this.rates.count(quotas, reply);
  }

  /** The fields that the response shows. @throws {Failure} `invalid` for an unknown field or field set */
  private selectFields(
    record: RecordDefinition,
    { format }: ResponseFormat,
    operation: Operation,
    given: RequestParameters,
  ): FieldSelection {
    const isUsual = !selectingParameters.some((name) => given.has(name));
    const selection = isUsual ? record.usual[format] : parseFieldSelection(record, format, given);
    const byteOrderMark = format === 'csv' && asksForByteOrderMark(operation, given);
    return byteOrderMark ? { ...selection, byteOrderMark } : selection;
  }
}

/** Whether the client refuses a response as old as {@link maxAgeSeconds} (contract/errors#age-refused). */
function demandsCurrent({ headers }: FastifyRequest): boolean {
  const given = headers['cache-control'] ?? '';
  const [, seconds] = /(?:^|[\s,])max-age="?(\d+)/i.exec(given) ?? [];
  if (seconds !== undefined && Number(seconds) < maxAgeSeconds) return true;
  return /(?:^|[\s,])no-cache(?:[\s,]|$)/i.test(given);
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
