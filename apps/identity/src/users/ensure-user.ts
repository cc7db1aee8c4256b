import { type EmailAddress, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type RealmRole, realmRoles } from './realm-role.ts';

/** A user as an e-mail address names it. */
export interface KnownUser {
  readonly userId: number;
  /** As it was given first. */
  readonly email: EmailAddress;
}

/** Finds or makes the user of an e-mail address, and makes it one of a realm. */
@Injectable()
export class EnsureUser {
  constructor(private readonly database: Database) {}

  /**
   * Whoever belongs to the realm already keeps the role held there. Equal calls that race each
   * other end in one user.
   *
   * @throws {Failure} `not-found` when there is no such realm
   */
  async run(realmId: number, email: EmailAddress, role: RealmRole): Promise<KnownUser> {
    const known = await this.find(realmId, email);
    if (known) return known;
    return this.database.transaction(async () => {
      await this.database.query(
        'INSERT INTO users (email) VALUES ($1) ON CONFLICT (lower(email)) DO NOTHING',
        [email],
      );
      // A statement of its own, which sees the user that another transaction has just made.
      await this.database.query(
        `INSERT INTO realm_users (realm_id, user_id, realm_role_id)
         SELECT r.id, u.id, $3 FROM realms AS r, users AS u
         WHERE r.id = $1 AND lower(u.email) = lower($2)
         ON CONFLICT (realm_id, user_id) DO NOTHING`,
        [realmId, email, realmRoles[role]],
      );
      const made = await this.find(realmId, email);
      if (!made) throw new Failure('not-found', `no realm ${realmId}`);
      return made;
    });
  }

  private async find(realmId: number, email: EmailAddress): Promise<KnownUser | undefined> {
    const [user] = await this.database.query<KnownUser>(
      `SELECT u.id AS "userId", u.email
       FROM users AS u JOIN realm_users AS ru ON ru.user_id = u.id
       WHERE ru.realm_id = $1 AND lower(u.email) = lower($2)`,
      [realmId, email],
    );
    return user;
  }
}
