import { Failure } from '@registrar/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { type BodyAllowance, BodyMemory } from './body-memory.ts';
import { maxBytes, maxBytesOfStrangers } from './body-limits.ts';
import { parseForm } from './form-fields.ts';
import { hasPrototype, jsonFault } from './json-fault.ts';
import { joinPieces } from './join-pieces.ts';
import { MultipartForm } from './multipart-form.ts';

/**
 * Checks the access that the head of a request shows, in its path, query string or headers.
 *
 * @returns false if it shows none
 * @throws {Error} the error that the request is answered with
 */
export type CheckAccess = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

const acceptedTypes = 'application/x-www-form-urlencoded, multipart/form-data or application/json';

/** A body that cannot be read. The message repeats nothing of it. */
export class UnreadableBody extends Failure {
  /** @param status that of RFC 9110; an API may have others */
  constructor(
    readonly status: 400 | 413 | 415,
    reason: string,
  ) {
    super('invalid', reason);
  }
}

/**
 * Parses the bodies of all requests: JSON into a value, a form into `URLSearchParams`, and a multipart form
 * into a {@link MultipartForm}, whose parts the route reads while they arrive. Bodies are bounded while they
 * arrive: their bytes, and the memory of all of them together. An empty body is none, whatever its type.
 *
 * @returns a function to be called with each request that has a body, before it is read
 */
export function readBodies(
  server: FastifyInstance,
  checkAccess: CheckAccess,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const memory = new BodyMemory();
  const bounds = new WeakMap<FastifyRequest, BodyBounds>();
  /** Null without a body. The response to an unknown path does not wait for one either. */
  const boundsOf = (request: FastifyRequest) =>
    request.is404 ? null : (bounds.get(request) ?? null);
  const readText = async (
    request: FastifyRequest,
    payload: IncomingMessage,
    most: number,
  ): Promise<string> => {
    const bound = boundsOf(request);
    if (!bound) return '';
    await bound.checkLength(most);
    const pieces: Buffer[] = [];
    for await (const piece of joinPieces(bytesOf(payload))) {
      await bound.take(piece.length, most);
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString();
  };
  const parseJson = server.getDefaultJsonParser('ignore', 'ignore');

  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const text = await readText(request, payload, maxBytes.json);
      if (text === '') return undefined;
      const fault = jsonFault(text);
      if (fault !== null) throw new UnreadableBody(400, fault);
      return new Promise((resolve) => {
        // The parser's message may repeat the body.
        void parseJson(request, text, (error, value: unknown) => {
          const isRefused = error !== null || hasPrototype(value);
          const refusal = () => new UnreadableBody(400, 'the body is not valid JSON');
          resolve(isRefused ? Promise.reject(refusal()) : value);
        });
      });
    },
  );
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { fields, fault } = parseForm(await readText(request, payload, maxBytes.form));
      if (fault) throw fault;
      return fields;
    },
  );
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const bound = boundsOf(request);
      return bound ? new MultipartForm(request, bytesOf(payload), bound) : undefined;
    },
  );
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (!boundsOf(request)) return undefined;
    const type = request.headers['content-type']?.split(';', 1)[0]?.slice(0, 60);
    throw type === undefined
      ? new UnreadableBody(415, `the body has no Content-Type: send ${acceptedTypes}`)
      : new UnreadableBody(415, `the Content-Type ${JSON.stringify(type)} is not ${acceptedTypes}`);
  });

  return (request, reply) => {
    const allowance = memory.open(request);
    bounds.set(request, new BodyBounds(request, allowance, () => checkAccess(request, reply)));
    reply.raw.once('close', allowance.release);
  };
}

/** Bounds the body of one request while it arrives. */
export class BodyBounds {
  #bytes = 0;
  /** Null until access was checked. */
  #hasAccess: boolean | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly memory: BodyAllowance,
    private readonly checkAccess: () => Promise<boolean>,
  ) {}

  /** Checks the announced length of a body without a file. */
  async checkLength(most: number): Promise<void> {
    await this.#require(Number(this.request.headers['content-length'] ?? 0), most);
  }

  /**
   * Counts bytes before they are kept in memory.
   *
   * @param most the bytes that the body may have with access
   * @throws {Failure} beyond a bound
   */
  async take(bytes: number, most: number): Promise<void> {
    this.#bytes += bytes;
    await this.#require(this.#bytes, most);
    this.memory.take(bytes);
  }

  async #require(bytes: number, most: number): Promise<void> {
    if (bytes <= maxBytesOfStrangers) return;
    this.#hasAccess ??= await this.checkAccess();
    if (!this.#hasAccess) {
      const reason = 'the body is larger than 64 KiB, and the head of the request shows no access';
      throw new UnreadableBody(413, reason);
    }
    if (bytes > most) {
      throw new UnreadableBody(413, `the body is larger than ${most / 1024 / 1024} MiB`);
    }
  }
}

/** The bytes of a body. The connection stays open when the consumer stops, for the response. */
async function* bytesOf(payload: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UnreadableBody(400, `the body cannot be read: ${Failure.from(error).message}`);
  }
}
