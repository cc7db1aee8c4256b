import { Readable } from 'node:stream';
import { BusClient } from '#libs/bus';
import { Failure, type ProviderRefusal, providerRefusal } from '#libs/contracts';
import {
  allFields,
  contentTypes,
  describeRecord,
  jsonpContentType,
  parseCallback,
  type RecordDescription,
  type Selection,
  writeList,
  writeRecord,
} from '#libs/formats';
import { appLogger, derivedId, type Logger, runOperation } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.ts';
import { presentedAccess, type PresentedAccess, presentsApiKey } from '../access/access-mode.ts';
import { chosenFields } from '../answers/chosen-fields.ts';
import { responseFormat, type ResponseFormat } from '../answers/response-format.ts';
import { statuses } from '../answers/statuses.ts';
import { uploadPackage } from '../courses/upload-package.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';
import { Admission } from './admission.ts';
import { allowedOrigins, allowOrigin } from './cross-origin.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { pagesInOperation } from './pages-in-operation.ts';
import { readParameters } from './read-parameters.ts';
import { Refusals } from './refusals.ts';
import { requestIdOf } from './request-id.ts';

/** How long an operation, and each page of a list, may take unless it says otherwise. */
const usualTime = 30_000;

/** The day on which requests without a suffix were declared deprecated (RFC 9745, 2.1). */
const deprecatedSince = '@1767225600';

const refusalDescription = describeRecord('error', 'errors', providerRefusal);

/** The way of a request: format, access, parameters, the operation, and the answer's writer. */
@Injectable()
export class AnswerRequest {
  constructor(
    private readonly bus: BusClient,
    private readonly access: Access,
    private readonly admission: Admission,
    private readonly refusals: Refusals,
    @Inject(allowedOrigins) private readonly origins: readonly string[] | null,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  async answer(
    operation: Operation,
    suffix: string | null,
    path: Readonly<Record<string, string>>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const requestId = requestIdOf(reply);
    const deadline = Date.now() + (operation.time ?? usualTime);
    return runOperation({ requestId, deadline }, async () => {
      let look: ResponseFormat | undefined;
      try {
        const { given, uploadId } = await this.read(operation, suffix, request, reply);
        look = this.look(operation, suffix, given, request, reply);
        const presented = presentedAccess(given, operation.providerBeside ?? false);
        const granted = await this.granted(operation, presented, look);
        const key = idempotencyKey(request, operation, presented);
        // A parameter, for all that it has to do with the format: the access comes first.
        if (look.callback !== null) parseCallback(single(given, 'callback') ?? '');
        const { record } = operation;
        const described = typeof record === 'function' ? record(given, granted) : record;
        const { format } = look;
        const selectionOf = (shown: RecordDescription) => chosenFields(shown, format, given);
        // Where it is known what will be shown, wrong names are refused before anything happens.
        const selection = described && selectionOf(described);
        const call = { bus: this.bus, ...granted, path, uploadId };
        const answer = await runOperation({ requestId, deadline, idempotencyKey: key }, () =>
          operation.answer(call, given),
        );
        const shown = selection ?? (answer.described && selectionOf(answer.described));
        if (!shown) throw new Error(`${operation.name} does not say what it answers`);
        return await this.write(operation, answer, shown, look, requestId, reply);
      } catch (error) {
        const refused = error instanceof Failure ? error.detail : undefined;
        if (look && refused) return this.writeProviderRefusal(refused, look, reply);
        this.refusals.answer(error, reply, operation.name);
        return reply;
      }
    });
  }

  /** Reads the request; a package goes to the catalog as it comes in, once access is granted. */
  private async read(
    operation: Operation,
    suffix: string | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ given: GivenParameters; uploadId: string | null }> {
    let uploadId: string | null = null;
    const given = await readParameters(request, async (name, file, before) => {
      const look = this.look(operation, suffix, before, request, reply);
      const presented = presentedAccess(before, operation.providerBeside ?? false);
      const { scope } = await this.granted(operation, presented, look);
      if (!operation.takesPackage || name !== 'file') {
        throw new Failure('invalid', 'a file that the operation does not take');
      }
      if (uploadId !== null) throw new Failure('invalid', 'more than one package');
      // A create that is repeated finds what was uploaded before.
      uploadId = derivedId(idempotencyKey(request, operation, presented), 'upload');
      await uploadPackage(this.bus, scope, uploadId, file);
    });
    return { given, uploadId };
  }

  /** How the answer will look; says so in the headers that hold for refusals too. */
  private look(
    operation: Operation,
    suffix: string | null,
    given: GivenParameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ): ResponseFormat {
    if (presentsApiKey(given)) allowOrigin(request, reply, this.origins);
    const look = responseFormat(
      suffix,
      given,
      request.headers.accept,
      operation.formatWins ?? false,
    );
    if (look.deprecated) void reply.header('deprecation', deprecatedSince);
    return look;
  }

  private granted(operation: Operation, presented: PresentedAccess, look: ResponseFormat) {
    const { mode } = presented.credentials;
    if (look.callback !== null && (mode !== 'api_key' || presented.beside)) {
      this.logger.warn({ operation: operation.name, mode }, 'a secret was sent to a browser');
    }
    return this.access.grant(presented);
  }

  private async write(
    operation: Operation,
    answer: Answer,
    selection: Selection,
    { format, callback }: ResponseFormat,
    requestId: string,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const type = callback === null ? contentTypes[format] : jsonpContentType;
    void reply.code(operation.status).type(type);
    if ('record' in answer) {
      return reply.send(await writeRecord(selection, answer.record, callback));
    }
    const pages = await pagesInOperation(answer.pages, requestId, usualTime);
    if (!this.admission.letsSend(reply.request)) {
      throw new Failure('overloaded', 'too many lists are being sent');
    }
    // Fastify would read the list to its end, for an answer without a body.
    if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
    const list = writeList(selection, pages, callback);
    list.once('error', (error) => this.refusals.cutOff(error, reply, operation.name));
    return reply.send(list);
  }

  /** The one error with a body; a script gets it with 200, or it would not see it (decision 9). */
  private async writeProviderRefusal(
    refusal: ProviderRefusal,
    { format, callback }: ResponseFormat,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    this.logger.warn({ reason: refusal.error_message }, 'the course provider refused');
    const body = await writeRecord(allFields(refusalDescription, format), refusal, callback);
    const status = callback === null ? statuses['refused-by-provider'] : 200;
    const type = callback === null ? contentTypes[format] : jsonpContentType;
    return reply.code(status).type(type).send(body);
  }
}
