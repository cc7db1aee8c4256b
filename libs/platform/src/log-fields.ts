import { types } from 'node:util';
import { wordsOf } from '#libs/contracts';

/**
 * The fields that a line may have, beside its time, level and message. Whoever adds one has made
 * sure that what stands there is no secret: ids, names of ours, numbers, reasons. Of anything
 * else a line says no more than that it was there.
 */
const fields: ReadonlySet<string> = new Set([
  'again_in_ms',
  'app',
  'application',
  'attempts',
  'code',
  'courseId',
  'crawl',
  'event',
  'held',
  'in_flight',
  'jobId',
  'kind',
  'message_id',
  'migrations',
  'mode',
  'nest',
  'operation',
  'reason',
  'registration',
  'request',
  'request_id',
  'signal',
  'status',
  'trace_id',
  'url',
  'work',
]);

const redacted = '[redacted]';

/** What a line tells of what it was given; {@link describeError} tells of its `err`. */
export function allowedFields(given: object): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const isTold = name === 'err' || (fields.has(name) && isPlain(value));
    line[name] = isTold ? value : redacted;
  }
  return line;
}

/** Values, and lists of values, without a structure in which anything could hide. */
const isPlain = (value: unknown): boolean =>
  (Array.isArray(value) && value.every((each) => typeof each === 'string')) ||
  value === null ||
  ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

/** How many causes of an error are told. */
const depth = 5;

/**
 * What a line tells of an error. A client's errors hold more: statements with their parameters and
 * rows, requests with their headers, addresses with their passwords.
 */
export function describeError(error: unknown, level = 0): unknown {
  if (!isError(error)) return redacted;
  const message = wordsOf(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.constructor.name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: error.stack?.replace(error.message, () => message),
    ...(isError(error.cause) && level < depth && { cause: describeError(error.cause, level + 1) }),
  };
}

/** Also one of another realm, as Node's own are in suites. */
const isError = (value: unknown): value is Error =>
  value instanceof Error || types.isNativeError(value);

/** A text whose URLs have neither the name and password of a user nor a query string. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/(\w:\/\/)[^\s/"\\]*@/g, `$1${redacted}@`)
    .replaceAll(/(\w:\/\/[^\s"\\?]*)\?[^\s"\\)]*/g, `$1?${redacted}`);
