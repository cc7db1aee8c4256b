import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { autocompleteRealmUsers } from '@registrar/contracts';
import { customPlan, Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { isRealmUserInScope, requireRealmAccess } from '../access-rules.ts';

/** How many addresses a response has (contract/realm-users#autocomplete-limit). */
const maxAddresses = 100;

/** Finds the addresses of users by a part of them (contract/realm-users#autocomplete). */
@Controller()
export class AutocompleteRealmUsers {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  @HandleRequest(autocompleteRealmUsers)
  async find({
    scope,
    text,
  }: InputOf<typeof autocompleteRealmUsers>): Promise<ReplyOf<typeof autocompleteRealmUsers>> {
    requireRealmAccess(scope);
    const users = await this.database.many(
      z.object({ email: z.string() }),
      sql`SELECT ru.email FROM realm_users AS ru
          WHERE ${isRealmUserInScope(scope)} AND (
            strpos(lower(ru.email), lower(${text})) > 0
            OR strpos(lower(ru.custom), lower(${text})) > 0
          )
          ORDER BY lower(ru.email)
          LIMIT ${maxAddresses} ${customPlan}`,
    );
    return { emails: users.map(({ email }) => email) };
  }
}
