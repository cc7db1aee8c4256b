import { Failure, guid } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { JsonParser } from '../bodies/json-parser.ts';
import { addBodyParameters } from '../bodies/read-body.ts';
import { ParameterCollection, singleValue } from '../parameters/request-parameters.ts';
import type { PostbackCredentials } from './postback-access.ts';

/** The largest postback: more than the summary of any result has. */
const maxBytes = 1024 * 1024;

/** What is read of a body; the rest of the result is dropped while it arrives. */
const readFields: ReadonlySet<string> = new Set(['id', 'data', 'userName', 'username', 'password']);

const record = z.object({ id: guid });

/** A postback that is larger than 1 MiB. */
export class PostbackTooLarge extends Failure {
  constructor() {
    super('invalid', `the postback is larger than ${maxBytes / 1024 / 1024} MiB`);
  }
}

/** Keeps only {@link readFields}, and only strings. */
class ReadFields extends ParameterCollection {
  override add(name: string, value: unknown): void {
    if (readFields.has(name) && typeof value === 'string') super.add(name, value);
  }
}

/** The body of a postback. */
export interface Postback {
  /** The credentials among the fields of a form; null without them. */
  readonly credentials: PostbackCredentials | null;
  /**
   * The id of the registration.
   *
   * @throws {Failure} `invalid` without one
   */
  registrationGuid(): string;
}

/** The credentials of HTTP Basic authentication; null without them. */
export function basicCredentials({ headers }: FastifyRequest): PostbackCredentials | null {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  return { userName: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** @throws {PostbackTooLarge} if the headers of the request say so */
export function requirePostbackSize({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new PostbackTooLarge();
}

/**
 * Reads the body of a postback: the JSON of a result, or a form with that JSON as the field `data`.
 *
 * @param onBytes called with the number of bytes before they are kept in memory
 * @throws {Failure} `invalid` when the body cannot be read
 * @throws {PostbackTooLarge}
 */
export async function readPostback(
  request: FastifyRequest,
  onBytes: (bytes: number) => void,
): Promise<Postback> {
  const given = new ReadFields();
  let received = 0;
  const count = (bytes: number) => {
    received += bytes;
    if (received > maxBytes) throw new PostbackTooLarge();
    onBytes(bytes);
  };
  await addBodyParameters(given, request, count, () => {
    throw new Failure('invalid', 'a postback has no file');
  });
  const userName = singleValue(given, 'userName') ?? singleValue(given, 'username');
  const password = singleValue(given, 'password');
  return {
    credentials: userName === undefined || password === undefined ? null : { userName, password },
    registrationGuid: () => {
      const data = singleValue(given, 'data');
      const { success, data: found } = record.safeParse({
        id: singleValue(data === undefined ? given : fieldsOf(data), 'id'),
      });
      if (success) return found.id;
      throw new Failure('invalid', 'the postback has no id of a registration');
    },
  };
}

/** The fields of a JSON text. */
function fieldsOf(text: string): ReadFields {
  const fields = new ReadFields();
  const parser = new JsonParser(fields);
  parser.write(Buffer.from(text));
  parser.end();
  return fields;
}
