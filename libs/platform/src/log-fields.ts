import { redactedMessage } from '@registrar/contracts';

/**
 * The fields that a log line may have beside its time, level and message. They contain no secrets:
 * ids, names of our own, numbers and reasons. The value of any other field is redacted.
 */
const fields: ReadonlySet<string> = new Set([
  'account',
  'again_in_ms',
  'api_key_id',
  'app',
  'application',
  'attempts',
  'channel',
  'client_address',
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
  'origin',
  'queue',
  'reason',
  'registration',
  'request',
  'request_id',
  'requests',
  'sender',
  'signal',
  'status',
  'trace_id',
  'url',
  'work',
]);

const redacted = '[redacted]';

/** Redacts the values of all fields that are not listed. `err` is left to {@link describeError}. */
export function allowedFields(given: object): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    const value: unknown = given[name as keyof typeof given];
    const isAllowed = name === 'err' || (fields.has(name) && isPlain(value));
    line[name] = isAllowed ? value : redacted;
  }
  return line;
}

/** Whether a value is a primitive or a list of strings. An object could contain a secret. */
const isPlain = (value: unknown): boolean =>
  (Array.isArray(value) && value.every((each) => typeof each === 'string')) ||
  value === null ||
  ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

/** The number of nested causes of an error that are logged. */
const maxDepth = 5;

/**
 * Reduces an error to its type, message, code, stack and causes. Errors of client libraries contain
 * more: statements with parameters and rows, requests with headers, URLs with passwords.
 */
export function describeError(error: unknown, level = 0): unknown {
  if (!(error instanceof Error)) return redacted;
  const message = redactedMessage(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.constructor.name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: error.stack?.replace(error.message, () => message),
    ...(error.cause instanceof Error &&
      level < maxDepth && { cause: describeError(error.cause, level + 1) }),
  };
}

/** Redacts the credentials and the query strings of all URLs in a text. */
export const redactUrls = (text: string): string =>
  // Few lines have a URL, and the search for it costs a fraction of the replacements.
  text.includes('://')
    ? text
        .replaceAll(/(\w:\/\/)[^\s/"\\]*@/g, `$1${redacted}@`)
        .replaceAll(/(\w:\/\/[^\s"\\?]*)\?[^\s"\\)]*/g, `$1?${redacted}`)
    : text;
