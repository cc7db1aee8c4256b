import { Failure } from '@registrar/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preParsingHookHandler,
} from 'fastify';
import type { IncomingMessage } from 'node:http';
import { largestNetwork } from '../client-network.ts';
import { type BodyAllowance, BodyMemory } from './body-memory.ts';
import { maxBytes, maxBytesOfStrangers } from './body-limits.ts';
import { parseForm } from './form-fields.ts';
import { jsonFault } from './json-fault.ts';
import { joinPieces } from './join-pieces.ts';
import { MultipartForm } from './multipart-form.ts';
import { type BodyOwner, ParseTurns } from './parse-turns.ts';
import { charsetOf, TextEncoding } from './text-encoding.ts';

/**
 * Checks the access that the head of a request shows, in its path, query string or headers, before its body is
 * read.
 *
 * @returns whose body it is; null if the head shows no access, so that the body may contain it
 * @throws {Error} the error that the request is answered with; its body is not read
 */
export type CheckAccess = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<BodyOwner | null>;

/** Clients whose realm is not known take turns by their network. */
const strangerAt = ({ ip }: FastifyRequest): BodyOwner => ({ realmId: 0, key: largestNetwork(ip) });

const formType = 'application/x-www-form-urlencoded';
const acceptedTypes = `${formType}, multipart/form-data or application/json`;

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

/** The methods of which Fastify parses no body. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** Whether a request has a body, by its headers. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;

/**
 * Parses the bodies of all requests: JSON into a value, a form into `URLSearchParams`, and a multipart form
 * into a {@link MultipartForm}, whose parts the route reads while they arrive. Access is checked first. Bodies are
 * bounded while they arrive, and parsed in turns. An empty body is none, whatever its type. To be called before the
 * routes are registered. The response to an unknown path does not wait for a body.
 */
export function readBodies(server: FastifyInstance, checkAccess: CheckAccess): void {
  const memory = new BodyMemory();
  const turns = new ParseTurns();
  /** Of requests with a body. */
  const bounds = new WeakMap<FastifyRequest, BodyBounds>();
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const granted = await checkAccess(request, reply);
    if (reply.raw.destroyed) throw unreadable('aborted');
    const owner = granted ?? strangerAt(request);
    const allowance = memory.open(owner);
    reply.raw.once('close', allowance.release);
    bounds.set(request, new BodyBounds(request, allowance, owner, granted !== null));
  };
  const preParsing: preParsingHookHandler = (request, reply, _payload, next) => {
    if (!hasBody(request)) next();
    else begin(request, reply).then(() => next(), next);
  };
  // Fastify closes the connection of a body that a parser refuses: a client that still sends would lose the response.
  // The rest is discarded (watchBodies).
  const onSend: onSendHookHandler = (request, reply, _payload, next) => {
    if (bounds.get(request)?.isExceeded) reply.removeHeader('connection');
    next();
  };
  server.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => withoutBody.has(method))) return;
    route.preParsing = [preParsing, route.preParsing ?? []].flat();
    route.onSend = [onSend, route.onSend ?? []].flat();
  });

  const read = async <T>(
    request: FastifyRequest,
    payload: IncomingMessage,
    most: number,
    parse: (bytes: Buffer, encoding: TextEncoding) => T,
  ): Promise<T> => {
    const bound = bounds.get(request);
    const encoding = new TextEncoding(charsetOf(request.headers['content-type']));
    if (!bound) return parse(Buffer.alloc(0), encoding);
    bound.checkLength(most);
    const pieces: Buffer[] = [];
    for await (const piece of joinPieces(bytesOf(payload))) {
      bound.take(piece.length, most);
      pieces.push(piece);
    }
    const bytes = Buffer.concat(pieces);
    return turns.parse(bound.owner, bytes.length, () => parse(bytes, encoding));
  };

  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, payload: IncomingMessage) =>
      read(request, payload, maxBytes.json, parseJson),
  );
  server.addContentTypeParser(formType, (request: FastifyRequest, payload: IncomingMessage) =>
    read(request, payload, maxBytes.form, (bytes, encoding) => {
      if (looksLikeJson(bytes)) throw new UnreadableBody(415, sentAs(formType));
      const { fields, fault } = parseForm(bytes, encoding);
      if (fault) throw fault;
      return fields;
    }),
  );
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const bound = bounds.get(request);
      return bound && new MultipartForm(request, bytesOf(payload), bound);
    },
  );
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (!bounds.has(request)) return undefined;
    const type = request.headers['content-type']?.split(';', 1)[0]?.slice(0, 60);
    if (type === undefined) {
      throw new UnreadableBody(415, `the body has no Content-Type: send ${acceptedTypes}`);
    }
    const { value: beginning } = await bytesOf(payload).next();
    const reason = `the Content-Type ${JSON.stringify(type)} is not ${acceptedTypes}`;
    const isJson = beginning !== undefined && looksLikeJson(beginning);
    throw new UnreadableBody(415, isJson ? sentAs(type) : reason);
  });
}

/** Whether a body, or its first bytes, may be the JSON object of a client that states another type. */
const looksLikeJson = (bytes: Buffer) => /^\s*\{/.test(bytes.toString('latin1', 0, 64));

const sentAs = (type: string) =>
  `the body is JSON, but its Content-Type is ${JSON.stringify(type)}: send application/json`;

/** @throws {Failure} `invalid`; the message repeats nothing of the body, as the parser's own may */
function parseJson(bytes: Buffer, encoding: TextEncoding): unknown {
  if (bytes.length === 0) return undefined;
  const text = encoding.decode(bytes, 'the body');
  const fault = jsonFault(text);
  if (fault !== null) throw new UnreadableBody(400, fault);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new UnreadableBody(400, 'the body is not valid JSON');
  }
}

/** Bounds the body of one request while it arrives. */
export class BodyBounds {
  #bytes = 0;
  #isExceeded = false;

  /** @param hasAccess whether the head of the request shows access */
  constructor(
    private readonly request: FastifyRequest,
    private readonly memory: BodyAllowance,
    readonly owner: BodyOwner,
    private readonly hasAccess: boolean,
  ) {}

  /** Whether the body is longer than it may be. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Checks the announced length of a body without a file. */
  checkLength(most: number): void {
    this.#require(Number(this.request.headers['content-length'] ?? 0), most);
  }

  /**
   * Counts bytes before they are kept in memory.
   *
   * @param most the bytes that the body may have with access
   * @throws {Failure} beyond a bound
   */
  take(bytes: number, most: number): void {
    this.#bytes += bytes;
    this.#require(this.#bytes, most);
    this.memory.take(bytes);
  }

  #require(bytes: number, most: number): void {
    if (bytes <= (this.hasAccess ? most : maxBytesOfStrangers)) return;
    this.#isExceeded = true;
    if (!this.hasAccess) {
      const reason = 'the body is larger than 64 KiB, and the head of the request shows no access';
      throw new UnreadableBody(413, reason);
    }
    throw new UnreadableBody(413, `the body is larger than ${most / 1024 / 1024} MiB`);
  }
}

/** The bytes of a body. The connection stays open when the consumer stops, for the response. */
async function* bytesOf(payload: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(Failure.from(error).message);
  }
}

const unreadable = (reason: string) =>
  new UnreadableBody(400, `the body cannot be read: ${reason}`);
