import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { busApps } from '@registrar/contracts';
import { type busKeySettings, SettingsError } from '@registrar/platform';
import type * as z from 'zod';

/** A key with the id by which messages name it. */
export interface BusKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys by which an app authenticates its messages (docs/decisions/0013-authenticated-messages.md). */
export interface BusKeys {
  /** The private keys of the app; it sends with the first. */
  readonly own: readonly BusKey[];
  /** The public keys of every app; messages are sent to the first of an app. */
  readonly apps: ReadonlyMap<string, readonly BusKey[]>;
}

/** The settings that hold the keys of one app, as text. */
export type BusKeySettings = z.input<typeof busKeySettings>;

/** The encodings of an X25519 key up to its 32 bytes (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const keyBytes = 32;

/**
 * Reads the keys of an app from its settings.
 *
 * @throws {SettingsError} when a public key of an app is missing, two apps have the same one, or the
 * app's own do not belong together
 */
export function readBusKeys(
  app: string,
  { BUS_PRIVATE_KEY, BUS_PUBLIC_KEYS }: BusKeySettings,
): BusKeys {
  const own = entries(BUS_PRIVATE_KEY).map(privateKey);
  const apps = new Map<string, BusKey[]>();
  for (const entry of entries(BUS_PUBLIC_KEYS)) {
    const separator = entry.indexOf('=');
    const name = entry.slice(0, separator);
    apps.set(name, [...(apps.get(name) ?? []), publicKey(entry.slice(separator + 1))]);
  }
  const appOf = new Map<string, string>();
  for (const [name, keys] of apps) {
    for (const { id } of keys) {
      const other = appOf.get(id) ?? name;
      if (other !== name) {
        throw new SettingsError(`BUS_PUBLIC_KEYS has the same key for ${other} and ${name}`);
      }
      appOf.set(id, name);
    }
  }
  const missing = busApps.filter((name) => !apps.has(name));
  if (missing.length > 0) {
    throw new SettingsError(`BUS_PUBLIC_KEYS has no key of ${missing.join(', ')}`);
  }
  const published = new Set(apps.get(app)?.map(({ id }) => id));
  if (!own[0] || !published.has(own[0].id)) {
    throw new SettingsError(
      `BUS_PUBLIC_KEYS has no key of ${app} that belongs to the first BUS_PRIVATE_KEY`,
    );
  }
  return { own, apps };
}

/** Creates a key pair for each app, as the settings of that app. */
export function generateBusKeys<App extends string>(
  apps: readonly App[],
): Record<App, BusKeySettings> {
  const pairs = apps.map((app) => [app, generateKeyPairSync('x25519')] as const);
  const BUS_PUBLIC_KEYS = pairs
    .map(([app, pair]) => `${app}=${rawPublicKey(pair.publicKey).toString('base64url')}`)
    .join('\n');
  const settings = pairs.map(([app, pair]) => {
    const raw = pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-keyBytes);
    return [app, { BUS_PRIVATE_KEY: raw.toString('base64url'), BUS_PUBLIC_KEYS }] as const;
  });
  return Object.fromEntries(settings) as Record<App, BusKeySettings>;
}

const entries = (text: string) => text.split(/[\s,]+/).filter((entry) => entry !== '');

function privateKey(text: string): BusKey {
  const der = Buffer.concat([privatePrefix, Buffer.from(text, 'base64')]);
  const key = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
  return { id: keyId(rawPublicKey(createPublicKey(key))), key };
}

function publicKey(text: string): BusKey {
  const raw = Buffer.from(text, 'base64');
  const der = Buffer.concat([publicPrefix, raw]);
  return { id: keyId(raw), key: createPublicKey({ key: der, type: 'spki', format: 'der' }) };
}

const rawPublicKey = (key: KeyObject) =>
  key.export({ type: 'spki', format: 'der' }).subarray(-keyBytes);

/** The first 8 bytes of the hash of a public key. */
const keyId = (raw: Buffer) =>
  createHash('sha256').update(raw).digest().subarray(0, 8).toString('base64url');
