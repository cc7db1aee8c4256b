import type { BusClient } from '@registrar/bus';
import { Failure, type ListContract, type Page } from '@registrar/contracts';
import type { Row } from '@registrar/formats';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { accessParameters } from '../access/access-mode.ts';
import { digits, flag } from '../parameters/parameter-types.ts';
import type { ParameterRules } from '../parameters/parse-parameters.ts';
import {
  queryParameters,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';

/** The most records of a page (contract/parameters#limit). */
const maxLimit = 500;

/** Whether a list in CSV begins with a byte order mark (contract/formats#csv-bom). */
export const byteOrderMark = {
  bom: flag.describe('Begins a response in CSV with a byte order mark, for spreadsheet programs.'),
};

/** The parameters of every index (contract/parameters#paging). */
export const listParameters = {
  limit: digits
    .pipe(z.int().min(1).max(maxLimit))
    .optional()
    .meta({
      description: `Returns a page of at most so many records, 1 to ${maxLimit}. The header \`Link\` has the next page.`,
      example: 100,
    }),
  cursor: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional()
    .describe('Where the page begins, from the `Link` of the page before.'),
  count: flag.describe(
    'Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long.',
  ),
  ...byteOrderMark,
};

const listSchema = z.object(listParameters);
export type ListParameters = Omit<z.output<typeof listSchema>, 'bom'>;

/** Whether a request is for a part of a list, or for its size. */
export const asksForPart = (given: RequestParameters): boolean =>
  ['limit', 'cursor', 'count'].some((name) => given.has(name));

/** Whether a request to an operation with {@link byteOrderMark} asks for one. */
export const asksForByteOrderMark = (
  { parameters }: ParameterRules,
  given: RequestParameters,
): boolean =>
  Object.hasOwn(parameters.shape, 'bom') && flag.safeParse(singleValue(given, 'bom')).data === true;

/** How many records a context is asked for at a time. */
interface PageSizes {
  /** Of a list that is read to its end. */
  readonly each?: number | undefined;
  /** Of a page that a client asks for, whatever its limit. */
  readonly most?: number;
}

/**
 * Reads a list of a context: one page of it if the client gives a limit, else all that follows the cursor.
 *
 * @throws {Failure} as `BusClient.pages` does
 */
export function readList<Input extends z.ZodObject, Item extends z.ZodType>(
  bus: BusClient,
  contract: ListContract<Input, Item>,
  input: z.output<Input>,
  { limit, cursor, count }: ListParameters,
  { each, most = Infinity }: PageSizes = {},
): AsyncIterable<Page<z.output<Item>>> {
  const first = { cursor: cursor ?? null, ...(count && { count }) };
  return limit === undefined
    ? bus.pages(contract, input, each, first)
    : onlyPage(() =>
        bus.page(contract, input, { ...first, limit: Math.min(limit, most), alone: true }),
      );
}

async function* onlyPage<Item>(read: () => Promise<Page<Item>>): AsyncGenerator<Page<Item>> {
  yield await read();
}

/** A list of one page. */
export async function* singlePage(rows: Row[]): AsyncGenerator<Page<Row>> {
  yield { items: rows, next: null };
}

/** A list without records, with its size where that is requested. */
export async function* emptyList({
  count,
}: {
  readonly count: boolean;
}): AsyncGenerator<Page<Row>> {
  yield { items: [], next: null, ...(count && { total: 0 }) };
}

/**
 * The longest query of a link: characters. Proxies take some kilobytes of headers from a server, and answer 502 to more.
 */
const maxQueryLength = 3_000;

/**
 * Parameters that a link leaves out: secrets, which must be in no URL that is made here; what belongs to one request; and
 * the count, which the client has then.
 */
const notLinked: readonly string[] = [...accessParameters, '_', 'host_url', 'cursor', 'count'];

/** How a response announces the page that it shows, and the whole list. */
interface ListHeaders {
  /** The response is one page, also where more follow. */
  readonly isPage: boolean;
  /** Sets the headers of a list that begins with this page. */
  readonly set: (first: Page<unknown> | undefined) => void;
}

/**
 * Returns the headers of the response to a request for a list: `Link` (RFC 8288) as long as there is a next page
 * (contract/parameters#link), and `X-Total-Count` (contract/parameters#count).
 *
 * @throws {Failure} `invalid` when the request's parameters are too long for a link (contract/parameters#link-length)
 */
export function listHeaders({ parameters }: ParameterRules, reply: FastifyReply): ListHeaders {
  const { given } = queryParameters(reply.request);
  // A stored query can have a parameter of that name.
  const isPage = given.has('limit') && Object.hasOwn(parameters.shape, 'limit');
  const linked = new URLSearchParams();
  for (const [name, values] of given) {
    if (notLinked.includes(name)) continue;
    for (const value of values) linked.append(name, value);
  }
  const query = linked.toString();
  if (isPage && query.length > maxQueryLength) {
    throw new Failure('invalid', 'the parameters are too long for a link to the next page');
  }
  return {
    isPage,
    set: (first) => {
      const { next = null, total = null } = first ?? {};
      // Relative to the request, so that it holds behind every proxy.
      if (isPage && next !== null) expose(reply, 'Link', `<?${query}&cursor=${next}>; rel="next"`);
      if (total !== null) expose(reply, 'X-Total-Count', String(total));
    },
  };
}

const exposedHeaders = 'access-control-expose-headers';

/** Sets a header that a page may read too, if it may read the response (contract/access#cors-headers). */
function expose(reply: FastifyReply, name: string, value: string): void {
  void reply.header(name, value);
  const exposed = reply.getHeader(exposedHeaders);
  if (exposed !== undefined) void reply.header(exposedHeaders, `${String(exposed)}, ${name}`);
}
