import { type AccessScope, Failure } from '@registrar/contracts';
import { type Database, sql } from '@registrar/persistence';
import * as z from 'zod';

const idRow = z.object({ id: z.number() });

/**
 * Checks within a transaction that the secret key of a pair is still accepted, and locks its row, so
 * that it stays accepted until the transaction ends: gateways cache scopes, and requests wait in
 * queues.
 *
 * @throws {Failure} `unauthenticated` after the secret key was replaced and its overlap has ended, and
 * when the realm is disabled
 */
export async function requireCurrentSecret(database: Database, scope: AccessScope): Promise<void> {
  const { realmId, secretGeneration: generation, applicationIds } = scope;
  const locked = await database.maybeOne(
    idRow,
    scope.mode === 'provider'
      ? sql`SELECT a.id
            FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
            WHERE r.id = ${realmId} AND a.id = ${applicationIds[0] ?? null}
              AND r.disabled_at IS NULL
              AND (a.secret_generation = ${generation}::bigint
                OR (a.secret_generation = ${generation}::bigint + 1
                  AND a.previous_valid_until > clock_timestamp()))
            FOR SHARE`
      : sql`SELECT r.id
            FROM realms AS r
            WHERE r.id = ${realmId} AND r.disabled_at IS NULL
              AND (r.secret_generation = ${generation}::bigint
                OR (r.secret_generation = ${generation}::bigint + 1
                  AND r.previous_secret_until > clock_timestamp()))
            FOR SHARE`,
  );
  if (!locked) throw new Failure('unauthenticated', 'the secret key is no longer accepted');
}
