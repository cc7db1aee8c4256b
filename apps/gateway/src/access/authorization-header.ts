import { Failure } from '@registrar/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import { accessModes } from './access-mode.ts';

const bearer = /^bearer +(.*)$/is;
const basic = /^basic +(.*)$/is;

/**
 * The access parameters that an `Authorization` header stands for: the API key of `Bearer`, or the realm pair of `Basic`
 * (contract/access#authorization). Other schemes are not of this API: a proxy may need them.
 */
export function headerAccess(authorization: string): (readonly [name: string, value: string])[] {
  const [, token] = bearer.exec(authorization) ?? [];
  if (token !== undefined) return [[accessModes.api_key[0], token]];
  const [, encoded] = basic.exec(authorization) ?? [];
  if (encoded === undefined) return [];
  const [, guid = '', secretKey = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const [guidName, secretName] = accessModes.realm;
  return [
    [guidName, guid],
    [secretName, secretKey],
  ];
}

const challenges = {
  bearer: 'Bearer realm="registrar"',
  basic: 'Basic realm="registrar", charset="UTF-8"',
} as const;

/**
 * The values of `WWW-Authenticate` of a 401 (contract/access#www-authenticate). A browser is not offered `Basic`: it would
 * ask its user for a password.
 */
export function challengesFor(headers: IncomingHttpHeaders): readonly string[] {
  const isBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  return isBrowser ? [challenges.bearer] : [challenges.bearer, challenges.basic];
}

/** Headers that carry the keys of other APIs. */
const foreignHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];

/** The failure of a request without an access mode, which may be in a header that is not read. */
export function missingAccess(headers: IncomingHttpHeaders): Failure {
  const foreign = foreignHeaders.find((name) => headers[name] !== undefined);
  const unread =
    foreign !== undefined
      ? `: the header ${foreign} is not read, send Authorization: Bearer`
      : headers.authorization !== undefined
        ? ': Authorization has neither Bearer with a token nor Basic with a pair'
        : '';
  return new Failure('unauthenticated', `no access mode is given${unread}`);
}
