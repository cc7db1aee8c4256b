import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findProviderCredentials } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ProviderApplication } from './provider-application.entity.ts';

/** Returns what a service needs to call a course provider. The secret key stays sealed. */
@Injectable()
export class FindProviderCredentials {
  constructor(
    @InjectRepository(ProviderApplication)
    private readonly applications: Repository<ProviderApplication>,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(findProviderCredentials)
  async find({
    applicationId,
  }: InputOf<typeof findProviderCredentials>): Promise<ReplyOf<typeof findProviderCredentials>> {
    const application = await this.applications.findOneBy({ id: applicationId });
    if (!application) throw new Failure('not-found', `no provider application ${applicationId}`);
    const { realmId, baseUrl, appId, sealedSecretKey } = application;
    return { applicationId, realmId, baseUrl, appId, sealedSecretKey };
  }
}
