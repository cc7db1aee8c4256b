import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingsError } from './settings.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 6;

/** `v2`, the id of the key, what was sealed; the first form, without the id, was `v1`. */
const format = 'v2';
const formatWithoutKey = 'v1';

/** The fresh content of a master key file: 32 random bytes in base64. */
export function generateMasterKey(): string {
  return `${randomBytes(keyBytes).toString('base64')}\n`;
}

interface Key {
  /** Names the key without telling anything about it. */
  readonly id: string;
  readonly sealing: Buffer;
  readonly fingerprint: Buffer;
}

function keyFrom(masterKey: Buffer): Key {
  const derive = (use: string, length = keyBytes) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `registrar ${use}`, length));
  return {
    id: derive('key id', keyIdBytes).toString('base64url'),
    sealing: derive('sealing'),
    fingerprint: derive('fingerprint'),
  };
}

/**
 * Seals provider secrets with AES-256-GCM (NIST SP 800-38D) under the installation's master key,
 * a random nonce each. `purpose` is bound to what is sealed: it opens for the same purpose only.
 *
 * Of several master keys the first seals and every one opens, so that a key can be changed while
 * the installation serves (docs/operations.md, Changing the master key).
 */
export class Sealing {
  readonly #keys: readonly [Key, ...Key[]];

  constructor(first: Buffer, ...others: Buffer[]) {
    this.#keys = [keyFrom(first), ...others.map(keyFrom)];
  }

  /** @throws {SettingsError} when the file cannot be read or a line is not 32 bytes in base64. */
  static fromKeyFile(path: string): Sealing {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new SettingsError(`MASTER_KEY_FILE: ${(error as Error).message}`);
    }
    const lines = text.trim().split(/\s+/);
    const [first, ...others] = lines.map((line) => Buffer.from(line, 'base64'));
    if (!first || [first, ...others].some((key) => key.length !== keyBytes)) {
      throw new SettingsError(
        `MASTER_KEY_FILE: ${path} does not hold ${keyBytes} bytes in base64 on each line`,
      );
    }
    return new Sealing(first, ...others);
  }

  /** What everything begins with that the first key has sealed. */
  get prefix(): string {
    return `${format}.${this.#keys[0].id}.`;
  }

  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0].sealing, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    return `${this.prefix}${bytes.toString('base64url')}`;
  }

  /** @throws when it was sealed under a key that is not here, for another purpose, or changed. */
  open(sealed: string, purpose: string): string {
    const [form, ...rest] = sealed.split('.');
    const bytes = Buffer.from(rest.at(-1) ?? '', 'base64url');
    if (
      (form !== format && form !== formatWithoutKey) ||
      rest.length !== (form === format ? 2 : 1) ||
      bytes.length < nonceBytes + tagBytes
    ) {
      throw new Error('not a sealed secret');
    }
    const [first, ...others] = this.#keys.filter(
      ({ id }) => form === formatWithoutKey || id === rest[0],
    );
    if (!first) throw new Error('sealed under another master key');
    for (const key of others) {
      try {
        return openWith(key, bytes, purpose);
      } catch {
        // Perhaps it is another's.
      }
    }
    return openWith(first, bytes, purpose);
  }

  /** What a presented secret is recognised by, without opening the stored one: HMAC-SHA-256. */
  fingerprint(secret: string): Buffer {
    return fingerprintWith(this.#keys[0], secret);
  }

  /** The same under each of the keys. */
  fingerprints(secret: string): Buffer[] {
    return this.#keys.map((key) => fingerprintWith(key, secret));
  }
}

const fingerprintWith = (key: Key, secret: string): Buffer =>
  createHmac('sha256', key.fingerprint).update(secret).digest();

function openWith(key: Key, bytes: Buffer, purpose: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

/** The purpose that binds a sealed provider secret to its application's id at the provider. */
export const providerSecretPurpose = (appId: string) => `provider-application:${appId}`;
