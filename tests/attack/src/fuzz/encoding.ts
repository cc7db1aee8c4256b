import type { Value } from './values.ts';

/** A parameter with its value, as it is sent. */
export interface SentParameter {
  readonly name: string;
  readonly value: Value;
  /** The value is JSON text, and a JSON body carries it unquoted. */
  readonly isJson?: boolean;
}

/** Encodes a value for a URL or a form, byte by byte where it is no text. */
export function percentEncode(value: Value): string {
  if (typeof value === 'string') return encodeURIComponent(value.toWellFormed());
  return [...value].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

export const encodeForm = (parameters: readonly SentParameter[]): string =>
  parameters.map(({ name, value }) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');

/** Encodes a JSON object, with repeated names where parameters are repeated. Bytes are sent as they are. */
export function encodeJson(parameters: readonly SentParameter[]): Buffer {
  const members = parameters.map(({ name, value, isJson }) =>
    Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), jsonValue(value, isJson === true)]),
  );
  const commas = members.flatMap((member, at) =>
    at === 0 ? [member] : [Buffer.from(','), member],
  );
  return Buffer.concat([Buffer.from('{'), ...commas, Buffer.from('}')]);
}

const jsonValue = (value: Value, isJson: boolean): Buffer =>
  typeof value === 'string'
    ? Buffer.from(isJson ? value : JSON.stringify(value))
    : Buffer.concat([Buffer.from('"'), value, Buffer.from('"')]);

/** A file of a multipart form. */
export interface SentFile {
  readonly name: string;
  readonly content: Buffer;
}

const boundary = 'a-boundary-of-the-fuzzer';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

export function encodeMultipart(
  parameters: readonly SentParameter[],
  file: SentFile | null,
): Buffer {
  const parts = parameters.flatMap(({ name, value }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n`),
    typeof value === 'string' ? Buffer.from(value) : value,
    Buffer.from('\r\n'),
  ]);
  const field = file && [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\nContent-Type: application/zip\r\n\r\n`,
    ),
    file.content,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([...parts, ...(field ?? []), Buffer.from(`--${boundary}--\r\n`)]);
}

const quoted = (name: string) => name.replaceAll(/["\r\n]/g, (each) => percentEncode(each));
