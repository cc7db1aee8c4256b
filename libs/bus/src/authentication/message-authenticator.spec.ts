import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { busApps } from '@registrar/contracts';
import { testBusKeysOf } from '../testing/index.ts';
import { type BusKeySettings, generateBusKeys, readBusKeys } from './bus-keys.ts';
import {
  type ArrivedMessage,
  MessageAuthenticator,
  type MessageKind,
  MessageRejected,
} from './message-authenticator.ts';

const content = Buffer.from('[{"id":1}]');
const arrived = (
  headers: Readonly<Record<string, unknown>>,
  { text = content, redelivered = false } = {},
): ArrivedMessage => ({ content: text, fields: { redelivered }, properties: { headers } });
const authenticatorOf = (app: string, keys = testBusKeysOf(app)) =>
  new MessageAuthenticator(app, keys);

describe('the authentication of messages', () => {
  let gateway: MessageAuthenticator;
  let identity: MessageAuthenticator;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.now() });
    gateway = authenticatorOf('gateway');
    identity = authenticatorOf('identity');
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** The reason for which identity rejects a message; null when it accepts the message. */
  const faultOf = (message: ArrivedMessage, kind: MessageKind = 'request') => {
    try {
      identity.verify(kind, message);
      return null;
    } catch (error) {
      if (error instanceof MessageRejected) return error.reason;
      throw error;
    }
  };
  const sent = (kind: 'request' | 'event' = 'request') =>
    gateway.authenticate(kind, 'identity', content) as Record<string, string>;

  it('accepts a message once, and again when the broker redelivers it', () => {
    const headers = sent();
    expect(identity.verify('request', arrived(headers))).toMatchObject({ sender: 'gateway' });
    expect(faultOf(arrived(headers))).toBe('replayed');
    expect(faultOf(arrived(headers, { redelivered: true }))).toBeNull();
  });

  it('accepts messages in any order', () => {
    const messages = Array.from({ length: 100 }, () => sent()).reverse();
    expect(messages.map((headers) => faultOf(arrived(headers)))).toEqual(Array(100).fill(null));
    expect(new Set(messages.map((headers) => faultOf(arrived(headers))))).toEqual(
      new Set(['replayed']),
    );
  });

  it('rejects changed content, headers and MACs', () => {
    expect(faultOf(arrived({}))).toBe('unsigned');
    expect(faultOf(arrived(sent(), { text: Buffer.from('[{"id":2}]') }))).toBe('forged');
    const headers = sent();
    const auth = headers['registrar-auth'] ?? '';
    const changed = (from: string | RegExp, to: string) =>
      faultOf(arrived({ ...headers, 'registrar-auth': auth.replace(from, to) }));
    expect(changed(/.$/, 'x')).toBe('forged');
    expect(changed('1 request', '2 request')).toBe('malformed');
    expect(changed(' gateway ', ' catalog ')).toBe('unknown-sender');
    expect(changed(' gateway ', ' nobody ')).toBe('unknown-sender');
    expect(changed(/ \d{13} /, ` ${Date.now() + 1} `)).toBe('forged');
    expect(faultOf(arrived({ ...sent(), 'registrar-mac': 'AAAA' }))).toBe('forged');
    expect(faultOf(arrived({ ...sent(), 'registrar-mac': 7 }))).toBe('malformed');
    expect(faultOf(arrived({ ...sent(), 'registrar-auth': 'x'.repeat(1_000) }))).toBe('malformed');
  });

  it('rejects a header that continues with the beginning of the content', () => {
    const headers = gateway.authenticate(
      'request',
      'identity',
      Buffer.from(`x\n${content.toString()}`),
    );
    const auth = `${headers['registrar-auth']}\nx`;
    expect(faultOf(arrived({ ...headers, 'registrar-auth': auth }))).toBe('malformed');
  });

  it('rejects a message that another app authenticated in the name of the sender', () => {
    const catalog = authenticatorOf('gateway', {
      ...testBusKeysOf('gateway'),
      own: testBusKeysOf('catalog').own,
    });
    expect(faultOf(arrived(catalog.authenticate('request', 'identity', content)))).toBe(
      'unknown-sender',
    );
    const own = testBusKeysOf('catalog').own[0]!;
    const renamed = { id: testBusKeysOf('gateway').own[0]!.id, key: own.key };
    const forger = authenticatorOf('gateway', { ...testBusKeysOf('gateway'), own: [renamed] });
    expect(faultOf(arrived(forger.authenticate('request', 'identity', content)))).toBe('forged');
  });

  it('rejects messages for another app and of another kind', () => {
    expect(faultOf(arrived(gateway.authenticate('request', 'catalog', content)))).toBe(
      'wrong-destination',
    );
    expect(faultOf(arrived(sent('event')))).toBe('malformed');
  });

  it('rejects requests that are older than any deadline, but not events', () => {
    const [request, event] = [sent(), sent('event')];
    jest.advanceTimersByTime(6 * 60_000 + 1);
    expect(faultOf(arrived(request))).toBe('stale');
    expect(faultOf(arrived(event), 'event')).toBeNull();
    expect(faultOf(arrived(event), 'event')).toBeNull();
  });

  it('accepts replies under the keys of their request', () => {
    const caller = identity.verify('request', arrived(sent()));
    const reply = arrived(identity.authenticateReply(caller, content));
    expect(gateway.verify('reply', reply)).toMatchObject({
      sender: 'identity',
      answers: gateway.session,
    });
    expect(() => authenticatorOf('catalog').verify('reply', reply)).toThrow('wrong-destination');
  });

  it('keeps working in every step of a change of keys', () => {
    const [before, after] = [generateBusKeys(busApps), generateBusKeys(['identity'])];
    const published = (...keys: BusKeySettings[]) =>
      keys.map(({ BUS_PUBLIC_KEYS }) => BUS_PUBLIC_KEYS).join('\n');
    const others = published(before.gateway).replace(/identity=.*/, '');
    const [old] = /identity=.*/.exec(published(before.gateway)) ?? [];
    const next = published(after.identity);
    const keysOf = (app: 'gateway' | 'identity', own: string, ...identityKeys: string[]) =>
      readBusKeys(app, {
        BUS_PRIVATE_KEY: own,
        BUS_PUBLIC_KEYS: [others, ...identityKeys].join('\n'),
      });
    const oldPrivate = before.identity.BUS_PRIVATE_KEY;
    const newPrivate = after.identity.BUS_PRIVATE_KEY;
    /** The processes of gateway and identity that run at the same time in a step. */
    const steps = [
      [['old'], ['old', 'old+next']],
      [['old', 'old+next'], ['old+next']],
      [['old+next'], ['old+next', 'changed']],
      [['old+next', 'next'], ['changed']],
      [['next'], ['changed', 'done']],
    ] as const;
    const publicKeys = { old: [old!], 'old+next': [old!, next], next: [next] };
    const identities = {
      old: keysOf('identity', oldPrivate, old!),
      'old+next': keysOf('identity', oldPrivate, old!, next),
      changed: keysOf('identity', `${newPrivate}\n${oldPrivate}`, old!, next),
      done: keysOf('identity', newPrivate, next),
    };
    for (const [gateways, contexts] of steps) {
      for (const one of gateways) {
        for (const other of contexts) {
          const ownKey = before.gateway.BUS_PRIVATE_KEY;
          const sender = authenticatorOf('gateway', keysOf('gateway', ownKey, ...publicKeys[one]));
          const receiver = authenticatorOf('identity', identities[other]);
          const request = arrived(sender.authenticate('request', 'identity', content));
          const caller = receiver.verify('request', request);
          sender.verify('reply', arrived(receiver.authenticateReply(caller, content)));
          const event = arrived(receiver.authenticate('event', 'gateway', content));
          expect(sender.verify('event', event)).toMatchObject({ sender: 'identity' });
        }
      }
    }
  });

  it('rejects public keys of which two apps have the same one', () => {
    const { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS } = generateBusKeys(busApps).gateway;
    const [, key = ''] = /crawler=(\S+)/.exec(BUS_PUBLIC_KEYS) ?? [];
    const shared = `${BUS_PUBLIC_KEYS}\nprovider=${key}`;
    expect(() => readBusKeys('gateway', { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS: shared })).toThrow(
      /BUS_PUBLIC_KEYS has the same key for (crawler and provider|provider and crawler)$/,
    );
    const repeated = `${BUS_PUBLIC_KEYS}\ncrawler=${key}`;
    readBusKeys('gateway', { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS: repeated });
  });

  it('requires the public keys of all apps, and the own one among them', () => {
    const [keys, others] = [generateBusKeys(busApps), generateBusKeys(busApps)];
    const { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS } = keys.crawler;
    const some = BUS_PUBLIC_KEYS.replace(/(gateway|provider)=.*\n/g, '');
    expect(() => readBusKeys('crawler', { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS: some })).toThrow(
      'BUS_PUBLIC_KEYS has no key of gateway, provider',
    );
    expect(() => readBusKeys('crawler', { ...others.crawler, BUS_PRIVATE_KEY })).toThrow(
      'BUS_PUBLIC_KEYS has no key of crawler that belongs to the first BUS_PRIVATE_KEY',
    );
  });
});
