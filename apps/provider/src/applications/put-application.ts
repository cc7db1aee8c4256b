import { HandleRequest, type InputOf } from '@registrar/bus';
import { putApplication } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { hashSecret } from '../access-rules.ts';
import { Application } from './application.entity.ts';

/** Creates an application, or changes its name, secret key and registration limit. */
@Controller()
export class PutApplication {
  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
  ) {}

  @HandleRequest(putApplication)
  async put({
    appId,
    name,
    secretKey,
    registrationLimit,
  }: InputOf<typeof putApplication>): Promise<Record<string, never>> {
    const secretHash = hashSecret(secretKey);
    await this.applications.upsert({ appId, name, secretHash, registrationLimit }, ['appId']);
    return {};
  }
}
