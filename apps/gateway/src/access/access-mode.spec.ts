import { describe, expect, it } from 'vitest';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import { hasCredentials, hasPairSecret, parseAccessMode, presentedToken } from './access-mode.ts';

const given = (query: string) => {
  const parameters = new ParameterCollection();
  for (const [name, value] of new URLSearchParams(query)) parameters.add(name, value);
  return parameters;
};
const failure = (code: string) => expect.objectContaining({ code }) as unknown as Error;
const pair = 'sc_app_id=app-1&sc_secret_key=secret';
const tooLong = 'x'.repeat(257);

describe('access modes', () => {
  it.each([
    ['', false],
    ['color=blue', false],
    ['api_key=&realm_guid=&sc_app_id=', false],
    ['accessToken=key', true],
    ['sc_secret_key=secret', true],
    ['realm_guid=realm', true],
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

  it('access modes name the secrets of pairs, which browsers may not send, and no others', () => {
    for (const query of ['realm_secret_key=secret', 'sc_secret_key=secret', pair]) {
      expect(hasPairSecret(given(query))).toBe(true);
    }
    for (const query of ['realm_guid=realm', 'sc_app_id=app-1', 'realm_secret_key=', 'api_key=k']) {
      expect(hasPairSecret(given(query))).toBe(false);
    }
  });

  it.each([
    ['', 'no access mode is given', undefined],
    [
      'realm_guid=realm',
      'the access mode realm is incomplete: realm_secret_key is missing',
      'realm_secret_key',
    ],
    [
      'sc_secret_key=secret',
      'the access mode provider is incomplete: sc_app_id is missing',
      'sc_app_id',
    ],
    [`${pair}&sc_app_id=app-2`, 'sc_app_id is given with different values', 'sc_app_id'],
    ['api_key=key&accessToken=other', 'api_key and accessToken differ', undefined],
    [`api_key=${tooLong}`, 'the access mode api_key is malformed', undefined],
    [`realm_guid=${tooLong}&realm_secret_key=s`, 'the access mode realm is malformed', undefined],
  ])('Access modes refuse "%s" because %s', (query, message, parameter) => {
    const refusal = { code: 'unauthenticated', message, parameter };
    expect(() => parseAccessMode(given(query), {})).toThrow(expect.objectContaining(refusal));
  });

  it('access modes take a provider pair beside another mode for an operation that allows it', () => {
    const provider = { mode: 'provider', appId: 'app-1', secretKey: 'secret' };
    const allowed = { allowsProviderPair: true };
    expect(parseAccessMode(given(`api_key=key&${pair}`), allowed)).toEqual({
      credentials: { mode: 'api_key', token: 'key' },
      providerPair: provider,
      isTwofold: false,
    });
    const realm = 'realm_guid=realm&realm_secret_key=secret';
    const { credentials, providerPair } = parseAccessMode(given(`${realm}&${pair}`), allowed);
    expect(credentials).toEqual({ mode: 'realm', guid: 'realm', secretKey: 'secret' });
    expect(providerPair).toEqual(provider);
    const twoModes = expect.objectContaining({ status: 501 }) as Error;
    for (const query of [`${realm}&api_key=key`, `${realm}&${pair}&api_key=key`]) {
      expect(() => parseAccessMode(given(query), allowed)).toThrow(twoModes);
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
