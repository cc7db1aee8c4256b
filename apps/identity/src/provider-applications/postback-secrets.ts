import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { postbackSecretPurpose, Sealing } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { hashSecret, randomSecret } from '../access/secrets.ts';
import { ProviderApplication } from './provider-application.entity.ts';

/** A provider application that has a postback secret. */
export type PostbackApplication = ProviderApplication & { readonly sealedPostbackSecret: string };

/**
 * The secrets with which course providers authenticate postbacks. A provider application gets one
 * when it is first read, also one that an older replica adds.
 */
@Injectable()
export class PostbackSecrets {
  constructor(
    @InjectRepository(ProviderApplication)
    private readonly applications: Repository<ProviderApplication>,
    private readonly database: Database,
    private readonly sealing: Sealing,
  ) {}

  /**
   * Returns a provider application with its postback secret. Concurrent first reads return the same
   * secret.
   *
   * @throws {Failure} `not-found`
   */
  async applicationWithSecret(id: number): Promise<PostbackApplication> {
    const application = await this.find(id);
    if (hasSecret(application)) return application;
    const { sealed, hash } = this.create(application.appId);
    await this.database.execute(
      sql`UPDATE provider_applications
          SET sealed_postback_secret = ${sealed}, postback_secret_hash = ${hash}
          WHERE id = ${id} AND sealed_postback_secret IS NULL`,
    );
    const stored = await this.find(id);
    if (!hasSecret(stored)) throw new Error(`application ${id} has no postback secret`);
    return stored;
  }

  /**
   * Replaces the postback secret of an application.
   *
   * @throws {Failure} `not-found`
   */
  async replace(id: number): Promise<{ realmId: number; secret: string }> {
    const { appId, realmId } = await this.find(id);
    const { secret, sealed, hash } = this.create(appId);
    await this.applications.update(id, { sealedPostbackSecret: sealed, postbackSecretHash: hash });
    return { realmId, secret };
  }

  open({ appId, sealedPostbackSecret }: PostbackApplication): string {
    return this.sealing.open(sealedPostbackSecret, postbackSecretPurpose(appId));
  }

  private create(appId: string): { secret: string; sealed: string; hash: Buffer } {
    const secret = randomSecret();
    const sealed = this.sealing.seal(secret, postbackSecretPurpose(appId));
    return { secret, sealed, hash: hashSecret(secret) };
  }

  private async find(id: number): Promise<ProviderApplication> {
    const application = await this.applications.findOneBy({ id });
    if (!application) throw new Failure('not-found', `no provider application ${id}`);
    return application;
  }
}

const hasSecret = (application: ProviderApplication): application is PostbackApplication =>
  application.sealedPostbackSecret !== null;
