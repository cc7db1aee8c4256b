import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingsError } from './settings.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 6;

/** The format is `v2.<key id>.<base64url>`. */
const format = 'v2';

/** Generates the content of a master key file: 32 random bytes in base64. */
export function generateMasterKey(): string {
  return `${randomBytes(keyBytes).toString('base64')}\n`;
}

interface Key {
  /** Identifies the key without revealing anything about it. */
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
 * Encrypts (seals) secrets with AES-256-GCM (NIST SP 800-38D) under the master key of the
 * installation, each with a random nonce. The `purpose` is authenticated: a secret can be opened only
 * with the purpose with which it was sealed.
 *
 * With several master keys, the first one seals and all of them open, so that a key can be changed
 * without downtime (docs/operations.md, Changing the master key).
 */
export class Sealing {
  readonly #keys: readonly [Key, ...Key[]];

  constructor(first: Buffer, ...others: Buffer[]) {
    this.#keys = [keyFrom(first), ...others.map(keyFrom)];
  }

  /**
   * @param setting the setting that names the file, for errors
   * @throws {SettingsError} when the file cannot be read or a line is not 32 bytes in base64.
   */
  static fromKeyFile(path: string, setting = 'MASTER_KEY_FILE'): Sealing {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new SettingsError(`${setting}: ${(error as Error).message}`);
    }
    const lines = text.trim().split(/\s+/);
    const [first, ...others] = lines.map((line) => Buffer.from(line, 'base64'));
    if (!first || [first, ...others].some((key) => key.length !== keyBytes)) {
      throw new SettingsError(
        `${setting}: ${path} does not hold ${keyBytes} bytes in base64 on each line`,
      );
    }
    return new Sealing(first, ...others);
  }

  /** The prefix of everything that is sealed under the first key. */
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

  /** Decrypts a sealed secret. @throws {Error} for an unknown key, another purpose or altered text */
  open(sealed: string, purpose: string): string {
    const [form, keyId, encoded = '', ...rest] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    if (form !== format || rest.length > 0 || bytes.length < nonceBytes + tagBytes) {
      throw new Error('not a sealed secret');
    }
    const key = this.#keys.find(({ id }) => id === keyId);
    if (!key) throw new Error('sealed under another master key');
    const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = bytes.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** {@link open}, but null for a secret that cannot be decrypted. */
  tryOpen(sealed: string, purpose: string): string | null {
    try {
      return this.open(sealed, purpose);
    } catch {
      return null;
    }
  }

  /** Returns the HMAC-SHA-256 of a secret, by which a presented secret is found without decryption. */
  fingerprint(secret: string): Buffer {
    return fingerprintWith(this.#keys[0], secret);
  }

  /** Returns the fingerprints of a secret under all keys. */
  fingerprints(secret: string): Buffer[] {
    return this.#keys.map((key) => fingerprintWith(key, secret));
  }
}

const fingerprintWith = (key: Key, secret: string): Buffer =>
  createHmac('sha256', key.fingerprint).update(secret).digest();

/** The purpose of a provider secret: binds it to the application's id at the provider. */
export const providerSecretPurpose = (appId: string) => `provider-application:${appId}`;

/** The purpose of the secret of an application's postbacks. */
export const postbackSecretPurpose = (appId: string) => `postbacks:${appId}`;
