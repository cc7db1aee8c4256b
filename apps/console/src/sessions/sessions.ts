import { PeriodicTask } from '@registrar/platform';
import { sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { ConsoleDatabase } from '../console-database.ts';
import { consoleRoles, type ConsoleRoles } from './roles.ts';
import { hashToken, newToken } from './tokens.ts';

/** The end of a session in which nothing was asked for so long: minutes. */
const idleMinutes = 30;

/** The end of every session: hours. */
export const maxSessionHours = 12;

/** The most sessions of one account; the oldest ends when there is one more. */
export const maxSessionsOfAccount = 20;

/** A user who signs in. */
export interface SignedInUser {
  /** Identifies the user: the issuer and subject, or the kind of link. */
  readonly account: string;
  /** As the audit log has it. */
  readonly name: string;
  readonly roles: ConsoleRoles;
}

/** A session that has not ended. */
export interface Session extends SignedInUser {
  readonly tokenHash: Buffer;
  readonly endsAt: Date;
}

const sessionRow = z.object({
  account: z.string(),
  name: z.string(),
  roles: consoleRoles,
  endsAt: z.date(),
  isSeen: z.boolean(),
});

/** SQL condition: a session has not ended. */
const isOpen = sql`ends_at > now() AND last_seen_at > now() - make_interval(mins => ${idleMinutes})`;

/** The sessions of signed-in users. Only hashes of their tokens are stored. */
@Injectable()
export class Sessions {
  constructor(private readonly database: ConsoleDatabase) {}

  /** Begins a session under a new token, and returns the token. */
  async begin({ account, name, roles }: SignedInUser): Promise<string> {
    const token = newToken();
    await this.database.execute(
      sql`WITH surplus AS (
            DELETE FROM sessions WHERE token_hash IN (
              SELECT token_hash FROM sessions WHERE account = ${account}
              ORDER BY created_at DESC OFFSET ${maxSessionsOfAccount - 1}))
          INSERT INTO sessions (token_hash, account, name, roles, ends_at)
          VALUES (${hashToken(token)}, ${account}, ${name}, ${JSON.stringify(roles)}::jsonb,
                  now() + make_interval(hours => ${maxSessionHours}))`,
    );
    return token;
  }

  /**
   * Finds the session of a token; null when there is none, or it has ended.
   *
   * @param use whether the session is used now, which postpones its idle end
   */
  async find(token: string, use: 'used' | 'watched'): Promise<Session | null> {
    const tokenHash = hashToken(token);
    if (tokenHash === null) return null;
    const found = await this.database.maybeOne(
      sessionRow,
      sql`SELECT account, name, roles, ends_at AS "endsAt",
                 last_seen_at > now() - interval '1 minute' AS "isSeen"
          FROM sessions WHERE token_hash = ${tokenHash} AND ${isOpen}`,
    );
    if (!found) return null;
    const { isSeen, ...session } = found;
    if (!isSeen && use === 'used') await this.#see(tokenHash);
    return { ...session, tokenHash };
  }

  async #see(tokenHash: Buffer): Promise<void> {
    await this.database.execute(
      sql`UPDATE sessions SET last_seen_at = now() WHERE token_hash = ${tokenHash}`,
    );
  }

  /** Ends the session of a token, if there is one. */
  async end(token: string): Promise<void> {
    await this.database.execute(sql`DELETE FROM sessions WHERE token_hash = ${hashToken(token)}`);
  }

  /** Ends every session of an account. */
  async endAll(account: string): Promise<void> {
    await this.database.execute(sql`DELETE FROM sessions WHERE account = ${account}`);
  }

  /** The number of sessions that have not ended. */
  async count(): Promise<number> {
    const { open } = await this.database.one(
      z.object({ open: z.number() }),
      sql`SELECT count(*) AS open FROM sessions WHERE ${isOpen}`,
    );
    return open;
  }

  @PeriodicTask({ name: 'prune sessions and sign-in links', everyMs: 3_600_000, timeoutMs: 60_000 })
  async prune(): Promise<void> {
    await this.database.execute(sql`DELETE FROM sessions WHERE NOT (${isOpen})`);
    await this.database.execute(sql`DELETE FROM sign_in_links WHERE ends_at <= now()`);
  }
}
