import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { operatorActor, resealSecrets } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { providerSecretPurpose, Sealing } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { ProviderApplication } from './provider-application.entity.ts';

/** Rows per transaction, which locks them. */
const pageSize = 50;

const secretRow = z.object({ id: z.number(), appId: z.string(), sealed: z.string() });

/** Seals provider secrets, and computes their fingerprints, with the first master key. */
@Injectable()
export class ResealSecrets {
  constructor(
    @InjectRepository(ProviderApplication)
    private readonly applications: Repository<ProviderApplication>,
    private readonly database: Database,
    private readonly sealing: Sealing,
    private readonly audit: AuditLog,
  ) {}

  @HandleRequest(resealSecrets)
  reseal({ after }: InputOf<typeof resealSecrets>): Promise<ReplyOf<typeof resealSecrets>> {
    return this.database.transaction(async () => {
      const rows = await this.database.many(
        secretRow,
        sql`SELECT id, app_id AS "appId", sealed_secret_key AS sealed FROM provider_applications
            WHERE id > ${after} AND NOT starts_with(sealed_secret_key, ${this.sealing.prefix})
            ORDER BY id LIMIT ${pageSize} FOR UPDATE`,
      );
      const unopened: number[] = [];
      for (const { id, appId, sealed } of rows) {
        const purpose = providerSecretPurpose(appId);
        const secret = this.open(sealed, purpose);
        if (secret === null) {
          unopened.push(id);
          continue;
        }
        // Callers see no change, so `updatedAt` stays and no event is published.
        await this.applications.update(id, {
          sealedSecretKey: this.sealing.seal(secret, purpose),
          secretFingerprint: this.sealing.fingerprint(secret),
        });
      }
      const next = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
      const resealed = rows.length - unopened.length;
      if (resealed > 0) {
        const subject = { secrets: resealed };
        const actor = operatorActor;
        await this.audit.record({ action: 'secrets.resealed', actor, realmId: null, subject });
      }
      return { resealed, unopened, next };
    });
  }

  /** Returns null if no master key opens the secret. */
  private open(sealed: string, purpose: string): string | null {
    try {
      return this.sealing.open(sealed, purpose);
    } catch {
      return null;
    }
  }
}
