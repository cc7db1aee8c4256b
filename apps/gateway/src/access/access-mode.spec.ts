import { describe, expect, it } from 'vitest';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import { hasCredentials, parseAccessMode, presentedToken } from './access-mode.ts';

const given = (query: string) => {
  const parameters = new ParameterCollection();
  for (const [name, value] of new URLSearchParams(query)) parameters.add(name, value);
  return parameters;
};
const failure = (code: string) => expect.objectContaining({ code }) as unknown as Error;
const pair = 'sc_app_id=app-1&sc_secret_key=secret';

describe('access modes', () => {
  it.each([
    ['', false],
    ['color=blue', false],
    ['api_key=&realm_guid=&sc_app_id=', false],
    ['accessToken=key', true],
    ['sc_secret_key=secret', true],
  ])('Access modes count the credentials of "%s": %s', (query, expected) => {
    expect(hasCredentials(given(query))).toBe(expected);
  });

  it('access modes show the token of an API key under either name', () => {
    expect(presentedToken(given('api_key=&accessToken=key'))).toBe('key');
    expect(presentedToken(given('api_key=key'))).toBe('key');
    expect(presentedToken(given(pair))).toBeNull();
  });

  it('access modes take a provider pair that stands alone as the access itself', () => {
    expect(parseAccessMode(given(pair), { allowsProviderPair: true })).toEqual({
      credentials: { mode: 'provider', appId: 'app-1', secretKey: 'secret' },
      providerPair: null,
      isTwofold: false,
    });
  });

  it('access modes accept one token under both names, and reject different values of one name', () => {
    const { credentials } = parseAccessMode(given('api_key=key&accessToken=key'), {});
    expect(credentials).toEqual({ mode: 'api_key', token: 'key' });
    const rejected = failure('unauthenticated');
    for (const query of ['api_key=key&api_key=other', `${pair}&sc_app_id=app-2`]) {
      expect(() => parseAccessMode(given(query), {})).toThrow(rejected);
    }
  });

  it('access modes let a realm pair stand beside one other mode, for an operation that allows it', () => {
    const realm = 'realm_guid=realm&realm_secret_key=secret';
    const credentials = { mode: 'realm', guid: 'realm', secretKey: 'secret' };
    const provider = { mode: 'provider', appId: 'app-1', secretKey: 'secret' };
    const allowed = { allowsRealmPairBeside: true };
    const parse = (query: string) => parseAccessMode(given(query), allowed);
    expect(parse(`${realm}&${pair}`)).toEqual({
      credentials,
      providerPair: provider,
      isTwofold: true,
    });
    expect(parse(`${realm}&api_key=key`)).toEqual({
      credentials,
      providerPair: null,
      isTwofold: true,
    });
    const twoModes = expect.objectContaining({ status: 501 }) as Error;
    expect(() => parse(`${realm}&${pair}&api_key=key`)).toThrow(twoModes);
    expect(() => parse(`${pair}&api_key=key`)).toThrow(twoModes);
    expect(() => parseAccessMode(given(`${realm}&${pair}`), {})).toThrow(twoModes);
  });
});
