import { clock, Sealing } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { TokenCredentials } from '../access-rules.ts';
import { scope } from '../http/scopes.ts';

const purpose = 'access-token';

const content = z.object({
  appId: z.string(),
  secretHash: z.base64().transform((text) => Buffer.from(text, 'base64')),
  scopes: z.array(scope),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});

/**
 * Access tokens: what an application may do, and until when, sealed under the key of `LAUNCH_KEY_FILE`. They are not
 * stored, so that an application can make any number of them. A token ends with its lifetime, with the secret key of
 * its application and with the key that sealed it.
 */
@Injectable()
export class AccessTokens {
  constructor(private readonly sealing: Sealing) {}

  /** @param lifetimeSeconds how long the token is valid */
  issue({ appId, secretHash, scopes }: TokenCredentials, lifetimeSeconds: number): string {
    const sealed: z.input<typeof content> = {
      appId,
      secretHash: secretHash.toString('base64'),
      scopes: [...scopes],
      expiresAt: clock.now() + lifetimeSeconds * 1_000,
    };
    return this.sealing.seal(JSON.stringify(sealed), purpose);
  }

  /** Returns the content of a token; null if it is not valid, or has expired. */
  open(token: string): TokenCredentials | null {
    const opened = this.sealing.tryOpen(token, purpose);
    if (opened === null) return null;
    // Another version may know other scopes.
    const parsed = content.safeParse(JSON.parse(opened));
    return parsed.success && parsed.data.expiresAt > clock.now() ? parsed.data : null;
  }
}
