import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingsError } from './settings.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const format = 'v1';

/** The fresh content of a master key file: 32 random bytes in base64. */
export function generateMasterKey(): string {
  return `${randomBytes(keyBytes).toString('base64')}\n`;
}

/**
 * Seals provider secrets with AES-256-GCM (NIST SP 800-38D) under the installation's master key,
 * a random nonce each. `purpose` is bound to what is sealed: it opens for the same purpose only.
 */
export class Sealing {
  readonly #sealingKey: Buffer;
  readonly #fingerprintKey: Buffer;

  constructor(masterKey: Buffer) {
    const derive = (use: string) =>
      Buffer.from(hkdfSync('sha256', masterKey, '', `registrar ${use}`, keyBytes));
    this.#sealingKey = derive('sealing');
    this.#fingerprintKey = derive('fingerprint');
  }

  /** @throws {SettingsError} when the file cannot be read or is not 32 bytes in base64. */
  static fromKeyFile(path: string): Sealing {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new SettingsError(`MASTER_KEY_FILE: ${(error as Error).message}`);
    }
    const key = Buffer.from(text.trim(), 'base64');
    if (key.length !== keyBytes) {
      throw new SettingsError(`MASTER_KEY_FILE: ${path} does not hold ${keyBytes} bytes in base64`);
    }
    return new Sealing(key);
  }

  seal(secret: string, purpose: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#sealingKey, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${format}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** @throws when it was sealed under another key or for another purpose, or was changed. */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed.slice(format.length + 1), 'base64url');
    if (!sealed.startsWith(`${format}.`) || bytes.length < nonceBytes + tagBytes) {
      throw new Error('not a sealed secret');
    }
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.#sealingKey,
      bytes.subarray(0, nonceBytes),
    );
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = bytes.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** Compares a presented secret with a stored one without opening it: HMAC-SHA-256, 32 bytes. */
  fingerprint(secret: string): Buffer {
    return createHmac('sha256', this.#fingerprintKey).update(secret).digest();
  }
}

/** The purpose that binds a sealed provider secret to its application's id at the provider. */
export const providerSecretPurpose = (appId: string) => `provider-application:${appId}`;
