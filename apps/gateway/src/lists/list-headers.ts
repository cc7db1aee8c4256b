import { Failure, type Page } from '@registrar/contracts';
import type { FastifyReply } from 'fastify';
import { accessParameters } from '../access/access-mode.ts';
import type { ParameterRules } from '../parameters/parse-parameters.ts';
import { queryParameters } from '../parameters/request-parameters.ts';

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
