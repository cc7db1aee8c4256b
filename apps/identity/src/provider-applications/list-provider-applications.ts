import { HandleRequest, type ReplyOf } from '@registrar/bus';
import { listProviderApplications } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ProviderApplication } from './provider-application.entity.ts';

/** Lists all provider applications of the installation for the crawler. */
@Injectable()
export class ListProviderApplications {
  constructor(
    @InjectRepository(ProviderApplication)
    private readonly applications: Repository<ProviderApplication>,
  ) {}

  @HandleRequest(listProviderApplications)
  async list(): Promise<ReplyOf<typeof listProviderApplications>> {
    const applications = await this.applications.find({
      select: { id: true, realmId: true },
      order: { id: 'ASC' },
    });
    return { applications: applications.map(({ id, realmId }) => ({ id, realmId })) };
  }
}
