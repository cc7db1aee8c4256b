import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type AuthenticatedApplication,
  isSecretOf,
  parseBasicCredentials,
} from '../access-rules.ts';
import { Application } from './application.entity.ts';

/** Authenticates requests to the API. */
@Injectable()
export class Authenticator {
  constructor(
    @InjectRepository(Application) private readonly applications: Repository<Application>,
  ) {}

  /** Returns the application whose credentials an `Authorization` header has, or null. */
  async authenticate(header: string): Promise<AuthenticatedApplication | null> {
    const credentials = parseBasicCredentials(header);
    if (!credentials) return null;
    const application = await this.applications.findOne({
      where: { appId: credentials.appId },
      select: { id: true, secretHash: true },
    });
    if (!isSecretOf(credentials.secretKey, application?.secretHash ?? null)) return null;
    return application && { id: application.id };
  }
}
