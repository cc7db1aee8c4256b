import { parseCsv, parseXml } from '@registrar/conformance';
import type { FuzzRealm } from './fuzz-realm.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Answer } from './sender.ts';

/** Larger documents are not parsed: it would take longer than all requests together. */
const maxParsedBytes = 100_000;

/** Parts of the service's own code, which messages must not name. */
const internals = /node_modules|\bat [\w.<>]+ \(|\/dist\/|relation "|syntax error at/;

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'application/json': (text) => JSON.parse(text) as unknown,
  'application/xml': parseXml,
  // `bom=t` begins it with a byte order mark.
  'text/csv': (text) => parseCsv(text.replace(/^\ufeff/, '')),
  'application/javascript': parseJsonp,
};

function parseJsonp(text: string): unknown {
  const [, argument] = /^(?:\/\*\*\/)?\s*[\w$.]+\(([^]*)\);?\s*$/.exec(text) ?? [];
  if (argument === undefined) throw new Error('it is no call');
  return JSON.parse(argument) as unknown;
}

/**
 * Returns what is wrong with a response.
 *
 * @param others realms whose items the response must not contain
 * @param secrets texts that the response must not contain
 */
export function faultsOf(
  request: FuzzRequest,
  answer: Answer,
  others: readonly FuzzRealm[],
  secrets: readonly string[],
): string[] {
  if (answer.fault !== null) return [`no response: ${answer.fault}`];
  const { status, body, headers } = answer;
  const faults: string[] = [];
  if (!request.statuses.has(status)) faults.push(`status ${status}`);
  if (others.some(({ marker }) => body.includes(marker))) faults.push('data of another realm');
  const ownsSecrets = request.path.includes('/api_key') || request.path.includes('launch');
  if (!ownsSecrets && secrets.some((secret) => body.includes(secret))) faults.push('a secret');
  return [
    ...faults,
    ...(request.server === 'gateway' ? apiFaults(request, answer) : []),
    ...(internals.test(textOf(answer)) && request.operation ? ['internals of the service'] : []),
    ...(status === 429 && !headers['retry-after'] ? ['429 without Retry-After'] : []),
    ...(headers['x-powered-by'] ? ['x-powered-by'] : []),
  ];
}

/** contract/errors, contract/formats. */
function apiFaults({ operation, method }: FuzzRequest, answer: Answer): string[] {
  const { status, headers, body } = answer;
  if (!operation) return status >= 400 && body.length > 0 ? [`a body with status ${status}`] : [];
  const faults: string[] = [];
  if (headers['cache-control'] !== 'no-store') faults.push('no Cache-Control: no-store');
  if (!headers['x-request-id']) faults.push('no X-Request-Id');
  if (status === 503 && !headers['retry-after']) faults.push('503 without Retry-After');
  if (status >= 300) {
    if (status !== 403 && body.length > 0) faults.push(`a body with status ${status}`);
    return faults;
  }
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('no nosniff');
  const type = headers['content-type']?.split(';')[0] ?? '';
  const parse = parsers[type];
  if (!parse) return [...faults, `the content type '${type}'`];
  if (method === 'HEAD' || body.length > maxParsedBytes) return faults;
  try {
    parse(body.toString('utf8'));
    return faults;
  } catch (error) {
    return [...faults, `malformed ${type}: ${(error as Error).message}`];
  }
}

const textOf = ({ body, headers }: Answer): string =>
  headers['content-type']?.startsWith('application/json') && body.length <= maxParsedBytes
    ? body.toString('latin1')
    : '';
