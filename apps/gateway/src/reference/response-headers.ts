import type { Operation } from '../operations/operation.ts';
import type { JsonSchema } from './record-schema.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of responses, for `components` (contract/errors). */
export const sharedHeaders: JsonSchema = {
  'X-Request-Id': text('The id of the request, which the log of the service has too.'),
  'Retry-After': {
    description: 'The seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: text(
    'Identifies the response: `If-None-Match` with it returns 304 as long as it is the same.',
  ),
  Link: text(
    'The next page, with `rel="next"`, as long as there is one: relative to the request, without access.',
  ),
  'X-Total-Count': {
    description: 'The number of records of the whole list, with `count`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Age: {
    description:
      'The greatest age of the data in seconds, where they are those of a copy of the database.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Idempotency-Replayed': {
    description: 'The response is that of the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimit: text('What is left of each limit, where requests per second are limited.'),
  'RateLimit-Policy': text('The limits, where requests per second are limited.'),
};

const references = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** Operations whose data may be read from a copy of the database (contract/errors#age-operations). */
const readsCopy: readonly string[] = ['registration index', 'run'];

/** The headers of a successful response. */
export const successHeaders = (operation: Operation): JsonSchema =>
  references([
    ...always,
    ...(operation.showsOnly ? ['ETag'] : []),
    ...(Object.hasOwn(operation.parameters.shape, 'limit') ? ['Link', 'X-Total-Count'] : []),
    ...(readsCopy.includes(operation.name) ? ['Age'] : []),
    ...(operation.writes ? ['Idempotency-Replayed'] : []),
  ]);

/** The headers of an error. */
export const errorHeaders = (status: string): JsonSchema =>
  references(status === '503' ? [...always, 'Retry-After'] : always);
