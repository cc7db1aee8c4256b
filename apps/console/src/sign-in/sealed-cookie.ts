import { clock } from '@registrar/platform';
import { sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ConsoleDatabase } from '../console-database.ts';

/** The time that a sign-in may take: seconds. */
export const signInSeconds = 600;

/** What a sign-in in progress keeps in the browser. */
const transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnPath: z.string(),
});
export type SignInTransaction = z.infer<typeof transaction>;

const keyRow = z.object({ key: z.instanceof(Buffer) });
const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

/** Seals what a sign-in in progress keeps in a cookie, under a key that all replicas share. */
@Injectable()
export class SealedCookie {
  #key: Promise<Buffer> | null = null;

  constructor(private readonly database: ConsoleDatabase) {}

  async seal(given: SignInTransaction): Promise<string> {
    return new EncryptJWT(given)
      .setProtectedHeader(algorithms)
      .setExpirationTime(new Date(clock.now() + signInSeconds * 1_000))
      .encrypt(await this.#sharedKey());
  }

  /** Opens a cookie; null for one that is too old, or was not sealed here. */
  async open(text: string): Promise<SignInTransaction | null> {
    try {
      const { payload } = await jwtDecrypt(text, await this.#sharedKey(), {
        keyManagementAlgorithms: [algorithms.alg],
        contentEncryptionAlgorithms: [algorithms.enc],
        currentDate: clock.date(),
      });
      return transaction.parse(payload);
    } catch {
      return null;
    }
  }

  #sharedKey(): Promise<Buffer> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  /** The first replica that needs the key creates it. */
  async #readKey(): Promise<Buffer> {
    await this.database.execute(
      sql`INSERT INTO cookie_key (key) VALUES (${randomBytes(32)}) ON CONFLICT DO NOTHING`,
    );
    const { key } = await this.database.one(keyRow, sql`SELECT key FROM cookie_key`);
    return key;
  }
}
