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
  RateLimit: text('What is left of each limit, where requests per second are limited.'),
  'RateLimit-Policy': text('The limits, where requests per second are limited.'),
};

const references = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** The headers of a successful response. */
export const successHeaders = ({ showsOnly }: Operation): JsonSchema =>
  references(showsOnly ? [...always, 'ETag'] : always);

/** The headers of an error. */
export const errorHeaders = (status: string): JsonSchema =>
  references(status === '503' ? [...always, 'Retry-After'] : always);
