import { type Format, formats } from '@registrar/formats';
import Negotiator from 'negotiator';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import { GatewayError } from './gateway-error.ts';

/** The format of a response. */
export interface ResponseFormat {
  readonly format: Format;
  /** The unchecked function name of a JSONP request (contract/formats#jsonp-names), else null. */
  readonly callback: string | null;
  /** The request asks for `js`, which some realms have (contract/compatibility#format-js). */
  readonly isScript: boolean;
  /** The path has no suffix, which is deprecated (contract/formats#no-suffix). */
  readonly deprecated: boolean;
}

const mediaTypes: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
  // The address bar of a browser (contract/formats#accept-html).
  'text/html': 'json',
};

/** The part of an Accept header that is read: characters. */
export const maxAcceptLength = 1_000;

/** JSON, or JSONP with a callback, in realms that have it (contract/compatibility#format-js). */
const scriptFormat = 'js';

/**
 * @param parameter that has the name, unless it is the suffix
 * @throws {GatewayError} 406 for any name other than json, xml, csv and js; its message has the name
 */
export function parseFormat(name: string, parameter?: 'format'): Format {
  const format = name === scriptFormat ? 'json' : formats.find((each) => each === name);
  if (format) return format;
  // A query string whose question mark was mistyped may contain secrets.
  const shown = name.slice(0, 40).replace(/[?&=;].*/s, '…');
  const reason = `the format ${JSON.stringify(shown)} is not json, xml or csv`;
  throw new GatewayError(406, reason, parameter);
}

/**
 * Chooses the suffix, else the parameter `format`, else the Accept header, else JSON
 * (contract/formats#format).
 *
 * @param formatParameterFirst `format` takes precedence over the suffix
 * (contract/stored-queries#run-format)
 * @throws {GatewayError} 406 for an unknown suffix or format
 */
export function negotiateFormat(
  suffix: string | null,
  given: RequestParameters,
  accept: string | undefined,
  formatParameterFirst: boolean,
): ResponseFormat {
  // Two different values are a malformed parameter, and access is checked before those.
  const formatValues = given.get('format') ?? [];
  const [byParameter = null] = formatValues.map((name) => parseFormat(name, 'format'));
  const bySuffix = suffix === null ? null : parseFormat(suffix);
  const [callback] = given.get('callback') ?? [];
  const explicit = formatParameterFirst ? (byParameter ?? bySuffix) : (bySuffix ?? byParameter);
  const format = explicit ?? (callback === undefined ? acceptedFormat(accept) : 'json');
  return {
    format,
    callback: callback === undefined || format !== 'json' ? null : callback,
    isScript: [suffix, ...formatValues].includes(scriptFormat),
    deprecated: suffix === null,
  };
}

function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined) return 'json';
  const headers = { accept: accept.slice(0, maxAcceptLength) };
  const [first] = new Negotiator({ headers }).mediaTypes(Object.keys(mediaTypes));
  return (first && mediaTypes[first]) || 'json';
}
