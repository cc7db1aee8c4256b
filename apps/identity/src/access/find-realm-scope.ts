import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findRealmScope, realmCompatibility, realmLimits } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { accessScopeOf } from '../access-rules.ts';
import { applicationIdsOf, requireEnabled } from './resolve-access.ts';

const realmRow = z.object({
  id: z.number(),
  applicationIds: z.array(z.number()),
  isDisabled: z.boolean(),
  limits: realmLimits.nullable(),
  compatibility: realmCompatibility.nullable(),
});

/** Finds the scope of a realm for the console, which knows the user's role there. */
@Controller()
export class FindRealmScope {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` for an unknown realm, `unauthenticated` for a disabled one */
  @HandleRequest(findRealmScope)
  async find({
    realmGuid,
    permissions,
  }: InputOf<typeof findRealmScope>): Promise<ReplyOf<typeof findRealmScope>> {
    const realm = await this.database.maybeOne(
      realmRow,
      sql`SELECT r.id, r.limits, r.compatibility, r.disabled_at IS NOT NULL AS "isDisabled",
                 ${applicationIdsOf(sql`r.id`)} AS "applicationIds"
          FROM realms AS r WHERE r.guid = ${realmGuid}`,
    );
    if (!realm) throw new Failure('not-found', 'no such realm');
    requireEnabled(realm.id, realm);
    return { ...accessScopeOf(consolePair, realm), permissions };
  }
}

/** As a realm pair reaches the realm; the console knows no secret key of it. */
const consolePair = {
  mode: 'realm',
  applicationId: null,
  secretGeneration: null,
  expiresAt: null,
} as const;
