import { Database, sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { type Credentials, isSecretOf, type RememberedApplication } from '../access-rules.ts';
import type { Scope } from '../http/scopes.ts';

/** The most applications that a process remembers. */
const maxRemembered = 1_000;

const applicationRow = z.object({
  id: z.number(),
  isPaused: z.boolean(),
  secretHash: z.instanceof(Buffer),
  previousSecretHash: z.instanceof(Buffer).nullable(),
  previousValidUntil: z.date().nullable(),
});
type ApplicationRow = z.output<typeof applicationRow>;

/** An application whose credentials are right. */
export type AcceptedApplication = RememberedApplication & {
  readonly isPaused: boolean;
  /** Of an access token; null for the secret key, which reaches everything. */
  readonly scopes: readonly Scope[] | null;
};

/** Authenticates requests to the API. */
@Injectable()
export class Authenticator {
  /** The rows of applications as they were read last, by `app_id`. */
  readonly #remembered = new LRUCache<string, ApplicationRow>({ max: maxRemembered });

  constructor(private readonly database: Database) {}

  /** Returns the application of the credentials, or null if they are wrong. */
  async authenticate(credentials: Credentials): Promise<AcceptedApplication | null> {
    const { appId } = credentials;
    const row = await this.database.maybeOne(
      applicationRow,
      sql`SELECT id, is_paused AS "isPaused", secret_hash AS "secretHash",
                 previous_secret_hash AS "previousSecretHash",
                 previous_valid_until AS "previousValidUntil"
          FROM applications WHERE app_id = ${appId}`,
    );
    if (row) this.#remembered.set(appId, row);
    else this.#remembered.delete(appId);
    return accepted(row, credentials);
  }

  /**
   * Returns the application of the credentials by the row that this process has read last, or null if that does not
   * accept them. The row may have changed since: the statement that serves the request must check it, by
   * `isStillAccepted` (access-rules.ts).
   */
  recall(credentials: Credentials): AcceptedApplication | null {
    const row = this.#remembered.get(credentials.appId);
    return row ? accepted(row, credentials) : null;
  }
}

/** Compares the credentials with both secret keys, and with a made-up one for an unknown application. */
function accepted(
  row: ApplicationRow | null,
  credentials: Credentials,
): AcceptedApplication | null {
  const isCurrent = isSecretOf(credentials, row?.secretHash ?? null);
  const isPrevious = isSecretOf(credentials, row?.previousSecretHash ?? null);
  const isOverlap = (row?.previousValidUntil ?? new Date(0)) > clock.date();
  if (!row || !(isCurrent || (isPrevious && isOverlap))) return null;
  const secretHash = isCurrent ? row.secretHash : row.previousSecretHash;
  const { appId } = credentials;
  const scopes = 'scopes' in credentials ? credentials.scopes : null;
  return secretHash && { id: row.id, appId, isPaused: row.isPaused, secretHash, scopes };
}
