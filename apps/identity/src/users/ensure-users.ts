import { type EmailAddress, emailAddress, Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type RealmRole, realmRoles } from './realm-roles.ts';

/** The email is in the spelling that the realm gave first. */
const realmMember = z.object({ userId: z.number(), email: emailAddress });
export type RealmMember = Readonly<z.infer<typeof realmMember>>;

/**
 * The most attempts to find or insert members. Another transaction may insert the user of an address
 * during the first, and the member during the second.
 */
const maxAttempts = 3;

/**
 * Finds or creates the users of e-mail addresses and makes them users of a realm
 * (contract/realm-users#implicit-creation).
 */
@Injectable()
export class EnsureUsers {
  constructor(private readonly database: Database) {}

  /** {@link ensure} for one address. */
  async ensureOne(realmId: number, email: EmailAddress, role: RealmRole): Promise<RealmMember> {
    const [member] = await this.ensure(realmId, [email], role);
    if (!member) throw new Error('a user was neither found nor created');
    return member;
  }

  /**
   * Returns one user per address, ignoring case. Existing users of the realm keep their role.
   * Concurrent calls return the same users.
   *
   * @throws {Failure} `not-found` for an unknown realm
   */
  async ensure(
    realmId: number,
    emails: readonly EmailAddress[],
    role: RealmRole,
  ): Promise<RealmMember[]> {
    const missing = new Map(emails.toReversed().map((email) => [email.toLowerCase(), email]));
    const members: RealmMember[] = [];
    for (let attempt = 1; attempt <= maxAttempts && missing.size > 0; attempt += 1) {
      const found = await this.findOrInsert(realmId, missing, role);
      members.push(...found);
      for (const { email } of found) missing.delete(email.toLowerCase());
    }
    if (missing.size > 0) throw new Failure('not-found', `no realm ${realmId}`);
    return members;
  }

  /**
   * Finds the members of a realm, and inserts those that are missing, with users for the addresses that
   * have none.
   *
   * @param emails by address in lower case
   * @returns all but those that another transaction inserts meanwhile
   */
  private findOrInsert(
    realmId: number,
    emails: ReadonlyMap<string, EmailAddress>,
    role: RealmRole,
  ): Promise<RealmMember[]> {
    // All transactions insert in the same order, so that they cannot deadlock.
    const addresses = [...emails.keys()].toSorted();
    const spellings = addresses.map((address) => emails.get(address));
    return this.database.many(
      realmMember,
      sql`WITH members AS (
            SELECT public_user_id, email FROM realm_users
            WHERE realm_id = ${realmId} AND lower(email) = ANY (${addresses})
          ), wanted AS (
            SELECT r.id AS realm_id, e.address, e.email, e.place
            FROM realms AS r, unnest(${addresses}::text[], ${spellings}::text[])
              WITH ORDINALITY AS e (address, email, place)
            WHERE r.id = ${realmId} AND e.address NOT IN (SELECT lower(email) FROM members)
          ), known AS (
            SELECT id, lower(email) AS address FROM users WHERE lower(email) = ANY (${addresses})
          ), inserted AS (
            INSERT INTO users (email)
            SELECT w.email FROM wanted AS w
            WHERE NOT EXISTS (SELECT FROM known AS k WHERE k.address = w.address)
            ORDER BY w.place
            ON CONFLICT (lower(email)) DO NOTHING
            RETURNING id, lower(email) AS address
          ), inserted_members AS (
            INSERT INTO realm_users (realm_id, user_id, email, realm_role_id)
            SELECT w.realm_id, u.id, w.email, ${realmRoles[role]}::integer
            FROM wanted AS w
            JOIN (SELECT * FROM known UNION ALL SELECT * FROM inserted) AS u USING (address)
            WHERE NOT EXISTS (
              SELECT FROM realm_users AS m WHERE m.realm_id = w.realm_id AND m.user_id = u.id
            )
            ORDER BY u.id
            ON CONFLICT (realm_id, user_id) DO NOTHING
            RETURNING public_user_id, email
          )
          SELECT public_user_id AS "userId", email FROM members
          UNION ALL SELECT public_user_id, email FROM inserted_members`,
    );
  }
}
