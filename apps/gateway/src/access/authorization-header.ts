import { accessModes } from './access-mode.ts';

const bearer = /^bearer +(.*)$/is;
const basic = /^basic +(.*)$/is;

/**
 * The access parameters that an `Authorization` header stands for: the API key of `Bearer`, or the realm pair of `Basic`
 * (contract/access#authorization). Other schemes are not of this API: a proxy may need them.
 */
export function headerAccess(authorization = ''): (readonly [name: string, value: string])[] {
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
