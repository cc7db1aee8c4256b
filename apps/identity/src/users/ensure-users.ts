import { type EmailAddress, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type KnownUser } from './ensure-user.ts';
import { realmRoles } from './realm-role.ts';

/** Finds or makes the users of many e-mail addresses, and makes them learners of a realm. */
@Injectable()
export class EnsureUsers {
  constructor(private readonly database: Database) {}

  /**
   * One user for each address, without regard to case. Whoever belongs to the realm already keeps
   * the role held there. Calls that race each other end in the same users.
   *
   * @throws {Failure} `not-found` when there is no such realm
   */
  async run(realmId: number, emails: readonly EmailAddress[]): Promise<KnownUser[]> {
    const wanted = new Map(emails.toReversed().map((email) => [email.toLowerCase(), email]));
    const known = await this.find(realmId, [...wanted.keys()]);
    for (const user of known) wanted.delete(user.email.toLowerCase());
    if (wanted.size === 0) return known;
    const made = await this.database.transaction(async () => {
      // In one order for all, so that two calls for the same addresses cannot block each other.
      const addresses = [...wanted.keys()].toSorted();
      await this.database.query(
        `INSERT INTO users (email)
         SELECT e.email
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS e (address, email, place)
         WHERE NOT EXISTS (SELECT FROM users AS u WHERE lower(u.email) = e.address)
         ORDER BY e.place
         ON CONFLICT (lower(email)) DO NOTHING`,
        [addresses, addresses.map((address) => wanted.get(address))],
      );
      // A statement of its own, which sees the users that another transaction has just made.
      await this.database.query(
        `INSERT INTO realm_users (realm_id, user_id, realm_role_id)
         SELECT r.id, u.id, $3 FROM realms AS r, users AS u
         WHERE r.id = $1 AND lower(u.email) = ANY($2)
         ORDER BY u.id
         ON CONFLICT (realm_id, user_id) DO NOTHING`,
        [realmId, addresses, realmRoles.learner],
      );
      const users = await this.find(realmId, addresses);
      if (users.length < wanted.size) throw new Failure('not-found', `no realm ${realmId}`);
      return users;
    });
    return [...known, ...made];
  }

  private find(realmId: number, addresses: readonly string[]): Promise<KnownUser[]> {
    return this.database.query<KnownUser>(
      `SELECT u.id AS "userId", u.email
       FROM users AS u JOIN realm_users AS ru ON ru.user_id = u.id
       WHERE ru.realm_id = $1 AND lower(u.email) = ANY($2)`,
      [realmId, addresses],
    );
  }
}
