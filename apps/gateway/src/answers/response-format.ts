import { type Format, formats } from '#libs/formats';
import Negotiator from 'negotiator';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';
import { Refusal } from './refusal.ts';

/** How an answer is to look. */
export interface ResponseFormat {
  readonly format: Format;
  /** The function of a JSONP answer (decision 9), as it was given. */
  readonly callback: string | null;
  /** The request had no suffix, which is deprecated (api-v2.md, General rule 2). */
  readonly deprecated: boolean;
}

const mediaTypes: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
};

/** @throws {Refusal} 406 for anything but json, xml and csv */
export function parseFormat(name: string): Format {
  const format = formats.find((each) => each === name);
  if (format) return format;
  throw new Refusal(406, 'the format is none of json, xml and csv');
}

/**
 * The suffix, else the parameter `format`, else the Accept header, else JSON (decision 3).
 *
 * @param formatWins the parameter comes before the suffix (stored queries)
 * @throws {Refusal} 406 for an unknown suffix or format
 */
export function responseFormat(
  suffix: string | null,
  given: GivenParameters,
  accept: string | undefined,
  formatWins: boolean,
): ResponseFormat {
  const parameter = single(given, 'format');
  const named = parameter === undefined ? null : parseFormat(parameter);
  const bySuffix = suffix === null ? null : parseFormat(suffix);
  const [wished] = given.get('callback') ?? [];
  const stated = formatWins ? (named ?? bySuffix) : (bySuffix ?? named);
  const format = stated ?? (wished === undefined ? accepted(accept) : 'json');
  return {
    format,
    callback: wished === undefined || format !== 'json' ? null : wished,
    deprecated: suffix === null,
  };
}

function accepted(accept: string | undefined): Format {
  if (accept === undefined) return 'json';
  const [first] = new Negotiator({ headers: { accept } }).mediaTypes(Object.keys(mediaTypes));
  return (first && mediaTypes[first]) || 'json';
}
