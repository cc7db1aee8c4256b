import { Failure, guid } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { PostbackCredentials } from './postback-access.ts';

/** The result of a registration, of which only the id is read. */
const record = z.object({ id: guid.refine((text) => !text.includes('\0')) });

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

/** Reads the body of a postback: the JSON of a result, or a form with that JSON as the field `data`. */
export function readPostback({ body }: FastifyRequest): Postback {
  if (!(body instanceof URLSearchParams)) {
    return { credentials: null, registrationGuid: () => guidOf(body) };
  }
  const userName = singleField(body, 'userName') ?? singleField(body, 'username');
  const password = singleField(body, 'password');
  return {
    credentials: userName === null || password === null ? null : { userName, password },
    registrationGuid: () => guidOf(parseJson(singleField(body, 'data') ?? '')),
  };
}

function guidOf(result: unknown): string {
  const { success, data } = record.safeParse(result);
  if (success) return data.id;
  throw new Failure('invalid', 'the postback has no id of a registration');
}

/** @throws {Failure} `invalid` for two different values */
function singleField(fields: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = new Set(fields.getAll(name));
  if (others.length > 0) throw new Failure('invalid', `${name} is given with different values`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would repeat the value.
    throw new Failure('invalid', 'the body is not valid JSON');
  }
}
