import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type EmailAddress,
  emailAddress,
  ensureUser,
  ensureUsers,
  Failure,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { memberEmail, publicUserId } from './membership.ts';
import { type RealmRole, realmRoles } from './realm-roles.ts';

/** The email is in the spelling that the realm gave first. */
const realmMember = z.object({ userId: z.number(), email: emailAddress });
export type RealmMember = Readonly<z.infer<typeof realmMember>>;

/**
 * Finds or creates the users of e-mail addresses and makes them users of a realm
 * (contract/realm-users#implicit-creation).
 */
@Injectable()
export class EnsureUsers {
  constructor(private readonly database: Database) {}

  @HandleRequest(ensureUser)
  ensureLearner({
    realmId,
    email,
  }: InputOf<typeof ensureUser>): Promise<ReplyOf<typeof ensureUser>> {
    return this.ensureOne(realmId, email, 'learner');
  }

  @HandleRequest(ensureUsers)
  async ensureLearners({
    realmId,
    emails,
  }: InputOf<typeof ensureUsers>): Promise<ReplyOf<typeof ensureUsers>> {
    return { users: await this.ensure(realmId, emails, 'learner') };
  }

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
    const known = await this.findMembers(realmId, [...missing.keys()]);
    for (const { email } of known) missing.delete(email.toLowerCase());
    if (missing.size === 0) return known;
    const created = await this.database.transaction(async () => {
      // All transactions insert in the same order, so that they cannot deadlock.
      const addresses = [...missing.keys()].toSorted();
      const spellings = addresses.map((address) => missing.get(address));
      await this.database.execute(sql`
        INSERT INTO users (email)
        SELECT e.email
        FROM unnest(${addresses}::text[], ${spellings}::text[])
          WITH ORDINALITY AS e (address, email, place)
        WHERE NOT EXISTS (SELECT FROM users AS u WHERE lower(u.email) = e.address)
        ORDER BY e.place
        ON CONFLICT (lower(email)) DO NOTHING`);
      // A separate statement sees users that another transaction has inserted meanwhile.
      await this.database.execute(sql`
        INSERT INTO realm_users (realm_id, user_id, email, public_user_id, realm_role_id)
        SELECT r.id, u.id, e.email, nextval('public_user_ids'), ${realmRoles[role]}::integer
        FROM realms AS r, users AS u
        JOIN unnest(${addresses}::text[], ${spellings}::text[]) AS e (address, email)
          ON e.address = lower(u.email)
        WHERE r.id = ${realmId} AND NOT EXISTS (
          SELECT FROM realm_users AS known WHERE known.realm_id = r.id AND known.user_id = u.id
        )
        ORDER BY u.id
        ON CONFLICT (realm_id, user_id) DO NOTHING`);
      const members = await this.findMembers(realmId, addresses);
      if (members.length < missing.size) throw new Failure('not-found', `no realm ${realmId}`);
      return members;
    });
    return [...known, ...created];
  }

  private findMembers(realmId: number, addresses: readonly string[]): Promise<RealmMember[]> {
    return this.database.many(
      realmMember,
      sql`SELECT ${publicUserId} AS "userId", ${memberEmail} AS email
          FROM users AS u JOIN realm_users AS ru ON ru.user_id = u.id
          WHERE ru.realm_id = ${realmId} AND lower(u.email) = ANY (${addresses})`,
    );
  }
}
